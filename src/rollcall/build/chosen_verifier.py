"""The verifier that a recipe chose, ready to be asked.

Apart from the keys that choose it, so that stages that verify nothing do not depend on the code of verifiers.
"""

from typing import Any

from rollcall.build.inputs import Inputs
from rollcall.build.lexicon import build_lexicon
from rollcall.build.lexicon_files import LexiconFiles
from rollcall.build.verifier_keys import VerifierKeys
from rollcall.evidence import Verifier, make_verifier


def chosen_verifier(chosen: VerifierKeys, files: LexiconFiles, inputs: Inputs) -> Verifier:
    """Make the verifier that the keys name; it words relations by the build's lexicon."""
    options: dict[str, Any] = {"base_url": chosen.base_url} if chosen.verifier == "llm" else {}
    return make_verifier(
        chosen.verifier,
        graph=inputs.graph,
        corpus=inputs.corpus,
        model=chosen.model,
        lexicon=build_lexicon(files),
        **options,
    )
