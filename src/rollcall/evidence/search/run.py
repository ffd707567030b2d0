"""Searches blocks of pages, in worker processes or in this one, and writes the candidates block by block.

Files are numbered by block, and their candidates are in the order of pages, sentences and facts. So the
result is the same for any number of processes.
"""

from pathlib import Path
from typing import Any

from rollcall.garbage import collection_paused

PRELOADED = (
    "rollcall.evidence.search.columns",
    "rollcall.evidence.verifiers.contrast.verifier",
    "rollcall.evidence.judge",
)
"""What workers load before they are forked: everything that the search, learning and verifying need, because
only the first workers of a process decide what is loaded."""
WORTHWHILE = 4_000
"""For fewer wants or candidates, starting a second process takes longer than it saves."""
_REPEATED: Any = ["subject", "relation", "object", "side", "page", "subject_name", "object_name"]


def search_all(folder: Path, corpus: Path, jobs: int, name: str = "finding evidence") -> int:
    """Search for all wants of a folder and write the candidates there; returns their number."""
    from pyarrow.dataset import dataset

    from rollcall.evidence.search.blocks import read_blocks
    from rollcall.input_files.pool import workers
    from rollcall.progress import Progress

    (folder / "candidates").mkdir(exist_ok=True)
    wants = folder / "wants.arrow"
    total = dataset(wants, format="ipc").count_rows() if wants.exists() else 0
    found = 0
    jobs = jobs if total >= WORTHWHILE else 1
    with collection_paused(), workers(jobs, preload=PRELOADED) as pool, Progress(name, total) as progress:

        def done(result: tuple[int, int]) -> None:
            nonlocal found
            found += result[1]
            progress.advance(result[0], f"{found:,} candidates")

        for block in read_blocks(folder, corpus):
            pool.run(search_block, block, folder / "candidates", done=done)
        pool.finish()
    return found


def search_block(block: Any, folder: Path) -> tuple[int, int]:
    """Search a block of pages and write its candidates; returns the number of wants and of candidates."""
    import pyarrow.parquet as pq

    from rollcall.evidence.search.columns import candidates_of

    with collection_paused():
        candidates = candidates_of(block)
    if candidates.num_rows:
        path = folder / f"{block.number:06d}.parquet"
        pq.write_table(candidates, path, compression="lz4", use_dictionary=_REPEATED, write_statistics=False)
    return block.wants.num_rows, candidates.num_rows
