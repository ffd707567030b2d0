"""The sentence whose truth is asked about: a fact in words, in the relation's own direction."""

from collections.abc import Mapping

from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.values.matcher import wanted_value
from rollcall.wording import Lexicon


class Hypotheses:
    """Words facts by a lexicon, the packaged one unless another is given.

    `labels` name relations that the lexicon does not know by their ids.
    """

    def __init__(self, lexicon: Lexicon | None = None, labels: Mapping[str, str] | None = None) -> None:
        self._lexicon = lexicon or Lexicon.load()
        self._labels = labels or {}

    def of(self, candidate: CandidateSentence) -> str:
        """The hypothesis that came with a candidate, or the lexicon's statement of its fact."""
        if candidate.hypothesis:
            return candidate.hypothesis
        entry = self._lexicon.entry(candidate.relation, self._labels.get(candidate.relation))
        value = wanted_value(candidate.object) if candidate.literal else None
        subject = candidate.subject_name or candidate.subject
        return entry.statement(
            subject, (candidate.object_name or candidate.object) if value is None else value
        )
