"""Random graphs far wider than real ones: from empty to nearly complete, with ids and values of every kind.

A graph is drawn as plain JSON, facts by the numbers of their ends, so that a found case can be kept;
`decoded` makes a `SmallGraph` of it.
"""

import random
from typing import Any

from brute_force import SmallGraph
from rollcall.query import parse_value

ODD_NAMES = [
    "1960", "-3.5", "1e6", "@1960", "@(1.5,2.5)", "not", "a", "count", "argmax", "distinct", "max",
    "a b]", "[", "]", "[]", "{x}", "?x", "x", "v", "?v", "row ", "'", '"', '"x"@en', "\\", "\\n",
    "a\nb", "a\tb", " ", " a", "a;b", "a|b", "<b>", "< 5", "&amp;", "%20", "_", "__", "é", "e\u0301",
    "É", "出生地", "𝒜", "\u202e", "\u2028", "\x85", "Q5", "q5", "P31", "urn:rollcall:A", "A",
    "http://e.org/a", "http://e.org/a b", "0", "00", "true", "null", "None", "node_x", "literal_x",
    "answer", "holds", "*", "~1", "?~1", "x'", "a--b", "/*", "--", "$1",
]  # fmt: skip
VALUES = [
    "0", "1", "2", "-3.5", "1960", "0.1", "0.10000000000000001", "9007199254740993", "9007199254740992",
    "1e40", "-1e40", "1e-40", "1e300", "123456789012345678901234567890", "1[Q11573]", "3[Q3710]",
    "1000[Q174789]", "0.9144[Q11573]", "1[Q482798]", "0[Q11573]", "-2[Q11573]", "5[Q4917]", "7[Q25235]",
    "420[Q7727]", "5[odd \\] unit]", "5[number]", "5[date]", "1960[Q577]", "@1960", "@1960-05",
    "@1960-05-17", "@1960-01-01", "@1960-12-31", "@1961", "@196X", "@19XX", "@1XXX", "@0000", "@-0001",
    "@-0043", "@-0043-03-15", "@-004X", "@1900-02-29", "@12345", "@-12345", '"1960"', '""', '"x"',
    '"x"@en', '"x"@de', '"x"@en-GB', '"X"', '"a\\nb"', '"say \\"hi\\""', '"\\\\"', '"é"', '"@1960"',
    '"Q5"', "@(1.5,-2.25)", "@(0.0,0.0)", "@(90.0,180.0)", "@(1e-07,5.0)",
]  # fmt: skip


def draw_graph(chance: random.Random, most_entities: int = 40) -> dict[str, Any]:
    """A graph as JSON: names, and facts, values and types by numbers."""
    count = chance.choice([1, 2, 3, 5, 8, 12, 20, 30, most_entities])
    count = min(count, most_entities)
    odd = chance.random() < 0.5
    entities = _names(chance, count, "Q", odd)
    relations = _names(chance, chance.choice([1, 2, 3, 3, 6]), "P", odd)
    classes = _names(chance, chance.choice([1, 2, 4]), "C", odd)
    density = chance.choice([0.0, 0.02, 0.1, 0.3, 0.6, 0.9]) if count > 3 else chance.random()
    values = chance.sample(VALUES, chance.choice([1, 3, 8, 20]))
    value_share = chance.choice([0.0, 0.05, 0.2]) if len(values) > 8 else chance.choice([0.0, 0.3, 0.8])
    return {
        "entities": entities,
        "relations": relations,
        "classes": classes,
        "values": values,
        "facts": [
            [s, r, [o for o in range(count) if chance.random() < density]]
            for r in range(len(relations))
            for s in range(count)
        ],
        "has": [
            [s, r, [v for v in range(len(values)) if chance.random() < value_share]]
            for r in range(len(relations))
            for s in range(count)
            if chance.random() < 0.5
        ],
        "types": [[e, c] for e in range(count) for c in range(len(classes)) if chance.random() < 0.3],
        "subclasses": [
            [one, other]
            for one in range(len(classes))
            for other in range(len(classes))
            if chance.random() < 0.2
        ],
    }


def _names(chance: random.Random, count: int, letter: str, odd: bool) -> list[str]:
    strange = chance.sample(ODD_NAMES, min(count, len(ODD_NAMES), chance.randint(1, 12))) if odd else []
    return strange + [f"{letter}{number}" for number in range(count - len(strange))]


def decoded(case: dict[str, Any]) -> SmallGraph:
    """The graph that a case describes."""
    entities, relations, classes = case["entities"], case["relations"], case["classes"]
    values = [parse_value(text) for text in case["values"]]
    return SmallGraph(
        list(entities),
        {(entities[s], relations[r], entities[o]) for s, r, objects in case["facts"] for o in objects},
        {(entities[s], relations[r], values[v]) for s, r, objects in case["has"] for v in objects},
        {(entities[e], classes[c]) for e, c in case["types"]},
        {(classes[one], classes[other]) for one, other in case["subclasses"]},
    )
