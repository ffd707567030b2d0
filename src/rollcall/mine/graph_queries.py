"""The query that a row of `queries` stands for: the one place where structure becomes a `Query`."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rollcall.errors import RollcallError
from rollcall.files import replacing
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
            yield row["key"], query_of_row(row)


def query_of_row(row: dict[str, Any]) -> Query:
    """The query of a row of `queries`, from its text where it has one."""
    if row.get("query"):
        return Query.parse(row["query"])
    return query_of(row["kind"], row["relations"], row["directions"], row["entities"], row["class"])


def fill_queries(path: Path, out: Path, rows: int = 10_000) -> None:
    """Write a table of queries again, with the canonical text of each."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    source = pq.ParquetFile(path)
    with (
        replacing(out) as partial,
        pq.ParquetWriter(partial, source.schema_arrow, compression="zstd") as file,
    ):
        for batch in source.iter_batches(rows):
            texts = pa.array([query_of_row(row).text for row in batch.to_pylist()], pa.string())
            place = batch.schema.get_field_index("query")
            file.write_batch(batch.set_column(place, "query", texts))
