"""Properties that all cells of one relation share: whether bare numbers are years, and their unit.

A column "founded" with 1984 contains years; a column "area km²" contains square kilometres. Both the name and
the data are used, because either alone can mislead.
"""

import re

from rollcall.graph.ingest.cells import USUAL_FIRST_YEAR
from rollcall.query.units import UNITS, named_unit

_YEARS = """
    year years date dates founded established born died birth death opened opening built completed released
    release published launched closed dissolved abolished formed created inaugurated elected appointed joined
    left commissioned decommissioned introduced discontinued since until debut premiere premiered season est
    inception started start ended end begin began constructed construction
"""
_COUNTS = """
    population capacity height elevation altitude depth length width area distance weight mass points score
    votes sales attendance number no count total members students enrollment employees passengers rank
    prominence drop goals runs price cost budget revenue power frequency speed seats pages km m ft mi kg
"""
_YEAR_WORDS, _COUNT_WORDS = frozenset(_YEARS.split()), frozenset(_COUNTS.split())
_MEASURES = {
    "length": "height length width depth elevation altitude distance prominence diameter drop span thickness "
    "calibre caliber gauge draft draught beam wingspan radius size",
    "area": "area surface size land water",
    "volume": "volume capacity",
    "mass": "weight mass load payload",
    "duration": "duration time length runtime running age",
    "speed": "speed velocity",
    "power": "power capacity output",
    "flow": "flow discharge",
}
_WORDS = re.compile(r"[^\W_]+(?:/[^\W_]+)?", re.UNICODE)
_FEW = 5
_MOST, _HALF = 0.9, 0.5
_FIRST_NAMED_YEAR = 100


def first_year(relation: str, bare_integers: int, like_years: int) -> int | None:
    """The number from which whole numbers in a relation's cells are years; None if they are not years.

    They are years if the relation's name says so and at least half of its whole numbers look like years, or
    if there are at least five, nearly all look like years, and the name does not mention a count or a
    measure.
    """
    words = {word.lower() for word in _WORDS.findall(relation)}
    if words & _YEAR_WORDS:
        return _FIRST_NAMED_YEAR if like_years >= _HALF * bare_integers else None
    if bare_integers >= _FEW and like_years >= _MOST * bare_integers and not words & _COUNT_WORDS:
        return USUAL_FIRST_YEAR
    return None


def unit_in_name(relation: str) -> str | None:
    """The unit at the end of a relation's name, such as "height (m)" or "area km²", if it fits the name."""
    words = [word.lower() for word in _WORDS.findall(relation)]
    if len(words) < 2:
        return None
    for size in (2, 1):
        unit = named_unit(" ".join(words[-size:]))
        if unit is not None and len(words) > size:
            measures = _MEASURES.get(UNITS[unit].dimension, "").split()
            return unit if set(words[:-size]) & set(measures) else None
    return None
