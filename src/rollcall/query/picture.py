"""A small picture of a query as SVG, in the drawing style of the GraphQuestions paper.

The question node has a double outline, grounded nodes are shaded, literals are sharp-cornered, functions are
circles on their node, negated edges are dashed. Nodes are in columns by their distance from the question
node.
"""

import re
from html import escape as escape_markup

from rollcall.query.pattern import Pattern
from rollcall.query.query import Naming, Query
from rollcall.query.statements import QUESTION, TARGET, Edge, Entity, Literal, Node, Typing, Variable

_LETTER, _HEIGHT, _ROW, _MARGIN, _OR = 7.2, 34.0, 74.0, 30.0, 20.0


_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def escape(text: str) -> str:
    """A text escaped for XML, without the control characters that XML cannot represent."""
    return escape_markup(_NO_XML.sub("\ufffd", text))


def to_svg(query: Query, name: Naming | None = None, *, styled: bool = True) -> str:
    """The picture as a self-contained SVG; `name` maps ids to the names shown.

    Without `styled` it has neither colours nor a ground: a page that holds it says how its classes look.
    """
    drawings = [_Drawing(query, pattern, name or (lambda id_: id_)) for pattern in query.patterns]
    width = max(drawing.width for drawing in drawings)
    height = sum(drawing.height for drawing in drawings) + _OR * (len(drawings) - 1)
    parts = []
    top = 0.0
    for drawing in drawings:
        parts.append(f'<g transform="translate(0 {top:.0f})">{"".join(drawing.parts)}</g>')
        top += drawing.height
        if drawing is not drawings[-1]:
            parts.append(f'<text x="{_MARGIN}" y="{top + 14:.0f}" class="word">or</text>')
            top += _OR
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" aria-label="{escape(query.text)}">'
        f"{f'<style>{STYLE}</style>' if styled else ''}{DEFINITIONS}"
        f"{_GROUND if styled else ''}{''.join(parts)}</svg>"
    )


DEFINITIONS = (
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" '
    'orient="auto"><path class="head" d="M0 0 8 4 0 8z" fill="#333"/></marker></defs>'
)
_GROUND = '<rect width="100%" height="100%" fill="#fff"/>'
STYLE = (
    "text{font:12px sans-serif;fill:#111;text-anchor:middle}"
    ".node{fill:#fff;stroke:#333}.grounded{fill:#dfe7f3}.edge{stroke:#333;fill:none;marker-end:url(#arrow)}"
    ".denied{stroke-dasharray:5 4;stroke:#a11}"
    ".word{font-size:11px;paint-order:stroke;stroke:#fff;stroke-width:4px}"
    ".function{fill:#ffe9b8;stroke:#333}"
)


class _Drawing:
    """One pattern: the positions of its nodes, and the SVG elements."""

    def __init__(self, query: Query, pattern: Pattern, name: Naming):
        self.query, self.pattern, self.name = query, pattern, name
        self.classes: dict[Node, list[Typing]] = {}
        for typing in pattern.typings:
            self.classes.setdefault(typing.node, []).append(typing)
        self.twins: dict[frozenset[Node], dict[Edge, int]] = {}
        """The edges between the same two nodes, with their numbers."""
        for edge in pattern.edges:
            twins = self.twins.setdefault(frozenset(edge.nodes), {})
            twins[edge] = len(twins)
        self.labels = {node: self._label(node) for node in _nodes(pattern)}
        self.widths = {node: max(46.0, len(text) * _LETTER + 22) for node, text in self.labels.items()}
        self.places: dict[Node, tuple[float, float]] = {}
        self.rights: dict[Node, float] = {}
        self._place()
        self.parts = [*map(self._edge, pattern.edges), *map(self._node, self.labels)]

    def _place(self) -> None:
        columns = _columns(self.pattern, list(self.labels))
        rows = max(len(column) for column in columns)
        self.height = rows * _ROW + _MARGIN
        gaps, bows = self._rooms(columns)
        x = _MARGIN
        for number, column in enumerate(columns):
            wide = max(self.widths[node] for node in column)
            for row, node in enumerate(column):
                middle = _MARGIN / 2 + (rows * _ROW) * (row + 0.5) / len(column)
                self.places[node] = (x + wide / 2, middle)
                self.rights[node] = x + wide
            gap = gaps[number] if number + 1 < len(columns) else 0.0
            x += wide + max(gap, bows[number])
        self.width = x + _MARGIN

    def _rooms(self, columns: list[list[Node]]) -> tuple[list[float], list[float]]:
        """Room right of each column: for names of edges to the next one, and of edges inside it."""
        column_of = {node: number for number, column in enumerate(columns) for node in column}
        longest: list[int | None] = [None] * len(columns)
        bows = [0.0] * len(columns)
        for edge in self.pattern.edges:
            first, last = sorted((column_of[edge.subject], column_of[edge.object]))
            length = len(self.name(edge.relation))
            if first + 1 == last:
                longest[first] = max(longest[first] or 0, length + 4 * edge.negated)
            elif first == last and edge.subject != edge.object:
                bows[first] = max(bows[first], 36 + length * 6.4)
        return [44 + (4 if length is None else length) * 6.4 for length in longest], bows

    def _label(self, node: Node) -> str:
        if isinstance(node, Entity):
            return self.name(node.id)
        if isinstance(node, Literal):
            sign = "" if node.comparator == "=" else f"{node.comparator} "
            return sign + str(node.value)
        # A node that occurs only in a negation is negated with its edges, not by itself.
        denied = "not " if node in self.pattern.positive_variables else ""
        classes = [
            (denied if typing.negated else "") + self.name(typing.class_id)
            for typing in self.classes.get(node, ())
        ]
        return ", ".join(classes) or node.text

    def _node(self, node: Node) -> str:
        (x, y), width = self.places[node], self.widths[node]
        kind = "node" if isinstance(node, Variable) else "node grounded"
        corner = 0 if isinstance(node, Literal) else 12
        outlines = [0.0, 3.0] if node == QUESTION else [0.0]
        boxes = "".join(
            f'<rect class="{kind}" x="{x - width / 2 + inset:.1f}" y="{y - _HEIGHT / 2 + inset:.1f}" '
            f'width="{width - 2 * inset:.1f}" height="{_HEIGHT - 2 * inset:.1f}" '
            f'rx="{max(0, corner - inset):g}"/>'
            for inset in outlines
        )
        text = f'<text x="{x:.1f}" y="{y + 4:.1f}">{escape(self.labels[node])}</text>'
        return boxes + text + self._function(node)

    def _function(self, node: Node) -> str:
        over_question = self.query.aggregate in ("count", "max", "min")
        if not self.query.aggregate or node != (QUESTION if over_question else TARGET):
            return ""
        x, y = self.places[node][0] + self.widths[node] / 2, self.places[node][1] - _HEIGHT / 2 - 3
        return (
            f'<ellipse class="function" cx="{x:.1f}" cy="{y:.1f}" rx="26" ry="10"/>'
            f'<text x="{x:.1f}" y="{y + 4:.1f}">{self.query.aggregate}</text>'
        )

    def _edge(self, edge: Edge) -> str:
        start, end = self.places[edge.subject], self.places[edge.object]
        kind = "edge denied" if edge.negated else "edge"
        word = escape(("not " if edge.negated else "") + self.name(edge.relation))
        if edge.subject == edge.object:
            x, y = start[0], start[1] - _HEIGHT / 2
            path = f"M{x - 14:.1f} {y:.1f}c-6 -30 34 -30 28 0"
            return _arrow(kind, path, word, x, y - 24)
        twins = self.twins[frozenset(edge.nodes)]
        bend = (twins[edge] - (len(twins) - 1) / 2) * 30
        if self.rights[edge.subject] == self.rights[edge.object]:  # in one column: curve to the right
            return self._bowed(edge, kind, word, bend)
        x1, y1 = self._border(edge.subject, end)
        x2, y2 = self._border(edge.object, start)
        middle_x, middle_y = (x1 + x2) / 2, (y1 + y2) / 2 + bend
        path = f"M{x1:.1f} {y1:.1f}Q{middle_x:.1f} {middle_y:.1f} {x2:.1f} {y2:.1f}"
        at_x, at_y = (x1 + 2 * middle_x + x2) / 4, (y1 + 2 * middle_y + y2) / 4 - 4
        return _arrow(kind, path, word, at_x, at_y)

    def _bowed(self, edge: Edge, kind: str, word: str, bend: float) -> str:
        (x1, y1), (x2, y2) = self.places[edge.subject], self.places[edge.object]
        x1, x2 = x1 + self.widths[edge.subject] / 2, x2 + self.widths[edge.object] / 2
        out = self.rights[edge.subject] + 44 + bend
        path = f"M{x1:.1f} {y1:.1f}C{out:.1f} {y1:.1f} {out:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
        half = len(word) * 3.2
        return _arrow(kind, path, word, (x1 + 3 * out * 2 + x2) / 8 + half * 0.8, (y1 + y2) / 2 + bend / 2)

    def _border(self, node: Node, towards: tuple[float, float]) -> tuple[float, float]:
        """Where a line from the node's middle towards a point leaves its box."""
        x, y = self.places[node]
        across, along = towards[0] - x, towards[1] - y
        scale = min(
            self.widths[node] / 2 / abs(across) if across else float("inf"),
            _HEIGHT / 2 / abs(along) if along else float("inf"),
        )
        return x + across * scale, y + along * scale


def _arrow(kind: str, path: str, word: str, x: float, y: float) -> str:
    return f'<path class="{kind}" d="{path}"/><text class="word" x="{x:.1f}" y="{y:.1f}">{word}</text>'


def _nodes(pattern: Pattern) -> list[Node]:
    nodes: list[Node] = [QUESTION]
    nodes += [node for statement in pattern.statements for node in statement.nodes]
    return list(dict.fromkeys(nodes))


def _columns(pattern: Pattern, nodes: list[Node]) -> list[list[Node]]:
    """The nodes by their distance from the question node."""
    beside: dict[Node, set[Node]] = {node: set() for node in nodes}
    for edge in pattern.edges:
        beside[edge.subject].add(edge.object)
        beside[edge.object].add(edge.subject)
    rank = {node: number for number, node in enumerate(nodes)}
    columns: list[list[Node]] = [[QUESTION]]
    placed: set[Node] = {QUESTION}
    while len(placed) < len(nodes):
        near = {other for node in columns[-1] for other in beside[node]} - placed
        columns.append(sorted(near, key=rank.__getitem__))
        placed.update(near)
    return columns
