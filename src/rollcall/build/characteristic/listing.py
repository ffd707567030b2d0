"""The stages of the pipeline: what each needs, which parameters it looks at, and whose code it runs."""

from functools import partial
from typing import Any

import msgspec

from rollcall.build.characteristic import assembling, mining, wording
from rollcall.build.characteristic.parameters import Parameters
from rollcall.build.pipelines import Inputs
from rollcall.build.releasing import release
from rollcall.build.stage import Stage

_MINERS = {
    "template": ("templates", mining.templates),
    "cluster": ("clusters", mining.clusters),
    "set-operation": ("sets", mining.sets),
}
_HERE = "rollcall.build.characteristic"


def all_stages(parameters: Parameters, inputs: Inputs, recipe: dict[str, Any]) -> list[Stage]:
    """The stages, in order."""
    sections: dict[str, Any] = msgspec.to_builtins(parameters)
    both, graph = inputs.named(), {"the graph": inputs.graph}

    def needs(*names: str) -> dict[str, Any]:
        return {name: sections[name] for name in names}

    stages = [
        Stage(
            _MINERS[kind][0],
            partial(_MINERS[kind][1], parameters, inputs),
            inputs=both if kind == "template" else graph,
            parameters=needs("seed", _MINERS[kind][0]),
            code=("rollcall.mine", "rollcall.query", "rollcall.graph", f"{_HERE}.mining"),
        )
        for kind in dict.fromkeys(parameters.kinds)
    ]
    sources = [stage.name for stage in stages]
    if parameters.evidence.use:
        stages.append(
            Stage(
                "evidence",
                partial(mining.evidence, parameters, inputs, sources),
                tuple(sources),
                inputs=both,
                parameters=needs("evidence"),
                code=(
                    "rollcall.evidence",
                    "rollcall.query",
                    "rollcall.wording",
                    "rollcall.build.verification",
                    f"{_HERE}.mining",
                ),
            )
        )
    proved = ("evidence",) if parameters.evidence.use else ()
    stages += [
        Stage(
            "word",
            partial(wording.word, parameters, inputs, sources),
            tuple(sources),
            inputs=graph,
            parameters=needs("seed", "wording", "split", "clusters"),
            code=("rollcall.wording", "rollcall.query", "rollcall.questions", f"{_HERE}.wording"),
        ),
        Stage(
            "assemble",
            partial(assembling.assemble, parameters, inputs, recipe["name"], sources),
            (*sources, *proved, "word"),
            inputs=both,
            parameters={**needs("evidence", "wording"), "recipe": recipe["name"]},
            code=(
                "rollcall.questions",
                "rollcall.query",
                "rollcall.build.namer",
                "rollcall.wording.naming",
                f"{_HERE}.assembling",
                f"{_HERE}.proved",
            ),
        ),
        Stage(
            "release",
            partial(release, inputs, recipe),
            (*sources, *proved, "word", "assemble"),
            inputs=both,
            parameters=recipe,
            code=("rollcall.questions", "rollcall.build.releasing"),
        ),
    ]
    return stages
