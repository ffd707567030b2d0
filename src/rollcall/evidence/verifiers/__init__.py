"""The kinds of verifiers by name; a verifier says how sure it is that a sentence states a fact.

Each kind registers itself in its own module: `contrast` learns from the user's graph and corpus, `learned`
combines this with a model that has read labelled text. `models` has those that ask a model of the user's
choice, and the one that accepts every sentence. `verifier` has the interface, and puts a fact into words with
the lexicon of the build.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from rollcall._core.registry import Registry, lacks_method
from rollcall.evidence.verifiers.verifier import Verifier, VerifierContext, VerifierKind, open_verifier

if TYPE_CHECKING:
    from rollcall.tables.engine import Engine
    from rollcall.wording import Lexicon


def _lacks(candidate: object) -> str | None:
    if isinstance(candidate, type) and issubclass(candidate, Verifier):
        # One that opens another verifier needs no scores of its own.
        opens = lacks_method(candidate, Verifier, "open", "open(options, context)") is None
        return None if opens else lacks_method(candidate, Verifier, "scores", "scores(candidates)")
    if isinstance(candidate, type) and issubclass(candidate, VerifierKind):
        return lacks_method(candidate, VerifierKind, "open", "open(options, context)")
    return "it is not a subclass of rollcall.evidence.Verifier"


VERIFIERS: Registry[type[VerifierKind]] = Registry(
    "verifier", "verifiers", "rollcall.evidence.verifiers", _lacks
)


def make_verifier(
    name: str,
    *,
    graph: Path | None = None,
    corpus: Path | None = None,
    relations: set[str] | None = None,
    lexicon: "Lexicon | None" = None,
    engine: "Engine | None" = None,
    work: Path | None = None,
    **options: object,
) -> Verifier:
    """A verifier by name, with its options; `contrast` learns now, others load or connect to a model."""
    context = VerifierContext(graph, corpus, relations, engine, work, lexicon)
    return open_verifier(VERIFIERS.find(name), name, options, context)
