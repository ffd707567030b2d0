"""The location of every entity: the region of each city, and the country of each entity.

The first cities are capitals by number: city c is the capital of region c and of country c, so that a capital
is always in the right place.
"""

import numpy as np
from numpy.typing import NDArray

from rollcall.world.census import Census
from rollcall.world.chance import Numbers, key, shares, skewed
from rollcall.world.circles import circles
from rollcall.world.families import SIZE
from rollcall.world.kinds import KINDS, Kind

Column = NDArray[np.int32]


def homes(census: Census) -> tuple[Column, Column]:
    """The country and the home (a city, region or country) of every entity; -1 where there is none."""
    country = np.full(census.total, -1, np.int32)
    home = np.full(census.total, -1, np.int32)
    countries = census.range["country"]
    country[countries.start : countries.stop] = np.arange(countries.start, countries.stop)
    for kind in KINDS:
        members = census.range[kind.name]
        part = slice(members.start, members.stop)
        if kind.home == "circle":
            country[part] = _circle_countries(census, kind)
        elif kind.home:
            home[part] = _draw_homes(census, kind, census.range[kind.home])
            country[part] = country[home[part]]
    return country, home


def _draw_homes(census: Census, kind: Kind, places: range) -> Numbers:
    index = np.arange(len(census.range[kind.name]), dtype=np.int64)
    drawn = skewed(shares(key(census.seed, f"home {kind.name}"), index), places.start, places.stop)
    if kind.name in ("region", "city", "language"):  # the first ones: one for each place
        return np.where(index < len(places), places.start + index, drawn)
    if kind.name == "position":  # three for each country, which has the region of its own number
        countries = len(census.range["country"])
        return np.where(index < 3 * countries, places.start + index % countries, drawn)
    return drawn


def _circle_countries(census: Census, kind: Kind) -> Numbers:
    index = np.arange(len(census.range[kind.name]), dtype=np.int64)
    countries = census.range["country"]
    unit = circles(census, kind, index)
    own = index // SIZE if kind.name == "human" else index  # families stay together
    stray = shares(key(census.seed, f"stray {kind.name}"), own) < 0.12
    draws = np.where(
        stray,
        shares(key(census.seed, f"stray country {kind.name}"), own),
        shares(key(census.seed, f"circle country {kind.name}"), unit),
    )
    return skewed(draws, countries.start, countries.stop)
