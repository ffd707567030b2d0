"""Places named by an adjective, names with an article, and questions that say one thing twice."""

from pathlib import Path

import pytest

from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.query import Query
from rollcall.text.nouns import land_of, one_name
from rollcall.wording import Lexicon, Realiser
from rollcall.wording.naming import name_in_text, without_pauses

LEXICON = Lexicon.load()
REALISER = Realiser(lexicon=LEXICON)


def test_adjectives_of_lands() -> None:
    assert [land_of(name) for name in ("French", "South Korean", "Milan", "France")] == [
        "France", "South Korea", "", "",
    ]  # fmt: skip
    assert one_name("the U.S.") == one_name("United States") == "United States"


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("?x P27 French", "Who is French?"),
        ("?x P495 Indian; ?x P57 A", "Which films are Indian and were directed by A?"),
        ("?x P17 Belgian; not ?x P131 French", "What is Belgian but is not French?"),
        ("?1 P569 ?x; ?1 P27 [South Korean]",
         "What are the dates of birth of the people who are South Korean?"),
        ("?x nationality American", "Who is American?"),
        ("?x P1412 French", "Who speaks French?"),  # the language
    ],
)  # fmt: skip
def test_belonging_to_a_land_is_said_with_its_adjective(query: str, question: str) -> None:
    said = REALISER.word(Query.parse(query))
    assert said.question == question
    assert not any("French among" in other for other in said.alternatives)


@pytest.mark.parametrize(
    ("query", "confused"),
    [
        ("?x P19 French", True),  # was born in French
        ("?x P17 French; ?x P17 France", True),
        ("?x P27 U.S.; ?x P27 [United States]", True),
        ("?x P17 French; ?x P131 French", True),
        ("?x P17 French; ?x P17 Belgium", False),
        ("?x P1412 French", False),
    ],
)
def test_questions_that_use_an_adjective_as_a_name_are_left_out(query: str, confused: bool) -> None:
    assert REALISER.would_confuse(Query.parse(query)) == confused


def test_a_place_and_the_land_around_it_are_not_asked_for_at_once(tmp_path: Path) -> None:
    write_graph(
        tmp_path / "graph",
        facts=[
            ("Q", "P17", "C"),
            ("x", "P131", "Q"),
            ("x", "P17", "C"),
            ("x", "P17", "D"),
            ("x", "P57", "y"),
        ],
        entities=[EntityRecord(one, f"{one}-land") for one in "QCDxy"],
    )
    with Graph.open(tmp_path / "graph") as graph:
        realiser = Realiser(graph, LEXICON)
        assert realiser.would_confuse(Query.parse("?x P131 Q; ?x P17 C"))
        assert realiser.would_confuse(Query.parse("?x P131 C; ?x P17 C"))
        assert not realiser.would_confuse(Query.parse("?x P131 Q; ?x P17 D"))
        assert not realiser.would_confuse(Query.parse("?x P131 Q; ?x P57 y"))


def test_classes_are_not_asked_for_where_a_relation_expects_something_else(tmp_path: Path) -> None:
    write_graph(
        tmp_path / "graph",
        facts=[("a", "P800", "b"), ("c", "P57", "b")],
        types=[("b", "PER"), ("c", "MISC")],
    )
    with Graph.open(tmp_path / "graph") as graph:
        realiser = Realiser(graph, LEXICON)
        assert realiser.would_confuse(Query.parse("?x a PER; a P800 ?x"))  # who is a notable work of a
        assert not realiser.would_confuse(Query.parse("?x a PER; c P57 ?x"))
        assert realiser.would_confuse(Query.parse("?x a LOC; b P1412 ?x"))  # which places are spoken by b
        assert not realiser.would_confuse(Query.parse("?x a ORG; ?x P571 @1990"))


def test_a_namesake_is_distinguished_by_the_noun_of_its_class(tmp_path: Path) -> None:
    entities = [EntityRecord("LOC:Marl", "Marl"), EntityRecord("PER:Marl", "Marl"), EntityRecord("f", "f")]
    write_graph(
        tmp_path / "graph",
        facts=[("f", "P57", "PER:Marl"), ("f", "P915", "LOC:Marl")],
        entities=entities,
        types=[("LOC:Marl", "LOC"), ("PER:Marl", "PER")],
    )
    with Graph.open(tmp_path / "graph") as graph:
        realiser = Realiser(graph, LEXICON, tell_namesakes_apart=True)
        assert realiser.word(Query.parse("?x P57 [PER:Marl]")).question == (
            "Which films were directed by Marl (person)?"
        )


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("1936 Marl Grand Prix", "the 1936 Marl Grand Prix"),
        ("1985–86 Ostrell Cup", "the 1985–86 Ostrell Cup"),
        ("December 1910 Ostrell general election", "the December 1910 Ostrell general election"),
        ("1981 Midas", "1981 Midas"),
        ("Football Association of Ostrell", "the Football Association of Ostrell"),
        ("Society for Industrial and Applied Mathematics",
         "the Society for Industrial and Applied Mathematics"),
        ("Marl Corporation", "Marl Corporation"),
        ("U.S.", "the U.S."),
        ("Orrin Vale, 1st Baron Marl", "Orrin Vale, 1st Baron Marl"),
        ("Edda, Duchess of Marl and Ostrell", "Edda, Duchess of Marl and Ostrell"),
    ],
)  # fmt: skip
def test_names_in_text(label: str, said: str) -> None:
    assert without_pauses(name_in_text(label)) == said


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("distinct {?x P1344 ?1; A P1344 ?1}", "Who or what took part in the same event as A?"),
        ("distinct {?x P57 ?1; A P57 ?1}", "Which films have the same director as A?"),
        ("distinct {?x P264 ?1; A P264 ?1}", "What has the same record label as A?"),
        ("distinct {?x P136 ?1; A P136 ?1; B P136 ?1}", "What belongs to the same genre as both A and B?"),
        ("A P400 ?x; B P400 ?x", "What are the platforms of both A and B?"),
        ("A P400 ?x; B P400 ?x; not C P400 ?x", "Which platforms of both A and B are not platforms of C?"),
        ("A P22 ?x; B P22 ?x", "Who is the father of both A and B?"),
        ("A P131 ?x; B P131 ?x", "Which places contain both A and B?"),
        ("A P19 ?x; B P19 ?x", "Which places are where both A and B were born?"),
        ("?x P1303 banjo; ?x P1303 lute", "Who plays both the banjo and the lute?"),
        ("?x P2094 A; ?x P2094 B", "Who or what belongs to the competition classes A and B?"),
        ("distinct {?x P703 ?1; A P703 ?1}", "Which substances are found in a species that A is found in?"),
        ("distinct {?1 P150 ?x; A P150 ?1}", "Which places are part of another place that is part of A?"),
    ],
)
def test_what_is_shared_is_said_once(query: str, question: str) -> None:
    assert REALISER.word(Query.parse(query)).question == question
