"""The Parquet tables of a corpus as Ibis tables, for work on the whole corpus."""

from pathlib import Path
from typing import TYPE_CHECKING

from rollcall.tables import corpus
from rollcall.tables.ibis_tables import IbisTables

if TYPE_CHECKING:
    from rollcall.tables.table import Rows


class CorpusTables(IbisTables):
    """Ibis tables by name, on an embedded engine: `tables.sentences`, `tables.links`, …"""

    pages: "Rows[corpus.Pages]"
    sentences: "Rows[corpus.Sentences]"
    passages: "Rows[corpus.Passages]"
    links: "Rows[corpus.Links]"
    tables: "Rows[corpus.PageTables]"
    cells: "Rows[corpus.Cells]"
    redirects: "Rows[corpus.Redirects]"
    ties: "Rows[corpus.Ties]"
    mentions: "Rows[corpus.Mentions]"
    forms: "Rows[corpus.Forms]"
    aliases: "Rows[corpus.TextAliases]"
    relations: "Rows[corpus.RelationMentions]"

    def __init__(self, folder: Path, memory: str = "1GB") -> None:
        super().__init__(folder, corpus.CORPUS_TABLES, memory)
