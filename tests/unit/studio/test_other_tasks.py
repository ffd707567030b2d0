"""Naturalness, extension, pooled answers, the audit of equivalences, and screening."""

import msgspec
import pytest

from rollcall import RollcallError
from rollcall._core.registry import read_options
from rollcall.questions import AddedAlias, Answer, EntityAnswer, Prediction, Question, QuestionSet, Run
from rollcall.studio.records import Item, JudgmentRecord, Verdict
from rollcall.studio.tasks import find_task
from rollcall.studio.tasks.extend import Extend, ExtendSettings, answer_rows
from rollcall.studio.tasks.task import TaskMaterial
from studio_lives import lives


def made(name: str, material: TaskMaterial, **settings: object) -> list[Item]:
    task = find_task(name)
    return task.items(material, msgspec.convert(settings, task.Settings))


def small(name: str, count: int) -> QuestionSet:
    return QuestionSet([Question(f"q{number}", f"{name} {number}?") for number in range(count)])


def test_raters_see_one_question_of_each_set_then_one_of_each_again() -> None:
    others = {"b": small("of b", 30), "c": small("of c", 25)}
    items = made("naturalness", TaskMaterial(small("of a", 40), "a", others=others))
    assert len(items) == 75  # as many rounds as the smallest set has questions
    sets = [item.hidden["set"] for item in items]
    rounds = [sets[start : start + 3] for start in range(0, 75, 3)]
    assert all(sorted(one) == ["a", "b", "c"] for one in rounds)  # type: ignore[type-var]
    assert len({tuple(one) for one in rounds}) > 3  # in changing order
    assert all(set(item.shown) == {"question"} for item in items)


def test_a_rating_is_two_numbers_from_one_to_five() -> None:
    task = find_task("naturalness")
    (item, *_) = made("naturalness", TaskMaterial(small("a", 3)))
    form = {"choice": "rated", "self": "2", "other": "5"}
    assert task.parse(item, form).values == {"self": 2, "other": 5}
    for bad in ({"self": "0"}, {"other": "6"}, {"self": ""}, {"other": "٣"}, {"self": "2.5"}):
        with pytest.raises(RollcallError, match="choose a number from 1 to 5"):
            task.parse(item, form | bad)


def test_ratings_are_never_disputed() -> None:
    task = find_task("naturalness")
    (item, *_) = made("naturalness", TaskMaterial(small("a", 3)))
    given = [
        JudgmentRecord(item=item.key, question="q", person=str(place), choice="rated") for place in range(3)
    ]
    assert task.resolve(item, given[:2], task.Settings()).state == "open"
    assert task.resolve(item, given, task.Settings()).state == "accepted"


def test_extension_reads_rows_with_names_and_their_evidence() -> None:
    item = Item(key="k", question="q", shown={"answers": ["Ana", "A. N."], "minutes": 12.0})
    form = {
        "choice": "done",
        "label": ["Bo", "", "bo ", "Cem"],
        "passage": ["p__1", "p__2", "p__3", ""],
        "title": ["Bo", "x", "y", ""],
        "quote": ["Bo was there.", "unused", "Bo again.", "Cem too."],
    }
    assert Extend().parse(item, form).values == {
        "answers": [
            {"label": "Bo", "evidence": {"text": "Bo was there.", "passage": "p__1", "title": "Bo"}},
            {"label": "Cem", "evidence": {"text": "Cem too."}},
        ]
    }
    assert [row["label"] for row in answer_rows(form)] == ["Bo", "bo", "Cem"]
    assert Extend().parse(item, {"choice": "done"}).values == {"answers": []}
    with pytest.raises(RollcallError, match="“Dina” has no evidence"):
        Extend().parse(item, {"choice": "done", "label": ["Dina"], "quote": [""]})
    with pytest.raises(RollcallError, match=r"“a\. n\.” is an answer already"):
        Extend().parse(item, {"choice": "done", "label": ["a. n."], "quote": ["x"]})


@pytest.mark.parametrize("minutes", ["nan", "inf", "-1", "1e308"])
def test_extension_takes_no_time_that_no_page_can_show(minutes: str) -> None:
    with pytest.raises(RollcallError, match=f"the option minutes={minutes}: must be a number of at"):
        read_options(ExtendSettings, {"minutes": minutes}, "the task extend")
    assert read_options(ExtendSettings, {"minutes": "0"}, "the task extend") == ExtendSettings(minutes=0)


def test_extension_needs_a_corpus_and_says_how_to_give_it() -> None:
    with pytest.raises(RollcallError, match="the task extend needs a corpus: give --corpus"):
        Extend().items(TaskMaterial(lives()), ExtendSettings())


def pooled_material() -> TaskMaterial:
    questions = lives()
    of_set = {question.id: question for question in questions}

    def run(name: str, wrong: list[str]) -> Run:
        return Run(
            [
                Prediction(id_, [one.answers[0].label, *(EntityAnswer(f"X{text}", text) for text in wrong)])
                for id_, one in of_set.items()
            ],
            name,
        )

    return TaskMaterial(questions, runs=[run("a", ["Zoe", "Yan"]), run("b", ["Xia", "zoe"])])


def test_answers_of_runs_that_the_gold_lacks_are_pooled_the_likeliest_first() -> None:
    items = made("judge-pooled", pooled_material(), injected=0, most=0)
    assert len(items) == 24 * 4  # Zoe and zoe are two entities here, told apart by their ids
    labels = [str(item.shown["answer"]) for item in items]
    assert "Ana Nr000" not in labels
    assert all("runs" not in item.shown for item in items)
    names = QuestionSet(msgspec.structs.replace(one, answers=one.answers[:1]) for one in lives())
    plain = [
        Run([Prediction(one.id, ["Zoe", "Yan"]) for one in names], "a"),
        Run([Prediction(one.id, ["zoe"]) for one in names], "b"),
    ]
    items = made("judge-pooled", TaskMaterial(names, runs=plain), injected=0)
    assert {str(item.shown["answer"]).casefold() for item in items[:24]} == {"zoe"}  # two runs gave it
    assert {str(item.shown["answer"]) for item in items[24:]} == {"Yan"}


def test_known_answers_of_the_gold_are_mixed_in() -> None:
    task = find_task("judge-pooled")
    items = made("judge-pooled", pooled_material(), most=90)
    known = [item for item in items if item.injected]
    assert len(known) == 10
    assert len(items) == 100
    assert all(task.missed(item, Verdict("wrong")) for item in known)
    assert [item.order for item in known] != list(range(10))
    assert {tuple(item.shown) for item in known} == {tuple(item.shown) for item in items}


def expanded() -> TaskMaterial:
    gold = Answer("Ana Brell", "Q1", ["Brell", "A. B."], added=[AddedAlias("A. B.", "Q1", "graph", "exact")])
    questions = QuestionSet([Question("q", "Who founded it?", answers=[gold])])
    return TaskMaterial(questions, runs=[Run([Prediction("q", ["A. B.", "Brell", "Nobody"])], "r")])


def test_only_predictions_that_turned_right_by_an_added_name_are_audited() -> None:
    (item,) = made("equivalence", expanded())
    assert item.shown["prediction"] == "A. B."
    assert item.shown["answer"] == "Ana Brell"
    assert item.shown["aliases"] == ["Brell"]
    assert item.hidden["alias"]["source"] == "graph"  # type: ignore[index]
    bare = QuestionSet([Question("q", "Who?", answers=[Answer("Ana")])])
    with pytest.raises(RollcallError, match="no prediction turned right by an added name"):
        made("equivalence", TaskMaterial(bare, runs=[Run([Prediction("q", ["Ana"])], "r")]))
    with pytest.raises(RollcallError, match="needs one run or more"):
        made("equivalence", TaskMaterial(bare))


def test_wrong_needs_a_reason_in_one_press_or_two() -> None:
    task = find_task("equivalence")
    (item,) = made("equivalence", expanded())
    assert task.parse(item, {"choice": "wrong:wrong-alias"}) == Verdict("wrong", {"why": "wrong-alias"})
    both = {"choice": "wrong", "why": "other-entity"}
    assert task.parse(item, both).values == {"why": "other-entity"}
    assert task.parse(item, {"choice": "correct", "why": "other-entity"}).values == {}
    for choice in ("wrong", "wrong:because"):
        with pytest.raises(RollcallError, match="Wrong needs a reason"):
            task.parse(item, {"choice": choice})


def test_screening_shows_a_sample_of_answers_and_keeps_what_was_ticked() -> None:
    task = find_task("screen")
    items = made("screen", TaskMaterial(lives()), answers=4)
    item = items[0]
    listed = [row["answer"] for row in item.shown["answers"]]  # type: ignore[attr-defined]
    assert len(items) == 24
    assert len(listed) == 4
    total = len(next(one for one in lives() if one.id == item.question).answers)
    assert item.shown["more"] == total - 4
    form = {"choice": "wrong-answer", "marked": [listed[1], "<script>"]}
    assert task.parse(item, form).values == {"answers": [listed[1]]}
    assert task.parse(item, form | {"choice": "fine"}).values == {}
