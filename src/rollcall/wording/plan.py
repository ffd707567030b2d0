"""The order in which a pattern is expressed: a tree from the question node, with references back for cycles.

Each variable is introduced once, where it first occurs; later statements about two variables already
introduced refer back. Negated statements that share a variable of their own stay together. Statements that
are connected with the question only through an entity come last.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from rollcall.query import QUESTION, Edge, Pattern, Typing, Variable
from rollcall.query.statements import TARGET, Node, Statement, variables_of


@dataclass
class Condition:
    """An edge, seen from one of its ends; `child` is the other end if it is introduced here."""

    relation: str
    forward: bool
    other: Node
    denied: bool = False
    child: "NodePlan | None" = None


@dataclass
class NodePlan:
    """A variable with all conditions that are stated where it is introduced."""

    variable: Variable
    classes: list[str] = field(default_factory=list)
    denied_classes: list[str] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    compared: str | None = None
    """The relation whose values a superlative compares."""

    @property
    def nodes(self) -> "list[NodePlan]":
        """This node and those below it, in the order of the text."""
        found = [self]
        for condition in self.conditions:
            if condition.child is not None:
                found += condition.child.nodes
        return found

    @property
    def is_bare(self) -> bool:
        return not (self.classes or self.denied_classes or self.conditions or self.compared)


@dataclass
class Plan:
    """The tree, the variables that are mentioned again, and the statements outside the tree."""

    root: NodePlan
    referenced: set[Variable]
    loose: list[tuple[bool, NodePlan | Statement]]


def plan_of(pattern: Pattern) -> Plan:
    """The plan of a pattern."""
    return _Planner(pattern).plan()


class _Planner:
    def __init__(self, pattern: Pattern):
        self.pattern = pattern
        self.seen: dict[Variable, NodePlan] = {}
        self.referenced: set[Variable] = set()
        self.loose: list[tuple[bool, NodePlan | Statement]] = []
        self.compared = False
        self.stated: set[Statement] = set()

    def plan(self) -> Plan:
        root = self._grow(QUESTION, list(self.pattern.positive))
        while left := self._unstated(self.pattern.positive):
            self._state_loose(left, denied=False)
        for group in self.pattern.negative_groups:
            self._deny(group)
        for node in [root, *(stated for _, stated in self.loose if isinstance(stated, NodePlan))]:
            for below in node.nodes:
                below.conditions.sort(key=_weight)
        return Plan(root, self.referenced, self.loose)

    def _grow(self, start: Variable, statements: list[Statement]) -> NodePlan:
        """The tree of all statements that variables connect with the start."""
        root = self.seen[start] = NodePlan(start)
        queue = [start]
        closing: list[Edge] = []
        stated: set[Statement] = set()
        for variable in queue:
            node = self.seen[variable]
            for statement in statements:
                if statement in stated or variable not in statement.nodes:
                    continue
                stated.add(statement)
                if isinstance(statement, Typing):
                    node.classes.append(statement.class_id)
                    continue
                forward = statement.subject == variable
                other = statement.object if forward else statement.subject
                if other == TARGET and not self.compared and forward:
                    node.compared, self.compared = statement.relation, True
                elif not isinstance(other, Variable) or other in (variable, TARGET):
                    node.conditions.append(Condition(statement.relation, forward, other))
                elif other in self.seen:
                    closing.append(statement)
                else:
                    child = self.seen[other] = NodePlan(other)
                    node.conditions.append(Condition(statement.relation, forward, other, child=child))
                    queue.append(other)
        self.stated |= stated
        self._close(closing)
        return root

    def _close(self, edges: Iterable[Edge], *, denied: bool = False) -> None:
        """Attach edges between variables already introduced to the one that comes later."""
        for edge in edges:
            order = self._order()
            ends = [node for node in edge.nodes if isinstance(node, Variable)]
            later = max(ends, key=order.index)
            forward = edge.subject == later
            other = edge.object if forward else edge.subject
            self.seen[later].conditions.append(Condition(edge.relation, forward, other, denied))
            if isinstance(other, Variable):
                self.referenced.add(other)

    def _order(self) -> list[Variable]:
        roots = [self.seen[QUESTION], *(stated for _, stated in self.loose if isinstance(stated, NodePlan))]
        stated = [node.variable for root in roots for node in root.nodes]
        return [*stated, *(variable for variable in self.seen if variable not in stated)]

    def _unstated(self, statements: Iterable[Statement]) -> list[Statement]:
        return [statement for statement in statements if statement not in self.stated]

    def _state_loose(self, statements: list[Statement], *, denied: bool) -> None:
        start = next(
            (v for s in statements for v in variables_of(s) if v not in self.seen and v != TARGET), None
        )
        if start is None:
            for statement in statements:
                self.stated.add(statement)
                self.loose.append((denied, statement))
            return
        self.loose.append((denied, self._grow(start, statements)))

    def _deny(self, group: tuple[Statement, ...]) -> None:
        outer = set(self.seen)
        own = [v for s in group for v in variables_of(s) if v not in outer and v != TARGET]
        if not own:
            for statement in group:
                self._deny_one(statement)
            return
        link = next(
            (
                s
                for s in group
                if isinstance(s, Edge) and set(variables_of(s)) & outer and set(variables_of(s)) & set(own)
            ),
            None,
        )
        if link is None:
            self._state_loose(list(group), denied=True)
            return
        forward = link.subject in outer
        anchor, start = (link.subject, link.object) if forward else (link.object, link.subject)
        assert isinstance(anchor, Variable)
        assert isinstance(start, Variable)
        condition = Condition(link.relation, forward, start, denied=True)
        self.seen[anchor].conditions.append(condition)
        condition.child = self._grow(start, [statement for statement in group if statement != link])
        for statement in group:  # an edge from the negated part to a second outer variable
            if statement != link and statement not in self.stated and isinstance(statement, Edge):
                self._close([statement])
                self.stated.add(statement)

    def _deny_one(self, statement: Statement) -> None:
        variables = [v for v in variables_of(statement) if v in self.seen]
        if not variables:
            self.loose.append((True, statement))
        elif isinstance(statement, Typing):
            self.seen[variables[0]].denied_classes.append(statement.class_id)
        elif len(variables) == 2:
            self._close([statement], denied=True)
        else:
            forward = statement.subject == variables[0]
            other = statement.object if forward else statement.subject
            self.seen[variables[0]].conditions.append(
                Condition(statement.relation, forward, other, denied=True)
            )


def _weight(condition: Condition) -> tuple[bool, bool]:
    """Conditions that contain a clause come after the others; negated ones come last."""
    return (condition.denied, condition.child is not None)
