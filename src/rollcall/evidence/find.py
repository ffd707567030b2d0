"""Finds evidence for a table of facts: searches the pages, verifies the candidates, keeps the best.

Input: a Parquet table of `facts`, a graph folder and a corpus folder. Output: a Parquet table of evidence,
and an `EvidenceSummary`. Intermediate files are in a hidden folder beside the output, which is removed at the
end. The output is written under a temporary name and then renamed.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import ibis
import msgspec
import numpy as np
import pyarrow as pa
from ibis import _

from rollcall._core.console import Progress
from rollcall._core.errors import RollcallError
from rollcall._core.files import PARTIAL, beside, left_beside, remove, replacing
from rollcall._core.registry import plugin_failures
from rollcall._core.workers import collection_paused
from rollcall.corpus import Corpus
from rollcall.evidence.candidate import FACT, from_table, with_passages
from rollcall.evidence.expected import (
    UNCALIBRATED,
    Acceptance,
    Chances,
    Counts,
    Expected,
    Numbers,
    chances,
    expected,
    expected_from,
    losing_at_most,
    precise_from,
)
from rollcall.evidence.search.run import WORTHWHILE, find_candidates
from rollcall.evidence.verifiers import make_verifier
from rollcall.evidence.verifiers.verifier import Verifier
from rollcall.graph import Graph
from rollcall.tables.build import Candidates, EvidenceRows, ProvableFacts, RankedCandidates, ScoredCandidates
from rollcall.tables.corpus import Passages
from rollcall.tables.engine import Engine, Workbench, map_here, opened
from rollcall.tables.files import batches, check, count, read, write_scratch
from rollcall.tables.table import DeclaredTable, Float64, Int64, Rows, arrow, columns, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir

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
    shared_names: str = ""
    """Names that several ends of the facts have, in words; empty if there are none."""


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
    `own-pages` or `subject-pages`. The verifier `none` gives no scores. `memory` is for
    sorting and joining. The output is the same for any `engine` and number of `jobs`; with more than one job,
    a script must make this call under `if __name__ == "__main__":`.
    """
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
        if not verifier.has_scores and rule != Acceptance():
            raise RollcallError(
                f"the verifier {verifier.name} gives no scores, so `accepting` needs another verifier"
            )
        searched = find_candidates(
            folder, graph.folder, corpus.folder, facts, running, where=where, further_names=further_names
        )
        score_all(folder, verifier, running)
        with running.workbench(folder / "spill") as bench:
            verified = write_best(bench, folder, corpus.folder, partial, per_fact, rule, verifier.prior)
    return EvidenceSummary(
        searched.facts, searched.searchable, searched.candidates, *verified, shared_names=str(searched.shared)
    )


@contextmanager
def _work_folder(out: Path) -> Iterator[Path]:
    """A hidden folder beside the output for intermediate files; empty at first, and removed at the end."""
    path = out.with_name(f"{out.name}.work")
    for leftover in left_beside(path, PARTIAL):
        remove(leftover)
    folder = beside(path, PARTIAL)
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

    relations: set[str] = set()
    for batch in batches(ProvableFacts, facts, ["relation"]):
        relations |= {str(relation) for relation in pc.unique(batch.column(0)).to_pylist()}
    return relations


def check_facts(facts: Path) -> None:
    """Refuse a table that does not have the columns of facts."""
    if not facts.exists():
        raise RollcallError(f"{facts}: no such file; facts are a Parquet table of {', '.join(_COLUMNS)}")
    check(ProvableFacts, facts)


# Decides which scored candidates count as evidence: as the verifier says, or over all of them together.
# Input: the scored candidates of a search, an `Acceptance`, and the prior of the verifier. Output: the
# same candidates with `validated` decided again, and what is expected to be lost. Every rule ends in a
# least score, for all candidates or for each relation, so that the ranking afterwards is the same.

_PARTS = 1_000_000
"""In which parts of the whole a share of facts is counted."""
_NONE = 2.0
"""A least score that no candidate has."""


class Least(DeclaredTable):
    """The score from which candidates are accepted."""

    least = Float64("from 0 to 1, or above 1 if none is accepted")


def accept(
    bench: Workbench, scored: Sequence[Path], rule: Acceptance, prior: float | None
) -> Expected | None:
    """Name the scored candidates, with `validated` by a rule, and say what is expected of the accepted.

    Without a prior, nothing is expected unless the rule asks for it.
    """
    if rule.threshold is not None or rule.is_expectation:
        return _accept_from_score(bench, scored, rule, prior)
    if rule.stated is None:
        bench.read(ScoredCandidates, scored)
    else:
        bench.read(ScoredCandidates, scored, "verified")
        bench.keep(ScoredCandidates, partial(_with_best_facts, rule.stated))
    return None if prior is None else expected(*_counted(bench, "scored", prior))


def _accept_from_score(
    bench: Workbench, scored: Sequence[Path], rule: Acceptance, prior: float | None
) -> Expected | None:
    bench.read(ScoredCandidates, scored, "verified")
    threshold, figures = rule.threshold, None
    if prior is not None or rule.is_expectation:
        by_score, _accepted = _counted(bench, "verified", prior or UNCALIBRATED)
        if rule.lose is not None:
            threshold = losing_at_most(by_score, rule.lose)
        elif rule.precision is not None:
            threshold = precise_from(by_score, rule.precision)
        figures = expected_from(by_score, threshold)
    bench.give(Least, arrow(Least, {"least": [_NONE if threshold is None else threshold]}))
    bench.keep(ScoredCandidates, _from_least)
    return figures


def _counted(bench: Workbench, name: str, prior: float) -> tuple[Chances, Counts]:
    """How likely candidates are true, and how many of each score are accepted."""
    columns: dict[str, list[Numbers]] = {"score": [], "counted": [], "accepted": []}
    for batch in bench.stream(partial(_scores, name)):
        for column, arrays in columns.items():
            arrays.append(batch.column(column).to_numpy(zero_copy_only=False))
    scores, counts, accepted = (np.concatenate([np.zeros(0), *parts]) for parts in columns.values())
    # Engines give rows in any order, and the sum of floating-point numbers depends on it.
    order = np.argsort(scores)
    by_score = chances(scores[order], counts[order].astype(np.int64), prior)
    return by_score, accepted[order].astype(np.int64)


def _scores(name: str) -> "ir.Table":
    """How many candidates, and how many accepted ones, have each score; rounded scores are not too many."""
    rows = unbound(ScoredCandidates, name)
    return rows.group_by("score").agg(counted=_.count(), accepted=_.validated.cast("int64").sum())


def _from_least() -> Rows[ScoredCandidates]:
    """The scored candidates; validated are those from the least score on."""
    rows = unbound(ScoredCandidates, "verified").cross_join(unbound(Least))
    return shaped(ScoredCandidates, rows.mutate(validated=_.score >= _.least))


def _with_best_facts(stated: float) -> Rows[ScoredCandidates]:
    """The scored candidates; validated are also those of a share of each relation's facts, the best."""
    rows = unbound(ScoredCandidates, "verified")
    best = rows.group_by(list(FACT)).agg(best=_.score.max())
    # Ranks in whole numbers, since engines interpolate quantiles in different ways.
    ascending = ibis.window(group_by="relation", order_by=["best", *FACT])
    placed = best.mutate(
        position=ibis.row_number().over(ascending), last=_.count().over(group_by="relation") - 1
    )
    best_share = placed.filter(_.position * _PARTS >= _["last"] * round((1 - stated) * _PARTS))
    least = best_share.group_by("relation").agg(least=_.best.min())
    joined = rows.join(least, "relation")
    return shaped(ScoredCandidates, joined.mutate(validated=_.validated | (_.score >= _.least)))


# Scores candidates and keeps the best of each fact: the second half of the search for evidence. Input:
# the candidates that the search wrote, and a verifier. Output: the table of evidence. Scored candidates
# are written block by block, like the candidates. The engine then decides which are accepted
# (`rollcall.evidence.find`), ranks them for each fact and adds the passage that contains each
# sentence.

_FOUND = [name for name in columns(ScoredCandidates) if name not in ("score", "validated")]
DIGITS = 6


class JudgedCounts(NamedTuple):
    """How many facts have evidence and accepted evidence, and what is expected of the accepted sentences."""

    found: int
    validated: int
    expected: Expected | None


class SentenceLimit(DeclaredTable):
    """How many sentences are kept."""

    per_fact = Int64("for each fact")


def score_all(folder: Path, verifier: Verifier, engine: Engine) -> None:
    """Score all candidates of a folder into `folder/scored`."""
    (folder / "scored").mkdir(exist_ok=True)
    paths = sorted((folder / "candidates").glob("*.parquet"))
    worthwhile = verifier.parallel and sum(count(Candidates, path) for path in paths) >= WORTHWHILE
    run = engine.map_blocks if worthwhile else map_here
    with Progress(f"verifying ({verifier.name})", len(paths)) as progress:
        for _candidates in run(_score, paths, partial(_same, verifier)):
            progress.advance(1)


def _same(verifier: Verifier) -> Verifier:
    return verifier


def _score(verifier: Verifier, path: Path) -> int:
    """Score the candidates of a file, write them to another file, and return their number."""
    table = read(Candidates, path)
    with collection_paused():
        candidates = from_table(table)
        with plugin_failures(f"the verifier {verifier.name}", verifier):
            verdicts = verifier.verdicts(candidates)
    scores, accepted = verdicts.scores.round(DIGITS), verdicts.accepted
    if verifier.has_scores:  # whoever accepts all that names both ends does not read sentences
        says_fact = np.array([not candidate.defines_other_end for candidate in candidates], dtype=bool)
        scores, accepted = scores * says_fact, accepted & says_fact
    scored = table.select(_FOUND)
    scored = scored.append_column("score", pa.array(scores, pa.float64(), from_pandas=True))
    scored = scored.append_column("validated", pa.array(accepted, pa.bool_()))
    write_scratch(scored, path.parent.parent / "scored" / path.name)
    return scored.num_rows


def write_best(
    bench: Workbench,
    folder: Path,
    corpus: Path,
    out: Path,
    per_fact: int,
    rule: Acceptance,
    prior: float | None,
) -> JudgedCounts:
    """Decide by a rule which scored candidates are accepted, rank all, and write the best.

    `prior` is that of the verifier.
    """
    expected = accept(bench, sorted((folder / "scored").glob("*.parquet")), rule, prior)
    bench.read(Passages, corpus / "passages.parquet")
    bench.give(SentenceLimit, arrow(SentenceLimit, {"per_fact": [per_fact]}))
    bench.keep(RankedCandidates, _best)
    bench.write(EvidenceRows, lambda: with_passages(unbound(RankedCandidates)), out)
    (counted,) = bench.records(_counts)
    return JudgedCounts(int(counted["found"]), int(counted["validated"] or 0), expected)


def _best() -> Rows[RankedCandidates]:
    """The best candidates of each fact, ranked from 1; sentences on the page of an end come first."""
    rows = unbound(ScoredCandidates)
    elsewhere = rows.side == "neither"
    order = [rows.validated.desc(), elsewhere, rows.score.desc(), rows.side.desc(), rows.page, rows.sentence]
    position = ibis.row_number().over(group_by=[rows[name] for name in FACT], order_by=order)
    ranked = rows.mutate(rank=(position + 1).cast("int32"))
    return shaped(RankedCandidates, ranked.cross_join(unbound(SentenceLimit)).filter(_["rank"] <= _.per_fact))


def _counts() -> "ir.Table":
    """How many facts have evidence, and how many have validated evidence."""
    best = unbound(RankedCandidates).filter(_["rank"] == 1)
    return best.agg(found=_.count(), validated=_.validated.cast("int64").sum())
