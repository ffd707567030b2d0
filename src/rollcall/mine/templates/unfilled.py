"""Why a quota was not met, told of that quota alone: what fell into its bin, and why it was not used.

A candidate that is left over stands in a bin of another characteristic that is full or that nobody asked for;
one that repeats a query or a template never becomes a candidate.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from rollcall.mine.quotas import Bins, Quotas, Shortfall

Cell = tuple[str, str]
"""A characteristic and one of its bins."""

_SHOWN = 3


class Unfilled(msgspec.Struct, frozen=True):
    """A bin that is not full: how many candidates fell into it, and where those left over did not fit.

    `full` counts them by the other bins that were full, `unasked` by characteristics none of whose bins holds
    them. `repeated` counts queries of the bin that were no candidates, `missed` the attempts at the bin that
    gave no query, for bins that attempts can aim at.
    """

    dimension: str
    bin: str
    wanted: int
    chosen: int
    available: int
    full: dict[str, int]
    unasked: dict[str, int]
    repeated: dict[str, int]
    missed: dict[str, int]

    def __str__(self) -> str:
        candidates = "candidate" if self.available == 1 else "candidates"
        parts = [f"{self.available:,} {candidates} fell into it"]
        if left := self.available - self.chosen:
            parts.append(f"{left:,} left over")
            if self.full:
                parts.append(f"full were {_told(self.full)}")
            if self.unasked:
                parts.append(f"in no bin of {_told(self.unasked)}")
        if self.available < self.wanted:
            parts += [f"besides {count:,} {fate}" for fate, count in _most(self.repeated)]
            if self.missed:
                fates = ", ".join(f"{count:,} {fate}" for fate, count in _most(self.missed))
                parts.append(f"attempts at it that failed: {fates}")
        return f"{self.dimension} {self.bin}: {self.chosen} of {self.wanted}: {'; '.join(parts)}"


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({count:,})" for name, count in _most(counts))


def _most(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return Counter(counts).most_common(_SHOWN)


def unfilled_bins(
    quotas: Quotas,
    pool: Sequence[Bins],
    chosen: Sequence[int],
    repeated: Mapping[Cell, Mapping[str, int]],
    missed: Mapping[Cell, Mapping[str, int]],
) -> list[Unfilled]:
    """What the choice from a pool lacks, causes before what follows from them."""
    have = [pool[number] for number in chosen]
    short = quotas.shortfalls(have, pool)
    lacking = {(one.dimension, one.bin) for one in short}
    taken = set(chosen)
    left = [bins for number, bins in enumerate(pool) if number not in taken]
    found = [_unfilled(quotas, one, left, lacking, repeated, missed) for one in short]
    return sorted(found, key=lambda one: one.available >= one.wanted)


def _unfilled(
    quotas: Quotas,
    short: Shortfall,
    left: Sequence[Bins],
    lacking: set[Cell],
    repeated: Mapping[Cell, Mapping[str, int]],
    missed: Mapping[Cell, Mapping[str, int]],
) -> Unfilled:
    full: Counter[str] = Counter()
    unasked: Counter[str] = Counter()
    own = (short.dimension, short.bin)
    for bins in left:
        cells = list(zip(quotas.dimensions, bins, strict=True))
        if own not in cells:
            continue
        for dimension, bin_ in cells:
            if bin_ not in quotas.wanted[dimension]:
                unasked[dimension] += 1
            elif (dimension, bin_) not in lacking:
                full[f"{dimension} {bin_}"] += 1
    return Unfilled(*short, dict(full), dict(unasked), dict(repeated.get(own, {})), dict(missed.get(own, {})))
