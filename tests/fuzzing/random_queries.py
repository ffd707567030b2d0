"""Random queries over a random graph: every way a pattern may hang together, deny, compare and repeat.

A query is drawn as plain JSON: patterns of statements `[negated, subject, relation, object]` or
`[negated, node, null, class]`. A node is `["?", name]`, `["id", id]` or `[comparator, value text]`. Many
queries grow along facts of the graph, so that they have answers. `built` makes a `Query` of it and `written`
a text, with names, brackets, blanks and an order of its own; both may find that it is no query.
"""

import random
from collections import defaultdict
from typing import Any

from brute_force import SmallGraph, Term
from fuzzing.random_graphs import ODD_NAMES, VALUES
from rollcall import RollcallError
from rollcall.query import Edge, Entity, Literal, Pattern, Query, Typing, Variable, parse_value
from rollcall.query.statements import Node, Statement
from rollcall.query.values import COMPARATORS, escape

Drawn = dict[str, Any]
ASKED = ["?", "x"]
COMPARED = ["?", "v"]


class QueryDrawer:
    """Draws queries over one graph."""

    def __init__(self, chance: random.Random, graph: SmallGraph) -> None:
        self.chance = chance
        self.graph = graph
        self.out: dict[Term, list[tuple[str, Term]]] = defaultdict(list)
        self.into: dict[Term, list[tuple[str, Term]]] = defaultdict(list)
        for subject, relation, object_ in sorted(graph.facts):
            self.out[subject].append((relation, object_))
            self.into[object_].append((relation, subject))
        for subject, relation, value in sorted(graph.values, key=lambda row: (row[0], row[1], row[2].text)):
            self.out[subject].append((relation, value))
            self.into[value].append((relation, subject))
        self.relations = sorted({row[1] for row in [*graph.facts, *graph.values]}) or ["P0"]
        classes = {row[1] for row in graph.types} | {name for row in graph.subclasses for name in row}
        self.classes = sorted(classes) or ["C0"]
        self.values = sorted({value.text for _, _, value in graph.values})

    def draw(self) -> Drawn:
        """A query; one that is none is drawn again."""
        while True:
            drawn = self._query()
            try:
                built(drawn)
            except RollcallError:
                continue
            return drawn

    def _query(self) -> Drawn:
        chance = self.chance
        aggregate = chance.choice([None] * 5 + ["count", "max", "min", "argmax", "argmin"])
        count = chance.choice([1, 1, 1, 1, 2, 3])
        distinct = chance.choice([0.0, 0.0, 1.0, 0.5])
        patterns = [
            {"distinct": chance.random() < distinct, "statements": _PatternDrawer(self, aggregate).draw()}
            for _ in range(count)
        ]
        return {"aggregate": aggregate, "patterns": patterns}

    def entity(self) -> str:
        if self.chance.random() < 0.04:
            return self.chance.choice([*ODD_NAMES, "nobody"])
        return self.chance.choice(self.graph.entities)

    def relation(self) -> str:
        if self.chance.random() < 0.03:
            return self.chance.choice([*ODD_NAMES, "nothing"])
        return self.chance.choice(self.relations)

    def class_id(self) -> str:
        return "no class" if self.chance.random() < 0.03 else self.chance.choice(self.classes)

    def value(self) -> str:
        if not self.values or self.chance.random() < 0.1:
            return self.chance.choice(VALUES)
        return self.chance.choice(self.values)


class _PatternDrawer:
    """Grows one pattern, statement by statement, from any node that is there."""

    def __init__(self, drawer: QueryDrawer, aggregate: str | None) -> None:
        self.drawer, self.chance, self.aggregate = drawer, drawer.chance, aggregate
        self.nodes: list[list[str]] = [ASKED]
        self.statements: list[list[Any]] = []
        self.may_compare = aggregate is None
        self.denying = self.chance.choice([0.0, 0.0, 0.2, 0.5])
        self.growing = self.chance.choice([0.3, 0.6, 0.9])
        self.standing: dict[str, Term] = {}
        """Where the pattern grows along facts: what each variable stands for."""
        if self.chance.random() < 0.6:
            asked = self.chance.choice([*drawer.graph.entities, *(drawer.into if drawer.into else [])])
            self.standing["x"] = asked

    def draw(self) -> list[list[Any]]:
        for number in range(self.chance.choice([1, 1, 2, 2, 3, 3, 4, 5, 6, 7])):
            self._grow(negated=number > 0 and self.chance.random() < self.denying)
        for _ in range(self.chance.choice([0, 0, 0, 1, 2])):
            self._deny_together()
        if self.aggregate in ("argmax", "argmin") and COMPARED not in self.nodes:
            subject = self._subject()
            self.statements.append([False, subject, self.drawer.relation(), COMPARED])
        self.chance.shuffle(self.statements)
        return self.statements

    def _grow(self, *, negated: bool) -> None:
        node = self.chance.choice(self.nodes)
        if node[0] in ("?", "id") and self.chance.random() < 0.12:
            self.statements.append([negated, node, None, self.drawer.class_id()])
        elif not negated and self._along_a_fact(node):
            pass
        elif node[0] not in ("?", "id"):  # a literal: something else has it, too
            subject = self._other(literal=False)
            self.statements.append([negated, subject, self.drawer.relation(), node])
        elif self.chance.random() < 0.05:
            self.statements.append([negated, node, self.drawer.relation(), node])
        elif self.chance.random() < 0.55:
            self.statements.append([negated, node, self.drawer.relation(), self._other(literal=True)])
        else:
            self.statements.append([negated, self._other(literal=False), self.drawer.relation(), node])

    def _deny_together(self) -> None:
        """Several nodes that have nothing in common: denials that a variable of their own links."""
        inner = ["?", f"n{len(self.nodes)}"]
        ends = [node for node in self.nodes if node[0] in ("?", "id")]
        for end in self.chance.sample(ends, min(len(ends), self.chance.choice([1, 2, 2, 3]))):
            pair = (end, inner) if self.chance.random() < 0.7 else (inner, end)
            self.statements.append([True, pair[0], self.drawer.relation(), pair[1]])
        self._add(inner)

    def _along_a_fact(self, node: list[str]) -> bool:
        """A statement that is true of what the node stands for."""
        term = self.standing.get(node[1]) if node[0] == "?" else node[1] if node[0] == "id" else None
        ways = [(*way, True) for way in self.drawer.out.get(term, ())]
        ways += [(*way, False) for way in self.drawer.into.get(term, ())]
        if not ways or self.chance.random() < 0.1:
            return False
        relation, other, forward = self.chance.choice(ways)
        end = self._standing_for(other)
        subject, object_ = (node, end) if forward else (end, node)
        if subject[0] not in ("?", "id"):
            return False
        self.statements.append([False, subject, relation, object_])
        return True

    def _standing_for(self, term: Term) -> list[str]:
        same = [["?", name] for name, other in self.standing.items() if other == term]
        if same and self.chance.random() < 0.5:
            return self.chance.choice(same)
        if self.chance.random() < 0.25:
            return self._add(["id", term] if isinstance(term, str) else ["=", term.text])
        variable = self._variable()
        self.standing[variable[1]] = term
        return variable

    def _subject(self) -> list[str]:
        return self.chance.choice([node for node in self.nodes if node[0] in ("?", "id")])

    def _other(self, *, literal: bool) -> list[str]:
        """A new variable, a node that is there, a constant."""
        if self.chance.random() < self.growing * 0.6:
            return self._variable()
        if self.chance.random() < 0.5:
            return self.chance.choice([node for node in self.nodes if literal or node[0] in ("?", "id")])
        if not literal or self.chance.random() < 0.5:
            return self._add(["id", self.drawer.entity()])
        value = self.drawer.value()
        if self.may_compare and self.chance.random() < 0.5:
            self.may_compare = False
            return [self.chance.choice(COMPARATORS), value]
        return self._add(["=", value])

    def _variable(self) -> list[str]:
        ordered = self.aggregate in ("argmax", "argmin") and COMPARED not in self.nodes
        if ordered and self.chance.random() < 0.3:
            return self._add(COMPARED)
        return self._add(["?", f"n{len(self.nodes)}"])

    def _add(self, node: list[str]) -> list[str]:
        if node not in self.nodes:
            self.nodes.append(node)
        return node


def built(drawn: Drawn) -> Query:
    """The query through Python's values."""
    patterns = [
        Pattern(tuple(_statement(*row) for row in pattern["statements"]), pattern["distinct"])
        for pattern in drawn["patterns"]
    ]
    return Query(tuple(patterns), drawn["aggregate"])


def _statement(negated: bool, subject: list[str], relation: str | None, object_: Any) -> Statement:
    start = _node(subject)
    assert not isinstance(start, Literal)
    if relation is None:
        return Typing(start, object_, negated)
    return Edge(start, relation, _node(object_), negated)


def _node(node: list[str]) -> Node:
    kind, text = node
    if kind == "?":
        return Variable(text)
    return Entity(text) if kind == "id" else Literal(parse_value(text), kind)


def written(drawn: Drawn, chance: random.Random) -> str:
    """The query as somebody else would write it: other names, another order, brackets, blanks."""
    return _Writer(drawn, chance).query()


class _Writer:
    def __init__(self, drawn: Drawn, chance: random.Random) -> None:
        self.drawn, self.chance = drawn, chance
        self.compared = self.chance.choice(["v", "h", "größe", "_0"])
        self.names: dict[str, str] = {}

    def query(self) -> str:
        patterns = [self._pattern(pattern) for pattern in self.drawn["patterns"]]
        self.chance.shuffle(patterns)
        body = f"{self._blank()}|{self._blank()}".join(patterns)
        aggregate = self.drawn["aggregate"]
        if aggregate in ("argmax", "argmin"):
            return f"{aggregate} ?{self.compared}{self._blank(least=1)}{body}"
        return body if aggregate is None else f"{aggregate} {body}"

    def _pattern(self, pattern: dict[str, Any]) -> str:
        ordered = self.drawn["aggregate"] in ("argmax", "argmin")
        rows = list(pattern["statements"])
        nodes = [row[1] for row in rows] + [row[3] for row in rows if row[2] is not None]
        used = {node[1] for node in nodes if node[0] == "?"} - {"x"}
        if ordered:
            used.discard("v")
        pool = [name for name in _NAMES if not (ordered and name == self.compared)]
        self.names = dict(zip(sorted(used), self.chance.sample(pool, len(used)), strict=True))
        self.names["x"] = "x"
        if ordered:
            self.names["v"] = self.compared
        rows += self.chance.sample(rows, self.chance.choice([0, 0, 1]))
        self.chance.shuffle(rows)
        text = f"{self._blank()};{self._blank()}".join(self._row(*row) for row in rows)
        lone = (
            len(self.drawn["patterns"]) == 1 and self.drawn["aggregate"] is None and not pattern["distinct"]
        )
        if lone and self.chance.random() < 0.5:
            return text + self.chance.choice(["", ";", " ; "])
        return ("distinct" if pattern["distinct"] else "") + f"{self._blank()}{{{text}{self._blank()}}}"

    def _row(self, negated: bool, subject: list[str], relation: str | None, object_: Any) -> str:
        denied = f"not{self._blank(least=1)}" if negated else ""
        if relation is None:
            return f"{denied}{self._text(subject)} a {self._name(object_)}"
        return f"{denied}{self._text(subject)} {self._name(relation)} {self._text(object_)}"

    def _text(self, node: list[str]) -> str:
        kind, text = node
        if kind == "?":
            return f"?{self.names[text]}"
        if kind == "id":
            return self._name(text)
        if kind == "=":
            return text
        comparator = {"<=": "≤", ">=": "≥"}.get(kind, kind) if self.chance.random() < 0.5 else kind
        return f"{comparator}{self._blank()}{text}"

    def _name(self, name: str) -> str:
        """In brackets, unless it is as plain as can be."""
        plain = name.isascii() and name.isalnum() and name[0].isalpha() and name not in _WORDS
        return name if plain and self.chance.random() < 0.7 else f"[{escape(name, ']')}]"

    def _blank(self, least: int = 0) -> str:
        return self.chance.choice(["", " ", "\n", "\t ", "  "][least:])


_WORDS = {"a", "not", "distinct", "count", "max", "min", "argmax", "argmin"}
_NAMES = [
    "y",
    "z",
    "v",
    "w_",
    "1",
    "2",
    "3",
    "10",
    "X",
    "ä",
    "n1",
    "n2",
    "row",
    "the_film",
    "other",
    "出",
    "v_",
]
