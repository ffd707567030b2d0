"""Lists the stages of the pipeline: what each needs, which parameters it uses, and what it reads."""

from typing import Any

from rollcall.build.declaring import Declaring
from rollcall.build.inputs import Inputs
from rollcall.build.releasing import release
from rollcall.build.stage import Stage
from rollcall.build.structured import assembling, mining, wording
from rollcall.build.structured.parameters import Parameters
from rollcall.evidence.verifiers import VERIFIERS

_BOTH = ("graph", "corpus")
_MINERS = {
    "template": ("templates", mining.templates, _BOTH),
    "cluster": ("clusters", mining.clusters, ("graph",)),
    "set-operation": ("sets", mining.sets, ("graph",)),
}
"""By kind of question: the stage (and section of parameters) of this name, its function, and its inputs."""


def all_stages(parameters: Parameters, inputs: Inputs, recipe: dict[str, Any]) -> list[Stage]:
    """The stages, in order."""
    declaring = Declaring(parameters, inputs)
    stages = []
    for kind in dict.fromkeys(parameters.kinds):
        name, work, reads = _MINERS[kind]
        stages.append(declaring.stage(name, work, reads=reads, sections=("seed", name, "wording")))
    sources = [stage.name for stage in stages]
    proved = ["evidence"] if parameters.evidence.use else []
    if proved:
        stages.append(
            declaring.stage(
                "evidence",
                mining.evidence,
                VERIFIERS.find(parameters.evidence.verifier),
                sources,
                needs=sources,
                reads=_BOTH,
                sections=("evidence", "wording"),
            )
        )
    return [
        *stages,
        declaring.stage(
            "word",
            wording.word,
            sources,
            needs=sources,
            reads=_BOTH,
            sections=("seed", "wording", "split", "clusters"),
        ),
        declaring.stage(
            "assemble",
            assembling.assemble,
            recipe["name"],
            sources,
            needs=(*sources, *proved, "word"),
            reads=_BOTH,
            sections=("evidence", "wording", "clusters"),
            more={"recipe": recipe["name"]},
        ),
        declaring.stage(
            "release",
            release,
            recipe,
            needs=(*sources, *proved, "word", "assemble"),
            reads=_BOTH,
            more=recipe,
            uses_outcomes=True,
        ),
    ]
