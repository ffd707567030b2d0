"""Systems by name: from what a user writes on the command line to a retriever and a reader."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from rollcall.corpus.corpus import Corpus
from rollcall.errors import RollcallError
from rollcall.graph.graph import Graph
from rollcall.questions.record import Question
from rollcall.systems.interfaces import Reader, Retriever
from rollcall.systems.retrieve.index_folder import IndexFolder

if TYPE_CHECKING:
    from rollcall.llm.client import Client

RETRIEVERS = ("bm25", "dense", "hybrid", "oracle")
READERS = ("mentions", "all-candidates", "llm")
Way = Literal["passages", "each", "closed-book", "closed"]


class RetrieverOptions(msgspec.Struct, frozen=True):
    """The parameters of all retrievers; each takes its own."""

    k1: float = 1.2
    b: float = 0.75
    encoder: str | None = None
    passage_encoder: str | None = None
    pooling: Literal["auto", "mean", "cls"] = "auto"
    faiss_index: str = "Flat"
    sample: int | None = None
    index: Path | None = None


def open_retriever(
    name: str,
    corpus: Corpus,
    questions: Sequence[Question] = (),
    options: RetrieverOptions | None = None,
    progress: bool | None = None,
) -> Retriever:
    """A retriever by name: one of `RETRIEVERS`, or two joined by a plus sign, as in `bm25+dense`.

    `hybrid` is short for `bm25+dense`; only `oracle` looks at `questions`.
    """
    options = options or RetrieverOptions()
    indexes = IndexFolder(corpus, options.index)
    parts = "bm25+dense" if name == "hybrid" else name
    names = [part.strip() for part in parts.split("+")]
    if options.sample is not None and "dense" not in names:
        raise RollcallError(f"a sample of the passages is for dense alone, and {name} has no such part")
    opened = [_one(part, indexes, questions, options, progress) for part in names]
    if len(opened) == 1:
        return opened[0]
    from rollcall.systems.retrieve.fusion import Hybrid

    return Hybrid(*opened)


def _one(
    name: str,
    indexes: IndexFolder,
    questions: Sequence[Question],
    options: RetrieverOptions,
    progress: bool | None,
) -> Retriever:
    if name == "bm25":
        from rollcall.systems.retrieve.bm25 import Bm25

        return Bm25(indexes, k1=options.k1, b=options.b, progress=progress)
    if name == "dense":
        from rollcall.systems.retrieve.dense import Dense

        return Dense(
            indexes,
            model=options.encoder,
            passage_model=options.passage_encoder,
            pooling=options.pooling,
            faiss_index=options.faiss_index,
            sample=options.sample,
            progress=progress,
        )
    if name == "oracle":
        from rollcall.systems.retrieve.oracle import Oracle

        if not any(answer.evidence for question in questions for answer in question.answers):
            raise RollcallError("oracle gives the gold evidence, and this set has none")
        return Oracle(questions, indexes, progress)
    raise RollcallError(f"{name!r} is no retriever; use {', '.join(RETRIEVERS)}, or two as in bm25+dense")


def open_mentions(
    graph: Graph, retriever: Retriever, questions: Sequence[Question], k: int, *, tune: bool = True
) -> Reader:
    """The reader `mentions`, fitted to the set's training split where it has one."""
    from rollcall.systems.read import tuning
    from rollcall.systems.read.mentions import Mentions

    reader = Mentions(graph, getattr(retriever, "store", None))
    training = tuning.training_questions(questions) if tune else []
    if training:
        tuning.tune(reader, retriever, training, k)
        reader.name = "mentions, tuned"
    return reader


def open_language_model(
    client: "Client", model: str, way: Way, shots: Sequence[Question], options: dict[str, Any]
) -> Reader:
    """The reader `llm`; `closed` says yes or no to candidates, the others give lists."""
    if way == "closed":
        from rollcall.systems.read.yes_no import YesNo

        return YesNo(client, model, shots=shots, **options)
    from rollcall.systems.read.language_model import LanguageModel

    return LanguageModel(client, model, way=way, shots=shots, **options)
