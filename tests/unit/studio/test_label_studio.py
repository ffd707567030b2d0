"""Exchange with Label Studio: what goes out comes back, and nothing else comes in."""

import json
import os
import subprocess
from xml.etree import ElementTree

import pytest

from places import SUPPORT
from rollcall import RollcallError
from rollcall.questions import AddedAlias, Prediction, Run
from rollcall.studio.export.label_studio import (
    annotations_in,
    labeling_config,
    tasks_out,
)
from rollcall.studio.records import Collected, Item, Verdict
from rollcall.studio.tasks.task import TaskMaterial
from studio_records import film_set, judged_project


def wrote(item: Item, person: str) -> Verdict:
    if item.stage == "verify":
        return Verdict("matches")
    return Verdict("written", {"text": f"What <b>{person}</b> & others saw by {item.question}?"}, "ok & good")


def expanded() -> TaskMaterial:
    questions = film_set(1)
    answer = questions.questions[0].answers[0]
    answer.aliases.append("Film One")
    answer.added.append(AddedAlias("Film One", "Q1000", "graph"))
    return TaskMaterial(questions, runs=[Run([Prediction("q1", ["Film One"])], "run")])


def project(task: str) -> Collected:
    """A judged project of each task, with a hostile answer."""
    questions = film_set(2)
    questions.questions[0].answers[0].label = '<script>alert("x")</script>'
    questions.questions[0].answers[0].aliases = []
    runs = [Run([Prediction("q1", ["Film 77"])], "run")]
    said = {
        "validate": Verdict("stated", comment="sure"),
        "naturalness": Verdict("rated", {"self": 3, "other": 4}),
        "judge-pooled": Verdict("right"),
        "equivalence": Verdict("wrong", {"why": "wrong-alias"}),
        "screen": Verdict("fine"),
    }
    if task in ("write", "paraphrase"):
        return judged_project(task, TaskMaterial(questions), ["ann", "bob", "cid"], wrote, {"qualify": 0})
    material = expanded() if task == "equivalence" else TaskMaterial(questions, runs=runs)
    return judged_project(task, material, ["ann", "bob"], lambda item, person: said[task], {"overlap": 2})


STAGES = [
    ("validate", "judge"),
    ("write", "judge"),
    ("write", "verify"),
    ("paraphrase", "judge"),
    ("paraphrase", "verify"),
    ("naturalness", "judge"),
    ("judge-pooled", "judge"),
    ("equivalence", "judge"),
    ("screen", "judge"),
]


@pytest.mark.parametrize(("task", "stage"), STAGES)
def test_what_goes_out_comes_back(task, stage):
    collected = project(task)
    file = json.dumps(tasks_out(collected, stage, judgments=True)).encode()
    found = annotations_in(file, collected)
    here = [one for one in collected.judged if one.stage == stage]
    assert found.judged == sorted(here, key=lambda one: (one.at, one.item, one.person))
    assert not found.unread


@pytest.mark.parametrize(("task", "stage"), STAGES)
def test_every_field_of_the_configuration_is_in_every_task(task, stage):
    collected = project(task)
    view = ElementTree.fromstring(labeling_config(collected, stage))
    shown = {text.get("value", "").removeprefix("$") for text in view.iter("Text")}
    assert shown
    for one in tasks_out(collected, stage):
        assert shown <= one["data"].keys()
        assert all(one["data"].values())
    assert {choice.get("toName") for choice in view.iter("Choices")} <= {
        text.get("name") for text in view.iter("Text")
    }


def test_label_studio_itself_takes_configurations_tasks_and_annotations():
    python = os.environ.get("ROLLCALL_LABEL_STUDIO_PYTHON")
    if not python:
        pytest.skip("ROLLCALL_LABEL_STUDIO_PYTHON names no Python with label-studio-sdk; .ci/run makes one")
    given = [
        (labeling_config(collected, stage), tasks_out(collected, stage, judgments=True))
        for collected, stage in ((project(task), stage) for task, stage in STAGES)
    ]
    program = [python, str(SUPPORT / "label_studio_check.py")]
    told = subprocess.run(program, input=json.dumps(given), capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr


def test_tasks_do_not_tell_what_is_injected():
    collected = project("validate")
    assert any(item.injected for item in collected.items)
    for one in tasks_out(collected):
        assert one.keys() == {"data"}
        assert one["data"].keys() == {"rollcall_item", "question", "answer", "aliases", "passages"}
    keys = {item.key for item in collected.items}
    assert keys.isdisjoint(one["data"]["rollcall_item"] for one in tasks_out(collected))


def test_evidence_is_marked_in_its_passage():
    texts = {one["data"]["passages"] for one in tasks_out(project("validate"))}
    assert "Film 1-1\n«Film 1-1 was directed by Director 1.»" in texts


def test_what_cannot_be_read_is_told_and_the_rest_is_taken():
    collected = project("validate")
    rows = tasks_out(collected, judgments=True)
    rows[0]["annotations"][0]["result"][0]["value"]["choices"] = ["maybe"]
    rows[1]["annotations"][0]["was_cancelled"] = True
    rows[2]["annotations"][0] = {"result": [{"from_name": "choice"}]}
    rows.append({"id": 77, "data": {"rollcall_item": "nobody's"}, "annotations": []})
    found = annotations_in(json.dumps(rows).encode(), collected)
    assert len(found.judged) == len(collected.judged) - 3
    assert "no verdict was chosen" in found.unread[0].why
    assert found.unread[-1] == ("77", "the task does not belong to this project")
    assert len(found.unread) == 3
    with pytest.raises(RollcallError, match="not a JSON export of Label Studio"):
        annotations_in(b"{}", collected)


def test_people_are_named_by_address_or_number():
    collected = project("screen")
    rows = tasks_out(collected, judgments=True)
    rows[0]["annotations"][0]["completed_by"] = 12
    rows[0]["annotations"][1]["completed_by"] = {"id": 3, "email": "bob@example.org"}
    people = {one.person for one in annotations_in(json.dumps(rows).encode(), collected).judged}
    assert {"label-studio-12", "bob@example.org"} <= people


def test_found_answers_are_lines_of_name_and_sentence():
    item = Item(key="k", question="q1", shown={"question": "Which?", "answers": ["Old"], "labels": ["Old"]})
    collected = Collected(project="films", task="extend", items=[item])
    (task,) = tasks_out(collected)
    result = [
        {"from_name": "choice", "value": {"choices": ["done"]}},
        {"from_name": "found", "value": {"text": ["New | New is one.\nNewer | So is Newer."]}},
    ]
    file = json.dumps([{**task, "annotations": [{"result": result, "completed_by": 1}]}]).encode()
    (one,) = annotations_in(file, collected).judged
    assert [(row["label"], row["evidence"]) for row in one.values["answers"]] == [
        ("New", {"text": "New is one."}),
        ("Newer", {"text": "So is Newer."}),
    ]
