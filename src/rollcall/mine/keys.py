"""The stable key of a query, computed by the engine from its structural parts alone."""

from typing import Any

import ibis

from rollcall.mine.layout import SEPARATOR


def key(kind: str, *parts: Any) -> Any:
    """The md5 of a kind and its parts; a missing part, such as a class, is empty."""
    joined: Any = ibis.literal(kind)
    for part in parts:
        joined = joined + SEPARATOR + part.fill_null("")
    return joined.hexdigest("md5")


def lot(seed: int, key_column: Any) -> Any:
    """Where a query stands when lots are drawn: a hash of the seed and the key."""
    return (ibis.literal(f"{seed}{SEPARATOR}") + key_column).hexdigest("md5")


def drawn(rows: Any, by: list[str], most: int, seed: int) -> Any:
    """At most so many rows for each value of some columns, drawn by lot of their keys."""
    order = [lot(seed, rows["key"]), rows["key"]]
    place = ibis.row_number().over(ibis.window(group_by=by, order_by=order))
    return rows.mutate(place=place).filter(ibis._.place < most).drop("place")
