"""`rollcall demo`: the first minute, from nothing to answers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rollcall.cli.demo_queries import Example
    from rollcall.graph import Graph


def demo(
    out: Annotated[Path, typer.Option(help="Where the world and its graph go.")] = Path("demo"),
    entities: Annotated[int, typer.Option(min=1000, help="How many entities the world has.")] = 3000,
    seed: Annotated[int, typer.Option(help="Another seed, another world.")] = 1,
) -> None:
    """Generate a fictional world, load its dump as a graph, and answer five queries of different shapes.

    For each query it prints the text, the SPARQL, the λ-calculus form, and the answers with their aliases.
    """
    from rollcall.cli.demo_queries import examples
    from rollcall.graph import Graph
    from rollcall.graph.make import make_graph
    from rollcall.world import write_world

    print(f"1. A fictional world of {entities:,} entities, as dump files: {out / 'world'}")
    write_world(out / "world", entities=entities, seed=seed)
    print(f"2. Its Wikidata dump, read into a graph: {out / 'graph'}")
    make_graph([out / "world" / "wikidata.json.gz"], out / "graph")
    with Graph.open(out / "graph") as graph:
        counts = graph.manifest["counts"]
        print(
            "   "
            + ", ".join(f"{counts[name]:,} {name}" for name in ("entities", "facts", "values", "relations"))
        )
        print("3. Five queries of different shapes\n")
        for number, example in enumerate(examples(graph), start=1):
            _show(graph, example, number)
    print(
        f"Ask your own: rollcall ask {out / 'graph'} '?x a film; ?x [cast member] ?y' (rollcall ask --help)"
    )


def _show(graph: "Graph", example: "Example", number: int) -> None:
    from rollcall.cli.answers import answer_records
    from rollcall.cli.ask import lambda_of, sparql_of

    print(f"── {number}. {example.shape}: {example.meaning}")
    print(f"query   {example.query.text}")
    print(f"lambda  {lambda_of(example.query, graph)}")
    print("sparql")
    for line in sparql_of(example.query, graph).splitlines():
        if not line.startswith("PREFIX"):
            print(f"   {line}")
    records = answer_records(graph, graph.answers(example.query))
    print(f"answers ({len(records)})")
    for record in records:
        aliases = record.get("aliases")
        also = f"  — also {', '.join(aliases)}" if aliases else ""
        print(f"   {record['label']} ({record.get('id', record.get('value'))}){also}")
    print()
