"""A second definition of a query's denotation, for graphs too large to try every assignment.

A plain backtracking join over Python's sets and dictionaries: it shares nothing with the evaluators but the
query value, and is itself held to `brute_force` on small graphs. For each possible answer it looks for one
solution; a query that would take too many steps is given up with `TooHardError`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from brute_force import SmallGraph, Term, negated_groups
from rollcall.query import Edge, Entity, Literal, Pattern, Query, Typing, Variable, number
from rollcall.query.statements import Node, Statement

X, V = Variable("x"), Variable("v")
Assignment = dict[Variable, Term]


class TooHardError(Exception):
    """More steps than a test may take."""


class Reference:
    """Answers queries on one small graph by backtracking."""

    def __init__(self, graph: SmallGraph, most_steps: int = 300_000) -> None:
        self.most_steps = most_steps
        self.objects: dict[tuple[str, Term], set[Term]] = defaultdict(set)
        self.subjects: dict[tuple[str, Term], set[Term]] = defaultdict(set)
        self.pairs: dict[str, set[tuple[Term, Term]]] = defaultdict(set)
        for subject, relation, object_ in [*graph.facts, *graph.values]:
            self.objects[relation, subject].add(object_)
            self.subjects[relation, object_].add(subject)
            self.pairs[relation].add((subject, object_))
        self.members: dict[str, set[Term]] = defaultdict(set)
        for entity in {entity for entity, _ in graph.types}:
            for class_id in graph.classes_of(entity):
                self.members[class_id].add(entity)

    def denotation(self, query: Query) -> frozenset[Term]:
        if query.aggregate is None or query.aggregate == "count":
            answers = {term for pattern in query.patterns for (term,) in self.found(pattern, (X,))}
            return frozenset(answers if query.aggregate is None else {number(len(answers))})
        asked = (X, X) if query.aggregate in ("max", "min") else (X, V)
        compared = {pair for pattern in query.patterns for pair in self.found(pattern, asked)}
        values = {value for _, value in compared if not isinstance(value, str) and value.bounds is not None}
        greatest = query.aggregate in ("max", "argmax")
        best = {value for value in values if not any(beats(other, value, greatest) for other in values)}
        return frozenset(answer for answer, value in compared if value in best)

    def found(self, pattern: Pattern, asked: tuple[Variable, ...]) -> set[tuple[Term, ...]]:
        """The values of the asked variables for which there is a solution."""
        return _Search(self, pattern).found(asked)


def beats(value, other, greatest: bool) -> bool:
    one, two = value.bounds, other.bounds
    return one.dimension == two.dimension and (one.low > two.high if greatest else one.high < two.low)


class _Search:
    def __init__(self, graph: Reference, pattern: Pattern) -> None:
        self.graph = graph
        self.distinct = pattern.distinct
        self.positive = [statement for statement in pattern.statements if not statement.negated]
        self.groups = negated_groups(pattern)
        self.constants = {n.id for s in pattern.statements for n in s.nodes if isinstance(n, Entity)}
        self.outer = {v for statement in self.positive for v in variables(statement)}
        self.steps = 0

    def found(self, asked: tuple[Variable, ...]) -> set[tuple[Term, ...]]:
        results: set[tuple[Term, ...]] = set()
        for chosen in self.choices(list(dict.fromkeys(asked)), {}):
            if self.has_solution(self.positive, chosen, self.groups):
                results.add(tuple(chosen[variable] for variable in asked))
        return results

    def choices(self, asked: list[Variable], given: Assignment) -> Iterator[Assignment]:
        """Every way to give the asked variables values that their own statements allow."""
        if not asked:
            yield given
            return
        about = [s for s in self.positive if asked[0] in variables(s)]
        sets = []
        for statement in about:
            found = list(self.ways(statement, given))
            sets.append({way[asked[0]] for way in found if asked[0] in way})
        for term in set.intersection(*sets):
            if self.fits(term, given):
                yield from self.choices(asked[1:], {**given, asked[0]: term})

    def has_solution(
        self, statements: Iterable[Statement], given: Assignment, groups: list[list[Statement]]
    ) -> bool:
        """Whether all statements can be made true, and then none of the groups."""
        self.steps += 1
        if self.steps > self.graph.most_steps:
            raise TooHardError
        open_groups = []
        for group in groups:
            needed = self.outer if self.distinct else {v for s in group for v in variables(s)} & self.outer
            if needed <= given.keys():
                if self.has_solution(group, given, []):
                    return False
            else:
                open_groups.append(group)
        remaining = []
        for statement in statements:
            if all(variable in given for variable in variables(statement)):
                if not any(True for _ in self.ways(statement, given)):
                    return False
            else:
                remaining.append(statement)
        if not remaining:
            return True
        smallest = min(remaining, key=lambda statement: self.size(statement, given))
        return any(
            self.has_solution(remaining, {**given, **way}, open_groups)
            for way in self.ways(smallest, given)
            if self.allowed(way, given)
        )

    def size(self, statement: Statement, given: Assignment) -> int:
        """How many ways there are to make a statement true that has an open variable."""
        graph = self.graph
        if isinstance(statement, Typing):
            return len(graph.members.get(statement.class_id, ()))
        subject, object_ = term_of(statement.subject, given), term_of(statement.object, given)
        if subject is not None:
            return len(graph.objects.get((statement.relation, subject), ()))
        compared = isinstance(statement.object, Literal) and statement.object.comparator != "="
        if compared or statement.subject == statement.object:
            return sum(1 for _ in self.ways(statement, given))
        if object_ is not None:
            return len(graph.subjects.get((statement.relation, object_), ()))
        return len(graph.pairs[statement.relation])

    def allowed(self, way: Assignment, given: Assignment) -> bool:
        taken = dict(given)
        for variable, term in way.items():
            if not self.fits(term, taken):
                return False
            taken[variable] = term
        return True

    def fits(self, term: Term, given: Assignment) -> bool:
        if not self.distinct or not isinstance(term, str):
            return True
        return term not in self.constants and term not in given.values()

    def ways(self, statement: Statement, given: Assignment) -> Iterator[Assignment]:
        """The ways to give a statement's open variables values that make it true (taken as positive)."""
        graph = self.graph
        if isinstance(statement, Typing):
            members = graph.members.get(statement.class_id, set())
            known = term_of(statement.node, given)
            if known is not None:
                if known in members:
                    yield {}
            else:
                for member in members:
                    yield {statement.node: member}
            return
        assert isinstance(statement, Edge)
        subject, object_ = term_of(statement.subject, given), statement.object
        if isinstance(object_, Literal) and object_.comparator != "=":
            subjects = {s for s, _ in graph.pairs[statement.relation]} if subject is None else {subject}
            for one in subjects:
                if any(stands(v, object_) for v in graph.objects.get((statement.relation, one), ())):
                    yield {} if subject is not None else {statement.subject: one}
            return
        object_term = term_of(object_, given)
        if subject is not None and object_term is not None:
            if (subject, object_term) in graph.pairs[statement.relation]:
                yield {}
        elif subject is not None:
            for one in graph.objects.get((statement.relation, subject), ()):
                yield {object_: one}
        elif object_term is not None:
            for one in graph.subjects.get((statement.relation, object_term), ()):
                yield {statement.subject: one}
        else:
            for one, other in graph.pairs[statement.relation]:
                if statement.subject != object_:
                    yield {statement.subject: one, object_: other}
                elif one == other:
                    yield {object_: one}


def stands(value, literal: Literal) -> bool:
    """Whether a value certainly stands in a literal's order to it."""
    one, two = (None if isinstance(v, str) else v.bounds for v in (value, literal.value))
    if one is None or two is None or one.dimension != two.dimension:
        return False
    return {
        "<": one.high < two.low,
        "<=": one.high <= two.high,
        ">": one.low > two.high,
        ">=": one.low >= two.low,
    }[literal.comparator]


def term_of(node: Node, given: Assignment) -> Term | None:
    if isinstance(node, Variable):
        return given.get(node)
    return node.id if isinstance(node, Entity) else node.value


def variables(statement: Statement) -> list[Variable]:
    return list(dict.fromkeys(node for node in statement.nodes if isinstance(node, Variable)))
