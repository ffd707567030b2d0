"""Readers: what the wording tells, whom passages name, what models are asked, what verification drops."""

import json
import math

import pytest

from model_server import ModelServer
from rollcall.errors import RollcallWarning
from rollcall.graph import Graph, make_graph, write_graph
from rollcall.llm import Client, ReplyCache, Retries
from rollcall.questions import Answer, Candidate, EntityAnswer, Passage, Prediction, Question
from rollcall.score import score
from rollcall.systems import Context, open_reader
from rollcall.systems.check.model import ModelCheck
from rollcall.systems.check.verified import Verified
from rollcall.systems.check.words import WordCheck, question_names
from rollcall.systems.interfaces import Asked, Offered, ReadingError, asked
from rollcall.systems.read.candidates import AllCandidates
from rollcall.systems.read.language_model import LanguageModel
from rollcall.systems.read.mentions import Mentions, best_number
from rollcall.systems.read.name_finder import NameFinder
from rollcall.systems.read.question_words import QuestionAnalysis, asked_noun
from rollcall.systems.read.shots import as_turns, drawn, yes_no_turns
from rollcall.systems.read.tuning import training_questions
from rollcall.systems.read.yes_no import YesNo
from rollcall.systems.retrieve.bm25 import Bm25
from rollcall.systems.retrieve.index_folder import IndexFolder


@pytest.fixture(scope="module")
def made(asked_world):
    return asked_world


@pytest.fixture(scope="module")
def bm25(made):
    return Bm25(IndexFolder(made.corpus))


# -- mentions ----------------------------------------------------------------------------------------------


def test_a_graph_of_facts_alone_and_pages_about_nothing_are_enough(tmp_path):
    facts = [(who, "worksIn", "Graz") for who in ("Ada Moss", "Ben Vale", "Cy Dorn")]
    write_graph(tmp_path / "graph", facts=[*facts, ("Tom Ash", "worksIn", "Linz")])
    texts = [f"From the records. {who} works in {where}." for who, _, where in facts]
    passages = [Passage(f"m{place}", f"Memo {place}", text) for place, text in enumerate(texts)]
    with Graph.open(tmp_path / "graph") as graph:
        found = Mentions(graph).read(Asked("1", "Who works in Graz?"), passages)
    assert {answer.id for answer in found} == {"Ada Moss", "Ben Vale", "Cy Dorn"}


def test_the_longest_name_counts_and_possessives_do_not_hide_it(made):
    finder = NameFinder(made.graph)
    film = next(answer for one in made.questions if one.id.startswith("P57") for answer in one.answers)
    director = made.questions.questions[0]
    text = f"They saw {film.label}'s end, and then {film.label}."
    found = [mention.text for mention in finder.mentions(text)]
    assert found.count(film.label) == 2
    assert all(text[one.start : one.end] == one.text for one in finder.mentions(text))
    assert finder.entities(film.label)
    assert director.question


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


def test_a_question_is_taken_apart_by_its_wording_alone(made):
    question = next(one for one in made.questions if one.question.startswith("Which films were directed"))
    words = QuestionAnalysis(made.graph, NameFinder(made.graph)).words(question.question)
    assert [anchor.text for anchor in words.anchors] == [
        question.question.removeprefix("Which films were directed by ")[:-1]
    ]
    assert {made.graph.index.class_labels[number] for number in words.classes} == {"film"}
    assert "direc" in words.cues


def test_too_few_training_questions_are_told():
    questions = [Question(str(n), "Who?", answers=[Answer("A")], split="train") for n in range(20)]
    assert len(training_questions(questions)) == 20
    with pytest.warns(RollcallWarning, match=r"not tuned: 2 training questions are too few \(20 needed\)"):
        assert training_questions(questions[:2]) == []


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
        figures[tune] = score(questions, run, resamples=0, measures="F1")["F1"].value
    named = []
    for question, passages in zip(questions, found, strict=True):
        everything = Mentions(made.graph, bm25.store).weighed(asked(question), passages).candidates
        ids = [made.graph.index.entity_ids[one.answer] for one in everything]
        named.append(Prediction(question.id, [EntityAnswer(id_) for id_ in ids]))
    naming_everything = score(questions, named, resamples=0, measures="F1")["F1"].value
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


PEOPLE = ("Ann Moser", "Bo Lenk", "Cy Voss", "Di Pell", "Ed Stritar", "Flo Ohm")
CITIES, FIRMS = ("Graz", "Linz"), ("Kettner Optics", "Alpine Freight")


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


def test_what_is_asked_of_a_group_is_told_from_what_describes_it(tmp_path):
    rows = [("Heron", "M2", "AquaPure"), ("Plover", "M3", "ExZone")]
    facts = [fact for p, m, c in rows for fact in ((p, "contains", m), (p, "certified for", c))]
    write_graph(tmp_path / "graph", facts=facts, types=[(row[0], "pump") for row in rows])
    with Graph.open(tmp_path / "graph") as graph:
        analysis = QuestionAnalysis(graph, NameFinder(graph))
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


def test_as_many_answers_are_given_as_promise_the_best_f1():
    assert best_number([]) == 0
    assert best_number([0.1, 0.1, 0.1, 0.001]) == 3
    assert best_number([0.9, 0.1, 0.1]) == 1
    assert best_number([0.9, 0.8, 0.7, 0.05]) == 3


def test_each_name_has_the_words_of_its_own_condition(notes):
    graph, _ = notes
    words = QuestionAnalysis(graph, NameFinder(graph)).words(
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


# -- language models -----------------------------------------------------------------------------------------

pytest.importorskip("openai", reason="the extra `llm` is not installed")

PASSAGES = [Passage(f"p{n}", f"Page {n}", f"Text {n} names Ann and Bo.", 1.0 / (n + 1)) for n in range(30)]
ASKED = Asked("q1", "Who lives in Orm?")


def client_of(server, **options):
    return Client(server.url, retries=Retries(attempts=1), timeout=20, **options)


def test_the_best_passages_go_into_one_prompt():
    with ModelServer(lambda body: {"text": json.dumps({"answers": ["Ann, of Orm", "Bo"]})}) as server:
        reader = LanguageModel(client_of(server), "tiny")
        assert reader.read(ASKED, PASSAGES) == ["Ann, of Orm", "Bo"]
        (body,) = server.received
        prompt = body["messages"][-1]["content"]
        assert prompt.count("Text ") == 15
        assert prompt.endswith("Question: Who lives in Orm?")
        assert body["response_format"]["type"] == "json_schema"


def test_no_more_passages_than_fit_the_context():
    with ModelServer() as server:
        reader = LanguageModel(client_of(server), "tiny", passages=0, context=500, max_tokens=100)
        reader.read(ASKED, PASSAGES)
        prompt = server.received[0]["messages"][-1]["content"]
        assert 3 < prompt.count("Text ") < 30
        assert reader.requests(ASKED, PASSAGES)[0].estimated_prompt_tokens() <= 400


def test_closed_book_shows_the_question_alone():
    with ModelServer() as server:
        assert LanguageModel(client_of(server), "tiny", mode="closed-book").read(ASKED, PASSAGES) == ["Ann"]
        assert server.received[0]["messages"][-1]["content"] == "Question: Who lives in Orm?"


def test_each_passage_is_read_by_itself_and_the_answers_are_united():
    said = {"Text 0": ["Bo"], "Text 1": ["Ann", "bo"], "Text 2": [], "Text 3": ["Bo", "Cy"]}

    def answer(body):
        prompt = body["messages"][-1]["content"]
        return next(found for text, found in said.items() if f"{text} " in prompt)

    with ModelServer(answer) as server:
        reader = LanguageModel(client_of(server), "tiny", mode="each", passages=4)
        assert reader.read(ASKED, PASSAGES) == ["Bo", "Ann", "Cy"]
        assert len(server.received) == 4


def test_a_model_that_writes_prose_is_reminded_once_and_then_has_failed(tmp_path):
    replies = iter(["They are many.", '["Ann"]', "I do not know.", "Truly.", '["Bo"]'])
    with ModelServer(lambda body: next(replies)) as server:
        reader = LanguageModel(client_of(server, cache=ReplyCache(tmp_path / "c")), "tiny")
        assert reader.read(ASKED, []) == ["Ann"]
        with pytest.raises(ReadingError, match="no list of answers: 'Truly"):
            reader.read(Asked("q2", "Else?"), [])
        assert reader.read(Asked("q2", "Else?"), []) == ["Bo"]  # a useless reply is not kept


def test_a_refusal_is_a_failure_and_not_an_empty_answer():
    with ModelServer(script=["refuse"]) as server, pytest.raises(ReadingError, match=r"refused.*cannot help"):
        LanguageModel(client_of(server), "tiny").read(ASKED, PASSAGES)
    with ModelServer(lambda body: []) as server:
        assert LanguageModel(client_of(server), "tiny").read(ASKED, PASSAGES) == []


def test_a_list_that_is_too_long_keeps_its_whole_answers():
    with ModelServer(lambda body: ["Ann", "Bo", "Cy Venn"], script=["long"]) as server:
        assert LanguageModel(client_of(server), "tiny").read(ASKED, PASSAGES) == ["Ann", "Bo"]


def test_examples_come_from_the_training_split_and_never_show_the_question_itself():
    questions = [
        Question(f"q{n}", f"Question {n}?", split="train" if n % 2 else "dev", answers=[Answer(f"A{n}")] * 12)
        for n in range(20)
    ]
    examples = drawn(questions, 4)
    assert {one.split for one in examples} == {"train"}
    assert drawn(list(reversed(questions)), 4) == examples
    assert drawn(questions, 4, seed=1) != examples
    turns = as_turns(examples, but=examples[0].id)
    assert len(turns) == 3
    assert len(json.loads(turns[0][1])["answers"]) == 10
    with ModelServer() as server:
        LanguageModel(client_of(server), "tiny", shots=examples).read(ASKED, [])
        roles = [turn["role"] for turn in server.received[0]["messages"]]
        assert roles == ["system", *["user", "assistant"] * 4, "user"]


CANDIDATES = tuple(Offered(name) for name in ("Ann", "Bo", "Cy", "Dan"))


def judge(chances, logprobs=True):
    """A server that says yes with a probability for each candidate."""

    def answer(body):
        prompt = body["messages"][-1]["content"]
        chance = next(p for name, p in chances.items() if f"Proposed answer: {name}\n" in prompt)
        told = [("Yes", chance), ("No", 1 - chance)]
        top = [{"token": word, "logprob": math.log(p)} for word, p in told]
        said = "Yes" if chance >= 0.5 else "No"
        return {
            "text": said,
            "logprobs": {"content": [{**top[said == "No"], "top_logprobs": top}]} if logprobs else None,
        }

    return ModelServer(answer)


def test_candidates_are_judged_one_by_one_and_calibrated():
    chances = {"Ann": 0.97, "Bo": 0.8, "Cy": 0.99, "Dan": 0.7}
    question = Asked("1", "Who lives in Orm?", CANDIDATES)
    with judge(chances) as server:
        client = client_of(server)
        assert YesNo(client, "tiny").read(question, PASSAGES) == ["Cy", "Ann"]
        assert YesNo(client, "tiny", calibrate=False).read(question, []) == ["Cy", "Ann", "Bo", "Dan"]
    with judge({**chances, "Bo": 0.1}, logprobs=False) as server:
        assert YesNo(client_of(server), "tiny").read(question, []) == ["Ann", "Cy", "Dan"]


def test_a_judge_that_says_neither_has_failed():
    with (
        ModelServer(lambda body: "Perhaps") as server,
        pytest.raises(ReadingError, match="neither yes nor no"),
    ):
        YesNo(client_of(server), "tiny").read(Asked("1", "Who?", CANDIDATES), [])


def test_examples_of_yes_and_no_are_as_many():
    offered = [Candidate(f"C{n}", is_answer=n < 3) for n in range(9)]
    turns = yes_no_turns(
        [Question(f"q{n}", f"Who {n}?", split="train", candidates=offered) for n in range(3)]
    )
    assert sorted(said for _, said in turns) == ["No"] * 3 + ["Yes"] * 3


# -- verification ------------------------------------------------------------------------------------------


class Said:
    name = "said"

    def __init__(self, *answers):
        self.answers = list(answers)

    def read(self, question, passages):
        return self.answers


class Fixed:
    """A retriever that finds the passages that have the last word of the question."""

    name = "fixed"

    def __init__(self, *texts):
        self.texts = texts

    def retrieve(self, questions, k):
        return [
            [Passage(text, "", text) for text in self.texts if one.question.split()[-1] in text][:k]
            for one in questions
        ]


def test_answers_that_further_passages_do_not_support_are_dropped():
    found = Fixed("Ann was born in Orm.", "Bo was born in Vell.", "Cy likes Orm.")
    reader = Verified(Said("Ann", EntityAnswer("Q2", "Bo"), "Cy", "Dan"), found, WordCheck())
    assert reader.read(Asked("1", "Who was born in Orm?"), []) == ["Ann"]


def test_a_model_may_verify_too():
    def answer(body):
        return "Yes" if "Ann was born" in body["messages"][-1]["content"] else "No"

    found = Fixed("Ann was born in Orm.", "Bo was born in Vell.")
    with ModelServer(answer) as server:
        reader = Verified(Said("Ann", "Bo"), found, ModelCheck(client_of(server), "tiny"))
        assert reader.read(Asked("1", "Who was born in Orm?"), []) == ["Ann"]


def test_names_in_a_wording():
    assert question_names("Which films did Clint Eastwood's crew make in New York?") == [
        "Clint Eastwood",
        "New York",
    ]
    assert question_names("Who received the Order of the Wolf?") == ["Order of the Wolf"]
