"""Pumps with their makers and sites, a graph and a corpus of them, and recipes that need no verifier."""

import json
from pathlib import Path

from rollcall.corpus import make_corpus
from rollcall.graph import make_graph

MAKERS = ("Arden Works", "Belmont Foundry", "Carver Mill")
SITES = ("Norrbay", "Ostfell", "Sundmere")
RECIPE = """\
# My pumps.
pipeline: qampari
answers:
  least: 3          # few sites have more
  validated: 0.6
evidence:
  verifier: none
tables:
  use: false
"""


def write_pumps(folder: Path, pumps: int = 18) -> None:
    """Write `graph` and `corpus`; the text does not name the maker of every fifth pump."""
    rows, pages = ["name,maker,runs at"], []
    for number in range(pumps):
        maker, site = MAKERS[number % 3], SITES[number // 2 % 3]
        rows.append(f"Pump K{number},{maker},{site}")
        made = "" if number % 5 == 4 else f" It was built by {maker}."
        pages.append(
            {"title": f"Pump K{number}", "text": f"Pump K{number} is a pump that runs at {site}.{made}"}
        )
    (folder / "pumps.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    lines = "".join(json.dumps(page) + "\n" for page in pages)
    (folder / "pages.jsonl").write_text(lines, encoding="utf-8")
    columns = "id=name,label=name,object=maker,object=runs at"
    make_graph([folder / "pumps.csv"], folder / "graph", source_options={"columns": columns}, jobs=1)
    make_corpus([folder / "pages.jsonl"], folder / "corpus", graph=folder / "graph", jobs=1)
