"""One bad entry costs only itself, whatever is wrong with it; a broken file is read up to its break."""

import bz2
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from graph_dumps import item, item_value, line_form, quantity_value, rows, statement, text_value, time_value
from rollcall.graph import Graph, make_graph
from rollcall.graph.source import ReadOptions
from rollcall.graph.sources.wikidata import WikidataSource


def build(tmp_path: Path, name: str, content: bytes, language: str = "en", **options: Any) -> Graph:
    (tmp_path / name).write_bytes(content)
    common = ReadOptions(language=language)
    return make_graph([tmp_path / name], tmp_path / "graph", jobs=1, options=common, source_options=options)


def test_wikidata_values_beyond_reading_are_left_out_and_counted(tmp_path: Path) -> None:
    no_id = {"type": "wikibase-entityid", "value": {"entity-type": "item", "id": ""}}
    no_unit = {"type": "quantity", "value": {"amount": "+1", "unit": ""}}
    claims = {
        "P1": [statement(no_id), statement(item_value("Q2"))],
        "P2": [statement(time_value("+" + "9" * 5000 + "-01-01T00:00:00Z", 9))],
        "P3": [statement(quantity_value("+1e9999999")), statement(quantity_value("+9e999999", "Q828224"))],
        "P4": [statement(no_unit), statement(quantity_value("+5"))],
        "P5": [statement(time_value("+1990-02-31T00:00:00Z", 11))],
    }
    graph = build(tmp_path, "a.json", line_form([item("Q1", "one", claims)]))
    (source,) = graph.manifest["sources"]
    assert source["bad"] == {}
    assert source["skipped"]["unreadable quantity"] == 3
    assert source["skipped"]["unreadable time"] == 2
    assert rows(graph, "facts") == [("Q1", "P1", "Q2")]
    assert rows(graph, "values", "value") == [("5",)]


def test_a_failure_in_one_wikidata_entry_is_located(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_claims = WikidataSource._read_claims

    def fail(self: WikidataSource, id_: str, claims: Any) -> None:
        read_claims(self, id_, claims)
        if id_ == "Q2":
            raise ZeroDivisionError("in the middle")

    monkeypatch.setattr(WikidataSource, "_read_claims", fail)
    claims = {"P1": [statement(item_value("Q9"))]}
    graph = build(tmp_path, "a.json", line_form([item(f"Q{n}", "x", claims) for n in (1, 2, 3)]))
    (example,) = graph.manifest["sources"][0]["bad_examples"]
    assert (example["line"], example["reason"]) == (2, "ZeroDivisionError: in the middle")
    assert rows(graph, "facts", "subject") == [("Q1",), ("Q3",)], "nothing of a bad entry is kept"


@pytest.mark.parametrize(
    "bad",
    [
        {"aliases": [{"text": 5}]},
        {"aliases": ["fine", {"text": None}, "", None, 7]},
        {"aliases": [{"text": "x", "count": "12"}]},
        {"aliases": [{"text": "x", "count": 1 << 80}]},
        {"aliases": 5},
        {"types": ["fine", 5]},
    ],
)
def test_a_record_with_the_wrong_types_is_located(tmp_path: Path, bad: dict[str, Any]) -> None:
    good = {"id": "a", "label": "A", "aliases": ["one", {"text": "two", "count": 3}], "types": ["t"]}
    lines = [good, {"id": "b", "label": "B"} | bad, good | {"id": "c"}]
    graph = build(tmp_path, "a.jsonl", "\n".join(map(json.dumps, lines)).encode())
    (example,) = graph.manifest["sources"][0]["bad_examples"]
    assert (example["line"], example["kind"]) == (2, "malformed")
    assert list(graph.index.entity_ids) == ["a", "c"]
    assert len(rows(graph, "aliases")) == 4


def test_csv_fields_may_be_long_but_not_without_end(tmp_path: Path) -> None:
    text = b"subject,relation,value\na,r," + b"x" * 200_000 + b"\nb,r,"
    graph = build(tmp_path, "a.csv", text + b"y" * (9 << 20) + b"\nc,r,z\nd,r\n")
    assert rows(graph, "values", "subject") == [("a",), ("c",)]
    short, overlong = sorted(
        graph.manifest["sources"][0]["bad_examples"], key=lambda example: -int(example["line"])
    )
    assert (overlong["line"], overlong["reason"]) == (3, "a line of more than 8,388,608 characters")
    assert (short["line"], short["reason"]) == (5, "2 columns, not 3")


def test_invalid_utf_8_in_csv_is_not_replaced(tmp_path: Path) -> None:
    content = b"subject,relation,object\na,r,Z\xc3\xbcrich\nb,r,Z\xfcrich\n"
    graph = build(tmp_path, "a.csv", content)
    assert rows(graph, "facts") == [("a", "r", "Zürich")]
    (example,) = graph.manifest["sources"][0]["bad_examples"]
    assert example["line"] == 3
    assert example["reason"].startswith("not UTF-8; ")


def small_bz2(content: bytes) -> bytes:
    """In blocks of 100 kB: what of a block is there cannot be read without the rest of it."""
    return bz2.compress(content, 1)


@pytest.mark.parametrize("compress", [gzip.compress, small_bz2, zstandard.compress])
@pytest.mark.parametrize("kind", ["ttl", "csv", "tsv", "nt"])
def test_a_truncated_file_is_read_to_its_break(
    tmp_path: Path, kind: str, compress: Callable[[bytes], bytes]
) -> None:
    header = {"csv": "subject,relation,object\n", "tsv": "subject\trelation\tobject\n"}.get(kind, "")
    row = {"csv": "s{0},r,o{1}\n", "tsv": "s{0}\tr\to{1}\n"}.get(kind, "<e:s{0}> <e:r> <e:o{1}> .\n")
    text = header + "".join(row.format(n, n * n * 7919 % 1_000_003) for n in range(60_000))
    suffix = {gzip.compress: "gz", small_bz2: "bz2"}.get(compress, "zst")
    whole = compress(text.encode())
    graph = build(tmp_path, f"a.{kind}.{suffix}", whole[: len(whole) * 9 // 10])
    (source,) = graph.manifest["sources"]
    assert source["bad"]["damaged"] == 1
    assert "cut off" in str(source["bad_examples"])
    assert 20_000 < len(rows(graph, "facts")) < 60_000


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", line_form([item("Q1", "one"), item("Q2", "two")])),
        ("a.nt", b"<e:1> <e:p> <e:2> .\n"),
        ("a.ttl", b"<e:1> <e:p> <e:2> .\n"),
        ("a.jsonl", b'{"id": "1", "label": "one"}\n{"id": "2", "label": "two"}\n'),
        ("a.tsv", b"subject\trelation\tobject\n1\tp\t2\n"),
        ("a.csv", b"subject,relation,object\n1,p,2\n"),
        ("unnamed", b"<e:1> <e:p> <e:2> .\n"),
    ],
)
def test_a_byte_order_mark_costs_nothing(tmp_path: Path, name: str, content: bytes) -> None:
    graph = build(tmp_path, name, b"\xef\xbb\xbf" + content)
    assert graph.manifest["sources"][0]["bad"] == {}
    assert len(graph.index.entity_ids) == 2


def test_language_codes_are_compared_whatever_their_case(tmp_path: Path) -> None:
    claims = {"P1": [statement(text_value("colour", "en-gb"))]}
    labels = {"en-gb": {"language": "en-gb", "value": "Grey"}}
    for code in ("en-GB", "en_gb"):
        graph = build(
            tmp_path, "a.json", line_form([item("Q1", claims=claims, labels=labels)]), language=code
        )
        assert graph.label("Q1") == "Grey"
        assert rows(graph, "values", "value") == [('"colour"@en-gb',)]
