"""A folder of exercises: those of the training split, those of dev, and how they were made."""

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rollcall.errors import RollcallError, RollcallWarning
from rollcall.files import replacing_part
from rollcall.graph.layout import MANIFEST
from rollcall.nesting import UNREADABLE, why
from rollcall.questions.given import Questions, given_questions
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Question
from rollcall.settings import content_of
from rollcall.systems.asking import choose_questions
from rollcall.systems.context import Context
from rollcall.systems.opening import GivenRetriever, choose_retrievers, opened_retriever
from rollcall.systems.parts import share_options
from rollcall.systems.read.linking import Linker
from rollcall.systems.retrieve.oracle import Oracle
from rollcall.systems.train.exercise import (
    PARTS,
    Exercise,
    exercise_file,
    exercise_parts,
    read_exercises,
    write_exercises,
)
from rollcall.systems.train.making import make_exercises
from rollcall.systems.train.selection import Clusters, chosen, learnable, mixed
from rollcall.systems.train.trainable import Learner, Trainable

if TYPE_CHECKING:
    from rollcall.corpus import Corpus
    from rollcall.graph import Graph

ABOUT = "exercises.json"
_DEV = "dev"


class AboutExercises(msgspec.Struct, frozen=True):
    """How exercises were made."""

    name: str
    """The name of the set."""
    split: str
    k: int
    retriever: dict[str, Any]
    made_from: str
    """The hash of the questions and settings; other ones are made anew."""
    graph: str = ""
    """The hash of the graph whose entities the passages mention."""


class Teaching(msgspec.Struct, frozen=True, kw_only=True):
    """What exercises are made of; the arguments of `rollcall.train`."""

    questions: Questions | None
    corpus: "Corpus | Path | str | None"
    graph: "Graph | Path | str | None"
    """For systems that choose among the entities that passages mention."""
    retriever: GivenRetriever | None
    """None for systems that use no passages."""
    options: Mapping[str, object]
    k: int
    split: str
    dev: str | None
    limit: int | None
    clusters: Clusters | None
    others: Questions | None
    share: float
    index: Path | str | None
    learner: type[Learner] = Learner
    """The system that the exercises are for, with its options, if it completes them."""
    learning: msgspec.Struct | None = None


class ExerciseFolder:
    """Exercises on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def about(self) -> AboutExercises:
        file = self.path / ABOUT
        if not file.is_file():
            raise RollcallError(f"{self.path}: holds no exercises; make them with `rollcall train --prepare`")
        try:
            return msgspec.json.decode(file.read_bytes(), type=AboutExercises)
        except UNREADABLE as error:
            raise RollcallError(
                f"{file}: is damaged ({why(error)}); delete {self.path} to make it again"
            ) from None

    def read(self, part: str) -> list[Exercise]:
        """The exercises of a part; none if there is no such part."""
        file = exercise_file(self.path, part)
        return read_exercises(file) if file.exists() else []

    def fingerprint(self) -> str:
        """The hash of the exercises."""
        digests = (hashlib.sha256(one.read_bytes()).digest() for one in exercise_parts(self.path))
        return hashlib.sha256(b"".join(digests)).hexdigest()

    def make(self, teaching: Teaching, progress: bool | None, refusal: str | None = None) -> None:
        """Make the exercises, unless they are there already. With a refusal, which is then said, other
        exercises are not replaced.
        """
        if teaching.questions is None:
            raise RollcallError("training needs a question set, or exercises that were made of one")
        asking = choose_questions(teaching.questions, teaching.split)
        answered = [one for one in asking.chosen if one.answers or one.alternatives]
        learning = chosen(answered, teaching.limit, teaching.clusters)
        if not learning:
            raise RollcallError(f"no question of the split {teaching.split} has answers to learn from")
        dev = [one for one in asking.every if one.split == teaching.dev and one.answers]
        if teaching.dev is not None and not dev:
            _check_split(asking.every, teaching.dev, issubclass(teaching.learner, Trainable))
        others: list[Question] = []
        if teaching.others is not None:
            others = _others(teaching, teaching.others, learning, dev)
        searching = choose_retrievers(teaching.retriever) if teaching.retriever is not None else []
        share_options(teaching.options, searching)
        with Context(
            [*learning, *dev, *others],
            corpus=teaching.corpus,
            graph=teaching.graph,
            retriever=(lambda context: opened_retriever(searching, context)) if searching else None,
            index=teaching.index,
            k=teaching.k,
            progress=progress,
        ) as context:
            for one in searching:
                one.check(context)
            retriever = context.retriever if searching else None
            about = AboutExercises(
                _name(teaching.questions),
                teaching.split,
                teaching.k,
                msgspec.to_builtins(retriever.settings()) if retriever is not None else {},
                "",
                content_of(context.graph.folder, MANIFEST) if context.has("graph") else "",
            )
            made_from = _hash(about, {"train": [*learning, *others], "dev": dev}, teaching.learning)
            if (self.path / ABOUT).is_file():
                if self.about().made_from == made_from:
                    return
                if refusal is not None:
                    raise RollcallError(refusal)
            (self.path / ABOUT).unlink(missing_ok=True)  # after a kill, new exercises are not taken for old
            gold = _gold(context) if retriever is not None else None
            linker = _linker(context) if retriever is not None and context.has("graph") else None
            for part, questions in (("train", [*learning, *others]), ("dev", dev)):
                made = make_exercises(questions, retriever, gold, teaching.k, linker, progress)
                if teaching.learning is not None:
                    exercises = teaching.learner.completed(made, questions, teaching.learning, context)
                else:
                    exercises = made
                write_exercises(exercise_file(self.path, part), exercises)
        with replacing_part(self.path / ABOUT) as partial:
            partial.write_bytes(msgspec.json.encode(msgspec.structs.replace(about, made_from=made_from)))


def exercise_files(folder: Path) -> set[str]:
    """The files of a folder of exercises, which may be replaced with it."""
    if not (folder / ABOUT).is_file():
        return set()
    return {ABOUT, *(exercise_file(folder, part).name for part in PARTS)}


def _others(
    teaching: Teaching, given: Questions, learning: Sequence[Question], dev: Sequence[Question]
) -> list[Question]:
    """What is learned of the other set: nothing that is evaluated on, and nothing twice."""
    where = str(given) if isinstance(given, Path | str) else "the other questions"
    every = list(given_questions(given, "the other questions"))
    return mixed(learning, learnable(every, teaching.split, [*learning, *dev], where), teaching.share)


def _gold(context: Context) -> Oracle | None:
    """The passages of the evidence, if the questions have any."""
    if not any(answer.evidence for question in context.questions for answer in question.answers):
        return None
    return Oracle(context.questions, context.indexes, context.progress)


def _linker(context: Context) -> Linker:
    """Finds the mentions of the graph's entities in passages."""
    from rollcall.systems.read.name_finder import NameFinder

    return Linker(context.graph, NameFinder(context.graph), context.store.entity)


def _name(questions: Questions) -> str:
    return Path(questions).name if isinstance(questions, Path | str) else ""


def _hash(
    about: AboutExercises, questions: Mapping[str, Sequence[Question]], learning: msgspec.Struct | None
) -> str:
    decisive = [about, questions] if learning is None else [about, questions, learning]
    return hashlib.sha256(msgspec.json.encode(decisive, order="sorted")).hexdigest()[:16]


def _check_split(questions: Sequence[Question], dev: str, evaluated: bool) -> None:
    """Refuse a split that is misspelt; a set without the usual one may be learned from."""
    if dev != _DEV:
        QuestionSet(questions).of_splits(dev)
    if not evaluated:
        return
    told = f"no question of the split {dev} has answers, so nothing decides which weights are best"
    warnings.warn(RollcallWarning(told), stacklevel=4)
