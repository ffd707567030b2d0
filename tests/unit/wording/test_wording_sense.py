"""Queries that have answers and make no sensible question, and words that say what a class says already."""

from pathlib import Path

import pytest

from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.query import Query
from rollcall.wording import Lexicon, Realiser
from rollcall.wording.ends import EndNouns, better_name
from rollcall.wording.nouns import class_noun

LEXICON = Lexicon.load()
REALISER = Realiser(lexicon=LEXICON)


@pytest.mark.parametrize(
    ("query", "confused"),
    [
        ("?x P607 A; ?x P1344 ?1", True),  # fought in A and took part in an event
        ("?x a ORG; ?x P571 < @1925; ?x P131 ?1; ?1 a LOC", True),  # and are in a place
        ("?x a ORG; ?x P571 < @1925; ?x P131 ?1; ?1 a village", False),
        ("?x P607 A; ?x P26 ?1; ?1 P27 B", False),
        ("max {?1 P571 ?x; ?1 a ORG}", True),  # the latest date of foundation of any organization
        ("max {?1 P571 ?x; ?1 a ORG; ?1 P17 A}", True),  # of all in a land
        ("max {?1 P571 ?x; ?1 a ORG; ?1 P127 A}", False),
        ("?1 P569 ?x; ?1 P27 Danish", True),  # when people who are Danish were born
        ("?1 P569 ?x; ?1 P27 Danish; ?1 P463 A", False),
        ("?x P26 ?1; ?1 P20 A", False),
        ("?x P27 Danish; ?x P20 A", False),
        ("?x a PER; ?x P27 Danish; ?x P569 > @1986", True),
        ("?1 P569 ?x; ?1 [works in] A", False),  # of a firm's own graph
        ("?x P361 A; ?x P706 A", True),  # is part of A and lies on A
        ("?x a MISC; ?x P495 Danish", True),  # what is Danish
        ("max {?1 P571 ?x; ?1 a museum}", False),
        ("?x P569 > @1990", True),  # who was born after 1990
        ("?x P57 A; ?x P577 > @1990", False),
        ("count {A P20 ?x}", True),  # how many places are where A died
        ("count {A P40 ?x}", False),
        ("count {?x a PER; ?x P136 A}", True),  # how many people work in a genre
        ("count {?x a PER; ?x P140 A; ?x P1412 B}", True),
        ("count {?x a LOC; ?x P576 @1918}", True),  # how many places were dissolved in 1918
        ("count {?x a PER; ?x P20 A}", True),  # how many people died in A
        ("count {?x a PER; ?x P136 A; ?x P463 B}", False),  # how many members of B
        ("argmin ?v {?x a PER; ?x P1412 A; ?x P569 ?v}", True),  # the oldest who speaks A
        ("argmin ?v {?x a PER; ?x P463 A; ?x P569 ?v}", False),
        ("?x a LOC; ?x P131 ?1; ?1 P131 A", True),  # which places are in a place in A
        ("?1 a city; ?1 county ?x; ?1 state A", False),  # the counties of the cities in A
        ("?1 a LOC; ?1 P131 ?x; ?1 P706 A", True),  # where the places are that are on A
        ("?x a PER; ?x P19 ?1; ?1 P131 A", False),
        ("?x a PER; ?x P19 ?1; ?1 a village; ?1 P131 A", False),
        ("?x [team or club] A; ?x teams A", True),
        ("?x [team or club] A; ?x teams B", False),
        ("?x a ORG; A P17 ?x", True),  # which organizations are the countries of A
        ("?x a LOC; A P17 ?x", False),
        ("?x P17 A", True),  # what is in A
        ("count {?x P17 ?1; ?1 P36 A}", True),  # how many things are in a country
        ("?x a hotel; ?x city A", False),
        ("?x P495 Indian", True),  # what is Indian
        ("?x a film; ?x P495 Indian", False),
        ("?x P27 Indian", False),  # who is Indian
        ("?x city A; ?x owner B", False),
        ("argmax ?v {?x P1101 ?v}", True),  # which building has the most floors
        ("argmax ?v {?x a hotel; ?x P1101 ?v}", False),
        ("?x a [event year]; ?x sport A", True),
        ("?x [on list] [List of firms]; ?x [list:List of firms#Founded / Gifts] > @1970", True),
        ("?x [on list] [List of firms]; ?x [list:List of firms#City / Town] A", False),
    ],
)
def test_questions_that_say_nothing_are_left_out(query: str, confused: bool) -> None:
    assert REALISER.would_confuse(Query.parse(query)) == confused


@pytest.mark.parametrize(
    ("query", "confused"),
    [
        ("?x a ORG; ?x P175 A", True),  # which organizations were performed by A
        ("?x a ORG; ?x P577 @2003", True),
        ("?x a LOC; A P31 ?x", True),  # which places are classes of A
        ("?x a LOC; A P463 ?x", True),  # which places have A as a member
        ("?x a LOC; ?x P710 A", True),  # which places had A as a participant
        ("?x a LOC; ?x P17 A", False),
        ("?x a club; ?x nationality A", True),
        ("?x a team; ?x position A", True),
        ("?x a player; ?x position A", False),
        ("?x P36 ?1; A P355 ?1", True),  # a capital that is a subsidiary of A
        ("?x P36 ?1; ?1 P17 A", False),
        ("?x P57 ?1; A P19 ?1", True),  # a director who is where A was born
    ],
)
def test_a_thing_is_not_of_two_kinds(query: str, confused: bool) -> None:
    assert REALISER.would_confuse(Query.parse(query)) == confused


def test_a_navy_is_no_country(tmp_path: Path) -> None:
    write_graph(tmp_path / "graph", facts=[("a", "country", "Navy of Norr"), ("b", "country", "Norr")])
    with Graph.open(tmp_path / "graph") as graph:
        realiser = Realiser(graph, LEXICON, described={"Navy of Norr": "navy", "Norr": "country"})
        assert realiser.would_confuse(Query.parse("?x country [Navy of Norr]"))
        assert not realiser.would_confuse(Query.parse("?x a ship; ?x country Norr"))
        assert realiser.would_confuse(Query.parse("?x country Norr")), "nothing says what is asked for"


def test_relations_that_mean_the_same_are_not_asked_for_at_once(tmp_path: Path) -> None:
    people = [f"p{n}" for n in range(6)]
    siblings = [(one, "P3373", other) for one in people for other in people if one != other]
    children = [("p0", "P40", "c0"), ("c0", "P40", "d0"), ("c0", "P40", "d1")]
    players = [(f"s{n}", relation, people[n]) for n in range(6) for relation in ("players", "footballers")]
    directed = [(f"f{n}", "P57", people[n]) for n in range(6)] + [("f0", "P162", "p0"), ("f1", "P162", "p0")]
    write_graph(tmp_path / "graph", facts=[*siblings, *children, *players, *directed])
    with Graph.open(tmp_path / "graph") as graph:
        realiser = Realiser(graph, LEXICON)
        assert realiser.would_confuse(Query.parse("?x P3373 p0; p1 P3373 ?x"))
        assert not realiser.would_confuse(Query.parse("p0 P3373 ?x; p1 P3373 ?x"))
        assert not realiser.would_confuse(Query.parse("?x P40 d0; p0 P40 ?x"))  # a child and a parent
        assert realiser.would_confuse(Query.parse("?x players p0; ?x footballers p0"))
        assert not realiser.would_confuse(Query.parse("?x players p0; ?x footballers p1"))
        assert not realiser.would_confuse(Query.parse("?x P57 p0; ?x P162 p0"))


def test_answers_of_another_class_are_no_answers(tmp_path: Path) -> None:
    events = [(f"e{n}", "MISC") for n in range(5)]
    write_graph(tmp_path / "graph", facts=[("e0", "P710", "p")], types=[*events, ("c", "LOC"), ("d", "PER")])
    with Graph.open(tmp_path / "graph") as graph:
        realiser = Realiser(graph, LEXICON)
        took_part, starred = Query.parse("?x P710 p"), Query.parse("?x P161 p")
        assert realiser.ask(took_part, [name for name, _ in events]) is not None
        assert realiser.ask(took_part, ["e0", "e1", "c"]) is None, "a city is no event"
        assert realiser.ask(starred, ["e0", "e1", "d"]) is None, "somebody is no film"
        assert realiser.ask(starred, ["e0", "e1", "unknown"]) is not None


def test_a_party_called_by_an_adjective_is_named_in_full() -> None:
    assert (
        REALISER.word(Query.parse("?x P102 Republican")).question
        == "Who is a member of the Republican Party?"
    )
    assert "Norrow Front" in REALISER.word(Query.parse("?x P102 [Norrow Front]")).question


def test_a_place_named_by_an_adjective_is_no_answer(tmp_path: Path) -> None:
    entities = [EntityRecord("a", "Danish"), EntityRecord("b", "Danish"), EntityRecord("c", "Denmark")]
    write_graph(
        tmp_path / "graph",
        facts=[("x", "P17", "a")],
        types=[("a", "LOC"), ("b", "MISC"), ("c", "LOC")],
        entities=entities,
    )
    with Graph.open(tmp_path / "graph") as graph:
        realiser = Realiser(graph, LEXICON)
        query = Query.parse("x P17 ?x")
        assert realiser.ask(query, ["c", "a"]) is None
        assert realiser.ask(query, ["c", "b"]) is not None  # a language


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("?x a LOC; A P30 ?x", "What is the continent of A?"),
        ("?x a ORG; ?1 P272 ?x; ?1 P86 B",
         "What are the production companies of the films or television series that have music by B?"),
        ("?x P140 Jewish", "Who is Jewish?"),
        ("?x P740 ?1; A P19 ?1", "Which organizations were formed in a place where A was born?"),
        ("?x a city; ?1 P19 ?x; ?1 P166 B", "What are the cities where someone who received B was born?"),
        ("?x P195 ?1; B P6379 ?1", "Which works of art are in a collection that holds works by B?"),
        ("distinct {?x P6379 ?1; A P6379 ?1}", "Who has works in the same collection as A?"),
        ("?x artist A", "What is by A?"),
        ("?x a LOC; ?x P31 [Census area]", "Which places are census areas?"),
        ("?x network A", "What is on A?"),
        ("?x party A", "Who is a member of A?"),
        ("?x champions A", "What was won by A?"),
        ("?x a film; ?x country A", "Which films are from A?"),
        ("?x a runner; ?x country A", "Which runners are from A?"),
        ("?x [on list] [List of islands by area]; ?x [list:List of islands by area#Country] A",
         "Which islands listed by area are in A?"),
        ('?x [on list] [List of spy films]; ?x [list:List of spy films#Country] "United States"',
         "Which spy films are from the United States?"),
        ('?x [on list] [List of poets]; ?x [list:List of poets#Nationality] "French"',
         "Which poets are French?"),
        ("distinct {?x P1303 ?1; A P1303 ?1}", "Who plays the same musical instrument as A?"),
        ("?x P140 Orthodox; ?x P19 A", "Who is Orthodox and was born in A?"),
        ("?x P140 Islam", "Who has Islam as their religion?"),
        ("A P3373 ?x; B P3373 ?x; C P3373 ?x", "Who are the siblings of A, B, and C?"),
        ("distinct {?x event ?1; ?2 event ?1; ?2 country J}",
         "What has the same event as something that has J as its country?"),
    ],
)  # fmt: skip
def test_a_thing_is_said_once_and_shortly(query: str, question: str) -> None:
    assert REALISER.word(Query.parse(query)).question == question


def test_a_part_in_something_is_no_noun_for_people() -> None:
    people, mixed = (
        ["painter", "writer", "actor", "poet", "singer"],
        ["painter", "team", "film", "poet", "song"],
    )
    assert better_name(class_noun("recipient"), people) == "person"
    assert better_name(class_noun("recipient"), mixed) == ""
    assert better_name(class_noun("painter"), people) == ""
    assert class_noun("year").one == "thing", "the tournament of each year stands under `year`"


def test_a_thing_is_asked_for_by_the_part_of_land_it_is_in(tmp_path: Path) -> None:
    stadiums = [f"stadium {n}" for n in range(5)]
    write_graph(
        tmp_path / "graph",
        facts=[(one, "city", "Marl") for one in stadiums],
        types=[(one, "stadium") for one in stadiums],
    )
    with Graph.open(tmp_path / "graph") as graph:
        realiser = Realiser(graph, LEXICON, ends=EndNouns(graph))
        assert realiser.word(Query.parse("[stadium 1] city ?x")).question == "Which city is stadium 1 in?"
        chained = realiser.word(Query.parse("?1 city ?x; ?1 owner A")).question
        assert chained == "What are the cities of the stadiums owned by A?"


def test_a_wider_noun_must_not_let_others_in(tmp_path: Path) -> None:
    write_graph(
        tmp_path / "graph",
        facts=[("a", "P27", "A"), ("b", "P27", "A"), ("a", "P166", "B")],
        types=[("a", "recipient"), ("b", "citizen")],
    )
    with Graph.open(tmp_path / "graph") as graph:
        realiser = Realiser(graph, LEXICON, class_names={"recipient": "person"})
        assert realiser.would_confuse(Query.parse("?x a recipient; ?x P27 A"))  # b is a citizen, too
        assert not realiser.would_confuse(Query.parse("?x a recipient; ?x P166 B"))
        assert not Realiser(graph, LEXICON).would_confuse(Query.parse("?x a recipient; ?x P27 A"))


@pytest.mark.parametrize("heading", ["UK", "us", "Canada"])
def test_a_land_is_no_noun_for_what_is_under_it(heading: str) -> None:
    assert class_noun(heading).one == "thing"
