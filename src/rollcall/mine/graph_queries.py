"""The query that a row of `queries` stands for: the one place where structure becomes a `Query`."""

from collections.abc import Iterator, Sequence
from pathlib import Path
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

    A direction says which end of a relation's facts is asked for. The class is that of the answers; in a
    composition that of the intermediate entities.
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


def queries_in(path: Path, rows: int = 10_000) -> Iterator[tuple[str, Query]]:
    """The key and query of every row of a table of queries, in its order."""
    import pyarrow.parquet as pq

    for batch in pq.ParquetFile(path).iter_batches(rows):
        for row in batch.to_pylist():
            yield row["key"], _query_of_row(row)


def _query_of_row(row: dict[str, Any]) -> Query:
    return query_of(row["kind"], row["relations"], row["directions"], row["entities"], row["class"])
