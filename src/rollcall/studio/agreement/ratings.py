"""Who chose what for which item, as counts that coefficients of agreement are computed from.

Nobody need judge everything: an item counts by the judgments it has. Categories are given in their order,
also those that nobody chose, because chance-corrected coefficients depend on how many there were to choose
from.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rollcall.errors import RollcallError

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Rating(NamedTuple):
    """What one person chose for one item."""

    item: str
    person: str
    category: str


class RatingTable(NamedTuple):
    """How often each category was chosen for each item."""

    categories: tuple[str, ...]
    items: tuple[str, ...]
    counts: "NDArray[np.float64]"
    """One row for each item, one column for each category."""
    clusters: "NDArray[np.int64]"
    """The cluster of each item; what belongs together is drawn together where intervals are computed."""
    people: int

    @property
    def shared(self) -> int:
        """How many items have the judgments of two people or more."""
        return int((self.counts.sum(axis=1) >= 2).sum())


def rating_table(
    ratings: Iterable[Rating], categories: Sequence[str], clusters: Mapping[str, str] | None = None
) -> RatingTable:
    """Count ratings; of several by one person on one item, the last counts.

    `clusters` names what each item belongs to, such as its question; without it each item stands alone.
    """
    places = {category: place for place, category in enumerate(categories)}
    last: dict[str, dict[str, int]] = {}
    for item, person, category in ratings:
        if category not in places:
            raise RollcallError(f"{category!r:.80} was chosen for {item}, and is none of {', '.join(places)}")
        last.setdefault(item, {})[person] = places[category]
    counts = np.zeros((len(last), len(places)))
    for row, chosen in enumerate(last.values()):
        np.add.at(counts[row], list(chosen.values()), 1)
    named = {} if clusters is None else clusters
    numbers: dict[str, int] = {}
    of_items = [numbers.setdefault(named.get(item, item), len(numbers)) for item in last]
    people = {person for chosen in last.values() for person in chosen}
    return RatingTable(tuple(categories), tuple(last), counts, np.array(of_items, np.int64), len(people))
