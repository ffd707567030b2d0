"""Options of retrievers and of language models, which several commands share.

Options that belong to one system have no default here: those that are given are passed to the systems by
name, and each system's own record checks them and has the defaults.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import typer
from msgspec.structs import replace

from rollcall._core.errors import RollcallError
from rollcall._core.options import NamedValues, OnCommandLine, Options, named_values
from rollcall.llm.opening import AskingOptions
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.llm import Client
    from rollcall.questions import Run
    from rollcall.score import Judge


Set = Annotated[
    Path,
    typer.Argument(metavar="SET", help="A question set's folder, or a published file.", show_default=False),
]
CorpusFolder = Annotated[
    Path, typer.Option("--corpus", "-c", metavar="DIR", help="A folder made by `rollcall corpus`.")
]
Option = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="An option of any part of the system, as `rollcall plugins NAME` lists them; may be repeated.",
        show_default=False,
    ),
]
Limit = Annotated[int | None, typer.Option(min=1, help="Only this number of first questions.")]


class RetrieverOptions(Options, frozen=True, kw_only=True):
    """The options of the retrievers that come with Rollcall; each retriever's own record has the defaults."""

    panel: ClassVar = "Retriever"

    k1: Annotated[float | None, OnCommandLine(names=("--k1",), shown="1.2")] = None
    """bm25: how soon repeats of a word stop counting."""
    b: Annotated[float | None, OnCommandLine(names=("--b",), shown="0.75")] = None
    """bm25: how much long passages are penalised."""
    encoder: Annotated[str | None, OnCommandLine(shown="MiniLM")] = None
    """dense: a sentence-transformers or Hugging Face model."""
    passage_encoder: str | None = None
    """dense: another model for passages, as in DPR."""
    pooling: Annotated[Literal["auto", "mean", "cls"] | None, OnCommandLine(shown="auto")] = None
    """dense: how words become one vector; auto for sentence-transformers."""
    faiss: Annotated[str | None, OnCommandLine(shown="Flat")] = None
    """dense: a factory string of FAISS, such as IVF4096,SQ8."""
    sample: Annotated[int | None, OnCommandLine(least=1)] = None
    """dense: encode only this many passages."""


Index = Annotated[
    Path | None,
    typer.Option(
        help="The folder of the indexes.",
        show_default="CORPUS.index",
        rich_help_panel=RetrieverOptions.panel,
    ),
]


class ModelOptions(AskingOptions, frozen=True, kw_only=True):
    """Which language model is asked."""

    model: Annotated[str | None, OnCommandLine(after="base_url")] = None
    """Name of the model."""
    max_tokens: Annotated[int | None, OnCommandLine(least=1, shown="1024", after="timeout")] = None
    """Most tokens of a reply."""
    cache: Annotated[Path | None, OnCommandLine(shown="OUT.cache", after="price")] = None
    """File that stores the replies."""


def given_options(written: NamedValues, *named: Mapping[str, object]) -> dict[str, object]:
    """The options that were given, by name; `--option` takes precedence over the others."""
    given = {name: value for options in named for name, value in options.items() if value is not None}
    return {**given, **named_values(written)}


def made_by(run: "Run") -> str:
    """How many questions were answered, and by which system."""
    reader, retriever = (run.settings[part] for part in ("reader", "retriever"))
    names = [
        part.get("name") or str(part["class"]).rpartition(".")[2]
        for part in (reader, retriever)
        if part is not None
    ]
    return f"{counted(len(run), 'question')} by {' over '.join(names)}"


def scoring_command(questions: Path, out: Path, split: str | Sequence[str] | None, limit: int | None) -> str:
    """The command that scores a run on the questions it was asked."""
    chosen = "".join(f" --split {name}" for name in ([split] if isinstance(split, str) else split or ()))
    return f"rollcall score {questions} {out}{chosen}" + (" --missing skip" if limit is not None else "")


def ingest_settings(written: NamedValues, shorthands: Mapping[str, object]) -> dict[str, object]:
    """The options of sources: those with an option of their own in this command, if given, and all others."""
    return {**{name: value for name, value in shorthands.items() if value}, **named_values(written)}


# The options of judges: language models for profiles that ask one.


class Judging(AskingOptions, frozen=True, kw_only=True):
    """Which language models judge."""

    judge: Annotated[list[str] | None, OnCommandLine(metavar="MODEL", after="")] = None
    """A model that judges, for profiles that ask one; MODEL@ADDRESS for another server. A second one shows
    how far they agree."""
    judge_prompts: Annotated[Path | None, OnCommandLine(metavar="FILE", after="base_url")] = None
    """YAML with other prompts by name, as the set's authors published them."""
    cache: Annotated[Path | None, OnCommandLine(shown="PRED.judged", after="price")] = None
    """File that stores the replies."""


@contextmanager
def opened_judges(judging: Judging, *, judged: Path) -> Iterator[list["Judge"]]:
    """The judges by name, with one client for each server; what they cost is said at the end.

    Replies are kept in `judging.cache`, or else beside the predictions that are judged.
    """
    from rollcall._core.console import remark
    from rollcall.llm.opening import check_no_limits, opened_client
    from rollcall.score.judging import Judge, read_prompts

    if not judging.judge:
        if any(given is not None for given in (judging.base_url, judging.judge_prompts, judging.cache)):
            raise RollcallError(
                "--base-url, --judge-prompts and --cache are for a model that judges: give --judge MODEL"
            )
        check_no_limits(judging, "--judge MODEL")
        yield []
        return
    wording = read_prompts(judging.judge_prompts) if judging.judge_prompts is not None else None
    kept = judging.cache or Path(f"{judged}.judged")
    clients: dict[str, Client] = {}
    with ExitStack() as opened:
        judges = []
        for name in judging.judge:
            model, _, other = name.partition("@http")
            address = f"http{other}" if other else judging.base_url
            if address is None:
                raise RollcallError(f"--judge {model}: give the address of its server as --base-url ADDRESS")
            if address not in clients:
                client = opened.enter_context(opened_client(replace(judging, base_url=address), cache=kept))
                assert client is not None
                clients[address] = client
            judges.append(Judge(clients[address], model, wording))
        try:
            yield judges
        finally:
            for address, client in clients.items():
                at = f" at {address}" if len(clients) > 1 else ""
                remark(f"language model{at}: {client.spending}", error=True)
