"""The published profiles give the published scorers' figures, to 1e-9, through the files people have."""

import json
from pathlib import Path
from typing import Any

import pytest

from rollcall.questions import Answer, Question
from rollcall.score import score

CLOSE = 1e-9


def write(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value))
    return path


@pytest.mark.parametrize(("profile", "key"), [("qampari", "expected"), ("qampari-pig", "expected_pig")])
def test_qampari_examples(published: Any, tmp_path: Path, profile: str, key: str) -> None:
    examples = published["qampari_eval"]["examples"]
    path = tmp_path / "dev.jsonl"
    path.write_text("\n".join(json.dumps(example) for example in examples))
    report = score(path, path, profile=profile, measures="P R F1", confidence=None)
    for column, name in zip(report.columns, ("precision", "recall", "f1"), strict=True):
        wanted = [example[key][name] for example in examples]
        assert column.values == pytest.approx(wanted, abs=CLOSE)


@pytest.mark.parametrize(("profile", "key"), [("qampari", "expected"), ("qampari-pig", "expected_pig")])
def test_qampari_sets(published: Any, tmp_path: Path, profile: str, key: str) -> None:
    by_id = {example["qid"]: example for example in published["qampari_eval"]["examples"]}
    names = {"P": "precision", "R": "recall", "F1": "f1", "F1>=0.5": "f1_above", "R>=0.8": "rec_above"}
    for part in published["qampari_eval"]["sets"]:
        path = tmp_path / "set.jsonl"
        path.write_text("\n".join(json.dumps(by_id[qid]) for qid in part["qids"]))
        report = score(path, path, profile=profile, confidence=None)
        assert report.n == part["n"]
        for measure, name in names.items():
            assert report[measure].value == pytest.approx(part[key][name], abs=CLOSE), (part["name"], measure)


def test_qampari_where_the_published_scorer_crashes(published: Any, tmp_path: Path) -> None:
    wanted = {
        "empty_predictions": (0.0, 0.0),
        "empty_answer_list": (0.0, 0.0),
        "missing_predictions_key": (0.0, 0.0),
        "missing_aliases_key": (1.0, 1.0),
        "prediction_none": (0.0, 0.0),
    }
    cases = [case for case in published["qampari_eval"]["crash_cases"] if case["example"] is not None]
    assert {case["name"] for case in cases} == set(wanted)
    for case in cases:
        path = write(tmp_path / "case.jsonl", {"qid": "1__wikidata_simple__dev", **case["example"]})
        report = score(path, path, profile="qampari", confidence=None)
        assert (report["P"].value, report["R"].value) == wanted[case["name"]]
        if case["name"] != "missing_aliases_key":
            assert report.warnings or report.unmatched.missing, case["name"]


def romqa_files(published: Any, folder: Path, ids: list[str]) -> tuple[Path, Path]:
    import bz2

    data = published["romqa_eval"]
    chosen = set(ids)
    gold = folder / "dev.json.bz2"
    gold.write_bytes(bz2.compress(json.dumps([e for e in data["examples"] if e["id"] in chosen]).encode()))
    return gold, write(folder / "pred.json", {i: p for i, p in data["predictions"].items() if i in chosen})


def romqa_measure(name: str) -> tuple[str, str]:
    """RoMQA's name of a figure as gold setting and measure."""
    complete = name.startswith("complete_")
    rest = name.removeprefix("complete_")
    worst = rest.startswith("cluster_min_")
    base, _, cut = rest.removeprefix("cluster_min_").partition("_@k")
    measure = {"f1": "F1", "precision": "P", "recall": "R", "acc": "acc"}[base]
    measure += f"@{cut}" if cut not in ("", "None") else ""
    return "complete" if complete else "closed", f"min({measure})" if worst else measure


def test_romqa_sets(published: Any, tmp_path: Path) -> None:
    for part in published["romqa_eval"]["sets"]:
        gold, predictions = romqa_files(published, tmp_path, part["ids"])
        wanted = {romqa_measure(name): value for name, value in part["expected"].items()}
        assert len(wanted) == 40
        for setting in ("closed", "complete"):
            measures = [measure for side, measure in wanted if side == setting]
            report = score(
                gold, predictions, profile="romqa", measures=measures, setting=setting, confidence=None
            )
            for measure in measures:
                assert report[measure].value == pytest.approx(wanted[setting, measure], abs=CLOSE), part[
                    "name"
                ]


def test_romqa_command_line_leaves_out_empty_complete_answers(published: Any, tmp_path: Path) -> None:
    examples = published["romqa_eval"]["examples"]
    gold, predictions = romqa_files(published, tmp_path, [example["id"] for example in examples])
    report = score(
        gold,
        predictions,
        profile="romqa",
        measures="acc min(acc)",
        setting="closed",
        drop_empty=True,
        confidence=None,
    )
    wanted = published["romqa_eval"]["sets"][0]["expected"]
    assert report.n == 163
    assert report["acc"].value == pytest.approx(wanted["acc"], abs=CLOSE)
    assert report["min(acc)"].value == pytest.approx(wanted["cluster_min_acc"], abs=CLOSE)
    assert any("left out" in line for line in report.warnings)


def test_romqa_where_the_published_scorer_crashes(published: Any, tmp_path: Path) -> None:
    for case in published["romqa_eval"]["crash_cases"]:
        if not case["ids"]:
            report = score([], {}, profile="romqa", confidence=None)
        else:
            gold, predictions = romqa_files(published, tmp_path, case["ids"])
            report = score(gold, predictions, profile="romqa", setting="closed", confidence=None)
        if case["name"] in ("all_closed_gold_empty", "no_examples"):
            assert report["F1"].value is None
            assert "no question counts for F1" in report.warnings


@pytest.mark.parametrize(("profile", "key"), [("nq", "expected"), ("answerequiv", "expected_answerequiv")])
def test_exact_match(published: Any, tmp_path: Path, profile: str, key: str) -> None:
    cases = published["nq_em"]["cases"]
    predictions = write(tmp_path / "pred.json", {case["id"]: case["prediction"] for case in cases})
    for name, with_aliases in (("em_single", False), ("em_augmented", True)):
        gold = tmp_path / "gold.jsonl"
        gold.write_text(
            "\n".join(
                json.dumps(
                    {"id": c["id"], "question": "?", "answer": c["answers"] + c["aliases"] * with_aliases}
                )
                for c in cases
            )
        )
        report = score(gold, predictions, profile=profile, confidence=None)
        assert report.columns[0].values == [case[key][name] for case in cases]


def test_exact_match_without_gold_is_zero() -> None:
    report = score([Question("q")], {"q": ["x"]}, profile="nq", confidence=None)
    assert report["EM"].value == 0.0


def test_ambigqa(published: Any, tmp_path: Path) -> None:
    cases = published["nq_em"]["ambigqa_f1"]
    gold = [
        {
            "id": str(number),
            "question": "?",
            "annotations": [
                {"type": "multipleQAs", "qaPairs": [{"question": "?", "answer": a} for a in c["answers"]]}
            ],
        }
        for number, c in enumerate(cases)
    ]
    gold_path = write(tmp_path / "gold.json", gold)
    predictions = write(tmp_path / "pred.json", {str(n): c["predictions"] for n, c in enumerate(cases)})
    report = score(gold_path, predictions, profile="ambigqa", measures="F1 P R", confidence=None)
    for column, name in zip(report.columns, ("f1", "precision", "recall"), strict=True):
        assert column.values == pytest.approx([case["expected"][name] for case in cases], abs=CLOSE)


def test_ambigqa_takes_the_best_annotation() -> None:
    question = Question("q", answers=[Answer("A"), Answer("B")], alternatives=[[Answer("C")]])
    report = score([question], {"q": ["c"]}, profile="ambigqa", confidence=None)
    assert report["F1"].value == 1.0


def test_alce_drops_blanks_counts_repeats_and_stops_at_five() -> None:
    gold = [Answer(name) for name in ["one", "two", "three", "four", "five", "six", "seven"]]
    said = ["One", "the", "two", "two", "three", "four", "five", "wrong"]
    report = score([Question("q", answers=gold)], {"q": said}, profile="alce", confidence=None)
    assert report["P"].value == pytest.approx(6 / 7)
    assert report["R"].value == pytest.approx(5 / 7)
    assert report["R-5"].value == 1.0
    assert report["F1-5"].value == pytest.approx(2 * (6 / 7) / (6 / 7 + 1))


def test_three_scorers_three_figures_one_default() -> None:
    """The case that shows why a profile has to be named."""
    answers = [Answer(name, aliases=[name]) for name in ("A", "A", "B", "C")]
    question = Question("q", answers=answers, provenance={"format": "qampari"})
    values = {
        name: score([question], {"q": ["a", "a.", "B"]}, profile=name, confidence=None)["F1"].value
        for name in ("qampari", "qampari-pig", "romqa", "entity")
    }
    assert values == pytest.approx({"qampari": 4 / 7, "qampari-pig": 2 / 3, "romqa": 1 / 3, "entity": 4 / 5})
