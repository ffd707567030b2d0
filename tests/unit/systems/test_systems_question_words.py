"""What the wording of a question tells: the noun that is asked for, names, and what describes a group."""

import pytest

from rollcall.graph import Graph, write_graph
from rollcall.systems.read.question_words import QuestionAnalysis, asked_noun
from rollcall.text.name_lookup import NameFinder


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("Which animated films were directed by Ann Orne?", "animated films"),
        ("What are the rivers in Vell?", "rivers"),
        ("In which country is Orm?", "country"),
        ("Who wrote Nine Lanterns?", "person"),
        ("Orm?", ""),
    ],
)
def test_the_noun_that_is_asked_for(question, noun):
    assert asked_noun(question) == noun


def test_a_question_is_taken_apart_by_its_wording_alone(asked_world):
    question = next(
        one for one in asked_world.questions if one.question.startswith("Which films were directed")
    )
    words = QuestionAnalysis(asked_world.graph, NameFinder(asked_world.graph.index)).words(question.question)
    assert [anchor.text for anchor in words.anchors] == [
        question.question.removeprefix("Which films were directed by ")[:-1]
    ]
    assert {asked_world.graph.index.class_labels[number] for number in words.classes} == {"film"}
    assert "direc" in words.cues


def test_what_is_asked_of_a_group_is_told_from_what_describes_it(tmp_path):
    rows = [("Heron", "M2", "AquaPure"), ("Plover", "M3", "ExZone")]
    facts = [fact for p, m, c in rows for fact in ((p, "contains", m), (p, "certified for", c))]
    write_graph(tmp_path / "graph", facts=facts, types=[(row[0], "pump") for row in rows])
    with Graph.open(tmp_path / "graph") as graph:
        analysis = QuestionAnalysis(graph, NameFinder(graph.index))
        for question in (
            "What were the pumps that contain M2 certified for?",
            "What are the pumps made of M2 certified for?",
            "What is it that the pumps that contain M2 were certified for?",
        ):
            words = analysis.words(question)
            assert words.further is not None
            assert words.further.cues == {"certi"}
            assert (words.noun, "certi" in words.cues) == ("pumps", False)
        for question in ("What were the pumps that M2 runs in?", "What are the pumps that contain M2?"):
            words = analysis.words(question)
            assert words.further is None
