"""`rollcall compare`: several systems on the same questions, with tests of their differences."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from rollcall.cli import options, system_options
from rollcall.cli import system_options as asking
from rollcall.cli.options import reporting, writing

if TYPE_CHECKING:
    from rollcall.report import Rendered


@writing(*options.REPORT_OPTIONS, reads=["runs", "audit"], asks=["gold"])
@reporting
def compare(
    gold: options.Gold,
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Two or more runs of systems.", show_default=False)
    ],
    profile: options.Profile = "entity",
    measures: options.Measures = None,
    setting: options.Setting = "complete",
    test: Annotated[
        Literal["t", "bootstrap", "permutation"], typer.Option(help="The paired test that decides the marks.")
    ] = "permutation",
    correction: Annotated[
        Literal["holm", "bonferroni", "none"], typer.Option(help="Correction for the number of comparisons.")
    ] = "holm",
    level: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Differences with p below this level are marked.")
    ] = 0.05,
    by: options.By = None,
    split: options.Split = None,
    completeness: options.Completeness = None,
    audit: options.Audit = None,
    answers: options.Answers = None,
    file_format: options.Format = None,
    missing: options.Missing = "count",
    drop_empty: options.DropEmpty = False,
    neutral: options.Neutral = None,
    resamples: options.Resamples = None,
    confidence: options.Confidence = 0.95,
    seed: options.Seed = 0,
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
    """Compare runs: figures with intervals, and letters for the runs each one significantly beats."""
    from rollcall.llm.opening import AskingLimits
    from rollcall.score import verbs

    limits = AskingLimits(concurrency, per_minute, timeout, budget_tokens, budget_money, price)
    with system_options.opened_judges(
        judge, base_url, judge_prompts, limits, cache=cache, judged=runs[0]
    ) as judges:
        return verbs.compare(
            gold,
            runs,
            split=split,
            answers=answers,
            file_format=file_format,
            test=test,
            correction=correction,
            level=level,
            profile=profile,
            measures=measures,
            by=options.listed(by),
            setting=setting,
            missing=missing,
            drop_empty=drop_empty,
            neutral=neutral,
            resamples=resamples,
            confidence=confidence,
            seed=seed,
            judges=judges,
            completeness=completeness,
            audit=audit,
        )
