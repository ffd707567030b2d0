"""Breaks valid content in the ways that files come broken: bytes flipped, cut, repeated; types exchanged.

Content travels in a case as pieces, each a string of Latin-1 (so that any byte can stand in JSON) with how
often it is repeated: a megabyte of brackets is a line in a stored case.
"""

import copy
import json
import random
from typing import Any

Pieces = list[list[Any]]

ODD_TEXTS = [
    "", " ", "\x00", "\x1b[31m", "\ud800", "\ufeff", "\u202eabc", "é" * 3, "\u0301" * 50, "9" * 5000, "-1",
    "1e999",
    "NaN", "null", "Q0", "../../x", "a\tb", "a\nb", "\\", '"', "'", "[/red]", "<b>", "|", "{{x}}", "[[x]]",
    "0" * 70,
    "@1960-13-45", "POINT(1 1)", "x" * 3000, "1,000,", "(" * 300, ")" * 300, "((1 m))", "5 ft 3 in", "١٢٣",
    "𝟙",
]  # fmt: skip
ODD_VALUES: list[Any] = [
    None, True, False, 0, -1, 3.5, 10**30, -(10**400), 1e308, [], {}, [[]], [None], {"": None}, {"id": 5},
    [1, "a", {}],
    {"text": ["a"]}, {"value": {"value": 1}},
]  # fmt: skip
RAW = [
    "1e999",
    "-0",
    "[" * 2000 + "]" * 2000,
    '{"a":' * 1500 + "1" + "}" * 1500,
    "9" * 5000,
    "0.1e-9999",
    '"\\ud800x"',
]
"""Values that no Python object is written as."""
ODD_BYTES = [
    b"\xff", b"\x00", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\n", b"\n\n", b"\t", b"{", b"}",
    b"[", b"]",
    b'"', b"<", b">", b"|", b",", b":", b"&", b"\\", b"'", b"\x1f\x8b", b"<page>", b"</page>", b"</text>",
    b"<?php ?>",
    b"<!--", b"{{", b"}}", b"[[", b"]]", b"{|", b"|}", b"\n|-\n", b"(", b")", b"_:", b"@", b"^^", b"#",
    b"!!", b"---",
]  # fmt: skip


def pieces(content: bytes) -> Pieces:
    return [[content.decode("latin-1"), 1]]


def content_of(given: Pieces) -> bytes:
    return b"".join(piece.encode("latin-1") * times for piece, times in given)


def odd_value(chance: random.Random) -> Any:
    return copy.deepcopy(chance.choice(ODD_VALUES)) if chance.random() < 0.5 else chance.choice(ODD_TEXTS)


def mutated_json(chance: random.Random, value: Any) -> bytes:
    """A value as JSON with one to three of its parts exchanged, removed, repeated or wrapped."""
    holder = [json.loads(json.dumps(value))]
    raw: dict[str, str] = {}
    for _ in range(chance.randint(1, 3)):
        where, key = _place(chance, holder)
        what = chance.random()
        if what < 0.55:
            where[key] = odd_value(chance)
        elif what < 0.7:
            mark = f"raw {len(raw)}"
            raw[f'"{mark}"'] = chance.choice(RAW)
            where[key] = mark
        elif what < 0.8:
            where[key] = [where[key]] if chance.random() < 0.5 else {"x": where[key]}
        elif what < 0.9 and where is not holder:
            del where[key]
        elif isinstance(where, dict):
            where[chance.choice(["id", "text", "", "answers", "\x00", "question"])] = copy.deepcopy(
                where[key]
            )
        else:
            where.append(copy.deepcopy(where[key]))
    text = json.dumps(holder[0] if holder else None)
    for mark, written in raw.items():
        text = text.replace(mark, written)
    return text.encode()


def _place(chance: random.Random, holder: list[Any]) -> tuple[Any, Any]:
    """A random place in nested lists and objects: its container and its key."""
    where: Any = holder
    key: Any = 0
    while isinstance(where[key], dict | list) and where[key] and chance.random() < 0.8:
        where = where[key]
        key = chance.choice(list(where)) if isinstance(where, dict) else chance.randrange(len(where))
    return where, key


def mutated_bytes(chance: random.Random, content: bytes) -> bytes:
    """Content with some of its bytes flipped, cut out, repeated, exchanged, or odd ones put in."""
    made = bytearray(content)
    for _ in range(chance.choice([1, 1, 2, 3, 8])):
        at = chance.randrange(len(made) + 1)
        length = chance.choice([1, 1, 2, 5, 20, 100])
        what = chance.randrange(6)
        if what == 0 and at < len(made):
            made[at] ^= 1 << chance.randrange(8)
        elif what == 1:
            del made[at : at + length]
        elif what == 2:
            made[at:at] = made[at : at + length] * chance.choice([1, 2, 50])
        elif what == 3:
            made[at:at] = chance.choice(ODD_BYTES) * chance.choice([1, 1, 2, 400])
        elif what == 4:
            made[at : at + length] = chance.choice(ODD_TEXTS).encode("utf-8", "surrogatepass")
        else:
            del made[at:]
    return bytes(made)


def mutated_piece(chance: random.Random, value: Any) -> bytes:
    """A JSON value broken by its structure, its bytes, or both."""
    text = mutated_json(chance, value) if chance.random() < 0.8 else json.dumps(value).encode()
    return mutated_bytes(chance, text) if chance.random() < 0.3 else text
