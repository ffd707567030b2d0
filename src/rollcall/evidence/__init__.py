"""Finds the sentences that may prove a fact, verifies that they do, and validates queries by them.

`find_evidence` goes the whole way for a table of facts: `search` finds candidates, a verifier judges them,
and the best of each fact are kept. The packages, in the order of that way:

- `names`: the written forms of names, where a text has them, and which neighbours say that it means another.
- `values`: dates, numbers and quantities as text writes them.
- `search`: what is wanted of each page, the search of pages in blocks, the table of candidates.
- `verifiers`: what judges candidates: `contrast` (learned from graph and corpus), `nli`, `llm`, `none`.
- `lists`: evidence of what lists state, by the same search, and by the words of a list's name.
- `labelled`: sentences whose truth is known, and the figures of a verifier on them.

And the modules: `candidate` (what a search finds and a verifier judges), `judge` (scores and ranks), `table`
(the columns of evidence, wherever it is written), `find`, `validation` (queries enough of whose answers are
proved).
"""

from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.find import EvidenceSummary, find_evidence
from rollcall.evidence.verifiers import VERIFIERS, make_verifier
from rollcall.evidence.verifiers.verifier import Verifier, VerifierContext

__all__ = [
    "VERIFIERS",
    "CandidateSentence",
    "EvidenceSummary",
    "Verifier",
    "VerifierContext",
    "find_evidence",
    "make_verifier",
]
