"""The noun of a question comes from what pages call the answers of this one question."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rollcall.graph import Graph, write_graph
from rollcall.query import Query
from rollcall.wording import Lexicon, Realiser
from rollcall.wording.answer_nouns import entities_asked_about

LEXICON = Lexicon.load()
LANDS = [f"l{n}" for n in range(4)]
TEAMS = [f"t{n}" for n in range(4)]
SHIPS = [f"s{n}" for n in range(4)]
PEOPLE = [f"p{n}" for n in range(4)]
ELECTIONS = [f"20{n} Norr general election" for n in range(10, 14)]
DESCRIBED = (
    dict.fromkeys(LANDS, "country")
    | dict.fromkeys(TEAMS, "team")
    | dict.fromkeys(SHIPS, "ship")
    | dict.fromkeys(PEOPLE, "painter")
    | dict.fromkeys(["e0", "e1", "e2", "e3"], "house")
)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    folder: Path = tmp_path_factory.mktemp("nouns") / "graph"
    homes = [f"e{n}" for n in range(4)]
    write_graph(
        folder,
        facts=[
            *((one, "zork", "Velda") for one in LANDS),
            *((one, "zork", "Marl") for one in TEAMS),
            *((one, "glip", "Marl") for one in [*TEAMS, "other"]),
            *((one, "quux", "Ostrell") for one in SHIPS),
            *((one, "quux", "Garn") for one in [*SHIPS, *PEOPLE]),
            *((one, "quux", "Norr") for one in PEOPLE),
            ("s0", "quux", "Solo"),
            *((one, "zork", "Garn") for one in ELECTIONS),
            *((one, "crew", f"c{n}") for n, one in enumerate(SHIPS)),
            *((one, "borough", "Norr") for one in homes),
        ],
        types=[
            *((one, "country") for one in [*LANDS, *TEAMS, *ELECTIONS]),
            *((one, "call sign") for one in SHIPS),
            *((one, "name on the register") for one in homes),
        ],
    )
    with Graph.open(folder) as opened:
        yield opened


@pytest.mark.parametrize(
    ("query", "question"),
    [
        # The class has countries and teams; the answers of each question are of one kind.
        ("?x a country; ?x zork Velda", "Which countries have Velda as their zork?"),
        ("?x a country; ?x zork Marl", "Which teams have Marl as their zork?"),
        ("count {?x a country; ?x zork Marl}", "How many teams have Marl as their zork?"),
        # Pages call no member of the class so.
        ("?x a [call sign]; ?x quux Ostrell", "Which ships have Ostrell as their quux?"),
        ("?x quux Ostrell", "Which ships have Ostrell as their quux?"),
        ("?x quux Norr", "Who has Norr as their quux?"),
        ("?1 crew ?x; ?1 quux Ostrell", "What are the crews of the ships that have Ostrell as their quux?"),
        ("?x a [name on the register]; ?x borough Norr", "Which houses on the register are in Norr?"),
        ("{?x quux Ostrell} | {?x zork Marl}", "What has Ostrell as its quux or Marl as its zork?"),
        ("?x quux Solo", "Which ships have Solo as their quux?"),
        # No page says what these are; their names do.
        ("?x a country; ?x zork Garn", "Which elections have Garn as their zork?"),
        # Painters and ships: neither who nor what.
        ("?x quux Garn", None),
        # Nothing is known of another one; as a team it would be an answer.
        ("?x a country; ?x glip Marl", None),
    ],
)  # fmt: skip
def test_the_noun_is_what_pages_call_the_answers(graph: Graph, query: str, question: str | None) -> None:
    realiser = Realiser(graph, LEXICON, described=DESCRIBED)
    said = realiser.ask(Query.parse(query), [])
    assert (said.question if said else None) == question


def test_without_pages_nothing_changes(graph: Graph) -> None:
    query = Query.parse("?x a country; ?x zork Marl")
    said = Realiser(graph, LEXICON).ask(query, TEAMS)
    assert said is not None
    assert said.question == "Which countries have Marl as their zork?"


def test_others_whom_a_class_keeps_out_are_looked_up_too(graph: Graph) -> None:
    query = Query.parse("?x a country; ?x glip Marl")
    assert set(entities_asked_about(graph, query)) == {*TEAMS, "other"}
