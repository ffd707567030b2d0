"""The counted errors of a run, each as one unit that can be drawn and judged, with what is known about it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollcall.score.incomplete.counts import Counts, Floats
from rollcall.score.incomplete.verdicts import Pair, Verdict, Verdicts, pair_of


@dataclass(frozen=True)
class ErrorPool:
    """Distinct errors: a name that a profile counts twice in one question is one unit of weight 2."""

    pairs: list[Pair]
    answers: list[str]
    """Each error as the system wrote it."""
    places: NDArray[np.int64]
    """Its question, by position in the counts."""
    times: Floats
    """How often it counts."""
    right: Floats
    """The verdict: 1, 0, or not a number if nobody decided."""
    drawn: NDArray[np.bool_]
    """Whether the verdict is one of a random sample."""
    chance: Floats
    """The probability that machines give; not a number if none judged it."""

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def known(self) -> NDArray[np.bool_]:
        """Errors that were judged on purpose: they are known, and speak for no other."""
        return ~np.isnan(self.right) & ~self.drawn

    def chosen(self, which: NDArray[np.bool_]) -> "ErrorPool":
        """Some of the errors."""
        places = np.flatnonzero(which).tolist()
        return ErrorPool(
            [self.pairs[place] for place in places],
            [self.answers[place] for place in places],
            self.places[which],
            self.times[which],
            self.right[which],
            self.drawn[which],
            self.chance[which],
        )


def error_pool(counts: Counts, known: Verdicts) -> ErrorPool:
    """All errors of a run with their verdicts."""
    pairs: list[Pair] = []
    answers: list[str] = []
    places: list[int] = []
    times: list[float] = []
    for place, (identity, errors) in enumerate(zip(counts.ids, counts.errors, strict=True)):
        units: dict[Pair, list[str]] = {}
        for text in errors:
            units.setdefault(pair_of(identity, text), []).append(text)
        for pair, texts in units.items():
            pairs.append(pair)
            answers.append(texts[0])
            places.append(place)
            times.append(len(texts))
    found = [known.pairs.get(pair, Verdict()) for pair in pairs]
    return ErrorPool(
        pairs,
        answers,
        np.array(places, dtype=np.int64),
        np.array(times, dtype=np.float64),
        np.array([np.nan if one.right is None else one.right for one in found], dtype=np.float64),
        np.array([one.drawn for one in found], dtype=np.bool_),
        np.array([np.nan if one.chance is None else one.chance for one in found], dtype=np.float64),
    )
