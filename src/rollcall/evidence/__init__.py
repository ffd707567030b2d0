"""Finds the sentences that may prove a fact, and verifies that they do."""

from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.find import EvidenceSummary, find_evidence
from rollcall.evidence.verifiers.verifier import VERIFIERS, Verifier, make_verifier

__all__ = ["VERIFIERS", "CandidateSentence", "EvidenceSummary", "Verifier", "find_evidence", "make_verifier"]
