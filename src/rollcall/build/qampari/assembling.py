"""The stage that assembles questions from the tables `chosen`, `worded`, `validated`, `proofs` and
`evidence`.
"""

from collections.abc import Sequence

from rollcall.build import assembling
from rollcall.build.inputs import Inputs
from rollcall.build.qampari.parameters import Parameters
from rollcall.build.stage import Outcome, Work


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
