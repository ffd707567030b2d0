"""The stable key of a query, computed from its structural parts, and random sampling by this key."""

import hashlib

import ibis

from rollcall.tables.table import Rows, T

SEPARATOR = "\t"
"""Stands between the parts of a key before it is hashed."""


def key(kind: str, *parts: ibis.Value) -> ibis.Value:
    """The md5 of a kind and its parts, as an expression; a missing part, such as a class, is empty."""
    joined: ibis.Value = ibis.literal(kind)
    for part in parts:
        joined = joined + SEPARATOR + part.fill_null("")
    return joined.hexdigest("md5")


def row_key(kind: str, *parts: str) -> str:
    """The same key, computed in Python."""
    return hashlib.md5(SEPARATOR.join([kind, *parts]).encode()).hexdigest()


def lot(seed: int, key_column: ibis.Value) -> ibis.Value:
    """The random number of a query for sampling: a hash of the seed and the key."""
    return (ibis.literal(f"{seed}{SEPARATOR}") + key_column).hexdigest("md5")


def placed(rows: ibis.Table, by: list[str], seed: int) -> ibis.Table:
    """Rows with their `place` (from 0) in a random order among the rows with equal values in the columns
    `by`.
    """
    order = [lot(seed, rows["key"]), rows["key"]]
    return rows.mutate(place=ibis.row_number().over(ibis.window(group_by=by, order_by=order)))


def drawn(rows: Rows[T], by: list[str], most: int, seed: int) -> Rows[T]:
    """A random sample of at most `most` rows for each combination of values in the columns `by`."""
    sample: Rows[T] = placed(rows, by, seed).filter(ibis._.place < most).drop("place")
    return sample
