"""Writes `card.json`: how the model's log-odds become probabilities, and how well it does.

    python models/training/calibrate.py weights/s3_{0,1,2,3,4}.npz --examples examples --out CARD

The models of all folds together have scored every labelled triple without having seen its page. A logistic
regression makes their log-odds probabilities. Its error is measured on each fold with the regression of the
others. The threshold is the one that loses `LOST` of the true ones.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from records import FOLDS, fold_of, judged_triples
from rollcall.evidence.labelled import average_precision, calibration_error

LOST = 0.045
_MOST = 8.0
"""Log-odds beyond this are read as this, as the verifier does."""

Numbers = NDArray[np.float64]


def fitted(logits: Numbers, labels: NDArray[np.bool_]) -> Numbers:
    """Constant and slope, by Newton's method."""
    features = np.column_stack([np.ones(len(logits)), logits])
    weights = np.array([0.0, 1.0])
    for _ in range(50):
        chances = chances_of(logits, weights)
        curve = (features.T * (chances * (1 - chances))) @ features
        weights = weights - np.linalg.solve(curve, features.T @ (chances - labels))
    return weights


def chances_of(logits: Numbers, weights: Numbers) -> Numbers:
    """Log-odds as probabilities."""
    found: Numbers = 1 / (1 + np.exp(-(weights[0] + weights[1] * logits)))
    return found


def calibration(logits: Numbers, true: NDArray[np.bool_]) -> dict[str, float]:
    """How log-odds become probabilities, and the probability below which `LOST` of the true ones are."""
    within = np.clip(logits, -_MOST, _MOST)
    weights = fitted(within, true)
    return {
        "constant": round(float(weights[0]), 6),
        "slope": round(float(weights[1]), 6),
        "threshold": round(float(np.quantile(chances_of(within, weights)[true], LOST)), 4),
    }


def card(paths: list[Path], examples: Path) -> dict[str, object]:
    """The card of a model, from the log-odds of the models of all folds."""
    triples = list(judged_triples(examples / "test.jsonl.gz"))
    folds = np.array([fold_of(triple["page"]) for triple in triples])
    kinds = np.array([triple["kind"] for triple in triples])
    true = kinds == "true"
    logits = np.zeros(len(triples))
    for fold, path in enumerate(paths):
        with np.load(path) as file:
            logits[folds == fold] = np.clip(file["logits"], -_MOST, _MOST)
    chances = np.zeros(len(triples))
    for fold in range(FOLDS):
        own = folds == fold
        chances[own] = chances_of(logits[own], fitted(logits[~own], true[~own]))
    removed = {}
    for lost in (0.05, 0.075):
        least = np.quantile(chances[true], lost)
        for kind in ("wrong", "decoy"):
            removed[f"{kind} at {lost:.1%} lost"] = round(float(np.mean(chances[kinds == kind] < least)), 4)
    return {
        **calibration(logits, true),
        "trained on": [
            "Re-DocRED, development part (labels by people)",
            "WikiTables-WithLinks, with facts of its tables and of Wikidata (distant supervision)",
            "two generated worlds",
        ],
        "measured on": f"Re-DocRED, development part, {FOLDS} folds of documents",
        "removed": removed,
        "average precision": round(average_precision(chances, true) or 0.0, 4),
        "calibration error": round(calibration_error(chances, true), 4),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("logits", type=Path, nargs=FOLDS, help="what train.py wrote for folds 0 to 4")
    parser.add_argument("--examples", type=Path, default=Path("examples"))
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.out.write_text(json.dumps(card(given.logits, given.examples), indent=2) + "\n", encoding="utf-8")
