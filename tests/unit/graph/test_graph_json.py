"""JSON as people have it: arrays, one list in an object, lines with any keys; and what is no table at all."""

import json
from pathlib import Path

import pytest

from graph_dumps import rows
from own_files import FACTS, SORTED, made
from rollcall import RollcallError


@pytest.mark.parametrize("indent", [None, 1])
def test_json_arrays(tmp_path: Path, indent: int | None) -> None:
    records = [dict(zip(("head", "relation", "tail"), fact, strict=True)) for fact in FACTS]
    text = json.dumps(records, indent=indent, ensure_ascii=False)
    assert rows(made(tmp_path, "a.json", text), "facts") == SORTED
    cut = made(tmp_path, "a.json", text[: text.rindex("Malm")])
    assert len(rows(cut, "facts")) == len(FACTS) - 1
    assert cut.manifest["sources"][0]["bad"] == {"malformed": 1}


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("rows_", [3, 3000])
def test_the_only_list_of_a_json_object_is_read(tmp_path: Path, indent: int | None, rows_: int) -> None:
    loans = [{"id": f"L{n}", "label": f"Loan {n}", "lent to": "Öland"} for n in range(rows_)]
    text = json.dumps(
        {"made": "2024", "Größe": rows_, "tags": ["a"], "loans": loans, "pages": 1},
        indent=indent,
        ensure_ascii=False,
    )
    columns = {"columns": "id=id, label=label, object=lent to"}
    graph = made(tmp_path, "loans.json", text, source_options=columns)
    (source,) = graph.manifest["sources"]
    assert (source["kind"], source["bad"], source["entries"]) == ("json", {}, rows_)
    assert source["remark"] == "read the list under loans"
    assert len(rows(graph, "facts")) == rows_
    late = text[:-1].rstrip() + ', "returns": [{"id": "R1", "label": "x"}]}'
    if rows_ > 3:  # the second list is behind what decides about the kind
        (source,) = made(tmp_path, "loans.json", late, source_options=columns).manifest["sources"]
        assert "another list of objects" in source["bad_examples"][0]["reason"]
    else:
        with pytest.raises(RollcallError, match="has several lists of objects, under loans, returns; write"):
            made(tmp_path, "loans.json", late, source_options=columns)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "a.json",
            '{"head": {"vars": ["x"]},\n "results": {}}',
            "is one object with the keys head, results, and",
        ),
        ("a.json", "hello", "no JSON array, and no JSON objects"),
        ("memo.txt", "A memo.\n", "memo.txt: is text, not a table or graph file; rollcall corpus reads text"),
    ],
)
def test_what_is_no_table_is_told_in_one_short_line(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    with pytest.raises(RollcallError, match=message) as refused:
        made(tmp_path, name, content)
    assert len(str(refused.value).replace(str(tmp_path), "")) < 150


def test_json_lines_of_any_keys_are_read_as_columns_are_named(tmp_path: Path) -> None:
    content = '{"who": "Ada", "lent": [{"x": 1}]}\n{"who": "Per", "town": "Lund"}\n'
    with pytest.raises(RollcallError, match="has the columns who, lent; if each row is a fact, --columns"):
        made(tmp_path, "a.jsonl", content)
    graph = made(tmp_path, "a.jsonl", content, source_options={"columns": "id=who, object=town"})
    assert rows(graph, "facts") == [("Per", "town", "Lund")]
