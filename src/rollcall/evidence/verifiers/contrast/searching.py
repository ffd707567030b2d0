"""Draws facts of a graph and searches the corpus for them: what verifiers that learn begin with.

Where facts are stated on the pages of their ends, other sentences state them less often. So other pages are
searched only for facts without a page.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from rollcall.errors import RollcallError
from rollcall.evidence.candidate import CandidateSentence, from_table
from rollcall.evidence.verifiers.contrast.lessons import Lessons, lessons_of
from rollcall.evidence.verifiers.contrast.sample import Sample, draw_sample
from rollcall.files import remove
from rollcall.garbage import collection_paused
from rollcall.tables.engine import Engine, opened
from rollcall.tables.evidence import Candidates
from rollcall.tables.reader import read

if TYPE_CHECKING:
    from rollcall.wording import Lexicon


class SearchedSample(NamedTuple):
    """Facts of a graph, and a folder with the sentences that name their ends."""

    sample: Sample
    folder: Path
    engine: Engine
    nothing_found: str
    """What to say if there are no sentences."""

    def candidates(self) -> Iterator[CandidateSentence]:
        """The sentences, in the order of the rows of the lessons."""
        for path in sorted((self.folder / "candidates").glob("*.parquet")):
            yield from from_table(read(Candidates, path))

    def lessons(self, lexicon: "Lexicon | None") -> Lessons:
        """The sentences as training data of the contrast verifier."""
        from rollcall.evidence.verifiers.contrast.cues import relation_cues

        with collection_paused():
            cues = relation_cues(self.sample.labels, lexicon)
            lessons = lessons_of(self.folder, self.sample, cues, self.engine)
        if lessons is None:
            raise RollcallError(self.nothing_found)
        return lessons


@contextmanager
def searched_sample(
    graph: Path, corpus: Path, engine: Engine | None = None, work: Path | None = None
) -> Iterator[SearchedSample]:
    """Draw facts and search for them; the sentences are in a folder that is removed at the end."""
    from rollcall.evidence.search.run import find_candidates

    nothing_found = (
        f"{corpus}: no sentence names both ends of any fact of {graph}, so that nothing can be learned; "
        "was the corpus made for this graph?"
    )
    with _work_folder(work) as folder, opened(engine or "duckdb", jobs=None if engine else 1) as running:
        with running.workbench(folder / "spill") as bench:
            sample = draw_sample(bench, graph, folder)
        find_candidates(
            folder, graph, corpus, sample.facts, running, where="own-pages-first", name="finding examples"
        )
        yield SearchedSample(sample, folder, running, nothing_found)


@contextmanager
def _work_folder(work: Path | None) -> Iterator[Path]:
    """The folder for intermediate files, removed at the end."""
    if work is None:
        with TemporaryDirectory(prefix="rollcall-contrast-") as temporary:
            yield Path(temporary)
        return
    work.mkdir(parents=True)
    try:
        yield work
    finally:
        remove(work)
