"""The figures of a question set: the QAMPARI paper's Table 2 and Figure 3, for any set.

They are collected in one pass over the questions, and the card, `rollcall stats` and the manifest show the
same numbers.
"""

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from rollcall.questions.record import Question

KINDS = ("simple", "table-simple", "intersection", "composition", "table-composition")
"""The kinds in the order of the paper's table; others follow by name."""
SPLITS = ("train", "dev", "test")
BINS = ((1, 4), (5, 7), (8, 10), (11, 15), (16, 20), (21, 50), (51, 100), (101, 200), (201, None))


class Figures(NamedTuple):
    """The figures of one group of questions."""

    questions: int
    mean_answers: float
    median_answers: float
    mean_words: float


class Statistics:
    """The questions of a set, counted."""

    def __init__(self, questions: Iterable[Question] = ()):
        self._groups: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        self.relations: Counter[str] = Counter()
        self.answers = 0
        self.literal_answers = 0
        self.with_evidence = 0
        self.evidence = 0
        self.aliases = 0
        self.same_answers = 0
        self.extended = 0
        """Extended answers, which are kept apart and are not among the answers."""
        self.with_extended = 0
        self.searched = 0
        """Questions for which somebody looked for further answers."""
        self._of_graph = [0, 0]
        for question in questions:
            self.add(question)

    def add(self, question: Question) -> None:
        """Count one question."""
        length = len(question.question.split())
        group = (question.kind or "unknown", question.split or "none")
        self._groups[group].append((len(question.answers), length))
        self.relations.update(question.relations)
        self.same_answers += bool(question.provenance.get("same_answers"))
        self.extended += len(question.extended)
        self.with_extended += bool(question.extended)
        self.searched += question.searched
        in_graph = question.provenance.get("answers_in_graph")
        if isinstance(in_graph, int):
            self._of_graph[0] += len(question.answers)
            self._of_graph[1] += in_graph
        for answer in question.answers:
            self.answers += 1
            self.literal_answers += answer.id is None
            self.aliases += sum(alias != answer.label for alias in answer.aliases)
            self.evidence += len(answer.evidence)
            self.with_evidence += bool(answer.evidence)

    @property
    def share_of_graph(self) -> float | None:
        """The share of the graph's answers that the questions kept, if they say how many the graph has."""
        kept, there = self._of_graph
        return kept / there if there else None

    @property
    def kinds(self) -> list[str]:
        """The kinds in the set, in the paper's order."""
        there = {kind for kind, _ in self._groups}
        return [kind for kind in KINDS if kind in there] + sorted(there.difference(KINDS))

    @property
    def splits(self) -> list[str]:
        there = {split for _, split in self._groups}
        return [split for split in SPLITS if split in there] + sorted(there.difference(SPLITS))

    def figures(self, kind: str | None = None, splits: Iterable[str] | None = None) -> Figures | None:
        """The figures of a kind (or all) in some splits (or all); None if there is no question."""
        wanted = None if splits is None else set(splits)
        rows = [
            row
            for (of_kind, of_split), members in self._groups.items()
            if (kind is None or of_kind == kind) and (wanted is None or of_split in wanted)
            for row in members
        ]
        if not rows:
            return None
        answers = [count for count, _ in rows]
        return Figures(
            len(rows),
            statistics.fmean(answers),
            float(statistics.median(answers)),
            statistics.fmean(length for _, length in rows),
        )

    def bins(self, splits: Iterable[str] | None = None) -> list[tuple[str, int]]:
        """How many questions have how many answers; empty bins at either end are left out."""
        wanted = None if splits is None else set(splits)
        counts: Counter[int] = Counter()
        for (_, split), members in self._groups.items():
            if wanted is None or split in wanted:
                counts.update(_bin(count) for count, _ in members)
        used = [number for number in range(len(BINS)) if counts[number]]
        if not used:
            return []
        return [(_bin_name(number), counts[number]) for number in range(used[0], used[-1] + 1)]


def _bin(count: int) -> int:
    return next(
        (n for n, (low, high) in enumerate(BINS) if count >= low and (high is None or count <= high)), 0
    )


def _bin_name(number: int) -> str:
    low, high = BINS[number]
    return f"over {low - 1}" if high is None else f"{low}–{high}"
