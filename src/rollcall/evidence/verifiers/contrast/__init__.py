"""`contrast`: learned from the user's own graph and corpus, without any download.

- `features`: turns a sentence into features, with its names masked; the words of the lexicon that hint at a
  relation.
- `training_sentences`: draws facts and has their sentences as training data, also in a file; which other
  relations a sentence may state instead.
- `model`: learns one relation, and stores the learned models.
- `verifier`: draws facts and finds their sentences, also for other verifiers that learn; learns what all
  relations have in common, and combines all parts.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from rollcall._core.registry import NoOptions
from rollcall.evidence.verifiers import VERIFIERS
from rollcall.evidence.verifiers.verifier import Verifier, VerifierContext, VerifierKind

if TYPE_CHECKING:
    from rollcall.evidence.verifiers.contrast.training_sentences import TrainingSentences
    from rollcall.wording import Lexicon


@VERIFIERS.register("contrast")
class Contrast(VerifierKind):
    """Learns from the graph and the corpus how text states each relation; nothing to download."""

    needs = ("graph", "corpus")
    learns = True
    prepares = True
    explains = True

    @classmethod
    def prepare(cls, options: NoOptions, context: VerifierContext, path: Path) -> None:
        from rollcall.evidence.verifiers.contrast.training_sentences import write_training_sentences

        write_training_sentences(path, _training_sentences(context))

    @classmethod
    def open(cls, options: NoOptions, context: VerifierContext) -> Verifier:
        from rollcall.evidence.verifiers.contrast.model import read_models
        from rollcall.evidence.verifiers.contrast.training_sentences import read_training_sentences
        from rollcall.evidence.verifiers.contrast.verifier import learn_contrast

        return learn_contrast(
            _training_sentences(context)
            if context.prepared is None
            else read_training_sentences(context.prepared),
            relations=context.relations,
            lexicon=context.lexicon,
            earlier=None if context.earlier is None else read_models(context.earlier)[0],
            engine=context.engine,
        )

    @classmethod
    def load(cls, path: Path, lexicon: "Lexicon | None" = None) -> Verifier:
        from rollcall.evidence.verifiers.contrast.verifier import ContrastVerifier

        return ContrastVerifier.load(path, lexicon)


def _training_sentences(context: VerifierContext) -> "TrainingSentences":
    from rollcall.evidence.verifiers.contrast.verifier import draw_training_sentences

    assert context.graph is not None
    assert context.corpus is not None
    return draw_training_sentences(
        context.graph, context.corpus, context.lexicon, context.engine, context.work
    )
