"""The passages retrieved for one question, and the ranks at which its answers and their evidence first occur.

An answer is retrieved if one of its names is in the title or text of a passage, by the profile's own
comparison. A piece of evidence is retrieved if its passage is, by id, or else if a passage contains its text.
Each is searched for once: its rank gives the recall at every K.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from rollcall.questions.judgment import proving
from rollcall.questions.record import Answer, Evidence, Question
from rollcall.questions.run import Passage
from rollcall.score.match import words
from rollcall.score.profile import Profile

Ranks = list[int | None]
"""The number (from 1) of the first passage that has each thing; None if no passage has it."""


@dataclass
class Retrieval:
    """The passages retrieved for a question, best first, and its gold answers."""

    question: Question
    gold: Sequence[Sequence[Answer]]
    """The gold answers, grouped if several count as one."""
    passages: Sequence[Passage]
    profile: Profile

    @cached_property
    def answer_ranks(self) -> Ranks:
        """The first passage that names each gold answer."""
        profile = self.profile
        prepared = [
            [profile.prepare(text) for text in (passage.title, passage.text) if text]
            for passage in self.passages
        ]
        ranks = []
        for entity in self.gold:
            names = [profile.prepare(name) for answer in entity for name in (answer.label, *answer.aliases)]
            found = (
                rank
                for rank, texts in enumerate(prepared, 1)
                if any(profile.mentions(text, names) for text in texts)
            )
            ranks.append(next(found, None))
        return ranks

    @cached_property
    def passage_ranks(self) -> dict[str, int]:
        """The rank of each retrieved passage by id; one that comes twice counts at its first rank, once."""
        ids = dict.fromkeys(passage.id for passage in self.passages if passage.id)
        return {id_: rank for rank, id_ in enumerate(ids, 1)}

    @cached_property
    def relevant(self) -> list[str]:
        """The ids of the passages that prove a gold answer."""
        return proving(answer for entity in self.gold for answer in entity)

    def ranks_of(self, ids: Iterable[str]) -> Ranks:
        """The ranks of passages by id."""
        return [self.passage_ranks.get(id_) for id_ in ids]

    @cached_property
    def evidence_ranks(self) -> list[Ranks]:
        """For each gold answer with evidence, the first passage with each piece of it."""
        ids: dict[str, int] = {}
        for rank, passage in enumerate(self.passages, 1):
            if passage.id:
                ids.setdefault(passage.id, rank)
        texts = [f" {words(passage.text)} " if passage.text else "" for passage in self.passages]
        pieces = [_distinct_evidence(entity) for entity in self.gold]
        return [[_rank(one, ids, texts) for one in evidence] for evidence in pieces if evidence]


def share_within(ranks: Ranks, cut: int | None) -> float:
    """The share of ranks that exist and are at most `cut`."""
    return sum(rank is not None and (cut is None or rank <= cut) for rank in ranks) / len(ranks)


def _distinct_evidence(entity: Sequence[Answer]) -> list[Evidence]:
    """The evidence of an entity; if several answers are one entity, pieces they share count once."""
    if len(entity) == 1:
        return entity[0].evidence
    pieces = [piece for answer in entity for piece in answer.evidence]
    return list({(piece.passage, piece.text): piece for piece in pieces}.values())


def _rank(evidence: Evidence, ids: dict[str, int], texts: list[str]) -> int | None:
    """The rank of the first passage with a piece of evidence."""
    by_id = ids.get(evidence.passage) if evidence.passage is not None else None
    wanted = words(evidence.text)
    if not wanted or by_id == 1:
        return by_id
    by_text = next(
        (rank for rank, text in enumerate(texts[: by_id and by_id - 1], 1) if f" {wanted} " in text), None
    )
    return by_id if by_text is None else by_text
