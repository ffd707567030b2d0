"""Graph files as people have them: other names of columns, no header, other separators, encodings, arrays."""

import json
from pathlib import Path

import pytest

from graph_dumps import rows
from rollcall.errors import RollcallError, RollcallWarning
from rollcall.graph import Graph, make_graph

FACTS = [
    ("Falcon Pump", "manufacturer", "Nordwerk"),
    ("Falcon Pump", "part", "Rotor Seal"),
    ("Osprey Pump", "manufacturer", "Nordwerk"),
    ("Nordwerk", "headquarters", "Malmö"),
]
SORTED = sorted(FACTS, key=lambda fact: (fact[1], fact[0], fact[2]))


def table(header: tuple[str, ...] | None, separator: str) -> str:
    return "".join(separator.join(row) + "\n" for row in ([header] if header else []) + FACTS)


def made(folder: Path, name: str, content: str | bytes, **options: object) -> Graph:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return make_graph([path], folder / f"graph-{name}", jobs=1, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "header", "separator"),
    [
        ("a.csv", ("head", "rel", "tail"), ","),
        ("a.tsv", ("Source", "Relationship", "Target"), "\t"),
        ("a.csv", ("s", "p", "o"), ";"),
        ("a.tsv", ("node1", "label", "node2"), "\t"),
        ("a.csv", ("from", "type", "to"), "|"),
        ("a.csv", ("subject", "relation", "object"), ";"),
        ("a.csv", ("subject", "relation", "object"), "\t"),
        ("a.tsv", ("subject", "relation", "object"), ","),
        ("a.dat", ("subject", "relation", "object"), ";"),
        ("a.tsv", None, "\t"),
        ("a.csv", None, ","),
        ("train.txt", None, "\t"),
    ],
)
def test_usual_names_and_separators_are_recognised(
    tmp_path: Path, name: str, header: tuple[str, ...] | None, separator: str
) -> None:
    graph = made(tmp_path, name, table(header, separator))
    assert rows(graph, "facts") == SORTED
    (source,) = graph.manifest["sources"]
    assert source["bad"] == {}
    guessed = header is None or "subject" not in header
    assert bool(source["remark"]) == guessed


def test_a_gephi_edge_is_named_by_its_label_and_not_by_whether_it_is_directed(tmp_path: Path) -> None:
    graph = made(tmp_path, "e.csv", "Source,Target,Type,Label,Weight\nFalcon,Nordwerk,Directed,made by,1\n")
    assert rows(graph, "facts") == [("Falcon", "made by", "Nordwerk")]


def test_columns_of_any_names_are_named_by_the_user(tmp_path: Path) -> None:
    content = table(("Device", "Verb", "Thing"), ",")
    with pytest.raises(
        RollcallError, match=r"no header\? .*--columns subject=Device,relation=Verb,object=Thing"
    ):
        made(tmp_path, "a.csv", content)
    given = "subject=device, relation=Verb, object=THING"
    graph = made(tmp_path, "a.csv", content, source_options={"columns": given})
    assert rows(graph, "facts") == SORTED
    lines = "".join(json.dumps(dict(zip(("Device", "Verb", "Thing"), f, strict=True))) + "\n" for f in FACTS)
    graph = made(tmp_path, "a.jsonl", lines, source_options={"columns": given}, formats="jsonl")
    assert rows(graph, "facts") == SORTED


def test_columns_without_a_header_are_named_in_order(tmp_path: Path) -> None:
    content = "Nordwerk,Falcon Pump,maker\nKestrel,Brass Valve,supplier\n"
    graph = made(tmp_path, "a.csv", content, source_options={"columns": "object,subject,relation"})
    assert rows(graph, "facts") == [
        ("Falcon Pump", "maker", "Nordwerk"),
        ("Brass Valve", "supplier", "Kestrel"),
    ]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("subject=device,relation=verb,object=nothing", "has no column nothing"),
        ("subject,relation", "names 2 columns, and the first line has 3"),
        ("subject,relation=verb", "either name all columns in order"),
        ("pump=device,verb=verb", "--columns gives pump, verb; known are"),
    ],
)
def test_columns_that_do_not_fit_are_refused(tmp_path: Path, columns: str, message: str) -> None:
    with pytest.raises(RollcallError, match=message):
        made(tmp_path, "a.csv", table(("device", "verb", "thing"), ","), source_options={"columns": columns})


@pytest.mark.parametrize(
    ("encoding", "named"), [("latin-1", "latin-1"), ("utf-16", "utf-16"), ("utf-16-le", "utf-16-le")]
)
def test_other_encodings_are_named_and_can_be_read(tmp_path: Path, encoding: str, named: str) -> None:
    towns = "".join(f"Firm {n},town,Malmö {n}\n" for n in range(3))
    content = (table(("subject", "relation", "object"), ",") + towns).encode(encoding)
    with pytest.raises(RollcallError, match=f"not in UTF-8; read it with --encoding {named} "):
        made(tmp_path, "a.csv", content)
    facts = rows(made(tmp_path, "a.csv", content, encoding=named), "facts")
    assert set(facts) >= {*SORTED, ("Firm 2", "town", "Malmö 2")}


def test_files_of_two_encodings_can_be_read_together(tmp_path: Path) -> None:
    header, names = "subject,relation,object\n", ("Malmö", "Århus")
    for name, encoding in zip(names, ("latin-1", "utf-8"), strict=True):
        rows_ = "".join(f"Firm {n},town,{name} {n}\n" for n in range(3))
        (tmp_path / f"{encoding}.csv").write_bytes((header + rows_).encode(encoding))
    sources = [tmp_path / "latin-1.csv", tmp_path / "utf-8.csv"]
    with pytest.warns(
        RollcallWarning, match=r"utf-8.csv: is text in UTF-8, and is read as such, not as latin-1"
    ):
        graph = make_graph(sources, tmp_path / "g", jobs=1, encoding="latin-1")
    found = rows(graph, "facts")
    assert {("Firm 2", "town", f"{name} 2") for name in names} <= set(found)
    with pytest.raises(RollcallError, match="is no encoding that Python knows"):
        make_graph(sources, tmp_path / "h", jobs=1, encoding="latin-99")


@pytest.mark.parametrize(
    ("cells", "hint"),
    [
        (("Ash", "Elm", "Oak", "Ash, Elm", "Elm, Oak", "Ash, Oak"), True),
        (("Ash", "Paris, Texas", "Rome, Ohio", "Athens, Ohio"), False),
        (("Ash", "Ash|Elm", "Elm|Oak", "Oak"), False),
    ],
)
def test_several_names_in_a_cell_with_commas_are_noticed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], cells: tuple[str, ...], hint: bool
) -> None:
    from rollcall.cli.graph_summary import print_summary

    content = "bed;grows\n" + "".join(f"Bed {n};{cell}\n" for n, cell in enumerate(cells))
    print_summary(made(tmp_path, "a.csv", content, source_options={"columns": "id=bed,object=grows"}))
    said = capsys.readouterr().out
    assert ("look like several with commas between them, such as 'Ash, Elm'" in said) == hint


def test_quotes_of_windows_are_told_from_latin_1(tmp_path: Path) -> None:
    with pytest.raises(RollcallError, match="--encoding cp1252"):
        made(tmp_path, "a.csv", ("subject,relation,object\n" + "O’Hara,town,Malmö\n" * 3).encode("cp1252"))
    with pytest.raises(RollcallError, match="is no encoding that Python knows"):
        made(tmp_path, "a.csv", "subject,relation,object\na,b,c\n", encoding="latin-99")


def test_one_bad_byte_in_utf8_is_a_bad_entry_and_no_other_encoding(tmp_path: Path) -> None:
    content = "subject,relation,object\nMalmö,in,Skåne\n".encode() + b"Lun\xf6d,in,x\n"
    graph = made(tmp_path, "a.csv", content)
    assert graph.manifest["sources"][0]["bad"] == {"malformed": 1}
    assert "--encoding latin-1" in graph.manifest["sources"][0]["bad_examples"][0]["reason"]
    assert rows(graph, "facts") == [("Malmö", "in", "Skåne")]


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
    with pytest.raises(RollcallError, match="has the columns who, lent; --columns"):
        made(tmp_path, "a.jsonl", content)
    graph = made(tmp_path, "a.jsonl", content, source_options={"columns": "id=who, object=town"})
    assert rows(graph, "facts") == [("Per", "town", "Lund")]


NESTED = "id=no, label=name, types=kind, object=maker, value=price"


def test_an_object_with_an_id_or_a_name_is_a_link_to_an_entity(tmp_path: Path) -> None:
    content = [
        {"no": "p1", "name": "Pump", "kind": "pump", "maker": {"name": "Nordwerk", "id": "Q1"}, "price": 3},
        {"no": "p2", "kind": {"id": "K1", "label": "seal"}, "maker": [{"name": "Ash"}, "Elm", {"@id": 7}]},
        {"no": "p3", "maker": {"id": "p2", "title": "Another seal", "city": "Lund"}, "price": {"id": "Q9"}},
        {"no": "p4", "name": "Own name", "maker": {}, "price": {"latitude": 1, "longitude": 2}},
        {"no": "p5", "maker": {"id": "p4", "name": "Other name"}},
    ]
    for name, text in (
        ("a.json", json.dumps(content)),
        ("a.jsonl", "".join(json.dumps(one) + "\n" for one in content)),
    ):
        graph = made(tmp_path, name, text, source_options={"columns": NESTED})
        assert rows(graph, "facts") == [
            ("p1", "maker", "Q1"),
            *(("p2", "maker", maker) for maker in ("7", "Ash", "Elm")),
            ("p3", "maker", "p2"),
            ("p5", "maker", "p4"),
            ("p3", "price", "Q9"),
        ]
        assert ("p4", "price", "@(1.0,2.0)") in [row[:3] for row in rows(graph, "values")]
        labels = {row[0]: row[1] for row in rows(graph, "entities")}
        assert (labels["Q1"], labels["Ash"], labels["p2"]) == ("Nordwerk", "Ash", "Another seal")
        assert labels["p4"] == "Own name", "a row of its own is asked first"
        assert ("p2", "K1", True) in rows(graph, "types")
        (source,) = graph.manifest["sources"]
        assert (source["bad"], source["remark"]) == ({}, "")
        assert source["skipped"] == {"further keys of nested objects": 1}


def test_objects_are_links_in_facts_too(tmp_path: Path) -> None:
    content = [
        {"subject": {"id": "A", "label": "Ash"}, "relation": {"id": "P1", "label": "made by"}, "object": "B"},
        {"subject": "A", "relation": "P1", "object": [{"id": "C", "name": "Elm"}, "D"]},
        {"subject": "A", "relation": "height", "value": ["5 m", None, 7]},
    ]
    graph = made(tmp_path, "a.json", json.dumps(content))
    assert rows(graph, "facts") == [("A", "P1", "B"), ("A", "P1", "C"), ("A", "P1", "D")]
    assert {row[0]: row[1] for row in rows(graph, "entities")}["C"] == "Elm"
    assert [row[2] for row in rows(graph, "values")] == ["5[Q11573]", "7"]
    assert ("P1", "made by") in [row[:2] for row in rows(graph, "relations")]


def test_other_objects_are_left_out_and_told_in_one_line(tmp_path: Path) -> None:
    plain = {"no": "p", "name": "Pump" * 10, "kind": "pump", "maker": "Elm", "price": 3}
    odd = {**plain, "name": {"en": "Pump"}, "maker": {"city": "Lund"}, "price": {"amount": 3}}
    content = "".join(
        json.dumps({**(odd if number in (150, 180) else plain), "no": f"p{number}"}) + "\n"
        for number in range(1, 201)
    )
    graph = made(tmp_path, "a.jsonl", content, source_options={"columns": NESTED}, block_bytes=5000)
    (source,) = graph.manifest["sources"]
    assert (source["bad"], source["entries"]) == ({}, 200)
    assert source["remark"] == (
        "left out 2 values under label (the first in line 150), 2 values under maker (the first in line "
        "150), 2 values under price (the first in line 150): objects without an id or a name, or lists where "
        "one text belongs; write what they hold under keys of the row itself"
    )
    assert len(rows(graph, "facts")) == len(rows(graph, "values")) == 198
    assert len(rows(graph, "types")) == 200


def test_aliases_and_classes_without_a_name_leave_the_rest_of_the_row(tmp_path: Path) -> None:
    content = {"id": "a", "label": "A", "aliases": [{"count": 3}, "B"], "types": [{"kind": 1}, "pump"]}
    graph = made(tmp_path, "a.jsonl", json.dumps(content))
    assert rows(graph, "aliases")[0][:2] == ("a", "B")
    assert rows(graph, "types") == [("a", "pump", True)]
    (source,) = graph.manifest["sources"]
    assert source["bad"] == {}
    assert source["remark"].startswith(
        "left out 1 value under aliases (the first in line 1), 1 value under types"
    )


def test_structs_of_parquet_are_links(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = [{"id": "p1", "label": "Pump", "maker": {"id": "Q1", "name": "Nordwerk"}}]
    pq.write_table(pa.Table.from_pylist(content), tmp_path / "a.parquet")
    given = {"columns": "id=id, label=label, object=maker"}
    graph = make_graph([tmp_path / "a.parquet"], tmp_path / "graph", jobs=1, source_options=given)
    assert rows(graph, "facts") == [("p1", "maker", "Q1")]
    assert {row[0]: row[1] for row in rows(graph, "entities")} == {"Q1": "Nordwerk", "p1": "Pump"}


def priced(folder: Path, prices: list[str], weights: list[str] | None = None, **options: str) -> Graph:
    """A table with semicolons, a byte order mark and the line ends of spreadsheets."""
    cells = zip(prices, weights or [""] * len(prices), strict=True)
    lines = ["part;price;weight", *(f"p{n:02};{price};{weight}" for n, (price, weight) in enumerate(cells))]
    given = {"columns": "id=part, value=price, value=weight", **options}
    content = ("\ufeff" + "\r\n".join(lines) + "\r\n").encode()
    return made(folder, "parts.csv", content, source_options=given)


def told_and_read(graph: Graph, relation: str = "price") -> tuple[str, list[str]]:
    (source,) = graph.manifest["sources"]
    return source["remark"], [row[2] for row in rows(graph, "values") if row[1] == relation]


COMMAS = "read decimal commas in {} (1.234,5 is 1234.5); --option decimal=point says otherwise"
THOUSANDS = "took 1,234 for 1234 in price; --option decimal=comma takes it for 1.234"
MIXED = (
    "left 1,2 as a text in price, where other numbers are written otherwise; --option decimal=comma reads it "
    "as 1.2"
)


@pytest.mark.parametrize(
    ("prices", "remark", "read"),
    [
        (["1,2", "-10,50", "", "3", "n/a"], COMMAS.format("price"), ["1.2", "-10.5", "3", '"n/a"']),
        (["1.234,5", "1,234", "1.234"], COMMAS.format("price"), ["1234.5", "1.234", "1234"]),
        (["12,5 %", "7 %"], COMMAS.format("price"), ["12.5[Q11229]", "7[Q11229]"]),
        (["1.234.567", "1.234"], COMMAS.format("price"), ["1234567", "1234"]),
        (["1,234", "2,345"], THOUSANDS, ["1234", "2345"]),
        (
            ["1.234", "2"],
            "took 1.234 for a decimal number in price; --option decimal=comma takes it for 1234",
            ["1.234", "2"],
        ),
        (["1,234,567", "1,234"], "", ["1234567", "1234"]),
        (["1.5", "1,234"], "", ["1.5", "1234"]),
        (["1,2", "1.5"], MIXED, ['"1,2"', "1.5"]),
        (["1,2", "1,2,3"], MIXED, ['"1,2"', '"1,2,3"']),
        (["1,2"] * 9 + ["1.5"], COMMAS.format("price"), ["1.2"] * 9 + ["1.5"]),
        (["1,234"] * 10 + ["12,34"], f"{MIXED}; {THOUSANDS}", ["1234"] * 10 + ['"12,34"']),
        (["12", "x"], "", ["12", '"x"']),
    ],
)
def test_decimal_commas_of_a_table_with_semicolons_are_read_and_told(
    tmp_path: Path, prices: list[str], remark: str, read: list[str]
) -> None:
    assert told_and_read(priced(tmp_path, prices)) == (remark, read)


def test_the_other_columns_of_a_file_say_what_is_between_thousands(tmp_path: Path) -> None:
    for weight, remark, read in (
        ("1,5", COMMAS.format("price, weight"), "1.234"),
        ("1.5", "", "1234"),
        ("15", THOUSANDS, "1234"),
    ):
        assert told_and_read(priced(tmp_path, ["1,234"], [weight])) == (remark, [read])


def test_the_user_says_what_commas_are(tmp_path: Path) -> None:
    assert told_and_read(priced(tmp_path, ["1,234"], decimal="comma")) == ("", ["1.234"])
    assert told_and_read(priced(tmp_path, ["1,2"], decimal="point")) == ("", ['"1,2"'])
    quoted = 'subject,relation,value\na,height m,"1,85"\nb,height m,"2,10"\n'
    graph = made(tmp_path, "quoted.csv", quoted)
    assert told_and_read(graph, "height m") == ("", ['"1,85"', '"2,10"'])
    graph = made(tmp_path, "quoted.csv", quoted, source_options={"decimal": "comma"})
    assert told_and_read(graph, "height m") == ("", ["1.85[Q11573]", "2.1[Q11573]"])


def test_each_file_has_its_own_decimal_sign(tmp_path: Path) -> None:
    (tmp_path / "europe.csv").write_text("subject;relation;value\na;height m;1,85\nb;height m;2\n")
    (tmp_path / "us.csv").write_text('subject,relation,value\nc,height m,1.85\nd,height m,"1,850"\n')
    graph = make_graph([tmp_path / "europe.csv", tmp_path / "us.csv"], tmp_path / "graph", jobs=1)
    assert [row[2] for row in rows(graph, "values")] == [
        *("1.85[Q11573]", "2[Q11573]", "1.85[Q11573]", "1850[Q11573]"),
    ]
    assert [source["remark"] for source in graph.manifest["sources"]] == [COMMAS.format("height m"), ""]


def test_a_quote_that_is_not_closed_is_told_with_its_line(tmp_path: Path) -> None:
    content = 'subject,relation,object\na,r,"two\nlines"\nb,r,"c\nd,r,e\nf,r,g'
    for end in ("", "\n"):
        (source,) = made(tmp_path, "a.csv", content + end, max_bad=1).manifest["sources"]
        (bad,) = source["bad_examples"]
        assert (source["entries"], bad["line"]) == (2, 4)
        assert bad["reason"].endswith("a quote that opens in line 4 is not closed, so the rest is one field")
    closed = made(tmp_path, "a.csv", content + '"', max_bad=1)
    assert closed.manifest["sources"][0]["bad"] == {}


def test_a_quote_that_only_the_next_one_closes_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    content = 'subject,relation,object\na,r,b\nb,r,"c\nd,r,"e"\nf,r,g\nh,r,"i ""1""\nj"\n'
    graph = made(tmp_path, "a.csv", content)
    (bad,) = graph.manifest["sources"][0]["bad_examples"]
    assert bad["reason"] == (
        "a quote that opens in line 3 is not closed, or one inside is not doubled (lines 3 to 4)"
    )
    assert rows(graph, "facts") == [("a", "r", "b"), ("f", "r", "g"), ("h", "r", 'i "1"\nj')]


def test_facts_given_again_are_counted(tmp_path: Path) -> None:
    content = "subject,relation,object,value\n" + "a,r,b,\n" * 3 + "a,height,,5 m\n" * 2
    graph = made(tmp_path, "a.csv", content)
    assert graph.manifest["repeated"] == {"facts": 2, "values": 1}


def test_iris_without_labels_are_called_by_their_local_names(tmp_path: Path) -> None:
    base = "http://factory.example/"
    triples = [
        ("Falcon_Pump", "hasMaker", "Nordwerk"),
        ("Falcon_Pump", "type", "ElectricPump"),
        ("Nordwerk", "name", "Nordwerk AB"),
        ("Malm%C3%B6", "hasMaker", "Nordwerk"),
    ]
    special = {
        "type": "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>",
        "name": "<http://www.w3.org/2000/01/rdf-schema#label>",
    }
    text = "".join(
        f"<{base}{s}> {special.get(p, f'<{base}terms#{p}>')} "
        + (f'"{o}"' if p == "name" else f"<{base}{o}>")
        + " .\n"
        for s, p, o in triples
    )
    with pytest.warns(RollcallWarning, match="2 entities, 1 relation, 1 class have no label"):
        graph = made(tmp_path, "a.nt", text)
    assert [record.label for record in graph.find("Falcon Pump")] == ["Falcon Pump"]
    assert graph.label(f"{base}Malm%C3%B6") == "Malmö"
    assert graph.label(f"{base}Nordwerk") == "Nordwerk AB"
    assert graph.entity(f"{base}Nordwerk").aliases == ()
    assert graph.relation_label(f"{base}terms#hasMaker") == "has maker"
    assert graph.class_label(f"{base}ElectricPump") == "electric pump"
    assert graph.manifest["counts"]["entities"] == 3


def test_aliases_of_relations_name_them(tmp_path: Path) -> None:
    facts = tmp_path / "facts.csv"
    facts.write_text("subject,relation,object\nFalcon,P1,Nordwerk\n")
    relations = tmp_path / "relations.csv"
    relations.write_text("relation,label,aliases\nP1,manufacturer,maker|built by\n")
    graph = make_graph([facts, relations], tmp_path / "graph", jobs=1)
    assert graph.resolve_relation("Built by") == "P1"
    assert graph.index.relation_aliases == (("built by", "maker"),)


def test_a_question_may_use_an_alias_of_a_property_of_wikidata(tmp_path: Path) -> None:
    from rollcall.systems.ask.relation_mentions import RelationMentions
    from rollcall.systems.ask.relation_phrases import RelationPhrases
    from rollcall.systems.ask.words import words_of

    def named(id_: str, label: str, **more: object) -> dict[str, object]:
        kind = "property" if id_.startswith("P") else "item"
        return {"id": id_, "type": kind, "labels": {"en": {"language": "en", "value": label}}, **more}

    target = {"type": "wikibase-entityid", "value": {"entity-type": "item", "id": "Q2"}}
    claim = {"mainsnak": {"snaktype": "value", "property": "P9", "datavalue": target}, "rank": "normal"}
    records = [
        named("Q1", "Falcon", claims={"P9": [claim]}),
        named("Q2", "Nordwerk"),
        named("P9", "manufacturer", aliases={"en": [{"language": "en", "value": "brand house"}]}),
    ]
    text = "[\n" + ",\n".join(map(json.dumps, records)) + "\n]\n"
    graph = made(tmp_path, "dump.json", text)
    assert graph.resolve_relation("brand house") == "P9"
    assert graph.manifest["counts"]["entities"] == 2
    asked = words_of("What is the brand house of Falcon?")
    (mention,) = RelationMentions(RelationPhrases(graph)).find(asked)
    assert (mention.relation, mention.voice) == (0, "noun")


PARTS = """part_no;name;kind;supplied_by;used in;Weight (kg)
A-1;Rotor seal;seal;V-1;Falcon|Osprey;0.5
A-2;Shaft;;V-1;;2
"""
OF_PARTS = "id=part_no,label=name,types=kind,object=supplied_by,object=used in,value=Weight (kg)"


def test_a_table_with_one_thing_a_row_is_read_column_by_column(tmp_path: Path) -> None:
    graph = made(tmp_path, "parts.csv", PARTS, source_options={"columns": OF_PARTS})
    assert rows(graph, "facts") == [
        ("A-1", "supplied_by", "V-1"),
        ("A-2", "supplied_by", "V-1"),
        ("A-1", "used in", "Falcon"),
        ("A-1", "used in", "Osprey"),
    ]
    assert [row[:3] for row in rows(graph, "values")] == [
        ("A-1", "Weight (kg)", "0.5[Q11570]"),
        ("A-2", "Weight (kg)", "2[Q11570]"),
    ]
    assert graph.label("A-1") == "Rotor seal"
    assert graph.relation_label("supplied_by") == "supplied by"
    assert graph.manifest["sources"][0]["remark"] == ""


def test_columns_that_nobody_named_are_said_to_be_left_out(tmp_path: Path) -> None:
    graph = made(tmp_path, "parts.csv", PARTS, source_options={"columns": "id=part_no,label=name"})
    assert rows(graph, "facts") == []
    remark = graph.manifest["sources"][0]["remark"]
    assert "left out the columns kind, supplied_by, used in, Weight (kg)" in remark
    assert "object=kind" in remark


def test_columns_are_named_file_by_file(tmp_path: Path) -> None:
    parts, firms = tmp_path / "parts.csv", tmp_path / "firms.json"
    parts.write_text(PARTS)
    # JSON leaves out what is unknown: no key of a relation needs to be in the first record.
    firms.write_text(
        '[{"no": "V-1", "name": "Pell"}, {"no": "V-2", "name": "Sand", "makes": ["A-2", "A-1"]}]'
    )
    columns = f"parts.csv: {OF_PARTS}\nfirms.json: id=no, label=name\nfirms.json: object=makes"
    graph = make_graph([parts, firms], tmp_path / "graph", source_options={"columns": columns}, jobs=1)
    assert ("V-2", "makes", "A-1") in rows(graph, "facts")
    assert graph.label("V-1") == "Pell"
    with pytest.raises(RollcallError, match=r"names part\.csv, and the files are parts\.csv, firms\.json"):
        make_graph([parts, firms], tmp_path / "g", source_options={"columns": "part.csv: id=no"}, jobs=1)
    with pytest.raises(RollcallError, match=r"firms\.json: has no column number"):
        columns = columns.replace("id=no,", "id=number,")
        make_graph([parts, firms], tmp_path / "g", source_options={"columns": columns}, jobs=1)


MAKERS = "Maker,Born in,Kind\nAda Holm,Lund,smith\nPer Lind,Malmö,\n"


def test_a_quoted_word_is_the_kind_of_all_rows_that_have_no_other(tmp_path: Path) -> None:
    def kinds(columns: str, content: str = MAKERS, name: str = "makers.csv") -> list[tuple[str, str]]:
        graph = made(tmp_path, name, content, source_options={"columns": columns})
        return [(row[0], row[1]) for row in rows(graph, "types")]

    both = [("Ada Holm", "artist"), ("Per Lind", "artist")]
    assert kinds('id=Maker, types="artist", object=Born in') == both
    assert kinds("id=Maker, types='artist', object=Born in") == both
    records = [{"Maker": "Ada Holm"}, {"Maker": "Per Lind"}]
    assert kinds('id=Maker, types="artist"', json.dumps(records), "makers.json") == both
    assert kinds('types="artist"', "id\tlabel\n1\tAda\n", "makers.tsv") == [("1", "artist")]
    assert kinds('id=Maker, types=Kind, types="artist"') == [("Ada Holm", "smith"), ("Per Lind", "artist")]


def test_a_graph_without_classes_is_said_to_be_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from rollcall.cli.graph_summary import print_summary

    given = "id=Maker, object=Born in"
    for columns, hint in ((given, True), (f'{given}, types="artist"', False)):
        print_summary(made(tmp_path, "makers.csv", MAKERS, source_options={"columns": columns}))
        assert ("no entity has a class, so questions say thing" in capsys.readouterr().out) == hint
    few = "".join(f"{n},Maker {n},{'artist' if n == 1 else ''}\n" for n in range(30))
    print_summary(made(tmp_path, "few.csv", f"id,label,types\n{few}"))
    assert "fewer than one in 10 entities has a class" in capsys.readouterr().out


def test_a_quoted_word_is_the_relation_of_all_rows(tmp_path: Path) -> None:
    columns = {"columns": 'subject=Maker, relation="was born in", object=Born in'}
    graph = made(tmp_path, "makers.csv", MAKERS, source_options=columns)
    assert rows(graph, "facts") == [("Ada Holm", "was born in", "Lund"), ("Per Lind", "was born in", "Malmö")]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("id=Makr, object=Born in", "has no column Makr, which --columns names; did you mean Maker?"),
        ("id=MAKR, object=Born in", "did you mean Maker?"),
        (
            "id=Maker, types=artist",
            'has no column artist, which .*if all rows have it, quote it: types="artist"',
        ),
        ('subject=Maker, relation="was", object=Kind, types="artist"', "nothing about a table of facts"),
        ('id=Maker, object="Lund"', "known are"),
    ],
)
def test_columns_that_are_misspelt_or_meant_as_words_get_a_hint(
    tmp_path: Path, columns: str, message: str
) -> None:
    with pytest.raises(RollcallError, match=message.replace("?", r"\?")):
        made(tmp_path, "makers.csv", MAKERS, source_options={"columns": columns})


def test_names_find_what_is_known_by_its_name_alone_beside_what_has_a_label(tmp_path: Path) -> None:
    graph = made(tmp_path, "parts.csv", PARTS, source_options={"columns": OF_PARTS})
    for name, id_ in (("falcon", "Falcon"), ("rotor seal", "A-1")):
        assert [one.id for one in graph.find(name)] == [id_]
    assert graph.find("a-1") == []


def test_relationship_types_of_one_word_are_no_abbreviations(tmp_path: Path) -> None:
    graph = made(tmp_path, "e.csv", ":START_ID,:TYPE,:END_ID\nAlder,RUNS,Heron\nAlder,servicedBy,Tate\n")
    assert {graph.relation_label(one) for one in ("RUNS", "servicedBy")} == {"runs", "serviced by"}
