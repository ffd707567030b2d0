"""What a graph says of one entity: the relations that lead from it and to it, with some of their ends."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from rollcall.graph.graph import Graph
from rollcall.graph.rows import slice_of
from rollcall.query.picture import DEFINITIONS, STYLE, escape


class Neighbour(msgspec.Struct, frozen=True):
    """Another end of a relation: an entity, or a value without an id."""

    label: str
    id: str | None = None


class Spoke(msgspec.Struct, frozen=True):
    """A relation of an entity in one direction, with its first other ends and how many there are."""

    relation: str
    label: str
    outgoing: bool
    neighbours: tuple[Neighbour, ...]
    count: int


class EntityNeighbourhood(msgspec.Struct, frozen=True):
    """An entity with its relations; those that lead from it come first."""

    id: str
    label: str
    spokes: tuple[Spoke, ...]


def neighbourhood(graph: Graph, id_: str, most: int = 8) -> EntityNeighbourhood:
    """The neighbourhood of an entity, with at most so many other ends of each relation."""
    entity = graph.entity(id_)
    return EntityNeighbourhood(entity.id, entity.label or entity.id, tuple(_spokes(graph, id_, most)))


def _spokes(graph: Graph, id_: str, most: int) -> Iterator[Spoke]:
    index = graph.index
    number = index.entity_number(id_)
    assert number is not None
    for outgoing in (True, False):
        for relation, name in enumerate(index.relation_ids):
            pairs = index.forward(relation) if outgoing else index.backward(relation)
            ends = slice_of(pairs, number, index.dtype).tolist()
            if ends:
                neighbours = tuple(_neighbour(graph, end) for end in ends[:most])
                yield Spoke(name, graph.relation_label(name), outgoing, neighbours, len(ends))


def _neighbour(graph: Graph, term: int) -> Neighbour:
    index = graph.index
    if term < index.entity_count:
        return Neighbour(index.entity_labels[term] or index.entity_ids[term], index.entity_ids[term])
    return Neighbour(str(index.value(term)))


# The neighbourhood of an entity as SVG: what leads to it stands left of it, what it leads to right of
# it. It looks like the pictures of queries (`rollcall.query.picture`): entities are round and shaded,
# values are sharp-cornered. The arrows of one relation share one line and one name, so that many of them
# stay readable.

_LETTER, _HEIGHT, _ROW, _GROUP, _MARGIN, _FAN = 7.2, 28.0, 36.0, 10.0, 20.0, 46.0
_LONGEST = 34
_ENDS = 3
"""At most so many other ends of a relation are drawn."""


class _Side(NamedTuple):
    """The relations on one side of the entity, from top to bottom, with the room they take."""

    spokes: Sequence[Spoke]
    height: float
    boxes: float
    words: float

    @property
    def width(self) -> float:
        return self.boxes + _FAN + self.words + 2 * _FAN if self.spokes else 0.0


def neighbourhood_svg(around: EntityNeighbourhood) -> str:
    """The picture as a self-contained SVG."""
    left = _side([spoke for spoke in around.spokes if not spoke.outgoing])
    right = _side([spoke for spoke in around.spokes if spoke.outgoing])
    height = max(left.height, right.height, _ROW) + 2 * _MARGIN
    half = _width(around.label) / 2
    x = _MARGIN + left.width + half
    total = x + half + right.width + _MARGIN
    parts = [
        *_drawn(left, (x - half, height / 2), -1),
        *_drawn(right, (x + half, height / 2), 1),
        _box(x, height / 2, around.label, is_value=False, style="stroke-width:2"),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total:.0f} {height:.0f}" '
        f'width="{total:.0f}" height="{height:.0f}" role="img" aria-label="{escape(around.label)}">'
        f"<style>{STYLE}.line{{stroke:#333;fill:none}}</style>{DEFINITIONS}"
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _ends(spoke: Spoke) -> list[tuple[str, bool]]:
    """The other ends of a relation that are drawn, and whether each is a value."""
    ends = [(_short(one.label), one.id is None) for one in spoke.neighbours[:_ENDS]]
    if spoke.count > len(ends):
        ends.append((f"… and {spoke.count - len(ends):,} more", True))
    return ends


def _side(spokes: Sequence[Spoke]) -> _Side:
    ends = [_ends(spoke) for spoke in spokes]
    boxes = max((_width(text) for group in ends for text, _ in group), default=0.0)
    words = max((len(_short(spoke.label)) * _LETTER for spoke in spokes), default=0.0)
    return _Side(spokes, sum(len(group) * _ROW + _GROUP for group in ends), boxes, words)


def _drawn(side: _Side, hub: tuple[float, float], way: int) -> Iterator[str]:
    """The relations of one side; `way` is 1 to the right of the hub, and -1 to the left."""
    top = hub[1] - side.height / 2
    near = hub[0] + way * 2 * _FAN
    far = near + way * side.words
    at = far + way * (_FAN + side.boxes / 2)
    for spoke in side.spokes:
        ends = _ends(spoke)
        heights = [top + (place + 0.5) * _ROW for place in range(len(ends))]
        middle = sum(heights) / len(heights)
        yield _curve(hub, (near, middle), "line" if way > 0 else "edge", way < 0)
        yield f'<path class="line" d="M{near:.1f} {middle:.1f}H{far:.1f}"/>'
        yield (
            f'<text class="word" x="{(near + far) / 2:.1f}" y="{middle - 4:.1f}">'
            f"{escape(_short(spoke.label))}</text>"
        )
        for (text, is_value), y in zip(ends, heights, strict=True):
            border = at - way * _width(text) / 2
            yield _curve((far, middle), (border, y), "edge" if way > 0 else "line", False)
            yield _box(at, y, text, is_value=is_value)
        top += len(ends) * _ROW + _GROUP


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _width(text: str) -> float:
    return len(_short(text)) * _LETTER + 24


def _box(x: float, y: float, text: str, *, is_value: bool, style: str = "") -> str:
    width, corner = _width(text), 0 if is_value else _HEIGHT / 2
    kind = "node" if is_value else "node grounded"
    return (
        f'<rect class="{kind}" x="{x - width / 2:.1f}" y="{y - _HEIGHT / 2:.1f}" width="{width:.1f}" '
        f'height="{_HEIGHT:.0f}" rx="{corner:.0f}" style="{style}"/>'
        f'<text x="{x:.1f}" y="{y + 4:.1f}">{escape(_short(text))}</text>'
    )


def _curve(start: tuple[float, float], end: tuple[float, float], kind: str, back: bool) -> str:
    """A curve between two points, drawn from its end if the arrow points back."""
    (x1, y1), (x2, y2) = (end, start) if back else (start, end)
    bend = (x1 + x2) / 2
    path = f"M{x1:.1f} {y1:.1f}C{bend:.1f} {y1:.1f} {bend:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    return f'<path class="{kind}" d="{path}"/>'
