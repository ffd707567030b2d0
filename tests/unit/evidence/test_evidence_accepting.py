"""Which scored candidates are accepted by each rule, and what is expected of them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engines import ENGINE
from rollcall import RollcallError
from rollcall.evidence import Acceptance
from rollcall.evidence.expected import Chances, Expected, chances, expected_from
from rollcall.evidence.find import accept
from rollcall.tables.build import ScoredCandidates
from rollcall.tables.files import write_scratch
from rollcall.tables.table import arrow, columns, unbound

PRIOR, OWN = 0.3, 0.4
SCORES = (np.arange(300) * 37 % 101 / 101).round(6)


def write(folder: Path, *blocks: np.ndarray) -> list[Path]:
    """Scored candidates as a search leaves them, in one file for each block of their numbers."""
    paths = []
    for number, rows in enumerate(blocks):
        texts: dict[str, Any] = {
            name: [f"{name} {row}" for row in rows] for name in columns(ScoredCandidates)
        }
        numbers = dict.fromkeys(("sentence", "start", "end"), rows)
        judged = {"score": SCORES[rows], "validated": SCORES[rows] >= OWN, "literal": [False] * len(rows)}
        relations = {"relation": [f"P{row % 3}" for row in rows]}
        paths.append(folder / f"{number}.parquet")
        write_scratch(arrow(ScoredCandidates, texts | numbers | judged | relations), paths[-1])
    return paths


def accepted(
    folder: Path, rule: Acceptance, prior: float | None, *blocks: np.ndarray
) -> tuple[Expected | None, dict[float, bool]]:
    """What is expected, and whether each score is accepted."""
    paths = write(folder, *(blocks or [np.arange(len(SCORES))]))
    with ENGINE.workbench(folder / "spill") as bench:
        expected = accept(bench, paths, rule, prior)
        rows = bench.records(lambda: unbound(ScoredCandidates))
    assert len(rows) == sum(map(len, blocks or [SCORES]))
    return expected, {row["score"]: row["validated"] for row in rows}


def all_chances(prior: float) -> Chances:
    return chances(*np.unique(SCORES, return_counts=True), prior)


@pytest.mark.parametrize(
    "rule", [Acceptance(lose=0.2), Acceptance(precision=0.9), Acceptance(threshold=0.7)], ids=str
)
def test_a_rule_becomes_one_score_for_all(tmp_path: Path, rule: Acceptance) -> None:
    expected, rows = accepted(tmp_path, rule, PRIOR)
    assert expected is not None
    assert expected.threshold is not None
    assert 0 < expected.threshold < 1
    assert rows == {score: score >= expected.threshold for score in rows}
    assert expected == expected_from(all_chances(PRIOR), expected.threshold)
    if rule.lose is not None:
        assert 0.15 < expected.lost <= rule.lose
    if rule.precision is not None:
        assert expected.precision is not None
        assert rule.precision <= expected.precision < rule.precision + 0.05


def test_what_is_accepted_does_not_depend_on_blocks(tmp_path: Path) -> None:
    rule = Acceptance(lose=0.1)
    mixed = np.random.default_rng(1).permutation(len(SCORES))
    assert accepted(tmp_path, rule, PRIOR) == accepted(tmp_path, rule, PRIOR, mixed[:7], mixed[7:])


@pytest.mark.parametrize("rule", [Acceptance(), Acceptance(stated=0.01)], ids=str)
def test_what_a_calibrated_verifier_accepts_itself_is_expected_to_lose_something(
    tmp_path: Path, rule: Acceptance
) -> None:
    expected, rows = accepted(tmp_path, rule, PRIOR)
    assert rows == {score: score >= OWN for score in rows}
    alike = expected_from(all_chances(PRIOR), OWN)
    assert expected is not None
    assert alike is not None
    assert expected.threshold is None
    assert (expected.true, expected.lost) == (pytest.approx(alike.true), pytest.approx(alike.lost))
    assert expected.precision == pytest.approx(alike.precision)


def test_of_uncalibrated_scores_only_what_is_asked_for_is_expected(tmp_path: Path) -> None:
    for rule in (Acceptance(), Acceptance(threshold=0.5), Acceptance(stated=0.9)):
        assert accepted(tmp_path, rule, None)[0] is None
    expected, _rows = accepted(tmp_path, Acceptance(lose=0.1), None)
    assert expected == accepted(tmp_path, Acceptance(lose=0.1), 0.5)[0]


def test_a_precision_that_no_score_reaches_accepts_nothing(tmp_path: Path) -> None:
    expected, rows = accepted(tmp_path, Acceptance(precision=0.999), PRIOR, np.flatnonzero(SCORES < 0.2))
    assert expected is not None
    assert (expected.lost, expected.precision, expected.threshold) == (1, None, None)
    assert not any(rows.values())


@pytest.mark.parametrize("rule", [Acceptance(), Acceptance(lose=0.1), Acceptance(precision=0.9)], ids=str)
def test_without_candidates_nothing_is_expected(tmp_path: Path, rule: Acceptance) -> None:
    assert accepted(tmp_path, rule, PRIOR, np.arange(0)) == (None, {})


def test_only_one_rule_can_be_given() -> None:
    with pytest.raises(RollcallError, match="lose and precision: give only one of them"):
        Acceptance(lose=0.05, precision=0.95)
