"""The trees of the reader `rollcall`: for the things of chained questions, for a first and a second look."""

import gzip
from collections.abc import Mapping, Sequence
from copy import copy
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall._core.files import DamagedFileError, open_compressed
from rollcall.graph.graph import Graph
from rollcall.questions.record import Answer
from rollcall.questions.run import EntityAnswer, Passage
from rollcall.score.match import words
from rollcall.systems.interfaces import Answers, Asked
from rollcall.systems.read.combined.features import (
    PLAIN,
    EntityClasses,
    FeatureMaker,
    FirstLook,
    ModelScores,
    Weigh,
    names_of,
)
from rollcall.systems.read.combined.nearness import Chances, Nearness, Search, Table
from rollcall.systems.read.combined.second_look import LOOK, SecondLook
from rollcall.systems.read.combined.statements import NO_STATEMENTS, Statements
from rollcall.systems.read.linking import answer_of
from rollcall.systems.read.mentions import best_number
from rollcall.systems.read.support import PassagePreparation
from rollcall.systems.read.trained_reader import PassageReader, ScoredAnswer
from rollcall.systems.retrieve.store import PassageStore
from rollcall.text.name_lookup import NameFinder

# Boosted trees that weigh the features of possible answers, by LightGBM; stored as compressed text.
# Every question counts about alike: a possible answer to a question with many right ones counts less.
# The questions are cut into folds; each is weighed by trees that have not seen it, which decides how
# many trees there are, and says what a second look may rely on.

_PARAMETERS = {
    "objective": "binary",
    "learning_rate": 0.05,
    "num_leaves": 15,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "verbose": -1,
    "deterministic": True,
    "force_row_wise": True,
}
_MOST, _PATIENCE, _FOLDS = 400, 40, 3
_RANK, _LEAST_RANK, _EVERY = "rank by mentions", 1 / 101, 5
"""Of the wrong answers that `mentions` ranks lower, every fifth is learned from, and counts for all."""


class JudgedCandidates(NamedTuple):
    """The possible answers to one question, and which of them are right."""

    rows: Table
    right: npt.NDArray[np.float64]


class Trees:
    """Fitted trees."""

    def __init__(self, booster: Any) -> None:
        self._booster = booster

    @classmethod
    def open(cls, file: Path) -> "Trees":
        if not file.is_file():
            raise RollcallError(f"{file.parent}: has no {file.name}; train it again")
        lightgbm = _lightgbm()
        try:
            with open_compressed(file) as stream:
                return cls(lightgbm.Booster(model_str=stream.read().decode()))
        except DamagedFileError as error:
            raise RollcallError(f"{file}: {error.reason}; train it again") from None
        except (ValueError, lightgbm.basic.LightGBMError) as error:
            raise RollcallError(f"{file}: cannot be read: {error}; train it again") from None

    def save(self, file: Path) -> None:
        file.write_bytes(gzip.compress(self._booster.model_to_string().encode(), mtime=0))

    def chances(self, rows: Table) -> Chances:
        """The probability of each possible answer."""
        if not len(rows):
            return np.zeros(0)
        if self._booster.num_feature() != rows.shape[1]:
            raise RollcallError(
                "the trees of the reader rollcall were fitted by another version: train it again, or bring"
                " rollcall and rollcall-models to the same version"
            )
        chances: Chances = self._booster.predict(rows, num_threads=1)
        return chances


class FittedTrees(NamedTuple):
    """Trees, and for each question the chances by trees that had not seen it."""

    trees: Trees
    unseen: list[Chances]


def fit(
    names: Sequence[str], judged: Sequence[JudgedCandidates], seed: int = 0, threads: int = 1
) -> FittedTrees:
    """Trees for questions, and for each question the chances by trees of the other folds."""
    if not any(candidates.right.any() for candidates in judged):
        raise RollcallError("no possible answer to the questions is right, so nothing can be learned")
    unseen: list[Chances] = [np.zeros(len(candidates.right)) for candidates in judged]
    numbers = []
    parameters = {**_PARAMETERS, "seed": seed, "num_threads": threads}
    folds = min(_FOLDS, len(judged))
    for fold in range(folds):
        inside = [candidates for index, candidates in enumerate(judged) if index % folds != fold]
        outside = [candidates for index, candidates in enumerate(judged) if index % folds == fold]
        if not any(candidates.right.any() for candidates in inside):
            continue
        booster = _boosted(names, inside, outside, parameters)
        numbers.append(booster.best_iteration or booster.current_iteration())
        trees = Trees(booster)
        for index in range(fold, len(judged), folds):
            unseen[index] = trees.chances(judged[index].rows)
    number = max(round(sum(numbers) / len(numbers)), 1) if numbers else _MOST // 2
    whole = _lightgbm().train(parameters, _data(names, judged), number)
    return FittedTrees(Trees(whole), unseen)


def _boosted(
    names: Sequence[str],
    inside: Sequence[JudgedCandidates],
    outside: Sequence[JudgedCandidates],
    parameters: dict[str, Any],
) -> Any:
    """Trees for some questions, as many as do best on others."""
    lightgbm = _lightgbm()
    learning = _data(names, inside)
    if not any(candidates.right.any() for candidates in outside):
        return lightgbm.train(parameters, learning, _MOST // 2)
    return lightgbm.train(
        parameters,
        learning,
        _MOST,
        valid_sets=[_data(names, outside, learning)],
        callbacks=[lightgbm.early_stopping(_PATIENCE, verbose=False)],
    )


def _data(names: Sequence[str], judged: Sequence[JudgedCandidates], like: Any = None) -> Any:
    counts = [_counts(names, candidates) for candidates in judged]
    kept = [count > 0 for count in counts]
    weights = [
        count[mask] / np.sqrt(1.0 + candidates.right.sum())
        for count, mask, candidates in zip(counts, kept, judged, strict=True)
    ]
    return _lightgbm().Dataset(
        np.concatenate([candidates.rows[mask] for candidates, mask in zip(judged, kept, strict=True)]),
        np.concatenate([candidates.right[mask] for candidates, mask in zip(judged, kept, strict=True)]),
        weight=np.concatenate(weights),
        reference=like,
        feature_name=[name.replace(" ", "_").replace(":", "_").replace(",", "_") for name in names],
        free_raw_data=False,
    )


def _counts(names: Sequence[str], judged: JudgedCandidates) -> npt.NDArray[np.float64]:
    """For how many each possible answer counts: most are certainly wrong, and teach the same."""
    count = len(judged.right)
    if _RANK not in names:
        return np.ones(count)
    likely = judged.rows[:, names.index(_RANK)] >= _LEAST_RANK
    chosen = np.arange(count) % _EVERY == 0
    return np.where(likely | (judged.right > 0), 1.0, np.where(chosen, float(_EVERY), 0.0))


def _lightgbm() -> Any:
    try:
        import lightgbm
    except ImportError:
        raise RollcallError(
            "the reader rollcall needs LightGBM: pip install 'rollcall-qa[neural]', or rollcall-models"
        ) from None
    return lightgbm


# How far the chances of possible answers are drawn towards one half before answers are chosen. Answers
# to one question are right or wrong together, more than trees can know that look at one at a time: a
# misleading word affects all of them. So chances that are right on the average promise too much,
# and too few or too many answers are given. One number corrects most of it: the slope of the log-odds,
# chosen so that unseen questions are answered best.

FILE = "tempering.json"
_SLOPES = tuple(round(0.05 * number, 2) for number in range(8, 27))
_LEAST = 1e-9


class Tempering(msgspec.Struct, frozen=True):
    """The slope of the log-odds; with one, chances stay as they are."""

    slope: float = 1.0

    def of(self, chances: Chances) -> Chances:
        """The tempered chances."""
        if self.slope == 1.0:
            return chances
        sure = np.clip(chances, _LEAST, 1.0 - _LEAST)
        return 1.0 / (1.0 + ((1.0 - sure) / sure) ** self.slope)

    def save(self, folder: Path) -> None:
        (folder / FILE).write_bytes(msgspec.json.encode(self) + b"\n")

    @classmethod
    def open(cls, folder: Path) -> "Tempering":
        """The tempering in a folder; folders from older versions have none."""
        file = folder / FILE
        if not file.is_file():
            return cls()
        try:
            return msgspec.json.decode(file.read_bytes(), type=cls)
        except UNREADABLE as error:
            raise RollcallError(f"{file}: cannot be read ({why(error)}); train it again") from None


class UnseenScores(NamedTuple):
    """A question, the chances by trees that had not seen it, and the number of its answers."""

    judged: JudgedCandidates
    chances: Chances
    answers: int


def best_tempering(unseen: Sequence[UnseenScores]) -> Tempering:
    """The slope with the greatest mean F1; of equal ones that nearest to one."""
    scores = {slope: sum(_f1(question, Tempering(slope)) for question in unseen) for slope in _SLOPES}
    return Tempering(max(scores, key=lambda slope: (round(scores[slope], 9), -abs(slope - 1.0))))


def _f1(unseen: UnseenScores, tempering: Tempering) -> float:
    """Of the answers that would be given."""
    chances = tempering.of(unseen.chances)
    order = np.argsort(-chances, kind="stable")
    count = best_number(chances[order].tolist())
    right = float(unseen.judged.right[order[:count]].sum())
    return 2.0 * right / (count + unseen.answers) if right else 0.0


# Looks at the possible answers to questions with a graph and a corpus, and chooses among them.

_HOMONYMS = 4
"""A name of more entities than this is too ambiguous to use."""
_TOGETHER = 32
"""Questions whose passages the models score at a time."""


class Weighing:
    """Features of possible answers, from a graph's names and the scores of models in single passages."""

    def __init__(
        self,
        graph: Graph,
        store: PassageStore | None,
        models: Mapping[str, PassageReader] | None = None,
        statements: Statements = NO_STATEMENTS,
        search: Search | None = None,
        near: Nearness | None = None,
    ) -> None:
        """`store` gives the pages of entities; without it titles are looked up, and no other page is read.

        `search` finds further passages, and `near` tells how near passages are to a question.
        """
        self._search, self.near = search, near
        self.graph, self.models = graph, dict(models or {})
        self._finder = NameFinder(graph.index)
        self.reading = PassagePreparation(
            graph, self._finder, store.entity if store is not None else lambda id_: None
        )
        self._types, self._pages = EntityClasses(graph), store.page_of if store is not None else None
        self._look_by(statements)

    def with_statements(self, statements: Statements) -> "Weighing":
        """The same with other weights of statements."""
        other = copy(self)
        other._look_by(statements)
        return other

    def without_nearness(self, search: Search | None) -> "Weighing":
        """The same where nothing is known of what is near, with another search."""
        other = copy(self)
        other._search, other.near = search, None
        other._look_by(self._statements)
        return other

    def _look_by(self, statements: Statements) -> None:
        self._statements = statements
        reading, types, pages = self.reading, self._types, self._pages
        self.maker = FeatureMaker(
            self.graph, reading, self._finder, types, pages, statements, self._search, self.near
        )
        self._second = SecondLook(self.graph, reading, types, pages, statements, self.near)

    def is_chained(self, question: Asked) -> bool:
        """Whether a question asks about things that it describes."""
        return self.maker.words(question).further is not None

    def first(
        self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]], things: Weigh | None
    ) -> list[FirstLook]:
        """The possible answers to each question, with their features."""
        looks: list[FirstLook] = []
        for start in range(0, len(questions), _TOGETHER):
            looks += self._first(
                questions[start : start + _TOGETHER], passages[start : start + _TOGETHER], things
            )
        return looks

    def second(self, question: Asked, first: FirstLook, chances: Chances) -> Table:
        """The same features, with what a second look adds; `chances` come from the first."""
        return self._second.rows(question.question, first, chances)

    def choose(self, question: Asked, first: FirstLook, chances: Chances) -> Answers:
        """The answers that promise the greatest F1; in the closed setting only candidates."""
        ranked = sorted(
            zip(chances.tolist(), first.answers, strict=True), key=lambda pair: (-pair[0], str(pair[1]))
        )
        if question.candidates:
            numbers = {
                self.graph.index.entity_number(candidate.id)
                for candidate in question.candidates
                if candidate.id
            }
            ranked = [pair for pair in ranked if pair[1] in numbers]
        count = best_number([chance for chance, _ in ranked])
        return [self._answer(answer) for _, answer in ranked[:count]]

    def judged(self, gold: Sequence[Answer], first: FirstLook) -> JudgedCandidates:
        """Which possible answers are right: an entity by its id, anything else by its name."""
        ids = {answer.id for answer in gold if answer.id}
        named = {words(name) for answer in gold for name in (answer.label, *answer.aliases)}
        unidentified = {
            words(name) for answer in gold if not answer.id for name in (answer.label, *answer.aliases)
        }

        def is_right(answer: int | str) -> bool:
            if isinstance(answer, str):
                return words(answer) in named
            id_ = self.graph.index.entity_ids[answer]
            return id_ in ids or words(self.graph.label(id_)) in unidentified

        return JudgedCandidates(
            first.rows, np.array([is_right(answer) for answer in first.answers], dtype=np.float64)
        )

    def _first(
        self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]], things: Weigh | None
    ) -> list[FirstLook]:
        if self.near is not None:
            self.near.seek(questions)
        model_scores: dict[str, list[list[list[ScoredAnswer]]]] = {
            name: model.scored(questions, passages) for name, model in self.models.items()
        }
        looks = []
        for index, (question, question_passages) in enumerate(zip(questions, passages, strict=True)):
            scores: ModelScores = {
                name: [self._by_answer(passage_scores) for passage_scores in scored[index]]
                for name, scored in model_scores.items()
            }
            looks.append(self.maker.read(question, question_passages, scores, things))
        return looks

    def _answer(self, answer: int | str) -> str | EntityAnswer:
        return answer if isinstance(answer, str) else answer_of(self.graph, answer)

    def _by_answer(self, scored: Sequence[ScoredAnswer]) -> dict[int | str, float]:
        """Scores by entity; a model that gives names scores all entities of a name."""
        scores: dict[int | str, float] = {}
        for scored_answer in scored:
            number = self.graph.index.entity_number(scored_answer.answer)
            named = self._finder.entities(scored_answer.answer) if number is None else (number,)
            for answer in named if 0 < len(named) <= _HOMONYMS else (scored_answer.answer,):
                scores[answer] = max(scores.get(answer, 0.0), scored_answer.score)
        return scores


_THINGS, _FIRST, _SECOND = "things.txt.gz", "first.txt.gz", "second.txt.gz"
_ENOUGH = 20
"""Direct questions that the trees for things need; with fewer, the weights of `mentions` serve."""


class Solved(NamedTuple):
    """A question with its passages and its answers."""

    weighing: Weighing
    """The graph and the corpus that it is about."""
    question: Asked
    passages: Sequence[Passage]
    answers: Sequence[Answer]


class FittedLooks(NamedTuple):
    """The trees; and for each question the chances of possible answers, by trees that had not seen it."""

    looks: "Looks"
    unseen: list[tuple[FirstLook, Chances]]


class Looks:
    """Trees that weigh possible answers, in two looks."""

    def __init__(
        self, first: Trees, second: Trees, things: Trees | None, tempering: Tempering | None = None
    ) -> None:
        self._first, self._second, self._things = first, second, things
        self._tempering = tempering or Tempering()

    @classmethod
    def open(cls, folder: Path) -> "Looks":
        things = folder / _THINGS
        return cls(
            Trees.open(folder / _FIRST),
            Trees.open(folder / _SECOND),
            Trees.open(things) if things.is_file() else None,
            Tempering.open(folder),
        )

    def save(self, folder: Path) -> None:
        self._first.save(folder / _FIRST)
        self._second.save(folder / _SECOND)
        if self._things is not None:
            self._things.save(folder / _THINGS)
        self._tempering.save(folder)

    @property
    def things(self) -> Weigh | None:
        """Weighs the things of chained questions."""
        return self._things.chances if self._things is not None else None

    def chances(self, weighing: Weighing, question: Asked, first: FirstLook) -> Chances:
        """The probability of each possible answer."""
        before = self._first.chances(first.rows)
        return self._tempering.of(self._second.chances(weighing.second(question, first, before)))


def fit_looks(solved: Sequence[Solved], seed: int = 0, threads: int = 1) -> FittedLooks:
    """Learn from questions with their passages and answers, none of which a model was trained on."""
    if not solved:
        raise RollcallError("there is no question for the trees to learn from")
    direct = [case for case in solved if not case.weighing.is_chained(case.question)]
    chained = [case for case in solved if case.weighing.is_chained(case.question)]
    firsts = _first_looks(direct, None)
    judged = [case.weighing.judged(case.answers, first) for case, first in zip(direct, firsts, strict=True)]
    things = None
    if sum(bool(candidates.right.any()) for candidates in judged) >= _ENOUGH and chained:
        plain = [
            JudgedCandidates(candidates.rows[:, : len(PLAIN)], candidates.right) for candidates in judged
        ]
        things = fit(PLAIN, plain, seed, threads).trees
    later = _first_looks(chained, things.chances if things is not None else None)
    judged += [case.weighing.judged(case.answers, first) for case, first in zip(chained, later, strict=True)]
    firsts += later
    both = [*direct, *chained]
    names = names_of(list(both[0].weighing.models))
    first = fit(names, judged, seed, threads)
    looked = [
        JudgedCandidates(case.weighing.second(case.question, look, chances), candidates.right)
        for case, look, chances, candidates in zip(both, firsts, first.unseen, judged, strict=True)
    ]
    second = fit((*names, *LOOK), looked, seed, threads)
    tempering = best_tempering(
        [
            UnseenScores(candidates, chances, len(case.answers))
            for case, candidates, chances in zip(both, judged, second.unseen, strict=True)
        ]
    )
    order = {id(case): index for index, case in enumerate(both)}
    indices = [order[id(case)] for case in solved]
    unseen = [(firsts[index], tempering.of(second.unseen[index])) for index in indices]
    return FittedLooks(Looks(first.trees, second.trees, things, tempering), unseen)


def _first_looks(solved: Sequence[Solved], things: Weigh | None) -> list[FirstLook]:
    looks: list[FirstLook] = []
    for weighing, group in groupby(solved, key=lambda case: case.weighing):
        cases = list(group)
        looks += weighing.first([case.question for case in cases], [case.passages for case in cases], things)
    return looks
