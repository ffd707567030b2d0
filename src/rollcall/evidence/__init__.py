"""Finds the sentences that may prove a fact, and verifies that they do."""

from rollcall.evidence.candidate import Candidate
from rollcall.evidence.find import EvidenceSummary, find_evidence
from rollcall.evidence.verifier import Verifier, VerifierContext
from rollcall.evidence.verifiers import VERIFIERS, make_verifier

__all__ = [
    "VERIFIERS",
    "Candidate",
    "EvidenceSummary",
    "Verifier",
    "VerifierContext",
    "find_evidence",
    "make_verifier",
]
