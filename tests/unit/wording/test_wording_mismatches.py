"""What tables say about something else than their words makes no question."""

from pathlib import Path

import pytest

from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.query import Query, parse_value
from rollcall.wording import Lexicon, Realiser
from rollcall.wording.mismatches import names_no_thing

LEXICON = Lexicon.load()
DESCRIBED = {
    "2006 Marl season": "season",
    "Marl": "team",
    **{f"t{n}": "tournament" for n in range(4)},
    **{f"c{n}": "country" for n in range(4)},
    **{f"p{n}": "cyclist" for n in range(4)},
    **{f"k{n}": "club" for n in range(4)},
}


@pytest.fixture
def realiser(tmp_path: Path) -> Realiser:
    labels = {"y0": "1940 in aviation", "l0": "List of Marl episodes", "w1": "World War Two", "w2": "The War"}
    entities = [EntityRecord(id_, label) for id_, label in labels.items()]
    entities[-1] = EntityRecord("w2", "The War", aliases=("World War Two",))
    write_graph(
        tmp_path / "graph",
        facts=[
            *((f"p{n}", "team", "2006 Marl season") for n in range(4)),
            *((f"p{n}", "team", "Marl") for n in range(4)),
            *((f"t{n}", "opponent in the final", "Ann") for n in range(4)),
            *((f"p{n}", "style", "Chess styles") for n in range(4)),
            *((f"p{n}", "zork", one) for n in range(4) for one in ("y0", "w1", "w2")),
            ("Ann", "network", "k0"),
        ],
        types=[("k0", "service"), *((f"p{n}", "rider") for n in range(4))],
        entities=entities,
    )
    return Realiser(Graph.open(tmp_path / "graph"), LEXICON, described=DESCRIBED)


@pytest.mark.parametrize(
    ("query", "confused"),
    [
        ("?x a rider; ?x team Marl", False),
        ("?x a rider; ?x team [2006 Marl season]", True),  # a season is no team
        ("?x [opponent in the final] Ann", True),  # a tournament has no opponent
        ("?x a rider; ?x style [Chess styles]", True),  # a page about styles is no style
        ("?x a rider; ?x zork y0", True),  # a year is no zork
        ("?x a rider; ?x zork w1; ?x zork w2", True),  # two entities with one name
        ("?x a rider; ?x zork w1", False),
        ("?x a rider; ?x [first season of current spell in division] Marl", True),
        ("?x P131 A; ?x P361 A", True),  # located in A and part of A
        ("?x P19 A; ?x P20 A", False),
        ("?x P607 [World War II]; ?x P607 [Second World War]", True),
        ("?x P607 [World War II]; ?x P607 [First World War]", False),
        ("?x a season; ?x P118 A", True),  # a season does not play
        ("?x a season; ?x venue Marl", True),  # a match of it does
        ("?x a match; ?x venue Marl", False),
        ("?x a club; ?x P118 A", False),
        ("?x a singer; ?x released 1985", True),
        ("?x a song; ?x released 1985", False),
        ("?x a rider; ?x [wheel arrangement] [Wheel arrangement]", True),
        ("?x origin A", True),  # what is from A
        ("?x a rider; ?x origin A", False),
        ("count {?x P27 A}", True),  # nobody knows all citizens of a country
        ("count {?x P57 A}", False),
    ],
)
def test_things_are_what_the_words_say(realiser: Realiser, query: str, confused: bool) -> None:
    nouns = realiser._nouns.of(Query.parse(query), ["t0", "t1", "t2"]) if "final" in query else ()
    assert realiser.would_confuse(Query.parse(query), nouns or ()) == confused


def test_pages_about_no_thing_are_no_answers(realiser: Realiser) -> None:
    query = Query.parse("?x a rider; ?x team Marl")
    assert realiser.ask(query, ["p0", "p1", "p2", "p3"]) is not None
    assert realiser.ask(query, ["p0", "p1", "p2", "l0"]) is None
    assert names_no_thing("List of lakes")
    assert names_no_thing("1940 in aviation")
    assert names_no_thing("Marl Register listings in Ostrell")
    assert not names_no_thing("1940 Marl Grand Prix")
    assert not names_no_thing("Listing")


def test_a_list_of_something_else_is_not_asked_about(realiser: Realiser) -> None:
    query = Query.parse("?x [on list] [List of Norrish champions]")
    assert realiser.ask(query, [f"p{n}" for n in range(4)]) is not None
    assert realiser.ask(query, [f"k{n}" for n in range(4)]) is not None, "a club may be a champion"
    assert realiser.ask(query, [f"c{n}" for n in range(4)]) is None, "their countries are no champions"
    transfers = Query.parse("?x [on list] [List of Norrish transfers]")
    assert realiser.ask(transfers, [f"p{n}" for n in range(4)]) is None


def test_a_class_that_changes_nothing_gives_way_to_the_noun_of_the_relation(realiser: Realiser) -> None:
    said = realiser.ask(Query.parse("?x a service; Ann network ?x"), ["k0"])
    assert said is not None
    assert said.question == "What are the networks of Ann?"


def test_an_incomplete_class_is_not_compared(tmp_path: Path) -> None:
    write_graph(
        tmp_path / "graph",
        values=[(f"t{n}", "population", parse_value(f"{n}000")) for n in range(1, 5)],
        types=[(f"t{n}", "town") for n in range(1, 5)],
    )
    with Graph.open(tmp_path / "graph") as graph:
        query = Query.parse("?x a town; ?x population > 2000")
        assert not Realiser(graph, LEXICON).would_confuse(query)
        assert Realiser(graph, LEXICON, incomplete={"town"}).would_confuse(query)
        anchored = Query.parse("?x a town; ?x population > 2000; ?x river A")
        assert not Realiser(graph, LEXICON, incomplete={"town"}).would_confuse(anchored)
