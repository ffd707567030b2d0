"""`rollcall audit`: how true and how complete a question set is."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rollcall._core.errors import RollcallError
from rollcall._core.workers import collection_paused
from rollcall.cli import options
from rollcall.cli import system_options as asking
from rollcall.cli.options import reporting, writing

if TYPE_CHECKING:
    from rollcall.audit import Audit
    from rollcall.questions.judgment import Judgment

_COMPLETE = "How complete"
JUDGMENTS = "judgments.jsonl"


@writing(
    "out",
    "extended",
    *options.REPORT_OPTIONS,
    reads=["graph", "corpus", "closed_book", "one_passage", "runs"],
    asks=["questions"],
)
@collection_paused()
@reporting
def audit(
    questions: asking.Set,
    runs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[RUN...]", help="Runs of systems, a source of answers.", show_default=False),
    ] = None,
    graph: options.SourceGraph = None,
    corpus: Annotated[
        Path | None,
        typer.Option(
            "--corpus", "-c", metavar="DIR", help="The corpus its evidence is from.", show_default=False
        ),
    ] = None,
    closed_book: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="A run of a system that saw no text.", show_default=False),
    ] = None,
    one_passage: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="A run of a system that saw one passage.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            help="Write index.html, audit.json, quality.json, completeness.json and candidates.jsonl here.",
            show_default=False,
        ),
    ] = None,
    checks: Annotated[
        str | None,
        typer.Option(
            help="Only these checks, separated by commas; `rollcall plugins` lists them, or module:name.",
            show_default="all",
        ),
    ] = None,
    fail_above: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CHECK=SHARE",
            help="Fail if a check finds a larger share: leaked-wordings=0.01; may be repeated.",
            show_default=False,
        ),
    ] = None,
    examples: Annotated[int, typer.Option(min=0, help="Examples of each sort of fault that are kept.")] = 5,
    verifier: Annotated[
        str | None,
        typer.Option(
            help="Ask this verifier about evidence, instead of taking the stored scores.", show_default=False
        ),
    ] = None,
    verified: Annotated[
        int,
        typer.Option(min=1, help="How many pieces of evidence the verifier is asked about, drawn at random."),
    ] = 1000,
    completeness: Annotated[
        bool | None,
        typer.Option(
            "--completeness/--no-completeness",
            help="Estimate how complete the answers are, and find candidates for missing ones.",
            show_default="with a graph and a corpus, or runs",
            rich_help_panel=_COMPLETE,
        ),
    ] = None,
    candidates: Annotated[
        int,
        typer.Option(min=0, help="The most candidates for missing answers.", rich_help_panel=_COMPLETE),
    ] = 500,
    judgments: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Judgments of answers that the gold lacks.",
            show_default=f"{JUDGMENTS} in --out, if it is there",
            rich_help_panel=_COMPLETE,
        ),
    ] = None,
    extended: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write the set with the answers that were judged right as extended answers.",
            show_default=False,
            rich_help_panel=_COMPLETE,
        ),
    ] = None,
    plan: Annotated[
        float | None,
        typer.Option(
            metavar="WIDTH",
            help="Say how many errors of the runs must be judged, for an interval of F1 of this width.",
            show_default=False,
            rich_help_panel=_COMPLETE,
        ),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="A language model that judges the candidates.",
            show_default=False,
            rich_help_panel=asking.ASKING,
        ),
    ] = None,
    base_url: asking.BaseUrl = None,
    cache: asking.Cache = None,
    concurrency: asking.Concurrency = 8,
    per_minute: asking.PerMinute = None,
    timeout: asking.Timeout = 120.0,
    budget_tokens: asking.BudgetTokens = None,
    budget_money: asking.BudgetMoney = None,
    price: asking.Price = None,
    option: asking.Option = None,
    split: options.Split = None,
    answers: options.Answers = None,
    file_format: options.Format = None,
) -> "tuple[Audit, list[str]]":
    """Look for what is wrong, doubtful or lopsided in a question set, built or imported.

    With --graph, answers are compared with the denotations of their queries; with --corpus, evidence with the
    text. With both, or with runs, it is estimated which share of all right answers the set has, and
    candidates for missing ones are listed, to be judged by people (to_judge.jsonl, filled in as
    judgments.jsonl) or by --judge. Exits with 2 if a check finds more than --fail-above allows, after
    everything was printed and written.
    """
    from rollcall._core.console import remark
    from rollcall.audit.verbs import audit as make_audit
    from rollcall.llm.opening import AskingLimits, opened_client

    if option and verifier is None:
        raise RollcallError("--option is for the verifier; name one with --verifier")
    if (judge is None) != (base_url is None):
        raise RollcallError("--judge MODEL and --base-url ADDRESS go together")
    if extended is not None and judgments is None and judge is None and out is None:
        raise RollcallError("--extended: give the judgments it rests on, as --judgments FILE")
    known = _judgments(judgments, out)
    limits = AskingLimits(concurrency, per_minute, timeout, budget_tokens, budget_money, price)
    kept = cache or (None if out is None else out.with_name(f"{out.name}.cache"))
    with opened_client(base_url, limits, cache=kept) as client:
        made = make_audit(
            questions,
            graph=graph,
            corpus=corpus,
            closed_book=closed_book,
            one_passage=one_passage,
            runs=runs or (),
            completeness=completeness,
            judgments=known,
            candidates=candidates,
            judge=None if client is None or judge is None else (client, judge),
            plan=plan,
            checks=None if checks is None else options.listed(checks),
            fail_above=dict(map(_threshold, fail_above or ())),
            examples=examples,
            verifier=verifier,
            verifier_options=asking.given_options(option, {}),
            verified=verified,
            split=split,
            out=out,
            answers=answers,
            file_format=file_format,
        )
        if client is not None:
            remark(f"language model: {client.spending}", error=True)
    remarks = []
    if out is not None:
        remarks.append(f"wrote {out}: open {out / 'index.html'} in a browser")
    if extended is not None:
        _write_extended(questions, made, known, graph, extended)
        remarks.append(f"wrote {extended}: `rollcall score {extended} RUN` shows figures with and without")
    return made, remarks


def _judgments(given: Path | None, out: Path | None) -> list["Judgment"]:
    """The judgments of a file that is named, or of an earlier audit in the same folder."""
    from rollcall.questions.judgment import read_judgments

    if given is None and out is not None and (out / JUDGMENTS).is_file():
        given = out / JUDGMENTS
    return [] if given is None else read_judgments(given)


def _write_extended(
    questions: Path, made: "Audit", known: list["Judgment"], graph: Path | None, out: Path
) -> None:
    from contextlib import nullcontext

    from rollcall.audit.missing import accept
    from rollcall.graph import Graph
    from rollcall.questions.given import given_questions

    found = made.lacking
    judged = [*known, *(found.judged if found is not None else [])]
    candidates = found.missing if found is not None else []
    with nullcontext(None) if graph is None else Graph.open(graph) as opened:
        accept(given_questions(questions), judged, candidates=candidates, graph=opened).save(out)


def _threshold(given: str) -> tuple[str, float]:
    name, separator, share = given.rpartition("=")
    try:
        return name.strip(), float(share if separator else "")
    except ValueError:
        raise RollcallError(
            f"--fail-above {given}: write check=share, such as leaked-wordings=0.01"
        ) from None
