"""`rollcall annotate project --gold FILE`: judgments of one's own, and what another project exported."""

import json
from pathlib import Path

import pytest
from sqlalchemy import select

from rollcall import RollcallError
from rollcall.cli.main import main
from rollcall.questions import AddedAlias, Answer, Prediction, Question, QuestionSet, Run
from rollcall.studio.database.engine import Database
from rollcall.studio.database.tables import ItemRow, Slot
from rollcall.studio.export.judgments import traces
from rollcall.studio.export.version import ExportRules, pooled
from rollcall.studio.figures import progress
from rollcall.studio.projects import fit_gold, open_database, read_gold
from rollcall.studio.tasks import find_task
from rollcall.studio.tasks.task import TaskMaterial, gold_verdict
from rollcall.studio.verbs import collect, export, project
from rollcall.studio.work import loop
from studio_project import join, saved_set, small_project
from studio_records import film_set

PLAIN: dict[str, object] = {"injected": 0, "minimum": 0, "check_rejected": 0, "check_accepted": 0}


def judge_all(database: Database, name: str, choice: str) -> None:
    found, (member,) = join(database, [name])
    while (at_hand := loop.current(database, found, member, 1.0)) is not None:
        loop.judge(database, found, member, at_hand.form_key, {"choice": [choice]}, 1.0)


def test_rows_of_ones_own_are_gold_and_others_are_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, place = saved_set(tmp_path / "films"), str(tmp_path / "studio.sqlite")
    (tmp_path / "gold.csv").write_text(
        "question;answer;verdict\n"
        "q1;Film 1-0;not-stated\n"
        "Which films did Director 2 direct?;film 2-3;Stated\n"
        "q3;Q3001;stated\n"
        "q9;Film 9-0;stated\n"
        "q1;Film 7-7;stated\n"
        "q4;Film 4-0;maybe\n"
        "q4;Film 4-1;stated\n"
        "q4;Film 4-1;not-stated\n",
        encoding="utf-8",
    )
    options = [word for name, value in PLAIN.items() for word in ("--option", f"{name}={value}")]
    asked = ["annotate", "project", str(folder), "-d", place, "--name", "films", *options]
    with pytest.raises(SystemExit) as left:
        main([*asked, "--gold", str(tmp_path / "gold.csv")])
    assert not left.value.code
    printed = " ".join("".join(capsys.readouterr()).split())
    assert "24 items, 3 of them with known verdicts" in printed
    assert "not gold: 2 rows (lines 5, 6) fit no item of this project" in printed
    assert "not gold: 1 row (line 7) say 'maybe', and the verdicts are stated, not-stated, unclear" in printed
    assert "not gold: 2 rows (lines 8, 9) contradict each other" in printed
    told = collect(place, "films")
    gold = {item.shown["answer"]: gold_verdict(item) for item in told.items if item.gold}
    assert {name: one.choice for name, one in gold.items() if one} == {
        "Film 1-0": "not-stated",
        "Film 2-3": "stated",
        "Film 3-1": "stated",
    }


def test_people_are_measured_and_the_verdict_is_the_result(tmp_path: Path) -> None:
    folder, place = saved_set(tmp_path / "films"), str(tmp_path / "studio.sqlite")
    lines = [
        {"question": "q1", "answer": "Film 1-0", "verdict": "not-stated", "person": "expert"},
        {"question": "q2", "answer": "Film 2-0", "verdict": "stated"},
    ]
    (tmp_path / "gold.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    project(place, folder, name="films", options=PLAIN, gold=tmp_path / "gold.jsonl")
    assert progress(collect(place, "films")).needed == 22, "nobody need judge gold for its result"
    database = open_database(place)
    judge_all(database, "ann", "stated")
    database.close()
    told = collect(place, "films")
    assert sorted((one.question, one.missed) for one in told.judged if one.as_gold) == [
        ("q1", True),
        ("q2", False),
    ]
    assert len(told.judged) == 24
    written = export(place, "films", tmp_path / "out")
    judged = {one.id: one for one in QuestionSet.open(written.questions)}
    assert [answer.label for answer in judged["q1"].answers] == [f"Film 1-{place}" for place in range(1, 6)]
    second = judged["q2"].answers[0]
    assert second.provenance is not None
    assert (second.provenance.who, second.provenance.note) == ("gold.jsonl", "gold, by gold.jsonl")


@pytest.mark.parametrize("file", ["judgments.jsonl", "judgments.csv"])
def test_what_a_project_exports_is_gold_for_the_next(file: str, tmp_path: Path) -> None:
    folder, place = saved_set(tmp_path / "films"), tmp_path / "first.sqlite"
    database, _, _ = small_project(place, folder, [], **{**PLAIN, "injected": 0.2, "overlap": 2})
    judge_all(database, "ann", "stated")
    with database.read() as session:
        disputed = session.scalars(select(ItemRow).where(ItemRow.injected.is_(False)).limit(1)).one()
    found, (ben,) = join(database, ["ben"])
    while (at_hand := loop.current(database, found, ben, 2.0)) is not None:
        choice = "not-stated" if at_hand.item.key == disputed.key else "stated"
        loop.judge(database, found, ben, at_hand.form_key, {"choice": [choice]}, 2.0)
    database.close()
    export(place, "films", tmp_path / "out")
    left_out: list[str] = []
    second = str(tmp_path / "second.sqlite")
    project(
        second, folder, name="films", options=PLAIN, gold=tmp_path / "out" / file, not_gold=left_out.append
    )
    told = collect(second, "films")
    assert sum(item.gold for item in told.items) == 23
    assert {told.resolutions[item.key].choice for item in told.items if item.gold} == {"stated"}
    assert any("are of undecided items" in line for line in left_out)
    assert any("are of injected items" in line for line in left_out)
    assert len(left_out) == 2
    with open_database(second).read() as session:
        handed_out = session.scalars(select(Slot.item_id).where(Slot.state == "free")).all()
    assert len(handed_out) == 1, "the share of gold is kept: the rest has its verdict and is not asked"


def expanded() -> TaskMaterial:
    added = AddedAlias("Ana", "Q1", "test")
    answer = Answer("Anna", "Q1", ["Ana"], added=[added])
    questions = QuestionSet([Question(f"q{place}", "Who?", answers=[answer]) for place in range(3)])
    runs = [Run([Prediction(f"q{place}", ["Ana", f"Bob {place}"]) for place in range(3)], "r")]
    return TaskMaterial(questions, runs=runs)


def fitted(task: str, material: TaskMaterial, tmp_path: Path, *rows: dict[str, object]):  # type: ignore[no-untyped-def]
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = find_task(task)
    items = found.items(material, found.Settings())
    return fit_gold(found, items, read_gold(path))


def test_an_equivalence_that_is_wrong_needs_its_reason(tmp_path: Path) -> None:
    found = fitted(
        "equivalence",
        expanded(),
        tmp_path,
        {"question": "q0", "answer": "Ana", "verdict": "correct"},
        {"question": "q1", "prediction": "Ana", "verdict": "wrong", "reason": "other-entity"},
        {"question": "q2", "prediction": "Ana", "verdict": "wrong"},
    )
    gold = {item.question: gold_verdict(item) for item in found.items if item.gold}
    assert {question: (one.choice, one.values) for question, one in gold.items() if one} == {
        "q0": ("correct", {}),
        "q1": ("wrong", {"why": "other-entity"}),
    }
    (line,) = found.left_out
    assert "line 3" in line
    assert "Wrong needs a reason" in line


def test_questions_are_screened_and_pooled_answers_judged_by_gold(tmp_path: Path) -> None:
    screened = fitted("screen", TaskMaterial(film_set(3)), tmp_path, {"question": "q2", "verdict": "Clumsy"})
    assert [item.question for item in screened.items if item.gold] == ["q2"]
    runs = [Run([Prediction("q1", ["Another film"])], "r")]
    rows = {"question": "q1", "answer": "Another film", "verdict": "right"}
    judged = fitted("judge-pooled", TaskMaterial(film_set(3), runs=runs), tmp_path, rows)
    (item,) = [one for one in judged.items if one.gold]
    task = find_task("judge-pooled")
    settled = task.resolve(item, [], task.Settings())
    assert (settled.state, settled.choice) == ("accepted", "right")


def test_a_pooled_answer_that_gold_says_is_right_is_added_without_anybody_judging(tmp_path: Path) -> None:
    questions = film_set(3)
    questions.save(tmp_path / "films")
    run = tmp_path / "r.jsonl"
    run.write_text(json.dumps({"id": "q1", "answers": ["Another film"]}) + "\n")
    (tmp_path / "gold.csv").write_text("question,answer,verdict\nq1,Another film,right\n")
    place = str(tmp_path / "studio.sqlite")
    options = {"injected": 0}
    project(
        place,
        tmp_path / "films",
        "judge-pooled",
        name="p",
        options=options,
        runs=[run],
        gold=tmp_path / "gold.csv",
    )
    (trace,) = traces(collect(place, "p"))["q1"]
    changed = pooled(next(iter(questions)), [trace], ExportRules("keep", 0)).question
    assert changed is not None
    assert [answer.label for answer in changed.extended] == ["Another film"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("question,answer\nq1,Film 1-0\n", "no columns `question` and `verdict`"),
        ('{"question": "q1", "verdict": "stated"\n', "line 1: not a JSON object"),
        ('{"question": ' + "[" * 3000 + "\n", "line 1: not a JSON object"),
        ('{"question": "q1"}\n', "line 1: has no verdict"),
        ("question,verdict\n", "has no judgment"),
        (
            'question,answer,verdict\nq1,Film 1-0,stated\nq2,"Film 2-0,stated\nq3,Film 3-0,stated\n',
            "gold, line 3: a quote that opens in line 3 is not closed, so the rest is one field",
        ),
        (
            'question,answer,verdict\r\nq2,"Film 2-0,stated',
            "line 2: a quote that opens in line 2 is not closed",
        ),
        (
            'question,"answer,verdict\nq1,Film 1-0,stated\n',
            "line 1: a quote that opens in line 1 is not closed",
        ),
        (
            'question;answer;verdict\nq1;"Film 1-0;stated\nq2;"Film 2-0";stated\n',
            "line 2: a quote that opens in line 2 is not closed, or one inside is not doubled",
        ),
        ("question,answer,verdict\nq8,Film,stated\n", "no judgment of the gold can be used: 1 row"),
    ],
)
def test_a_file_that_cannot_be_gold_says_why(text: str, why: str, tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films")
    (tmp_path / "gold").write_text(text)
    with pytest.raises(RollcallError, match=why):
        project(tmp_path / "studio.sqlite", folder, options=PLAIN, gold=tmp_path / "gold")


def test_the_csv_of_a_spreadsheet_is_read_with_all_that_it_adds(tmp_path: Path) -> None:
    text = (
        '\ufeff\r\nquestion;answer;verdict\r\n\r\nq1;"Film ""1""\r\nagain";stated\r\n;;\r\nq2;-1;stated;;\r\n'
    )
    (tmp_path / "gold.csv").write_bytes(text.encode())
    assert [(row.line, row.question, row.texts["answer"]) for row in read_gold(tmp_path / "gold.csv")] == [
        (5, "q1", 'Film "1"\r\nagain'),
        (7, "q2", "-1"),
    ]


def test_a_task_of_ratings_has_no_gold_and_leaves_no_database_behind(tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films")
    (tmp_path / "gold.csv").write_text("question,verdict\nq1,rated\n")
    with pytest.raises(RollcallError, match="no verdict is right or wrong"):
        project(tmp_path / "studio.sqlite", folder, "naturalness", gold=tmp_path / "gold.csv")
    assert not (tmp_path / "studio.sqlite").exists()
