"""Readers that need no language model: whom passages name, how many of those are answers, all candidates."""

import json

import pytest

from rollcall import RollcallError
from rollcall._core.errors import RollcallWarning
from rollcall.graph import Graph, make_graph, write_graph
from rollcall.questions import Answer, Candidate, EntityAnswer, Passage, Prediction, Question
from rollcall.score import score
from rollcall.systems import Asked, Context, Offered, ReadingError, open_reader
from rollcall.systems.interfaces import asked
from rollcall.systems.read.mentions import AllCandidates, Mentions, best_number, training_questions
from rollcall.systems.read.question_words import QuestionAnalysis
from rollcall.systems.retrieve.bm25 import Bm25
from rollcall.systems.retrieve.store import IndexFolder
from rollcall.text.name_lookup import NameFinder

PEOPLE = ("Ann Moser", "Bo Lenk", "Cy Voss", "Di Pell", "Ed Stritar", "Flo Ohm")
CITIES, FIRMS = ("Graz", "Linz"), ("Kettner Optics", "Alpine Freight")


@pytest.fixture(scope="module")
def made(asked_world):
    return asked_world


@pytest.fixture(scope="module")
def bm25(made):
    return Bm25(IndexFolder(made.corpus))


@pytest.fixture(scope="module")
def notes(tmp_path_factory):
    """A small graph without classes, and notes about it, none of which is the page of an entity."""
    folder = tmp_path_factory.mktemp("notes")
    facts = ["subject\trelation\tobject"]
    for person, city, firm in zip(PEOPLE, CITIES * 3, FIRMS * 3, strict=False):
        facts += [f"{person}\tlives in\t{city}", f"{person}\tworks for\t{firm}"]
    (folder / "facts.tsv").write_text("\n".join(facts))
    names = [json.dumps({"id": name, "label": name}) for name in (*PEOPLE, *CITIES, *FIRMS)]
    (folder / "entities.jsonl").write_text("\n".join(names))
    ann, bo, cy, di, ed, flo = PEOPLE
    texts = [
        f"{ann} lives in Graz. The canteen closes at three.",
        f"{bo} has moved to Linz, but works for Alpine Freight.",
        f"{cy} and {ed} both live in Graz or near it. Kettner Optics pays their rent.",
        f"Those who work for Kettner Optics are {ann}, {cy} and {ed}.",
        f"Alpine Freight hired {di} and {flo} in May.",
        f"All who live in Linz, such as {di} and {flo}, come by train.",
    ]
    return make_graph([folder / "facts.tsv", folder / "entities.jsonl"], folder / "graph"), [
        Passage(f"n{number}", f"Notice {number}", text, 1.0) for number, text in enumerate(texts)
    ]


def test_a_graph_of_facts_alone_and_pages_about_nothing_are_enough(tmp_path):
    facts = [(who, "worksIn", "Graz") for who in ("Ada Moss", "Ben Vale", "Cy Dorn")]
    write_graph(tmp_path / "graph", facts=[*facts, ("Tom Ash", "worksIn", "Linz")])
    texts = [f"From the records. {who} works in {where}." for who, _, where in facts]
    passages = [Passage(f"m{place}", f"Memo {place}", text) for place, text in enumerate(texts)]
    with Graph.open(tmp_path / "graph") as graph:
        found = Mentions(graph).read(Asked("1", "Who works in Graz?"), passages)
    assert {answer.id for answer in found} == {"Ada Moss", "Ben Vale", "Cy Dorn"}


def test_the_longest_name_counts_and_possessives_do_not_hide_it(made):
    finder = NameFinder(made.graph.index)
    film = next(answer for one in made.questions if one.id.startswith("P57") for answer in one.answers)
    director = made.questions.questions[0]
    text = f"They saw {film.label}'s end, and then {film.label}."
    found = [mention.text for mention in finder.mentions(text)]
    assert found.count(film.label) == 2
    assert all(text[one.start : one.end] == one.text for one in finder.mentions(text))
    assert finder.entities(film.label)
    assert director.question


def test_too_few_training_questions_are_told():
    questions = [Question(str(n), "Who?", answers=[Answer("A")], split="train") for n in range(20)]
    assert len(training_questions(questions)) == 20
    with pytest.warns(RollcallWarning, match=r"not tuned: 2 training questions are too few \(20 needed\)"):
        assert training_questions(questions[:2]) == []


class Knowing(Bm25):
    """A retriever that was trained on the training split."""

    def check_questions(self, questions):
        raise RollcallError(f"was trained on {len(questions)} questions")


def test_a_retriever_that_knows_the_training_split_is_not_tuned_with(asked_world):
    retriever = Knowing(IndexFolder(asked_world.corpus), progress=False)
    questions = [Question(str(n), "Who?", answers=[Answer("A")], split="train") for n in range(20)]
    context = Context(questions, corpus=asked_world.corpus, graph=asked_world.graph, retriever=retriever)
    with pytest.raises(RollcallError, match=r"give --no-tune \(was trained on 20 questions\)"):
        open_reader("mentions", context)
    open_reader("mentions", context, {"tune": False})


def test_mentions_is_far_better_than_naming_everything(made, bm25):
    questions = [one for one in made.questions if one.split != "train"][:20]
    assert len(training_questions(made.questions.questions)) >= 20
    found = bm25.retrieve([asked(one) for one in questions], 30)
    figures = {}
    for tune in (False, True):
        context = Context(
            made.questions.questions,
            corpus=made.corpus,
            graph=made.graph,
            retriever=bm25,
            k=30,
        )
        reader = open_reader("mentions", context, {"tune": tune})
        run = [Prediction(q.id, reader.read(asked(q), p)) for q, p in zip(questions, found, strict=True)]
        figures[tune] = score(questions, run, confidence=None, measures="F1")["F1"].value
    named = []
    for question, passages in zip(questions, found, strict=True):
        everything = Mentions(made.graph, bm25.store).weighed(asked(question), passages).candidates
        ids = [made.graph.index.entity_ids[one.answer] for one in everything]
        named.append(Prediction(question.id, [EntityAnswer(id_) for id_ in ids]))
    naming_everything = score(questions, named, confidence=None, measures="F1")["F1"].value
    assert figures[False] > 0.4
    assert figures[True] > 0.5
    assert naming_everything < 0.2


def test_mentions_gives_the_same_answers_again(made, bm25):
    question = asked(made.questions.questions[0])
    passages = bm25.retrieve([question], 30)[0]
    assert Mentions(made.graph, bm25.store).read(question, passages) == Mentions(made.graph, bm25.store).read(
        question, passages
    )


def test_without_passages_there_is_nothing_to_name(made):
    assert Mentions(made.graph).read(Asked("1", "Which films are there?"), []) == []


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who lives in Graz?", {"Ann Moser", "Cy Voss", "Ed Stritar"}),
        ("Who works for Alpine Freight and lives in Linz?", {"Bo Lenk", "Di Pell", "Flo Ohm"}),
        ("What are the employers of the people who live in Linz?", {"Alpine Freight"}),
        ("What is it that the people who live in Linz work for?", {"Alpine Freight"}),
    ],
)
def test_several_answers_are_found_without_classes_and_without_pages_of_entities(notes, question, answers):
    graph, passages = notes
    said = {one.label for one in Mentions(graph).read(Asked("1", question), passages)}
    assert len(said & answers) * 2 / (len(said) + len(answers)) > 0.7
    assert len(said) > 1 or len(answers) == 1


def test_as_many_answers_are_given_as_promise_the_best_f1():
    assert best_number([]) == 0
    assert best_number([0.1, 0.1, 0.1, 0.001]) == 3
    assert best_number([0.9, 0.1, 0.1]) == 1
    assert best_number([0.9, 0.8, 0.7, 0.05]) == 3


def test_each_name_has_the_words_of_its_own_condition(notes):
    graph, _ = notes
    words = QuestionAnalysis(graph, NameFinder(graph.index)).words(
        "Who works for Alpine Freight and lives in both Graz and Linz?"
    )
    assert words.conditions == ({"work"}, {"live"}, {"live"})


def test_in_the_closed_setting_only_candidates_are_named(made, bm25):
    question = next(one for one in made.questions if len(one.answers) > 3)
    offered = tuple(Offered(one.label, one.id) for one in question.answers[:2])
    passages = bm25.retrieve([asked(question)], 50)[0]
    said = Mentions(made.graph, bm25.store).read(Asked(question.id, question.question, offered), passages)
    assert {one.id for one in said} <= {one.id for one in offered}


def test_all_candidates():
    question = Question("1", "Who?", candidates=[Candidate("Bo", "Q2"), Candidate("Ann", is_answer=True)])
    assert AllCandidates().read(asked(question), []) == ["Ann", EntityAnswer("Q2", "Bo")]
    with pytest.raises(ReadingError, match="candidates"):
        AllCandidates().read(Asked("1", "Who?"), [])
