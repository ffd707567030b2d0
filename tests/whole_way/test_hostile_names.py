"""Names, addresses and texts stay what they are: no path, no secret written down, no markup, no steering."""

import io
import json
import re
from pathlib import Path

import pytest
import yaml
from rich.console import Group
from rich.table import Table
from rich.text import Text

import rollcall
from rollcall import RollcallError
from rollcall._core.console import Screen
from rollcall._core.files import checked_address, file_names, without_credentials
from rollcall.build.recipe import load
from rollcall.cli.main import main
from rollcall.questions import Answer, Evidence, Question, QuestionSet
from rollcall.questions.exporting import export
from rollcall.questions.question_set import mapped_files
from rollcall.questions.release import save_set
from rollcall.systems.running import Journal

SPLITS = [
    "../../pwned", "/var/pwned", "..", ".", "a/b", "a\\b", "C:\\x", "nul", "COM1.txt", "x" * 400, "A", "a",
    "é", "e\u0301",
    "\x00", "a\nb", " a", "a.", "-rf", "train", "",
]  # fmt: skip


@pytest.mark.parametrize("form", ["jsonl", "parquet", "qampari"])
def test_a_split_of_any_name_is_exported_into_the_folder(tmp_path: Path, form: str) -> None:
    out = tmp_path / "in" / "out"
    export([Question(id=str(place), split=name) for place, name in enumerate(SPLITS)], form, out)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.parent for path in written} == {out}
    card = (out / "README.md").read_text(encoding="utf-8")
    assert len({path.name.casefold() for path in written}) == len(SPLITS) + 1, "no two splits share a file"
    assert {out / name for name in mapped_files(card).values()} | {out / "README.md"} == set(written)
    assert all(re.fullmatch(r"\w+", split, re.ASCII) for split in mapped_files(card))
    ending = {"jsonl": ".jsonl", "parquet": ".parquet", "qampari": "_data.jsonl"}[form]
    assert (out / f"train{ending}").exists(), "a plain name stays as it is"


def test_file_names_are_the_same_in_every_run() -> None:
    assert file_names(SPLITS) == file_names(reversed(SPLITS))


ADDRESSES = [
    "http://user:hunter2@localhost:1/v1", "http://hunter2@localhost:1/v1",
    "http://localhost:1/v1?api_key=hunter2",
    "https://localhost/v1#hunter2", "http://a:hunter2@b@c/", "ftp://u:hunter2@h/", "http://u:hunter2@[::1/v1",
]  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_with_a_secret_is_refused_and_not_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.jsonl").write_text('{"id": "1", "question": "q", "answers": [{"label": "a"}]}\n')
    (tmp_path / "t.jsonl").write_text('{"text": "x", "subject": "a", "relation": "r", "object": "b"}\n')
    asked = ["--base-url", address, "--model", "m"]
    key = f"evidence.base_url={address}"
    for command in (
        ["run", "q.jsonl", "--reader", "llm", "--way", "closed-book", "--out", "r.jsonl", *asked],
        ["verify", "t.jsonl", "--verifier", "llm", *asked],
        ["build", "qampari", "--set", "evidence.verifier=llm", "--set", "evidence.model=m", "--set", key],
        ["build", "romqa", "--set", "evidence.use=false", "--set", key],
    ):
        with pytest.raises(SystemExit) as left:
            main(command)
        assert left.value.code == 2
    said = capsys.readouterr()
    assert "hunter2" not in said.out + said.err
    assert not any("hunter2" in path.read_text() for path in tmp_path.rglob("*") if path.is_file())


def test_an_address_without_a_secret_is_taken_as_it_is() -> None:
    for address in ("http://localhost:8000/v1", "https://api.example.org/v1/", "http://[::1]:80"):
        assert checked_address(address) == address == without_credentials(address)


def test_settings_that_an_older_version_wrote_are_not_repeated(tmp_path: Path) -> None:
    run = tmp_path / "r.jsonl"
    with Journal(run, {"server": ["http://u:hunter2@h/v1?key=hunter2", "m"]}) as journal:
        journal.finish([])
    with pytest.raises(RollcallError, match="was started with different settings") as error:
        Journal(run, {"server": ["http://h/v1", "n"]}).__enter__()
    assert "hunter2" not in str(error.value)


def test_another_server_is_another_run(tmp_path: Path) -> None:
    run = tmp_path / "r.jsonl"
    with Journal(run, {"server": ["http://h/v1", "m"]}) as journal:
        journal.finish([])
    with pytest.raises(RollcallError, match="was started with different settings"):
        Journal(run, {"server": ["http://other/v1", "m"]}).__enter__()


HOSTILE = (
    "\n---\n# Big\n| a | b |\n<script>alert(1)</script> `x` **y** "
    "[z](http://e) <!-- \x1b[31m \x7f\x85\U0001f600 &lt; $x$ ~~s~~ ```"
)


def hostile_set(folder: Path) -> Path:
    answers = [Answer(HOSTILE, "Q1", [HOSTILE], [Evidence(HOSTILE, title=HOSTILE)])]
    questions = [
        Question(str(number), HOSTILE, kind=HOSTILE, split=HOSTILE, cluster="c", answers=answers,
        characteristics={"[/red]": HOSTILE})
        for number in range(2)
    ]  # fmt: skip
    manifest = {
        "recipe": {"name": HOSTILE}, "language": HOSTILE, "version": HOSTILE, "notes": [HOSTILE, "1. x",
        "- y"],
        "stages": {HOSTILE: {"rows": 1, "removed": {HOSTILE: 2}}},
        "inputs": {"graph": {"sources": [HOSTILE]}},
    }  # fmt: skip
    save_set(folder, questions, manifest)
    return folder


def test_the_card_shows_hostile_strings_as_words(tmp_path: Path) -> None:
    card = (hostile_set(tmp_path / "set") / "README.md").read_text()
    head, body = card.removeprefix("---\n").split("\n---\n", 1)
    assert yaml.safe_load(head)["language"] == [HOSTILE]
    assert "\n---\n" not in body
    assert "<" not in body
    assert "\x1b" not in body
    lines = body.splitlines()
    assert [line for line in lines if line.startswith("# ")] == [
        line for line in lines if "questions whose answers" in line
    ]
    tables = [line for line in lines if line.startswith("|")]
    assert {line.count("|") for line in tables[:3]} == {5}, "a bar in a name makes no column"
    assert "**y**" not in body
    assert "[z](" not in body
    assert r"1\. x" in body
    assert r"- \- y" in body


def printed(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    with pytest.raises(SystemExit) as left:
        main(list(command))
    said = capsys.readouterr()
    assert left.value.code == 0, said.err
    return said.out + said.err


def test_hostile_strings_on_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(hostile_set(tmp_path / "set"))
    run = tmp_path / "[red]\x1b[2J.jsonl"
    run.write_text(
        "".join(json.dumps({"id": id_, "answers": [HOSTILE]}) + "\n" for id_ in ("0", "1", "[/red]\x1b[2J"))
    )
    for command in (
        ["show", folder], ["show", folder, "0"], ["stats", folder], ["stats", folder, "--json"],
        ["score", folder, str(run), "--by", "[/red],kind", "--no-intervals", "--robustness"],
        ["score", folder, str(run), "--no-intervals", "--json"],
        ["compare", folder, str(run), str(run), "--resamples", "10"],
        ["export", folder, "--out", str(tmp_path / "out")],
    ):  # fmt: skip
        text = printed(capsys, *command)
        assert "\x1b" not in text
        assert "\u009b" not in text
    assert "[/red]" in printed(capsys, "score", folder, str(run), "--by", "[/red]", "--no-intervals")
    with pytest.raises(SystemExit):
        main(["show", folder, "no such \x1b[2J"])
    assert "\x1b" not in capsys.readouterr().err


def test_a_screen_takes_strings_for_what_they_are() -> None:
    file = io.StringIO()
    Screen(file=file, width=60).print("[bold]a[/red] :smile: \x1b]0;title\x07 \x9b2J")
    assert file.getvalue() == "[bold]a[/red] :smile: \\x1b]0;title\\x07 \\x9b2J\n"
    file = io.StringIO()
    table = Table("a\nb", title="d\ne")
    table.add_column(Text("c\u202e", style="red"))
    table.add_row("f\tg", Group("h", Text("i\nj")))
    Screen(file=file, width=60).print(table)
    for words in ("a\\nb", "c\\u202e", "d\\ne", "f\\tg", "h ", "i\\nj"):
        assert words in file.getvalue()


def forged_lines(text: str) -> list[str]:
    """Lines that begin with what stands after a line break in stored text."""
    return [line for line in text.splitlines() if line.strip().startswith("FORGED")]


BROKEN = "Ann\nFORGED \x1b[31m\r\u2028FORGED \u202e"


def test_no_stored_text_forges_a_line_about_a_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "500")
    answer = Answer(BROKEN, f"Q1{BROKEN}", [BROKEN, "b"], [Evidence(BROKEN, title=BROKEN)])
    question = Question(
        "1", BROKEN, kind=BROKEN, split=BROKEN, cluster=BROKEN, answers=[answer], wordings=[BROKEN],
        characteristics={BROKEN: BROKEN},
    )  # fmt: skip
    folder, run = str(tmp_path / "set"), str(tmp_path / "run.jsonl")
    QuestionSet([question], {"warnings": [BROKEN]}).save(folder)
    (tmp_path / "run.jsonl").write_text(json.dumps({"id": "1", "failure": BROKEN}) + "\n")
    by = ("--by", "all", "--measures", "F1")
    for command in (
        ["show", folder], ["show", folder, "1"], ["stats", folder], ["audit", folder, run],
        ["score", folder, run, *by], ["compare", folder, run, run, *by],
        ["score", folder, run, *by, "--latex"], ["compare", folder, run, run, *by, "--latex"],
        ["score", folder, run, *by, "--markdown"], ["compare", folder, run, run, *by, "--markdown"],
        ["diff", folder, folder, "--rescore", run],
    ):  # fmt: skip
        text = printed(capsys, *command)
        assert not forged_lines(text), command
        assert not set(text) & set("\x1b\r\u2028\u202e"), command
    assert "Ann\\nFORGED \\x1b[31m\\r\\u2028FORGED \\u202e" in printed(capsys, "show", folder)
    report = rollcall.score(folder, run, by="all")
    for document in (
        report.to_latex(),
        report.to_markdown(),
        rollcall.compare(folder, [run, run]).to_latex(),
    ):
        assert not forged_lines(document)
        assert "\x1b" not in document


def test_no_stored_text_forges_a_line_about_a_graph_or_a_corpus(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "500")
    monkeypatch.chdir(tmp_path)
    described = [
        {"id": f"E{n}", "label": f"{n}{BROKEN}", "aliases": [BROKEN], "types": [BROKEN]} for n in range(3)
    ]
    facts = [{"subject": "E0", "relation": f"knows\x85\x7f{BROKEN}", "object": f"E{n}"} for n in (1, 2)]
    facts.append({"subject": "E0", "relation": "likes", "object": "E1"})
    pages = [{"id": "1", "title": BROKEN, "text": BROKEN}]
    for name, rows in {"e": described, "f": facts, "p": pages}.items():
        Path(f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    for command in (
        ["graph", "e.jsonl", "f.jsonl", "--out", "graph"], ["corpus", "p.jsonl", "--out", "corpus"],
        ["show", "graph"], ["show", "graph", "E0"], ["show", "corpus"], ["show", "corpus", "1"],
        ["ask", "graph", "E0 likes ?x", "--aliases", "--explain"],
        ["lexicon", "graph", "--out", "words.yaml", "--all"],
        ["lexicon", "graph", "--out", "words.yaml", "--all"],  # reads what it wrote
    ):  # fmt: skip
        text = printed(capsys, *command)
        assert not forged_lines(text), command
        assert not set(text) & set("\x1b\r\u2028\u202e"), command


YAML = [
    ("pipeline: [qampari]", ":1: pipeline must be one text"),
    ("pipeline: {a: b}", ":1: pipeline must be one text"),
    ("pipeline: qampari\ndescription: [a]", ":2: description must be one text"),
    ("pipeline: qampari\nseed: !!python/object:os.system x", ":2: the tag"),
    ("pipeline: qampari\nseed: !!python/object/apply:os.system ['true']", ":2: the tag"),
    ("pipeline: !mine qampari", ":1: the tag"),
    ("pipeline: qampari\nanswers: &a {least: 2}\nsplit: *a", ":2: anchors"),
    ("pipeline: qampari\n? [a, b]\n: c", ":2: a key must be"),
    ("pipeline: qampari\nseed: " + "[" * 100_000, ":2: nested too deeply"),
    ("pipeline: qampari\nseed: " + "9" * 5000, ":2: a number of"),
    ("pipeline: qampari\nseed: 2001-99-99", ":2: seed"),
    ("pipeline: qampari\nseed: -1", ":2: seed"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), YAML)
def test_yaml_that_is_no_recipe_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(RollcallError) as error:
        load(str(tmp_path / "x.yaml"))
    assert str(error.value).startswith(f"{tmp_path / 'x.yaml'}{message}")


@pytest.mark.parametrize(
    "text", ["? [a]\n: {label: b}", "a: !!python/object:x {label: b}", "[" * 100_000, "a: {[x]: y}"]
)
def test_yaml_that_is_no_lexicon_is_refused(tmp_path: Path, text: str) -> None:
    from rollcall.wording.lexicon import read_entries

    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(RollcallError):
        read_entries(tmp_path / "x.yaml")


def test_a_manifest_of_wrong_types_is_refused(tmp_path: Path) -> None:
    folder = hostile_set(tmp_path / "set")
    (folder / "manifest.json").write_text('{"stages": {"a": [1]}}')
    with pytest.raises(RollcallError, match="not a manifest"):
        QuestionSet.open(folder)
