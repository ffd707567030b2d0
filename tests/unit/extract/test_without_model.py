"""Graphs without a language model: from links, titles, tables, and the lexicon's phrases."""

import json

import numpy as np
import pytest

import pump_documents
import rollcall
from rollcall import RollcallError
from rollcall.corpus import make_corpus
from rollcall.evidence import Verifier
from rollcall.evidence.verifiers.models import EveryMention
from rollcall.extract.patterns import BORN, DIED, lifespan
from rollcall.extract.records import LinkTargets, made_schema
from rollcall.extract.without_model import read_without_model


def corpus_of(tmp_path, *pages):
    lines = [page if isinstance(page, dict) else {"title": page[0], "text": page[1]} for page in pages]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    return make_corpus([tmp_path / "pages.jsonl"], tmp_path / "corpus", jobs=1, show_progress=False)


def stated(corpus):
    """What is read, as names and labels."""
    pages = [(page.id, page.title) for page in corpus.pages()]
    _schema, readings = read_without_model(corpus, pages, LinkTargets(corpus, pages))
    return {(one.subject, one.relation, one.object) for reading in readings for one in reading.statements}


def test_documents_give_a_thin_graph_that_says_so_by_what_it_has(tmp_path):
    corpus = make_corpus([pump_documents.write(tmp_path / "texts")], tmp_path / "corpus", jobs=1)
    made = rollcall.extract(corpus, tmp_path / "mine", verifier="none")
    facts = {
        (row["subject"], made.graph.relation_label(row["relation"]), row["object"])
        for row in made.graph.tables.facts.to_pyarrow().to_pylist()
    }
    right = {
        (one, {"born in": "place of birth"}.get(by, by), other) for one, by, other in pump_documents.FACTS
    }
    right |= {(other, "manufacturer", one) for one, by, other in right if by == "makes"}
    right |= {("Falcon Pump", "discoverer or inventor", "Ada Moss")}
    assert len(facts) >= 12
    assert facts <= right, facts - right
    assert ("Brenner GmbH", "founded by", "Ida Brenner") in facts, "all names of a list"
    assert ("Sorell Pumps", "owned by", "Lindqvist Holding") in facts, "said from the other side"
    assert made.graph.entity("Ada Moss").types == ("engineer",)
    assert {page.title for page in made.corpus.pages() if page.entity is None} == {"Customers in the north"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Marl Tide is a film directed by Orla Venn.", {("Marl Tide", "director", "Orla Venn")}),
        ("Marl Tide is a film. It was directed by Orla Venn.", {("Marl Tide", "director", "Orla Venn")}),
        ("Marl Tide is a film directed by the Danish painter Orla Venn.", set()),
        ("Marl Tide is a film directed by Orla Venn's brother.", set()),
        ("Marl Tide is a film that Ada Moss saw when it was directed by Orla Venn.", set()),
        ("Marl Tide is a film. It starred Ada Moss, Orla Venn and Jonas Pell.",
         {("Marl Tide", "cast member", name) for name in ("Ada Moss", "Orla Venn", "Jonas Pell")}),
        ("Marl Tide is a film about the sea.", set()),
    ],
)  # fmt: skip
def test_phrases_of_the_lexicon(tmp_path, text, expected):
    assert stated(corpus_of(tmp_path, ("Marl Tide", text))) == expected


DISCOVERY = ("discoverer or inventor", "time of discovery or invention", "location of discovery")


def discovered(*, by=(), in_year=None, in_land=None):
    objects = [*((DISCOVERY[0], person) for person in by), (DISCOVERY[1], in_year), (DISCOVERY[2], in_land)]
    return {("Velium", relation, object_) for relation, object_ in objects if object_}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Velium was discovered by Orla Venn in 1899.", discovered(by=["Orla Venn"], in_year="1899")),
        ("It was discovered in 1899 by Orla Venn.", discovered(by=["Orla Venn"], in_year="1899")),
        ("Discovered in Norway in June 1899 by Orla Venn and A.B. Pell.",
         discovered(by=["Orla Venn", "A.B. Pell"], in_year="June 1899", in_land="Norway")),
        ("First discovered by Orla Venn and associates in 1899, it was named by Ada Moss.",
         discovered(by=["Orla Venn"], in_year="1899")),
        ("Discovered by Orla Venn of Norway in 1899.",
         discovered(by=["Orla Venn of Norway"], in_year="1899")),
        ("Discovered by Orla Venn, isolated by Jonas Pell in 1902.", discovered(by=["Orla Venn"])),
        ("Discovered by Orla Venn, Sarium is softer.", set()),
        ("Discovered by Orla Venn, the metal Sarium is softer.", set()),
        ("It was discovered by the Norwegian chemist Orla Venn.", set()),
        ("It was not discovered in 1899.", set()),
        ("It discovered in 1899 a new use.", set()),
        ("Researchers at Berkeley discovered Velium in 1964.", set()),
        ("The name velium was invented by Orla Venn.", set()),
        ("The name velium comes from Venia, a goddess.", set()),
        ("The name is new; the origin of it comes from Orla Venn.", set()),
    ],
)  # fmt: skip
def test_participles_with_agents_dates_and_lands_in_any_order(tmp_path, text, expected):
    assert stated(corpus_of(tmp_path, ("Velium", f"Velium melts early. {text}"))) == expected


SCHEMA = made_schema(
    {
        "classes": {"element": "", "person": "", "group": ""},
        "relations": {
            "isolated by": {"subject": "element", "object": "person"},
            "isolated in": {"subject": "element", "object": "date"},
            "found out": {"subject": "element", "object": "person", "id": "P61"},
            "belongs to": {"subject": "element", "object": "group"},
            "capital": {"subject": "group", "object": "element"},
            "density": {"subject": "element", "object": "number"},
        },
    }
)


def test_a_schema_says_what_is_read_in_its_own_words(tmp_path):
    text = "Discovered by Orla Venn in 1899 and isolated in 1902 by Jonas Pell. It belongs to Halogens."
    corpus = corpus_of(tmp_path, ("Velium", f"Velium melts early. {text} It was founded by Ada Moss."))
    made = rollcall.extract(corpus, tmp_path / "mine", schema=SCHEMA, verifier="none")
    facts = (
        made.graph.tables.facts.to_pyarrow().to_pylist() + made.graph.tables.values.to_pyarrow().to_pylist()
    )
    assert {(row["relation"], row.get("object") or row["value"]) for row in facts} == {
        ("P61", "Orla Venn"),
        ("isolated by", "Jonas Pell"),
        ("isolated in", "@1902"),
        ("belongs to", "Halogens"),
    }
    assert made.graph.relation_label("P61") == "found out"
    types = {name: made.graph.entity(name).types for name in ("Velium", "Jonas Pell", "Halogens")}
    assert types == {"Velium": ("element",), "Jonas Pell": ("person",), "Halogens": ("group",)}
    assert made.left_out == {"relation whose name is no phrase (capital)": 1}


@pytest.mark.parametrize("land", ["Norway", "the United States", "the Soviet Union"])
def test_a_country_is_expected_where_the_lexicon_says_so(tmp_path, land):
    pages = [("Marl Tide", f"Marl Tide is a film. It comes from {place}.") for place in (land, "Venia")]
    countries = {object_ for _subject, _relation, object_ in stated(corpus_of(tmp_path, *pages))}
    assert countries == {land.removeprefix("the ")}


def test_phrases_are_learned_from_what_the_lexicon_finds(tmp_path):
    pages = [
        *((f"{name} Vey", f"{name} Vey is a painter. {name} Vey was born in {town}.") for name, town in
          (("Ada", "Veld"), ("Ida", "Tarn"), ("Una", "Marl"))),
        ("Notes", "We met Ada Vey, whose cradle stood in Veld, and Ida Vey, whose cradle stood in Tarn. "
         "Later came Orla Venn, whose cradle stood in Ostrell."),
    ]  # fmt: skip
    assert ("Orla Venn", "place of birth", "Ostrell") in stated(corpus_of(tmp_path, *pages))
    assert ("Orla Venn", "place of birth", "Ostrell") not in stated(corpus_of(tmp_path, pages[0], pages[3]))


def test_links_name_things_whatever_their_words_are(tmp_path):
    page = {
        "title": "Marl Tide",
        "text": "Marl Tide is a film. It was directed by Venn.",
        "links": [{"target": "Orla Venn", "anchor": "Venn"}],
    }
    corpus = corpus_of(tmp_path, page, ("Orla Venn", "Orla Venn is a director."))
    made = rollcall.extract(corpus, tmp_path / "mine", verifier="none")
    rows = made.graph.tables.facts.to_pyarrow().to_pylist()
    assert rows == [{"subject": "Marl Tide", "relation": "P57", "object": "Orla Venn"}]


def test_links_and_tables_between_documents_lead_to_what_their_pages_are_about(tmp_path):
    texts = {
        "index": "# The catalogue\n\n| Pump | Maker | Introduced |\n|---|---|---|\n"
        "| [the first](falcon.md) | [Nordwerk](firms/nordwerk.md) | 1964 |\n"
        "| [Otter Pump](otter.md) | [Nordwerk](firms/nordwerk.md) | 1975 |\n",
        "falcon": "# Falcon Pump\n\nThe Falcon Pump is a pump.",
        "otter": "# Otter Pump\n\nThe Otter Pump is a pump. It is owned by [the firm](firms/nordwerk.md).",
        "firms/nordwerk": "# Nordwerk\n\nNordwerk is a company.",
    }
    for name, text in texts.items():
        path = tmp_path / "texts" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    corpus = make_corpus([tmp_path / "texts"], tmp_path / "corpus", jobs=1, show_progress=False)
    made = rollcall.extract(corpus, tmp_path / "mine", verifier="none")
    facts = {tuple(row.values()) for row in made.graph.tables.facts.to_pyarrow().to_pylist()}
    assert facts == {
        ("Falcon Pump", "maker", "Nordwerk"),
        ("Otter Pump", "maker", "Nordwerk"),
        ("Otter Pump", "P127", "Nordwerk"),
    }
    assert {page.entity for page in made.corpus.pages()} == {None, "Falcon Pump", "Otter Pump", "Nordwerk"}


@pytest.mark.parametrize("verifier", ["none", EveryMention()])
def test_facts_that_nothing_verified_have_no_score(tmp_path, verifier):
    page = "Marl Tide", "Marl Tide is a film. It was directed by Orla Venn."
    corpus = corpus_of(tmp_path, page, ("Orla Venn", "Orla Venn is a painter."))
    made = rollcall.extract(corpus, tmp_path / "mine", verifier=verifier)
    rows = [json.loads(line) for line in made.statements.read_text().splitlines()]
    assert ("Marl Tide", "Orla Venn") in {(row["subject_label"], row["object_label"]) for row in rows}
    assert {(row.get("score"), row.get("stated")) for row in rows} == {(None, None)}


class Believing(Verifier):
    """Believes whatever it is asked about."""

    def scores(self, candidates):
        return np.full(len(candidates), 0.9)


def test_a_fact_is_judged_where_its_page_names_both_ends(tmp_path):
    page = "Marl Tide", "Marl Tide is a film. It was directed by Orla Venn."
    corpus = corpus_of(tmp_path, page, ("Orla Venn", "Orla Venn is a painter."))
    made = rollcall.extract(corpus, tmp_path / "mine", verifier=Believing())
    rows = [json.loads(line) for line in made.statements.read_text().splitlines()]
    assert [(row["score"], row["stated"]) for row in rows if row["object_label"] == "Orla Venn"] == [
        (0.9, True)
    ]


def test_tables_state_what_their_columns_say(tmp_path):
    table = {
        "header": ["Museum", "City", "Founded"],
        "rows": [
            [
                {"text": "Salt Museum", "links": ["Salt Museum"]},
                {"text": "Tarn", "links": ["Tarn (town)"]},
                "1920",
            ],
            [{"text": "Ship Museum"}, {"text": "Veld", "links": ["Veld"]}, "1931"],
            [{"text": "Tin Museum"}, {"text": "Tarn"}, "1944"],
        ],
    }
    page = {"title": "List of museums in Ostrell", "text": "These are the museums.", "tables": [table]}
    corpus = corpus_of(tmp_path, page, ("Tarn (town)", "Tarn is a town."))
    made = rollcall.extract(corpus, tmp_path / "mine", verifier="contrast")
    facts = {tuple(row.values()) for row in made.graph.tables.facts.to_pyarrow().to_pylist()}
    assert {(one, other) for one, _relation, other in facts} == {
        ("Salt Museum", "Tarn (town)"), ("Ship Museum", "Veld"), ("Tin Museum", "Tarn (town)")
    }  # fmt: skip
    values = {(row["subject"], row["value"]) for row in made.graph.tables.values.to_pyarrow().to_pylist()}
    assert ("Ship Museum", "@1931") in values
    assert made.graph.entity("Tin Museum").types == ("museum",)
    told = [json.loads(line) for line in made.statements.read_text().splitlines()]
    assert "Museum: Ship Museum; City: Veld; Founded: 1931" in {one["text"] for one in told}


def test_lifespans_of_people_alone():
    sentence = "Ada Moss (4 March 1931 – 2 May 2004) was an engineer."
    assert list(lifespan(sentence, "engineer")) == [(BORN, "4 March 1931"), (DIED, "2 May 2004")]
    assert list(lifespan("Jonas Pell (born 11 June 1948) is a priest.", "priest")) == [(BORN, "11 June 1948")]
    assert list(lifespan(sentence, "ship")) == []
    assert list(lifespan("Marl (1931) was a priest.", "priest")) == []


def test_nothing_found_is_said_in_one_line(tmp_path):
    with pytest.raises(RollcallError, match="without a language model, nothing was found"):
        rollcall.extract(corpus_of(tmp_path, ("Fog", "Fog is wet.")), tmp_path / "mine")
