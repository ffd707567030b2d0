"""Compares evidence with the truth of a generated world: sentences that state their fact, and decoys."""

from pathlib import Path

import msgspec
import numpy as np

from rollcall.corpus import Corpus
from rollcall.evidence.candidate import CandidateSentence
from rollcall.tables.corpus import Pages
from rollcall.tables.table import file_name
from rollcall.tables.world import Truth

STATES, DECOY, OTHER = 2, 1, 0


class Verification(msgspec.Struct, frozen=True):
    """The figures of a verifier on sentences whose truth is known."""

    true: int
    decoys: int
    others: int
    true_lost: float
    decoys_removed: float
    others_removed: float
    kept_true: float
    """The share of kept sentences that state their fact."""
    facts: int
    """Facts with kept evidence."""
    evidence_true: float
    """The share of best pieces of evidence that state their fact."""


class WorldTruth:
    """Which sentence of a world states which fact, and which sentences only seem to."""

    def __init__(self, truth: Path, corpus: Corpus) -> None:
        from rollcall.tables.reader import records

        pages = records(Pages, corpus.folder / file_name(Pages), ("id", "title"))
        page_of = {page["title"]: page["id"] for page in pages}
        self._told: set[tuple[str, str, str, str, str]] = set()
        self._decoys: set[tuple[str, str, str, str]] = set()
        for row in records(Truth, truth, ("kind", "subject", "relation", "object", "page", "sentence")):
            kind, subject, relation, object_, title, sentence = row.values()
            if not sentence:
                continue
            page = page_of.get(title, "")
            if kind == "fact":
                self._told.add((subject, relation, object_, page, sentence))
            elif kind == "decoy":
                self._decoys |= {(subject, object_, page, sentence), (object_, subject, page, sentence)}

    def state(self, subject: str, relation: str, object_: str, page: str, text: str) -> int:
        """Whether a sentence states a fact, is a decoy about its ends, or neither."""
        if (subject, relation, object_, page, text) in self._told:
            return STATES
        return DECOY if (subject, object_, page, text) in self._decoys else OTHER

    def states(self, candidates: list[CandidateSentence]) -> np.ndarray:
        """The states of candidates."""
        return np.array(
            [self.state(c.subject, c.relation, c.object, c.page, c.text) for c in candidates], int
        )


def verification(
    states: np.ndarray, scores: np.ndarray, accepted: np.ndarray, facts: np.ndarray
) -> Verification:
    """The figures of a verifier; `facts` has the number of each candidate's fact."""

    def share(of: np.ndarray) -> float:
        return float(of.mean()) if len(of) else 0.0

    kept = np.flatnonzero(accepted)
    order = kept[np.lexsort((-scores[kept], facts[kept]))]
    best = order[np.concatenate([[True], facts[order][1:] != facts[order][:-1]])] if len(order) else order
    return Verification(
        true=int((states == STATES).sum()),
        decoys=int((states == DECOY).sum()),
        others=int((states == OTHER).sum()),
        true_lost=share(~accepted[states == STATES]),
        decoys_removed=share(~accepted[states == DECOY]),
        others_removed=share(~accepted[states == OTHER]),
        kept_true=share(states[accepted] == STATES),
        facts=len(best),
        evidence_true=share(states[best] == STATES),
    )
