"""From facts to candidates: what is searched for where, and the search in worker processes or in this one.

Files of candidates are numbered by block, and their candidates are in the order of pages, sentences and
facts. So the result is the same for any number of processes.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from rollcall.garbage import collection_paused

if TYPE_CHECKING:
    import pyarrow as pa

    from rollcall.evidence.search.blocks import Block
    from rollcall.tables.engine import Engine, Workbench
    from rollcall.tables.table import Table

WORTHWHILE = 4_000
"""For fewer wants or candidates, starting a second process takes longer than it saves."""
Where = Literal["anywhere", "own-pages-first", "own-pages", "subject-pages"]
"""Which sentences are searched for a fact: all on the pages about an end, and all others that name both ends;
the others only if no page is about an end; no others, as in the QAMPARI paper; or only the pages about
subjects.
"""


class SearchCounts(NamedTuple):
    """The number of facts, of those with text to search, and of the candidates."""

    facts: int
    searchable: int
    candidates: int


def find_candidates(
    folder: Path,
    graph: Path,
    corpus: Path,
    facts: Path,
    engine: "Engine",
    *,
    where: Where = "anywhere",
    further_names: Path | None = None,
    name: str = "finding evidence",
) -> SearchCounts:
    """Search for a table of facts, and write the candidates to `folder/candidates`.

    `further_names` is a file of `RelationNames`.
    """
    from rollcall.evidence.mentions.together import write_pair_wants
    from rollcall.evidence.names.of_ends import keep_names, name_inputs, sought
    from rollcall.evidence.search.wants import without_page, write_wants
    from rollcall.tables.evidence import PageWants, PairWants

    (folder / "candidates").mkdir(exist_ok=True)
    with engine.workbench(folder / "spill") as bench:
        name_inputs(bench, graph, corpus, facts, further_names)
        keep_names(bench)
        wanted, searchable = write_wants(bench, folder, objects_pages=where != "subject-pages")
        elsewhere = where == "anywhere" or (where == "own-pages-first" and searchable < wanted)
        if elsewhere:
            searchable = wanted
            keep_mentions(bench, folder, graph, corpus, engine)
            write_pair_wants(bench, folder, sought if where == "anywhere" else without_page)
    found = _search_all(PageWants, _search_pages, folder, corpus, engine, name)
    if elsewhere:
        found += _search_all(PairWants, _search_sentences, folder, corpus, engine, f"{name} elsewhere")
    return SearchCounts(wanted, searchable, found)


def keep_mentions(bench: "Workbench", folder: Path, graph: Path, corpus: Path, engine: "Engine") -> None:
    """Keep the index of mentions: who is named where; the names must be kept already."""
    from rollcall.evidence.mentions.homonyms import keep_mentioned
    from rollcall.evidence.mentions.name_keys import write_name_keys
    from rollcall.evidence.mentions.places import find_places
    from rollcall.evidence.names.of_ends import named_ends
    from rollcall.tables.corpus import Mentions
    from rollcall.tables.evidence import NameKeys, NamePlaces, PageKeys
    from rollcall.tables.graph import Facts
    from rollcall.tables.table import declaration

    write_name_keys(folder, bench.stream(named_ends), engine)
    find_places(folder, corpus, engine)
    for table in (NameKeys, NamePlaces, PageKeys):
        bench.read(table, sorted((folder / declaration(table).name).glob("*.parquet")))
    bench.read_folder("graph", graph, Facts)
    bench.read_folder("corpus", corpus, Mentions)
    keep_mentioned(bench)


def _search_all(
    table: "type[Table]",
    search: "Callable[[Path, Block], tuple[int, int]]",
    folder: Path,
    corpus: Path,
    engine: "Engine",
    name: str,
) -> int:
    """Search for all wants of a folder and write the candidates there; returns their number."""
    from pyarrow.dataset import dataset

    from rollcall.evidence.arrow_files import arrow_file
    from rollcall.evidence.search.blocks import read_blocks
    from rollcall.progress import Progress
    from rollcall.tables.engine import map_here

    wants = arrow_file(table, folder)
    total = dataset(wants.absolute(), format="ipc").count_rows() if wants.exists() else 0
    found = 0
    run = engine.map_blocks if total >= WORTHWHILE else map_here
    with collection_paused(), Progress(name, total) as progress:
        results = run(search, read_blocks(table, folder, corpus), partial(Path, folder, "candidates"))
        for searched, candidates in results:
            found += candidates
            progress.advance(searched, f"{found:,} candidates")
    return found


def _search_pages(folder: Path, block: "Block") -> tuple[int, int]:
    """Search a block of pages and write its candidates; returns the number of wants and of candidates."""
    from rollcall.evidence.search.columns import candidates_of

    return _write(folder / f"{block.number:06d}.parquet", block, candidates_of)


def _search_sentences(folder: Path, block: "Block") -> tuple[int, int]:
    """The same for sentences on pages of neither end."""
    from rollcall.evidence.search.pair_columns import pair_candidates_of

    return _write(folder / f"elsewhere-{block.number:06d}.parquet", block, pair_candidates_of)


def _write(path: Path, block: "Block", search: "Callable[[Block], pa.Table]") -> tuple[int, int]:
    from rollcall.tables.writer import write_scratch

    with collection_paused():
        candidates = search(block)
    if candidates.num_rows:
        write_scratch(candidates, path)
    return block.wants.num_rows, candidates.num_rows
