"""Joins two pieces that explain different words: both, either of them, or one without the other.

Words between their own words decide: after `not` the second piece is denied, `or` right between them asks for
either, and everything else for both.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from rollcall.systems.ask.features import adding, summed
from rollcall.systems.ask.forms import Joined, Members
from rollcall.systems.ask.model import LogLinear
from rollcall.systems.ask.pieces import Piece, may_be_joined
from rollcall.systems.ask.reading import Reading
from rollcall.systems.ask.words import mask_of

_WHOLE_PHRASE = 0.8


def joined(
    reading: Reading, model: LogLinear, pieces: Iterable[Piece], partners: Iterable[Piece]
) -> Iterator[Piece]:
    """Every piece joined with every partner that it may be joined with, as far as there are answers."""
    listed = list(partners)
    for one in pieces:
        for other in listed:
            if one.form != other.form and may_be_joined(one, other):
                found = _join(reading, model, one, other)
                if found is not None:
                    yield found


def _join(reading: Reading, model: LogLinear, one: Piece, other: Piece) -> Piece | None:
    own, others = one.mask & ~other.mask, other.mask & ~one.mask
    mask, how = one.mask | other.mask, "and"
    left, right = one, other
    if (place := _denial(reading, own, others, mask)) is not None:
        if own > others:
            return None  # the pair comes in the other order too
        how, mask = "but not", mask | 1 << place
        terms = np.setdiff1d(one.terms, other.terms, assume_unique=True)
    elif (place := _alternative(reading, one, other)) is not None:
        how, mask = "or", mask | 1 << place
        terms = np.union1d(one.terms, other.terms)
    else:
        terms = np.intersect1d(one.terms, other.terms, assume_unique=True)
        if not isinstance(other.form, Members) and other.first < one.first:
            left, right = other, one
    if not len(terms):
        return None
    idle = how == "but not" and len(terms) == len(left.terms)
    features = adding(summed(left.features, right.features), {"join": 1.0, "idle denial": float(idle)})
    return Piece(
        Joined(how, left.form, right.form), terms, mask, one.uses | other.uses, features,
        model.local(features), min(one.first, other.first), max(one.last, other.last),
        left.hops if how == "but not" else (*left.hops, *right.hops), one.nouns | other.nouns,
        one.typed | other.typed, one.about | other.about,
    )  # fmt: skip


def _denial(reading: Reading, own: int, others: int, mask: int) -> int | None:
    """The place of an unused `not` between the last own words of two pieces."""
    for place in reading.signs.denials:
        if not mask >> place & 1 and (own >> place == 0) != (others >> place == 0):
            return place
    return None


def _alternative(reading: Reading, one: Piece, other: Piece) -> int | None:
    """The place of an unused `or` right between the own words of two pieces of the same kind."""
    if bool(one.hops) != bool(other.hops):
        return None
    own, others = one.mask & ~other.mask, other.mask & ~one.mask
    for place in reading.signs.alternatives:
        before = mask_of([at for at in range(place) if reading.weights[at]][-1:])
        after = mask_of([at for at in range(place + 1, len(reading.words)) if reading.weights[at]][:2])
        if (one.mask | other.mask) >> place & 1 or _is_in_phrase(reading, before, after):
            continue
        if (own & before and others & after) or (others & before and own & after):
            return place
    return None


def _is_in_phrase(reading: Reading, before: int, after: int) -> bool:
    """Whether words on both sides of an `or` are in one phrase: "language of film or TV show"."""
    return any(
        one.match >= _WHOLE_PHRASE and one.mask & before and one.mask & after for one in reading.relations
    )
