"""The options of `run` and `train`, for Python and the command line."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from rollcall._core.options import PYTHON_ONLY, NamedValues, OnCommandLine, Options
from rollcall.score.options import SplitOptions

if TYPE_CHECKING:
    from rollcall.corpus import Corpus
    from rollcall.graph import Graph
    from rollcall.llm import Client
    from rollcall.questions.given import Questions
    from rollcall.systems.opening import GivenCheck, GivenRetriever

Clusters = Literal["few", "many"]


class RunOptions(SplitOptions, frozen=True, kw_only=True):
    """The options of `run`."""

    out: Annotated[Path | str | None, PYTHON_ONLY] = None
    """The run to write, or to continue; without it, nothing is written."""
    corpus: Annotated[
        "Corpus | Path | str | None", OnCommandLine(Path, ("--corpus", "-c"), metavar="DIR", after="")
    ] = None
    """A folder made by `rollcall corpus`; closed-book needs none."""
    graph: Annotated["Graph | Path | str | None", OnCommandLine(Path, ("--graph", "-g"), metavar="DIR")] = (
        None
    )
    """A folder made by `rollcall graph`, for systems that choose among its entities."""
    retriever: Annotated["GivenRetriever | None", OnCommandLine(str)] = "bm25"
    """bm25, learned, dense, hybrid, oracle, your own as module:name, or several: bm25+learned."""
    k: Annotated[int, OnCommandLine(least=1)] = 100
    """Number of passages retrieved for each question."""
    check: Annotated["GivenCheck | None", OnCommandLine(str, ("--verify",), default="no")] = None
    """Drop answers that further passages do not support: no, words, reader, or model."""
    options: Annotated[NamedValues, OnCommandLine(list[str], ("--option",), metavar="NAME=VALUE")] = None
    """An option of any part of the system, as `rollcall plugins NAME` lists them; may be repeated."""
    keep_passages: bool = False
    """Write the passages too."""
    timed: Annotated[bool, OnCommandLine(names=("--time",))] = False
    """Write how long each question took."""
    limit: Annotated[int | None, OnCommandLine(least=1, after="split")] = None
    """Only this number of first questions."""
    client: Annotated["Client | str | None", PYTHON_ONLY] = None
    """A client of a language model, or the address of its server."""
    model: Annotated[str | None, PYTHON_ONLY] = None
    """The name of the language model there."""
    index: Annotated[Path | str | None, PYTHON_ONLY] = None
    """The folder of the indexes; by default beside the corpus."""
    progress: Annotated[bool | None, PYTHON_ONLY] = None
    """Whether progress is shown; by default, on a terminal."""


class TrainOptions(Options, frozen=True, kw_only=True):
    """The options of `train`."""

    corpus: Annotated[
        "Corpus | Path | str | None", OnCommandLine(Path, ("--corpus", "-c"), metavar="DIR")
    ] = None
    """A folder made by `rollcall corpus`."""
    graph: Annotated["Graph | Path | str | None", OnCommandLine(Path, ("--graph", "-g"), metavar="DIR")] = (
        None
    )
    """A folder made by `rollcall graph`, for systems that choose among its entities."""
    base: Annotated[str | None, OnCommandLine(shown="the system's own")] = None
    """The checkpoint to start from, by name or path."""
    retriever: Annotated["GivenRetriever | None", OnCommandLine(str, shown="bm25")] = None
    """bm25, learned, dense, hybrid, oracle, your own as module:name, or several: bm25+learned."""
    k: Annotated[int | None, OnCommandLine(least=1, shown="100")] = None
    """Number of passages for each question."""
    split: Annotated[str | None, OnCommandLine(shown="train")] = None
    """The split to learn from."""
    dev: str | None = "dev"
    """The split that decides which weights are best."""
    limit: Annotated[int | None, OnCommandLine(least=1)] = None
    """Learn from this number of questions."""
    clusters: Clusters | None = None
    """Take them from few clusters of related questions, or from many."""
    others: Annotated["Questions | None", OnCommandLine(Path)] = None
    """Another set to learn from, such as single-answer questions: its questions of --split, or all if it has
    no splits."""
    share: Annotated[float | None, OnCommandLine(shown="0.5, with --others")] = None
    """The share of the other set among all questions."""
    preset: str | None = None
    """The options of a publication, by name."""
    options: Annotated[NamedValues, OnCommandLine(list[str], ("--option",), metavar="NAME=VALUE")] = None
    """An option of any part of the system, as `rollcall plugins NAME` lists them; may be repeated."""
    prepare: bool = False
    """Only make the training examples: questions with retrieved and labelled passages."""
    exercises: Annotated[Path | str | Sequence[Path | str] | None, OnCommandLine(list[Path])] = None
    """Training examples made by --prepare, in place of a set and what they were made with; may be given
    several times."""
    index: Annotated[Path | str | None, PYTHON_ONLY] = None
    """The folder of the indexes; by default beside the corpus."""
    progress: Annotated[bool | None, PYTHON_ONLY] = None
    """Whether progress is shown; by default, on a terminal."""
