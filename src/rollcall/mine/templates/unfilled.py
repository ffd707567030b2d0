"""Explains why a quota was not met: what was found for its bin, and why it was not used.

Input: quotas, the pool of candidates and the choice. Output: `Unfilled` records. A candidate that was not
chosen is in a bin of another characteristic that is full or that has no quota. A query that repeats a query
or a template does not become a candidate.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from rollcall.mine.quotas import Bins, Quotas, Shortfall

Cell = tuple[str, str]
"""A characteristic and one of its bins."""

_SHOWN = 3


class Unfilled(msgspec.Struct, frozen=True):
    """A bin that is not full: its number of candidates, and the reasons why the others were not chosen.

    `full` counts the candidates that were not chosen by the other bins that were full, `unasked` by the
    characteristics of which no bin contains them. `repeated` counts queries of the bin that did not become
    candidates. `missed` counts the attempts at the bin that gave no query, for bins that attempts can aim at.
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
    """The bins that the choice does not fill; causes come before their consequences."""
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
