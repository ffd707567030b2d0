"""The options of `audit`, for Python and the command line."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rollcall._core.options import PYTHON_ONLY, OnCommandLine
from rollcall.score.options import GoldOptions

if TYPE_CHECKING:
    from rollcall.corpus import Corpus
    from rollcall.evidence import Verifier
    from rollcall.graph import Graph
    from rollcall.llm import Client
    from rollcall.questions.given import Predictions
    from rollcall.questions.judgment import Judgment

COMPLETE = "How complete"


class AuditOptions(GoldOptions, frozen=True, kw_only=True):
    """The options of `audit`."""

    runs: Annotated["Sequence[Predictions]", PYTHON_ONLY] = ()
    """Runs of systems, a source of answers."""
    graph: Annotated[
        "Graph | Path | str | None",
        OnCommandLine(Path, names=("--graph", "-g"), metavar="DIR", after=""),
    ] = None
    """The graph the set was made from."""
    corpus: Annotated[
        "Corpus | Path | str | None", OnCommandLine(Path, names=("--corpus", "-c"), metavar="DIR")
    ] = None
    """The corpus its evidence is from."""
    closed_book: Annotated["Predictions | None", OnCommandLine(Path, metavar="RUN")] = None
    """A run of a system that saw no text."""
    one_passage: Annotated["Predictions | None", OnCommandLine(Path, metavar="RUN")] = None
    """A run of a system that saw one passage."""
    out: Annotated[Path | str | None, OnCommandLine(Path, names=("--out", "-o"), metavar="DIR")] = None
    """Write index.html, audit.json, quality.json, completeness.json and candidates.jsonl here."""
    checks: Annotated[str | Sequence[str] | None, OnCommandLine(str, shown="all")] = None
    """Only these checks, separated by commas; `rollcall plugins` lists them, or module:name."""
    fail_above: Annotated[
        Mapping[str, float] | Sequence[str], OnCommandLine(list[str], metavar="CHECK=SHARE")
    ] = ()
    """Fail if a check finds a larger share: leaked-wordings=0.01; may be repeated."""
    examples: Annotated[int, OnCommandLine(least=0)] = 5
    """Examples of each sort of fault that are kept."""
    verifier: Annotated["Verifier | str | None", OnCommandLine(str)] = None
    """Ask this verifier about evidence, instead of taking the stored scores."""
    verifier_options: Annotated[Mapping[str, object] | None, PYTHON_ONLY] = None
    """The options of a verifier that is given by name."""
    verified: Annotated[int, OnCommandLine(least=1)] = 1000
    """How many pieces of evidence the verifier is asked about, drawn at random."""
    completeness: Annotated[
        bool | None,
        OnCommandLine(
            names=("--completeness/--no-completeness",),
            shown="with a graph and a corpus, or runs",
            panel=COMPLETE,
        ),
    ] = None
    """Estimate how complete the answers are, and find candidates for missing ones."""
    candidates: Annotated[int, OnCommandLine(least=0, panel=COMPLETE)] = 500
    """The most candidates for missing answers."""
    judgments: Annotated[
        "Path | str | Iterable[Judgment]",
        OnCommandLine(Path, metavar="FILE", shown="judgments.jsonl in --out, if it is there", panel=COMPLETE),
    ] = ()
    """Judgments of answers that the gold lacks."""
    judge: Annotated["tuple[Client, str] | None", PYTHON_ONLY] = None
    """A client and the name of its model, which judges the candidates."""
    plan: Annotated[float | None, OnCommandLine(metavar="WIDTH", panel=COMPLETE)] = None
    """Say how many errors of the runs must be judged, for an interval of F1 of this width."""
    show_progress: Annotated[bool | None, PYTHON_ONLY] = None
    """Whether progress is shown; by default, on a terminal."""
