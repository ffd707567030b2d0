"""What a passage teaches about the entities it mentions: which are answers that it proves.

An answer's mention is labelled by the share of the answer's facts that the passage proves. A mention of an
answer in a passage without evidence for it is left out: it may state the fact in words that were not
recognised. Every other mention is no answer.
"""

import random
from collections.abc import Sequence

from rollcall.english.folding import fold
from rollcall.errors import RollcallError
from rollcall.systems.read.linking import LinkedMention
from rollcall.systems.train.exercise import Exercise, LabelledPassage


class MentionLabels:
    """The labels of mentions, for one exercise."""

    def __init__(self, exercise: Exercise) -> None:
        self._by_id: dict[str, int] = {}
        self._by_name: dict[str, int] = {}
        for place, answer in enumerate(exercise.answers):
            if answer.id is not None:
                self._by_id[answer.id] = place
            else:
                self._by_name |= {fold(name): place for name in (answer.label, *answer.aliases)}

    def of(self, passage: LabelledPassage) -> list[float | None]:
        """The label of each mention of a passage; None for one that is not learned."""
        return [self.label(passage, mention) for mention in passage.mentions]

    def label(self, passage: LabelledPassage, mention: LinkedMention) -> float | None:
        """The label of one mention."""
        places = {self._by_id[one] for one in mention.entities if one in self._by_id}
        if self._by_name:
            text = passage.title if mention.where == "title" else passage.text
            name = fold(text[mention.start : mention.end])
            places |= {self._by_name[name]} if name in self._by_name else set()
        if not places:
            return 0.0
        return max((passage.proves[one] for one in places if one in passage.proves), default=None)


def drawn_passages(exercise: Exercise, negatives: int, seed: int) -> list[LabelledPassage]:
    """The passages of an exercise for one epoch: all that prove something, and some of the others."""
    found = exercise.passages
    others = [one for one in found if not one.proves]
    draw = random.Random(f"{seed} {exercise.id}")
    return [
        *exercise.proofs,
        *(one for one in found if one.proves),
        *draw.sample(others, min(negatives, len(others))),
    ]


def check_mentions(exercises: Sequence[Exercise], of: str) -> None:
    """Refuse exercises that were made without a graph."""
    if not any(one.mentions for exercise in exercises for one in (*exercise.passages, *exercise.proofs)):
        raise RollcallError(f"{of} learns from linked mentions: make the exercises with --graph (graph=)")
