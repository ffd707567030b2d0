"""The stages of a build, in order: mine → prove → word → sample → release.

A question goes through these modules: a kind of question mines its query (`rollcall.mine.kinds`, called by
`mining`), text proves its answers (`proving`), it is drawn or left out (`sampling`), worded (`wording`),
rephrased by a language model if the recipe says so (`polish`), joined with its answers and their evidence
(`assembling`) and released (`releasing`). Before it is worded, the corpus is searched for answers that the
graph lacks (`completing`).

- `proved_stages`: of sets whose answers must be proved. A later kind may start from what is proved of an
  earlier one, and the set is drawn from all proved questions.
- `shown_stages`: of sets whose answers are those of the graph, with the evidence that text has for them.

Each stage declares what it needs, which parameters it uses, and what it reads.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

from rollcall.build import completing, mining, proving
from rollcall.build.assembling import JoinedStages, assemble
from rollcall.build.keys import Declaring, VerifierKeys
from rollcall.build.polish import STAGE, Polish, polish
from rollcall.build.releasing import release
from rollcall.build.sampling import by_name, draw
from rollcall.build.stage import Inputs, Stage
from rollcall.build.wording import word_drawn, word_mined
from rollcall.evidence.verifiers import VERIFIERS
from rollcall.evidence.verifiers.verifier import VerifierKind
from rollcall.mine.kinds import KINDS, QuestionKind, kinds_of

_BOTH = ("graph", "corpus")


def proved_stages(parameters: Any, inputs: Inputs, recipe: dict[str, Any]) -> list[Stage]:
    """The stages of a set whose answers are proved by text."""
    declaring = Declaring(parameters, inputs)
    kind = VERIFIERS.find(parameters.evidence.verifier)
    verifier_keys = parameters.evidence.alone()
    tables = parameters.tables.use
    further = kinds_of(parameters.kinds)
    stages = [
        *_simple(declaring, kind, verifier_keys, tables),
        *_intersection(declaring),
        *_composition(declaring, kind, verifier_keys),
        *(_proved_tables(declaring, kind) if tables else []),
        *(
            stage
            for question_kind in further
            for stage in _further(declaring, question_kind, kind, verifier_keys)
        ),
    ]
    sources = ["simple", "intersection", "composition", *(["tables"] if tables else [])]
    sources += [question_kind.place() for question_kind in further]
    evidence = [f"{source}-evidence" for source in sources if source != "intersection"]
    validated = [f"{source}-validated" for source in sources]
    names = [stage.name for stage in stages]
    kinds = partial(by_name, *parameters.question_kinds())
    polishing, worded = _polishing(declaring, parameters)
    stages.append(
        declaring.stage(
            "sample", draw, validated, kinds, needs=names, sections=("seed", "split"), uses_outcomes=True
        )
    )
    names.append("sample")
    drawn, answers = "sample", validated
    if parameters.completion.use:
        learned = [source for source in sources if f"{source}-verifier" in names]
        search = completing.SearchedStages(validated, evidence, learned, "tables" if tables else None)
        sections = ("answers", "completion", "evidence", "wording", *_limits(parameters))
        stages.append(
            declaring.stage(
                "complete",
                completing.complete,
                kind,
                search,
                needs=names,
                reads=_BOTH,
                sections=sections,
                uses_outcomes=True,
            )
        )
        names.append("complete")
        drawn, answers, sources = "complete", ["complete"], [*sources, "complete"]
    joined = JoinedStages(
        [(stage, "validated") for stage in answers],
        sources,
        evidence,
        proved=True,
        further="complete" if parameters.completion.use else None,
        worded=worded,
    )
    return [
        *stages,
        declaring.stage(
            "word",
            word_drawn,
            drawn,
            answers,
            needs=(drawn, *answers),
            reads=_BOTH,
            sections=("wording",),
        ),
        *polishing,
        declaring.stage(
            "assemble",
            assemble,
            recipe["name"],
            joined,
            needs=(worded, *names),
            reads=_BOTH,
            sections=("answers", "evidence"),
            more={"recipe": recipe["name"]},
        ),
        _released(declaring, recipe, (*names, "word", *_names(polishing), "assemble")),
    ]


def _limits(parameters: Any) -> list[str]:
    """The sections of kinds that may have limits of their own."""
    return list(dict.fromkeys(kind.place() for kind in parameters.question_kinds()))


def shown_stages(parameters: Any, inputs: Inputs, recipe: dict[str, Any]) -> list[Stage]:
    """The stages of a set whose answers are those of the graph."""
    declaring = Declaring(parameters, inputs)
    kinds = parameters.question_kinds()
    sources = [kind.place() for kind in kinds]
    stages = [_mined(declaring, kind) for kind in kinds]
    if parameters.evidence.use:
        stages.append(
            declaring.stage(
                "evidence",
                proving.shown_evidence,
                VERIFIERS.find(parameters.evidence.verifier),
                sources,
                needs=sources,
                reads=_BOTH,
                sections=("evidence", "wording"),
            )
        )
    names = [stage.name for stage in stages]
    polishing, worded = _polishing(declaring, parameters)
    return [
        *stages,
        declaring.stage(
            "word",
            word_mined,
            [(kind.place(), kind.Rows) for kind in kinds],
            needs=sources,
            reads=_BOTH,
            sections=("seed", "wording", "split", "clusters"),
        ),
        *polishing,
        declaring.stage(
            "assemble",
            assemble,
            recipe["name"],
            JoinedStages(
                [(source, "answers") for source in sources],
                sources,
                ["evidence"] if parameters.evidence.use else [],
                variants=[kind.name for kind in kinds if kind.variants],
                worded=worded,
            ),
            needs=(*names, worded),
            reads=_BOTH,
            sections=("answers", "evidence", "wording", "clusters"),
            more={"recipe": recipe["name"]},
        ),
        _released(declaring, recipe, (*names, "word", *_names(polishing), "assemble")),
    ]


def _polishing(declaring: Declaring, parameters: Any) -> tuple[list[Stage], str]:
    """The stage in which a model rephrases questions, if there is one, and the stage with the wordings."""
    model = Polish.of(parameters.wording)
    if model is None:
        return [], "word"
    more = {"polish": list(model)}
    stage = declaring.stage(
        STAGE, polish, model, needs=("word",), reads=("graph",), sections=("wording",), more=more
    )
    return [stage], STAGE


def _names(stages: Sequence[Stage]) -> list[str]:
    return [stage.name for stage in stages]


def _released(declaring: Declaring, recipe: dict[str, Any], needs: Sequence[str]) -> Stage:
    return declaring.stage(
        "release", release, recipe, needs=needs, reads=_BOTH, more=recipe, uses_outcomes=True
    )


def _mined(declaring: Declaring, kind: type[QuestionKind], start: str | None = None) -> Stage:
    """The stage that mines a kind, from the proved simple queries of the stage `start` if there is one."""
    return declaring.stage(
        kind.place(),
        mining.mine,
        kind,
        start,
        needs=() if start is None else ("simple", start),
        reads=kind.reads,
        sections=("seed", *kind.sections, kind.place()),
    )


def _learning(
    declaring: Declaring,
    kind: type[VerifierKind],
    verifier_keys: VerifierKeys,
    *sources: str,
    earlier: str | None = None,
) -> list[Stage]:
    """The stage in which the verifier learns the relations of some stages; none if the verifier does not
    learn. One that prepares uses what the stage `earlier` has prepared and learned.
    """
    if not kind.learns:
        return []
    prepared = [earlier] if kind.prepares and earlier is not None else []
    return [
        declaring.stage(
            f"{sources[0]}-verifier",
            proving.learn,
            kind,
            verifier_keys,
            sources,
            next(iter(prepared), None),
            needs=(*sources, *prepared),
            reads=_BOTH,
            sections=("wording",),
            more={"verifier": msgspec.to_builtins(verifier_keys)},
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
        sections=("answers", kind),
    )


def _simple(
    declaring: Declaring, kind: type[VerifierKind], verifier_keys: VerifierKeys, tables: bool
) -> list[Stage]:
    mined_tables = [
        _mined(declaring, KINDS.find("table-simple")),
        declaring.stage("tables-relations", mining.table_relations, needs=("tables",), reads=("graph",)),
    ]
    return [
        _mined(declaring, KINDS.find("simple")),
        *(mined_tables if tables else []),
        *_learning(declaring, kind, verifier_keys, "simple", *(["tables-relations"] if tables else [])),
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
        _mined(declaring, KINDS.find("intersection"), "intersection-parts"),
        _validated(declaring, "intersection", ["simple-evidence"]),
    ]


def _composition(declaring: Declaring, kind: type[VerifierKind], verifier_keys: VerifierKeys) -> list[Stage]:
    return [
        declaring.stage(
            "composition-base",
            proving.base,
            needs=("simple", "simple-evidence"),
            sections=("answers", "composition"),
        ),
        _mined(declaring, KINDS.find("composition"), "composition-base"),
        *_learning(declaring, kind, verifier_keys, "composition", earlier="simple-verifier"),
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


def _further(
    declaring: Declaring,
    question_kind: type[QuestionKind],
    kind: type[VerifierKind],
    verifier_keys: VerifierKeys,
) -> list[Stage]:
    """The stages of any further kind: mined from the graph, and proved."""
    section = question_kind.place()
    return [
        _mined(declaring, question_kind),
        *_learning(declaring, kind, verifier_keys, section, earlier="simple-verifier"),
        _evidence(declaring, kind, f"{section}-evidence", section, section),
        _validated(declaring, section, [f"{section}-evidence"]),
    ]
