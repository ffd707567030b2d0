"""Relations that no lexicon knows: their labels, and what stands at their ends, give the words."""

from pathlib import Path

import pytest

from engines import ENGINE
from label_table import TABLE
from rollcall.build.ends import relation_ends
from rollcall.build.inputs import Inputs
from rollcall.build.stage import Work
from rollcall.english.first_sentence import described_noun
from rollcall.english.verb_forms import participle, past, third_person, verb_form
from rollcall.graph import Graph, write_graph
from rollcall.graph.graph import EntityRecord
from rollcall.query import Query, parse_value
from rollcall.wording import Lexicon, Realiser
from rollcall.wording.ends import EndNouns
from rollcall.wording.generic import Ends, generic_entry
from rollcall.wording.label_words import words_of_label

LEXICON = Lexicon.load()
REALISER = Realiser(lexicon=LEXICON)
ROWS = [
    [cell.strip() for cell in line.split("|")]
    for line in TABLE.strip().splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("label", "subjects", "objects"), ROWS, ids=[row[0] for row in ROWS])
def test_labels_become_questions(label: str, subjects: str, objects: str) -> None:
    assert REALISER.word(Query.parse(f"?x [{label}] Marl")).question == subjects
    assert REALISER.word(Query.parse(f"Marl [{label}] ?x")).question == objects


def test_the_table_of_labels_is_long() -> None:
    assert len(ROWS) >= 80


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("worksFor", "works for"), ("WORKS_FOR", "works for"), ("works-for", "works for"),
        ("http://example.org/terms#worksFor", "works for"), ("ex:worksFor", "works for"),
        ("Works For", "works for"), ("homeURL", "home URL"), ("hasISBN", "has ISBN"), ("hq", "headquarters"),
        ("avgTemp", "average temperature"), ("noOfPages", "number of pages"),
        ("page_count", "number of pages"),
        ("runner-up", "runner-up"), ("owner s address", "owner's address"), ("P3", "“P3” value"),
    ],
)  # fmt: skip
def test_identifiers_are_words(label: str, words: str) -> None:
    assert words_of_label(label) in (words, words.strip("“”").removesuffix("” value"))


@pytest.mark.parametrize(
    ("label", "ends", "forward"),
    [
        ("acquired", Ends("company", "company"), "acquired {object}"),
        ("acquired", Ends("company", "date"), "was acquired {on object}"),
        ("opened", Ends("thing", "date"), "was opened {on object}"),
        ("runs", Ends("person", "number"), "has {object} as {its} run"),
        ("runs", Ends("company", "train"), "runs {object}"),
        ("state", Ends("town", "state"), "is in {object}"),
        ("state", Ends("person", "state"), "has {object} as {its} state"),
        ("employee_id", Ends("person", "number"), "has {object} as {its} employee ID"),
    ],
)
def test_what_stands_at_the_ends_decides_about_the_form(label: str, ends: Ends, forward: str) -> None:
    assert generic_entry("R", label, ends).forward == forward


def test_an_entry_found_by_its_label_alone_is_not_used_for_other_things() -> None:
    assert LEXICON.entry("R", "director", Ends("film", "person")).forward == "was directed by {object}"
    assert LEXICON.entry("R", "country of citizenship", Ends("season", "country")).generic
    assert LEXICON.entry("R", "date of birth", Ends("person", "place")).generic


def test_types_say_who_is_asked_for(tmp_path: Path) -> None:
    people = [f"p{n}" for n in range(5)]
    write_graph(
        tmp_path / "graph",
        facts=[(one, "zork", "firm") for one in people] + [("firm", "part", f"t{n}") for n in range(5)],
        values=[(one, "quux", parse_value("3")) for one in people],
        types=[(one, "employee") for one in people] + [(f"t{n}", "team") for n in range(5)],
    )
    with Graph.open(tmp_path / "graph") as graph:
        ends = EndNouns(graph)
        assert ends.of("zork") == Ends("person", "")
        assert ends.of("part") == Ends("", "team")
        assert ends.of("quux") == Ends("person", "number")
        assert ends.of("nothing") == Ends()
        said = Realiser(graph, LEXICON, ends=ends).word(Query.parse("?x zork firm"))
    assert said.question == "Who has firm as their zork?"


@pytest.mark.parametrize(
    ("sentence", "noun"),
    [
        ("Ada Moss (born 1980) is an American professional footballer who plays for Marl.", "footballer"),
        ("Marl is a city in the north of Ostrell.", "city"),
        ("The Tin Door is a 1994 drama film directed by Orla Venn.", "film"),
        ("Orla Venn was a Norrish painter, writer and critic.", "painter"),
        ("Velda is one of the lakes of Ostrell.", "lake"),
        ("The garn is a type of bridge.", "bridge"),
        ("Nothing is said here.", ""),
    ],
)
def test_the_first_sentence_says_what_a_thing_is(sentence: str, noun: str) -> None:
    assert described_noun(sentence) == noun


def test_pages_say_who_is_asked_for_where_types_do_not(tmp_path: Path) -> None:
    import json

    from rollcall.corpus import make_corpus

    names = [f"Ada Moss {n}" for n in "ABCDE"]
    entities = [EntityRecord(f"e{n}", name) for n, name in enumerate(names)]
    write_graph(tmp_path / "graph", facts=[(one.id, "zork", "firm") for one in entities], entities=entities)
    pages = [
        {"id": one.id, "title": one.label, "entity": one.id, "text": f"{one.label} is a Norrish footballer."}
        for one in entities
    ]
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages))
    make_corpus([tmp_path / "pages.jsonl"], tmp_path / "corpus", graph=tmp_path / "graph")
    inputs = Inputs(tmp_path / "graph", tmp_path / "corpus")
    with Graph.open(tmp_path / "graph") as graph:
        ends = relation_ends(graph, LEXICON, ["zork"], inputs, Work(tmp_path, {}, ENGINE))
        assert ends.of("zork").subjects == "person"


def test_forms_of_verbs() -> None:
    for base in ("stop", "carry", "teach", "write", "visit", "live", "study"):
        for kind, form in (
            ("present", third_person(base)),
            ("past", past(base)),
            ("participle", participle(base)),
        ):
            found = verb_form(form, kind)
            assert found is not None
            assert found.base == base
    assert (past("stop"), past("visit"), participle("write"), third_person("carry")) == (
        "stopped", "visited", "written", "carries",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("query", "alike"),
    [
        ("?x [written by] A; ?x writtenBy B", True),
        ("?x [written by] A; ?x [edited by] B", False),
        ("?x P26 A; not A P26 ?x", True),  # is married to
        ("?x P26 A; not B P26 ?x", False),
        ("?x P40 A; not A P40 ?x", False),  # a child, and a parent
        ("?x [located in] A; not ?x [is in] A", True),
    ],
)
def test_questions_that_nobody_could_understand_are_found(query: str, alike: bool) -> None:
    assert REALISER.would_confuse(Query.parse(query)) == alike


def test_two_entities_of_one_name_would_be_confused(tmp_path: Path) -> None:
    entities = [EntityRecord("e1", "Marl"), EntityRecord("e2", "Marl"), EntityRecord("e3", "Ostrell")]
    write_graph(tmp_path / "graph", facts=[("e3", "zork", "e1"), ("e3", "zork", "e2")], entities=entities)
    with Graph.open(tmp_path / "graph") as graph:
        realiser = Realiser(graph, LEXICON)
        assert realiser.would_confuse(Query.parse("?x zork e1; ?x zork e2"))
        assert not realiser.would_confuse(Query.parse("?x zork e1; ?x zork e3"))
