"""What answers are checked by, and which are dropped."""

import pytest

from model_server import ModelServer, client_of
from rollcall.questions import EntityAnswer, Passage
from rollcall.systems import Asked
from rollcall.systems.check.verified import ModelCheck, Verified, WordCheck, question_names


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
    pytest.importorskip("openai", reason="the extra `llm` is not installed")

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
