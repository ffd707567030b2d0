"""The kinds of verifiers by name. Each registers itself in its own file."""

from pathlib import Path

from rollcall.evidence.verifier import Verifier, VerifierContext, VerifierKind, open_verifier
from rollcall.registry import Registry


def _lacks(thing: object) -> str | None:
    if isinstance(thing, type) and issubclass(thing, VerifierKind):
        return None
    return "it is no subclass of rollcall.evidence.Verifier"


VERIFIERS: Registry[type[VerifierKind]] = Registry(
    "verifier", "verifiers", "rollcall.evidence.verifiers", _lacks
)


def make_verifier(
    name: str,
    *,
    graph: Path | None = None,
    corpus: Path | None = None,
    relations: set[str] | None = None,
    jobs: int = 1,
    memory: str = "1GB",
    **options: object,
) -> Verifier:
    """A verifier by name, with its options; `contrast` learns now, others load or reach a model."""
    context = VerifierContext(graph, corpus, relations, jobs, memory)
    return open_verifier(VERIFIERS.find(name), name, options, context)
