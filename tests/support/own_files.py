"""Graph files as people have them: a few facts as rows, and a graph made of one file."""

from pathlib import Path

from rollcall.graph import Graph, make_graph

FACTS = [
    ("Falcon Pump", "manufacturer", "Nordwerk"),
    ("Falcon Pump", "part", "Rotor Seal"),
    ("Osprey Pump", "manufacturer", "Nordwerk"),
    ("Nordwerk", "headquarters", "Malmö"),
]
SORTED = sorted(FACTS, key=lambda fact: (fact[1], fact[0], fact[2]))


def table(header: tuple[str, ...] | None, separator: str) -> str:
    return "".join(separator.join(row) + "\n" for row in ([header] if header else []) + FACTS)


def made(folder: Path, name: str, content: str | bytes, **options: object) -> Graph:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return make_graph([path], folder / f"graph-{name}", jobs=1, **options)  # type: ignore[arg-type]
