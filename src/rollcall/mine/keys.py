"""The stable key of a query, computed by the engine from its structural parts alone."""

import hashlib

import ibis

from rollcall.mine.layout import SEPARATOR


def key(kind: str, *parts: ibis.Value) -> ibis.Value:
    """The md5 of a kind and its parts; a missing part, such as a class, is empty."""
    joined: ibis.Value = ibis.literal(kind)
    for part in parts:
        joined = joined + SEPARATOR + part.fill_null("")
    return joined.hexdigest("md5")


def row_key(kind: str, *parts: str) -> str:
    """The same key, computed in Python."""
    return hashlib.md5(SEPARATOR.join([kind, *parts]).encode()).hexdigest()


def lot(seed: int, key_column: ibis.Value) -> ibis.Value:
    """Where a query stands when lots are drawn: a hash of the seed and the key."""
    return (ibis.literal(f"{seed}{SEPARATOR}") + key_column).hexdigest("md5")


def placed(rows: ibis.Table, by: list[str], seed: int) -> ibis.Table:
    """Rows with their `place`, from 0, when lots are drawn among rows that agree in some columns."""
    order = [lot(seed, rows["key"]), rows["key"]]
    return rows.mutate(place=ibis.row_number().over(ibis.window(group_by=by, order_by=order)))


def drawn(rows: ibis.Table, by: list[str], most: int, seed: int) -> ibis.Table:
    """At most so many rows for each value of some columns, drawn by lot of their keys."""
    return placed(rows, by, seed).filter(ibis._.place < most).drop("place")
