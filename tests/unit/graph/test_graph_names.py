"""What things and relations are called if a file does not say so, and by which other names."""

import json
from pathlib import Path

import pytest

from own_files import made
from rollcall._core.errors import RollcallWarning
from rollcall.graph import make_graph


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


def test_relationship_types_of_one_word_are_no_abbreviations(tmp_path: Path) -> None:
    graph = made(tmp_path, "e.csv", ":START_ID,:TYPE,:END_ID\nAlder,RUNS,Heron\nAlder,servicedBy,Tate\n")
    assert {graph.relation_label(one) for one in ("RUNS", "servicedBy")} == {"runs", "serviced by"}


def test_aliases_of_relations_name_them(tmp_path: Path) -> None:
    facts = tmp_path / "facts.csv"
    facts.write_text("subject,relation,object\nFalcon,P1,Nordwerk\n")
    relations = tmp_path / "relations.csv"
    relations.write_text("relation,label,aliases\nP1,manufacturer,maker|built by\n")
    graph = make_graph([facts, relations], tmp_path / "graph", jobs=1)
    assert graph.resolve_relation("Built by") == "P1"
    assert graph.index.relation_aliases == (("built by", "maker"),)


def test_a_question_may_use_an_alias_of_a_property_of_wikidata(tmp_path: Path) -> None:
    from rollcall.systems.ask.mentions import RelationMentions, RelationPhrases
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
