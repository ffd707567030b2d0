"""Reading Wikidata's JSON dump: every kind of statement, name and bad entry, in every form."""

from pathlib import Path
from typing import Any

import pytest

from graph_dumps import (
    array_form,
    item,
    item_value,
    line_form,
    point_value,
    quantity_value,
    rows,
    statement,
    string_value,
    terms,
    text_value,
    time_value,
    write_compressed,
)
from rollcall import RollcallError
from rollcall.graph import Graph, make_graph, value_row
from rollcall.graph.source import ReadOptions
from rollcall.graph.sources.wikidata import quantity_row, time_row
from rollcall.query import Date, number

DOUGLAS = item(
    "Q42",
    labels=terms(
        en="Douglas Adams", de="Douglas Noël Adams", en_gb="Douglas Adams of Cambridge", fr="Douglas"
    ),
    descriptions=terms(en="English writer", de="Schriftsteller"),
    aliases={
        "en": [{"language": "en", "value": "DNA"}, {"language": "en", "value": 'The "Bop" Ad'}],
        "mul": [{"language": "mul", "value": "Douglas N. Adams"}],
        "de": [{"language": "de", "value": "Dougie"}],
    },
    sitelinks={"enwiki": {"site": "enwiki", "title": "Douglas Adams (writer)"}, "dewiki": {"title": "D. A."}},
    claims={
        "P31": [statement(item_value("Q5"))],
        "P19": [statement(item_value("Q350"))],
        # The preferred of several, and never a deprecated one.
        "P20": [
            statement(item_value("Q1")),
            statement(item_value("Q2"), "preferred"),
            statement(item_value("Q3"), "preferred"),
            statement(item_value("Q4"), "deprecated"),
        ],
        "P21": [statement(item_value("Q6"), "deprecated")],
        # Ended, ended at an unknown time, and explicitly not ended.
        "P26": [
            statement(item_value("Q71"), ends="value"),
            statement(item_value("Q72"), ends="somevalue"),
            statement(item_value("Q73"), ends="novalue"),
        ],
        "P40": [statement(None, snaktype="novalue")],
        "P22": [statement(None, snaktype="somevalue")],
        "P569": [statement(time_value("+1952-03-11T00:00:00Z", 11))],
        "P570": [statement(time_value("+2001-05-00T00:00:00Z", 10))],
        "P571": [statement(time_value("+1850-00-00T00:00:00Z", 9))],
        "P1": [statement(time_value("-0044-03-15T00:00:00Z", 11))],
        "P2": [statement(time_value("+1999-12-31T23:59:00Z", 13))],
        "P3": [statement(time_value("-13798000000-00-00T00:00:00Z", 3))],
        "P1082": [statement(quantity_value("+1200")), statement(quantity_value("+1200"))],
        "P2048": [statement(quantity_value("+1.960", "Q11573"))],
        "P1477": [
            statement(text_value("Douglas Noel Adams", "en")),
            statement(text_value("Duglas", "ru")),
        ],
        "P1449": [statement(string_value("a\tb"), datatype="string")],
        "P214": [statement(string_value("113230702"), datatype="external-id")],
        "P856": [statement(string_value("https://example.org"), datatype="url")],
        "P625": [statement(point_value(52.2, 0.12)), statement(point_value(1.0, 2.0, "Q405"))],
        "P626": [statement(point_value(None, 0.12))],
        "P5185": [statement({"type": "wikibase-entityid", "value": {"entity-type": "lexeme", "id": "L1"}})],
        "P6": [statement({"type": "wikibase-entityid", "value": {"entity-type": "item", "numeric-id": 9}})],
        "P7": [statement({"type": "entity-schema", "value": {"id": "E1"}})],
    },
)
DUMP = [
    DOUGLAS,
    item("Q5", "human", {"P279": [statement(item_value("Q100"))]}),
    item("Q100", "organism"),
    item("Q350", labels=terms(mul="Cambridge"), claims={"P31": [statement(item_value("Q515"))]}),
    {
        "type": "property",
        "id": "P19",
        "labels": terms(en="place of birth"),
        "descriptions": terms(en="where"),
    },
    {"type": "lexeme", "id": "L1"},
    {"id": "Q900", "redirect": "Q42"},
    {"entity": "Q901", "redirect": "Q42"},
    item("Q902"),
    {"id": "Q903", "missing": ""},
    b'{"type":"item","id":"Q904","labels":{"en":',
    b"\xff\xfe{}",
    {"type": "item", "labels": {}},
    {"type": "item", "id": "Q905", "claims": {"P19": [{"mainsnak": {"snaktype": 7}}]}},
]


def build(tmp_path: Path, content: bytes, name: str = "dump.json", **options: Any) -> Graph:
    source = write_compressed(tmp_path / name, content)
    common = {name: options.pop(name) for name in ("language", "fallback", "type_facts") if name in options}
    return make_graph(
        [source], tmp_path / "graph", options=ReadOptions(**common), source_options=options, jobs=1
    )


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return build(tmp_path_factory.mktemp("wikidata"), array_form(DUMP))


def test_names(graph: Graph) -> None:
    douglas = graph.entity("Q42")
    assert (douglas.label, douglas.description) == ("Douglas Adams", "English writer")
    assert douglas.title == "Douglas Adams (writer)"
    assert douglas.aliases == ("DNA", "Douglas N. Adams", 'The "Bop" Ad')
    assert douglas.types == ("Q5",)
    assert graph.label("Q350") == "Cambridge", "the fallback language gives the label"
    assert graph.label("Q73") == "Q73", "an entity that is only pointed to shows its id"
    assert rows(graph, "entities", "id", "label")[-1] == ("Q9", None)


def test_facts_are_best_rank_and_not_ended(graph: Graph) -> None:
    assert rows(graph, "facts") == [
        ("Q42", "P19", "Q350"),
        ("Q42", "P20", "Q2"),
        ("Q42", "P20", "Q3"),
        ("Q42", "P26", "Q73"),
        ("Q42", "P6", "Q9"),
    ]


def test_values(graph: Graph) -> None:
    assert rows(graph, "values", "relation", "value", "kind", "dimension") == [
        ("P1", "@-0043-03-15", "date", "date"),
        ("P1082", "1200", "number", "number"),
        ("P1449", '"a\\tb"', "text", None),
        ("P1477", '"Douglas Noel Adams"@en', "text", None),
        ("P2", "@1999-12-31", "date", "date"),
        ("P2048", "1.96[Q11573]", "quantity", "length"),
        ("P569", "@1952-03-11", "date", "date"),
        ("P570", "@2001-05", "date", "date"),
        ("P571", "@1850", "date", "date"),
        ("P625", "@(52.2,0.12)", "point", None),
    ]


def test_types_are_closed_and_kept_out_of_the_facts(graph: Graph) -> None:
    assert rows(graph, "types") == [
        ("Q350", "Q515", True),
        ("Q42", "Q100", False),
        ("Q42", "Q5", True),
    ]
    assert rows(graph, "classes") == [
        ("Q100", "organism", [], 1),
        ("Q5", "human", ["Q100"], 1),
        ("Q515", None, [], 1),
    ]


def test_relations_have_labels_and_counts(graph: Graph) -> None:
    described = {row[0]: row[1:] for row in rows(graph, "relations")}
    assert described["P19"] == ("place of birth", "where", 1, 0)
    assert described["P1082"] == (None, None, 0, 1)
    assert "P21" not in described, "a relation whose statements were all left out is not listed"
    assert graph.resolve_relation("Place of birth") == "P19"


def test_bad_entries_are_counted_and_located(graph: Graph) -> None:
    (source,) = graph.manifest["sources"]
    assert source["entries"] == len(DUMP)
    assert source["bad"] == {"deleted": 1, "empty": 1, "malformed": 4, "redirect": 2}
    located = {(example["line"], example["kind"]) for example in source["bad_examples"]}
    # The array's bracket is line 1, so that the first entry is line 2.
    assert located == {
        (8, "redirect"),
        (9, "redirect"),
        (10, "empty"),
        (11, "deleted"),
        (12, "malformed"),
        (13, "malformed"),
        (14, "malformed"),
        (15, "malformed"),
    }
    assert source["skipped"] == {
        "deprecated statements": 1,
        "ended statements": 2,
        "identifiers, addresses and files": 2,
        "lexeme entries": 1,
        "novalue statements": 1,
        "places on other globes": 1,
        "somevalue statements": 1,
        "statements about lexemes and other entities": 1,
        "texts in other languages": 1,
        "time coarser than a millennium": 1,
        "values of type entity-schema": 1,
        "values of type globecoordinate": 1,
    }


def test_options(tmp_path: Path) -> None:
    graph = build(
        tmp_path,
        line_form([DOUGLAS]),
        language="de",
        fallback=("ru",),
        include_ended=True,
        identifiers=True,
        type_facts=True,
    )
    douglas = graph.entity("Q42")
    assert (douglas.label, douglas.title) == ("Douglas Noël Adams", "D. A.")
    assert douglas.aliases == ("Dougie",)
    facts = rows(graph, "facts", "relation", "object")
    assert ("P26", "Q71") in facts
    assert ("P26", "Q72") in facts
    assert ("P31", "Q5") in facts
    values = rows(graph, "values", "relation", "value")
    assert ("P1477", '"Duglas"@ru') in values
    assert ("P214", '"113230702"') in values


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".zst"])
def test_every_form_and_compression_gives_the_same_graph(tmp_path: Path, graph: Graph, suffix: str) -> None:
    lines = [line for line in DUMP if line is not DUMP[-4]]  # that one would end the line form's line early
    made = build(tmp_path, line_form(lines), f"dump.json{suffix}")
    for table in ("entities", "aliases", "types", "classes", "relations", "facts", "values"):
        assert rows(made, table) == rows(graph, table)


def test_a_whole_array_in_one_line(tmp_path: Path) -> None:
    one_line = b"[" + b",".join(line_form([line]).strip() for line in DUMP[:5]) + b"]"
    made = build(tmp_path, one_line)
    assert made.manifest["sources"][0]["entries"] == 5
    assert made.label("Q5") == "human"


@pytest.mark.parametrize(
    ("time", "precision", "expected"),
    [
        ("+1952-03-11T00:00:00Z", 11, Date(1952, 3, 11)),
        ("+0079-08-24T00:00:00Z", 11, Date(79, 8, 24)),
        ("+12345-01-01T00:00:00Z", 9, Date(12345)),
        ("+1952-00-00T00:00:00Z", 11, Date(1952)),
        ("+1952-03-00T00:00:00Z", 11, Date(1952, 3)),
        ("+1990-00-00T00:00:00Z", 8, Date(1990, precision="decade")),
        ("+1801-01-01T00:00:00Z", 7, Date(1800, precision="century")),
        ("+1900-01-01T00:00:00Z", 7, Date(1800, precision="century")),
        ("+2000-01-01T00:00:00Z", 6, Date(1000, precision="millennium")),
        ("-0001-00-00T00:00:00Z", 9, Date(0)),
        ("-0500-00-00T00:00:00Z", 7, Date(-500, precision="century")),
        ("-0401-00-00T00:00:00Z", 7, Date(-500, precision="century")),
    ],
)
def test_times(time: str, precision: int, expected: Date) -> None:
    assert time_row(time, precision) == value_row(expected)


@pytest.mark.parametrize("time", ["+0000-01-01T00:00:00Z", "1952", "+1952-13-01T00:00:00Z"])
def test_times_that_cannot_be_read(time: str) -> None:
    assert time_row(time, 11) == "unreadable time"


@pytest.mark.parametrize(
    ("amount", "unit"),
    [("+0", "1"), ("+1200", "1"), ("-5", "1"), ("+1.50", "1"), ("+8848.86", "Q11573"), ("+3", "Q3710")],
)
def test_quantities_agree_with_the_values_they_stand_for(amount: str, unit: str) -> None:
    url = unit if unit == "1" else f"http://www.wikidata.org/entity/{unit}"
    assert quantity_row(amount, url) == value_row(number(amount, None if unit == "1" else unit))


def test_too_many_bad_entries_stop_the_run(tmp_path: Path) -> None:
    lines = [item(f"Q{number}", "thing") for number in range(50)] + [b"{broken"] * 11
    with pytest.raises(
        RollcallError, match=r"11 of 61 entries are bad \(11 malformed\).*dump.json:51"
    ) as stopped:
        build(tmp_path, line_form(lines))
    assert "\n" not in str(stopped.value)
    graph = make_graph([tmp_path / "dump.json"], tmp_path / "graph", jobs=1, max_bad=0.2)
    assert graph.manifest["counts"]["entities"] == 50
