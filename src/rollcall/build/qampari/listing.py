"""Lists the stages of the QAMPARI pipeline: what each needs, which parameters it uses, and what it reads."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from pathlib import Path
from typing import Any

import msgspec

from rollcall._core.errors import Filter, RollcallError
from rollcall.build import assembling
from rollcall.build.ends import lexicon_note, realiser_for
from rollcall.build.expectation import no_questions
from rollcall.build.keys import Declaring, VerifierKeys
from rollcall.build.lexicon import build_lexicon
from rollcall.build.qampari import mining, proving
from rollcall.build.qampari.parameters import Parameters
from rollcall.build.releasing import release
from rollcall.build.stage import Inputs, Outcome, Stage, Work, filtered
from rollcall.evidence.verifiers import VERIFIERS
from rollcall.evidence.verifiers.verifier import VerifierKind
from rollcall.graph import Graph
from rollcall.questions.release import Worded, answer_hash, distinct
from rollcall.questions.splits import TABLES, Drawable, sample
from rollcall.tables.build import Answers, ChosenQueries, ValidatedQueries, WordedQueries
from rollcall.tables.files import batches, records, write_records

# The stage that draws the set: all proved questions, split by relations and sampled by quotas. Input:
# the tables `kept` of the validating stages. Output: `chosen`, the queries of the set with their splits.

_KEYS = {"per_relation": "split.per_relation", "quotas": "split.quotas"}
"""The keys of the recipe that set the options of sampling."""


def draw(parameters: Parameters, sources: Sequence[str], work: Work) -> Outcome:
    """Write `chosen`: the queries of the set, each with its split."""
    tables = [work.table(source, "kept") for source in sources]
    items = {item.key: item for table in tables for item in _drawables(table)}
    if not items:
        raise RollcallError(no_questions(work.outcomes))
    drawn = sample(list(items.values()), parameters.split, parameters.seed)
    if not drawn.splits:
        raise RollcallError(no_questions({**work.outcomes, "sample": filtered(0, drawn.removed, _KEYS)}))
    chosen = [
        {**row, "split": drawn.splits[row["key"]]}
        for table in tables
        for row in records(ValidatedQueries, table)
        if row["key"] in drawn.splits
    ]
    write_records(ChosenQueries, work.out("chosen"), chosen)
    kinds: dict[str, int] = {}
    for key in drawn.splits:
        kinds[items[key].kind] = kinds.get(items[key].kind, 0) + 1
    notes = _notes(parameters, kinds)
    return filtered(len(chosen), drawn.removed, _KEYS, notes=notes, counts=dict(sorted(kinds.items())))


def _notes(parameters: Parameters, kinds: dict[str, int]) -> list[str]:
    missing = [kind for kind, quota in parameters.split.quotas.items() if quota and not kinds.get(kind)]
    return [f"no question of kind {kind} was left to draw" for kind in missing]


def _drawables(table: Path) -> Iterator[Drawable]:
    for row in records(ValidatedQueries, table, ("key", "kind", "relations", "entities")):
        by_list = row["kind"] in TABLES
        yield Drawable(row["key"], row["kind"], tuple(row["entities"][:1] if by_list else row["relations"]))


# The stage that assembles questions from the tables `chosen`, `worded`, `validated`, `proofs` and
# `evidence`.


def assemble(
    parameters: Parameters,
    inputs: Inputs,
    name: str,
    mined: Sequence[str],
    evidence: Sequence[str],
    work: Work,
) -> Outcome:
    """Write `questions.jsonl`, from the stages that mined queries and those that found evidence."""
    sources = assembling.Sources(
        chosen=work.table("sample", "chosen"),
        worded=work.table("word", "worded"),
        validated=[work.table(f"{stage}-validated", "validated") for stage in mined],
        proofs=[work.table(stage, "proofs") for stage in mined],
        evidence=[work.table(stage, "evidence") for stage in evidence],
    )
    style = assembling.Style(name, per_fact=parameters.evidence.per_fact)
    return Outcome(assembling.assemble(sources, inputs.graph, inputs.corpus, style, work))


# The stage that words the drawn queries, and drops questions with equal texts. Input: `chosen`, and the
# validated queries. Output: `worded`.


def word(parameters: Parameters, inputs: Inputs, sources: Sequence[str], work: Work) -> Outcome:
    """Write `worded`: for each kept question its id, query, wordings, and the questions with the same
    answers.
    """
    from rollcall.mine.neighbourhood import query_of_row

    rows: dict[str, dict[str, Any]] = {}
    splits: dict[str, str] = {}
    repeated = alike = 0
    with Graph.open(inputs.graph) as graph:
        lexicon = build_lexicon(parameters.wording)
        chosen = list(records(ChosenQueries, work.table("sample", "chosen")))
        queries = {row["key"]: query_of_row(row) for row in chosen}
        asked = sorted({relation for query in queries.values() for relation in query.relations})
        notes = lexicon_note(graph, lexicon, asked)
        hashes, answers = _known_answers(
            [work.table(source, "validated") for source in sources], set(queries)
        )
        realiser = realiser_for(
            graph,
            lexicon,
            list(queries.values()),
            chain(*answers.values()),
            inputs,
            work,
            tell_namesakes_apart=True,
        )
        seen: set[str] = set()
        for row in chosen:
            query = queries[row["key"]]
            if query.text in seen:
                repeated += 1
                continue
            seen.add(query.text)
            said = realiser.ask(query, answers.get(row["key"], ()))
            if said is None:
                alike += 1
                continue
            rows[row["key"]] = {
                "key": row["key"],
                "id": query.id,
                "query": query.text,
                "question": said.question,
                "wordings": list(said.alternatives),
            }
            splits[row["key"]] = row["split"]
    found = distinct(
        Worded(key, row["question"], splits[key], hashes[key]) for key, row in sorted(rows.items())
    )
    kept = [
        {**rows[key], "same_answers": [rows[other]["id"] for other in found.same_answers.get(key, ())]}
        for key in sorted(found.kept)
    ]
    write_records(WordedQueries, work.out("worded"), kept)
    removed = {
        Filter("the same query as another"): repeated,
        Filter("no sensible question"): alike,
        **found.removed,
    }
    counts = {"share their answers with another": len(found.same_answers)} if found.same_answers else {}
    return filtered(len(kept), removed, notes=notes, counts=counts)


def _known_answers(tables: Sequence[Path], keys: set[str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """One hash for the answers of each question, and those answers that are entities."""
    hashes: dict[str, str] = {}
    entities: dict[str, list[str]] = {}
    for table in tables:
        for key, group in groupby(_wording_validated(table, keys), lambda row: str(row["key"])):
            answers = [(str(row["answer"]), bool(row["literal"])) for row in group]
            hashes[key] = answer_hash(f"{literal}{answer}" for answer, literal in answers)
            entities[key] = [answer for answer, literal in answers if not literal]
    return hashes, entities


def _wording_validated(table: Path, keys: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The validated answers of some questions; the table is sorted by key."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.array(sorted(keys), pa.string())
    for batch in batches(Answers, table):
        rows = batch.filter(pc.is_in(batch.column("key"), value_set=wanted))
        yield from rows.to_pylist()


_BOTH = ("graph", "corpus")


def all_stages(parameters: Parameters, inputs: Inputs, recipe: dict[str, Any]) -> list[Stage]:
    """The stages, in order."""
    declaring = Declaring(parameters, inputs)
    kind = VERIFIERS.find(parameters.evidence.verifier)
    chosen = parameters.evidence.alone()
    tables = parameters.tables.use
    stages = [
        *_simple(declaring, kind, chosen, tables),
        *_intersection(declaring),
        *_composition(declaring, kind, chosen),
        *(_proved_tables(declaring, kind) if tables else []),
    ]
    kinds = ["simple", "intersection", "composition", *(["tables"] if tables else [])]
    return [*stages, *_finished(declaring, recipe, kinds, [stage.name for stage in stages])]


def _learning(
    declaring: Declaring,
    kind: type[VerifierKind],
    chosen: VerifierKeys,
    *sources: str,
    earlier: str | None = None,
) -> list[Stage]:
    """The stage in which the verifier learns the relations of some stages; none if the verifier does not
    learn. One that prepares uses what the stage `earlier` has prepared and learned.
    """
    if not kind.learns:
        return []
    before = [earlier] if kind.prepares and earlier is not None else []
    return [
        declaring.stage(
            f"{sources[0]}-verifier",
            proving.learn,
            kind,
            chosen,
            sources,
            next(iter(before), None),
            needs=(*sources, *before),
            reads=_BOTH,
            sections=("wording",),
            more={"verifier": msgspec.to_builtins(chosen)},
        )
    ]


def _evidence(declaring: Declaring, kind: type[VerifierKind], name: str, source: str, learned: str) -> Stage:
    """The stage that finds evidence for the facts of the stage `source`, with the verifier of the stage
    `learned`.
    """
    return declaring.stage(
        name,
        proving.evidence,
        kind,
        source,
        learned,
        needs=(source, *([f"{learned}-verifier"] if kind.learns else [])),
        reads=_BOTH,
        sections=("evidence", "relations", "wording"),
    )


def _validated(declaring: Declaring, kind: str, evidence: Sequence[str]) -> Stage:
    """The stage that keeps the queries with enough proved answers."""
    return declaring.stage(
        f"{kind}-validated",
        proving.validated,
        kind,
        evidence,
        needs=(kind, *evidence),
        sections=("answers", "intersection") if kind == "intersection" else ("answers",),
    )


def _simple(
    declaring: Declaring, kind: type[VerifierKind], chosen: VerifierKeys, tables: bool
) -> list[Stage]:
    mined_tables = [
        declaring.stage("tables", mining.tables, reads=("corpus",), sections=("seed", "answers", "tables")),
        declaring.stage("tables-relations", mining.table_relations, needs=("tables",), reads=("graph",)),
    ]
    return [
        declaring.stage(
            "simple",
            mining.simple,
            reads=("graph",),
            sections=("seed", "relations", "answers", "simple", "wording"),
        ),
        *(mined_tables if tables else []),
        *_learning(declaring, kind, chosen, "simple", *(["tables-relations"] if tables else [])),
        _evidence(declaring, kind, "simple-evidence", "simple", "simple"),
        _validated(declaring, "simple", ["simple-evidence"]),
    ]


def _intersection(declaring: Declaring) -> list[Stage]:
    return [
        declaring.stage(
            "intersection-parts",
            proving.parts,
            needs=("simple", "simple-evidence"),
            sections=("answers", "intersection"),
        ),
        declaring.stage(
            "intersection",
            mining.intersection,
            needs=("simple", "intersection-parts"),
            reads=("graph",),
            sections=("seed", "answers", "intersection"),
        ),
        _validated(declaring, "intersection", ["simple-evidence"]),
    ]


def _composition(declaring: Declaring, kind: type[VerifierKind], chosen: VerifierKeys) -> list[Stage]:
    return [
        declaring.stage(
            "composition-base",
            proving.base,
            needs=("simple", "simple-evidence"),
            sections=("answers", "composition"),
        ),
        declaring.stage(
            "composition",
            mining.composition,
            needs=("simple", "composition-base"),
            reads=("graph",),
            sections=("seed", "relations", "answers", "composition", "wording"),
        ),
        *_learning(declaring, kind, chosen, "composition", earlier="simple-verifier"),
        _evidence(declaring, kind, "composition-evidence", "composition", "composition"),
        _validated(declaring, "composition", ["simple-evidence", "composition-evidence"]),
    ]


def _proved_tables(declaring: Declaring, kind: type[VerifierKind]) -> list[Stage]:
    """The stages that prove questions about lists with the pages of the entries."""
    return [
        _evidence(declaring, kind, "tables-stated", "tables-relations", "simple"),
        declaring.stage(
            "tables-evidence",
            proving.table_evidence,
            needs=("tables", "tables-relations", "tables-stated"),
            reads=_BOTH,
            sections=("tables",),
        ),
        declaring.stage(
            "tables-validated",
            proving.validated_tables,
            needs=("tables", "tables-evidence"),
            sections=("seed", "answers", "tables"),
        ),
    ]


def _finished(
    declaring: Declaring, recipe: dict[str, Any], kinds: Sequence[str], made: Sequence[str]
) -> list[Stage]:
    """The stages that make a set from the proved queries; `made` are all earlier stages."""
    proved = [f"{kind}-validated" for kind in kinds]
    evidence = [f"{kind}-evidence" for kind in kinds if kind != "intersection"]
    return [
        declaring.stage("sample", draw, proved, needs=made, sections=("seed", "split"), uses_outcomes=True),
        declaring.stage(
            "word",
            word,
            proved,
            needs=("sample", *proved),
            reads=_BOTH,
            sections=("wording",),
        ),
        declaring.stage(
            "assemble",
            assemble,
            recipe["name"],
            kinds,
            evidence,
            needs=("sample", "word", *made),
            reads=_BOTH,
            sections=("evidence",),
            more={"recipe": recipe["name"]},
        ),
        declaring.stage(
            "release",
            release,
            recipe,
            needs=(*made, "sample", "word", "assemble"),
            reads=_BOTH,
            more=recipe,
            uses_outcomes=True,
        ),
    ]
