"""The facts that lists and tables of a corpus state, in the graph's own relations.

A list or a column counts where the graph shows which relation it stands for
(`rollcall.mine.lists.relations`); what else it lists are then facts of that relation, whether or not the
graph has them. Lists whose relation the graph knows for less than half of their entries are not understood,
so a graph that lacks most facts hides them.
"""

from pathlib import Path
from typing import NamedTuple

from rollcall.audit.sources.evaluate import Fact
from rollcall.corpus.lists import parse_column
from rollcall.mine.lists.mine import mine_lists
from rollcall.mine.lists.queries import ListOptions
from rollcall.mine.lists.relations import relate_lists
from rollcall.tables.engine import Engine
from rollcall.tables.mining import RelatedFacts
from rollcall.tables.reader import records

_LEAST = 3
"""Entries of a list; shorter ones show no relation."""


class ListEntry(NamedTuple):
    """Where a list has a fact."""

    title: str
    column: str = ""
    """The heading of the column; empty if it is the list itself that says so."""

    @property
    def words(self) -> str:
        """The place in words."""
        return (
            f"{self.title}, column {self.column}"
            if self.column
            else f"on the {self.title[:1].lower()}{self.title[1:]}"
        )


def find_listed(folder: Path, graph: Path, corpus: Path, engine: Engine) -> dict[Fact, ListEntry]:
    """The facts between entities that lists state; intermediate tables are written to a folder."""
    mine_lists(corpus, folder, ListOptions(min_answers=_LEAST), engine)
    relate_lists(graph, folder / "list_facts.parquet", None, folder, engine)
    found: dict[Fact, ListEntry] = {}
    for row in records(RelatedFacts, folder / "related.parquet"):
        if not row["literal"]:
            column = parse_column(row["relation"])
            entry = ListEntry(row["object"]) if column is None else ListEntry(*column)
            found.setdefault(Fact(row["of_subject"], row["of_relation"], row["of_object"]), entry)
    return found
