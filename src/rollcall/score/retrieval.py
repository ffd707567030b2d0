"""Answer recall and evidence recall of retrieved passages.

An answer is retrieved when any of its names stands in the title or text of one of the first K passages,
by the profile's own comparison. A piece of evidence is retrieved when its passage is among them, by id,
or, where ids do not tell, when a passage holds its text. Each is looked for once; where it was first found
tells the recall at every K.
"""

from collections.abc import Callable, Sequence

from rollcall.questions.record import Answer, Evidence
from rollcall.questions.run import Passage
from rollcall.score.names import words
from rollcall.score.profile import Profile

Recall = Callable[[int], float | None]


Entities = Sequence[Sequence[Answer]]
"""Gold answers, those together that count as one."""


def answer_recall(profile: Profile, gold: Entities, passages: Sequence[Passage]) -> Recall:
    """The share of gold answers that the first K passages name; None where there are none."""
    prepared = [
        [profile.prepare(text) for text in (passage.title, passage.text) if text] for passage in passages
    ]
    ranks = []
    for entity in gold:
        names = [profile.prepare(name) for answer in entity for name in (answer.label, *answer.aliases)]
        found = (
            rank
            for rank, texts in enumerate(prepared, 1)
            if any(profile.mentions(text, names) for text in texts)
        )
        ranks.append(next(found, None))
    return lambda cut: _share(ranks, cut) if gold else None


def evidence_recall(gold: Entities, passages: Sequence[Passage]) -> Recall:
    """Mean over answers of the share of their evidence found; None where no answer has evidence."""
    ids: dict[str, int] = {}
    for rank, passage in enumerate(passages, 1):
        if passage.id:
            ids.setdefault(passage.id, rank)
    texts = [f" {words(passage.text)} " if passage.text else "" for passage in passages]
    pieces = [_distinct_evidence(entity) for entity in gold]
    ranks = [[_rank(one, ids, texts) for one in evidence] for evidence in pieces if evidence]
    return lambda cut: sum(_share(one, cut) for one in ranks) / len(ranks) if ranks else None


def _distinct_evidence(entity: Sequence[Answer]) -> list[Evidence]:
    """The evidence of an entity; where answers are one, the pieces they share count once."""
    if len(entity) == 1:
        return entity[0].evidence
    pieces = [piece for answer in entity for piece in answer.evidence]
    return list({(piece.passage, piece.text): piece for piece in pieces}.values())


def _share(ranks: Sequence[int | None], cut: int) -> float:
    return sum(rank is not None and rank <= cut for rank in ranks) / len(ranks)


def _rank(evidence: Evidence, ids: dict[str, int], texts: list[str]) -> int | None:
    """Where a piece of evidence comes first."""
    by_id = ids.get(evidence.passage) if evidence.passage is not None else None
    wanted = words(evidence.text)
    if not wanted or by_id == 1:
        return by_id
    by_text = next(
        (rank for rank, text in enumerate(texts[: by_id and by_id - 1], 1) if f" {wanted} " in text), None
    )
    return by_id if by_text is None else by_text
