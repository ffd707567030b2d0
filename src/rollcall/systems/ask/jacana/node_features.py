"""What a node is, as features: the relations and directions on the way to it, their words, its classes."""

from functools import lru_cache

from rollcall.graph.index import GraphIndex
from rollcall.mine.neighbourhood import FORWARD
from rollcall.systems.ask.jacana.neighbours import Node
from rollcall.systems.ask.learned.paths import Path
from rollcall.systems.ask.words import roots_of

_PATHS = 3
"""Ways to a node that are told."""


class NodeFeatures:
    """The features of nodes of one graph."""

    def __init__(self, index: GraphIndex) -> None:
        self._index = index
        self.words = lru_cache(maxsize=None)(self._words)
        self._of_path = lru_cache(maxsize=65536)(self._path)

    def signature(self, node: Node) -> tuple[tuple[Path, ...], tuple[int, ...]]:
        """What decides the features of a node; equal ones have the same features."""
        if node.term >= self._index.entity_count:
            kinds: tuple[int, ...] = (
                -2 - int(self._index.literal_dimension[node.term - self._index.entity_count]),
            )
        else:
            kinds = tuple(self._index.direct_types(node.term)[:2].tolist())
        return node.paths[:_PATHS], kinds

    def of(self, paths: tuple[Path, ...], kinds: tuple[int, ...]) -> list[str]:
        """The features of the nodes of a signature."""
        found = [one for path in paths for one in self._of_path(path)]
        return list(dict.fromkeys([*found, *self.classes(kinds)]))

    def classes(self, kinds: tuple[int, ...]) -> list[str]:
        """The classes of a node, or the dimension of a value."""
        return [
            f"class {self._index.class_labels[one]}" if one >= 0 else f"value {self._dimension(-2 - one)}"
            for one in kinds
        ]

    def _dimension(self, number: int) -> str:
        return self._index.dimensions[number] if number >= 0 else "text"

    def _path(self, path: Path) -> tuple[str, ...]:
        named = [f"{'>' if hop % 2 == FORWARD else '<'}{self._index.relation_ids[hop // 2]}" for hop in path]
        words = (
            f"label {'>' if path[-1] % 2 == FORWARD else '<'}{word}" for word in self.words(path[-1] // 2)
        )
        return (f"path {' '.join(named)}", f"length {len(path)}", f"end {named[-1][0]}", *words)

    def _words(self, relation: int) -> tuple[str, ...]:
        """The words of a relation's label."""
        return tuple(
            dict.fromkeys(
                roots_of(self._index.relation_labels[relation] or self._index.relation_ids[relation])
            )
        )
