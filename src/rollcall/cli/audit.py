"""`rollcall audit`: how true and how complete a question set is."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rollcall._core.errors import RollcallError
from rollcall._core.options import OnCommandLine
from rollcall._core.workers import collection_paused
from rollcall.audit.options import COMPLETE, AuditOptions
from rollcall.cli import system_options
from rollcall.cli.options import REPORT_OPTIONS, reporting, with_options, writing
from rollcall.llm.opening import AskingOptions

if TYPE_CHECKING:
    from rollcall.audit import Audit
    from rollcall.graph import Graph
    from rollcall.questions.judgment import Judgment

JUDGMENTS = "judgments.jsonl"


class AuditCommand(AuditOptions, frozen=True, kw_only=True):
    """The options of the command."""

    extended: Annotated[Path | None, OnCommandLine(metavar="DIR", panel=COMPLETE, after="judgments")] = None
    """Write the set with the answers that were judged right as extended answers."""
    option: Annotated[list[str] | None, OnCommandLine(metavar="NAME=VALUE", after="plan")] = None
    """An option of the verifier, as `rollcall plugins NAME` lists them; may be repeated."""


class CandidateJudge(AskingOptions, frozen=True, kw_only=True):
    """Which language model judges the candidates."""

    judge: Annotated[str | None, OnCommandLine(metavar="MODEL", after="")] = None
    """A language model that judges the candidates."""
    cache: Annotated[Path | None, OnCommandLine(shown="OUT.cache", after="base_url")] = None
    """File that stores the replies."""


@writing(
    "out",
    "extended",
    *REPORT_OPTIONS,
    reads=["graph", "corpus", "closed_book", "one_passage", "runs"],
    asks=["questions"],
)
@collection_paused()
@reporting
@with_options
def audit(
    questions: system_options.Set,
    runs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[RUN...]", help="Runs of systems, a source of answers.", show_default=False),
    ] = None,
    *,
    options: AuditCommand,
    judging: CandidateJudge,
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
    from rollcall.llm.opening import opened_client

    option, judge, extended = options.option, judging.judge, options.extended
    out = None if options.out is None else Path(options.out)
    if option and options.verifier is None:
        raise RollcallError("--option is for the verifier; name one with --verifier")
    if (judge is None) != (judging.base_url is None):
        raise RollcallError("--judge MODEL and --base-url ADDRESS go together")
    if extended is not None and not options.judgments and judge is None and out is None:
        raise RollcallError("--extended: give the judgments it rests on, as --judgments FILE")
    known = _judgments(options.judgments, out)
    kept = judging.cache or (None if out is None else out.with_name(f"{out.name}.cache"))
    with opened_client(judging, cache=kept) as client:
        result = make_audit(
            questions,
            options,
            runs=runs or (),
            judgments=known,
            judge=None if client is None or judge is None else (client, judge),
            verifier_options=system_options.given_options(option),
        )
        if client is not None:
            remark(f"language model: {client.spending}", error=True)
    remarks = []
    if out is not None:
        remarks.append(f"wrote {out}: open {out / 'index.html'} in a browser")
    if extended is not None:
        _write_extended(questions, result, known, options.graph, extended)
        remarks.append(f"wrote {extended}: `rollcall score {extended} RUN` shows figures with and without")
    return result, remarks


def _judgments(given: "Path | str | Iterable[Judgment]", out: Path | None) -> list["Judgment"]:
    """The judgments of a file that is named, or of an earlier audit in the same folder."""
    from rollcall.questions.judgment import read_judgments

    if not given and out is not None and (out / JUDGMENTS).is_file():
        given = out / JUDGMENTS
    return read_judgments(given) if isinstance(given, str | Path) else list(given)


def _write_extended(
    questions: Path,
    result: "Audit",
    known: list["Judgment"],
    graph: "Graph | Path | str | None",
    out: Path,
) -> None:
    from contextlib import nullcontext

    from rollcall.audit.missing import accept
    from rollcall.graph import Graph
    from rollcall.questions.given import given_questions

    lacking = result.lacking
    judged = [*known, *(lacking.judged if lacking is not None else [])]
    candidates = lacking.missing if lacking is not None else []
    with Graph.open(graph) if isinstance(graph, str | Path) else nullcontext(graph) as opened:
        accept(given_questions(questions), judged, candidates=candidates, graph=opened).save(out)
