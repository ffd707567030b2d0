"""`rollcall`: possible answers from the names in passages, weighed by trees over features and model scores.

It reads text, and the names and classes of a graph; never its facts. `rollcall train rollcall` makes its
folder: the trees, and in `parts` a folder for each model whose scores they use. Without such a folder it uses
the trees of the package `rollcall-models`, which were fitted to worlds and to real tables, without models.
"""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from rollcall._core.errors import RollcallError, RollcallWarning
from rollcall._core.registry import content_of
from rollcall.graph.index import MANIFEST
from rollcall.questions.run import Passage
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Answers, Asked, Reader
from rollcall.systems.opening import choose, share_options
from rollcall.systems.read import READERS
from rollcall.systems.read.combined.looks import Looks, Weighing
from rollcall.systems.read.combined.nearness import Nearness, Search
from rollcall.systems.read.combined.statements import NO_STATEMENTS, Statements
from rollcall.systems.read.text_names import open_names
from rollcall.systems.read.trained_reader import PassageReader
from rollcall.systems.retrieve.bm25 import Bm25
from rollcall.systems.retrieve.learned import LearnedRetriever, is_encoded, is_packaged
from rollcall.systems.train.model_folder import ModelDescription, check_unseen, read_about, warn_of_training

SYSTEM, PARTS = "rollcall", "parts"
FURTHER, NEAREST = 60, 100
_ENCODED = 500_000
"""A corpus with more passages is encoded only on demand: it would take a quarter of an hour or more."""


class RollcallOptions(msgspec.Struct, frozen=True):
    """Which trained system is used."""

    model: str | None = None
    """The folder that `rollcall train rollcall` made; without it, the packaged trees, without models."""
    seen: bool = False
    """Answer questions, too, that it was trained on."""
    scores: str | None = None
    """A folder where the scores of its models are kept, so that they are computed once."""
    further: Annotated[int, msgspec.Meta(ge=0)] = FURTHER
    """Passages that BM25 seeks for each name of the question, where there is a corpus; 0 for none."""
    nearest: Annotated[int, msgspec.Meta(ge=0)] = NEAREST
    """Passages nearest to the question, by the retriever `learned`, where there is a corpus; 0 also leaves
    out how near passages are."""


@READERS.register("rollcall")
class RollcallReader(Reader):
    """Weighs the entities that the passages name, by boosted trees over features and the scores of models."""

    name = "rollcall"
    Options = RollcallOptions
    needs = ("passages", "names")
    together = 32

    def __init__(
        self, model: str, about: ModelDescription, weighing: Weighing, looks: Looks, options: RollcallOptions
    ) -> None:
        self._model, self.weights = model, about.version
        self._about, self._weighing, self._looks = about, weighing, looks
        self.graph_hash = content_of(weighing.graph.folder, MANIFEST)
        # The packaged trees know no names, and questions about other graphs may have the same words.
        self._packaged = options.model is None
        self.seen, self.further, self.nearest = options.seen, options.further, options.nearest
        self.encoder = weighing.near.weights if weighing.near is not None else None
        self._costs: dict[str, dict[str, int]] = {}

    @classmethod
    def open(cls, options: RollcallOptions, context: Context) -> "RollcallReader":
        model = Path(options.model) if options.model is not None else packaged_reader()
        about = read_about(model, SYSTEM)
        folder = model / PARTS
        names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
        kept = Path(options.scores) if options.scores is not None else None
        parts = {name: open_part(name, folder / name, context, kept) for name in names}
        graph, store = open_names(context)
        near = open_nearness(context, options.nearest)
        search = open_search(context, near, options.further)
        weighing = Weighing(graph, store, parts, Statements.open(model), search, near)
        if options.model is None:
            warn_of_training("the packaged trees of the reader rollcall were", about, context.questions)
        return cls(str(model), about, weighing, Looks.open(model), options)

    def check_questions(self, questions: Sequence[Asked]) -> None:
        check_unseen(self._model, self._about, questions, self.seen or self._packaged)

    def read_many(self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]) -> list[Answers]:
        self.check_questions(questions)
        firsts = self._weighing.first(questions, passages, self._looks.things)
        for question, first in zip(questions, firsts, strict=True):
            self._costs[question.id] = {
                "passages": len(first.further.passages),
                "retrievals": first.further.retrievals,
            }
        return [
            self._weighing.choose(question, first, self._looks.chances(self._weighing, question, first))
            for question, first in zip(questions, firsts, strict=True)
        ]

    def cost_of(self, question: str) -> dict[str, int]:
        return self._costs.pop(question, {})

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        return self.read_many([question], [passages])[0]


def open_nearness(context: Context, most: int = NEAREST) -> Nearness | None:
    """Finds `most` passages near a question in the corpus of a context, if it has one that is not too large.

    Without the package `rollcall-models` there is no encoder, so no passages are found.
    """
    if not most or not context.has("corpus") or not len(context.store):
        return None
    count, why = len(context.store), ""
    if not is_packaged():
        why = "there is no encoder: pip install rollcall-models (0.3 or later)"
    elif count > _ENCODED and not is_encoded(context.indexes):
        why = f"the corpus has {count:,} passages; `rollcall retrieve --retriever learned` encodes them"
    if why:
        message = f"the reader rollcall does not search for nearby passages, and finds fewer answers ({why})"
        warnings.warn(RollcallWarning(message), stacklevel=3)
        return None
    return Nearness(LearnedRetriever(context.indexes, context.progress), most)


def open_search(context: Context, near: Nearness | None, each: int = FURTHER) -> Search | None:
    """Seeks further passages in the corpus of a context, if it has one."""
    if not context.has("corpus") or not (each or near):
        return None
    retriever = Bm25(context.indexes, progress=context.progress) if each else None
    return Search(retriever, each, near)


def packaged_reader() -> Path:
    """The folder of the packaged trees."""
    try:
        from rollcall_models import reader_model
    except ImportError:
        raise RollcallError(
            "the reader rollcall needs trees: pip install rollcall-models, or train your own with"
            " `rollcall train rollcall` and give --option model=FOLDER"
        ) from None
    return Path(reader_model())


def packaged_statements() -> Statements:
    """The packaged weights of statements; without the package there are none."""
    try:
        return Statements.open(packaged_reader())
    except RollcallError:
        return NO_STATEMENTS


def open_part(name: str, folder: Path, context: Context, kept: Path | None) -> PassageReader:
    """A model that scores answers in single passages; its scores are kept in a file of this folder."""
    part = choose(READERS, name)
    options: dict[str, object] = {"model": str(folder), "seen": True}
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        options["scores"] = str(kept / f"{name}.jsonl")
    share_options(options, [part])
    opened = part.open(context)
    if not isinstance(opened, PassageReader):
        raise RollcallError(
            f"{name} does not score single passages, so it cannot be a part of the reader rollcall"
        )
    return opened
