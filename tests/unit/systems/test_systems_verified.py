"""Read, verify, retrieve again: what is confirmed leads to more, while it pays, and the cost is counted."""

import re

import pytest

from rollcall import RollcallError, run
from rollcall.questions import Answer, Passage, Question, Run
from rollcall.systems import AnswerCheck, Asked, Reader, Retriever
from rollcall.systems.check.verified import (
    ReaderCheck,
    Round,
    Verified,
    WordCheck,
    about_conditions,
    best_gain,
    stop,
)

TEXTS = [
    "Ann was born in Orm.",
    "Ann and Bea were born in Orm.",
    "Bea and Cat were born in Orm.",
    "Cat and Dot were born in Orm.",
    "Eve was born in Orm, Dot says.",
    "Fay likes Orm.",
]
QUESTION = Asked("q", "Who was born in Orm?")


class Names(Reader):
    """Answers with every name of its passages; remembers what it read."""

    together = 4

    def __init__(self):
        self.was_read = []

    def read(self, question, passages):
        self.was_read += [passage.id for passage in passages]
        text = " ".join(passage.text for passage in passages)
        return [name for name in re.findall(r"\b[A-Z][a-z]+\b", text) if name != "Orm"]


class Naming(Retriever):
    """Finds passages with a name that stands after the question, in order; without one, the first passage."""

    def retrieve(self, questions, k):
        found = []
        for one in questions:
            names = one.question.partition("?")[2].split()
            having = [n for n, text in enumerate(TEXTS) if any(name in text for name in names)]
            found.append([Passage(str(n), "", TEXTS[n]) for n in (having if names else [0])][:k])
        return found


def verified(**options):
    reader = Names()
    return Verified(reader, Naming(), WordCheck(), **options), reader


def first():
    return Naming().retrieve([QUESTION], 5)


def test_confirmed_answers_lead_to_further_passages():
    for rounds, expected in ((1, ["Ann"]), (2, ["Ann", "Bea"]), (3, ["Ann", "Bea", "Cat"])):
        assert verified(rounds=rounds)[0].read_many([QUESTION], first())[0] == expected
    reader, inner = verified(rounds=20)
    assert reader.read_many([QUESTION], first())[0] == ["Ann", "Bea", "Cat", "Dot", "Eve"]
    assert len(inner.was_read) == len(set(inner.was_read))  # nothing is read twice


def test_a_round_that_confirms_too_little_is_the_last():
    assert verified(rounds=9, gain=0.9)[0].read_many([QUESTION], first())[0] == [
        "Ann",
        "Bea",
        "Cat",
        "Dot",
        "Eve",
    ]
    assert verified(rounds=9, gain=1.0)[0].read_many([QUESTION], first())[0] == ["Ann"]


def test_questions_go_on_side_by_side_and_each_has_its_cost():
    reader, _ = verified(rounds=3)
    nothing = Asked("n", "Who was born in Vell?")
    answers = reader.read_many([QUESTION, nothing], [*first(), [Passage("5", "", TEXTS[5])]])
    assert answers == [["Ann", "Bea", "Cat"], []]
    # Each of three answers is verified once, and two further rounds are retrieved for.
    assert reader.cost_of("q") == {"passages": 3, "retrievals": 5, "judgements": 3, "rounds": 3}
    assert reader.cost_of("n") == {"passages": 1, "retrievals": 1, "judgements": 1, "rounds": 1}
    assert reader.cost_of("q") == {}


def test_the_most_new_passages_of_a_round_can_be_set():
    class Everything(Naming):
        def retrieve(self, questions, k):
            return [[Passage(str(n), "", text) for n, text in enumerate(TEXTS)][:k] for _ in questions]

    inner = Names()
    reader = Verified(inner, Everything(), WordCheck(), rounds=2, more=2)
    reader.read_many([QUESTION], first())
    assert inner.was_read == ["0", "1", "2"]


def test_a_question_is_asked_with_each_condition_alone():
    asked = Asked("q", "Which films by Ann Orm won the Golden Star?")
    assert [one.question for one in about_conditions(asked)] == [
        "Which films by Ann Orm won the ?",
        "Which films by won the Golden Star?",
    ]
    assert about_conditions(QUESTION) == []


def test_a_check_may_decide_on_many_at_once():
    class Batched(AnswerCheck):
        sizes = ()

        def supports_all(self, asked):
            self.sizes += (len(asked),)
            return [answer.label != "Fay" for _, answer, _ in asked]

    check = Batched()
    reader = Verified(Names(), Naming(), check)
    passages = [[Passage(str(n), "", TEXTS[n]) for n in (0, 5)], [Passage("1", "", TEXTS[1])]]
    assert reader.read_many([QUESTION, Asked("r", "Who?")], passages) == [["Ann"], ["Ann", "Bea"]]
    assert check.sizes == (4,)


def test_a_reader_may_verify_its_own_answers():
    """Fay is named beside Orm, but what is found for her does not make the reader say so again."""

    class Born(Names):
        def read(self, question, passages):
            told = [one for one in passages if "born" in one.text or len(passages) == 1]
            return super().read(question, told)

    class Two(Naming):
        def retrieve(self, questions, k):
            return [found or [Passage("x", "", "x")] for found in self._found(questions)]

        def _found(self, questions):
            return [[*found, Passage("y", "", "y")] for found in super().retrieve(questions, 5)]

    question = Question("q", QUESTION.question)
    done = run([question], Born(), retriever=Two(), check="reader", options={"rounds": 2}, progress=False)
    assert done.predictions[0].answers == ["Ann", "Bea"]
    reader = Born()
    verified = Verified(reader, Two(), ReaderCheck(reader))
    assert reader.read(QUESTION, [Passage("5", "", TEXTS[5])]) == ["Fay"]
    assert verified.read(QUESTION, [Passage("5", "", TEXTS[5])]) == []
    assert done.settings["reader"]["verified"]["check"]["reader"]["name"] == "Born"


@pytest.mark.parametrize(
    ("reader", "options"),
    [("closed-book", {"model": "nowhere"}), ("all-candidates", {}), ("llm", {"mode": "closed-book"})],
)
def test_a_reader_without_passages_is_no_judge_of_them(reader, options):
    with pytest.raises(RollcallError) as refused:
        run([Question("q", "Who?")], reader, retriever=Naming(), check="reader", options=options)
    assert str(refused.value) == (
        f"the reader {reader} reads no passages, so it cannot verify its answers by them: "
        "give --verify words or --verify model (check= in Python)"
    )


def rounds(*pairs):
    return [Round(read, ["x"] * count) for read, count in pairs]


def test_the_stopping_rule_gives_the_best_score_and_then_reads_least():
    traces = [
        rounds((100, 5), (20, 2), (20, 0)),
        rounds((100, 5), (20, 1), (20, 1)),
        rounds((100, 1), (20, 0)),
    ]
    scores = [[0.5, 0.7, 0.6], [0.5, 0.4, 0.3], [0.2, 0.1]]
    found = best_gain(traces, scores)

    def mean(gain):
        return sum(score[stop(trace, gain)] for trace, score in zip(traces, scores, strict=True))

    def read(gain):
        return sum(one.read for trace in traces for one in trace[: stop(trace, gain) + 1])

    tried = [number / 1000 for number in range(200)]
    assert mean(found) == pytest.approx(max(map(mean, tried)))
    best = [gain for gain in tried if mean(gain) == pytest.approx(mean(found))]
    assert read(found) == min(map(read, best))
    assert stop(traces[0], 0.0) == 2
    assert stop(traces[0], 0.05) == 0
    assert stop(traces[0], 0.04) == 2


NAMES = ["Ann", "Bea", "Cat", "Dot", "Eve"]


def made(split, out, right=5, **options):
    gold = [Answer(name) for name in NAMES[:right]]
    return run(
        [
            Question("d", "Who was born in Orm?", split="dev", answers=gold),
            Question("t", "Who was ever born in Orm?", split="test", answers=gold),
        ],
        Names(),
        retriever=Naming(),
        check="words",
        split=split,
        out=out,
        options={"rounds": 9, **options},
        progress=False,
    )


def gain_of(done):
    return done.settings["reader"]["verified"]["gain"]


def test_when_to_stop_is_tuned_on_dev_and_stored_with_the_run(tmp_path):
    """By one gold all that the rounds confirm is right, by the other only the answer of the first round."""
    more, less = made("test", tmp_path / "run.jsonl"), made("test", None, right=1)
    assert ([one.answers for one in more], gain_of(more)) == ([NAMES], 0.0)
    assert ([one.answers for one in less], gain_of(less)) == ([NAMES[:1]], 1.0)
    assert [one.cost["rounds"] for one in Run.open(tmp_path / "run.jsonl")] == [5]
    assert gain_of(made("test", None, gain=0.5)) == 0.5


def test_what_is_asked_is_not_tuned_on(monkeypatch):
    monkeypatch.setattr(Verified, "traced", lambda *given: pytest.fail("the gold of the run was used"))
    assert gain_of(made("dev", None, right=1)) == 0.0


def test_an_option_of_verification_without_verification_is_an_error():
    with pytest.raises(RollcallError, match="there is no option rounds"):
        run([Question("d", "Who?")], Names(), retriever=Naming(), options={"rounds": 2}, progress=False)
