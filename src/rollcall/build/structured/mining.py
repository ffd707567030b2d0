"""The stages that mine templates, clusters and set operations, and the stage that finds evidence for their
facts.

Input: a graph, and a corpus. Output: `queries`, `answers`, `proofs` and `facts` of each kind, and `evidence`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rollcall._core.console import Progress
from rollcall._core.errors import Filter
from rollcall.build.lexicon import build_lexicon
from rollcall.build.stage import Inputs, Outcome, Work, filtered
from rollcall.build.structured.parameters import Parameters
from rollcall.graph import Graph

if TYPE_CHECKING:
    from rollcall.evidence.verifiers.verifier import VerifierKind


def templates(parameters: Parameters, inputs: Inputs, work: Work) -> Outcome:
    """Grow templates until the quotas are met; quotas that could not be met become notes."""
    from rollcall.mine.templates.mine import mine_templates, write_templates

    with _progress("templates", parameters.templates.attempts, work) as progress:
        mined = mine_templates(
            inputs.graph,
            inputs.given_corpus,
            parameters.templates,
            work.engine,
            work.folder,
            seed=parameters.seed,
            lexicon=build_lexicon(parameters.wording),
            progress=progress,
        )
    with Graph.open(inputs.graph) as graph:
        written = write_templates(graph, mined.chosen, work.folder)
    counts = {"attempts": mined.attempts, "grounded queries": mined.grounded, "different ones": mined.found}
    return Outcome(written, notes=[str(unfilled) for unfilled in mined.unfilled], counts=counts)


def clusters(parameters: Parameters, inputs: Inputs, work: Work) -> Outcome:
    """Draw clusters and their questions."""
    from rollcall.mine.clusters.mine import mine_clusters
    from rollcall.mine.clusters.writing import write_clusters

    wanted = parameters.clusters.clusters
    with _progress("clusters", parameters.clusters.attempts, work) as progress:
        mined = mine_clusters(
            inputs.graph,
            parameters.clusters,
            work.engine,
            seed=parameters.seed,
            lexicon=build_lexicon(parameters.wording),
            progress=progress,
        )
    with Graph.open(inputs.graph) as graph:
        written = write_clusters(graph, mined.clusters, work.folder)
    few = f"{len(mined.clusters):,} of {wanted:,} clusters in {mined.attempts:,} attempts"
    notes = [few] if len(mined.clusters) < wanted else []
    counts = {"clusters": len(mined.clusters), "attempts": mined.attempts}
    removed = {reason: count for reason, count in mined.outcomes.items() if reason != "cluster"}
    return Outcome(written.queries, removed, notes, counts)


def sets(parameters: Parameters, inputs: Inputs, work: Work) -> Outcome:
    """Mine queries that combine sets."""
    from rollcall.mine.set_operations import mine_set_operations, write_set_operations

    lexicon = build_lexicon(parameters.wording)
    found, outcomes = mine_set_operations(
        inputs.graph, parameters.sets, work.engine, seed=parameters.seed, lexicon=lexicon
    )
    with Graph.open(inputs.graph) as graph:
        written = write_set_operations(graph, found, work.folder)
    removed = {reason: count for reason, count in outcomes.items() if not reason.startswith("found A")}
    short = [
        f"{operation}: {outcomes.get(f'found {operation}', 0)} of {parameters.sets.per_operation}"
        for operation in parameters.sets.operations
        if outcomes.get(f"found {operation}", 0) < parameters.sets.per_operation
    ]
    return Outcome(written, removed, short)


def evidence(
    parameters: Parameters, inputs: Inputs, kind: "type[VerifierKind]", sources: Sequence[str], work: Work
) -> Outcome:
    """Find sentences that state the facts of all kinds."""
    from rollcall.build import expectation
    from rollcall.build.chosen_verifier import chosen_verifier
    from rollcall.evidence.find import find_evidence, relations_of

    facts = work.out("facts")
    _write_distinct([work.table(source, "facts") for source in sources], facts)
    chosen = parameters.evidence
    opened = chosen_verifier(kind, chosen, parameters.wording, inputs, work, relations_of(facts))
    rule = expectation.asked(chosen)
    found = find_evidence(
        inputs.graph,
        inputs.corpus,
        facts,
        work.out("evidence"),
        verifier=opened,
        accepting=rule,
        per_fact=chosen.per_fact,
        where=chosen.where,
        lexicon=build_lexicon(parameters.wording),
        engine=work.engine,
    )
    unstated = Filter("facts that no sentence was found to state", "verifier")
    return filtered(
        found.validated,
        {unstated: found.facts - found.validated},
        {"verifier": chosen.expectation or "evidence.verifier"},
        notes=[*([opened.remark] if opened.remark else []), *expectation.notes(rule, found.expected, opened)],
        counts={"facts": found.facts, "candidates": found.candidates},
        figures=expectation.figures(found.expected),
    )


def _write_distinct(tables: Sequence[Path], path: Path) -> None:
    import pyarrow as pa

    from rollcall.tables.build import ProvableFacts
    from rollcall.tables.files import read, write_sorted
    from rollcall.tables.table import columns

    whole = pa.concat_tables([read(ProvableFacts, table) for table in tables])
    distinct = whole.group_by(list(columns(ProvableFacts)), use_threads=False).aggregate([])
    write_sorted(ProvableFacts, path, distinct)


def _progress(name: str, total: int, work: Work) -> Progress:
    return Progress(name, total, show=work.show_progress)
