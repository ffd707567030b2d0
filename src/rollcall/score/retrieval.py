"""Answer recall and evidence recall of retrieved passages.

An answer is retrieved when any of its names stands in the title or text of one of the first K passages,
by the profile's own comparison. A piece of evidence is retrieved when its passage is among them, by id,
or, where ids do not tell, when a passage holds its text.
"""

from collections.abc import Sequence

from rollcall.questions.record import Answer, Evidence
from rollcall.questions.run import Passage
from rollcall.score.names import words
from rollcall.score.profile import Profile


def answer_recall(profile: Profile, gold: Sequence[Answer], passages: Sequence[Passage], cut: int) -> float:
    """The share of gold answers that the first `cut` passages name."""
    prepared = [
        profile.prepare(text) for passage in passages[:cut] for text in (passage.title, passage.text) if text
    ]
    named = 0
    for answer in gold:
        names = [profile.prepare(name) for name in (answer.label, *answer.aliases)]
        named += any(profile.mentions(passage, names) for passage in prepared)
    return named / len(gold) if gold else 0.0


def evidence_recall(gold: Sequence[Answer], passages: Sequence[Passage], cut: int) -> float | None:
    """Mean over answers of the share of their evidence found; None where no answer has evidence."""
    ids = {passage.id for passage in passages[:cut] if passage.id}
    texts = [f" {words(passage.text)} " for passage in passages[:cut] if passage.text]
    shares = [
        sum(_is_retrieved(evidence, ids, texts) for evidence in answer.evidence) / len(answer.evidence)
        for answer in gold
        if answer.evidence
    ]
    return sum(shares) / len(shares) if shares else None


def _is_retrieved(evidence: Evidence, ids: set[str], texts: list[str]) -> bool:
    if evidence.passage is not None and evidence.passage in ids:
        return True
    wanted = words(evidence.text)
    return bool(wanted) and any(f" {wanted} " in text for text in texts)
