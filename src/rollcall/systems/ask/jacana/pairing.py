"""The features of candidate answers: those of the question times those of the node, and how the words align.

Nodes with the same features are one row, so that a topic with many neighbours costs little.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rollcall.graph.index import GraphIndex
from rollcall.mine.neighbourhood import Neighbourhood
from rollcall.systems.ask.jacana.neighbours import neighbours
from rollcall.systems.ask.jacana.node_features import NodeFeatures
from rollcall.systems.ask.jacana.question_features import question_features
from rollcall.systems.ask.jacana.topics import Topic, topics_of
from rollcall.systems.ask.learned.alignment import AlignedWords, content_words
from rollcall.systems.ask.learned.paths import Path
from rollcall.systems.ask.reading import Reading
from rollcall.systems.ask.words import roots_of

_RANKS = (1, 3, 10)


class Row(NamedTuple):
    """Candidate answers with the same features."""

    terms: tuple[int, ...]
    features: dict[str, float]


class Pairing:
    """Makes rows for questions about one graph."""

    def __init__(self, index: GraphIndex, hops: Neighbourhood, *, topics: int, nodes: int) -> None:
        self._index, self._hops = index, hops
        self._topics, self._most = topics, nodes
        self._nodes = NodeFeatures(index)

    def rows(self, reading: Reading, aligned: AlignedWords[int]) -> list[Row]:
        """All candidate answers to a question; none if no name in it is known."""
        return [
            row
            for place, topic in enumerate(topics_of(reading, self._topics))
            for row in self._around(reading, topic, place, aligned)
        ]

    def _around(self, reading: Reading, topic: Topic, place: int, aligned: AlignedWords[int]) -> list[Row]:
        grouped: dict[tuple[tuple[Path, ...], tuple[int, ...]], list[int]] = {}
        for node in neighbours(self._index, self._hops, topic.entity, self._most):
            grouped.setdefault(self._nodes.signature(node), []).append(node.term)
        asked = question_features(self._index, reading, topic)
        words = content_words(reading, topic.mask)
        strengths = {path: _strength(path, words, aligned) for paths, _ in grouped for path in paths}
        ranked = sorted({round(one, 9) for one in strengths.values()}, reverse=True)
        found = []
        for (paths, kinds), terms in grouped.items():
            own = self._nodes.of(paths, kinds)
            features = {f"{question} & {node}": 1.0 for question in asked for node in own}
            features |= self._matching(reading, paths, kinds, words)
            features |= _aligned(max(strengths[path] for path in paths), ranked)
            features[f"topic {place}"] = 1.0
            found.append(Row(tuple(terms), features))
        return found

    def _matching(
        self, reading: Reading, paths: Sequence[Path], kinds: tuple[int, ...], words: Sequence[str]
    ) -> dict[str, float]:
        """How many words of the labels on the way, and of the classes, the question has."""
        best = max(self._share(path, words) for path in paths)
        named = {root for one in self._nodes.classes(kinds) for root in roots_of(one)}
        focus = reading.kind.roots[-1] if reading.kind.roots else ""
        found = {"label: share in the question": best, "label: wholly in the question": float(best == 1.0)}
        if focus:
            found[
                "the noun asked for is its class" if focus in named else "the noun asked for is no class"
            ] = 1.0
        return found

    def _share(self, path: Path, words: Sequence[str]) -> float:
        labels = [self._nodes.words(hop // 2) for hop in path]
        return sum(sum(one in words for one in own) / len(own) for own in labels if own) / len(path)


def _strength(path: Path, words: Sequence[str], aligned: AlignedWords[int]) -> float:
    """How well the words of a question go with the relations of a path."""
    return sum(max((aligned.lift(word, hop) for word in words), default=0.0) for hop in path) / len(path)


def _aligned(strength: float, ranked: Sequence[float]) -> dict[str, float]:
    rank = sum(one > strength + 1e-9 for one in ranked) + 1
    found = {f"alignment: among the best {most}": 1.0 for most in _RANKS if rank <= most and strength > 0}
    return {"alignment": strength, **found}
