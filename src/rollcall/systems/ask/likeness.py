"""How like a question is to what asks for a relation, as vectors of a sentence encoder (extra `neural`).

Every relation is said in both directions with X for the name; in the question, X stands for its best name.
The vectors of the relations are kept beside the graph. This is one feature among others, since it helps where
words differ and knows little about who does what to whom.
"""

from pathlib import Path

import numpy as np

from rollcall.graph import Graph
from rollcall.mine.neighbourhood import BACKWARD, FORWARD
from rollcall.systems.ask.kept_parts import kept_part
from rollcall.systems.ask.pieces import Piece
from rollcall.systems.ask.reading import Reading
from rollcall.systems.ask.relation_phrases import RelationPhrases, without_marks
from rollcall.systems.retrieve.encoder import Encoder, Vectors, default_model, fingerprint
from rollcall.wording.entry import Entry

_VECTORS = "vectors.npy"
_TEXTS = 2


class Likeness:
    """Compares questions with the relations of one graph."""

    def __init__(self, graph: Graph, phrases: RelationPhrases, kept: str = "asking_vectors") -> None:
        """`kept` names the vectors beside the graph: those of other phrases are others."""
        model = default_model()
        self._encoder = Encoder(model)
        texts = [
            text for entry in phrases.entries for way in (FORWARD, BACKWARD) for text in _said(entry, way)
        ]

        def make(folder: Path) -> None:
            np.save(folder / _VECTORS, self._encoder.encode_reproducibly(texts))

        place = kept_part(graph, kept, f"1 {fingerprint(model)}", make)
        self._vectors: Vectors = np.load(place / _VECTORS)

    def to(self, reading: Reading) -> Vectors:
        """For every relation and direction how like the question is, from -1 to 1."""
        question = reading.question
        if reading.entities:
            name = reading.entities[0]
            start, end = reading.words[name.first].start, reading.words[name.last - 1].end
            question = f"{question[:start]}X{question[end:]}"
        likenesses = self._vectors @ self._encoder.encode_reproducibly([question])[0]
        best: Vectors = likenesses.reshape(-1, 2, _TEXTS).max(axis=2)
        return best


def unlike(likenesses: Vectors | None, piece: Piece) -> float:
    """How unlike the relations are that lead to the answers of a piece; 0 without a model."""
    if likenesses is None or not piece.hops:
        return 0.0
    return float(1.0 - max(likenesses[relation, direction] for relation, direction in piece.hops))


def _said(entry: Entry, direction: int) -> tuple[str, str]:
    """A relation in two ways of asking for one of its ends."""
    clause = without_marks(entry.forward)
    if direction == FORWARD:
        return f"what is the {entry.noun or entry.label} of X?", f"X {clause} what?"
    return f"what {clause} X?", f"what has X as {entry.noun or entry.label}?"
