"""A query as SPARQL 1.1, for an RDF graph of typed literals (`plain`) or for Wikidata (`wikidata`).

Both dialects order values exactly as `rollcall.query.values` does: dates as far as their precision allows,
quantities after conversion, each dimension separately. Dates become day numbers with 31 days in every month,
because every engine can compute these from year, month and day.
"""

from collections.abc import Sequence
from itertools import combinations
from textwrap import indent

from rollcall.errors import RollcallError
from rollcall.query.pattern import Pattern
from rollcall.query.query import Query
from rollcall.query.rdf_terms import BASE
from rollcall.query.sparql_dialects import Dialect
from rollcall.query.sparql_order import Occurring
from rollcall.query.sparql_plain import Plain
from rollcall.query.sparql_wikidata import Wikidata
from rollcall.query.statements import (
    QUESTION,
    TARGET,
    Entity,
    Literal,
    Node,
    Statement,
    Typing,
    Variable,
    variables_of,
)


def to_sparql(
    query: Query,
    *,
    dialect: str = "plain",
    base: str = BASE,
    type_path: str | None = None,
    occurring: Occurring | None = None,
) -> str:
    """The query as SPARQL.

    `base` is the IRI prefix of ids that are not IRIs in a plain graph. `type_path` is the property path from
    an entity to its classes. `occurring` gives the kinds of values that may have to be ordered (default:
    all).
    """
    if dialect == "plain":
        return _Renderer(query, Plain(base, type_path, occurring or Occurring())).render()
    if dialect == "wikidata":
        return _Renderer(query, Wikidata(type_path, occurring or Occurring())).render()
    raise RollcallError(f"{dialect!r} is not a SPARQL dialect; there are plain and wikidata")


class _Renderer:
    """Writes one query in one dialect."""

    def __init__(self, query: Query, dialect: Dialect):
        self.query = query
        self.dialect = dialect
        aggregate = query.aggregate
        self.ordered = (
            QUESTION if aggregate in ("max", "min") else TARGET if aggregate in ("argmax", "argmin") else None
        )
        self.fresh = 0

    def render(self) -> str:
        body = self._select()
        prefixes = self.dialect.prefixes.splitlines(keepends=True)
        return "".join(line for line in prefixes if line.split()[1] in body) + body

    def _select(self) -> str:
        body = self._body()
        if self.query.aggregate == "count":
            return f"SELECT (COUNT(DISTINCT ?x) AS ?answer) WHERE {{\n{indent(body, '  ')}\n}}\n"
        entities = all(pattern.is_entity_variable(QUESTION) for pattern in self.query.patterns)
        answer = f"({QUESTION.text} AS ?answer)" if entities else self.dialect.answer(QUESTION.text)
        if self.ordered is None:
            return f"SELECT DISTINCT {answer} WHERE {{\n{indent(body, '  ')}\n}}\n"
        least = self.query.aggregate in ("min", "argmin")
        best = "MIN(?high)" if least else "MAX(?low)"
        kept = "?low <= ?best" if least else "?high >= ?best"
        grouped = "?dimension " if self.dialect.occurring.dimensions > 1 else ""
        ordered = body + "\n" + self.dialect.order(self.ordered.text)
        return (
            f"SELECT DISTINCT {answer} WHERE {{\n"
            f"  {{\n{indent(ordered, '    ')}\n  }}\n"
            f"  {{\n    SELECT {grouped}({best} AS ?best) WHERE {{\n{indent(ordered, '      ')}\n"
            f"    }}{' GROUP BY ?dimension' if grouped else ''}\n  }}\n"
            f"  FILTER({kept})\n}}\n"
        )

    def _body(self) -> str:
        parts = [self._pattern(pattern) for pattern in self.query.patterns]
        if len(parts) == 1:
            return parts[0]
        return " UNION ".join(f"{{\n{indent(part, '  ')}\n}}" for part in parts)

    def _pattern(self, pattern: Pattern) -> str:
        bound = set[Variable]()
        lines = [self._statement(pattern, statement, bound, set()) for statement in pattern.positive]
        if pattern.distinct:
            lines += _different(pattern, list(pattern.positive_variables), [], self.dialect)
        for group in pattern.negative_groups:
            inside = set[Variable]()
            inner = [self._statement(pattern, statement, inside, bound) for statement in group]
            if pattern.distinct:
                own = dict.fromkeys(
                    v for s in group for v in variables_of(s) if v not in pattern.positive_variables
                )
                inner += _different(pattern, list(own), list(pattern.positive_variables), self.dialect)
            lines.append("FILTER NOT EXISTS {\n" + indent("\n".join(inner), "  ") + "\n}")
        return "\n".join(lines)

    def _statement(
        self, pattern: Pattern, statement: Statement, bound: set[Variable], outside: set[Variable]
    ) -> str:
        """One statement; `bound` are the variables whose values were bound before it, here or outside."""
        if isinstance(statement, Typing):
            return self.dialect.typing(self._node(statement.node), statement.class_id)
        subject, relation = self._node(statement.subject), statement.relation
        object_ = statement.object
        if isinstance(object_, Variable) and self._value_matters(pattern, object_):
            return self._value_edge(subject, relation, object_, bound, outside)
        if not isinstance(object_, Literal):
            return self.dialect.edge(subject, relation, self._node(object_))
        value = self._fresh("?value")
        if object_.comparator == "=":
            return self.dialect.equal(subject, relation, value, object_.value)
        return self.dialect.compare(subject, relation, value, object_.comparator, object_.value)

    def _value_matters(self, pattern: Pattern, variable: Variable) -> bool:
        """Whether the exact value of a variable matters, in a layout where the term does not determine it."""
        if self.dialect.terms_are_values or pattern.is_entity_variable(variable):
            return False
        places = sum(edge.object == variable for edge in pattern.edges)
        return variable in (QUESTION, self.ordered) or places > 1

    def _value_edge(
        self, subject: str, relation: str, variable: Variable, bound: set[Variable], outside: set[Variable]
    ) -> str:
        name = variable.text
        if variable in outside:  # bound again in a negation: compared, since engines join it differently
            again = self._fresh(f"{name}_")
            edge = self.dialect.value_edge(subject, relation, again, again)
            return f"{edge}\nFILTER(sameTerm({again}, {name}))"
        if variable in bound:
            return self.dialect.value_edge(subject, relation, name, self._fresh(f"{name}_"))
        bound.add(variable)
        if variable == self.ordered:
            return self.dialect.ordered_edge(subject, relation, name)
        return self.dialect.value_edge(subject, relation, name, name)

    def _fresh(self, beginning: str) -> str:
        self.fresh += 1
        return f"{beginning}{self.fresh}"

    def _node(self, node: Node) -> str:
        if isinstance(node, Entity):
            return self.dialect.entity(node.id)
        return node.text


def _different(
    pattern: Pattern, own: Sequence[Variable], others: Sequence[Variable], dialect: Dialect
) -> list[str]:
    """Filters for mutual exclusivity: entities differ; two literals may be equal."""
    pairs = [*combinations(own, 2), *((mine, other) for mine in own for other in others)]
    lines = []
    for left, right in pairs:
        literal = "" if _is_entity(pattern, left, right) else f" || isLiteral({left.text})"
        lines.append(f"FILTER(!sameTerm({left.text}, {right.text}){literal})")
    for variable in own:
        ids = ", ".join(dialect.entity(entity.id) for entity in pattern.entities)
        if ids:
            lines.append(f"FILTER({variable.text} NOT IN ({ids}))")
    return lines


def _is_entity(pattern: Pattern, *variables: Variable) -> bool:
    return any(pattern.is_entity_variable(variable) for variable in variables)
