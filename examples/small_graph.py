"""A graph of your own in Python, and queries of every shape on it.

python examples/small_graph.py
"""

import tempfile

from rollcall import (
    Graph,
    Query,
    argmax,
    count,
    distinct,
    entity,
    instances,
    minimise,
    number,
    parse_value,
    write_graph,
)

FACTS = [
    ("The Glass Orchard", "director", "Orla Venn"),
    ("The Glass Orchard", "producer", "Orla Venn"),
    ("Nine Lanterns", "director", "Orla Venn"),
    ("Nine Lanterns", "producer", "Tam Reck"),
    ("Salt", "director", "Tam Reck"),
    ("Orla Venn", "parent", "Ines Venn"),
    ("Tam Reck", "parent", "Ines Venn"),
]
VALUES = [
    ("The Glass Orchard", "released", parse_value("@1974-03")),
    ("Nine Lanterns", "released", parse_value("@1981")),
    ("The Glass Orchard", "length", number(2, "hour")),
    ("Nine Lanterns", "length", number(95, "minute")),
]
TYPES = [("The Glass Orchard", "film"), ("Nine Lanterns", "film"), ("Salt", "film")]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_graph(f"{folder}/graph", facts=FACTS, values=VALUES, types=TYPES)
        with Graph.open(f"{folder}/graph") as graph:
            films = instances("film") & (entity("Orla Venn") << "director")
            produced = entity("Orla Venn") << "producer"
            show(graph, "her films", films)
            show(graph, "directed and produced", films & produced)
            show(graph, "directed, not produced", films - produced)
            show(graph, "how many", count(films))
            show(graph, "the longest", argmax(films, "length"))
            show(graph, "before 1980", films.where("released", parse_value("@1980"), "<"))
            show(graph, "siblings of Orla", distinct((entity("Orla Venn") >> "parent") << "parent"))
            wordy = Query.parse("?x director [Orla Venn]; ?x producer ?p; ?p parent [Ines Venn]")
            show(graph, "with something redundant", wordy)
            show(graph, "the same, minimised", minimise(wordy, graph))


def show(graph: Graph, meaning: str, query: Query) -> None:
    answers = ", ".join(sorted(str(answer) for answer in graph.answers(query)))
    print(f"{meaning}: {query}\n    {answers or '(none)'}")


if __name__ == "__main__":
    main()
