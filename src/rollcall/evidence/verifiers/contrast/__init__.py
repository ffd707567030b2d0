"""`contrast`, the default verifier: learned from the user's own graph and corpus, nothing to download.

- `sample` draws facts, `lessons` are their sentences, `masking` and `features` what is seen of a sentence.
- `fit` learns one relation, `shared` what all have in common, `rivals` what a sentence may state instead.
- `cues` are the words of the lexicon that hint at a relation; `verifier` puts it all together, and
  `model_file` keeps what was learned.
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
            jobs=context.jobs,
            memory=context.memory,
        )

    @classmethod
    def load(cls, path: Path, lexicon: "Lexicon | None" = None) -> Verifier:
        from rollcall.evidence.verifiers.contrast.verifier import ContrastVerifier

        return ContrastVerifier.load(path, lexicon)
