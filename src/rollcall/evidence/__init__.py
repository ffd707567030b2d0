"""Finds the sentences that may prove a fact, and verifies that they do."""

from rollcall.evidence.candidate import Candidate
from rollcall.evidence.find import EvidenceSummary, find_evidence
from rollcall.evidence.verifier import VERIFIERS, Verifier, make_verifier

__all__ = ["VERIFIERS", "Candidate", "EvidenceSummary", "Verifier", "find_evidence", "make_verifier"]
