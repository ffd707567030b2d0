"""Relations that no lexicon knows: their labels, and what stands at their ends, give the words."""

from pathlib import Path

import pytest

from engines import ENGINE
from label_table import TABLE
from rollcall.build import Inputs, Work
from rollcall.build.ends import class_names, relation_ends
from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.query import Query, parse_value
from rollcall.text.sentences import described_noun
from rollcall.text.verbs import participle, past, third_person, verb_form
from rollcall.wording import Lexicon, Realiser
from rollcall.wording.ends import EndNouns, better_name
from rollcall.wording.generic import Ends, generic_entry
from rollcall.wording.labels import words_of_label
from rollcall.wording.nouns import class_noun

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
    assert len(ROWS) >= 110


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("worksFor", "works for"), ("WORKS_FOR", "works for"), ("works-for", "works for"),
        ("http://example.org/terms#worksFor", "works for"), ("ex:worksFor", "works for"),
        ("Works For", "works for"), ("homeURL", "home URL"), ("hasISBN", "has ISBN"), ("hq", "headquarters"),
        ("avgTemp", "average temperature"), ("noOfPages", "number of pages"),
        ("page_count", "number of pages"),
        ("runner-up", "runner-up"), ("home team/s", "home team"),
        ("owner s address", "owner's address"), ("P3", "“P3” value"),
        ("fate?", "fate"), ("score*", "score"), ("founded (year)", "founded"),
        ("age (years)", "age in years"),
        ("flow (l/min)", "flow in l/min"), ("speed (km/h)", "speed in km/h"), ("sex (m/f)", "sex (m or f)"),
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
        ("sued", Ends("company", "company"), "sued {object}"),
        ("most laps led", Ends("race", "person"), "is listed with {object} under “most laps led”"),
        (
            "population 2011 census",
            Ends("town", "number"),
            "has {object} as {its} population in the 2011 census",
        ),
        ("population july 2017 est", Ends("town", "number"), "has {object} as {its} population in July 2017"),
        ("expires", Ends("permit", "date"), "expires {on object}"),
        ("approvedOn", Ends("permit", "date"), "was approved {on object}"),
        ("took office", Ends("person", "date"), "took office {on object}"),
        ("how qualified", Ends("team", "league"), "is listed with {object} under “how qualified”"),
        ("name of film", Ends("award", "film"), "has {object} as {its} film"),
        ("hub airport s or harbour", Ends("firm", "thing"), "has {object} as {its} hub airport or harbour"),
        (
            "first season of current spell in league",
            Ends("club", "season"),
            "has {object} as {its} first season of current spell in league",
        ),
    ],
)
def test_what_stands_at_the_ends_decides_about_the_form(label: str, ends: Ends, forward: str) -> None:
    assert generic_entry("R", label, ends).forward == forward


def test_an_entry_found_by_its_label_alone_is_not_used_for_other_things() -> None:
    assert LEXICON.entry("R", "director", Ends("film", "person")).forward == "was directed by {object}"
    assert LEXICON.entry("R", "country of citizenship", Ends("season", "country")).generic
    assert LEXICON.entry("R", "nationality", Ends("person or thing", "thing")).subjects == "person"
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
        ("Marl College is a private, coeducational college in Marl.", "college"),
        ("Marl Mills is a privately held company.", "company"),
        ("Jon Venn was a Norrish sailor serving in the navy.", "sailor"),
        ("Velda is the largest of the lakes.", ""),
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
        ("?x P306 A; not ?x P400 A", True),  # runs on, but is not available for
        ("?x P306 A; not ?x P400 B", False),
        ("?x P17 A; A P194 ?x", True),  # a legislative body of A that is in A
        ("?x P57 A; ?x P162 A", False),  # directed and produced by A
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


def test_relations_without_a_noun_are_asked_for_without_a_detour(tmp_path: Path) -> None:
    permits = [f"p{n}" for n in range(5)]
    write_graph(
        tmp_path / "graph",
        facts=[(one, "dependsOn", f"m{n}") for n, one in enumerate(permits)],
        values=[(one, "approvedOn", parse_value("@2001-05-04")) for one in permits],
        types=[(one, "permit") for one in permits] + [(f"m{n}", "map") for n in range(5)],
    )
    with Graph.open(tmp_path / "graph") as graph:
        realiser = Realiser(graph, LEXICON, ends=EndNouns(graph))

        def said(query: str) -> str:
            return realiser.word(Query.parse(query)).question

        assert said("p0 approvedOn ?x") == "When was p0 approved?"
        assert said("?1 a permit; ?1 dependsOn ?x") == "Which maps do the permits depend on?"
        assert said("?x a map; p0 dependsOn ?x") == "Which maps does p0 depend on?"


def test_pages_name_a_class_whose_label_does_not() -> None:
    def better(label: str, *described: str) -> str:
        return better_name(class_noun(label), list(described))

    assert better("rival", *["team"] * 7, "", "club") == "team"
    assert better("flag", *["country"] * 6) == "country"
    assert better("station", "station", *["stop"] * 9) == ""  # pages use the label, too
    assert better("player", *["footballer"] * 9) == ""
    assert better("model", *["aircraft"] * 9) == "aircraft"
    assert better("work", *["film"] * 9) == ""  # a film is a work
    assert better("venue", *["stadium", "church", "park"] * 3) == ""
    assert better("rival", *["team"] * 6, *[""] * 9) == ""  # too few pages


def test_a_build_names_classes_by_pages(tmp_path: Path) -> None:
    import json

    from rollcall.corpus import make_corpus

    entities = [EntityRecord(f"e{n}", f"Marl {n}") for n in range(6)]
    write_graph(
        tmp_path / "graph",
        facts=[(one.id, "zork", "firm") for one in entities],
        entities=entities,
        types=[(one.id, "rival") for one in entities],
    )
    pages = [
        {"id": one.id, "title": one.label, "entity": one.id, "text": f"{one.label} is a Norrish team."}
        for one in entities
    ]
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages))
    make_corpus([tmp_path / "pages.jsonl"], tmp_path / "corpus", graph=tmp_path / "graph")
    inputs = Inputs(tmp_path / "graph", tmp_path / "corpus")
    with Graph.open(tmp_path / "graph") as graph:
        names = class_names(graph, ["rival"], inputs, Work(tmp_path, {}, ENGINE))
        said = Realiser(graph, LEXICON, class_names=names).word(Query.parse("?x a rival; ?x zork firm"))
    assert said.question == "Which teams have firm as their zork?"
