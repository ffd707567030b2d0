"""MoNaCo's judge: a language model counts the answers of a response and lists the right ones.

A question with one answer gets a score between 0 and 1, which a number earns by its distance from the right
one; it is precision, recall and F1 here. Replies are read as the published script reads them: an empty list
of right answers counts as one, and `NULL` as none.
"""

from collections.abc import Sequence
from typing import ClassVar

from rollcall.questions.record import Answer, Question
from rollcall.score.judging import JudgedProfile, response_of
from rollcall.score.match import WRONG, Match, Resolution, name_key, rated
from rollcall.score.profile import Predicted
from rollcall.score.profiles import PROFILES

_PRECISION, _RECALL = "precision", "recall"
_LENGTH, _OVERLAP, _SCORE = "\nfinal answer length:", "\noverlapping answers:", "final precision:"
_BETWEEN, _NONE = "###", "NULL"
_OTHER = "(another answer)"
_MOST_SHOWN = 1000
"""The most wrong answers that are listed: a judge may claim any number of them."""
_SINGLE = """You judge whether a response answers a question correctly.

[question]: {question}
[response]: '{response}'
[correct_answer]: {correct_answer}

Take the final answer from the response; it is None if there is none. Compare it with the correct answer only;
do not solve the question yourself. Another wording of the same is correct. If the correct answer is a number
or a percentage, the score is 1 - abs(correct - given) / max(abs(correct), abs(given)); otherwise it is 1 for
a correct answer and 0 for any other.

Write these lines, each with its name:
extracted_final_answer: the final answer of the response
reasoning: why it is correct or not, in a sentence
final precision: the score, a number alone"""
_SEVERAL = """You judge which answers of a response are correct.

[question]: {question}
[response]: '{response}'
[correct_answer]: {correct_answer}

Take the final answers from the response. Compare them with the correct ones only; do not solve the question
yourself. Another wording of the same is correct, and so is a number that differs by at most five per cent.

Write these lines, each with its name, and nothing after the last:
extracted_final_answer: the final answers of the response
reasoning: in a sentence, which are correct
final answer length: the number of different answers in the response, right and wrong, as a number alone
overlapping answers: the correct answers of the response, with ### between them, or NULL if there are none"""


@PROFILES.register("monaco")
class MonacoProfile(JudgedProfile):
    """MoNaCo's judge: a language model counts answers and lists the right ones (needs --judge).

    From a public copy of its `evaluate_final_answers.py`. With several gold answers the judge writes how many
    answers a response gives and lists the right ones: P = right / given (given is at least right), R = right
    / gold, at most 1; an empty list counts as one, and `NULL` as none. With one gold answer it writes a
    score, for a number 1 − |a − b| / max(|a|, |b|), which is P, R and F1 here (the published code has no
    recall for it). A reply without the lines asked for is left out, with a warning. How the published code
    writes several gold answers into the prompt is not public; here each is a line.
    """

    source = "MoNaCo (Wolfson et al.), prompts/evaluate_final_answers.py"
    default_measures = ("F1", "P", "R")
    prompts: ClassVar[dict[str, str]] = {"single": _SINGLE, "several": _SEVERAL}
    counterpart = "monaco-match"

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        labels = [answer.label for answer in gold]
        response = response_of(predictions)
        if not labels or not response:
            return self.not_judged(labels)
        template = self.template("single" if len(labels) == 1 else "several")
        fields = {
            "question": question.question,
            "response": response,
            "correct_answer": "\n".join(labels),
        }
        reply = self.seat.ask(template, **fields)
        if reply is None:
            return self.not_judged(labels)
        resolution = read_single(reply, labels) if len(labels) == 1 else read_several(reply, labels)
        if resolution is None:
            self.seat.reject(template, "the reply lacks the lines that were asked for", **fields)
            return self.not_judged(labels)
        return resolution

    def rate(self, resolution: Resolution) -> Match:
        own = resolution.own
        return rated(own.get(_PRECISION, 0.0), own.get(_RECALL, 0.0), resolution)


def read_single(reply: str, labels: list[str]) -> Resolution | None:
    """The score of a question with one answer; a score that is no number is 0, as published."""
    parts = _renamed(reply).split(_SCORE)
    if len(parts) < 2:
        return None
    try:
        score = float(parts[1].split("\n")[0].replace("...", ""))
    except ValueError:
        score = 0.0
    score = min(1.0, max(0.0, score)) if score == score else 0.0  # not a number is not equal to itself
    right = score > 0
    owner, own = (0 if right else WRONG), {_PRECISION: score, _RECALL: score}
    return Resolution([labels[0] if right else _OTHER], [owner], labels, [right], own=own)


def read_several(reply: str, labels: list[str]) -> Resolution | None:
    """The counts of a question with several answers."""
    text = _renamed(reply)
    if _LENGTH not in text or _OVERLAP not in text:
        return None
    number = text.replace("final answer length: None ", "final answer length: 0 ")
    number = number.replace("The response lists over", "").split(_LENGTH)[1].strip().split("\n")[0].strip()
    try:
        given = int(number.split(" ")[0].strip())
    except ValueError:
        return None
    listed = text.split(_OVERLAP)[1].replace(_BETWEEN + _NONE, _BETWEEN).strip().removesuffix(_BETWEEN)
    answers = listed.split(_BETWEEN)
    right = 0 if answers == [_NONE] or not given else len(answers)
    given = max(given, right)
    own = {
        _PRECISION: right / given if right else 0.0,
        _RECALL: min(right, len(labels)) / len(labels),
    }
    owners = _owners(answers[:right], labels)
    hits = [index in owners for index in range(len(labels))]
    wrong = min(given - len(owners), _MOST_SHOWN)
    return Resolution(
        [*answers[: len(owners)], *[_OTHER] * wrong], [*owners, *[WRONG] * wrong], labels, hits, own=own
    )


def _renamed(reply: str) -> str:
    """A reply whose lines may be named with underscores."""
    for name in ("final answer length", "overlapping answers", "final precision"):
        reply = reply.replace(name.replace(" ", "_"), name)
    return reply


def _owners(answers: Sequence[str], labels: Sequence[str]) -> list[int]:
    """A gold answer for each right one: that of its name, or else any that is left. The judge only counts."""
    places = {name_key(label): index for index, label in reversed(list(enumerate(labels)))}
    named = [places.get(name_key(answer)) for answer in answers[: len(labels)]]
    taken: set[int] = set()
    owners: list[int | None] = []
    for index in named:
        owners.append(None if index in taken else index)
        taken |= set() if index is None else {index}
    free = iter(index for index in range(len(labels)) if index not in taken)
    return [next(free) if index is None else index for index in owners]
