"""`contrast`, the default: learned from the user's own graph and corpus, nothing to download."""

from pathlib import Path

from rollcall.configurable import NoOptions
from rollcall.evidence.verifier import Verifier, VerifierContext, VerifierKind
from rollcall.evidence.verifiers import VERIFIERS


@VERIFIERS.register("contrast")
class Contrast(VerifierKind):
    """Learns from the graph and the corpus how text states each relation; nothing to download."""

    needs = ("graph", "corpus")
    learns = True
    explains = True

    @classmethod
    def open(cls, options: NoOptions, context: VerifierContext) -> Verifier:
        from rollcall.evidence.contrast import learn_contrast

        assert context.graph is not None
        assert context.corpus is not None
        return learn_contrast(
            context.graph,
            context.corpus,
            relations=context.relations,
            jobs=context.jobs,
            memory=context.memory,
        )

    @classmethod
    def load(cls, path: Path) -> Verifier:
        from rollcall.evidence.contrast import ContrastVerifier

        return ContrastVerifier.load(path)
