"""`rollcall annotate`: one person on a laptop, and what managers do at the command line."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import HTTPCookieProcessor, build_opener

import msgspec
import pytest
from sqlalchemy import select

from rollcall import RollcallError, annotate
from rollcall.cli.main import main
from rollcall.questions import QuestionSet
from rollcall.studio.database.engine import Database
from rollcall.studio.database.tables import Invitation, Project
from rollcall.studio.projects import open_database
from rollcall.studio.serving import Laptop, is_loopback, serve
from rollcall.studio.verbs import collect, invite
from rollcall.studio.work import loop
from studio_client import Visitor, studio_of
from studio_project import join, saved_set, small_project
from studio_records import film_set

EVERYWHERE = "0.0.0.0"  # noqa: S104


def called(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code of a command, and all that it printed."""
    with pytest.raises(SystemExit) as left:
        main(["annotate", *words])
    printed = capsys.readouterr()
    code = left.value.code
    return code if isinstance(code, int) else 0, printed.out + printed.err


@contextmanager
def judging(*words: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """The laptop's server, and the address it prints."""
    source = "import sys; from rollcall.cli.main import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", source, "annotate", *words]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "BROWSER": "true"}
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline(), process
    finally:
        process.kill()
        process.wait()


def test_one_person_judges_on_a_laptop_and_goes_on_later(tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films")
    with judging(str(folder), "--task", "validate", "--open") as (line, process):
        address = re.findall(r"http://127\.0\.0\.1:\d+/laptop/\S+", line)[0]
        browser = build_opener(HTTPCookieProcessor())
        page = browser.open(address).read().decode()
        fields = {
            name: re.findall(f'name="{name}" value="([^"]+)"', page)[0] for name in ("csrf", "form_key")
        }
        sent = "&".join(f"{name}={value}" for name, value in {**fields, "choice": "stated"}.items())
        browser.open(f"{address.partition('/laptop/')[0]}/work/films-validate", sent.encode()).read()
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        printed = process.stdout.read()
    database = tmp_path / "films-validate.sqlite"
    assert "kept: 1 judgment of" in printed
    assert f"rollcall annotate export films-validate --database {database} --out DIR" in printed
    assert len(collect(database, "films-validate").judged) == 1
    with pytest.raises(RollcallError, match="leave --option out"):
        annotate(folder, options={"overlap": 2}, open_browser=False)


def test_a_set_that_was_changed_is_not_judged_on(tmp_path: Path) -> None:
    folder, place = saved_set(tmp_path / "films"), tmp_path / "mine.sqlite"
    Laptop(place, "ann").prepare("validate", {}, folder)
    Laptop(place, "ann").prepare("validate", {}, folder)
    saved_set(folder, questions=3)
    with pytest.raises(RollcallError, match=r"the set was changed since mine\.sqlite"):
        Laptop(place, "ann").prepare("validate", {}, folder)


def test_a_damaged_database_says_so(tmp_path: Path) -> None:
    place = tmp_path / "studio.sqlite"
    open_database(place).close()
    whole = place.read_bytes()
    place.write_bytes(whole[: len(whole) // 3])
    with pytest.raises(RollcallError, match="is damaged; restore a backup"):
        invite(place, "films")


def test_a_manager_makes_a_project_invites_and_exports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, place = saved_set(tmp_path / "films"), str(tmp_path / "studio.sqlite")
    options = ["--option", "minimum=0", "--option", "injected=0", "--hourly-rate", "10"]
    code, printed = called("project", str(folder), "-d", place, "--name", "films", *options, capsys=capsys)
    assert code == 0
    assert "films: 24 items; 24 judgments" in printed
    code, printed = called("invite", "films", "-d", place, "--count", "3", "--group", "team", capsys=capsys)
    assert code == 0
    assert len(set(re.findall(r"http://127\.0\.0\.1:8020/join/\S+", printed))) == 3
    assert called("invite", "-d", place, "--role", "owner", capsys=capsys)[0] == 0
    database = open_database(place)
    with database.read() as session:
        assert sorted(session.scalars(select(Invitation.owner))) == [False, False, False, True]
        session.scalars(select(Project)).one()
    project, members = join(database, ["ann"])
    taken = loop.current(database, project, members[0], 1.8e9)
    assert taken is not None
    loop.judge(database, project, members[0], taken.form_key, {"choice": ["not-stated"]}, 1.8e9)
    database.close()
    out = tmp_path / "out"
    code, printed = called("export", "films", "-d", place, "-o", str(out), capsys=capsys)
    assert code == 0, printed
    assert sum(len(question.answers) for question in QuestionSet.open(out / "set")) == 23
    told = json.loads((out / "judgments.jsonl").read_text())
    assert told["person"] == "ann"
    assert {path.name for path in out.iterdir()} >= {"judgments.csv", "figures.json", "label-studio.xml"}
    assert called("export", "films", "-d", place, "-o", str(out), "--pseudonyms", capsys=capsys)[0] == 0
    assert '"ann"' not in (out / "judgments.jsonl").read_text()


@pytest.mark.slow
def test_programs_read_what_is_made_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, place = saved_set(tmp_path / "films"), str(tmp_path / "studio.sqlite")

    def told(*words: str) -> dict[str, Any]:
        code, printed = called(*words, "-d", place, "--json", capsys=capsys)
        assert code == 0, printed
        read: dict[str, Any] = json.loads(printed)
        return read

    assert told("project", str(folder), "--name", "films") == {
        "project": "films",
        "database": place,
        "not_judged": [],
    }
    assert len(told("invite", "films", "--count", "2")["invitations"]) == 2
    out = tmp_path / "out"
    files = told("export", "films", "-o", str(out))["files"]
    assert files[str(out / "set")] == len(QuestionSet.open(out / "set"))
    assert all(Path(file).exists() for file in files)
    (tmp_path / "annotated.json").write_text("[]")
    assert told("import", "films", str(tmp_path / "annotated.json"))["not_taken_in"] == {}
    for words in (["serve", "-d", place, "--port", "0", "--json"], [str(folder), "--json"]):
        with judging(*words) as (line, _):
            assert json.loads(line)["address"].startswith("http://127.0.0.1:")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["export", "films", "-d", "missing.sqlite", "-o", "out"], "no such database"),
        (["invite", "films", "-d", "missing.sqlite"], "no such database"),
        (["project", "no-set", "-d", "studio.sqlite"], "no-set"),
        (["serve", "-d", "studio.sqlite", "--host", EVERYWHERE], "proxy with TLS"),
        (["serve", "-d", "mysql://host/db", "--port", "0"], "not a database of the studio"),
        (["serve", "-d", "studio.sqlite", "--public-url", "ftp://host"], "address that people type"),
        (["no-set", "--task", "juggle"], "juggle"),
        (["no-set", "--task", "../a/b"], "not a task"),
        (["no-set"], "no such file"),
        (["films", "--task", "extend"], "needs a corpus"),
        (["films", "--option", "injected=7"], "injected"),
        (["films", "--option", "overlap=1000000"], "a whole number of at most 1000"),
        (["films", "--task", "write", "--option", "verifiers=1000000"], "a whole number of at most 1000"),
        (["project", "films", "-d", ""], "an empty path or an in-memory database"),
        (["project", "films", "-d", "sqlite://"], "an empty path or an in-memory database"),
        (["project", "films", "-d", "text.txt"], "is not a SQLite database"),
        (["project", "films", "-d", "studio.sqlite", "--hourly-rate", "nan"], "the hourly rate"),
        (["project", "films", "-d", "studio.sqlite", "--name", "log"], "since a page has it"),
        (["project", "films", "-d", "studio.sqlite", "--name", "A b"], "lower-case letters"),
        (["serve", "-d", "studio.sqlite", "--public-url", "https://host:port"], "address that people type"),
        (["invite", "films", "-d", "studio.sqlite", "--public-url", ""], "address that people type"),
        (
            ["invite", "films", "-d", "studio.sqlite", "--public-url", "ftp://host"],
            "address that people type",
        ),
        (["export", "films", "-d", "studio.sqlite", "-o", "out", "--undecided", "hm"], "keep or leave-out"),
        (["invite", "-d", "studio.sqlite", "--role", "boss"], "'boss' is not a role"),
    ],
)
def test_a_mistake_is_one_line(
    words: list[str],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    saved_set(tmp_path / "films")
    (tmp_path / "text.txt").write_text("this is a text and no database\n" * 40)
    code, printed = called(*words, capsys=capsys)
    assert code == 2
    assert said in printed
    assert len(printed.strip().splitlines()) == 1
    assert not list(tmp_path.rglob("*.sqlite*")), "a mistake leaves no database behind"


def test_more_judgments_than_a_project_can_have_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = saved_set(tmp_path / "films", questions=400, answers=6)
    words = ["project", str(folder), "-d", str(tmp_path / "studio.sqlite"), "--option", "overlap=1000"]
    code, printed = called(*words, capsys=capsys)
    assert code == 2
    assert len(printed.strip().splitlines()) == 1
    assert "a project has 2,000,000 at most; give a smaller overlap" in printed


def test_a_port_in_use_is_one_line_and_leaves_no_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port, place = str(taken.getsockname()[1]), tmp_path / "studio.sqlite"
        code, printed = called("serve", "-d", str(place), "--port", port, capsys=capsys)
    assert (code, len(printed.strip().splitlines())) == (2, 1)
    assert "cannot listen" in printed
    assert not place.exists()


def test_annotations_of_label_studio_fill_slots_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, place = saved_set(tmp_path / "films"), str(tmp_path / "studio.sqlite")
    called("project", str(folder), "-d", place, "--name", "films", "--option", "minimum=0", capsys=capsys)
    called("export", "films", "-d", place, "-o", str(tmp_path / "out"), capsys=capsys)
    tasks = json.loads((tmp_path / "out" / "label-studio-tasks.json").read_text())
    said = {"type": "choices", "from_name": "choice", "to_name": "question", "value": {"choices": ["stated"]}}
    for number, task in enumerate(tasks[:3]):
        row = {"result": [said], "completed_by": {"email": "zoe"}, "lead_time": 2.0}
        task["annotations"] = [{**row, "created_at": f"2026-01-0{number + 1}T10:00:00Z"}]
    file = tmp_path / "annotated.json"
    file.write_text(json.dumps(tasks[:3]))
    for expected in (3, 3):
        code, printed = called("import", "films", str(file), "-d", place, capsys=capsys)
        assert code == 0, printed
        assert len(collect(place, "films").judged) == expected, printed


def test_annotations_of_another_project_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, place = saved_set(tmp_path / "films"), str(tmp_path / "studio.sqlite")
    called("project", str(folder), "-d", place, "--name", "films", capsys=capsys)
    foreign = tmp_path / "foreign.json"
    foreign.write_text(json.dumps([{"id": 1, "data": {"text": "of another project"}, "annotations": []}]))
    code, printed = called("import", "films", str(foreign), "-d", place, capsys=capsys)
    assert code == 2
    assert "no task in it is of the project films" in printed


def test_an_export_says_what_nobody_decided_and_can_leave_it_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, place = saved_set(tmp_path / "films"), tmp_path / "studio.sqlite"
    some = ["--option", "questions=2", "--option", "injected=0", "--option", "minimum=1"]
    called("project", str(folder), "-d", str(place), "--name", "films", *some, capsys=capsys)
    export = ["export", "films", "-d", str(place), "-o", str(tmp_path / "out")]
    _, printed = called(*export, capsys=capsys)
    assert "12 items that nobody decided (questions q4, q2), 2 questions outside the project" in printed
    assert len(QuestionSet.open(tmp_path / "out" / "set")) == 4
    database = open_database(place)
    project, (ann,) = join(database, ["ann"])
    taken = loop.current(database, project, ann, 0.0)
    assert taken is not None
    loop.judge(database, project, ann, taken.form_key, {"choice": ["stated"]}, 0.0)
    database.close()
    called(*export, "--undecided", "leave-out", capsys=capsys)
    left = list(QuestionSet.open(tmp_path / "out" / "set"))
    assert [(one.id, len(one.answers)) for one in left] == [(taken.item.question, 1)]


def test_an_owner_is_invited_without_a_project(tmp_path: Path) -> None:
    with pytest.raises(RollcallError, match="without a project"):
        invite(tmp_path / "studio.sqlite", "films", role="owner")


def test_only_this_machine_is_reached_without_tls(tmp_path: Path) -> None:
    assert all(is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "127.8.8.8"))
    assert not any(is_loopback(host) for host in (EVERYWHERE, "192.168.1.4", "example.org"))
    with pytest.raises(RollcallError, match="proxy with TLS"):
        serve(tmp_path / "studio.sqlite", host=EVERYWHERE, public_url="http://studio.example")


def uneven_set(folder: Path) -> Path:
    """Questions with 2, 3, 5 and 6 answers, one without evidence, and one question without a text."""
    questions = film_set(6, 6).questions
    sizes = dict(zip(("q1", "q2", "q3", "q4"), (2, 3, 5, 6), strict=True))
    changed = []
    for one in questions:
        answers = one.answers[: sizes.get(one.id, 6)]
        bare = [msgspec.structs.replace(answer, evidence=[]) for answer in answers]
        answers = {"q4": [*answers[:5], bare[-1]], "q5": bare}.get(one.id, answers)
        text = "" if one.id == "q6" else one.question
        changed.append(msgspec.structs.replace(one, question=text, answers=answers))
    QuestionSet(changed).save(folder)
    return folder


def test_what_of_a_set_is_not_judged_is_said_with_the_option_that_changes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, place = uneven_set(tmp_path / "films"), str(tmp_path / "studio.sqlite")
    plain = ("--option", "injected=0")
    _, printed = called("project", str(folder), "-d", place, "--name", "films", *plain, capsys=capsys)
    assert "15 items" in printed, "the minimum is that of the set"
    assert (
        "2 of 6 questions not judged: 1 question without an answer that has evidence, "
        "1 question without a text\n"
    ) in printed
    assert "1 answer of 1 judged question not judged: without evidence that can be read" in printed
    options = (*plain, "--option", "minimum=5")
    _, printed = called("project", str(folder), "-d", place, "--name", "five", *options, capsys=capsys)
    assert "10 items" in printed
    assert "2 questions with fewer than 5 answers that have evidence (option minimum)" in printed
    _, printed = called("project", str(folder), "-d", place, "--json", *options, capsys=capsys)
    assert json.loads(printed)["not_judged"][0].startswith("4 of 6 questions not judged: ")
    options = (*plain, "--option", "questions=2")
    _, printed = called("project", str(folder), "-d", place, "--name", "two", *options, capsys=capsys)
    assert "2 questions that were not drawn (option questions)" in printed, (
        "those that cannot be are not drawn"
    )
    _, printed = called("export", "five", "-d", place, "-o", str(tmp_path / "out"), capsys=capsys)
    assert "4 of 6 questions not judged: 2 questions with fewer than 5 answers" in printed
    assert "these stay as they were: 10 items that nobody decided (questions q" in printed
    assert "4 questions outside the project; --undecided leave-out leaves them out" in printed


def test_one_person_on_a_laptop_is_told_what_is_not_judged(tmp_path: Path) -> None:
    folder, told = uneven_set(tmp_path / "films"), list[str]()

    def stop(address: str) -> None:
        raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            annotate(folder, open_browser=False, ready=stop, not_judged=told.append)
    assert [line.partition(" not judged")[0] for line in told] == [
        "2 of 6 questions",
        "1 answer of 1 judged question",
    ] * 2, "each time"


@pytest.mark.parametrize("overlap", [1, 2])
def test_who_cannot_understand_alone_drops_no_question(
    overlap: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "studio.sqlite"
    options = {"injected": 0, "check_rejected": 0, "check_accepted": 0, "overlap": overlap}
    database, project, members = small_project(place, saved_set(tmp_path / "films"), ["ann", "bo"], **options)
    assert project.settings["minimum"] == 5
    asked: dict[str, list[str]] = {}
    for member in members[:overlap]:
        while (given := loop.current(database, project, member, 1.8e9)) is not None:
            answer = str(given.item.shown["answer"])
            choice = "unclear" if answer in ("Film 1-0", "Film 1-1") else "stated"
            asked.setdefault(answer, []).append(choice)
            loop.judge(database, project, member, given.form_key, {"choice": [choice]}, 1.8e9)
    assert len(asked) == 24, "the question is not given up"
    out = str(tmp_path / "out")
    _, printed = called("export", "films", "-d", str(place), "-o", out, capsys=capsys)
    if overlap == 1:
        assert "dropped" not in printed
        assert "these stay as they were: 2 items that nobody decided (question q1)" in printed
        assert len(QuestionSet.open(tmp_path / "out" / "set")) == 4
        manager = signed_in_manager(database)
        assert "2 to adjudicate" in manager.get("/manage/films").text
        for _ in range(2):
            shown = manager.get("/manage/films/adjudicate").text
            key = re.findall(r'name="key" value="([^"]+)"', shown)[0]
            assert manager.post("/manage/films/adjudicate", {"key": key, "choice": "unclear"}).status == 303
        _, printed = called("export", "films", "-d", str(place), "-o", out, capsys=capsys)
    why = re.findall(r"dropped: question q1: (\d validated answers, and 5 are needed .*)\n", printed)
    assert "2 Cannot understand" in why[0]
    _, printed = called("export", "films", "-d", str(place), "-o", out, "--json", capsys=capsys)
    assert json.loads(printed)["dropped"] == {"q1": why[0]}
    database.close()


def signed_in_manager(database: Database) -> Visitor:
    join(database, ["max"], "manager")
    visitor = Visitor(studio_of(database))
    assert visitor.sign_in("max").status == 303
    return visitor
