"""One writer, one reader: bytes that depend on rows alone, and files that are what was declared."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from random_tables import Filled, filled_tables
from rollcall import RollcallError
from rollcall._core import checksums
from rollcall.tables import files
from rollcall.tables.files import SortedFile, write_batches, write_records, write_scratch
from rollcall.tables.graph import Facts
from rollcall.tables.table import DeclaredTable, Int64, String, Strings, arrow, columns, declaration, schema

CUTS = st.lists(st.integers(0, 30), max_size=6)


class Numbered(DeclaredTable, sorted_by=("page", "number"), rows_per_group=3):
    """Pages with numbers."""

    page = String("the page")
    number = Int64("the number")
    words = Strings("some words")


def given_rows(filled: Filled) -> pa.Table:
    return arrow(filled.table, {name: [row[name] for row in filled.rows] for name in columns(filled.table)})


def in_batches(rows: pa.Table, cuts: list[int]) -> Iterator[pa.RecordBatch]:
    """The rows in batches that end at these places; some are empty."""
    places = sorted({0, rows.num_rows, *(min(cut, rows.num_rows) for cut in cuts)})
    for start, end in pairwise(places):
        yield from rows.slice(start, end - start).to_batches()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@given(filled_tables(), CUTS, CUTS)
@settings(max_examples=60)
def test_the_bytes_of_a_file_do_not_depend_on_how_its_rows_arrive(
    folder: Path, filled: Filled, first: list[int], second: list[int]
) -> None:
    rows = given_rows(filled)
    paths = [folder / "first.parquet", folder / "second.parquet"]
    for path, cuts in zip(paths, (first, second), strict=True):
        assert write_batches(filled.table, path, in_batches(rows, cuts)) == rows.num_rows
    assert paths[0].read_bytes() == paths[1].read_bytes()


@given(filled_tables(), CUTS, st.data())
@settings(max_examples=60)
def test_what_was_written_is_read_again(
    folder: Path, filled: Filled, cuts: list[int], data: st.DataObject
) -> None:
    path = folder / "again.parquet"
    rows = given_rows(filled)
    write_batches(filled.table, path, in_batches(rows, cuts))
    assert files.read(filled.table, path).equals(rows)
    assert list(files.records(filled.table, path)) == rows.to_pylist()
    assert files.count(filled.table, path) == rows.num_rows
    chosen = data.draw(st.lists(st.sampled_from(columns(filled.table)), min_size=1, unique=True))
    batches = list(files.batches(filled.table, path, chosen, rows=4))
    assert [batch.schema.names for batch in batches] == [chosen] * len(batches)
    assert [row for batch in batches for row in batch.to_pylist()] == rows.select(chosen).to_pylist()
    assert files.read(filled.table, path, chosen).schema.names == chosen


@given(filled_tables())
@settings(max_examples=60)
def test_records_are_written_sorted_and_each_once(folder: Path, filled: Filled) -> None:
    path = folder / "records.parquet"
    written = write_records(filled.table, path, [*filled.rows, *reversed(filled.rows)])
    rows = list(files.records(filled.table, path))
    scalars = declaration(filled.table).sorted_by
    keys = [tuple((row[name] is None, row[name]) for name in scalars) for row in rows]
    assert keys == sorted(keys)
    assert len(rows) == written == len({json.dumps(_plain(row)) for row in filled.rows})


def _plain(row: dict[str, Any]) -> list[Any]:
    """A row in the order of its columns; minus zero is zero."""
    return [value + 0.0 if isinstance(value, float) else value for _, value in sorted(row.items())]


def test_records_are_sorted_by_the_declared_key_before_other_columns(tmp_path: Path) -> None:
    path = tmp_path / "facts.parquet"
    rows = [{"subject": s, "relation": r, "object": o} for s in "ab" for r in "qp" for o in "yx"]
    write_records(Facts, path, rows)
    found = [(row["relation"], row["subject"], row["object"]) for row in files.records(Facts, path)]
    assert found == sorted(found)


@given(st.lists(st.tuples(st.sampled_from("abcdé"), st.integers(0, 5))), st.sampled_from("abcdéf"))
@settings(max_examples=60)
def test_rows_are_found_by_their_key(folder: Path, found: list[tuple[str, int]], key: str) -> None:
    path = folder / "sorted.parquet"
    rows = [{"page": page, "number": number, "words": [page]} for page, number in found]
    write_records(Numbered, path, rows)
    every = list(files.records(Numbered, path))
    file = SortedFile(Numbered, path)
    assert file.rows(key) == [row for row in every if row["page"] == key]
    assert list(file.every()) == every
    assert file.where("page", key) == file.rows(key)


class WithoutWords(DeclaredTable):
    """A table that lacks a column."""

    page = Numbered.page
    number = Numbered.number


class OtherType(Numbered):
    """A table with a column of another type."""

    number = String("the number")


@pytest.mark.parametrize(
    ("table", "values", "message"),
    [
        (WithoutWords, ["a"], r"numbered\.parquet: has no column 'words', which the table Numbered has"),
        (OtherType, ["a"], r"numbered\.parquet: its column 'number' has the type string, not int64"),
    ],
)
def test_a_file_with_other_columns_is_refused(
    tmp_path: Path, table: type[DeclaredTable], values: list[str], message: str
) -> None:
    path = tmp_path / "numbered.parquet"
    filling = {"page": values, "number": [1] if table is WithoutWords else values, "words": [values]}
    write_scratch(arrow(table, filling), path)
    for use in (files.check, files.read, files.count, SortedFile):
        with pytest.raises(RollcallError, match=message) as refused:
            use(Numbered, path)
        assert "\n" not in str(refused.value)


def test_a_file_with_more_columns_gives_those_declared(tmp_path: Path) -> None:
    path = tmp_path / "more.parquet"
    write_records(Numbered, path, [{"page": "a", "number": 1, "words": []}])
    assert files.read(WithoutWords, path).schema.equals(schema(WithoutWords))


def test_what_is_no_parquet_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "facts.parquet"
    path.write_text("subject,relation,object\n")
    with pytest.raises(RollcallError, match=r"facts\.parquet: cannot be read as Parquet"):
        files.read(Facts, path)


@given(st.data())
@settings(max_examples=40)
def test_a_flipped_byte_is_refused(folder: Path, data: st.DataObject) -> None:
    """Wherever it is: in a page, in the footer, or between them."""
    path = folder / "facts.parquet"
    rows = [{"subject": f"Q{number}", "relation": "P1", "object": f"Q{number + 1}"} for number in range(50)]
    path.unlink(missing_ok=True)
    (folder / "graph.json").unlink(missing_ok=True)
    write_records(Facts, path, rows)
    recorded = {path.name: (path.stat().st_size, checksums.crc32(path))}
    (folder / "graph.json").write_text(json.dumps(checksums.sealed({checksums.FILES: recorded})))
    whole = path.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    flipped = bytes([whole[place] ^ data.draw(st.integers(1, 255))])
    path.write_bytes(whole[:place] + flipped + whole[place + 1 :])
    for use in (files.check, files.read, files.count, SortedFile):
        with pytest.raises(RollcallError, match=r"facts\.parquet: damaged: .* make the graph again"):
            use(Facts, path)
    path.write_bytes(whole)
    assert files.count(Facts, path) == 50
