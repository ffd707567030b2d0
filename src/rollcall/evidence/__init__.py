"""Finds sentences that may prove a fact, verifies that they do, and validates queries with them.

Input: a table of `facts` (subject, relation, object, literal), a graph folder and a corpus folder. Output: a
table of evidence. `find_evidence` does all of this: `search` finds candidates, a verifier scores them, and
the best of each fact are kept.

- `find`: all steps for a table of facts, and which scored sentences are accepted. `expected`: the rules of
  acceptance, and what they are expected to lose. `validation`: keeps the queries with enough proved answers.
- `candidate`: the record that a search finds and a verifier scores.
- `names`: the written forms of names, and where they are in a text. `values`: dates, numbers and quantities.
- `mentions`: who is named where in the corpus, and the sentences that name both ends of a fact.
- `search`: what each page is searched for, the search of pages in blocks, the table of candidates.
- `verifiers`: the verifiers that score candidates: `contrast` and `learned` (which learn), `nli`, `llm`,
  `none`.
- `lists`: evidence for what lists state, by the same search and by the words of a list's name.
- `labelled`: statements of users, where text names their ends, and the figures of a verifier on them.
"""

from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.expected import Acceptance
from rollcall.evidence.find import EvidenceSummary, find_evidence
from rollcall.evidence.verifiers import VERIFIERS, make_verifier
from rollcall.evidence.verifiers.verifier import Verifier, VerifierContext

__all__ = [
    "VERIFIERS",
    "Acceptance",
    "CandidateSentence",
    "EvidenceSummary",
    "Verifier",
    "VerifierContext",
    "find_evidence",
    "make_verifier",
]
