"""Questions and runs come in any form, what was read is said, and no form gives a wrong figure in silence."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rollcall
from rollcall import RollcallError
from rollcall.cli.main import main
from rollcall.questions import Answer, EntityAnswer, Prediction, Question, QuestionSet, Run, read_questions
from rollcall.questions.exporting import export
from rollcall.questions.given import given_questions, given_run
from rollcall.questions.release import save_set

PLAIN = [
    {"id": "1", "question": "Who?", "answers": ["A", "B", "C"], "split": "dev"},
    {"id": "2", "question": "Where?", "answers": ["D"], "split": "test"},
]
OWN = [
    Question("1", "Who?", split="dev", answers=[Answer("A", "Q1", ["a one"]), Answer("B"), Answer("C")]),
    Question("2", "Where?", split="test", answers=[Answer("D")]),
]
SAID = {"1": ["A"], "2": ["D"]}


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def recall(gold: Any, said: Any = SAID, **options: Any) -> float | None:
    return rollcall.score(gold, said, measures="R", confidence=None, **options)["R"].value


# -- lists of strings ----------------------------------------------------------------------------------


def test_a_list_of_strings_under_answers_is_a_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "gold.jsonl").write_text(json.dumps(PLAIN[0]))
    (tmp_path / "run.json").write_text(json.dumps({"1": ["A"]}))
    words = ("score", tmp_path / "gold.jsonl", tmp_path / "run.json", "--measures", "R", "--no-intervals")
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert "33.3" in out, "one of three"
    assert "gold.jsonl: read as plain, answers as a set" in out
    code, out, _ = run(capsys, *words, "--answers", "names")
    assert "100.0" in out
    assert "gold.jsonl: read as plain, answers as names of one answer" in out


def test_the_report_says_how_the_gold_was_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, said = tmp_path / "gold.jsonl", tmp_path / "run.json"
    gold.write_text(json.dumps(PLAIN[0]))
    said.write_text(json.dumps({"1": ["A"]}))
    places = [tmp_path / f"report.{suffix}" for suffix in ("json", "tex", "html")]
    words = [word for place, name in zip(places, ("json", "latex", "html"), strict=True)
             for word in (f"--{name}", place)]  # fmt: skip
    assert run(capsys, "score", gold, said, *words)[0] == 0
    for place in places:
        assert "read as plain, answers as a set" in place.read_text(encoding="utf-8"), place
    _, out, _ = run(capsys, "compare", gold, said, said)
    assert "read as plain, answers as a set" in out
    code, out, _ = run(capsys, "import", gold, "--out", tmp_path / "set", "--answers", "names")
    assert code == 0
    assert "gold.jsonl: read as plain, answers as names of one answer" in out
    [question] = QuestionSet.open(tmp_path / "set")
    assert question.answers == [Answer("A", aliases=["B", "C"])]


@pytest.mark.parametrize(
    ("record", "format_", "names"),
    [
        ({"answers": ["A", "B"]}, "plain", [["A"], ["B"]]),
        ({"answers": [["A", "B"], ["C"]]}, "plain", [["A", "B"], ["C"]]),
        ({"answers": "A"}, "plain", [["A"]]),
        ({"answer": ["A", "B"]}, "open-domain", [["A", "B"]]),
        ({"answers": ["A"], "aliases": ["B"]}, "open-domain", [["A", "B"]]),
        ({"answers": {"text": ["A", "B"], "answer_start": [1, 2]}}, "open-domain", [["A", "B"]]),
        ({"answers": [{"text": "A"}, {"text": "B"}]}, "open-domain", [["A", "B"]]),
        ({"answer": {"value": "A", "aliases": ["B"]}}, "open-domain", [["A", "B"]]),
        ({"answers": [{"label": "A", "aliases": ["B"]}, {"label": "C"}]}, "rollcall", [["A", "B"], ["C"]]),
    ],
)
@pytest.mark.parametrize("form", ["lines", "array", "dicts"])
def test_the_keys_say_what_answers_are(
    tmp_path: Path, record: dict[str, object], format_: str, names: list[list[str]], form: str
) -> None:
    whole = {"id": "1", "question": "Who?", **record}
    path = tmp_path / "nq-squad-triviaqa.json"  # a name that says nothing
    path.write_text(json.dumps([whole]) if form == "array" else json.dumps(whole) + "\n")
    read = given_questions([whole] if form == "dicts" else path)
    assert read.manifest["format"] == format_
    assert [[one.label, *one.aliases] for one in read.questions[0].answers] == names


def test_answers_are_not_overridden_where_the_format_says(tmp_path: Path) -> None:
    save_set(tmp_path / "set", OWN, {})
    assert rollcall.score(tmp_path / "set", SAID).reading == "set: read as rollcall, answers as a set"
    assert not rollcall.score(OWN, SAID).reading, "records need no reading"
    for gold in (tmp_path / "set", tmp_path / "set" / "questions.jsonl", OWN, QuestionSet(OWN)):
        with pytest.raises(RollcallError, match="itself says which names belong to one answer"):
            rollcall.score(gold, SAID, answers="names")


def test_gold_without_texts_is_told(tmp_path: Path) -> None:
    gold = [{"id": "1", "wording": "Who?", "answers": ["A", "B"]}]
    report = rollcall.score(gold, {"1": ["A"]}, measures="R", confidence=None)
    assert report["R"].value == 0.5, "it can still be scored"
    assert report.warnings == [
        "the gold: 1 question has no text ('1' is the first): it is looked for under 'question', and the "
        "first record has the keys id, wording, answers"
    ]
    with pytest.raises(RollcallError, match="first record has the keys id, question, gold"):
        read_questions(_lines(tmp_path / "x", [{"id": "1", "question": "Who?", "gold": ["A"]}]))


def _lines(path: Path, records: list[Any]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    return path


# -- tables and frames ---------------------------------------------------------------------------------


def forms(records: list[dict[str, object]]) -> list[Any]:
    datasets, pd, pa = map(pytest.importorskip, ("datasets", "pandas", "pyarrow"))
    return [
        records,
        (record for record in records),
        pd.DataFrame(records),
        pd.DataFrame(records).set_index("id"),
        pa.Table.from_pylist(records),
        pa.Table.from_pylist(records).to_batches()[0],
        datasets.Dataset.from_list(records),
    ]


def test_questions_of_any_form() -> None:
    for gold in [*forms(PLAIN), *forms([{**one, "id": int(str(one["id"]))} for one in PLAIN])]:
        read = given_questions(gold)
        assert [(one.id, one.split, len(one.answers)) for one in read] == [("1", "dev", 3), ("2", "test", 1)]


def test_runs_of_any_form() -> None:
    records: list[dict[str, object]] = [{"id": "1", "answers": ["A"]}, {"id": "2", "answers": ["D"]}]
    for said in [*forms(records), Run([Prediction("1", ["A"]), Prediction("2", ["D"])]), SAID]:
        assert [(one.id, one.answers) for one in given_run(said)] == [("1", ["A"]), ("2", ["D"])]


def test_what_a_table_lacks_is_no_answer() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"id": [1, 2], "answers": [["A"], float("nan")], "failure": [None, "broke down"]})
    made = given_run(frame)
    assert [one.answers for one in made] == [["A"], []]
    assert [one.failure for one in made] == [None, "broke down"]


def test_splits_of_a_dataset_dict() -> None:
    datasets = pytest.importorskip("datasets")
    bare = [{key: value for key, value in one.items() if key != "split"} for one in PLAIN]
    parts = datasets.DatasetDict(
        {"train": datasets.Dataset.from_list(bare[:1]), "test": datasets.Dataset.from_list(bare[1:])}
    )
    assert [one.split for one in given_questions(parts)] == ["train", "test"]
    assert recall(parts, split="train") == pytest.approx(1 / 3)
    assert recall({"train": bare[:1], "test": OWN[1:]}, split="test") == 1


def test_frames_of_our_own_lose_nothing() -> None:
    pytest.importorskip("pandas")
    said = Run(
        [Prediction("1", [EntityAnswer("Q1"), "b"], seconds=0.5), Prediction("2", failure="broke down")]
    )
    gold = QuestionSet(OWN)
    assert list(given_questions(gold.to_frame())) == OWN
    assert list(given_run(said.to_frame())) == said.predictions
    assert list(gold.to_frame()["labels"]) == [["A", "B", "C"], ["D"]]
    assert rollcall.score(gold.to_frame(), said.to_frame(), measures="R")["R"].value == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        (
            [PLAIN[0], {"id": "2", "question": "Where?", "answers": True}],
            "the gold: record 2: answers must be a whole number, a number, text",
        ),
        ([PLAIN[0], "Where?"], "the gold: record 2 is a str, not a dict"),
        ([OWN[0], PLAIN[1]], "the gold: question 2 is a value of type dict, not a Question"),
        (PLAIN[0], "a single record belongs in a list"),
        ({"1": ["A", "B"]}, "a mapping leads from splits to questions"),
        (
            [{"id": "1", "question": "q", "answers": [object()]}],
            "the gold: record 1: a value of the type object",
        ),
        (5, "not a value of type int"),
    ],
)
def test_a_wrong_record_is_named(gold: Any, message: str) -> None:
    with pytest.raises(RollcallError) as refused:
        rollcall.score(gold, SAID)
    assert message in str(refused.value)


def test_predictions_may_stand_beside_the_gold(tmp_path: Path) -> None:
    records = [{**one, "prediction": SAID[str(one["id"])]} for one in PLAIN]
    assert recall(records, None) == recall(_lines(tmp_path / "x", records), None) == pytest.approx(2 / 3)
    with pytest.raises(RollcallError, match="the gold: holds no predictions"):
        rollcall.score(PLAIN)


def test_no_library_of_tables_is_loaded_for_plain_dicts() -> None:
    program = (
        "import sys, rollcall\n"
        "report = rollcall.score([{'id': '1', 'question': 'q', 'answers': ['A', 'B']}], {'1': ['A']})\n"
        "print(report['R'].value, *sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    value, *loaded = ended.stdout.split()
    assert value == "0.5"
    assert {"pandas", "datasets", "pyarrow"}.isdisjoint(loaded)


# -- the verbs -----------------------------------------------------------------------------------------


def test_the_verb_is_found_whatever_was_imported_before() -> None:
    import rollcall.score.report
    from rollcall import score as package

    assert recall(PLAIN) == pytest.approx(2 / 3)
    assert package(PLAIN, SAID, measures="R")["R"].value == pytest.approx(2 / 3)
    assert rollcall.score.report.Report is rollcall.Report


def test_splits_are_chosen_in_every_verb() -> None:
    assert recall(PLAIN, split="dev") == pytest.approx(1 / 3)
    assert recall(PLAIN, split=["dev", "test"]) == pytest.approx(2 / 3)
    assert not rollcall.score(PLAIN, SAID, split="dev").unmatched.unknown, "the others are no mistake"
    with pytest.raises(RollcallError, match="none of the split that was chosen; give --split test"):
        recall(PLAIN, {"2": ["D"]}, split="dev")
    found = rollcall.compare(PLAIN, [SAID, {"1": ["A", "B"]}], split="dev", measures="R", by="split")
    assert [report["R"].value for report in found.reports] == pytest.approx([1 / 3, 2 / 3])
    assert list(found.reports[0].by["split"]) == ["dev"]


# -- runs that cover a part ----------------------------------------------------------------------------


def test_a_run_over_one_split_is_told_how_to_be_scored(tmp_path: Path) -> None:
    gold = [{**PLAIN[0], "id": str(n), "split": "test" if n % 3 == 0 else "train"} for n in range(9)]
    said = {one["id"]: one["answers"] for one in gold if one["split"] == "test"}
    whole = rollcall.score(gold, said, measures="R", confidence=None)
    assert whole["R"].value == pytest.approx(1 / 3)
    line = (
        "the run covers only the split test (3 of 9 questions), and all others count as unanswered: score it "
        "with --split test (split='test' in Python)"
    )
    assert line in whole.warnings
    for options in ({"split": "test"}, {"missing": "skip"}):
        scored = rollcall.score(gold, said, measures="R", confidence=None, **options)
        assert scored["R"].value == 1
        assert not [one for one in scored.warnings if "covers" in one]
    covers = {"questions": 3, "of": 9, "splits": ["test"], "wordings": ""}
    silent = Run([Prediction(one, failure="broke down") for one in said], settings={"covers": covers})
    assert line in rollcall.score(gold, silent, measures="R", confidence=None).warnings


# -- cards ---------------------------------------------------------------------------------------------


def test_a_released_set_shows_its_splits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    yaml = pytest.importorskip("yaml")
    save_set(tmp_path / "set", [*OWN, Question("3", "What?", answers=[Answer("E")])], {})
    _, head, _ = (tmp_path / "set" / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    assert yaml.safe_load(head)["configs"] == [
        {
            "config_name": "default",
            "data_files": [
                {"split": "questions", "path": "questions.parquet"},
                {"split": "dev", "path": "dev.parquet"},
                {"split": "test", "path": "test.parquet"},
            ],
        }
    ]
    assert [read_questions(tmp_path / "set" / f"{one}.parquet").questions for one in ("dev", "test")] == [
        [OWN[0]], [OWN[1]]
    ]  # fmt: skip
    save_set(tmp_path / "set", OWN[:1], {})
    assert not (tmp_path / "set" / "test.parquet").exists(), "files of the older set go with it"


@pytest.mark.parametrize("form", ["set", "jsonl", "parquet", "qampari"])
def test_dataset_libraries_see_the_splits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr("datasets.config.HF_DATASETS_OFFLINE", True)
    folder = tmp_path / "out"
    if form == "set":
        save_set(folder, OWN, {})
    else:
        export(OWN, form, folder)
    found = datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
    assert {split: len(part) for split, part in found.items()} == {"dev": 1, "test": 1}
    if form != "qampari":
        assert list(given_questions(found)) == OWN


def test_splits_exported_one_by_one_share_a_card(tmp_path: Path) -> None:
    from rollcall.questions.question_set import mapped_files

    for one in OWN:
        export([one], "jsonl", tmp_path)
    card = tmp_path / "README.md"
    assert mapped_files(card.read_text()) == {"dev": "dev.jsonl", "test": "test.jsonl"}
    card.write_text("# My own page\n")
    export(OWN, "jsonl", tmp_path)
    assert card.read_text() == "# My own page\n", "somebody's own page is left alone"


# -- notebooks -----------------------------------------------------------------------------------------


def test_objects_are_short_and_escaped_in_a_notebook() -> None:
    many = QuestionSet(
        [Question(str(n), "<b>Who?</b>", split="test", answers=[Answer("A")]) for n in range(999)]
    )
    assert repr(many) == "QuestionSet(999 questions: 999 test)"
    page = many._repr_html_()
    assert "&lt;b&gt;Who?" in page
    assert "<b>Who?" not in page
    assert "… and 989 more" in page
    assert len(page) < 3000
    said = Run([Prediction("1", ["<i>"], failure="x")], "mine")
    assert repr(said) == "Run(mine: 1 prediction, 1 failed)"
    assert "&lt;i&gt;" in said._repr_html_()


def test_a_missing_pandas_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(RollcallError, match="needs pandas"):
        QuestionSet(OWN).to_frame()


def test_a_few_questions_without_answers_are_named() -> None:
    gold = [{"id": "1", "question": "Who?", "answers": ["A"]}, {"id": "2", "question": "Who else?"}]
    report = rollcall.score(gold, {"1": ["A"]})
    assert any("1 question has no complete gold answers (2)" in line for line in report.warnings)


def test_a_wrong_format_is_not_taken_for_a_set_without_answers(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"id": "1", "question": "Which?", "answers": ["A", "B"]}\n', encoding="utf-8")
    for name in ("romqa", "ambigqa"):
        with pytest.raises(RollcallError, match=f"read as {name}, no record has answers"):
            rollcall.score(path, {"1": ["A"]}, file_format=name)


def test_a_list_written_as_a_text_is_not_taken_for_an_answer() -> None:
    with pytest.raises(RollcallError, match="looks like a list"):
        rollcall.score([{"id": "1", "question": "Who?", "answers": '["A", "B"]'}], {"1": ["A"]})


def test_a_wrong_meaning_of_lists_is_refused() -> None:
    with pytest.raises(RollcallError, match="is not one of set, names"):
        rollcall.score([{"id": "1", "question": "Who?", "answers": ["A"]}], {"1": ["A"]}, answers="nms")
