"""The verifier that a recipe chose, ready to be asked.

Apart from the keys that choose it, so that stages that verify nothing do not depend on the code of verifiers.
"""

from typing import Any

from rollcall.build.inputs import Inputs
from rollcall.build.verification import Verification
from rollcall.evidence import Verifier, make_verifier


def chosen_verifier(chosen: Verification, inputs: Inputs) -> Verifier:
    """Make the verifier that the keys name."""
    options: dict[str, Any] = {"base_url": chosen.base_url} if chosen.verifier == "llm" else {}
    return make_verifier(
        chosen.verifier, graph=inputs.graph, corpus=inputs.corpus, model=chosen.model, **options
    )
