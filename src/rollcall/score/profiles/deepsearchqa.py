"""DeepSearchQA's grader: a language model says which expected answers a response gives, and which others.

Precision, recall and F1 follow from its verdict, and three kinds of question: fully correct (`acc`), fully
incorrect, and correct with more than was asked for. Replies are read as the published notebook reads them; a
response or a verdict that is missing is left out of every figure, as there.
"""

import json
from collections.abc import Sequence
from typing import ClassVar

from rollcall.llm.prompts import parse_list
from rollcall.questions.formats.web_benchmarks import DEEPSEARCHQA, SET
from rollcall.questions.record import Answer, Question, text_items
from rollcall.score.judging import JudgedProfile, response_of
from rollcall.score.match import WRONG, Match, Resolution, rated
from rollcall.score.profile import Predicted, Profile, texts
from rollcall.score.profiles import PROFILES
from rollcall.score.profiles.entity import EntityProfile

FULLY_WRONG, EXTRANEOUS = "FullyWrong", "Extraneous"
_PROMPT = """You grade a response to a question by the correct answer.

Question:
<prompt>
{prompt}
</prompt>

Correct answer, of the type "{prompt_type}":
<answer>
{answer}
</answer>

Response:
<response>
{response}
</response>

A "Single Answer" is one expected item; a "Set Answer" is a list of expected items, in any order unless the
question asks for one. Decide for each expected item whether the response gives it as an answer: another
wording of the same counts, a mere mention does not. Then list everything that the response gives as an answer
and that is not expected.

Reply with one JSON object and nothing else, in this form:
{{"Answer Correctness": {{"Explanation": "one or two sentences",
"Correctness Details": {{"an expected item": true}},
"Excessive Answers": ["an answer that is not expected"]}}}}"""


@PROFILES.register("deepsearchqa")
class DeepSearchQaProfile(JudgedProfile):
    """DeepSearchQA's grader: a language model marks expected and excessive answers (needs --judge).

    From public copies of its starter notebook. The grader marks each expected item as found or not, and lists
    what is not expected. P = found / (found + excessive), R = found / expected; `acc` is its "fully correct",
    `FullyWrong` "fully incorrect", `Extraneous` "correct with excessive answers". A response that is empty,
    or a reply that is not the JSON asked for, is left out of every figure, as published; a warning counts
    them. `deepsearchqa-match` cuts the response into items (a JSON list, bullets, lines, semicolons, commas)
    and matches them as `entity` does; there, silence counts as 0.
    """

    source = "DeepSearchQA (Google DeepMind), starter notebook"
    default_measures = ("acc", FULLY_WRONG, EXTRANEOUS, "P", "R", "F1")
    own_figures = (FULLY_WRONG, EXTRANEOUS)
    prompts: ClassVar[dict[str, str]] = {"grade": _PROMPT}
    counterpart = "deepsearchqa-match"

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        labels = [answer.label for answer in gold]
        response = response_of(predictions)
        if not response:
            return self.not_judged(labels)
        template, fields = self.template("grade"), _fields(question, labels, response)
        reply = self.seat.ask(template, **fields)
        graded = None if reply is None else read_grade(reply)
        if graded is None:
            if reply is not None:
                self.seat.reject(template, "the reply is not the JSON that was asked for", **fields)
            return self.not_judged(labels)
        details, excessive = graded
        keys, hits = list(details), list(details.values())
        right = [index for index, hit in enumerate(hits) if hit]
        return Resolution(
            [*(keys[index] for index in right), *excessive],
            [*right, *[WRONG] * len(excessive)],
            keys,
            hits,
            own=kinds(hits, len(excessive)),
        )

    def rate(self, resolution: Resolution) -> Match:
        hits, given = resolution.found.count(True), len(resolution.predictions)
        return rated(hits / given if hits else 0.0, hits / len(resolution.gold) if hits else 0.0, resolution)


def kinds(found: Sequence[bool], wrong: int) -> dict[str, float]:
    """Whether a question is fully incorrect, or correct with more than was asked for."""
    return {
        FULLY_WRONG: float(bool(found) and not any(found)),
        EXTRANEOUS: float(all(found) and wrong > 0),
    }


def read_grade(reply: str) -> tuple[dict[str, bool], list[str]] | None:
    """Which expected items a grader found, and the excessive ones; None if its reply has another form."""
    text = reply.strip()
    start = text.find("```json")
    if start != -1:
        text = text[start + len("```json") :].strip()
        end = text.rfind("```")
        text = text[:end].strip() if end != -1 else text
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return None
    graded = whole.get("Answer Correctness") if isinstance(whole, dict) else None
    if not isinstance(graded, dict) or not isinstance(graded.get("Explanation"), str):
        return None
    details, excessive = graded.get("Correctness Details"), graded.get("Excessive Answers", [])
    if not isinstance(details, dict) or not all(isinstance(hit, bool) for hit in details.values()):
        return None
    if not isinstance(excessive, list) or not all(isinstance(item, str) for item in excessive):
        return None
    return details, excessive


def _fields(question: Question, labels: list[str], response: str) -> dict[str, str]:
    known = question.provenance if question.provenance.get("format") == DEEPSEARCHQA else {}
    kind = known.get("answer_type") or (SET if len(labels) > 1 else "Single Answer")
    return {
        "prompt": question.question.strip(),
        "prompt_type": str(kind),
        "answer": str(known.get("answer") or ", ".join(labels)),
        "response": response,
    }


# The parts of judged profiles that need no language model, each under a name of its own. A response is
# cut into its items (a JSON list, bullets, lines, semicolons or commas), and the items are matched as in
# the profile `entity`. Reports of judged profiles show it beside the judge's verdict.


class ResponseMatchProfile(EntityProfile):
    """Items of a response, matched as in `entity`."""

    neutral = "wrong"
    judge = Profile.judge
    measures = Profile.measures

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        return super().resolve(question, gold, response_items(predictions))

    def names_any(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> list[bool]:
        """For each response, whether all its items name one of the answers."""
        items = [response_items([response]) for response in predictions]
        return [
            bool(parts) and all(super(ResponseMatchProfile, self).names_any(question, gold, parts))
            for parts in items
        ]


@PROFILES.register("monaco-match")
class MonacoMatchProfile(ResponseMatchProfile):
    """MoNaCo without a language model: the items of a response, matched as in entity."""

    source = "Rollcall, beside MoNaCo's judge"
    default_measures = ("F1", "P", "R")


@PROFILES.register("deepsearchqa-match")
class DeepSearchQaMatchProfile(ResponseMatchProfile):
    """DeepSearchQA without a language model: the items of a response, matched as in entity."""

    source = "Rollcall, beside DeepSearchQA's grader"
    default_measures = ("acc", FULLY_WRONG, EXTRANEOUS, "P", "R", "F1")
    own_figures = (FULLY_WRONG, EXTRANEOUS)

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        resolution = super().resolve(question, gold, predictions)
        return resolution._replace(own=kinds(resolution.found, resolution.owners.count(WRONG)))

    def rate(self, resolution: Resolution) -> Match:
        return super().rate(resolution)._replace(own=resolution.own)


def response_items(predictions: Sequence[Predicted]) -> list[Predicted]:
    """The items of a response that is one text; several answers are items already."""
    if len(predictions) != 1:
        return list(predictions)
    text = texts(predictions)[0]
    listed = parse_list(text)
    return list(text_items(text) if listed is None else listed)
