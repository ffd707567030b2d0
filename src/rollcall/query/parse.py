"""Reading a query's text.

    query     := [function] pattern ("|" pattern)*
    function  := "count" | "max" | "min" | ("argmax" | "argmin") variable
    pattern   := ["distinct"] "{" statement (";" statement)* "}"      (braces optional around a lone one)
    statement := ["not"] node "a" class  |  ["not"] node relation node
    node      := ?variable | entity | value | comparator value
    value     := 42 | 8848[metre] | @1960-05-17 | @1960 | "text" | "text"@en | @(48.8,2.3)

The question node is `?x`. A name of an entity, relation or class is bare (`P57`) or, where it has spaces or
looks like something else, in square brackets (`[place of birth]`).
"""

import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from rollcall._core.errors import RollcallError
from rollcall.query.pattern import Pattern
from rollcall.query.query import AGGREGATES, Naming, Query
from rollcall.query.statements import (
    BARE_NAME,
    QUESTION,
    TARGET,
    Edge,
    Entity,
    Literal,
    Node,
    Statement,
    Typing,
    Variable,
    renamed,
)
from rollcall.query.values import match_value, unescape

_SPACE = re.compile(r"\s*")
_VARIABLE = re.compile(r"\?(\w+)")
_BRACKETED = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_COMPARATOR = re.compile(r"<=|>=|<|>|≤|≥")
_NO_CHARACTER = re.compile("[\ud800-\udfff]")
_PLAIN_COMPARATOR = {"≤": "<=", "≥": ">="}


def parse_query(text: str) -> Query:
    """The query a text stands for; a mistake is reported with its place and what was expected."""
    return _Parser(text).query()


def parse_statement(text: str) -> Statement:
    """The one statement a text stands for, such as a fact between two entities."""
    return _Parser(text).lone_statement()


class _Parser:
    """A recursive-descent parser; one method per rule of the grammar above."""

    def __init__(self, source: str):
        if broken := _NO_CHARACTER.search(source):  # Python's surrogates for invalid UTF-8
            position = broken.start() + 1
            raise RollcallError(f"query, character {position}: {broken[0]!r} is not a character; use UTF-8")
        self.source = source
        self.position = _end(_SPACE, source, 0)

    def query(self) -> Query:
        aggregate = self._word_in(AGGREGATES)
        target = self._variable() if aggregate in ("argmax", "argmin") else None
        patterns = [self._pattern(target)]
        while self._take("|"):
            patterns.append(self._pattern(target))
        if self.position < len(self.source):
            self._fail("the end, ';' or '|'")
        return Query(tuple(patterns), aggregate)

    def lone_statement(self) -> Statement:
        statement = self._statement()
        if self.position < len(self.source):
            self._fail("the end")
        return statement

    def _pattern(self, target: Variable | None) -> Pattern:
        distinct = self._word_in(("distinct",)) is not None
        braced = self._take("{")
        statements: list[Statement] = []
        while True:
            if self._at_end_of_pattern():  # a trailing ';', or nothing at all
                break
            statements.append(self._statement())
            if not self._take(";"):
                break
        if braced and not self._take("}"):
            self._fail("';' or '}'")
        # Internally, only the variable that argmax names may be called ?v; another ?v is renamed.
        names = {TARGET: Variable("v'")} if target != TARGET else {}  # no query text can have this name
        if target is not None:
            names[target] = TARGET
        return Pattern(tuple(renamed(statement, names) for statement in statements), distinct)

    def _at_end_of_pattern(self) -> bool:
        return self.position >= len(self.source) or self.source[self.position] in "}|"

    def _statement(self) -> Statement:
        negated = self._word_in(("not",)) is not None
        subject = self._node("?x or the name of an entity")
        if isinstance(subject, Literal):
            self._fail("an entity or a variable before the relation, not a value")
        if self._word_in(("a",)) is not None:
            return Typing(subject, self._name("a class"), negated)
        return Edge(
            subject, self._name("a relation"), self._node("an entity, a value or a variable"), negated
        )

    def _node(self, expected: str) -> Node:
        if self.source.startswith("?", self.position):
            return self._variable()
        if match := self._match(_COMPARATOR):
            comparator = _PLAIN_COMPARATOR.get(match[0], match[0])
            return Literal(self._value().value, comparator)
        if self.position < len(self.source) and self.source[self.position] in '@"+-.0123456789':
            return self._value()
        return Entity(self._name(expected))

    def _value(self) -> Literal:
        match = match_value(self.source, self.position)
        if match is None:
            self._fail('a value such as 42, 8848[metre], @1960-05-17, @1960 or "text"')
        self.position = _end(_SPACE, self.source, match[1])
        return Literal(match[0])

    def _variable(self) -> Variable:
        match = self._match(_VARIABLE)
        if match is None:
            self._fail("a variable such as ?x")
        return Variable(match[1])

    def _name(self, expected: str) -> str:
        if match := self._match(_BRACKETED):
            return unescape(match[1])
        if match := self._match(BARE_NAME):
            return match[0]
        self._fail(expected)

    def _word_in(self, words: tuple[str, ...]) -> str | None:
        """Take the next bare word if it is one of these."""
        match = BARE_NAME.match(self.source, self.position)
        if match is None or match[0] not in words:
            return None
        self.position = _end(_SPACE, self.source, match.end())
        return match[0]

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.source, self.position)
        if match is not None:
            self.position = _end(_SPACE, self.source, match.end())
        return match

    def _take(self, mark: str) -> bool:
        if not self.source.startswith(mark, self.position):
            return False
        self.position = _end(_SPACE, self.source, self.position + len(mark))
        return True

    def _fail(self, expected: str) -> NoReturn:
        rest = self.source[self.position :]
        instead = f"found {rest[:20]!r}" if rest else "the text ends"
        raise RollcallError(f"query, character {self.position + 1}: expected {expected}, but {instead}")


def _end(pattern: re.Pattern[str], source: str, position: int) -> int:
    match = pattern.match(source, position)
    return position if match is None else match.end()


# A query as a small tree of lines for a terminal: the question node at the top, one line for each
# statement. An arrow shows the direction of a relation. A variable that is reached a second time is
# named again and not followed, so that a query with circles has an end.

_FUNCTIONS = {
    "count": "how many different ?x:",
    "max": "the greatest ?x:",
    "min": "the least ?x:",
    "argmax": "the ?x with the greatest ?v:",
    "argmin": "the ?x with the least ?v:",
}


def to_text_tree(query: Query, name: Naming | None = None) -> str:
    """The tree; `name` maps ids to the names shown."""
    naming = name or (lambda id_: id_)
    lines = [_FUNCTIONS[query.aggregate]] if query.aggregate else []
    for number, pattern in enumerate(query.patterns):
        lines += ["or"] * (number > 0)
        lines += _Tree(pattern, naming).lines()
    return "\n".join(lines)


class _Branch(NamedTuple):
    """An edge to show below a node."""

    edge: Edge
    node: Node
    indent: str
    is_last: bool


class _Tree:
    """The lines of one pattern. A query may be deeper than Python's recursion, so there is none here."""

    def __init__(self, pattern: Pattern, name: Naming) -> None:
        self._name = name
        self._pattern = pattern
        self._edges: dict[Node, list[Edge]] = {}
        self._typings: dict[Node, list[Typing]] = {}
        self._done: set[Edge] = set()
        for edge in pattern.edges:
            for node in dict.fromkeys(edge.nodes):
                self._edges.setdefault(node, []).append(edge)
        for typing in pattern.typings:
            self._typings.setdefault(typing.node, []).append(typing)

    def lines(self) -> Iterator[str]:
        apart = "  (all different)" if self._pattern.distinct else ""
        yield f"{self._shown(QUESTION)}{self._classes(QUESTION)}{apart}"
        waiting = self._below(QUESTION, "")
        while waiting:
            branch = waiting.pop()
            edge, indent = branch.edge, branch.indent
            other = edge.object if edge.subject == branch.node else edge.subject
            relation = ("not " if edge.negated else "") + self._name(edge.relation)
            arrow = f"─ {relation} → " if edge.subject == branch.node else f"← {relation} ─ "
            corner = "└" if branch.is_last else "├"
            yield f"{indent}{corner}{arrow}{self._shown(other)}{self._classes(other)}"
            waiting += self._below(other, indent + ("  " if branch.is_last else "│ "))

    def _below(self, node: Node, indent: str) -> list[_Branch]:
        """The edges at a node that were not shown yet, the last one first."""
        edges = [edge for edge in self._edges.pop(node, ()) if edge not in self._done]
        self._done.update(edges)
        return [_Branch(edge, node, indent, edge == edges[-1]) for edge in reversed(edges)]

    def _classes(self, node: Node) -> str:
        typings = self._typings.pop(node, ())
        return "".join(
            f": {'not ' if typing.negated else ''}{self._name(typing.class_id)}" for typing in typings
        )

    def _shown(self, node: Node) -> str:
        if isinstance(node, Variable):
            return "?" + (node if node in (QUESTION, TARGET) else node.name)
        if isinstance(node, Entity):
            return self._name(node.id)
        assert isinstance(node, Literal)
        order = "" if node.comparator == "=" else f"{node.comparator} "
        return f"{order}{node.value}"
