"""Which facts text states: sentences are sought for known and for newly named facts, and a verifier judges
them.

Input: facts that the graph has, and facts that it lacks. Output: `StatedFacts`. A new fact is as likely as
its rank among the known ones says (`rollcall.audit.sources.ranks`). For known facts the question is only
whether text states them, and the verifier's scores are adjusted to the share of true sentences as for a
build (`rollcall.evidence.expected`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rollcall.audit.sources.evaluate import Fact
from rollcall.audit.sources.ranks import LOWEST, Numbers, chances_of_ranks, ranks
from rollcall.evidence.expected import UNCALIBRATED, chances
from rollcall.evidence.judge import score_all
from rollcall.evidence.search.run import find_candidates
from rollcall.evidence.verifiers.verifier import Verifier
from rollcall.tables.engine import Engine
from rollcall.tables.evidence import ScoredCandidates
from rollcall.tables.mining import ProvableFacts
from rollcall.tables.reader import read
from rollcall.tables.writer import TableWriter

_ENOUGH = 200
"""So many sentences of a relation show the share of true ones among them; fewer are adjusted together."""


class Sentence(NamedTuple):
    """The best sentence for a fact."""

    page: str
    start: int
    end: int
    text: str


class StatedFact(NamedTuple):
    """What text says about a fact."""

    known: bool
    """Whether the graph has the fact."""
    stated: bool
    """Whether it counts as stated: its score is not among the lowest of its relation's known facts."""
    score: float | None
    """The verifier's score of the best sentence; 0 if no sentence names both ends, None if it judges none."""
    chance: float
    """How likely the fact is true, if the graph lacks it; how likely its sentence states it, if it is
    known.
    """
    sentence: Sentence | None


StatedFacts = dict[Fact, StatedFact]


def facts_of(pairs: Iterable[dict[str, str]]) -> Iterator[Fact]:
    """Pairs of conditions as facts."""
    for pair in pairs:
        one, other = pair["entity"], pair["other"]
        yield (
            Fact(other, pair["relation"], one)
            if pair["sought"] == "subject"
            else Fact(one, pair["relation"], other)
        )


def find_stated(
    folder: Path,
    graph: Path,
    corpus: Path,
    known: Iterable[Fact],
    new: Iterable[Fact],
    verifier: Verifier,
    engine: Engine,
) -> StatedFacts:
    """Seek sentences for facts that the graph has and for facts that it lacks, and judge them."""
    is_known = {**dict.fromkeys(new, False), **dict.fromkeys(known, True)}
    facts = sorted(is_known)
    path = folder / "facts.parquet"
    with TableWriter(ProvableFacts, path) as file:
        if facts:
            file.append(*(list(column) for column in zip(*facts, strict=True)), [False] * len(facts))
    find_candidates(folder, graph, corpus, path, engine, name="seeking missing answers")
    score_all(folder, verifier, engine)
    return judged(is_known, best_sentences(folder), verifier.prior or UNCALIBRATED)


def judged(is_known: Mapping[Fact, bool], best: Mapping[Fact, "Scored"], prior: float) -> StatedFacts:
    """What the best sentences of facts say about each fact; `prior` is that of the verifier's scores."""
    groups = [[fact for fact in best if is_known[fact] is known] for known in (True, False)]
    scores = [np.array([best[fact].certainty for fact in group], np.float64) for group in groups]
    relations = [[fact.relation for fact in group] for group in groups]
    found = {fact: StatedFact(known, False, 0.0, 0.0, None) for fact, known in is_known.items()}
    for group, own, of, known in zip(groups, scores, relations, (True, False), strict=True):
        placed = ranks(own, of, scores[0], relations[0]) if len(scores[0]) else np.zeros(len(own))
        likely = adjusted(own, of, prior) if known else chances_of_ranks(placed)
        for fact, rank, chance in zip(group, placed.tolist(), likely.tolist(), strict=True):
            row = best[fact]
            found[fact] = StatedFact(known, rank >= LOWEST, row.score, chance, row.sentence)
    return found


class Scored(NamedTuple):
    """A sentence with the verifier's score."""

    score: float | None
    sentence: Sentence

    @property
    def certainty(self) -> float:
        """The score; without one, the sentence counts fully."""
        return 1.0 if self.score is None else self.score


def best_sentences(folder: Path) -> dict[Fact, Scored]:
    """The best judged sentence of each fact; of equal ones the first, in an order that no process changes."""
    names = ("subject", "relation", "object", "score", "page", "start", "end", "text")
    best: dict[Fact, Scored] = {}
    for path in sorted((folder / "scored").glob("*.parquet")):
        table = read(ScoredCandidates, path, names)
        for subject, relation, object_, score, *place in zip(
            *(table.column(name).to_pylist() for name in names), strict=True
        ):
            fact, row = Fact(subject, relation, object_), Scored(score, Sentence(*place))
            if fact not in best or row.certainty > best[fact].certainty:
                best[fact] = row
    return best


def adjusted(scores: Numbers, relations: Sequence[str], prior: float) -> Numbers:
    """Scores as probabilities, adjusted to the share of true sentences of each relation that has enough."""
    counted = Counter(relations)
    of_group: dict[str, list[int]] = {}
    for place, relation in enumerate(relations):
        of_group.setdefault(relation if counted[relation] >= _ENOUGH else "", []).append(place)
    found = np.zeros(len(scores))
    for places in of_group.values():
        own, inverse, counts = np.unique(scores[places], return_inverse=True, return_counts=True)
        found[places] = chances(own, counts.astype(np.int64), prior).chances[inverse]
    return found
