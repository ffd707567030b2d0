"""Writing, paraphrasing and verifying: what is shown, what is refused, who verifies, and what is kept."""

import msgspec
import pytest

from rollcall import RollcallError
from rollcall.questions import QuestionSet
from rollcall.studio.records import Item, JudgmentRecord, Verdict
from rollcall.studio.tasks import find_task
from rollcall.studio.tasks.shown import query_picture
from rollcall.studio.tasks.task import Task, TaskMaterial, TaskSettings
from rollcall.studio.tasks.wordings import is_trivial
from studio_lives import lives

ASKED = "Which films did Jon Aske direct?"


def made(name: str, **settings: object) -> tuple[Task, TaskSettings, list[Item]]:
    task = find_task(name)
    chosen = msgspec.convert(settings, task.Settings)
    return task, chosen, task.items(TaskMaterial(lives()), chosen)


def said(
    item: Item, person: str, choice: str = "written", role: str = "annotator", **values: object
) -> JudgmentRecord:
    return JudgmentRecord(
        item=item.key,
        question=item.question,
        person=person,
        choice=choice,
        values=values,
        stage=item.stage,
        role=role,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    "wording",
    [
        "What films did Jon Aske direct?",
        "which film did Jon Aske direct",
        "Which are the films that Jon Aske did direct?",
        "Please list all the films Jon Aske did direct.",
        "Tell me the films Jon Aske direct?",
        "?!",
    ],
)
def test_paraphrases_that_change_only_empty_words_are_trivial(wording: str) -> None:
    assert is_trivial(wording, ASKED)


@pytest.mark.parametrize(
    "wording",
    [
        "What has Jon Aske made as a film director?",
        "Jon Aske directed which films?",
        "Which movies did Jon Aske direct?",
        "Who directed the films of Jon Aske?",
    ],
)
def test_other_words_or_another_structure_are_not_trivial(wording: str) -> None:
    assert not is_trivial(wording, ASKED)


def test_a_trivial_paraphrase_is_refused_with_the_reason() -> None:
    task, _, items = made("paraphrase")
    item = next(item for item in items if item.question == "P20-Tarn")
    with pytest.raises(RollcallError, match="almost the same as “Who died in Tarn"):
        task.parse(item, {"choice": "written", "text": "who died in Tarn"})
    with pytest.raises(RollcallError, match="too short"):
        task.parse(item, {"choice": "written", "text": " Tarn "})
    verdict = task.parse(item, {"choice": "written", "text": "Whose life  ended\nin Tarn?"})
    assert verdict == Verdict("written", {"text": "Whose life ended in Tarn?"})
    assert task.parse(item, {"choice": "senseless", "text": "half a"}) == Verdict("senseless")


def test_a_writer_sees_the_conditions_but_not_the_question() -> None:
    _, _, items = made("write")
    item = next(item for item in items if item.question == "P69-Vell")
    assert item.shown["conditions"] == [
        {"negated": False, "either": None, "subject": "the answer", "relation": "P69", "object": "Vell"}
    ]
    assert "studied" not in str(item.shown)
    assert len(item.shown["sample"]) == 5  # type: ignore[arg-type]


def test_the_picture_of_a_query_is_drawn_from_plain_text_and_runs_nothing() -> None:
    hostile = "</svg><script>alert(1)</script>"
    drawn = query_picture({"text": "{?x P20 Tarn}", "names": {"Tarn": hostile, "P20": hostile}})
    assert "<script" not in drawn
    assert "&lt;script" in drawn
    assert "<style" not in drawn
    assert "style=" not in drawn
    assert query_picture({"text": "no query"}) == ""
    assert query_picture(None) == ""


def test_a_written_wording_goes_to_two_others_and_never_to_its_writer() -> None:
    task, settings, items = made("write")
    item = items[0]
    (verify,) = task.follow_up(item, [said(item, "ana", text="Who came into the world in Kessen?")], settings)
    assert verify.stage == "verify"
    assert verify.overlap == 2
    assert verify.barred == ("ana",)
    assert verify.after == item.key
    assert verify.hidden["by"] == "ana"
    assert verify.shown["wording"] == "Who came into the world in Kessen?"
    assert "ana" not in str(verify.shown)
    assert task.at("verify").name == "verify"
    assert task.follow_up(verify, [said(verify, "bo", "matches")], settings) == []


def test_two_who_write_the_same_are_both_barred_from_verifying_it() -> None:
    task, settings, items = made("paraphrase")
    both = [said(items[0], "ana", text="One and the same?"), said(items[0], "bo", text="one and the same?")]
    (verify,) = task.follow_up(items[0], both, settings)
    assert verify.barred == ("ana", "bo")


def test_only_full_agreement_keeps_a_wording() -> None:
    task, settings, items = made("verify")
    item = items[0]

    def state(*choices: str) -> str:
        given = [said(item, f"p{place}", choice) for place, choice in enumerate(choices)]
        return task.resolve(item, given, settings).state

    assert state("matches") == "open"
    assert state("matches", "matches") == "accepted"
    assert state("matches", "differs") == "rejected"
    assert state("differs", "differs") == "rejected"
    decided = [
        said(item, "a", "matches"),
        said(item, "b", "differs"),
        said(item, "boss", "matches", role="manager"),
    ]
    assert task.resolve(item, decided, settings).state == "accepted"


def test_judgments_that_no_longer_count_resolve_nothing() -> None:
    task, settings, items = made("verify")
    given = [said(items[0], "a", "matches"), said(items[0], "b", "matches")]
    gone = [given[0], msgspec.structs.replace(given[1], counted=False)]
    assert task.resolve(items[0], gone, settings).state == "open"


def test_the_qualification_test_has_right_and_wrong_wordings_with_known_verdicts() -> None:
    task = find_task("paraphrase")
    settings = msgspec.convert({"qualify": 12}, task.Settings)
    test = task.qualification(TaskMaterial(lives()), settings)
    assert len(test) == 12
    assert all(item.stage == "qualify" and item.injected for item in test)
    expected = [item.hidden["expected"] for item in test]
    assert ["matches"] in expected
    assert ["differs"] in expected
    for item in test:
        relation, place = item.question.split("-")
        own = {"P19": "born", "P20": "died", "P69": "studied"}[relation]
        wording = str(item.shown["wording"])
        matches = own in wording and place in wording
        assert matches == (item.hidden["expected"] == ["matches"])
        right = item.hidden["expected"][0]  # type: ignore[index]
        assert task.missed(item, Verdict(right)) is False
        other = "differs" if right == "matches" else "matches"
        assert task.missed(item, Verdict(other)) is True


def test_the_test_asks_about_other_questions_than_the_work_if_there_are_any() -> None:
    task = find_task("write")
    settings = msgspec.convert({"qualify": 6, "questions": 10}, task.Settings)
    asked = {item.question for item in task.items(TaskMaterial(lives()), settings)}
    assert asked.isdisjoint(item.question for item in task.qualification(TaskMaterial(lives()), settings))


def test_a_set_without_queries_can_be_paraphrased_but_not_written_from() -> None:
    plain = QuestionSet(msgspec.structs.replace(question, query=None) for question in lives())
    paraphrase = find_task("paraphrase")
    settings = paraphrase.Settings()
    items = paraphrase.items(TaskMaterial(plain), settings)
    assert items
    assert paraphrase.qualification(TaskMaterial(plain), settings) == []
    (verify,) = paraphrase.follow_up(items[0], [said(items[0], "ana", text="Quite other words?")], settings)
    assert verify.shown["canonical"] == items[0].shown["question"]
    with pytest.raises(RollcallError, match="in the set: 24 questions without a query"):
        find_task("write").items(TaskMaterial(plain), find_task("write").Settings())


def test_some_wordings_to_verify_are_known_to_ask_something_else() -> None:
    task, _, items = made("verify", injected=0.2)
    known = [item for item in items if item.injected]
    assert len(known) == round(24 * 0.25)
    assert all(task.missed(item, Verdict("matches")) for item in known)
    assert {tuple(item.shown) for item in known} == {tuple(item.shown) for item in items if not item.injected}
