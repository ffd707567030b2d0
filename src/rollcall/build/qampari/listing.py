"""The stages of the QAMPARI pipeline: what each needs, which parameters it has, and whose code it runs."""

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from rollcall.build.assembling import Sources, Style, assemble
from rollcall.build.pipelines import Inputs
from rollcall.build.qampari import drawing, mining, proving, wording
from rollcall.build.qampari.parameters import Parameters
from rollcall.build.releasing import release
from rollcall.build.stage import Outcome, Stage, Work

_MINING = ("rollcall.mine", "rollcall.query", "rollcall.engine", "rollcall.build.qampari.mining")
_CHOICE = ("rollcall.wording", "rollcall.build.qampari.relations")
_EVIDENCE = (
    "rollcall.evidence",
    "rollcall.query",
    "rollcall.wording",
    "rollcall.build.verification",
    "rollcall.build.qampari.proving",
)
_VALIDATION = ("rollcall.mine", "rollcall.build.qampari.proving")


def all_stages(parameters: Parameters, inputs: Inputs, recipe: dict[str, Any]) -> list[Stage]:
    """The stages, in order."""
    sections: dict[str, Any] = msgspec.to_builtins(parameters)
    graph = {"the graph": inputs.graph}
    both = inputs.named()

    def needs(*names: str) -> dict[str, Any]:
        return {name: sections[name] for name in names}

    def stage(name: str, work: Callable[[Work], Outcome], *before: str, **more: Any) -> Stage:
        return Stage(name, work, before, **more)

    mined = ["simple", "intersection", "composition"]
    proved = [f"{name}-validated" for name in mined]
    evidence = ["simple-evidence", "composition-evidence"]
    learns = parameters.evidence.verifier == "contrast"

    def learning(*sources: str) -> list[Stage]:
        work = partial(proving.learn, inputs, sources)
        name = f"{sources[0]}-verifier"
        return [stage(name, work, *sources, inputs=both, code=_EVIDENCE)] if learns else []

    def proving_facts(name: str, source: str, learned: str) -> Stage:
        return stage(
            name,
            partial(proving.evidence, parameters, inputs, source, learned),
            source,
            *([f"{learned}-verifier"] if learns else []),
            inputs=both,
            parameters=needs("evidence", "relations", "wording"),
            code=(*_EVIDENCE, "rollcall.build.qampari.strictness"),
        )

    stages = [
        stage(
            "simple",
            partial(mining.simple, parameters, inputs),
            inputs=graph,
            parameters=needs("seed", "relations", "answers", "simple", "wording"),
            code=(*_MINING, *_CHOICE),
        ),
        *(_mined_tables(parameters, inputs, sections) if parameters.tables.use else []),
        *learning("simple", *(["tables-relations"] if parameters.tables.use else [])),
        proving_facts("simple-evidence", "simple", "simple"),
        stage(
            "simple-validated",
            partial(proving.validated, parameters, "simple", ["simple-evidence"]),
            "simple",
            "simple-evidence",
            parameters=needs("answers"),
            code=_VALIDATION,
        ),
        stage(
            "intersection-parts",
            partial(proving.parts, parameters),
            "simple",
            "simple-evidence",
            parameters=needs("answers", "intersection"),
            code=_VALIDATION,
        ),
        stage(
            "intersection",
            partial(mining.intersection, parameters, inputs),
            "simple",
            "intersection-parts",
            inputs=graph,
            parameters=needs("seed", "answers", "intersection"),
            code=_MINING,
        ),
        stage(
            "intersection-validated",
            partial(proving.validated, parameters, "intersection", ["simple-evidence"]),
            "intersection",
            "simple-evidence",
            parameters=needs("answers", "intersection"),
            code=_VALIDATION,
        ),
        stage(
            "composition-base",
            partial(proving.base, parameters),
            "simple",
            "simple-evidence",
            parameters={**needs("answers"), "base": parameters.composition.base},
            code=_VALIDATION,
        ),
        stage(
            "composition",
            partial(mining.composition, parameters, inputs),
            "simple",
            "composition-base",
            inputs=graph,
            parameters=needs("seed", "relations", "answers", "composition", "wording"),
            code=(*_MINING, *_CHOICE),
        ),
        *learning("composition"),
        proving_facts("composition-evidence", "composition", "composition"),
        stage(
            "composition-validated",
            partial(proving.validated, parameters, "composition", evidence),
            "composition",
            *evidence,
            parameters=needs("answers"),
            code=_VALIDATION,
        ),
    ]
    if parameters.tables.use:
        mined, evidence = [*mined, "tables"], [*evidence, "tables-evidence"]
        proved.append("tables-validated")
        stages += [
            proving_facts("tables-stated", "tables-relations", "simple"),
            *_proved_tables(parameters, inputs, sections),
        ]
    made = [made.name for made in stages]
    stages += [
        stage(
            "sample",
            partial(drawing.draw, parameters, proved),
            *made,
            parameters=needs("seed", "split"),
            code=("rollcall.questions", "rollcall.build.qampari.drawing"),
        ),
        stage(
            "word",
            partial(wording.word, parameters, inputs, proved),
            "sample",
            *proved,
            inputs=graph,
            parameters=needs("wording"),
            code=("rollcall.wording", "rollcall.query", "rollcall.mine", "rollcall.build.qampari.wording"),
        ),
        stage(
            "assemble",
            partial(_assemble, parameters, inputs, recipe["name"], mined, evidence),
            "sample",
            "word",
            *made,
            inputs=both,
            parameters={**needs("evidence"), "recipe": recipe["name"]},
            code=(
                "rollcall.questions",
                "rollcall.query",
                "rollcall.build.assembling",
                "rollcall.build.namer",
                "rollcall.wording.naming",
            ),
        ),
        stage(
            "release",
            partial(release, inputs, recipe),
            *made,
            "sample",
            "word",
            "assemble",
            inputs=both,
            parameters=recipe,
            hears=True,
            code=("rollcall.questions", "rollcall.build.releasing"),
        ),
    ]
    return stages


def _mined_tables(parameters: Parameters, inputs: Inputs, sections: dict[str, Any]) -> list[Stage]:
    """The stages that find questions about lists, and the relations of the graph that lists stand for."""
    return [
        Stage(
            "tables",
            partial(mining.tables, parameters, inputs),
            inputs={"the corpus": inputs.corpus},
            parameters={name: sections[name] for name in ("seed", "answers", "tables")},
            code=_MINING,
        ),
        Stage(
            "tables-relations",
            partial(mining.table_relations, inputs),
            ("tables",),
            inputs={"the graph": inputs.graph},
            code=_MINING,
        ),
    ]


def _proved_tables(parameters: Parameters, inputs: Inputs, sections: dict[str, Any]) -> list[Stage]:
    """The stages that prove questions about lists by the pages of their entries."""
    return [
        Stage(
            "tables-evidence",
            partial(proving.table_evidence, parameters, inputs),
            ("tables", "tables-relations", "tables-stated"),
            inputs=inputs.named(),
            parameters={"tables": sections["tables"]},
            code=("rollcall.mine", "rollcall.query", "rollcall.build.qampari.proving"),
        ),
        Stage(
            "tables-validated",
            partial(proving.validated, parameters, "tables", ["tables-evidence"]),
            ("tables", "tables-evidence"),
            parameters={"answers": sections["answers"]},
            code=_VALIDATION,
        ),
    ]


def _assemble(
    parameters: Parameters, inputs: Inputs, name: str, mined: list[str], evidence: list[str], work: Work
) -> Outcome:
    sources = Sources(
        chosen=work.table("sample", "chosen"),
        worded=work.table("word", "worded"),
        validated=[work.table(f"{stage}-validated", "validated") for stage in mined],
        proofs=[work.table(stage, "proofs") for stage in mined],
        evidence=[work.table(stage, "evidence") for stage in evidence],
    )
    style = Style(name, per_fact=parameters.evidence.per_fact)
    return Outcome(assemble(sources, inputs.graph, inputs.corpus, style, work))
