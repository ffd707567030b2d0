"""Opens the verifier that judges facts, and gives it what it needs: a draft of the graph and the corpus.

A verifier that learns from a graph and a corpus learns from what was read, right and wrong: where most of it
is right, the wordings of a relation are those that most of its facts have.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from rollcall.build.verifier_keys import default_verifier
from rollcall.corpus import Corpus
from rollcall.corpus.relink import relink_corpus
from rollcall.evidence.verifiers import VERIFIERS
from rollcall.evidence.verifiers.verifier import Verifier, VerifierContext, open_verifier
from rollcall.extract.checking import check
from rollcall.extract.facts import StatedFact
from rollcall.extract.merging import Merged, PageFacts
from rollcall.extract.places import named_places
from rollcall.extract.schema import Schema
from rollcall.extract.writing import write_facts
from rollcall.files import PARTIAL, beside, left_beside, remove


class Read(NamedTuple):
    """Everything that was read out of a corpus."""

    corpus: Corpus
    pages: dict[str, PageFacts]
    schema: Schema
    merged: Merged
    facts: list[StatedFact]


def may_drop(verifier: Verifier | str | None) -> bool:
    """Whether facts are dropped by default because a verifier does not accept them.

    One that learned from these facts alone may only mark them: few documents teach it little, and it would
    drop most of what is right (docs/extract.md has the figures).
    """
    if isinstance(verifier, Verifier):
        return True
    return "graph" not in VERIFIERS.find(verifier or default_verifier()).needs


def judge(
    read: Read,
    verifier: Verifier | str | None,
    options: Mapping[str, object],
    lose: float | None,
    out: Path,
    show: bool | None,
) -> str:
    """Write a verdict into every fact that a sentence is to state; the name of the verifier.

    Drafts are made beside `out`, and removed.
    """
    topics = read.merged.topics()
    if isinstance(verifier, Verifier):
        if not verifier.judges:
            return verifier.name
        check(read.facts, read.corpus, read.merged, topics, verifier, lose=lose, show=show)
        return verifier.name
    name = verifier or default_verifier()
    kind = VERIFIERS.find(name)
    if not kind.judges or all(fact.sentence is None for fact in read.facts):
        return name
    place = out.resolve()
    for left in left_beside(place, PARTIAL):
        remove(left)
    draft = beside(place, PARTIAL)
    try:
        context = _context(read, draft) if "graph" in kind.needs else VerifierContext()
        opened = open_verifier(kind, name, options, context)
        check(read.facts, read.corpus, read.merged, topics, opened, lose=lose, show=show)
    finally:
        remove(draft)
    return name


def _context(read: Read, draft: Path) -> VerifierContext:
    """A draft of the graph and of the corpus tied to it, with every fact that was read."""
    graph, corpus = draft / "graph", draft / "corpus"
    write_facts(graph, read.merged, read.facts, read.pages, read.schema)
    relink_corpus(
        read.corpus,
        graph,
        corpus,
        topics=read.merged.topics(),
        places=named_places(read.corpus, list(read.pages), read.merged),
        show_progress=False,
    )
    return VerifierContext(graph, corpus)
