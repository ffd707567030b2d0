"""Options of retrievers and of language models, which several commands share.

Options that belong to one system have no default here: those that are given are passed to the systems by
name, and each system's own record checks them and has the defaults.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from rollcall._core.errors import RollcallError
from rollcall.cli.options import Split as Split
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.llm import Client
    from rollcall.llm.opening import AskingLimits
    from rollcall.questions import Run
    from rollcall.score import Judge


RETRIEVING, ASKING = "Retriever", "Language model"

Set = Annotated[
    Path,
    typer.Argument(metavar="SET", help="A question set's folder, or a published file.", show_default=False),
]
CorpusFolder = Annotated[
    Path, typer.Option("--corpus", "-c", metavar="DIR", help="A folder made by `rollcall corpus`.")
]
GraphFolder = Annotated[
    Path | None,
    typer.Option(
        "--graph",
        "-g",
        metavar="DIR",
        help="A folder made by `rollcall graph`, for systems that choose among its entities.",
        show_default=False,
    ),
]
RETRIEVER_HELP = "bm25, learned, dense, hybrid, oracle, your own as module:name, or several: bm25+learned."
Retriever = Annotated[str, typer.Option(help=RETRIEVER_HELP)]
Option = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="An option of any part of the system, as `rollcall plugins NAME` lists them; may be repeated.",
        show_default=False,
    ),
]
Limit = Annotated[int | None, typer.Option(min=1, help="Only this number of first questions.")]
K1 = Annotated[
    float | None,
    typer.Option(
        "--k1",
        help="bm25: how soon repeats of a word stop counting.",
        show_default="1.2",
        rich_help_panel=RETRIEVING,
    ),
]
B = Annotated[
    float | None,
    typer.Option(
        "--b",
        help="bm25: how much long passages are penalised.",
        show_default="0.75",
        rich_help_panel=RETRIEVING,
    ),
]
Encoder = Annotated[
    str | None,
    typer.Option(
        help="dense: a sentence-transformers or Hugging Face model.",
        show_default="MiniLM",
        rich_help_panel=RETRIEVING,
    ),
]
PassageEncoder = Annotated[
    str | None,
    typer.Option(
        help="dense: another model for passages, as in DPR.", show_default=False, rich_help_panel=RETRIEVING
    ),
]
Pooling = Annotated[
    Literal["auto", "mean", "cls"] | None,
    typer.Option(
        help="dense: how words become one vector; auto for sentence-transformers.",
        show_default="auto",
        rich_help_panel=RETRIEVING,
    ),
]
FaissIndex = Annotated[
    str | None,
    typer.Option(
        "--faiss",
        help="dense: a factory string of FAISS, such as IVF4096,SQ8.",
        show_default="Flat",
        rich_help_panel=RETRIEVING,
    ),
]
Sample = Annotated[
    int | None,
    typer.Option(
        min=1, help="dense: encode only this many passages.", show_default=False, rich_help_panel=RETRIEVING
    ),
]
Index = Annotated[
    Path | None,
    typer.Option(help="The folder of the indexes.", show_default="CORPUS.index", rich_help_panel=RETRIEVING),
]
BaseUrl = Annotated[
    str | None,
    typer.Option(
        help="Address of an OpenAI-compatible server; the key comes from ROLLCALL_API_KEY or OPENAI_API_KEY.",
        show_default=False,
        rich_help_panel=ASKING,
    ),
]
Model = Annotated[
    str | None, typer.Option(help="Name of the model.", show_default=False, rich_help_panel=ASKING)
]
Concurrency = Annotated[int, typer.Option(min=1, help="Requests at the same time.", rich_help_panel=ASKING)]
PerMinute = Annotated[
    float | None,
    typer.Option(min=0.01, help="The most requests per minute.", show_default=False, rich_help_panel=ASKING),
]
Timeout = Annotated[float, typer.Option(min=0.1, help="Seconds to wait for a reply.", rich_help_panel=ASKING)]
BudgetTokens = Annotated[
    int | None,
    typer.Option(
        min=1, help="Stop before this call uses more tokens.", show_default=False, rich_help_panel=ASKING
    ),
]
BudgetMoney = Annotated[
    float | None,
    typer.Option(
        min=0.0, help="Stop before this call spends more.", show_default=False, rich_help_panel=ASKING
    ),
]
Price = Annotated[
    str | None,
    typer.Option(
        metavar="PROMPT,COMPLETION",
        help="Price of a million tokens.",
        show_default=False,
        rich_help_panel=ASKING,
    ),
]
Cache = Annotated[
    Path | None,
    typer.Option(help="File that stores the replies.", show_default="OUT.cache", rich_help_panel=ASKING),
]
MaxTokens = Annotated[
    int | None,
    typer.Option(min=1, help="Most tokens of a reply.", show_default="1024", rich_help_panel=ASKING),
]


def retrieving(
    k1: float | None,
    b: float | None,
    encoder: str | None,
    passage_encoder: str | None,
    pooling: str | None,
    faiss: str | None,
    sample: int | None,
) -> dict[str, object]:
    """The options of retrievers by name."""
    return {
        "k1": k1,
        "b": b,
        "encoder": encoder,
        "passage_encoder": passage_encoder,
        "pooling": pooling,
        "faiss": faiss,
        "sample": sample,
    }


def given_options(written: list[str] | None, *named: Mapping[str, object]) -> dict[str, object]:
    """The options that were given, by name; `--option` takes precedence over the others."""
    from rollcall._core.registry import written_options

    given = {name: value for options in named for name, value in options.items() if value is not None}
    return {**given, **written_options(written or [])}


def made_by(run: "Run") -> str:
    """How many questions were answered, and by which system."""
    reader, retriever = (run.settings[part] for part in ("reader", "retriever"))
    names = [
        part.get("name") or str(part["class"]).rpartition(".")[2]
        for part in (reader, retriever)
        if part is not None
    ]
    return f"{counted(len(run), 'question')} by {' over '.join(names)}"


def scoring_command(questions: Path, out: Path, splits: list[str] | None, limit: int | None) -> str:
    """The command that scores a run on the questions it was asked."""
    chosen = "".join(f" --split {name}" for name in splits or ())
    return f"rollcall score {questions} {out}{chosen}" + (" --missing skip" if limit is not None else "")


# Where a command's work runs: options that all commands share which compute on whole tables.

_PANEL = "Where the work runs"

EngineName = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="duckdb (this machine), spark (a cluster) or sail (Spark's dialect without Java); the output is "
        "the same. `rollcall plugins --kind engines` lists them.",
        rich_help_panel=_PANEL,
    ),
]
Master = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Where the cluster is: spark://HOST:PORT, sc://HOST:PORT for Spark Connect, or local[2]. All "
        "machines must see the same paths.",
        rich_help_panel=_PANEL,
        show_default=False,
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        "--jobs",
        "-j",
        min=0,
        help="Number of processes on this machine; 0 for one per core.",
        rich_help_panel=_PANEL,
    ),
]
Memory = Annotated[
    str,
    typer.Option(
        help="Memory on this machine for sorting and joining; the rest goes to disk.", rich_help_panel=_PANEL
    ),
]


# Option types shared by the commands that read files.

_LIMITS = "Limits"

MaxBad = Annotated[
    float,
    typer.Option(
        min=0, max=1, help="Stop when more than this share of entries is bad.", rich_help_panel=_LIMITS
    ),
]
BlockBytes = Annotated[int, typer.Option(hidden=True)]
Format = Annotated[
    list[str] | None,
    typer.Option(
        "--format",
        "-f",
        metavar="NAME",
        help="The format of the files, if it should not be recognised: a source of `rollcall plugins`, or "
        "module:name. Given once for all files, or once for each.",
        show_default=False,
    ),
]
SourceOption = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="An option of the source.", show_default=False),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The encoding of the files, such as latin-1, cp1252 or utf-16.",
        show_default="UTF-8",
    ),
]
Force = Annotated[
    bool, typer.Option("--force", help="Replace what is in the output folder, even if it is of other files.")
]


def ingest_settings(pairs: Sequence[str] | None, shorthands: Mapping[str, object]) -> dict[str, object]:
    """The options of sources: those with an option of their own in this command, if given, and all others."""
    from rollcall._core.registry import written_options

    given = {name: value for name, value in shorthands.items() if value}
    return {**given, **written_options(pairs or ())}


# The options of judges: language models for profiles that ask one.

Judges = Annotated[
    list[str] | None,
    typer.Option(
        "--judge",
        metavar="MODEL",
        help="A model that judges, for profiles that ask one; MODEL@ADDRESS for another server. A second one "
        "shows how far they agree.",
        show_default=False,
        rich_help_panel=ASKING,
    ),
]
Prompts = Annotated[
    Path | None,
    typer.Option(
        "--judge-prompts",
        metavar="FILE",
        help="YAML with other prompts by name, as the set's authors published them.",
        show_default=False,
        rich_help_panel=ASKING,
    ),
]
JudgeCache = Annotated[
    Path | None,
    typer.Option(help="File that stores the replies.", show_default="PRED.judged", rich_help_panel=ASKING),
]


@contextmanager
def opened_judges(
    names: Sequence[str] | None,
    base_url: str | None,
    prompts: Path | None,
    limits: "AskingLimits",
    *,
    cache: Path | None,
    judged: Path,
) -> Iterator[list["Judge"]]:
    """The judges by name, with one client for each server; what they cost is said at the end.

    Replies are kept in `cache`, or else beside the predictions that are judged.
    """
    from rollcall._core.console import remark
    from rollcall.llm.opening import check_no_limits, opened_client
    from rollcall.score.judging import Judge, read_prompts

    if not names:
        if base_url is not None or prompts is not None or cache is not None:
            raise RollcallError(
                "--base-url, --judge-prompts and --cache are for a model that judges: give --judge MODEL"
            )
        check_no_limits(limits, "--judge MODEL")
        yield []
        return
    wording = read_prompts(prompts) if prompts is not None else None
    kept = cache or Path(f"{judged}.judged")
    clients: dict[str, Client] = {}
    with ExitStack() as opened:
        judges = []
        for name in names:
            model, _, other = name.partition("@http")
            address = f"http{other}" if other else base_url
            if address is None:
                raise RollcallError(f"--judge {model}: give the address of its server as --base-url ADDRESS")
            if address not in clients:
                client = opened.enter_context(opened_client(address, limits, cache=kept))
                assert client is not None
                clients[address] = client
            judges.append(Judge(clients[address], model, wording))
        try:
            yield judges
        finally:
            for address, client in clients.items():
                at = f" at {address}" if len(clients) > 1 else ""
                remark(f"language model{at}: {client.spending}", error=True)
