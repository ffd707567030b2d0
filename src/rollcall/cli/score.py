"""`rollcall score`: the figures of one system's predictions."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rollcall._core.workers import collection_paused
from rollcall.cli import options, system_options
from rollcall.cli import system_options as asking
from rollcall.cli.options import reporting, writing

if TYPE_CHECKING:
    from rollcall.report import Rendered


@writing(
    *options.REPORT_OPTIONS,
    "newly_right",
    reads=["predictions", "expand", "extended", "audit"],
    asks=["gold"],
    when={"newly_right": "expand"},
)
@collection_paused()
@reporting
def score(
    gold: options.Gold,
    predictions: Annotated[
        Path | None,
        typer.Argument(
            metavar="[RUN]",
            help="A run, {id: [answers]}, lines, CSV or a result file; not needed if SET has predictions.",
            show_default=False,
        ),
    ] = None,
    profile: options.Profile = "entity",
    measures: options.Measures = None,
    by: options.By = None,
    split: options.Split = None,
    setting: options.Setting = "complete",
    robustness: Annotated[
        bool, typer.Option("--robustness", help="How scores drop inside clusters, and on what that depends.")
    ] = False,
    expand: Annotated[
        Path | None, typer.Option(help="A graph: also score with the names it adds.", show_default=False)
    ] = None,
    lookup: options.Lookup = "exact",
    homonyms: options.Homonyms = "all",
    newly_right: Annotated[
        Path, typer.Option(help="The file for predictions that --expand made right, for people to judge.")
    ] = Path("newly_right.jsonl"),
    extended: Annotated[
        Path | None, typer.Option(help="The same questions with more answers: also score with them.")
    ] = None,
    completeness: options.Completeness = None,
    audit: options.Audit = None,
    answers: options.Answers = None,
    file_format: options.Format = None,
    missing: options.Missing = "count",
    drop_empty: options.DropEmpty = False,
    neutral: options.Neutral = None,
    confidence: options.Confidence = 0.95,
    intervals: Annotated[
        bool, typer.Option("--intervals/--no-intervals", help="Whether figures have confidence intervals.")
    ] = True,
    judge: system_options.Judges = None,
    base_url: asking.BaseUrl = None,
    judge_prompts: system_options.Prompts = None,
    concurrency: asking.Concurrency = 8,
    per_minute: asking.PerMinute = None,
    timeout: asking.Timeout = 120.0,
    budget_tokens: asking.BudgetTokens = None,
    budget_money: asking.BudgetMoney = None,
    price: asking.Price = None,
    cache: system_options.JudgeCache = None,
) -> "Rendered":
    """Score predictions against gold questions, with confidence intervals."""
    from rollcall.llm.opening import AskingLimits
    from rollcall.score import verbs

    limits = AskingLimits(concurrency, per_minute, timeout, budget_tokens, budget_money, price)
    with system_options.opened_judges(
        judge, base_url, judge_prompts, limits, cache=cache, judged=predictions or gold
    ) as judges:
        return verbs.score(
            gold,
            predictions,
            profile=profile,
            measures=measures,
            by=options.listed(by),
            split=split,
            setting=setting,
            missing=missing,
            drop_empty=drop_empty,
            neutral=neutral,
            confidence=confidence if intervals else None,
            answers=answers,
            file_format=file_format,
            robustness=robustness,
            expand=expand,
            lookup=lookup,
            homonyms=homonyms,
            newly_right=newly_right,
            extended=extended,
            judges=judges,
            completeness=completeness,
            audit=audit,
        )
