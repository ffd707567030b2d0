"""The Parquet tables of a graph as Ibis tables, for work on the whole graph."""

from pathlib import Path
from typing import TYPE_CHECKING

from rollcall.tables.graph import GRAPH_TABLES
from rollcall.tables.ibis_tables import IbisTables

if TYPE_CHECKING:
    from rollcall.tables.graph import Aliases, Classes, Entities, Facts, Relations, Types, Values
    from rollcall.tables.table import Rows


class GraphTables(IbisTables):
    """Ibis tables by name: entities, aliases, types, classes, relations, facts, values."""

    entities: "Rows[Entities]"
    aliases: "Rows[Aliases]"
    types: "Rows[Types]"
    classes: "Rows[Classes]"
    relations: "Rows[Relations]"
    facts: "Rows[Facts]"
    values: "Rows[Values]"

    def __init__(self, folder: Path, memory: str = "1GB") -> None:
        super().__init__(folder, GRAPH_TABLES, memory)
