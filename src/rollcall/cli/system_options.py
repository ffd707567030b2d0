"""Options of retrievers and of language models, which several commands share."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from rollcall.cli.options import Split as Split

RETRIEVING, ASKING = "Retriever", "Language model"

Set = Annotated[
    Path,
    typer.Argument(metavar="SET", help="A question set's folder, or a published file.", show_default=False),
]
CorpusFolder = Annotated[Path, typer.Option("--corpus", help="A folder made by `rollcall corpus`.")]
Retriever = Annotated[
    str, typer.Option(help="bm25, dense, hybrid, oracle, or two joined by a plus sign: bm25+dense.")
]
Limit = Annotated[int | None, typer.Option(min=1, help="Only the first so many questions.")]
K1 = Annotated[
    float,
    typer.Option("--k1", help="bm25: how soon repeats of a word stop counting.", rich_help_panel=RETRIEVING),
]
B = Annotated[
    float, typer.Option("--b", help="bm25: how much long passages are held back.", rich_help_panel=RETRIEVING)
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
    Literal["auto", "mean", "cls"],
    typer.Option(
        help="dense: how words become one vector; auto for sentence-transformers.", rich_help_panel=RETRIEVING
    ),
]
FaissIndex = Annotated[
    str,
    typer.Option(
        "--faiss", help="dense: FAISS's factory string, as IVF4096,SQ8.", rich_help_panel=RETRIEVING
    ),
]
Sample = Annotated[
    int | None,
    typer.Option(
        min=1, help="dense: encode only so many passages.", show_default=False, rich_help_panel=RETRIEVING
    ),
]
Index = Annotated[
    Path | None,
    typer.Option(help="Where indexes are kept.", show_default="CORPUS.index", rich_help_panel=RETRIEVING),
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
Concurrency = Annotated[int, typer.Option(min=1, help="Requests at a time.", rich_help_panel=ASKING)]
PerMinute = Annotated[
    float | None,
    typer.Option(min=0.01, help="Requests a minute, at most.", show_default=False, rich_help_panel=ASKING),
]
Timeout = Annotated[float, typer.Option(min=0.1, help="Seconds to wait for a reply.", rich_help_panel=ASKING)]
BudgetTokens = Annotated[
    int | None,
    typer.Option(
        min=1, help="Stop before this start uses more tokens.", show_default=False, rich_help_panel=ASKING
    ),
]
BudgetMoney = Annotated[
    float | None,
    typer.Option(
        min=0.0, help="Stop before this start spends more.", show_default=False, rich_help_panel=ASKING
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
    Path | None, typer.Option(help="File of replies.", show_default="OUT.cache", rich_help_panel=ASKING)
]
MaxTokens = Annotated[int, typer.Option(min=1, help="Longest reply.", rich_help_panel=ASKING)]
