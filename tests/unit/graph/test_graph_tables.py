"""Reading tables and JSON lines: what a file is, how rows are read, and how several sources are merged."""

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graph_dumps import rows
from rollcall import RollcallError
from rollcall.graph import make_graph

FACTS = (
    "subject\trelation\tobject\nRome\tcountry\tItaly\nRome\t\tItaly\nParis\tcountry\tFrance\n"
    "Rome\tcountry\tItaly\n"
)
VALUES = (
    "subject\trelation\tvalue\nRome\tfounded\t1753\nRome\tpopulation\t2,872,800\nRome\tarea\t1,285 km²\n"
    'Rome\tmotto\t"SPQR"\nRome\tpopulation\t\n'
)
ENTITIES = [
    {
        "id": "Rome",
        "label": "Rome",
        "aliases": [{"text": "Roma", "count": 7}, "Eternal City"],
        "types": ["city"],
    },
    {"id": "Italy", "label": "Italia", "types": ["country"], "description": "in Europe"},
]


def write(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def test_facts_values_and_entities(tmp_path: Path) -> None:
    sources = [
        write(tmp_path / "facts.tsv", FACTS),
        write(tmp_path / "values.tsv", VALUES),
        write(tmp_path / "entities.jsonl", "\n".join(map(json.dumps, ENTITIES))),
        write(tmp_path / "classes.tsv", "class\tparent\ncity\tplace\ncountry\tplace\n"),
        write(tmp_path / "types.csv", "entity,class\nParis,city\n"),
        write(tmp_path / "relations.csv", 'relation,label\ncountry,"country, or state"\n'),
    ]
    graph = make_graph(sources, tmp_path / "graph", jobs=1)
    assert rows(graph, "facts") == [("Paris", "country", "France"), ("Rome", "country", "Italy")]
    assert rows(graph, "values", "relation", "value") == [
        ("area", "1285[Q712226]"),
        ("founded", "@1753"),
        ("motto", '"\\"SPQR\\""'),
        ("population", "2872800"),
    ]
    assert rows(graph, "types") == [
        ("Italy", "country", True),
        ("Italy", "place", False),
        ("Paris", "city", True),
        ("Paris", "place", False),
        ("Rome", "city", True),
        ("Rome", "place", False),
    ]
    assert rows(graph, "aliases") == [
        ("Rome", "Eternal City", "entities", None),
        ("Rome", "Roma", "entities", 7),
    ]
    assert graph.relation_label("country") == "country, or state"
    skipped = [source["skipped"] for source in graph.manifest["sources"]]
    assert skipped[:2] == [{"rows with an empty relation": 1}, {"rows with an empty value": 1}]


def test_every_format_of_a_table_is_read_alike(tmp_path: Path) -> None:
    records = [
        {"subject": "a", "relation": "r", "object": "b", "value": None},
        {"subject": "a", "relation": "born", "object": None, "value": "4 May 1980"},
    ]
    header = "subject,predicate,object,value"
    sources = {
        "a.csv": f'{header}\na,r,b,\na,born,,"4 May 1980"\n',
        "a.tsv": f"{header}\na,r,b,\na,born,,4 May 1980\n".replace(",", "\t"),
        "a.jsonl": "\n".join(map(json.dumps, records)),
    }
    for name, content in sources.items():
        write(tmp_path / name, content)
    pq.write_table(pa.Table.from_pylist(records), tmp_path / "a.parquet")
    for name in (*sources, "a.parquet"):
        graph = make_graph([tmp_path / name], tmp_path / "out" / name, jobs=1)
        assert rows(graph, "facts") == [("a", "r", "b")], name
        assert rows(graph, "values", "subject", "relation", "value") == [("a", "born", "@1980-05-04")], name


def test_json_numbers_are_numbers(tmp_path: Path) -> None:
    records = [{"subject": "a", "relation": "year", "value": value} for value in (1984, 2.5, True)]
    source = write(tmp_path / "a.jsonl", "\n".join(map(json.dumps, records)))
    assert rows(make_graph([source], tmp_path / "g", jobs=1), "values", "value") == [
        ('"True"',),
        ("1984",),
        ("2.5",),
    ]


def test_a_graphs_own_tables_can_be_read_again(tmp_path: Path) -> None:
    first = make_graph(
        [write(tmp_path / "facts.tsv", FACTS), write(tmp_path / "values.tsv", VALUES)],
        tmp_path / "one",
        jobs=1,
    )
    tables = [first.folder / f"{table}.parquet" for table in ("facts", "values", "entities")]
    again = make_graph(tables, tmp_path / "two", jobs=1)
    for table in ("facts", "values", "entities", "relations"):
        assert rows(again, table) == rows(first, table)


def test_the_first_source_wins_and_nothing_is_lost(tmp_path: Path) -> None:
    one = write(tmp_path / "one.jsonl", json.dumps({"id": "x", "label": "First", "aliases": ["Same"]}))
    two = write(
        tmp_path / "two.jsonl", json.dumps({"id": "x", "label": "Second", "description": "only here"})
    )
    for sources, label, other in (([one, two], "First", "Second"), ([two, one], "Second", "First")):
        record = make_graph(sources, tmp_path / label, jobs=1).entity("x")
        assert (record.label, record.description) == (label, "only here")
        assert record.aliases == tuple(sorted((other, "Same")))


def test_whether_numbers_are_years_is_told_from_all_cells_of_a_relation(tmp_path: Path) -> None:
    cells = [("a", "joined up", str(1950 + n)) for n in range(9)] + [
        ("a", "size", str(1950 + n)) for n in range(9)
    ]
    lines = [
        "\t".join(cell)
        for cell in [("subject", "relation", "value"), *cells, ("a", "size", "12"), ("a", "size", "13")]
    ]
    # Blocks of a few lines: the decision must not be made block by block.
    graph = make_graph([write(tmp_path / "v.tsv", "\n".join(lines))], tmp_path / "g", jobs=1, block_bytes=64)
    kinds = dict(rows(graph, "values", "relation", "kind"))
    assert kinds == {"joined up": "date", "size": "number"}


def test_rows_with_the_wrong_number_of_columns_are_located(tmp_path: Path) -> None:
    source = write(tmp_path / "f.tsv", FACTS + "only one\n" + "Oslo\tcountry\tNorway\n")
    graph = make_graph([source], tmp_path / "g", jobs=1)
    (example,) = graph.manifest["sources"][0]["bad_examples"]
    assert (example["line"], example["reason"]) == (6, "1 column, not 3")
    assert ("Oslo", "country", "Norway") in rows(graph, "facts")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", "this\tthat\tother\na\tr\tb\n", "has the columns this, that, other; no header"),
        ("a.jsonl", '{"question": "?"}\n', "has the columns question; if each row is a fact, --columns"),
        (
            "a.jsonl",
            '{"id": "a", "entity": "e", "title": "t", "text": "a page"}\n',
            "has the columns id, entity, title, text; if each row is a fact, --columns",
        ),
        ("a.xyz", "what is this\n", "cannot tell what this is"),
        ("a.json", "  \n", "is empty"),
        ("a.tsv", "subject\trelation\tobject\n", "nothing to keep was found"),
        ("a.parquet", "PAR1 or is it\n", "is not a readable Parquet or Arrow file"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, content: str, message: str) -> None:
    with pytest.raises(RollcallError, match=message) as refused:
        make_graph([write(tmp_path / name, content)], tmp_path / "g", jobs=1)
    assert name in str(refused.value)


def test_kinds_are_told_without_a_suffix(tmp_path: Path) -> None:
    (tmp_path / "facts.gz").write_bytes(gzip.compress(FACTS.encode()))
    write(tmp_path / "triples", "<e:a> <e:p> <e:b> .\n")
    write(tmp_path / "lines", '{"id": "x", "label": "X"}\n')
    sources = [tmp_path / name for name in ("facts.gz", "triples", "lines")]
    graph = make_graph(sources, tmp_path / "it's a [g]*", jobs=1)
    assert [source["kind"] for source in graph.manifest["sources"]] == ["tsv", "ntriples", "jsonl"]
    assert len(rows(graph, "facts")) == 3


def test_a_column_named_kind_does_not_make_a_table_of_our_own(tmp_path: Path) -> None:
    source = write(tmp_path / "v.tsv", "subject\trelation\tvalue\tkind\na\tborn\t4 May 1980\tday\n")
    assert rows(make_graph([source], tmp_path / "g", jobs=1), "values", "value") == [("@1980-05-04",)]
