"""What measures are: what each declares, what it is computed from, and all measures by name.

`MeasureKind`                          parameters, needs and unit of a measure; one class is one measure
`AnswerMeasure`, `OwnMeasure`          computed from a question's match
`ListMeasure`, `Progress`              from the order of its answers
`PassageMeasure`, `Retrieval`          from the passages retrieved for the question
`CostMeasure`, `RecordMeasure`         from the record of its prediction
`MEASURES`, `name_of`                  the registry; each measure registers itself in its own file

A measure's meaning is the first line of its documentation, so no other code has to know it.
"""

import inspect
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple, get_args

from rollcall._core.errors import RollcallError
from rollcall._core.registry import Registry
from rollcall.questions.judgment import proving
from rollcall.questions.record import Answer, Evidence, Question
from rollcall.questions.run import Passage, Prediction
from rollcall.score.match import Match, words
from rollcall.score.profile import Predicted, Profile

# How far a list of answers got: where its last right answer is, and what is left unsaid. An answer is
# right at its place if the list up to it finds more gold answers than the list before it, by the
# profile's own matching; another name of an answer already found is not. Longer lists find no fewer
# answers, so the place is found by halving.


class AnswerProgress(NamedTuple):
    """The answers given to one question, and how many of them it took."""

    given: int
    """The number of answers given, with repeats."""
    last_right: int
    """The place of the last right one, from 1; 0 if none is right."""
    found: int
    gold: int


def progress(
    profile: Profile, question: Question, gold: Sequence[Answer], said: Sequence[Predicted]
) -> AnswerProgress:
    """Where the last right answer of a list is, under a profile."""
    whole = profile.match(question, gold, said)
    last = bisect_left(
        range(len(said)), whole.found, key=lambda length: profile.match(question, gold, said[:length]).found
    )
    return AnswerProgress(len(said), last if whole.found else 0, whole.found, whole.gold)


# The passages retrieved for one question, and the ranks at which its answers and their evidence first occur.
# An answer is retrieved if one of its names is in the title or text of a passage, by the profile's own
# comparison. A piece of evidence is retrieved if its passage is, by id, or else if a passage contains its
# text. Each is searched for once: its rank gives the recall at every K.

Ranks = list[int | None]
"""The number (from 1) of the first passage that has each thing; None if no passage has it."""


@dataclass
class Retrieval:
    """The passages retrieved for a question, best first, and its gold answers."""

    question: Question
    gold: Sequence[Sequence[Answer]]
    """The gold answers, grouped if several count as one."""
    passages: Sequence[Passage]
    profile: Profile

    @cached_property
    def answer_ranks(self) -> Ranks:
        """The first passage that names each gold answer."""
        profile = self.profile
        prepared = [
            [profile.prepare(text) for text in (passage.title, passage.text) if text]
            for passage in self.passages
        ]
        ranks = []
        for entity in self.gold:
            names = [profile.prepare(name) for answer in entity for name in (answer.label, *answer.aliases)]
            naming = (
                rank
                for rank, texts in enumerate(prepared, 1)
                if any(profile.mentions(text, names) for text in texts)
            )
            ranks.append(next(naming, None))
        return ranks

    @cached_property
    def passage_ranks(self) -> dict[str, int]:
        """The rank of each retrieved passage by id; one that comes twice counts at its first rank, once."""
        ids = dict.fromkeys(passage.id for passage in self.passages if passage.id)
        return {id_: rank for rank, id_ in enumerate(ids, 1)}

    @cached_property
    def relevant(self) -> list[str]:
        """The ids of the passages that prove a gold answer."""
        return proving(answer for entity in self.gold for answer in entity)

    def ranks_of(self, ids: Iterable[str]) -> Ranks:
        """The ranks of passages by id."""
        return [self.passage_ranks.get(id_) for id_ in ids]

    @cached_property
    def evidence_ranks(self) -> list[Ranks]:
        """For each gold answer with evidence, the first passage with each piece of it."""
        ids: dict[str, int] = {}
        for rank, passage in enumerate(self.passages, 1):
            if passage.id:
                ids.setdefault(passage.id, rank)
        texts = [f" {words(passage.text)} " if passage.text else "" for passage in self.passages]
        pieces = [_distinct_evidence(entity) for entity in self.gold]
        return [[_rank(piece, ids, texts) for piece in evidence] for evidence in pieces if evidence]


def share_within(ranks: Ranks, cut: int | None) -> float:
    """The share of ranks that exist and are at most `cut`."""
    return sum(rank is not None and (cut is None or rank <= cut) for rank in ranks) / len(ranks)


def _distinct_evidence(entity: Sequence[Answer]) -> list[Evidence]:
    """The evidence of an entity; if several answers are one entity, pieces they share count once."""
    if len(entity) == 1:
        return entity[0].evidence
    pieces = [piece for answer in entity for piece in answer.evidence]
    return list({(piece.passage, piece.text): piece for piece in pieces}.values())


def _rank(evidence: Evidence, ids: dict[str, int], texts: list[str]) -> int | None:
    """The rank of the first passage with a piece of evidence."""
    by_id = ids.get(evidence.passage) if evidence.passage is not None else None
    wanted = words(evidence.text)
    if not wanted or by_id == 1:
        return by_id
    by_text = next(
        (rank for rank, text in enumerate(texts[: by_id and by_id - 1], 1) if f" {wanted} " in text), None
    )
    return by_id if by_text is None else by_text


# What measures declare.

Presence = Literal["never", "optional", "required"]
MeasureNeed = Literal[
    "answers", "passages", "passage texts", "evidence", "seconds", "tokens", "money", "steps"
]


class MeasureParameters(NamedTuple):
    """Which parameters a measure takes."""

    cut: Presence = "optional"
    """`@k`: only the first k predictions or passages count."""
    cap: Presence = "never"
    """`-k`: finding k answers is enough."""
    threshold: bool = True
    """`>=t`: the share of questions whose value is at least t."""
    worst: bool = True
    """`min(…)` and `max(…)`: the lowest or highest value in each cluster, averaged over clusters."""


class MeasureKind:
    """A measure with its `@k` and `-k`; threshold and worst case are applied to its values elsewhere."""

    source: ClassVar[str] = ""
    """The paper and section that defines it."""
    parameters: ClassVar[MeasureParameters] = MeasureParameters()
    needs: ClassVar[tuple[MeasureNeed, ...]] = ()
    """What predictions and gold must contain; without it scoring stops with a message."""
    unit: ClassVar[str] = ""
    """The unit of its values, such as "s"; empty for a share, which is between 0 and 1."""
    lower_is_better: ClassVar[bool] = False

    def __init__(self, cut: int | None = None, cap: int | None = None) -> None:
        self.cut = cut
        self.cap = cap

    @property
    def depth(self) -> int | None:
        """How many predictions or passages it uses; None for all of them."""
        return self.cut

    @classmethod
    def meaning(cls) -> str:
        """What it measures, in one line."""
        return (cls.__doc__ or "").strip().partition("\n")[0]

    @classmethod
    def forms(cls, name: str) -> list[str]:
        """The ways it is written with `@k` and `-k`.

        >>> from rollcall.score.measures.answers import Recall
        >>> Recall.forms("R")
        ['R', 'R@k', 'R-k']
        """
        takes = cls.parameters
        plain = name + "-k" * (takes.cap == "required") + "@k" * (takes.cut == "required")
        cut = [f"{plain}@k"] if takes.cut == "optional" else []
        return [plain, *cut, *([f"{name}-k"] if takes.cap == "optional" else [])]


class AnswerMeasure(MeasureKind, ABC):
    """A measure of the predicted answers."""

    needs: ClassVar[tuple[MeasureNeed, ...]] = ("answers",)
    skips_empty_gold: ClassVar[bool] = True
    """Whether its mean leaves out questions without gold answers if the profile does so (RoMQA)."""

    @abstractmethod
    def value(self, match: Match) -> float:
        """The value of one question; `match` is of the first `depth` predictions."""


class OwnMeasure(MeasureKind):
    """A figure that only some profiles define, such as that of the cells of a table."""

    parameters: ClassVar[MeasureParameters] = MeasureParameters(cut="never")
    needs: ClassVar[tuple[MeasureNeed, ...]] = ("answers",)
    figure: ClassVar[str] = ""
    """Its name in `Match.own`, and in the profile's `own_figures`."""

    def value(self, match: Match) -> float | None:
        """The value of one question; None if the question does not count."""
        return match.own.get(self.figure)


class ListMeasure(MeasureKind, ABC):
    """A measure of the list as it was given: where its last right answer is."""

    parameters: ClassVar[MeasureParameters] = MeasureParameters(cut="never")
    needs: ClassVar[tuple[MeasureNeed, ...]] = ("answers",)

    @abstractmethod
    def value(self, progress: AnswerProgress) -> float | None:
        """The value of one question; None if the question does not count."""


class CostMeasure(MeasureKind, ABC):
    """What all questions cost together, divided by all right answers: a ratio of sums, not a mean."""

    parameters: ClassVar[MeasureParameters] = MeasureParameters(cut="never", threshold=False, worst=False)
    lower_is_better: ClassVar[bool] = True

    @abstractmethod
    def cost(self, prediction: Prediction) -> float | None:
        """What one question cost; None if its record does not say, so that it does not count."""


class PassageMeasure(MeasureKind, ABC):
    """A measure of the retrieved passages."""

    needs: ClassVar[tuple[MeasureNeed, ...]] = ("passages",)

    @abstractmethod
    def value(self, retrieval: Retrieval) -> float | None:
        """The value of one question; None if the question does not count.

        `retrieval` may have more than the first `depth` passages, because measures with different k share it.
        """


class RecordMeasure(MeasureKind, ABC):
    """A measure of what the record of a prediction says besides answers and passages."""

    parameters: ClassVar[MeasureParameters] = MeasureParameters(cut="never")

    @abstractmethod
    def value(self, prediction: Prediction) -> float | None:
        """The value of one question; None if the question does not count."""


_KINDS: tuple[type[MeasureKind], ...] = (
    AnswerMeasure,
    PassageMeasure,
    RecordMeasure,
    ListMeasure,
    CostMeasure,
    OwnMeasure,
)


def _lacks(thing: object) -> str | None:
    if not isinstance(thing, type) or not issubclass(thing, _KINDS):
        names = ", ".join(kind.__name__ for kind in _KINDS[:-1])
        return f"it is not a subclass of {names} or {_KINDS[-1].__name__} of rollcall.score"
    if inspect.isabstract(thing):
        missing: frozenset[str] = getattr(thing, "__abstractmethods__", frozenset())
        return f"it has no method {', '.join(sorted(missing))}"
    known = get_args(MeasureNeed)
    if unknown := [need for need in thing.needs if need not in known]:
        return f"it needs {unknown[0]!r}; a measure may need {', '.join(known)}"
    return None


MEASURES: Registry[type[MeasureKind]] = Registry("measure", "measures", "rollcall.score.measures", _lacks)


def name_of(kind: type[MeasureKind]) -> str:
    """The name by which a class is found: its name in the registry, else `module:name`."""
    if "<locals>" in kind.__qualname__:
        raise RollcallError(
            f"{kind.__name__}: define a measure at the top of its module, so that it has a name"
        )
    known = (entry.name for entry in MEASURES if entry.thing is kind)
    return next(known, f"{kind.__module__}:{kind.__qualname__}")
