"""Finds evidence for a table of facts: searches the pages, verifies the candidates, keeps the best.

Input: a Parquet table of `facts`, a graph folder and a corpus folder. Output: a Parquet table of evidence,
and an `EvidenceSummary`. Intermediate files are in a hidden folder beside the output, which is removed at the
end. The output is written under a temporary name and then renamed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rollcall.corpus import Corpus
from rollcall.errors import RollcallError
from rollcall.evidence.acceptance import Acceptance
from rollcall.evidence.expected import Expected
from rollcall.evidence.verifiers import make_verifier
from rollcall.evidence.verifiers.verifier import Verifier
from rollcall.files import PARTIAL, beside, left_beside, remove, replacing
from rollcall.graph import Graph
from rollcall.tables.engine import Engine, opened
from rollcall.tables.mining import ProvableFacts
from rollcall.tables.table import columns

if TYPE_CHECKING:
    from rollcall.evidence.search.run import Where
    from rollcall.wording import Lexicon

_COLUMNS = columns(ProvableFacts)


class EvidenceSummary(msgspec.Struct, frozen=True):
    """The counts of a search for evidence."""

    facts: int
    searchable: int
    """Facts with text to search: all, or, if only the pages about ends are searched, those with such a page.
    """
    candidates: int
    found: int
    """Facts with a sentence that names both ends."""
    validated: int
    """Facts with a sentence that is accepted as stating them."""
    expected: Expected | None = None
    """What is expected of the accepted sentences, if the verifier's scores are calibrated probabilities, or
    if the rule of acceptance asks for it."""


def find_evidence(
    graph: Graph | Path | str,
    corpus: Corpus | Path | str,
    facts: Path | str,
    out: Path | str,
    *,
    verifier: Verifier | str = "contrast",
    accepting: Acceptance | None = None,
    per_fact: int = 1,
    lexicon: "Lexicon | None" = None,
    further_names: Path | None = None,
    where: "Where" = "anywhere",
    engine: Engine | str = "duckdb",
    master: str | None = None,
    jobs: int | None = None,
    memory: str = "1GB",
) -> EvidenceSummary:
    """Find the best evidence for every fact of a Parquet table (subject, relation, object, literal).

    Writes one row per fact and rank to `out`, sorted. `verifier` is one or its name; one that is made here
    words relations by the `lexicon`. `accepting` says which sentences are accepted; by default the verifier
    does. `further_names` is a Parquet table of names that count for the objects of one relation only
    (relation, entity, words). `where` is `anywhere` (all sentences that name both ends, and the pages about
    an end), `own-pages-first` (sentences on other pages only for facts without a page about an end),
    `own-pages` or `subject-pages`. A verifier that does not judge (`none`) gives no scores. `memory` is for
    sorting and joining. The output is the same for any `engine` and number of `jobs`; with more than one job,
    a script must make this call under `if __name__ == "__main__":`.
    """
    from rollcall.evidence.judge import score_all, write_best
    from rollcall.evidence.search.run import find_candidates

    graph, corpus = _opened(graph, corpus)
    facts, out = Path(facts), Path(out)
    check_facts(facts)
    if per_fact < 1:
        raise RollcallError(f"{per_fact} pieces of evidence a fact: must be at least 1")
    with (
        opened(engine, memory=memory, jobs=jobs, master=master) as running,
        replacing(out) as partial,
        _work_folder(out) as folder,
    ):
        if isinstance(verifier, str):
            verifier = make_verifier(
                verifier,
                graph=graph.folder,
                corpus=corpus.folder,
                relations=relations_of(facts),
                lexicon=lexicon,
                engine=running,
                work=folder / "verifier",
            )
        rule = accepting or Acceptance()
        if not verifier.judges and rule != Acceptance():
            raise RollcallError(f"the verifier {verifier.name} gives no scores; accepting needs another one")
        searched = find_candidates(
            folder, graph.folder, corpus.folder, facts, running, where=where, further_names=further_names
        )
        score_all(folder, verifier, running)
        with running.workbench(folder / "spill") as bench:
            judged = write_best(bench, folder, corpus.folder, partial, per_fact, rule, verifier.prior)
    return EvidenceSummary(*searched, *judged)


@contextmanager
def _work_folder(out: Path) -> Iterator[Path]:
    """A hidden folder beside the output for intermediate files; empty at first, and removed at the end."""
    place = out.with_name(f"{out.name}.work")
    for left in left_beside(place, PARTIAL):
        remove(left)
    folder = beside(place, PARTIAL)
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        remove(folder)


def _opened(graph: Graph | Path | str, corpus: Corpus | Path | str) -> tuple[Graph, Corpus]:
    return (
        graph if isinstance(graph, Graph) else Graph.open(graph),
        corpus if isinstance(corpus, Corpus) else Corpus.open(corpus),
    )


def relations_of(facts: Path) -> set[str]:
    """The relations that a table of facts has."""
    import pyarrow.compute as pc

    from rollcall.tables.reader import batches

    found: set[str] = set()
    for batch in batches(ProvableFacts, facts, ["relation"]):
        found |= {str(relation) for relation in pc.unique(batch.column(0)).to_pylist()}
    return found


def check_facts(facts: Path) -> None:
    """Refuse a table that does not have the columns of facts."""
    from rollcall.tables.reader import check

    if not facts.exists():
        raise RollcallError(f"{facts}: no such file; facts are a Parquet table of {', '.join(_COLUMNS)}")
    check(ProvableFacts, facts)
