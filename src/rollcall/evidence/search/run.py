"""Searches blocks of pages, in worker processes or in this one, and writes the candidates block by block.

Files are numbered by block, and their candidates are in the order of pages, sentences and facts. So the
result is the same for any number of processes.
"""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rollcall.garbage import collection_paused

if TYPE_CHECKING:
    from rollcall.evidence.search.blocks import Block
    from rollcall.tables.engine import Engine

WORTHWHILE = 4_000
"""For fewer wants or candidates, starting a second process takes longer than it saves."""


def search_all(folder: Path, corpus: Path, engine: "Engine", name: str = "finding evidence") -> int:
    """Search for all wants of a folder and write the candidates there; returns their number."""
    from pyarrow.dataset import dataset

    from rollcall.evidence.search.blocks import read_blocks
    from rollcall.progress import Progress
    from rollcall.tables.engine import map_here

    (folder / "candidates").mkdir(exist_ok=True)
    wants = folder / "wants.arrow"
    total = dataset(wants.absolute(), format="ipc").count_rows() if wants.exists() else 0
    found = 0
    run = engine.map_blocks if total >= WORTHWHILE else map_here
    with collection_paused(), Progress(name, total) as progress:
        results = run(search_block, read_blocks(folder, corpus), partial(Path, folder, "candidates"))
        for searched, candidates in results:
            found += candidates
            progress.advance(searched, f"{found:,} candidates")
    return found


def search_block(folder: Path, block: "Block") -> tuple[int, int]:
    """Search a block of pages and write its candidates; returns the number of wants and of candidates."""
    from rollcall.evidence.search.columns import candidates_of
    from rollcall.tables.writer import write_scratch

    with collection_paused():
        candidates = candidates_of(block)
    if candidates.num_rows:
        write_scratch(candidates, folder / f"{block.number:06d}.parquet")
    return block.wants.num_rows, candidates.num_rows
