"""Readers that ask a language model: what is in a prompt, how replies are read, yes or no to candidates."""

import json
import math

import pytest

from model_server import ModelServer, client_of
from rollcall import RollcallError, run
from rollcall.llm import ReplyCache
from rollcall.questions import Answer, Candidate, Passage, Question, QuestionSet, Run
from rollcall.systems import Asked, Offered, ReadingError
from rollcall.systems.read.language_model import LanguageModel, YesNo, as_turns, drawn

pytest.importorskip("openai", reason="the extra `llm` is not installed")

PASSAGES = [Passage(f"p{n}", f"Page {n}", f"Text {n} names Ann and Bo.", 1.0 / (n + 1)) for n in range(30)]
ASKED = Asked("q1", "Who lives in Orm?")
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


def closed_questions(training: int) -> list[Question]:
    """Training questions, the first without a wrong candidate, and one test question."""
    offered = [Candidate(f"C{n}", is_answer=n < 3) for n in range(9)]
    answers = [Answer(one.label) for one in offered[:3]]
    first = Question("q", "Which?", split="train", candidates=offered[:3], answers=answers)
    return [first] + [
        Question(f"q{n}", f"Who {n}?", split="train" if n else "test", candidates=offered, answers=answers)
        for n in range(training + 1)
    ]


@pytest.mark.parametrize("shots", [2, 8])
def test_in_the_closed_setting_as_many_examples_as_asked_for_half_of_them_right(shots):
    options = {"mode": "closed", "shots": shots, "calibrate": False}
    with judge({f"C{n}": 0.9 for n in range(9)}) as server:
        run(closed_questions(8), "llm", retriever=None, split="test", client=server.url, model="m",
            options=options)  # fmt: skip
        assert len(server.received) == 9
        for body in server.received:
            said = [turn["content"] for turn in body["messages"] if turn["role"] == "assistant"]
            assert sorted(said) == ["No"] * (shots // 2) + ["Yes"] * (shots // 2)


@pytest.mark.parametrize(("mode", "least"), [("closed", "8 questions"), ("closed-book", "9 questions")])
def test_more_examples_than_there_are_are_refused(mode, least):
    with ModelServer() as server, pytest.raises(RollcallError, match=f"has {least} .* or fewer"):
        run(closed_questions(8), "llm", retriever=None, split="test", client=server.url, model="m",
            options={"mode": mode, "shots": 10})  # fmt: skip


@pytest.mark.parametrize(
    ("mode", "name", "value"),
    [
        ("closed", "context", 512),
        ("closed", "max_tokens", 5),
        ("closed", "temperature", 0.5),
        ("closed-book", "passages", 3),
        ("passages", "calibrate", False),
        ("closed", "seed", 3),
    ],
)
def test_an_option_without_effect_in_a_mode_is_refused(mode, name, value):
    with ModelServer() as server, pytest.raises(RollcallError, match=f"option {name} has no effect"):
        run(closed_questions(1), "llm", retriever=None, client=server.url, model="m",
            options={"mode": mode, name: value})  # fmt: skip


def test_the_rows_of_the_paper_without_passages_read_none(tmp_path):
    """The sources have no corpus; examples are those of the set that is learned from."""
    from rollcall.papers.tables.data import SourceFolders, TableData, WorkFolder
    from rollcall.papers.tables.scoring import PlainRows

    questions = closed_questions(8)
    folders = {}
    for name, kept in (("learned", questions[:1] + questions[2:]), ("tested", questions[1:2])):
        QuestionSet(kept).save(tmp_path / name)
        folders[name] = {"romqa": str(tmp_path / name), "qampari": str(tmp_path / name)}
    sources = [SourceFolders("none", "none", folders[name]) for name in ("learned", "tested")]
    place = WorkFolder(tmp_path / "work")
    rows = PlainRows(place, TableData("tiny", "worlds", sources, [0], 1, 5))
    for mode in ("closed-book", "passages", "each"):
        (place.shown / f"llm-{mode}.test.jsonl").write_text("")  # they need a corpus
    with ModelServer(
        lambda body: "Yes" if "Proposed" in body["messages"][-1]["content"] else ["C1"]
    ) as server:
        rows.ask_model(server.url, "m")
        assert {len(body["messages"]) for body in server.received} == {2, 2 + 2 * 8}
        assert not any("assages:" in turn["content"] for body in server.received for turn in body["messages"])
    for row in ("llm-closed", "llm-closed-shots", "llm-open", "llm-open-shots"):
        (answered,) = Run.open(place.shown / f"{row}.test.jsonl")
        assert answered.answers or row.startswith("llm-closed"), "all candidates are judged alike"
