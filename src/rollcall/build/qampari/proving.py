"""The stages that prove: evidence for facts, and the queries enough of whose answers it proves."""

from collections.abc import Sequence

from rollcall.build.pipelines import Inputs
from rollcall.build.qampari.parameters import Parameters
from rollcall.build.stage import Outcome, Work
from rollcall.build.together import together


def evidence(parameters: Parameters, inputs: Inputs, source: str, work: Work) -> Outcome:
    """Find the sentences that state the facts of a stage."""
    from rollcall.evidence import find_evidence

    found = find_evidence(
        inputs.graph,
        inputs.corpus,
        work.table(source, "facts"),
        work.out("evidence"),
        verifier=parameters.evidence.verifier,
        per_fact=parameters.evidence.per_fact,
        jobs=work.limits.jobs,
        memory=work.limits.memory,
    )
    removed = {
        "facts of which neither end has a page": found.facts - found.searchable,
        "facts named together in no sentence": found.searchable - found.found,
        "facts that no sentence was found to state": found.found - found.validated,
    }
    return Outcome(
        found.validated,
        {reason: count for reason, count in removed.items() if count},
        counts={"facts": found.facts, "candidates": found.candidates},
    )


def validated(parameters: Parameters, source: str, proofs: Sequence[str], work: Work) -> Outcome:
    """Keep the queries of a stage enough of whose answers the evidence of some stages proves."""
    from rollcall.mine.options import Threshold
    from rollcall.mine.validation import validate

    limits = parameters.answers
    with together([work.table(stage, "evidence") for stage in proofs], work.folder) as tables:
        found = validate(
            work.table(source, "queries"),
            work.table(source, "proofs"),
            tables,
            work.folder,
            Threshold(share=limits.validated, least=limits.least, most=limits.most),
            memory=work.limits.memory,
            threads=work.limits.jobs,
        )
    return Outcome(found.queries, {reason: count for reason, count in found.removed.items() if count})
