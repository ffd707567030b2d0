"""Makes a `Query` from a row of the table `queries`; no other module does this."""

from collections.abc import Sequence
from typing import Any

from rollcall.errors import RollcallError
from rollcall.query import Query, entity, instances


def query_of(
    kind: str,
    relations: Sequence[str],
    directions: Sequence[str],
    entities: Sequence[str],
    class_id: str | None = None,
) -> Query:
    """The query of a simple, intersection or composition row.

    A direction says which end of a relation's facts is asked for. The class is the class of the answers; in a
    composition it is the class of the intermediate entities.
    """
    if kind == "composition":
        base = query_of("simple", relations[:1], directions[:1], entities, class_id)
        return base << relations[1] if directions[1] == "subject" else base >> relations[1]
    if kind not in ("simple", "intersection"):
        raise RollcallError(f"{kind!r}: the query of this kind is not made of relations and entities alone")
    query = instances(class_id) if class_id is not None else None
    for relation, direction, name in zip(relations, directions, entities, strict=True):
        side = entity(name) << relation if direction == "subject" else entity(name) >> relation
        query = side if query is None else query & side
    assert query is not None
    return query


def query_of_row(row: dict[str, Any]) -> Query:
    """The query of a row of `queries`; parsed from its text if the row has one."""
    if row.get("query"):
        return Query.parse(row["query"])
    return query_of(row["kind"], row["relations"], row["directions"], row["entities"], row["class"])
