"""`contrast`: learned from the user's own graph and corpus, without any download.

- `features`: turns a sentence into features, with its names masked; the words of the lexicon that hint at a
  relation.
- `lessons`: draws facts and has their sentences as training data, also in a file; which other relations a
  sentence may state instead.
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
    from rollcall.evidence.verifiers.contrast.lessons import Lessons
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
        from rollcall.evidence.verifiers.contrast.lessons import write_lessons

        write_lessons(path, _lessons(context))

    @classmethod
    def open(cls, options: NoOptions, context: VerifierContext) -> Verifier:
        from rollcall.evidence.verifiers.contrast.lessons import read_lessons
        from rollcall.evidence.verifiers.contrast.model import read_models
        from rollcall.evidence.verifiers.contrast.verifier import learn_contrast

        return learn_contrast(
            _lessons(context) if context.prepared is None else read_lessons(context.prepared),
            relations=context.relations,
            lexicon=context.lexicon,
            earlier=None if context.earlier is None else read_models(context.earlier)[0],
            engine=context.engine,
        )

    @classmethod
    def load(cls, path: Path, lexicon: "Lexicon | None" = None) -> Verifier:
        from rollcall.evidence.verifiers.contrast.verifier import ContrastVerifier

        return ContrastVerifier.load(path, lexicon)


def _lessons(context: VerifierContext) -> "Lessons":
    from rollcall.evidence.verifiers.contrast.verifier import draw_lessons

    assert context.graph is not None
    assert context.corpus is not None
    return draw_lessons(context.graph, context.corpus, context.lexicon, context.engine, context.work)
