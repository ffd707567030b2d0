"""Lists the stages of the QAMPARI pipeline: what each needs, which parameters it uses, and what it reads."""

from collections.abc import Sequence
from typing import Any

import msgspec

from rollcall.build.declaring import Declaring
from rollcall.build.inputs import Inputs
from rollcall.build.qampari import assembling, drawing, mining, proving, wording
from rollcall.build.qampari.parameters import Parameters
from rollcall.build.releasing import release
from rollcall.build.stage import Stage
from rollcall.build.verifier_keys import VerifierKeys
from rollcall.evidence.verifiers import VERIFIERS
from rollcall.evidence.verifiers.verifier import VerifierKind

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
        declaring.stage(
            "sample", drawing.draw, proved, needs=made, sections=("seed", "split"), uses_outcomes=True
        ),
        declaring.stage(
            "word",
            wording.word,
            proved,
            needs=("sample", *proved),
            reads=_BOTH,
            sections=("wording",),
        ),
        declaring.stage(
            "assemble",
            assembling.assemble,
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
