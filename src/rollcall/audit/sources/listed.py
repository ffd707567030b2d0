"""The facts that lists and tables of a corpus state, in the graph's own relations.

A list or a column counts where the graph shows which relation it stands for (`rollcall.mine.lists.relations`); what
else it lists are then facts of that relation, whether or not the graph has them. Lists whose relation the graph knows
for less than half of their entries are not understood, so a graph that lacks most facts hides them.
"""

from pathlib import Path

from rollcall.audit.sources.evaluate import Fact
from rollcall.mine.lists.mine import mine_lists
from rollcall.mine.lists.queries import ListOptions
from rollcall.mine.lists.relations import relate_lists
from rollcall.tables.engine import Engine
from rollcall.tables.mining import ProvableFacts
from rollcall.tables.reader import records

_LEAST = 3
"""Entries of a list; shorter ones show no relation."""


def find_listed(folder: Path, graph: Path, corpus: Path, engine: Engine) -> set[Fact]:
    """The facts between entities that lists state; intermediate tables are written to a folder."""
    mine_lists(corpus, folder, ListOptions(min_answers=_LEAST), engine)
    relate_lists(graph, folder / "list_facts.parquet", None, folder, engine)
    return {
        Fact(row["subject"], row["relation"], row["object"])
        for row in records(ProvableFacts, folder / "facts.parquet")
        if not row["literal"]
    }
