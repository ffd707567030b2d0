"""Options of retrievers and of language models, which several commands share.

Options that belong to one system have no default here: those that are given are passed to the systems by
name, and each system's own record checks them and has the defaults.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from rollcall.cli.options import Split as Split
from rollcall.english.counting import counted

if TYPE_CHECKING:
    from rollcall.questions import Run

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
    from rollcall.configurable import written_options

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
