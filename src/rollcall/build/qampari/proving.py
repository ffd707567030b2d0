"""The stages that prove: evidence for facts, and the queries enough of whose answers it proves."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rollcall.build.inputs import Inputs
from rollcall.build.qampari.parameters import Parameters
from rollcall.build.stage import Outcome, Work
from rollcall.build.together import together

if TYPE_CHECKING:
    from rollcall.build.verification import Verification
    from rollcall.evidence.verifier import VerifierKind
    from rollcall.mine.options import Threshold


VERIFIER = "verifier.model"


def learn(
    inputs: Inputs, kind: "type[VerifierKind]", chosen: "Verification", sources: Sequence[str], work: Work
) -> Outcome:
    """Learn from the graph and the corpus how text states the relations of some stages' facts."""
    import pyarrow.parquet as pq

    from rollcall.build.chosen_verifier import chosen_verifier

    relations = set[str]()
    for source in sources:
        facts = pq.read_table(work.table(source, "facts"), columns=["relation"])
        relations.update(map(str, facts.column("relation").unique().to_pylist()))
    verifier = chosen_verifier(kind, chosen, inputs, work.limits, sorted(relations))
    verifier.save(work.folder / VERIFIER)
    return Outcome(len(relations))


def evidence(
    parameters: Parameters, inputs: Inputs, kind: "type[VerifierKind]", source: str, learned: str, work: Work
) -> Outcome:
    """Find the sentences that state the facts of a stage, as a verifier tells that learned for another."""
    from rollcall.build.chosen_verifier import chosen_verifier
    from rollcall.build.qampari.strictness import with_strictness
    from rollcall.evidence import find_evidence

    if kind.learns:
        opened = kind.load(work.before[f"{learned}-verifier"] / VERIFIER)
    else:
        opened = chosen_verifier(kind, parameters.evidence, inputs, work.limits)
    verifier, told = with_strictness(opened, kind.learns, parameters, inputs)
    found = find_evidence(
        inputs.graph,
        inputs.corpus,
        work.table(source, "facts"),
        work.out("evidence"),
        verifier=verifier,
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
        [told] if told else [],
        counts={"facts": found.facts, "candidates": found.candidates},
    )


def table_evidence(parameters: Parameters, inputs: Inputs, work: Work) -> Outcome:
    """Find on the pages of a list's entries what the list says about them."""
    import pyarrow.parquet as pq

    from rollcall.mine.list_evidence import find_list_evidence

    found = find_list_evidence(
        inputs.graph,
        inputs.corpus,
        work.table("tables", "told"),
        work.folder,
        proofs=work.table("tables", "proofs"),
        related=work.table("tables-relations", "related"),
        stated=work.table("tables-stated", "evidence"),
        prefix=parameters.tables.prefix,
        within_sentence=parameters.tables.within_sentence,
        memory=work.limits.memory,
        threads=work.limits.jobs,
    )
    rows = pq.read_metadata(work.out("evidence")).num_rows
    return Outcome(found, {"facts that no sentence was found to state": rows - found} if rows > found else {})


def validated(parameters: Parameters, source: str, proofs: Sequence[str], work: Work) -> Outcome:
    """Keep the queries of a stage enough of whose answers the evidence of some stages proves."""
    from rollcall.mine.options import Threshold

    limits = parameters.answers_of(source)
    threshold = Threshold(share=limits.validated, least=limits.least, most=limits.most)
    return _validate(work.table(source, "queries"), work.table(source, "proofs"), proofs, threshold, work)


def parts(parameters: Parameters, work: Work) -> Outcome:
    """Keep the queries of which intersections can be made, those too vague to be asked alone among them."""
    share = parameters.intersection.parts
    return _usable(parameters, "intersection", share, work, ("queries", "proofs"), ("vague", "vague_proofs"))


def base(parameters: Parameters, work: Work) -> Outcome:
    """Keep the simple queries of which compositions can be made: fewer of their answers need be proved."""
    return _usable(parameters, "composition", parameters.composition.base, work, ("queries", "proofs"))


def _usable(parameters: Parameters, kind: str, share: float, work: Work, *tables: tuple[str, str]) -> Outcome:
    from rollcall.mine.options import Threshold

    least = parameters.answers_of(kind).least
    threshold = Threshold(share=share, least=least, most=parameters.most_in_graph)
    queries, proofs = ([work.table("simple", pair[place]) for pair in tables] for place in (0, 1))
    with (
        together(queries, work.folder, "queries") as asked,
        together(proofs, work.folder, "proofs") as needed,
    ):
        return _validate(asked, needed, ["simple-evidence"], threshold, work)


def _validate(
    queries: Path, proofs: Path, stages: Sequence[str], threshold: "Threshold", work: Work
) -> Outcome:
    from rollcall.mine.validation import validate

    with together([work.table(stage, "evidence") for stage in stages], work.folder) as tables:
        found = validate(
            queries,
            proofs,
            tables,
            work.folder,
            threshold,
            memory=work.limits.memory,
            threads=work.limits.jobs,
        )
    return Outcome(found.queries, {reason: count for reason, count in found.removed.items() if count})
