"""Reading RDF: line formats block by block, Turtle as a stream, vocabularies, literals, and bad lines."""

from pathlib import Path

import pytest

from graph_dumps import folder_bytes, rows, write_compressed
from rollcall import RollcallError
from rollcall.graph import Graph, make_graph
from rollcall.graph.source import ReadOptions
from rollcall.graph.sources.rdf import vocabulary

XSD = "http://www.w3.org/2001/XMLSchema#"
TURTLE = """
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix ex: <http://example.org/> .
ex:paris a ex:City ; rdfs:label "Paris"@en , "Parigi"@it , "Paris (no language)" ;
    skos:altLabel "City of Light"@en , "Ville Lumière"@fr ; rdfs:comment "capital of France"@en ;
    ex:country ex:france ; ex:population 2145906 ; ex:area "105.4"^^xsd:decimal ;
    ex:founded "-0250"^^xsd:gYear ; ex:liberated "1944-08-25"^^xsd:date ;
    ex:seen "2020-01-02T03:04:05Z"^^xsd:dateTime ;
    ex:month "1944-08"^^xsd:gYearMonth ; ex:motto "Fluctuat"@la , "It is tossed"@en ; ex:code "75" ;
    ex:open true ; ex:broken "many"^^xsd:integer ;
    ex:where "Point(2.35 48.85)"^^<http://www.opengis.net/ont/geosparql#wktLiteral> ;
    ex:long "12.5"^^<http://dbpedia.org/datatype/squareKilometre> .
ex:City rdfs:subClassOf ex:Place ; rdfs:label "city"@en .
ex:country rdfs:label "country"@en .
ex:france rdfs:label "France"@en-GB .
_:somebody ex:country ex:france .
"""


def build(tmp_path: Path, name: str, content: str, **words: object) -> Graph:
    source = write_compressed(tmp_path / name, content.encode())
    return make_graph([source], tmp_path / f"graph-{name}", source_options=words, jobs=1)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return build(
        tmp_path_factory.mktemp("rdf"), "a.ttl.gz", TURTLE, strip_prefix=["http://example.org/", f"xsd={XSD}"]
    )


def test_names_and_classes(graph: Graph) -> None:
    paris = graph.entity("paris")
    assert (paris.label, paris.description) == ("Paris", "capital of France")
    assert set(paris.aliases) == {"City of Light", "Paris (no language)"}
    assert rows(graph, "types") == [("paris", "City", True), ("paris", "Place", False)]
    assert graph.resolve_class("city") == "City"
    assert graph.relation_label("country") == "country", "a predicate's label is that of the entity"
    assert graph.label("france") == "france", "language codes are exact"


def test_facts(graph: Graph) -> None:
    facts = rows(graph, "facts")
    assert ("paris", "country", "france") in facts
    assert len(facts) == 2
    assert next(subject for subject, _, _ in facts if subject != "paris").startswith("_:")


def test_literals(graph: Graph) -> None:
    assert rows(graph, "values", "relation", "value") == [
        ("area", "105.4"),
        ("code", '"75"'),
        ("founded", "@-0250"),
        ("liberated", "@1944-08-25"),
        ("long", "12.5[Q712226]"),
        ("month", "@1944-08"),
        ("motto", '"It is tossed"@en'),
        ("open", '"true"'),
        ("population", "2145906"),
        ("seen", "@2020-01-02"),
        ("where", "@(48.85,2.35)"),
    ]
    assert graph.manifest["sources"][0]["skipped"]["unreadable literals"] == 1


def test_bad_lines_cost_only_themselves(tmp_path: Path) -> None:
    good = [f"<http://e/{n}> <http://e/p> <http://e/{n + 1}> ." for n in range(20)]
    lines = [*good[:10], "<http://e/1> <http://e/p> nonsense .", "", "# a comment", *good[10:], "garbage"]
    graph = build(tmp_path, "a.nt.zst", "\n".join(lines), strip_prefix=["http://e/"])
    assert len(rows(graph, "facts")) == 20
    (source,) = graph.manifest["sources"]
    assert source["bad"] == {"malformed": 2}
    assert [example["line"] for example in source["bad_examples"]] == [11, 24]


def test_turtle_goes_on_after_an_error(tmp_path: Path) -> None:
    content = "@prefix e: <http://e/> .\ne:a e:p e:b .\ne:a e:p <not an iri> .\ne:b e:p e:c .\n"
    graph = build(tmp_path, "a.ttl", content, strip_prefix=["http://e/"])
    assert rows(graph, "facts") == [("a", "p", "b"), ("b", "p", "c")]
    assert graph.manifest["sources"][0]["bad_examples"][0]["line"] == 3


def test_quads_and_trig(tmp_path: Path) -> None:
    quads = build(tmp_path, "a.nq", "<http://e/a> <http://e/p> <http://e/b> <http://e/graph> .\n")
    assert rows(quads, "facts") == [("http://e/a", "http://e/p", "http://e/b")]
    trig = build(tmp_path, "a.trig", "GRAPH <http://e/graph> { <http://e/a> <http://e/p> <http://e/b> }\n")
    assert rows(trig, "facts") == rows(quads, "facts")


def test_freebase_preset(tmp_path: Path) -> None:
    ns = "http://rdf.freebase.com/ns/"
    content = f"""
<{ns}m.02mjmr> <{ns}type.object.name> "Barack Obama"@en .
<{ns}m.02mjmr> <{ns}common.topic.alias> "Obama"@en .
<{ns}m.02mjmr> <{ns}type.object.type> <{ns}people.person> .
<{ns}m.02mjmr> <{ns}people.person.place_of_birth> <{ns}m.02hrh0_> .
<{ns}m.02mjmr> <{ns}people.person.date_of_birth> "1961-08-04"^^<{XSD}date> .
"""
    graph = build(tmp_path, "a.nt", content.strip(), preset="freebase")
    obama = graph.entity("m.02mjmr")
    assert (obama.label, obama.aliases, obama.types) == ("Barack Obama", ("Obama",), ("people.person",))
    assert rows(graph, "facts") == [("m.02mjmr", "people.person.place_of_birth", "m.02hrh0_")]
    assert rows(graph, "values", "value") == [("@1961-08-04",)]


def test_predicates_can_be_chosen(tmp_path: Path) -> None:
    content = '<e:a> <e:name> "A" .\n<e:a> <e:kind> <e:K> .\n<e:K> <e:under> <e:L> .\n<e:a> <e:also> "AA" .\n'
    graph = build(
        tmp_path, "a.nt", content, label=["e:name"], type=["e:kind"], subclass=["e:under"], alias=["e:also"]
    )
    record = graph.entity("e:a")
    assert (record.label, record.aliases, record.types) == ("A", ("AA",), ("e:K",))
    assert rows(graph, "types") == [("e:a", "e:K", True), ("e:a", "e:L", False)]


def test_a_file_that_is_no_rdf_stops_the_run(tmp_path: Path) -> None:
    with pytest.raises(RollcallError, match="30 of 30 entries are bad"):
        build(tmp_path, "a.nt", "no triple here\n" * 30)
    with pytest.raises(RollcallError, match="unknown preset 'dbpedai'; choose one of"):
        vocabulary("dbpedai")


def test_predicates_must_be_whole_iris_or_have_a_well_known_prefix(tmp_path: Path) -> None:
    content = '<e:a> <http://www.w3.org/2004/02/skos/core#prefLabel> "A" .\n'
    assert build(tmp_path, "a.nt", content, label=["skos:prefLabel"]).label("e:a") == "A"
    for wrong in ("label", "rdfs:", "http://e/a b"):
        with pytest.raises(RollcallError, match="is not an IRI; give a whole one"):
            vocabulary(label=[wrong])


def test_language_tags_are_compared_whatever_their_case(tmp_path: Path) -> None:
    source = tmp_path / "a.nt"
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    source.write_text(f'<e:a> {label} "Grey"@en-GB .\n<e:a> <e:p> "colour"@EN-gb .\n')
    graph = make_graph([source], tmp_path / "g", options=ReadOptions(language="en-GB"), jobs=1)
    assert graph.label("e:a") == "Grey"
    assert rows(graph, "values", "value") == [('"colour"@en-gb',)]
    with pytest.raises(RollcallError, match="'e n' is not a language"):
        ReadOptions(language="e n")


def test_blank_nodes_are_of_their_source_and_always_named_alike(tmp_path: Path) -> None:
    one, two, lines = tmp_path / "one.ttl", tmp_path / "two.ttl", tmp_path / "three.nt"
    one.write_text("_:b <e:p> [ <e:q> <e:x> ; <e:r> [ <e:q> <e:y> ] ] . _:b <e:q> <e:z> .")
    two.write_text("_:b <e:p> <e:two> . [] <e:p> <e:two> .")
    lines.write_text("".join(f"_:b{n % 3} <e:p> <e:{n}> .\n" for n in range(30)))
    made = []
    for run, block_bytes in enumerate((100, 1 << 20)):
        sources = [one, two, lines]
        made.append(make_graph(sources, tmp_path / str(run), jobs=1, block_bytes=block_bytes))
    facts = rows(made[0], "facts")
    assert rows(made[1], "facts") == facts
    assert folder_bytes(made[0].folder) == folder_bytes(made[1].folder)
    assert {subject for subject, _, _ in facts} == {
        *("_:1.b", "_:1-1", "_:1-2", "_:2.b", "_:2-1", "_:3.b0", "_:3.b1", "_:3.b2")
    }
    assert [object_ for subject, _, object_ in facts if subject == "_:2.b"] == ["e:two"]


def test_a_point_at_infinity_is_unreadable(tmp_path: Path) -> None:
    wkt = "<http://www.opengis.net/ont/geosparql#wktLiteral>"
    content = f'<e:a> <e:p> "Point(1e999 1)"^^{wkt} .\n<e:a> <e:p> "Point(1e+1 1)"^^{wkt} .\n'
    graph = build(tmp_path, "a.nt", content)
    assert rows(graph, "values", "value") == [("@(1.0,10.0)",)]
    assert graph.manifest["sources"][0]["skipped"] == {"unreadable literals": 1}
