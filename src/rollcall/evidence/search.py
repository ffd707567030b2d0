"""Searches blocks of pages, in worker processes or in this one, and writes the candidates block by block.

Files are numbered by block and hold candidates in the order of pages, sentences and facts: so the result is
the same for any number of processes.
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rollcall.evidence.candidate import Candidate, to_batch
from rollcall.evidence.page import PageSearch, Sentence, Want
from rollcall.evidence.topic import TopicNames


def search_all(folder: Path, corpus: Path, jobs: int, name: str = "finding evidence") -> int:
    """Search all wants of a folder and write its candidates there; how many there are."""
    import pyarrow.parquet as pq

    from rollcall.evidence.blocks import read_blocks
    from rollcall.graph.read.pool import workers
    from rollcall.progress import Progress

    (folder / "candidates").mkdir(exist_ok=True)
    wants = folder / "wants.parquet"
    total = pq.ParquetFile(wants).metadata.num_rows if wants.exists() else 0
    found = 0
    with workers(jobs, 1) as pool, Progress(name, total) as progress:

        def done(result: tuple[int, int]) -> None:
            nonlocal found
            found += result[1]
            progress.advance(result[0], f"{found:,} candidates")

        for block in read_blocks(folder, corpus):
            pool.run(search_block, block, folder / "candidates", done=done)
        pool.finish()
    return found


def search_block(block: Any, folder: Path) -> tuple[int, int]:
    """Search a block of pages and write its candidates; how much was wanted and how many were found."""
    import pyarrow.parquet as pq

    candidates = [candidate for page in pages_of(block) for candidate in page]
    if candidates:
        batch = to_batch(candidates)
        with pq.ParquetWriter(
            folder / f"{block.number:06d}.parquet", batch.schema, compression="zstd"
        ) as writer:
            writer.write_batch(batch)
    return block.wants.num_rows, len(candidates)


def pages_of(block: Any) -> Iterator[list[Candidate]]:
    """The candidates of each page of a block."""
    topics = {
        (row["page"], row["topic"]): TopicNames(row["topic"], row["label"], row["names"] or ())
        for row in block.topics.to_pylist()
    }
    sentences = _sentences(block)
    wanted: dict[tuple[str, str], list[Want]] = defaultdict(list)
    columns = ("page", "topic", "subject", "relation", "object", "literal", "side", "names", "label")
    for page, topic, *row in zip(*(block.wants[name].to_pylist() for name in columns), strict=True):
        wanted[(page, topic)].append(Want(*row))
    for (page, topic), wants in wanted.items():
        if page in sentences:
            yield PageSearch(page, topics[(page, topic)], wants, sentences[page]).run()


def _sentences(block: Any) -> dict[str, list[Sentence]]:
    links: dict[tuple[str, int], list[tuple[int, int, str | None]]] = defaultdict(list)
    for row in block.links.to_pylist():
        if row["sentence"] is not None and row["start"] is not None:
            links[(row["page"], row["sentence"])].append((row["start"], row["end"], row["entity"]))
    pages: dict[str, list[Sentence]] = defaultdict(list)
    columns = ("page", "number", "text", "start", "end")
    for page, number, text, start, end in zip(
        *(block.sentences[name].to_pylist() for name in columns), strict=True
    ):
        places = [(a - start, b - start, entity) for a, b, entity in links.get((page, number), ())]
        pages[page].append(Sentence(number, text, start, end, places))
    return pages
