"""The sentence whose truth is asked about: a fact in words, in the relation's own direction."""

from collections.abc import Mapping

from rollcall.evidence.candidate import Candidate
from rollcall.evidence.literals import wanted_value
from rollcall.wording import Lexicon


class Hypotheses:
    """Words facts; `labels` name relations that the lexicon does not know by their ids."""

    def __init__(self, labels: Mapping[str, str] | None = None) -> None:
        self._labels = labels or {}
        self._lexicon = Lexicon.load()

    def of(self, candidate: Candidate) -> str:
        """The hypothesis that came with a candidate, or the lexicon's statement of its fact."""
        if candidate.hypothesis:
            return candidate.hypothesis
        entry = self._lexicon.entry(candidate.relation, self._labels.get(candidate.relation))
        value = wanted_value(candidate.object) if candidate.literal else None
        subject = candidate.subject_name or candidate.subject
        return entry.statement(
            subject, (candidate.object_name or candidate.object) if value is None else value
        )
