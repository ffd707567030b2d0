"""Relations that only have a noun are said as English says them of things of a kind."""

import pytest

from rollcall.query import Query
from rollcall.wording import Lexicon, Realiser

REALISER = Realiser(lexicon=Lexicon.load())


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("?x a player; ?x team A", "Which players played for A?"),
        ("?x a referee; ?x team A", "Which referees have A as their team?"),
        ("?x a player; ?x [previous team] A", "Which players have A as their previous team?"),
        ("?x a goalkeeper; ?x position B", "Which goalkeepers played as B?"),
        ("?x a judge; ?x position B", "Which judges have the position of B?"),
        ("?x a rower; ?x games A", "Which rowers competed in A?"),
        ("?x a club; ?x tournament A", "Which clubs competed in A?"),
        ("?x a race; ?x games A", "Which races are part of A?"),
        ("?x a race; ?x sport rowing", "Which races feature rowing?"),
        ("?x a race; ?x sport [Rowing at the 2010 Norrish Games]",
         "Which races are part of Rowing at the 2010 Norrish Games?"),
        ("?x a race; ?x venue A", "Which races took place at A?"),
        ("?x a battle; ?x conflict A", "Which battles are part of A?"),
        ("?x a race; ?x place A", "Which races took place in A?"),
        ("?x a club; ?x venue A", "Which clubs play at A?"),
        ("?x a festival; ?x country A", "Which festivals took place in A?"),
        ("?x a station; ?x line A", "Which stations are on A?"),
        ("?x a church; ?x [city state] A", "Which churches are in A?"),
        ("?x a suburb; ?x lga A", "Which suburbs are in A?"),
        ("?x a team; ?x conf A", "Which teams belong to A?"),
        ("?x a buyer; ?x department A", "Which buyers work in A?"),
        ("?x a castle; ?x department A", "Which castles are in A?"),
        ("?x a player; ?x [from club] A", "Which players came from A?"),
        ("?x a player; ?x [to team] A", "Which players went to A?"),
        ("?x a fencer; ?x sport Fencing", "Which fencers competed in fencing?"),
        ('?x a runner; ?x sport "Cross-country skiing"', "Which runners competed in cross-country skiing?"),
        ('?x a runner; ?x sport "Bog snorkelling"', "Which runners have “Bog snorkelling” as their sport?"),
        ("?x a coach; ?x sport A", "Which coaches have A as their sport?"),
        ("?x a sailor; ?x [service branch] A", "Which sailors served in A?"),
        ("?x a nurse; ?x regiment A", "Which nurses served in A?"),
        ("?x a cup; ?x [host city] A", "Which cups were held in A?"),
        ("?x a stadium; ?x games A", "Which stadiums were used at A?"),
        ("?x a team; ?x [home city] A", "Which teams are based in A?"),
        ("?x a volcano; ?x range A", "Which volcanoes are in A?"),
        ("?x a missile; ?x range A", "Which missiles have A as their range?"),
        ("?x a chain; ?x parent A", "Which chains belong to A?"),
        ("?x a swimmer; ?x parent A", "Which swimmers have A as their parent?"),
        ("?x a plant; ?x [red-list status] rare", "Which plants have the red-list status rare?"),
        ("?x a plant; ?x [seeds sent to] A", "Which plants have seeds sent to A?"),
        ("?x a plant; ?x [year rec'd] @1990", "Which plants were received in 1990?"),
        ("?x a shop; ?x service A", "Which shops have A as their service?"),
        ("?x a senator; ?x committee A", "Which senators served on A?"),
        ("?x a campaign; ?x war A", "Which campaigns are part of A?"),
        ("?x a show; ?x [network/station] A", "Which shows are on A?"),
        ("?x a show; ?x [network/artist] A", "Which shows have A as their network or artist?"),
        ("?x a bearer; ?x [award year] > @2000", "Which bearers are listed with an award year after 2000?"),
        ("?x a clown; ?x [first appearance] < @2000", "Which clowns first appeared before 2000?"),
        ("?x a ballet; ?x [last performance] < @1900", "Which ballets were last performed before 1900?"),
        ("?x a castle; ?x [county in norway] A", "Which castles have A as their county in Norway?"),
    ],
)  # fmt: skip
def test_a_noun_is_said_by_its_phrase(query: str, question: str) -> None:
    assert REALISER.word(Query.parse(query)).question == question


def test_the_date_of_an_event_is_late_and_not_great() -> None:
    question = REALISER.word(Query.parse("argmax ?v {?x a pump; ?x [made at] A; ?x launched ?v}")).question
    assert question == "Which pump made at A has the latest launch date?"


def test_a_label_is_not_called_an_organization() -> None:
    question = REALISER.word(Query.parse("?x P264 ?1; ?1 a organization; ?1 P131 A")).question
    assert question == "What is on a record label located in A?"


def test_scars_of_splitting_are_mended_in_names() -> None:
    question = REALISER.word(Query.parse("?x P161 [Do n't Look]; ?x P57 [B&amp;C]")).question
    assert "Don't Look" in question
    assert "B&C" in question
