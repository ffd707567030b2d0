"""The scoring commands as people use and misuse them."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

import rollcall
from rollcall.cli.main import main

GOLD = [
    {
        "id": "1",
        "question": "Who?",
        "kind": "simple",
        "answers": [{"label": "Ann", "aliases": ["A."]}, {"label": "Bo"}],
    },
    {
        "id": "2",
        "question": "Where?",
        "kind": "table-simple",
        "answers": [{"label": "São Paulo"}],
        "cluster": "c",
        "split": "dev",
    },
    {"id": "3", "question": "What?", "kind": "simple", "answers": [{"label": "x_1 & 50%"}], "cluster": "c"},
]
SAID = {"1": ["a.", "Cy"], "2": ["Sao Paulo"], "3": []}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.jsonl").write_text("\n".join(json.dumps(one) for one in GOLD))
    (tmp_path / "run.json").write_text(json.dumps(SAID))
    (tmp_path / "other.json").write_text(json.dumps({**SAID, "1": ["Ann", "Bo"]}))
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exit_:
        main(list(words))
    out, err = capsys.readouterr()
    return int(exit_.value.code or 0), out, err


def report(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    code, out, err = run(capsys, "score", *words)
    assert code == 0, err
    return json.loads(out)


def test_json_has_the_promised_shape(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = report(capsys, "gold.jsonl", "run.json", "--by", "kind", "--json")
    assert list(found) == ["profile", "n", "measures", "by", "unmatched", "read", "warnings"]
    assert found["read"] == "gold.jsonl: read as rollcall, answers as a set"
    assert found["warnings"] == [
        "2 clusters are too few to estimate how figures vary: intervals and tests are rough"
    ]
    assert (found["profile"], found["n"]) == ("entity", 3)
    assert list(found["measures"]) == ["P", "R", "F1", "R>=0.8", "F1>=0.5", "acc", "min(F1)"]
    for figure in found["measures"].values():
        low, high = figure["ci"]
        assert low <= figure["value"] <= high
    assert found["measures"]["R"]["value"] == pytest.approx(0.5)
    assert found["by"]["kind"]["simple"]["n"] == 2
    assert set(found["by"]["kind"]["simple"]["measures"]) == set(found["measures"])


def test_the_same_seed_gives_the_same_bytes(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = [{**GOLD[0], "id": str(n)} for n in range(20)]
    Path("many.jsonl").write_text("\n".join(json.dumps(one) for one in gold))
    Path("said.json").write_text(json.dumps({str(n): ["Ann", "Bo"][: n % 3] for n in range(20)}))
    Path("less.json").write_text(json.dumps({str(n): ["Ann"][: n % 4] for n in range(20)}))
    words = ("compare", "many.jsonl", "said.json", "less.json", "--json")
    first = run(capsys, *words)
    assert first == run(capsys, *words)
    assert first != run(capsys, *words, "--seed", "7")
    single = ("score", "many.jsonl", "said.json", "--json")
    assert run(capsys, *single) == run(capsys, *single)


def test_screen_shows_figures_and_what_is_missing(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("part.json").write_text(json.dumps({"1": ["Ann"], "9": ["x"]}))
    code, out, _ = run(capsys, "score", "gold.jsonl", "part.json", "--by", "all", "--robustness")
    assert code == 0
    text = " ".join(out.split())
    assert "3 questions, profile entity" in text
    assert "2 without a prediction, counted as unanswered: 2, 3" in text
    assert "1 predicted but not in the gold, left out: 9" in text


def test_latex_is_escaped_and_can_be_written(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, _ = run(capsys, "score", "gold.jsonl", "run.json", "--by", "answers", "--latex", "table.tex")
    assert code == 0
    text = Path("table.tex").read_text()
    assert r"$R{\ge}0.8$" in text
    assert text.count(r"\caption{") == text.count(r"\label{") == 2
    assert text.count(r"\begin{tabular}") == 2
    for line in text.splitlines():
        assert not line.startswith("[")  # after \\ LaTeX would take it for a length


def test_options_may_stand_before_the_files(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert report(capsys, "--json", "gold.jsonl", "run.json")["n"] == 3


def test_no_file_but_a_report_is_overwritten(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for place, about in (("run.json", "is an input"), ("other.json", "is no report of Rollcall")):
        before = Path(place).read_bytes()
        code, _, err = run(capsys, "score", "gold.jsonl", "run.json", "--json", place)
        assert code == 2
        assert about in err
        assert Path(place).read_bytes() == before
    for _ in range(2):  # a report may be replaced
        assert run(capsys, "score", "gold.jsonl", "run.json", "--json", "out.json")[0] == 0


def test_compare(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, "compare", "gold.jsonl", "run.json", "other.json", "--json", "--measures", "F1"
    )
    assert code == 0
    found = json.loads(out)
    assert [one["name"] for one in found["runs"]] == ["run", "other"]
    difference = found["differences"][0]
    assert difference["value"] == pytest.approx(
        found["runs"][0]["measures"]["F1"]["value"] - found["runs"][1]["measures"]["F1"]["value"]
    )
    assert set(difference["p"]) == {"t", "bootstrap", "permutation"}
    code, out, _ = run(capsys, "compare", "gold.jsonl", "run.json", "other.json")
    assert code == 0
    assert "differences and p-values" in out


def test_compare_breaks_down_in_every_output(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each output has, for each group, the figures that `score` gives for each run."""
    names = ("run", "other")
    scored = {name: report(capsys, "gold.jsonl", f"{name}.json", "--by", "kind", "--json") for name in names}
    figures = {
        (group, name): (of_run["n"], 100 * of_run["measures"]["F1"]["value"])
        for name in names
        for group, of_run in scored[name]["by"]["kind"].items()
    }
    assert len(set(figures.values())) == 3, "the figures of groups and runs differ"
    compared = ["compare", "gold.jsonl", "run.json", "other.json", "--by", "kind", "--measures", "F1"]

    shown = json.loads(run(capsys, *compared, "--json")[1])
    assert [one["name"] for one in shown["runs"]] == list(names)
    for one in shown["runs"]:
        for group, of_run in one["by"]["kind"].items():
            assert of_run == {
                "n": scored[one["name"]]["by"]["kind"][group]["n"],
                "measures": {"F1": scored[one["name"]]["by"]["kind"][group]["measures"]["F1"]},
            }

    run(capsys, *compared, "--html", "page.html")
    page = (files / "page.html").read_text()
    found = rollcall.compare("gold.jsonl", ["run.json", "other.json"], by="kind", measures="F1")
    pages = {
        "terminal": run(capsys, *compared)[1].partition("by kind")[2],
        "latex": run(capsys, *compared, "--latex")[1].partition(r"\begin{tabular}{lrlr}")[2],
        "markdown": run(capsys, *compared, "--markdown")[1].partition("by kind:")[2],
        "html": re.sub(r"<[^>]+>", " ", page.partition("<h2>by kind")[2]),
        "notebook": re.sub(r"<[^>]+>", " ", found._repr_html_().partition("<h2>by kind")[2]),
    }
    for output, text in pages.items():
        words = [word for word in re.split(r"[\s│|&]+", text) if word]
        for group in ("simple", "table-simple"):
            n, first = figures[group, "run"]
            _, second = figures[group, "other"]
            row = words[words.index(group) :]
            marks = (["a"], ["b"]) if output == "terminal" else (["a", "run"], ["b", "other"])
            expected = [group, str(n), *marks[0], f"{first:.2f}"]
            assert row[: len(expected)] == expected, output
            row = row[row.index("b") :]
            expected = [*marks[1], f"{second:.2f}"]
            assert row[: len(expected)] == expected, output


@pytest.mark.parametrize("output", ["--latex", "--markdown"])
def test_what_is_asked_of_a_score_is_in_its_tables(
    files: Path, capsys: pytest.CaptureFixture[str], output: str
) -> None:
    asked = ("--completeness", "0.9", "--robustness", "--extended", "gold.jsonl")
    code, out, err = run(capsys, "score", "gold.jsonl", "run.json", *asked, output)
    assert code == 0, err
    for title in ("true figures", "robustness of f1", "extended"):
        assert title in out.lower()
    words = ("compare", "gold.jsonl", "run.json", "other.json", "--completeness", "0.9", output)
    code, out, err = run(capsys, *words)
    assert code == 0, err
    assert "survive" in out


@pytest.mark.parametrize("command", ["score", "compare"])
def test_no_name_in_a_table_of_figures_is_a_formula(
    files: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    hostile = "=HYPERLINK(1)"
    gold = [{**one, "kind": hostile, "characteristics": {hostile: -5}} for one in GOLD]
    (files / "gold.jsonl").write_text("\n".join(json.dumps(one) for one in gold))
    (files / f"{hostile}.json").write_text(json.dumps(SAID))
    runs = [f"{hostile}.json", *(["other.json"] if command == "compare" else [])]
    code, out, err = run(capsys, command, "gold.jsonl", *runs, "--by", f"kind,{hostile}", "--csv")
    assert code == 0, err
    rows = list(csv.DictReader(out.splitlines()))
    assert rows[0]["run"].startswith(f"'{hostile}")
    assert {row["by"] for row in rows} == {"", "kind", f"'{hostile}"}
    assert {row["group"] for row in rows} == {"", f"'{hostile}", "-5"}, "a number stays a number"
    assert all(0 <= float(row["value"]) <= 1 for row in rows)


def test_measures_lists_every_measure_and_profile(capsys: pytest.CaptureFixture[str]) -> None:
    from rollcall.score import MEASURES, PROFILES

    code, out, _ = run(capsys, "measures")
    assert code == 0
    for name in (*MEASURES.names, *PROFILES.names, "min(M)", "M>=t"):
        assert name in out


def test_closed_gold(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = {
        "id": "1",
        "cluster_id": 1,
        "candidates": [{"uri": "Q1", "text": "Ann", "is_answer": True}],
        "complete_answer": [{"uri": "Q1", "text": "Ann"}, {"uri": "Q2", "text": "Bo"}],
    }
    Path("romqa.json").write_text(json.dumps([gold]))
    Path("said.json").write_text('{"1": ["Ann"]}')
    values = {
        setting: report(capsys, "romqa.json", "said.json", "--profile", "romqa", "--gold", setting, "--json")[
            "measures"
        ]["R"]["value"]
        for setting in ("closed", "complete")
    }
    assert values == {"closed": 1.0, "complete": 0.5}


@pytest.mark.parametrize(
    ("words", "about"),
    [
        (["score", "nowhere.jsonl", "run.json"], "nowhere.jsonl: no such file"),
        (["score", "gold.jsonl", "nowhere.json"], "nowhere.json: no such file"),
        (["score", "gold.jsonl"], "holds no predictions"),
        (["score", "gold.jsonl", "gold.jsonl"], "holds gold questions"),
        (["score", "gold.jsonl", "empty"], "empty: is empty"),
        (["score", "empty", "run.json"], "empty: is empty"),
        (["score", "gold.jsonl", "broken"], "broken:2: "),
        (["score", "gold.jsonl", "strange.json"], "another set"),
        (["score", "gold.jsonl", "run.json", "--profile", "zzz"], "not a profile; choose one of alce"),
        (["score", "gold.jsonl", "run.json", "--measures", "F7"], "rollcall measures"),
        (["score", "gold.jsonl", "run.json", "--by", "colour"], "these questions have kind"),
        (["score", "gold.jsonl", "run.json", "--gold", "closed"], "no candidates"),
        (["score", "gold.jsonl", "run.json", "--gold", "half"], "--gold"),
        (["score", "gold.jsonl", "run.json", "--expand", "folder"], "not a graph"),
        (["score", "gold.jsonl", "run.json", "--html", "page.txt"], "ends in .html"),
        (["score", "gold.jsonl", "."], "but a file of predictions was expected"),
        (["score", ".", "run.json"], "is not a question set"),
        (["score", "gold.jsonl", "run.json", "--resamples", "0"], "No such option: --resamples"),
        (["score", "gold.jsonl", "run.json", "--lookup", "normalised"], "give --expand GRAPH"),
        (["score", "gold.jsonl", "run.json", "--newly-right", "x"], "no effect without --expand"),
        (["expand", "gold.jsonl", "graph", "--out", "x", "--positives", "y"], "no effect without --passages"),
        (["diff", "gold.jsonl", "gold.jsonl", "--measures", "F1"], "no effect without --rescore"),
        (["score", "gold.jsonl", "run.json", "--budget-tokens", "9"], "give --judge MODEL"),
        (["compare", "gold.jsonl", "run.json", "other.json", "--cache", "x"], "give --judge MODEL"),
        (["run", "gold.jsonl", "--out", "x", "--price", "1,2"], "--price is for a language model"),
        (["score", "gold.jsonl", "run.json", "--seed", "0"], "No such option: --seed"),
        (["compare", "gold.jsonl", "run.json", "other.json", "--resamples", "-1"], "--resamples"),
        (["compare", "gold.jsonl", "run.json"], "two runs"),
        (["compare", "gold.jsonl", "run.json", "other.json", "--resamples", "0"], "--test t"),
        (["expand", "gold.jsonl", "folder", "--out", "x"], "not a graph"),
        (["expand", "gold.jsonl", ".", "--out", "x"], "x: lies in the input"),
    ],
)
def test_mistakes_get_one_line_and_exit_code_2(
    files: Path, capsys: pytest.CaptureFixture[str], words: list[str], about: str
) -> None:
    (files / "folder").mkdir()
    (files / "empty").write_text("")
    (files / "broken").write_text('{"id": "1", "answers": ["Ann"]}\n{"id": \n')
    (files / "strange.json").write_text('{"zzz": ["Ann"]}')
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert about in err
    assert err.count("\n") == 1


def write_names(entity: str, label: str, alias: str) -> None:
    """The tables of a graph with one entity, as far as names are concerned."""
    from rollcall.tables.files import write_records
    from rollcall.tables.graph import Aliases, Entities

    Path("graph").mkdir()
    described = {"id": entity, "label": label, "description": "", "title": None}
    write_records(Entities, Path("graph/entities.parquet"), [described])
    named = {"entity": entity, "text": alias, "source": "redirect", "count": 3}
    write_records(Aliases, Path("graph/aliases.parquet"), [named])


def test_expand_command(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_names("Q1", "Ann", "Annie")
    Path("retrieved.jsonl").write_text(
        '{"id": "1", "answers": [], "retrieved": [{"id": "p1", "text": "Annie sings."}]}'
    )
    code, out, err = run(
        capsys, "expand", "gold.jsonl", "graph", "--out", "wider", "--passages", "retrieved.jsonl"
    )
    assert code == 0, err
    assert "questions with a positive passage, all names" in out
    assert json.loads(Path("positives.jsonl").read_text())["name"] == "Annie"
    Path("said.json").write_text('{"1": ["Annie"]}')
    assert (
        report(capsys, "gold.jsonl", "said.json", "--json", "--measures", "R")["measures"]["R"]["value"]
        == 0.0
    )
    assert report(capsys, "wider", "said.json", "--json", "--measures", "R")["measures"]["R"]["value"] > 0.0
    found = report(capsys, "gold.jsonl", "said.json", "--json", "--measures", "R", "--expand", "graph")
    rows = found["expand"]["rows"]
    assert rows["expanded"]["R"]["value"] > rows["single"]["R"]["value"] == 0.0
    assert json.loads(Path("newly_right.jsonl").read_text())["prediction"] == "Annie"


def test_expansion_of_closed_gold(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_names("Q5", "A", "Annie")
    entity = {"uri": "Q5", "text": "A"}
    wrong = {"uri": "Q6", "text": "B", "is_answer": False}
    gold = {
        "id": "1",
        "cluster_id": 1,
        "candidates": [{**entity, "is_answer": True}, wrong],
        "complete_answer": [entity, {"uri": "Q7", "text": "C"}],
    }
    Path("romqa.json").write_text(json.dumps([gold]))
    Path("said.json").write_text('{"1": ["Annie"]}')
    words = ("romqa.json", "said.json", "--gold", "closed", "--expand", "graph", "--measures", "R", "--json")
    found = report(capsys, *words)["expand"]
    assert found["rows"]["expanded"]["R"]["value"] > found["rows"]["single"]["R"]["value"] == 0.0
    assert found["counts"]["predictions newly right"] == 1
    assert found["counts"]["original answers per question"] == 1
    assert json.loads(Path("newly_right.jsonl").read_text())["alias"]["entity"] == "Q5"


def test_questions_left_out_are_not_said_to_count(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("part.json").write_text('{"1": ["Ann"]}')
    code, out, _ = run(capsys, "score", "gold.jsonl", "part.json", "--missing", "skip")
    text = " ".join(out.split())
    assert code == 0
    assert "2 without a prediction, left out: 2, 3" in text
    assert "counted as unanswered" not in text


def test_runs_of_some_questions_are_compared_on_those(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("part.json").write_text('{"1": ["Ann"], "2": ["Bo"]}')
    code, out, _ = run(capsys, "compare", "gold.jsonl", "run.json", "part.json", "--missing", "skip")
    text = " ".join(out.split())
    assert code == 0
    assert "2 questions, profile entity" in text
    assert "1 of 3 questions left out, which not every run answered: 3" in text


@pytest.mark.parametrize("content", ["[]", "{}"])
def test_no_prediction_at_all_is_told(files: Path, capsys: pytest.CaptureFixture[str], content: str) -> None:
    Path("none.json").write_text(content)
    found = report(capsys, "gold.jsonl", "none.json", "--json")
    assert "none.json: holds no prediction" in found["warnings"]


@pytest.mark.parametrize(
    ("option", "file"),
    [
        ("--json", "x.json"),
        ("--latex", "x.tex"),
        ("--markdown", "x.md"),
        ("--csv", "x.csv"),
        ("--html", "x.html"),
    ],
)
def test_every_report_file_is_named(
    files: Path, capsys: pytest.CaptureFixture[str], option: str, file: str
) -> None:
    code, out, err = run(capsys, "score", "gold.jsonl", "run.json", option, file)
    assert (code, err.strip()) == (0, f"wrote {file}")
    assert "profile entity" in out, "a file is opened later; the figures come now"
    assert run(capsys, "score", "gold.jsonl", "run.json", option, file)[0] == 0, "a report may be replaced"


def test_only_the_questions_of_a_split_are_scored(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = report(capsys, "gold.jsonl", "run.json", "--split", "dev", "--json")
    assert (found["n"], found["measures"]["R"]["value"]) == (1, 1.0)
    code, out, _ = run(capsys, "compare", "gold.jsonl", "run.json", "other.json", "--split", "dev", "--json")
    assert (code, json.loads(out)["n"]) == (0, 1)
    code, _, err = run(capsys, "score", "gold.jsonl", "run.json", "--split", "test")
    assert code == 2
    assert "no question is of the split test; there are: dev" in err


def test_a_judge_by_the_command_line(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first call asks, the second finds all replies beside the predictions."""
    from model_server import ModelServer

    told = {"Explanation": "x", "Correctness Details": {"Ann": True}, "Excessive Answers": []}
    (files / "dsqa.csv").write_text("problem,answer,answer_type\nWho?,Ann,Single Answer\n")
    (files / "said.jsonl").write_text('{"problem": "Who?", "response": "It is Ann."}')
    words = ["score", "dsqa.csv", "said.jsonl", "--profile", "deepsearchqa"]
    with ModelServer(lambda body: json.dumps({"Answer Correctness": told})) as server:
        judged = [
            *words,
            "--judge",
            "m",
            "--judge",
            f"n@{server.url}",
            "--base-url",
            f"{server.url}/",
            "--json",
        ]
        for spent in ("1 asked, 0 cached", "0 asked, 1 cached"):
            code, out, err = run(capsys, *judged)
            assert code == 0
            assert err.count(spent) == 2, "two judges at two addresses"
            found = json.loads(out)
            assert found["measures"]["acc"]["value"] == 1
            assert set(found["judges"]["rows"]) == {"m", "n", "deepsearchqa-match"}
            assert found["judges"]["counts"]["m and n: same verdict, share of answers"] == 1
    assert (files / "said.jsonl.judged").exists()
    for more, about in (
        ([], "asks a language model: give --judge MODEL"),
        (["--judge", "m"], "--judge m: give the address of its server"),
        (["--base-url", "http://localhost:1/v1"], "are for a model that judges"),
    ):
        code, _, err = run(capsys, *words, *more)
        assert code == 2
        assert about in err
        assert err.count("\n") == 1
