"""Queries in English: a long table, the queries that names and graphs make awkward, and any query at all."""

import re
from dataclasses import dataclass, field

import pytest
from hypothesis import example, given, settings

from rollcall.graph import EntityRecord
from rollcall.query import Query
from rollcall.wording import Lexicon, Realiser
from small_queries import ALL_VALUES, AWKWARD, WIKIDATA, WIKIDATA_VALUES, queries
from wording_table import TABLE
from wording_values_table import VALUES_TABLE

LEXICON = Lexicon.load()
REALISER = Realiser(lexicon=LEXICON)


def rows():
    lines = [
        line for line in (TABLE + VALUES_TABLE).splitlines() if line.strip() and not line.startswith("#")
    ]
    return list(zip(lines[::2], (line.strip() for line in lines[1::2]), strict=True))


@pytest.mark.parametrize(("query", "question"), rows())
def test_the_table(query, question):
    assert REALISER.word(Query.parse(query)).question == question


def test_the_table_is_long():
    assert len(rows()) >= 200


@dataclass
class Labels:
    """A graph of names only."""

    labels: dict[str, str] = field(default_factory=dict)
    types: dict[str, tuple[str, ...]] = field(default_factory=dict)
    classes: dict[str, str] = field(default_factory=dict)
    relations: dict[str, str] = field(default_factory=dict)

    def label(self, id_):
        return self.labels.get(id_, id_)

    def relation_label(self, id_):
        return self.relations.get(id_, id_)

    def class_label(self, id_):
        return self.classes.get(id_, id_)

    def entity(self, id_):
        return EntityRecord(id_, self.labels.get(id_), types=self.types.get(id_, ()))

    def find(self, name):
        return [self.entity(id_) for id_, label in self.labels.items() if label == name]


def question(query, **labels):
    return Realiser(Labels(**labels), LEXICON).word(Query.parse(query)).question


@pytest.mark.parametrize(
    ("name", "class_", "said"),
    [
        ("Ostrell", "river", "the Ostrell"),
        ("Lake Ostrell", "lake", "Lake Ostrell"),
        ("Ostrell Prize", "award", "the Ostrell Prize"),
        ("The Ostrell Prize", "award", "The Ostrell Prize"),
        ("War of Ostrell", "war", "the War of Ostrell"),
        ("Ostrell Party", "film", "Ostrell Party"),
        ("Ostrell Museum", "museum", "the Ostrell Museum"),
        ("University of Ostrell", "university", "the University of Ostrell"),
        ("Ostrell University", "university", "Ostrell University"),
        ("Orla River", "human", "Orla River"),
    ],
)
def test_the_article_goes_by_class_and_name(name, class_, said):
    worded = question("?x P138 Q1", labels={"Q1": name}, types={"Q1": ("C",)}, classes={"C": class_})
    assert worded == f"What is named after {said}?"


def test_a_name_with_its_article_takes_no_other():
    assert question("?x P31 Q1", labels={"Q1": "Ostrell Prize"}) == "What is the Ostrell Prize?"
    assert question("?x P31 Q1", labels={"Q1": "prize"}) == "What is a prize?"


def test_ids_stand_in_for_labels_that_are_not_there():
    assert question("?x P57 Q1") == "Which films were directed by Q1?"
    assert question("?x P57 Q1", labels={"Q1": ""}) == "Which films were directed by “”?"


def test_a_relation_is_worded_by_its_label_where_its_id_is_unknown():
    assert question("?x R7 Q1", relations={"R7": "director"}) == "Which films were directed by Q1?"
    assert question("?x R7 Q1", relations={"R7": "Birthplace"}) == "Who was born in Q1?"


def test_namesakes_are_told_apart_on_request():
    graph = Labels(
        labels={"UHF (film)": "UHF", "UHF (album)": "UHF", "Q1": "Ash", "Q2": "Ash", "Q3": "Elm"},
        types={"Q1": ("C",)},
        classes={"C": "album"},
    )
    realiser = Realiser(graph, LEXICON, tell_namesakes_apart=True)
    assert realiser.word(Query.parse("[UHF (film)] P57 ?x")).question == "Who directed UHF (film)?"
    assert realiser.word(Query.parse("Q1 P162 ?x")).question == "Who produced Ash (album)?"
    assert realiser.word(Query.parse("Q3 P162 ?x")).question == "Who produced Elm?"
    assert Realiser(graph, LEXICON).word(Query.parse("[UHF (film)] P57 ?x")).question == "Who directed UHF?"


def test_units_that_are_not_listed_go_by_their_label():
    assert question("?x P2284 5[Q9]", labels={"Q9": "crown"}) == "What has a price of 5 crowns?"


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("human", "people"), ("person", "people"), ("series", "series"), ("university", "universities"),
        ("work of art", "works of art"), ("tower block", "tower blocks"), ("aircraft", "aircraft"),
        ("body of water", "bodies of water"), ("town/city", "towns or cities"), ("airport name", "airports"),
        ("name of town", "towns"), ("Museums", "museums"), ("member elected", "members"),
            ("country of birth", "countries"), ("location served", "locations"),
        ("bronze medallist", "bronze medallists"), ("moving to", "things listed under “moving to”"),
    ],
)  # fmt: skip
def test_classes_become_nouns_in_the_plural(label, said):
    assert LEXICON.class_noun(label).many == said


@pytest.mark.parametrize(
    ("label", "person"),
    [
        ("model", True),
        ("fashion model", True),
        ("glamour models", True),
        ("automobile model", False),
        ("aircraft models", False),
        ("model of car", False),
    ],
)
def test_only_models_that_pose_are_people(label, person):
    assert LEXICON.class_noun(label).person is person


def test_other_wordings_are_questions_too_and_different():
    wording = REALISER.word(Query.parse("?1 P57 A; ?1 P162 ?x"))
    assert wording.question == "Who are the producers of the films directed by A?"
    assert wording.alternatives == ["Who produced a film directed by A?"]
    for query, _ in rows():
        wording = REALISER.word(Query.parse(query))
        said = [wording.question, *wording.alternatives]
        assert len(set(said)) == len(said)
        assert all(text.endswith("?") for text in said)
    several = [query for query, _ in rows() if REALISER.word(Query.parse(query)).alternatives]
    assert len(several) > len(rows()) / 2


DOUBLED = re.compile(r"\b(the|of|in|not|and|was|is|by|but|as|who|were|are) \1\b")


@settings(max_examples=150)
@given(queries(AWKWARD, ALL_VALUES) | queries(WIKIDATA, WIKIDATA_VALUES))
def test_any_query_gets_a_question(query):
    """A value that only a relation's odd data would have still makes a sentence."""
    wording = REALISER.word(query)
    for text in (wording.question, *wording.alternatives):
        assert text.endswith("?")
        assert not text.endswith("??")
        assert text[0].isupper()
        assert not re.search(r"[{}\ue000]|  |\n| ,|\bits\b.*\{", text)
        assert not DOUBLED.search(text), text
        assert not re.search(r"\b(?<!the )a (?:apple|entity|item|[AEIO][a-z]|unusual)", text)
    assert REALISER.word(Query.parse(query.text)) == wording


@settings(max_examples=150)
@given(queries(WIKIDATA, WIKIDATA_VALUES))
@example(Query.parse("argmax ?v {?x P2 ?1; ?x P3 ?2; ?1 P1 ?v; ?1 P3 ?2; not ?x a Q11}"))
def test_nothing_of_a_query_is_left_out(query):
    """Every entity, relation and class is spoken of, and every wording of a query speaks of the same."""
    wording = REALISER.word(query)
    for text in (wording.question, *wording.alternatives):
        for name in (*query.entities, *query.relations, *query.classes):
            assert name in text, (query.text, text)


def test_lists_are_spoken_of_by_their_noun_wherever_they_stand():
    lakes = "[on list] [List of lakes of Norrowind]"
    said = {
        f"?1 {lakes}; ?1 P17 ?x": "What are the countries of the lakes of Norrowind?",
        f"?x P177 ?1; ?1 {lakes}": "Which bridges cross a lake of Norrowind?",
        f"?x P17 A; not ?x {lakes}": "What is in A but is not one of the lakes of Norrowind?",
        f"?x a reservoir; ?x {lakes}": "Which reservoirs are among the lakes of Norrowind?",
        f"max {{?1 {lakes}; ?1 P2046 ?x}}": "What is the greatest area of any lake of Norrowind?",
    }
    for query, question_ in said.items():
        assert question(query) == question_


@pytest.mark.parametrize(
    ("title", "question"),
    [
        ("Old provinces of Norrow", "What are the old provinces of Norrow?"),
        ("Norrow Historical Landmarks in Marl", "What are the Norrow Historical Landmarks in Marl?"),
        ("French lakes in Marl", "What are the French lakes in Marl?"),
    ],
)
def test_a_plural_title_says_what_is_listed(title: str, question: str) -> None:
    assert Realiser(lexicon=Lexicon.load()).word(Query.parse(f"?x [on list] [{title}]")).question == question
