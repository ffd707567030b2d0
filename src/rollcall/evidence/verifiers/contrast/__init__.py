"""`contrast`, the default verifier: learned from the user's own graph and corpus, without any download.

- `sample` draws facts. `lessons` has their sentences as training data. `masking` and `features` turn a
  sentence into features.
- `fit` learns one relation, `shared` what all relations have in common, `rivals` which other relations a
  sentence may state instead.
- `cues` has the words of the lexicon that hint at a relation. `verifier` combines all parts, and `model_file`
  stores the learned models.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from rollcall.configurable import NoOptions
from rollcall.evidence.verifiers import VERIFIERS
from rollcall.evidence.verifiers.verifier import Verifier, VerifierContext, VerifierKind

if TYPE_CHECKING:
    from rollcall.wording import Lexicon


@VERIFIERS.register("contrast")
class Contrast(VerifierKind):
    """Learns from the graph and the corpus how text states each relation; nothing to download."""

    needs = ("graph", "corpus")
    learns = True
    explains = True

    @classmethod
    def open(cls, options: NoOptions, context: VerifierContext) -> Verifier:
        from rollcall.evidence.verifiers.contrast.verifier import learn_contrast

        assert context.graph is not None
        assert context.corpus is not None
        return learn_contrast(
            context.graph,
            context.corpus,
            relations=context.relations,
            lexicon=context.lexicon,
            engine=context.engine,
            work=context.work,
        )

    @classmethod
    def load(cls, path: Path, lexicon: "Lexicon | None" = None) -> Verifier:
        from rollcall.evidence.verifiers.contrast.verifier import ContrastVerifier

        return ContrastVerifier.load(path, lexicon)
