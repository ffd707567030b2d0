"""Small random graphs on which mining finds something, and the same graphs for brute force.

Relations have domains and ranges, so that constraints share answers and templates repeat; some relations
lead to numbers and dates.
"""

from random import Random

from brute_force import SmallGraph
from rollcall.query import parse_value

CLASSES = ("film", "person", "town")
FACTS = (
    ("director", "film", "person", 1),
    ("cast member", "film", "person", 3),
    ("filmed in", "film", "town", 1),
    ("born in", "person", "town", 1),
    ("lives in", "person", "town", 2),
    ("child", "person", "person", 1),
    ("twin town", "town", "town", 1),
)


def mined_graph(seed: int, size: int = 8) -> SmallGraph:
    """A graph of so many members of each class."""
    chance = Random(seed)
    members = {c: [f"{c} {number}" for number in range(size)] for c in CLASSES}
    graph = SmallGraph([entity for entities in members.values() for entity in entities])
    graph.types = {(entity, c) for c, entities in members.items() for entity in entities}
    for relation, domain, range_, most in FACTS:
        for subject in members[domain]:
            for _ in range(chance.randint(0, most) or chance.randint(0, 1)):
                # The first few are far ahead, as in life.
                object_ = members[range_][int(size * chance.random() ** 2)]
                if object_ != subject:
                    graph.facts.add((subject, relation, object_))
    for entity in members["film"]:
        graph.values.add((entity, "duration", parse_value(str(chance.randint(60, 180)))))
        graph.values.add((entity, "release", parse_value(f"@{chance.randint(1950, 1990)}")))
    for entity in members["town"]:
        graph.values.add((entity, "height", parse_value(f"{chance.randint(1, 2000)}[metre]")))
    return graph
