"""The hypothesis of a fact: the fact in words, in the relation's own direction."""

from collections.abc import Mapping

from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.values.matcher import wanted_value
from rollcall.wording import Lexicon


class Hypotheses:
    """Puts facts into words with a lexicon, by default the packaged one.

    `labels` gives the names of relations that the lexicon does not have, by id.
    """

    def __init__(self, lexicon: Lexicon | None = None, labels: Mapping[str, str] | None = None) -> None:
        self._lexicon = lexicon or Lexicon.load()
        self._labels = labels or {}

    def of(self, candidate: CandidateSentence) -> str:
        """The hypothesis that is given with a candidate, or the lexicon's statement of its fact."""
        if candidate.hypothesis:
            return candidate.hypothesis
        entry = self._lexicon.entry(candidate.relation, self._labels.get(candidate.relation))
        value = wanted_value(candidate.object) if candidate.literal else None
        subject = candidate.subject_name or candidate.subject
        return entry.statement(
            subject, (candidate.object_name or candidate.object) if value is None else value
        )
