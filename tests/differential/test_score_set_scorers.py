"""LOFT, QUEST and AmbigQA: our figures are those of their scorers, stated here once more."""

import json
import random
import re
import string
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from rollcall.questions import Answer, Question
from rollcall.score import open_profile, score

CLOSE = 1e-9
NAMES = [
    "A Case of Need", "case of need", "Need", "The Need!", "Lost City Radio", "Lost City", "city", "Radio",
    "La reina de América", "La reina de Ame\u0301rica", "La reina de America", "1984", "19 84", "the", "...",
    "", "Bo", "Bob", "Ann-Marie", "Ann Marie", "AnnMarie", "a", "Sunshine (1999 film)", "Sunshine",
    "One Night @ the Call Center",
]  # fmt: skip


def plain(text: str) -> str:
    """A string as SQuAD's scorer and its many copies compare it."""
    bare = "".join(letter for letter in text.lower() if letter not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def loft(gold: list[str], said: list[str]) -> dict[str, float]:
    """The figures that LOFT adds up for one question."""
    right = [plain(unicodedata.normalize("NFD", name)) for name in gold]
    given_ = [plain(unicodedata.normalize("NFD", name)) for name in said]
    if not given_:
        return {"SubspanEM": 0.0, "SetEM": 0.0}
    fits = np.array([[float(one in other or other in one) for other in given_] for one in right])
    rows, columns = linear_sum_assignment(fits, maximize=True)
    return {
        "SubspanEM": float(fits[rows, columns].sum() == len(right)),
        "SetEM": float(set(right) == set(given_)),
        "Coverage": len(set(right) & set(given_)) / len(right),
    }


@settings(max_examples=300)
@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5), st.lists(st.sampled_from(NAMES), max_size=6))
def test_loft_is_its_scorer(gold: list[str], said: list[str]) -> None:
    found = open_profile("loft").match(Question("q"), [Answer(name) for name in gold], said)
    assert dict(found.own) == pytest.approx(loft(gold, said), abs=CLOSE)
    assert 0 <= found.precision <= 1
    assert 0 <= found.recall <= 1


@given(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=4),
    st.lists(st.sampled_from(NAMES), max_size=4),
    st.randoms(use_true_random=False),
)
def test_the_order_of_answers_changes_nothing_in_loft(
    gold: list[str], said: list[str], order: random.Random
) -> None:
    profile = open_profile("loft")
    before = profile.match(Question("q"), [Answer(name) for name in gold], said)
    order.shuffle(gold)
    order.shuffle(said)
    after = profile.match(Question("q"), [Answer(name) for name in gold], said)
    assert (after.precision, after.recall, dict(after.own)) == (before.precision, before.recall, before.own)


def most_matched(fits: list[list[int]], taken: frozenset[int] = frozenset()) -> int:
    """The size of the best one-to-one assignment, by trying all of them."""
    if not fits:
        return 0
    rest = [most_matched(fits[1:], taken)]
    rest += [1 + most_matched(fits[1:], taken | {place}) for place in fits[0] if place not in taken]
    return max(rest)


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4), st.lists(st.sampled_from(NAMES), max_size=4))
def test_as_many_are_assigned_as_possible(gold: list[str], said: list[str]) -> None:
    forms = [plain(unicodedata.normalize("NFD", name)) for name in gold]
    fits = [
        [place for place, form in enumerate(forms) if one in form or form in one]
        for one in (plain(unicodedata.normalize("NFD", name)) for name in said)
    ]
    found = open_profile("loft").match(Question("q"), [Answer(name) for name in gold], said)
    assert found.found == most_matched(fits)


def write_lines(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_loft_through_its_files(tmp_path: Path) -> None:
    gold = [["A Case of Need"], ["Five Point Someone", "The 3 Mistakes"], ["Crisis of Conscience"], ["Bo"]]
    said = {
        "0": ["Dinner", "case of need (novel)"],
        "1": ["five point someone"],
        "2": ["Crisis of Conscience"],
    }
    queries = write_lines(
        tmp_path / "queries.jsonl",
        [
            {"qid": str(n), "query_text": "?", "metadata": {}, "answers": names}
            for n, names in enumerate(gold)
        ],
    )
    preds = write_lines(
        tmp_path / "preds.jsonl",
        [{"qid": qid, "num_turns": 1, "model_outputs": [names]} for qid, names in said.items()],
    )
    report = score(queries, preds, profile="loft", confidence=None)
    # Question 3 has no prediction: 0 in both matches, and no coverage.
    assert {name: report[name].value for name in ("SubspanEM", "SetEM", "Coverage")} == pytest.approx(
        {"SubspanEM": 2 / 4, "SetEM": 1 / 4, "Coverage": (0 + 1 / 2 + 1) / 3}
    )
    assert report.reading.startswith("queries.jsonl: read as loft")


def test_loft_retrieval_is_recall_and_mrecall_at_k(tmp_path: Path) -> None:
    gold = {"1": ["d1", "d2", "d3"], "2": ["d4"]}
    said = {"1": ["d1", "d9", "d2", "d3", "d8"], "2": ["d5", "d4"]}
    spaced = {qid: [f" {one}\n" for one in ids] for qid, ids in said.items()}
    queries = write_lines(
        tmp_path / "queries.jsonl",
        [
            {"qid": qid, "query_text": "?", "metadata": {}, "answers": [[one, 1] for one in ids]}
            for qid, ids in gold.items()
        ],
    )
    preds = write_lines(
        tmp_path / "preds.jsonl",
        [{"qid": qid, "num_turns": 1, "model_outputs": [ids]} for qid, ids in spaced.items()],
    )
    wanted = {}
    for k in (1, 2, 3, 5):
        hits = {qid: len(set(said[qid][:k]) & set(gold[qid])) for qid in gold}
        wanted[f"R@{k}"] = sum(hits[qid] / len(gold[qid]) for qid in gold) / 2
        wanted[f"MRecall-{k}@{k}"] = sum(hits[qid] == min(k, len(gold[qid])) for qid in gold) / 2
    wanted["R-1@1"] = (1 / 1 + 0) / 2  # capped recall
    report = score(queries, preds, profile="loft-retrieval", measures=list(wanted), confidence=None)
    assert {name: report[name].value for name in wanted} == pytest.approx(wanted)


def test_quest_through_its_files(tmp_path: Path) -> None:
    """By hand: P, R and F1 of sets of titles, MRecall of the first k, and figures by template."""
    gold = write_lines(
        tmp_path / "gold.jsonl",
        [
            {"query": "a", "docs": ["X", "Y", "Y"], "original_query": None, "scores": None,
             "metadata": {"template": "_ or _", "domain": "films"}},
            {"query": "b", "docs": ["Z"], "original_query": None, "scores": None,
             "metadata": {"template": "_", "domain": "books"}},
            {"query": "c", "docs": ["W"], "original_query": None, "scores": None,
             "metadata": {"template": "_", "domain": "books"}},
        ],
    )  # fmt: skip
    pred = write_lines(
        tmp_path / "pred.jsonl",
        [
            {"query": "a", "docs": ["X", "x", "X", "Q"], "scores": [3, 2, 2, 1], "metadata": {}},
            {"query": "b", "docs": ["A", "Z"], "scores": None, "metadata": None},
            {"query": "c", "docs": ["w"], "scores": None, "metadata": {}},
        ],
    )
    report = score(
        gold, pred, profile="quest", measures="P R F1 MRecall MRecall@1 R@1", by="kind", confidence=None
    )
    assert report["P"].value == pytest.approx((1 / 3 + 1 / 2 + 0) / 3)
    assert report["R"].value == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert report["F1"].value == pytest.approx((2 / 5 + 2 / 3 + 0) / 3)
    assert report["MRecall"].value == pytest.approx(1 / 3)
    assert report["MRecall@1"].value == 0
    assert report["R@1"].value == pytest.approx(1 / 2 / 3)
    (f1,) = (one for name, one in report.by["kind"]["_"].figures.items() if str(name) == "F1")
    assert f1.value == pytest.approx((2 / 3 + 0) / 2)


def ambigqa(annotation: dict[str, Any], said: list[str]) -> float:
    """The F1 of one annotation: each answer in turn takes the first prediction that is left and names it."""
    single = annotation["type"] == "singleAnswer"
    answers = [annotation["answer"]] if single else [pair["answer"] for pair in annotation["qaPairs"]]
    left = [plain(one) for one in said]
    hits = 0
    for names in answers:
        hit = next((one for one in left if one in {plain(name) for name in names}), None)
        if hit is not None:
            left.remove(hit)
            hits += 1
    return 2 * hits / (len(answers) + len(said)) if hits else 0.0


def random_ambigqa(chance: random.Random, number: int) -> dict[str, Any]:
    annotations: list[dict[str, Any]] = []
    for _ in range(chance.choice([1, 1, 2, 3])):
        if chance.random() < 0.4:
            annotations.append({"type": "singleAnswer", "answer": chance.sample(NAMES, chance.randint(1, 3))})
        else:
            pairs = [
                {"question": f"Which {place}?", "answer": chance.sample(NAMES, chance.randint(1, 3))}
                for place in range(chance.randint(1, 4))
            ]
            annotations.append({"type": "multipleQAs", "qaPairs": pairs})
    return {
        "id": str(number),
        "question": f"Who {number}?",
        "annotations": annotations,
        "viewed_doc_titles": ["T"],
        "used_queries": [{"query": "q", "results": []}],
        "nq_answer": ["Ann"],
        "nq_doc_title": "T",
    }


@pytest.mark.parametrize("form", ["answers", "pairs"])
def test_ambigqa_through_its_files(tmp_path: Path, form: str) -> None:
    """All questions and those that every annotator found ambiguous, as the published script prints them."""
    chance = random.Random(form)
    examples = [random_ambigqa(chance, number) for number in range(80)]
    said = {one["id"]: [chance.choice(NAMES) for _ in range(chance.randint(1, 4))] for one in examples}
    gold, pred = tmp_path / "dev.json", tmp_path / "pred.json"
    gold.write_text(json.dumps(examples))
    pairs = {
        identity: names if form == "answers" else [{"question": "Q?", "answer": name} for name in names]
        for identity, names in said.items()
    }
    pred.write_text(json.dumps(pairs))
    wanted = {
        one["id"]: max(ambigqa(annotation, said[one["id"]]) for annotation in one["annotations"])
        for one in examples
    }
    multi = [
        one["id"]
        for one in examples
        if all(annotation["type"] != "singleAnswer" for annotation in one["annotations"])
    ]
    assert 10 < len(multi) < 70
    report = score(gold, pred, profile="ambigqa", measures="F1", by="kind", confidence=None)
    assert report.columns[0].values == pytest.approx(list(wanted.values()), abs=CLOSE)
    assert report["F1"].value == pytest.approx(sum(wanted.values()) / len(wanted), abs=CLOSE)
    (only,) = report.by["kind"]["multiple answers"].figures.values()
    assert only.value == pytest.approx(sum(wanted[identity] for identity in multi) / len(multi), abs=CLOSE)
