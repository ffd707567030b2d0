"""The quality card finds every defect that is put into a set from a world, and is quiet without them."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from rollcall.audit import Audit, audit
from rollcall.questions import Answer, Prediction, Question, QuestionSet, Run
from rollcall.questions.splits import TABLES

EVERY = 1_000_000


class Defect(NamedTuple):
    """A way to spoil a question; it returns the questions it adds, and which question is at fault."""

    sort: str
    check: str
    spoil: Callable[[Question, list[Question]], list[Question]]


def _changed(change: Callable[[Question], object]) -> Callable[[Question, list[Question]], list[Question]]:
    def spoil(question: Question, others: list[Question]) -> list[Question]:
        change(question)
        return []

    return spoil


def _copied(change: Callable[[Question], object]) -> Callable[[Question, list[Question]], list[Question]]:
    """A further question, changed; the fault is the later one of the two."""

    def spoil(question: Question, others: list[Question]) -> list[Question]:
        other = copy.deepcopy(question)
        other.id = f"copy-{question.id}"
        change(other)
        return [other]

    return spoil


def _reworded(question: Question) -> None:
    question.question = f"Please, {question.question[0].lower()}{question.question[1:]}"
    question.wordings = []
    question.query = None
    question.split = "train" if question.split == "test" else "test"


def _add_answer(question: Question, others: list[Question]) -> list[Question]:
    own = {answer.id for answer in question.answers}
    stranger = next(one for other in others for one in other.answers if one.id not in own)
    question.answers.append(copy.deepcopy(stranger))
    return []


def _say(question: Question, text: str) -> None:
    question.question = text


def _evidence(question: Question, **values: object) -> None:
    for name, value in values.items():
        setattr(question.answers[1].evidence[0], name, value)


def _one_place(question: Question) -> None:
    passage = question.answers[0].evidence[0].passage
    for answer in question.answers:
        answer.evidence[0].passage = passage


DEFECTS = [
    Defect("denotation", "outside-denotation", _add_answer),
    Defect("denotation", "missing-answers", _changed(lambda one: one.answers.pop())),
    Defect(
        "evidence", "unnamed-ends", _changed(lambda one: _evidence(one, text="Nobody was here.", title="Zz"))
    ),
    Defect("evidence", "doubted-evidence", _changed(lambda one: _evidence(one, score=0.1))),
    Defect("same entity", "repeated-answers", _changed(lambda one: one.answers.append(one.answers[0]))),
    Defect(
        "same entity",
        "colliding-names",
        _changed(lambda one: one.answers[0].aliases.append(one.answers[1].label.upper())),
    ),
    Defect(
        "same question", "repeated-questions", _copied(lambda one: _say(one, f" {one.question.upper()} "))
    ),
    Defect("same question", "contradicting-questions", _copied(lambda one: one.answers.pop())),
    Defect(
        "leakage",
        "leaked-wordings",
        _copied(lambda one: setattr(one, "split", "train" if one.split == "test" else "test")),
    ),
    Defect("leakage", "leaked-near-duplicates", _copied(_reworded)),
    Defect(
        "given away",
        "given-away",
        _changed(lambda one: _say(one, f"{one.question[:-1]}, such as {one.answers[0].label}?")),
    ),
    Defect(
        "given away",
        "given-away",
        _changed(lambda one: _say(one, f"Is {one.answers[1].label} one? {one.question}")),
    ),
    Defect("one passage", "one-passage", _changed(_one_place)),
    Defect("one passage", "closed-book-answered", _changed(lambda one: None)),
    Defect("wording", "broken-marks", _changed(lambda one: _say(one, f"“{one.question}"))),
    Defect("wording", "leftovers", _changed(lambda one: _say(one, f"{one.question[:-1]} in {{place}}?"))),
    Defect("wording", "doubled-words", _changed(lambda one: _say(one, f"Which of of them: {one.question}"))),
    Defect("wording", "wrong-articles", _changed(lambda one: _say(one, f"{one.question[:-1]} in a opera?"))),
    Defect(
        "wording", "vague-nouns", _changed(lambda one: _say(one, f"Which things are these: {one.question}"))
    ),
    Defect("wording", "no-question-mark", _changed(lambda one: _say(one, one.question[:-1]))),
    Defect("wording", "names-nothing", _changed(lambda one: _say(one, "Which ones are there?"))),
    Defect("wording", "no-question", _changed(lambda one: _say(one, "The answers to this question?"))),
    Defect("wording", "too-long", _changed(lambda one: _say(one, " and ".join([one.question] * 20)))),
    Defect("place", "misplaced-evidence", _changed(lambda one: _evidence(one, passage="no-page__0"))),
    Defect("place", "misplaced-evidence", _changed(lambda one: _evidence(one, start=0, end=3))),
    Defect("record", "empty-answers", _changed(lambda one: one.answers.clear())),
    Defect("record", "empty-answers", _changed(lambda one: one.answers.append(Answer(" ")))),
    Defect("record", "unknown-ids", _changed(lambda one: setattr(one.answers[0], "id", "Q0"))),
    Defect("record", "wrong-counts", _changed(lambda one: one.characteristics.update(edges=9))),
    Defect("record", "malformed-records", _changed(lambda one: _evidence(one, fact="no fact at all"))),
    Defect(
        "record", "malformed-records", _copied(lambda one: setattr(one, "id", one.id.removeprefix("copy-")))
    ),
]


@pytest.fixture(scope="module")
def built(small_set: Path) -> QuestionSet:
    return QuestionSet.open(small_set)


@pytest.fixture(scope="module")
def untouched(built: QuestionSet, small_world: Path) -> Audit:
    return _audited(built.questions, small_world)


def _audited(questions: list[Question], world: Path, said: Run | None = None) -> Audit:
    silent = Run([Prediction(question.id, []) for question in {one.id: one for one in questions}.values()])
    return audit(
        QuestionSet(questions),
        graph=world / "graph",
        corpus=world / "corpus",
        closed_book=said or silent,
        examples=EVERY,
    )


def _found(made: Audit, check: str) -> set[str]:
    return {example.question for example in made.quality.of(check).examples}


def test_twenty_defects_of_ten_sorts_are_all_found(built, untouched, small_world):
    questions = copy.deepcopy(built.questions)
    marred = {example.question for one in untouched.quality.alarms() for example in one.examples}
    sound = [
        one
        for one in questions
        if one.kind not in TABLES
        and one.id not in marred
        and len(one.answers) > 3
        and all(answer.evidence and answer.id for answer in one.answers)
        and one.split in ("train", "test")
    ]
    assert len(sound) > len(DEFECTS) + 5, "the world is too small to hold the defects"
    spoilt = dict(zip(range(len(DEFECTS)), sound, strict=False))
    known = next(one for place, one in spoilt.items() if DEFECTS[place].check == "closed-book-answered")
    added, at_fault = [], []
    for place, question in spoilt.items():
        more = DEFECTS[place].spoil(question, sound[len(DEFECTS) :])
        added += more
        at_fault.append((DEFECTS[place].check, {question.id, *(one.id for one in more)}))
    said = Run([Prediction(known.id, [answer.label for answer in known.answers])])
    made = _audited([*questions, *added], small_world, said)
    missed = [(check, ids) for check, ids in at_fault if not ids & _found(made, check)]
    assert not missed
    assert len({defect.sort for defect in DEFECTS}) >= 9
    assert len(DEFECTS) >= 20


@pytest.mark.slow
def test_a_lopsided_set_is_found_out(built, untouched, small_world):
    """The tenth sort: answers of one gender alone, questions of few relations."""
    from rollcall.graph import Graph

    with Graph.open(small_world / "graph") as graph:
        women = {row for row in graph.answers(_women(graph)) if isinstance(row, str)}
    skewed = copy.deepcopy(built.questions)
    for question in skewed:
        question.answers = [one for one in question.answers if one.id in women]
    before, after = untouched.quality, _audited(skewed, small_world).quality
    assert after.of("skew-genders").share > 0.35 > before.of("skew-genders").share + 0.1
    assert after.of("skew-genders").values[0].name == "female"
    one_relation = [one for one in built if one.kind == "simple"][:1] * 50
    few = [copy.deepcopy(one) for one in one_relation]
    for place, question in enumerate(few):
        question.id = str(place)
    lopsided = _audited([*few, *built.questions[:20]], small_world).quality.of("skew-relations")
    assert lopsided.share > before.of("skew-relations").share


def _women(graph):
    from rollcall.query import entity

    return entity(graph.resolve_entity("female")) << graph.resolve_relation("sex or gender")


def test_an_untouched_set_raises_no_false_alarm(built, untouched):
    """What is found in a set as it was built is either true by its own figures, or rare."""
    card = untouched.quality
    errors = {one.check: one.found for one in card.results if one.severity == "error" and one.found}
    # A list and the graph may answer one wording differently; this is true, and only about lists.
    by_id = {question.id: question for question in built}
    for check in ("repeated-questions", "contradicting-questions"):
        for example in card.of(check).examples:
            assert example.sort == "a further wording has the same words"
            earlier = by_id[example.text.split()[1].rstrip(",:")]
            assert {by_id[example.question].kind, earlier.kind} & set(TABLES)
        errors.pop(check, None)
    assert not errors
    for check in ("missing-answers", "doubted-evidence", *WORDING_CHECKS):
        assert card.of(check).found == 0, card.of(check).examples[:3]
    vague = card.of("vague-nouns")  # the realiser says `things` where the graph knows no class; this is true
    assert vague.found <= 0.005 * len(built)
    assert all("thing" in example.wording for example in vague.examples)
    for check, most in (("leaked-near-duplicates", 0.01), ("given-away", 0.02), ("one-passage", 0.1)):
        assert card.of(check).share <= most, card.of(check).examples[:3]


WORDING_CHECKS = [
    "broken-marks", "doubled-words", "leftovers", "no-question", "no-question-mark", "too-long",
    "wrong-articles", "names-nothing",
]  # fmt: skip
