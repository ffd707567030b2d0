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

from rollcall.errors import RollcallError, RollcallWarning
from rollcall.questions.run import Passage
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Answers, Asked, Reader
from rollcall.systems.parts import choose, share_options
from rollcall.systems.read import READERS
from rollcall.systems.read.combined.looks import Looks
from rollcall.systems.read.combined.search import Search
from rollcall.systems.read.combined.statement_weights import NO_STATEMENTS, Statements
from rollcall.systems.read.combined.weighing import Weighing
from rollcall.systems.read.passage_reader import PassageReader
from rollcall.systems.retrieve.bm25 import Bm25
from rollcall.systems.train.model_folder import About, check_unseen, read_about, seen_hash

SYSTEM, PARTS = "rollcall", "parts"
FURTHER = 60
_SAME_SET = 0.1
"""With a greater share of known questions, a set is one that the packaged trees were fitted to."""


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


@READERS.register("rollcall")
class RollcallReader(Reader):
    """Weighs the entities that the passages name, by boosted trees over features and the scores of models."""

    name = "rollcall"
    Options = RollcallOptions
    needs = ("passages", "graph")
    together = 32

    def __init__(
        self, model: str, about: About, weighing: Weighing, looks: Looks, options: RollcallOptions
    ) -> None:
        self._model, self.weights = model, about.version
        self._about, self._weighing, self._looks = about, weighing, looks
        # The packaged trees know no names, and questions about other graphs may have the same words.
        self._packaged = options.model is None
        self.seen, self.further = options.seen, options.further
        self._costs: dict[str, dict[str, int]] = {}

    @classmethod
    def open(cls, options: RollcallOptions, context: Context) -> "RollcallReader":
        model = Path(options.model) if options.model is not None else packaged_reader()
        about = read_about(model, SYSTEM)
        folder = model / PARTS
        names = sorted(one.name for one in folder.iterdir()) if folder.is_dir() else []
        kept = Path(options.scores) if options.scores is not None else None
        parts = {name: open_part(name, folder / name, context, kept) for name in names}
        store = context.store if context.has("corpus") else None
        search = open_search(context, options.further)
        weighing = Weighing(context.graph, store, parts, Statements.open(model), search)
        if options.model is None:
            _warn_of_training(about, context)
        return cls(str(model), about, weighing, Looks.open(model), options)

    def check_questions(self, questions: Sequence[Asked]) -> None:
        check_unseen(self._model, self._about, questions, self.seen or self._packaged)

    def read_many(self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]) -> list[Answers]:
        self.check_questions(questions)
        firsts = self._weighing.first(questions, passages, self._looks.things)
        for question, first in zip(questions, firsts, strict=True):
            self._costs[question.id] = {
                "passages": len(first.more.passages),
                "retrievals": first.more.retrievals,
            }
        return [
            self._weighing.choose(question, first, self._looks.chances(self._weighing, question, first))
            for question, first in zip(questions, firsts, strict=True)
        ]

    def cost_of(self, question: str) -> dict[str, int]:
        return self._costs.pop(question, {})

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        return self.read_many([question], [passages])[0]


def _warn_of_training(about: About, context: Context) -> None:
    """Warn if a set looks like one that the packaged trees were fitted to."""
    seen = set(about.trained_on.seen)
    count = sum(seen_hash(one.question) in seen for one in context.questions)
    if count > _SAME_SET * len(context.questions):
        told = f"the packaged trees of the reader rollcall were fitted to {count:,} of this set's questions"
        warnings.warn(RollcallWarning(told), stacklevel=3)


def open_search(context: Context, each: int = FURTHER) -> Search | None:
    """Seeks further passages in the corpus of a context, if it has one."""
    if not each or not context.has("corpus"):
        return None
    return Search(Bm25(context.indexes, progress=context.progress), each)


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
    given: dict[str, object] = {"model": str(folder), "seen": True}
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        given["scores"] = str(kept / f"{name}.jsonl")
    share_options(given, [part])
    opened = part.open(context)
    if not isinstance(opened, PassageReader):
        raise RollcallError(f"{name} scores no single passages, so it is no part of the reader rollcall")
    return opened
