"""Texts that may or may not be queries: each is refused, or its canonical text parses to the same query."""

import random
from typing import Any

from fuzzing.target import Target
from rollcall import RollcallError
from rollcall.query import Query

PIECES = [
    "?x", "?y", "?v", " a ", ";", "|", "{", "}", "not ", "count(", ")", "argmax(", "max(", "distinct", " r ",
    "[a b]", "[", "]", "Q5", "P31", "@1960", "@1960-05-17", "@196X", "-3.5", "1e40", "5[Q11573]", '"x"@en',
    '"',
    "<", "<=", ">", ">=", "=", "\\", "\n", "\u202e", "é", "0" * 40, "@-0043", "@(1.5,-2.25)", ",", ".", " ",
]  # fmt: skip


def draw(chance: random.Random) -> Any:
    return "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 16)))


def check(case: Any) -> None:
    try:
        query = Query.parse(case)
    except RollcallError:
        return
    assert Query.parse(query.text) == query


TARGETS = [Target("query-text", draw, check, share=2000)]
