"""Odd values and ids, and families of values that are easily taken for one another."""

import random

from rollcall import RollcallError
from rollcall.query import Value, parse_value

UNITS = ["Q11573", "Q828224", "Q174789", "Q3710", "Q218593", "Q482798", "Q253276", "Q180154", "Q182429",
         "Q128822", "Q577", "Q7727", "Q4243638", "Q81292", "Q48013", "Q4917", "Q25224", "Q11229"]  # fmt: skip
ODD_UNITS = [
    "length",
    "number",
    "date",
    "[",
    "]",
    "\\",
    "a b",
    ":",
    "quantity:length",
    "É",
    "\x00",
    '"',
    "Q199",
]
LANGUAGES = ["en", "EN", "en-GB", "en-gb", "zh-Hans", "zh-classical", "be-x-old", "en-", "e", "x-a", "a--b",
             "en-us-us", "abcdefghi", "sr-ec", "cbk-zam", "i-klingon", "de-1996", "en-a", "q1"]  # fmt: skip
PIECES = ["a", "A", "é", "e\u0301", '"', "\\", "\n", "\t", "\r", "\x00", "\x01", "\x7f", "\x85", "\u2028",
"\ufffe",
          "\u202e", "𝒜", "\\u0041", "\\n", "'", "<", ">", "{", "%", "%41", "%zz", "^^", "@en", " ", "?x",
          "#", "/",
          ":", "1960", "--", ";", "*/", "$1", "urn:rollcall:", "http://e.org/", "_:b"]  # fmt: skip
IDS = [
    "A", "urn:rollcall:A", "urn:rollcall:urn:rollcall:A", "urn%3Arollcall%3AA", "", " ", "a b",
    "http://e.org/a",
    "http://e.org/a b", "http://e.org:port/", "http://e.org:80/", "http://[", "http://e.org/a#b#c",
    "http://e.org/é",
    "http://e.org/%zz", "http://e.org/%41", "http://e.org/A", "HTTP://e.org/A", "http://e.org/?q=a?b#c",
    "http:a",
    "https://", "file:///a/b", "urn:x", "urn:", "urn:a:b", "urn://a:b", "tag:a,2020:b", "mailto:a@b", "_:b",
    "http://u@e.org/", "http://e.org/\u202e", "http://e.org/a–b", "http://e.org/\ufffe",
    "http://e.org/\ue000",
    "http://e.org/a\u3000b", "http://e.org/[a]", "http://e.org/'", "http://e.org/\\", "http://e.org/𝒜",
    "http://é/",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "http://www.w3.org/2000/01/rdf-schema#subClassOf",
    "http://www.w3.org/2000/01/rdf-schema#label", "type.int", "type.text", "type.datetime", "1960",
    "@1960", "a",
    "not", "[", "]", "x", "v", "number", "urn:rollcall:number", "\x00", "é", "e\u0301", "\u202e", "𝒜", '"',
    "\\",
]  # fmt: skip


def text(chance: random.Random, most: int = 4) -> str:
    return "".join(chance.choice(PIECES) for _ in range(chance.randint(0, most)))


def number(chance: random.Random) -> str:
    """The text of a number, usual or of unusual size and shape."""
    digits = "".join(
        chance.choices("0123456789", k=chance.choice([1, 2, 4, 15, 16, 17, 18, 19, 25, 40, 320, 2100]))
    )
    drawn = chance.choice([
        digits, digits + "." + digits[::-1], "0." + digits, "1" + "0" * chance.randint(1, 40), "00012",
        "-0", "5", "3",
        "0.9144", "36", "10", "9007199254740992", "9007199254740993", "0.1", "0.30000000000000004", "1E",
        "1_000",
        f"{chance.randint(1, 999)}e{chance.choice([-320, -300, -40, -7, 0, 7, 15, 16, 40, 300, 400, 10**9])}",
        "NaN",
    ])  # fmt: skip
    return chance.choice(["", "", "", "-", "+"]) + drawn


def date(chance: random.Random) -> str:
    year = chance.choice([
        "1960", "1900", "0000", "-0001", "-0004", "-0043", "1", "12345", "-12345", "999999999999",
        "1000000000000",
        "-1000000000000", "1000000000001", "9" * 40, "9" * 5000, "0" * 5000 + "1960", "196X", "19XX", "1XXX",
        "-004X", "-00XX", "000X", "12XXX", "-999999999XXX", "1XXXX", "X", "2000", "1700", "१९६०",
    ])  # fmt: skip
    month = chance.choice(["", "", "-01", "-02", "-12", "-13", "-00", "-5"])
    day = chance.choice(["", "-01", "-28", "-29", "-30", "-31", "-32", "-00"]) if month else ""
    return f"@{year}{month}{day}"


def value_text(chance: random.Random, units: list[str]) -> str:
    """A text that may be a value."""
    kind = chance.choice(["number", "quantity", "quantity", "date", "date", "text", "point", "soup"])
    if kind == "number":
        return number(chance)
    if kind == "quantity":
        return f"{number(chance)}[{chance.choice(units)}]"
    if kind == "date":
        return date(chance)
    if kind == "text":
        quoted = text(chance).replace("\\", "\\\\").replace('"', '\\"')
        return f'"{quoted}"' + (f"@{chance.choice(LANGUAGES)}" if chance.random() < 0.5 else "")
    if kind == "point":
        degrees = [
            "0",
            "-0",
            "1.5",
            "-2.25",
            "90",
            "181",
            "1e-7",
            "1e400",
            "0.1",
            "0.10000000000000001",
            "1e22",
        ]
        return f"@({chance.choice(degrees)},{chance.choice(degrees)})"
    return text(chance, 6)


def family(chance: random.Random, units: list[str], count: int) -> list[Value]:
    """Values of which several are alike but for the unit, the precision, a last digit or the language."""
    texts = []
    while len(texts) < 4 * count:
        drawn = value_text(chance, units)
        texts += [drawn, drawn]
        kind = chance.randrange(4)
        if kind == 0:
            amount = chance.choice(["5", "1e40", "9007199254740993", number(chance)])
            texts += [amount, *(f"{amount}[{unit}]" for unit in chance.sample(units, 2))]
        elif kind == 1:
            texts += [
                "@1900",
                "@1900-02",
                "@1900-02-28",
                "@1900-02-29",
                "@1900-03-01",
                "@190X",
                "@19XX",
                "@1XXX",
            ]
        elif kind == 2:
            texts += [
                "3[Q3710]",
                "0.9144[Q11573]",
                "1[Q482798]",
                "914.4[Q174789]",
                "36[Q180154]",
                "10[Q182429]",
            ]
        else:
            word = text(chance, 2).replace("\\", "\\\\").replace('"', '\\"')
            texts += [f'"{word}"', *(f'"{word}"@{language}' for language in chance.sample(LANGUAGES, 2))]
    chance.shuffle(texts)
    found: dict[Value, None] = {}
    for one in texts:
        try:
            found[parse_value(one)] = None
        except RollcallError:
            continue
    return list(found)[:count]
