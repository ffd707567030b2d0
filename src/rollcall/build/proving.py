"""The stages that prove: they find evidence for facts, and keep the queries with enough proved answers.

Input: `facts`, `queries` and `proofs` of mining stages. Output: `evidence` (of facts), then `kept` and
`validated` (of queries), or the file of a verifier that learned.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollcall._core.errors import Filter
from rollcall.build.stage import Inputs, Outcome, Work, filtered

if TYPE_CHECKING:
    from rollcall.build.keys import VerifierKeys
    from rollcall.evidence.validation import ValidationLimits
    from rollcall.evidence.verifiers.verifier import VerifierKind
    from rollcall.mine.joins import MiningResult
    from rollcall.questions.record import Evidence


VERIFIER, EXAMPLES = "verifier.model", "verifier.examples"
_NO_PAGE = Filter("facts of which neither end has a page", "pages")
_NO_SENTENCE = Filter("facts named together in no sentence", "names")
_NOT_STATED = Filter("facts that no sentence was found to state", "verifier")
_EVIDENCE = {
    "pages": "evidence.where, or the corpus: is it tied to this graph?",
    "names": "the corpus: does it name the entities of this graph?",
    "verifier": "evidence.verifier",
}
"""What to change or to check if facts have no evidence."""
_LIMITS = {"least": "answers.least", "share": "answers.validated", "most": "answers.most"}
"""The keys of the recipe for the limits of validation."""


def learn(
    parameters: Any,
    inputs: Inputs,
    kind: "type[VerifierKind]",
    verifier_keys: "VerifierKeys",
    sources: Sequence[str],
    earlier: str | None,
    work: Work,
) -> Outcome:
    """Learn from the graph and the corpus how text states the relations in the facts of some stages.

    A verifier that prepares does so in the first such stage only; a later one names it as `earlier`, and uses
    what it prepared and what it has learned.
    """
    from rollcall.build.chosen_verifier import chosen_verifier, prepare_verifier
    from rollcall.evidence.find import relations_of

    relations = {relation for source in sources for relation in relations_of(work.table(source, "facts"))}
    prepared = (work.folder if earlier is None else work.before[earlier]) / EXAMPLES
    if kind.prepares and earlier is None:
        prepare_verifier(kind, verifier_keys, parameters.wording, inputs, work, prepared)
    verifier = chosen_verifier(
        kind,
        verifier_keys,
        parameters.wording,
        inputs,
        work,
        sorted(relations),
        prepared if kind.prepares else None,
        work.before[earlier] / VERIFIER if earlier is not None else None,
    )
    verifier.save(work.folder / VERIFIER)
    return Outcome(len(relations), notes=[verifier.remark] if verifier.remark else [])


def evidence(
    parameters: Any, inputs: Inputs, kind: "type[VerifierKind]", source: str, learned: str, work: Work
) -> Outcome:
    """Find sentences that state the facts of the stage `source`, with the verifier of the stage `learned`."""
    from rollcall.build import expectation
    from rollcall.build.chosen_verifier import chosen_verifier
    from rollcall.build.expectation import acceptance
    from rollcall.build.lexicon import build_lexicon
    from rollcall.evidence import find_evidence

    if kind.learns:
        verifier = kind.load(work.before[f"{learned}-verifier"] / VERIFIER, build_lexicon(parameters.wording))
    else:
        verifier = chosen_verifier(kind, parameters.evidence, parameters.wording, inputs, work)
    rule = acceptance(verifier, kind.learns, parameters, inputs.graph)
    result = find_evidence(
        inputs.graph,
        inputs.corpus,
        work.table(source, "facts"),
        work.out("evidence"),
        verifier=verifier,
        accepting=rule,
        per_fact=parameters.evidence.per_fact,
        where=parameters.evidence.where,
        engine=work.engine,
    )
    removed = {
        _NO_PAGE: result.facts - result.searchable,
        _NO_SENTENCE: result.searchable - result.found,
        _NOT_STATED: result.found - result.validated,
    }
    return filtered(
        result.validated,
        removed,
        {**_EVIDENCE, "verifier": parameters.evidence.expectation or _EVIDENCE["verifier"]},
        notes=expectation.notes(rule, result.expected, verifier, result.shared_names),
        counts={"facts": result.facts, "candidates": result.candidates},
        figures=expectation.figures(result.expected),
    )


def rejected_evidence(work: Path) -> "Iterator[Evidence]":
    """The best sentence of every fact that a sentence names and none states, from the stages of a build.

    Titles are the ids of pages. Stages that are not complete are passed over.
    """
    from rollcall.build import runner
    from rollcall.query import Edge, Entity, Literal, parse_value
    from rollcall.questions.record import Evidence
    from rollcall.tables.build import EvidenceRows
    from rollcall.tables.files import records
    from rollcall.tables.table import file_name

    for table in sorted(work.glob(f"*/{file_name(EvidenceRows)}")):
        if runner.read(table.parent) is None:
            continue
        for row in records(EvidenceRows, table):
            if row["rank"] == 1 and not row["validated"]:
                object_ = Literal(parse_value(row["object"])) if row["literal"] else Entity(row["object"])
                fact = Edge(Entity(row["subject"]), row["relation"], object_).text
                yield Evidence(
                    row["text"],
                    row["passage"],
                    row["page"],
                    None,
                    row["start"],
                    row["end"],
                    row["score"],
                    fact,
                )


def table_evidence(parameters: Any, inputs: Inputs, work: Work) -> Outcome:
    """Search the pages of a list's entries for what the list says about them."""
    from rollcall.evidence.lists import find_list_evidence
    from rollcall.tables.build import EvidenceRows
    from rollcall.tables.files import count

    stated_count = find_list_evidence(
        inputs.graph,
        inputs.corpus,
        work.table("tables", "list_facts"),
        work.folder,
        proofs=work.table("tables", "proofs"),
        related=work.table("tables-relations", "related"),
        stated=work.table("tables-stated", "evidence"),
        prefix=parameters.tables.prefix,
        within_sentence=parameters.tables.within_sentence,
        engine=work.engine,
    )
    row_count = count(EvidenceRows, work.out("evidence"))
    return filtered(stated_count, {_NOT_STATED: row_count - stated_count}, _EVIDENCE)


def validated(parameters: Any, source: str, proofs: Sequence[str], work: Work) -> Outcome:
    """Keep the queries of a stage with enough answers that the evidence of some stages proves."""
    result = _proved(parameters, source, proofs, work)
    return filtered(result.queries, result.removed, _LIMITS)


def validated_tables(parameters: Any, work: Work) -> Outcome:
    """Keep the queries about lists with enough proved answers: few of one list, and different ones."""
    from rollcall.mine.lists.queries import ListLimits, draw_varied

    result = _proved(parameters, "tables", ["tables-evidence"], work)
    table_keys = parameters.tables
    limits = ListLimits(per_column=table_keys.per_column, per_list=table_keys.per_list, seed=parameters.seed)
    drawn = draw_varied(work.folder, work.table("tables", "queries"), limits, work.engine)
    change = {**_LIMITS, "per_list": "tables.per_column, tables.per_list"}
    return filtered(drawn.queries, {**result.removed, **drawn.removed}, change)


def _proved(parameters: Any, source: str, proofs: Sequence[str], work: Work) -> "MiningResult":
    from rollcall.evidence.validation import ValidationLimits

    answer_keys = parameters.answers_of(source)
    limits = ValidationLimits(share=answer_keys.validated, least=answer_keys.least, most=answer_keys.most)
    tables = ([work.table(source, "queries")], [work.table(source, "proofs")])
    return _validate(*tables, proofs, limits, work)


def parts(parameters: Any, work: Work) -> Outcome:
    """Keep the queries that intersections can use, including those too vague to be asked alone."""
    share = parameters.intersection.parts
    return _usable(parameters, "intersection.parts", share, work, ("", "vague"))


def base(parameters: Any, work: Work) -> Outcome:
    """Keep the simple queries that compositions can use: a smaller share of their answers must be proved."""
    return _usable(parameters, "composition.base", parameters.composition.base, work, ("",))


def _usable(parameters: Any, key: str, share: float, work: Work, groups: Sequence[str]) -> Outcome:
    """Keep the simple queries, and the vague ones if asked for, with this share of proved answers."""
    from rollcall.evidence.validation import ValidationLimits

    least = parameters.answers_of(key.partition(".")[0]).least
    limits = ValidationLimits(share=share, least=least, most=parameters.most_in_graph)
    queries = [work.table("simple", group or "queries") for group in groups]
    proofs = [work.table("simple", f"{group}_proofs" if group else "proofs") for group in groups]
    result = _validate(queries, proofs, ["simple-evidence"], limits, work)
    return filtered(result.queries, result.removed, {**_LIMITS, "share": key})


def _validate(
    queries: Sequence[Path],
    proofs: Sequence[Path],
    stages: Sequence[str],
    limits: "ValidationLimits",
    work: Work,
) -> "MiningResult":
    from rollcall.evidence.validation import validate

    evidence_tables = [work.table(stage, "evidence") for stage in stages]
    return validate(queries, proofs, evidence_tables, work.folder, limits, engine=work.engine)


# Where answers need no proof, evidence is found for the facts of all kinds at once.


def shown_evidence(
    parameters: Any, inputs: Inputs, kind: "type[VerifierKind]", sources: Sequence[str], work: Work
) -> Outcome:
    """Find sentences that state the facts of all kinds."""
    from rollcall.build import expectation
    from rollcall.build.chosen_verifier import chosen_verifier
    from rollcall.build.lexicon import build_lexicon
    from rollcall.evidence.find import find_evidence, relations_of

    facts = work.out("facts")
    _write_distinct([work.table(source, "facts") for source in sources], facts)
    keys = parameters.evidence
    verifier = chosen_verifier(kind, keys, parameters.wording, inputs, work, relations_of(facts))
    rule = expectation.acceptance_for(keys)
    result = find_evidence(
        inputs.graph,
        inputs.corpus,
        facts,
        work.out("evidence"),
        verifier=verifier,
        accepting=rule,
        per_fact=keys.per_fact,
        where=keys.where,
        lexicon=build_lexicon(parameters.wording),
        engine=work.engine,
    )
    unstated = Filter("facts that no sentence was found to state", "verifier")
    return filtered(
        result.validated,
        {unstated: result.facts - result.validated},
        {"verifier": keys.expectation or "evidence.verifier"},
        notes=[
            *([verifier.remark] if verifier.remark else []),
            *expectation.notes(rule, result.expected, verifier, result.shared_names),
        ],
        counts={"facts": result.facts, "candidates": result.candidates},
        figures=expectation.figures(result.expected),
    )


def _write_distinct(tables: Sequence[Path], path: Path) -> None:
    import pyarrow as pa

    from rollcall.tables.build import ProvableFacts
    from rollcall.tables.files import read, write_sorted
    from rollcall.tables.table import columns

    combined = pa.concat_tables([read(ProvableFacts, table) for table in tables])
    distinct = combined.group_by(list(columns(ProvableFacts)), use_threads=False).aggregate([])
    write_sorted(ProvableFacts, path, distinct)
