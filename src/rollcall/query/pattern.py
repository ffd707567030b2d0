"""One connected graph of statements around the question node: what it may look like and what it means.

- `Pattern`: the statements. `components`, `connected_part`: statements that hang together.
- `canonical_statements`: one name for every variable and one order, so that equal graphs are equal values.

A variable that occurs in a positive statement is existentially quantified over the whole graph. A variable
that occurs in negated statements only is quantified inside the negation, and the negated statements it
links are negated together: `not ?x P40 ?1; not ?1 P27 Q30` means "has no child who is a citizen of Q30".
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from rollcall._core.errors import RollcallError
from rollcall.query.statements import (
    QUESTION,
    TARGET,
    Edge,
    Entity,
    Literal,
    Node,
    Statement,
    Typing,
    Variable,
    name_text,
    renamed,
    variables_of,
)
from rollcall.query.values import shortened, writable


@dataclass(frozen=True)
class Pattern:
    """A conjunction of statements; `distinct` asks that the entities on all nodes differ."""

    statements: tuple[Statement, ...]
    distinct: bool = False

    def __post_init__(self) -> None:
        _check(self.statements)
        object.__setattr__(self, "statements", canonical_statements(self.statements))

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        return tuple(statement for statement in self.statements if isinstance(statement, Edge))

    @cached_property
    def typings(self) -> tuple[Typing, ...]:
        return tuple(statement for statement in self.statements if isinstance(statement, Typing))

    @cached_property
    def positive(self) -> tuple[Statement, ...]:
        return tuple(statement for statement in self.statements if not statement.negated)

    @cached_property
    def negative_groups(self) -> tuple[tuple[Statement, ...], ...]:
        """The negated statements in groups; variables that occur only in negations link those of a group."""
        outer = set(self.positive_variables)
        negated = [statement for statement in self.statements if statement.negated]
        return tuple(components(negated, lambda variable: variable not in outer))

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        variables = (variable for statement in self.statements for variable in variables_of(statement))
        return tuple(dict.fromkeys(variables))

    @cached_property
    def positive_variables(self) -> tuple[Variable, ...]:
        variables = (variable for statement in self.positive for variable in variables_of(statement))
        return tuple(dict.fromkeys(variables))

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        """The grounded entity nodes, the paper's topic entities."""
        nodes = (node for statement in self.statements for node in statement.nodes)
        return tuple(dict.fromkeys(node for node in nodes if isinstance(node, Entity)))

    @cached_property
    def comparisons(self) -> tuple[Edge, ...]:
        """The edges whose object is a literal with a comparator."""
        return tuple(
            edge for edge in self.edges if isinstance(edge.object, Literal) and edge.object.comparator != "="
        )

    @property
    def has_target(self) -> bool:
        return TARGET in self.variables

    def is_entity_variable(self, variable: Variable) -> bool:
        """Whether a variable can only stand for entities, because something is said about it."""
        return any(
            (isinstance(statement, Typing) and statement.node == variable)
            or (isinstance(statement, Edge) and statement.subject == variable)
            for statement in self.statements
            if not statement.negated or variable not in self.positive_variables
        )

    @property
    def text(self) -> str:
        body = "{" + "; ".join(statement.text for statement in self.statements) + "}"
        return f"distinct {body}" if self.distinct else body


def components(
    statements: Iterable[Statement], links: Callable[[Variable], bool]
) -> list[tuple[Statement, ...]]:
    """Group statements that share a variable for which `links` holds.

    Each group keeps the order of its statements; the groups are in the order of their last statements.
    """
    listed = list(statements)
    at: dict[Node, list[int]] = {}
    for number, statement in enumerate(listed):
        for variable in variables_of(statement):
            if links(variable):
                at.setdefault(variable, []).append(number)
    groups: list[list[int]] = []
    grouped: set[int] = set()
    for number, statement in enumerate(listed):
        if number not in grouped:
            groups.append(_reached(listed, at, filter(at.__contains__, variables_of(statement))) or [number])
            grouped.update(groups[-1])
    return [
        tuple(listed[number] for number in group) for group in sorted(groups, key=lambda group: group[-1])
    ]


def connected_part(statements: Iterable[Statement]) -> list[Statement]:
    """The statements that are connected with the question node through any nodes, in their order."""
    listed = list(statements)
    at: dict[Node, list[int]] = {}
    for number, statement in enumerate(listed):
        for node in statement.nodes:
            at.setdefault(node, []).append(number)
    return [listed[number] for number in _reached(listed, at, [QUESTION])]


def _reached(
    statements: Sequence[Statement], at: Mapping[Node, Sequence[int]], starts: Iterable[Node]
) -> list[int]:
    """The numbers of the statements that can be reached; `at` has those of each node that links."""
    waiting: list[Node] = list(starts)
    seen = set(waiting)
    reached: set[int] = set()
    while waiting:
        for number in at.get(waiting.pop(), ()):
            if number not in reached:
                reached.add(number)
                new = [node for node in statements[number].nodes if node not in seen]
                seen.update(new)
                waiting += new
    return sorted(reached)


def _check(statements: tuple[Statement, ...]) -> None:
    for statement in statements:
        writable(statement.relation if isinstance(statement, Edge) else statement.class_id, "a name")
        for node in statement.nodes:
            if isinstance(node, Entity):
                writable(node.id, "a name")
    if not any(not statement.negated and QUESTION in statement.nodes for statement in statements):
        raise RollcallError("a query must say something positive about its question node ?x")
    connected = set(connected_part(statements))
    if loose := next((statement for statement in statements if statement not in connected), None):
        raise RollcallError(
            f"every part of a query must be connected to ?x; this is not: {shortened(loose.text)}"
        )
    positive = {node for statement in statements if not statement.negated for node in statement.nodes}
    used = {node for statement in statements for node in statement.nodes}
    if TARGET in used and TARGET not in positive:
        raise RollcallError("the node ?v that argmax or argmin compares must occur in a positive statement")


# The canonical form: one name for every variable and one order for the statements. Variables are
# distinguished by the statements around them. Where several cannot be distinguished, each is tried and the
# smallest text is chosen.
#
# The canonical search: all ways to number a query's variables that do not depend on their names. Colours
# are refined by the statements around each variable until nothing changes. Where several variables have
# the same colour, each is tried in turn, until all colours differ: each result is a labelling.
# Symmetries avoid factorial cost: if a known symmetry maps a variable to one already tried, the variable
# gives nothing new and is skipped. A symmetry is found where two labellings give the same statements,
# or, earlier, where exchanging the variables that two choices have singled out changes nothing. A
# skipped variable would only repeat labellings, so the smallest labelling found is the smallest of all.

Colours = list[int]
"""A colour for each variable, by the variable's number."""
Symmetry = Mapping[int, int]
"""A permutation of variables that does not change the statements: the image of each variable that moves."""

_MOST_WORK = 5_000_000
"""How often statements may be examined: this takes some seconds; a usual query takes under a millisecond."""
_LABELLING = 20
"""The cost of writing and comparing a statement in a labelling, in examinations."""
_SELF = Variable("*")


class _Link(NamedTuple):
    """A statement between two variables, seen from one: the other's colour goes between two texts."""

    before: str
    other: int
    behind: str


class _Tie(NamedTuple):
    """A statement as its text without the names of variables, and the numbers of its variables."""

    text: str
    ends: tuple[int, ...]


def labellings(statements: Sequence[Statement], variables: Sequence[Variable]) -> Iterator[list[Variable]]:
    """Orders of the variables: at least one for each different set of statements that some order gives."""
    for colours in _CanonicalSearch(statements, variables).run():
        yield [variables[number] for number in sorted(range(len(variables)), key=colours.__getitem__)]


class _Level:
    """A node of the search: its colours, and which of the variables of one colour have been tried."""

    def __init__(self, colours: Colours, cell: list[int], fixed: Iterable[int]) -> None:
        self.colours = colours
        self.cell = cell
        self.outcomes: list[Colours] = []
        """The colours that each tried variable led to."""
        self._fixed = frozenset(fixed)
        self._waiting = iter(cell)
        self._tried: list[int] = []
        self._seen = 0
        self._leads_to = {number: number for number in cell}
        """A union-find forest: the variables of one tree are equivalent by symmetries."""

    def next(self, symmetries: Sequence[Symmetry]) -> int | None:
        """The next variable that no symmetry maps to a tried one; symmetries must fix all choices so far."""
        for symmetry in symmetries[self._seen :]:
            if self._fixed.isdisjoint(symmetry):
                for variable in self._leads_to.keys() & symmetry.keys():
                    self._leads_to[self._root(variable)] = self._root(symmetry[variable])
        self._seen = len(symmetries)
        for number in self._waiting:
            root = self._root(number)
            if all(self._root(other) != root for other in self._tried):
                self._tried.append(number)
                return number
        return None

    def choosing(self, singled_out: int) -> Colours:
        """The colours with one variable of the cell singled out."""
        colours = [2 * colour for colour in self.colours]
        for number in self.cell:
            colours[number] += number != singled_out
        return colours

    def _root(self, number: int) -> int:
        leads_to = self._leads_to
        while leads_to[number] != number:
            leads_to[number] = number = leads_to[leads_to[number]]
        return number


class _CanonicalSearch:
    """The search through one set of statements."""

    def __init__(self, statements: Sequence[Statement], variables: Sequence[Variable]) -> None:
        self._start = [
            0 if variable == QUESTION else 1 if variable == TARGET else 2 for variable in variables
        ]
        self._alone: list[list[str]] = [[] for _ in variables]
        self._links: list[list[_Link]] = [[] for _ in variables]
        self._ties: list[list[_Tie]] = [[] for _ in variables]
        self._all: set[_Tie] = set()
        self._symmetries: list[Symmetry] = []
        self._work = 0
        number_of = {variable: number for number, variable in enumerate(variables)}
        for statement in statements:
            self._add(statement, number_of)

    def _add(self, statement: Statement, number_of: dict[Variable, int]) -> None:
        variables = variables_of(statement)
        numbers = tuple(number_of[variable] for variable in variables)
        tie = _Tie(renamed(statement, dict.fromkeys(variables, _SELF)).text, numbers)
        self._all.add(tie)
        for number in numbers:
            self._ties[number].append(tie)
        if len(numbers) == 1:
            self._alone[numbers[0]].append(tie.text)
        elif numbers and isinstance(statement, Edge):
            denied, relation = "not " if statement.negated else "", name_text(statement.relation)
            subject, object_ = numbers
            self._links[subject].append(_Link(f"{denied}?* {relation} ?~", object_, ""))
            self._links[object_].append(_Link(f"{denied}?~", subject, f" {relation} ?*"))

    def run(self) -> Iterator[Colours]:
        """Every labelling, except repetitions by symmetries known at that time."""
        ways: dict[frozenset[_Tie], tuple[list[int], Colours]] = {}
        choices: list[int] = []
        colours, cell = self._settled(self._start)
        if not cell:
            yield colours
            return
        levels = [_Level(colours, cell, choices)]
        while levels:
            level = levels[-1]
            singled_out = level.next(self._symmetries)
            if singled_out is None:
                levels.pop()
                del choices[-1:]
                continue
            colours, cell = self._settled(level.choosing(singled_out))
            if self._repeats(level.outcomes, colours):
                continue
            level.outcomes.append(colours)
            way = [*choices, singled_out]
            if cell:
                choices = way
                levels.append(_Level(colours, cell, choices))
                continue
            self._count(_LABELLING * len(self._all))
            form = frozenset(_Tie(tie.text, tuple(colours[end] for end in tie.ends)) for tie in self._all)
            if form not in ways:
                ways[form] = (way, colours)
                yield colours
                continue
            # The same statements: all choices since the two paths separated are repetitions.
            earlier_way, earlier = ways[form]
            self._symmetries.append(_exchange(earlier, colours))
            together = zip(earlier_way, way, strict=False)
            parted = next(depth for depth, (left, right) in enumerate(together) if left != right)
            del levels[parted + 1 :], choices[parted:]

    def _settled(self, colours: Colours) -> tuple[Colours, list[int]]:
        """Refined colours, and the first variables that still share a colour."""
        while True:
            colours = self._refined(colours)
            cell = _open_cell(colours)
            # If exchanging any two of them changes nothing, any order of them is correct.
            if (
                not all(self._is_symmetry({left: right, right: left}) for left, right in pairwise(cell))
                or not cell
            ):
                return colours, cell
            position = {number: position for position, number in enumerate(cell)}
            colours = [len(cell) * colour + position.get(number, 0) for number, colour in enumerate(colours)]

    def _refined(self, colours: Colours) -> Colours:
        """Split colours by the colours around each variable until the number of colours is stable."""
        while True:
            sizes = Counter(colours)
            # The old colour comes first, so that refinement never changes the order of existing colours.
            keys = [
                (colour, self._around(number, colours) if sizes[colour] > 1 else ())
                for number, colour in enumerate(colours)
            ]
            rank = {key: position for position, key in enumerate(sorted(set(keys)))}
            colours = [rank[key] for key in keys]
            if len(rank) == len(sizes):
                return colours

    def _around(self, number: int, colours: Colours) -> tuple[str, ...]:
        """The statements about a variable, with the variable itself as `*` and others by colour."""
        links = self._links[number]
        self._count(1 + len(links))
        signatures = [f"{before}{colours[other]}{behind}" for before, other, behind in links]
        return tuple(sorted(signatures + self._alone[number]))

    def _repeats(self, outcomes: Sequence[Colours], colours: Colours) -> bool:
        """Whether exchanging the variables that this and an earlier choice singled out changes nothing."""
        shape = Counter(colours)
        for earlier in outcomes:
            if Counter(earlier) != shape:  # the exchange would move the choices so far
                continue
            symmetry = _exchange(earlier, colours)
            if self._is_symmetry(symmetry):
                self._symmetries.append(symmetry)
                return True
        return False

    def _is_symmetry(self, exchange: Symmetry) -> bool:
        for number in exchange:
            self._count(len(self._ties[number]))
            for text, ends in self._ties[number]:
                if _Tie(text, tuple(exchange.get(end, end) for end in ends)) not in self._all:
                    return False
        return True

    def _count(self, looks: int) -> None:
        self._work += looks
        if self._work > _MOST_WORK:
            raise RollcallError(
                "too many variables of the query are alike to give each its place; use fewer of them, "
                "or say something more about some"
            )


def _open_cell(colours: Colours) -> list[int]:
    """The variables of the first colour that several variables share."""
    sizes = Counter(colours)
    first = min((colour for colour, size in sizes.items() if size > 1), default=None)
    return [] if first is None else [number for number, colour in enumerate(colours) if colour == first]


def _exchange(earlier: Colours, later: Colours) -> Symmetry:
    """The permutation from each variable with a unique colour in `earlier` to the one with it in `later`.

    Each colour must occur equally often in both. Cycles are closed, so that the result is a permutation.
    """
    alone = {colour for colour, size in Counter(earlier).items() if size == 1}
    of = {colour: number for number, colour in enumerate(later)}
    exchange = {
        position: of[choice]
        for position, choice in enumerate(earlier)
        if choice in alone and of[choice] != position
    }
    origin = {image: number for number, image in exchange.items()}
    for last in origin.keys() - exchange.keys():
        first = last
        while first in origin:
            first = origin[first]
        exchange[last] = first
    return exchange


def canonical_statements(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """The same statements, without repetitions, with variables renamed and in canonical order."""
    unique = tuple(dict.fromkeys(statements))
    variables = sorted(
        {variable for statement in unique for variable in variables_of(statement)},
        key=lambda variable: variable.name,
    )
    if sum(variable not in (QUESTION, TARGET) for variable in variables) <= 1:  # only one possible order
        return _renamed(unique, variables)
    return min((_renamed(unique, ordered) for ordered in labellings(unique, variables)), key=_sort_key)


def _sort_key(statements: tuple[Statement, ...]) -> list[tuple[bool, bool, bool, str]]:
    return [_statement_key(statement) for statement in statements]


def _statement_key(statement: Statement) -> tuple[bool, bool, bool, str]:
    """Positive before negated, classes before edges, the question node's own first, then by text."""
    return (
        statement.negated,
        isinstance(statement, Edge),
        QUESTION not in statement.nodes,
        statement.text,
    )


def _renamed(statements: tuple[Statement, ...], ordered: list[Variable]) -> tuple[Statement, ...]:
    unnamed = [variable for variable in ordered if variable not in (QUESTION, TARGET)]
    names = {variable: Variable(str(number)) for number, variable in enumerate(unnamed, start=1)}
    return tuple(sorted((renamed(statement, names) for statement in statements), key=_statement_key))
