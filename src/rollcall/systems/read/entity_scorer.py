"""Readers that score the entities which passages mention, by a trained encoder.

The scores of single passages can be kept in a file, so that other readers can use them without the model.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar, Self, TypeAlias

from rollcall.errors import RollcallError
from rollcall.questions.run import EntityAnswer, Passage
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Answers, Asked
from rollcall.systems.read.kept_scores import Reading, ScoredAnswer
from rollcall.systems.read.linking import LinkedMention, Linker
from rollcall.systems.read.passage_reader import PassageReader
from rollcall.systems.read.trained_options import ScoringOptions
from rollcall.systems.train.entity_answers import EntitySettings, answers
from rollcall.systems.train.exercise import Exercise, exercise_parts, read_exercises
from rollcall.systems.train.model_folder import RefusesSeen, read_about
from rollcall.systems.train.passage_tokens import MentionReading

Mentions: TypeAlias = Callable[[Passage], Sequence[LinkedMention]]


class EntityScorerOptions(ScoringOptions, frozen=True):
    """A trained scorer of the entities that passages mention."""

    mentions: str | None = None
    """A folder of exercises whose passages have their mentions, in place of a graph."""


class EntityScorerReader(RefusesSeen, PassageReader):
    """A reader that scores the entities of single passages and combines the scores of all."""

    system: ClassVar[str]
    Options = EntityScorerOptions
    needs = ("passages", "graph")

    def __init__(
        self,
        options: ScoringOptions,
        mentions: Mentions,
        label: Callable[[str], str] = lambda entity: "",
    ) -> None:
        """`mentions` gives the linked mentions of a passage, and `label` the label of an entity."""
        self._model, self.seen = options.model, options.seen
        self._about = read_about(options.model, self.system)
        self.weights = self._about.version
        self._mentions, self._label = mentions, label
        self.trained = self.settings_of(Path(options.model))
        self.keep_scores(options.scores, self.weights)

    def settings_of(self, folder: Path) -> EntitySettings:
        """What the folder keeps beside the weights, which are loaded when there is something to score."""
        raise NotImplementedError

    def entity_scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        """For each reading the entities that are mentioned, with their probabilities."""
        raise NotImplementedError

    @classmethod
    def needed(cls, options: EntityScorerOptions) -> tuple[str, ...]:
        return cls.needs if options.mentions is None else ("passages",)

    @classmethod
    def open(cls, options: EntityScorerOptions, context: Context) -> Self:
        if options.mentions is not None:
            return cls(options, known_mentions(_exercises(Path(options.mentions))))
        from rollcall.systems.read.name_finder import NameFinder

        graph = context.graph
        entity_of = context.store.entity if context.has("corpus") else lambda id_: None
        return cls(options, Linker(graph, NameFinder(graph), entity_of).mentions, graph.label)

    @classmethod
    def for_exercises(cls, model: str, exercises: Sequence[Exercise]) -> Self:
        return cls(ScoringOptions(model, seen=True), known_mentions(exercises))

    def read_many(self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]) -> list[Answers]:
        self.check_questions(questions)
        return super().read_many(questions, passages)

    def score(self, readings: Sequence[Reading]) -> list[list[ScoredAnswer]]:
        if not readings:
            return []
        found = self.entity_scores(
            [
                MentionReading(
                    one.question.question, one.passage.title, one.passage.text, self._mentions(one.passage)
                )
                for one in readings
            ]
        )
        return [[ScoredAnswer(*pair) for pair in scores.items()] for scores in found]

    def combine(
        self, question: Asked, passages: Sequence[Passage], scores: Sequence[list[ScoredAnswer]]
    ) -> Answers:
        offered = {one.id for one in question.candidates}
        found = answers([{one.answer: one.score for one in these} for these in scores], self.trained)
        return [
            EntityAnswer(one.id, self._label(one.id)) for one in found if not offered or one.id in offered
        ]


def _exercises(folder: Path) -> Iterator[Exercise]:
    files = exercise_parts(folder)
    if not files:
        raise RollcallError(f"{folder}: holds no exercises; make them with `rollcall train --prepare`")
    for file in files:
        yield from read_exercises(file)


def known_mentions(exercises: Iterable[Exercise]) -> Mentions:
    """The mentions of passages as exercises have them, for a machine without the graph."""
    known = {
        (one.id, one.text): one.mentions
        for exercise in exercises
        for one in (*exercise.passages, *exercise.proofs)
    }
    return lambda passage: known.get((passage.id, passage.text), ())
