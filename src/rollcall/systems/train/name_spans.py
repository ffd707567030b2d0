"""Where a passage names an answer, and which passages do so only by an added name ("What's in a Name?").

A name counts in whole words: the published code looks for tokens, and so finds *art* in *artist*.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from rollcall.score.positives import PositiveCounts
from rollcall.systems.train.exercise import Exercise, LabelledPassage

Names: TypeAlias = Literal["single", "expanded"]
_SPACE = re.compile(r"\s+")


class Pattern(NamedTuple):
    """Finds the names of answers."""

    expression: "re.Pattern[str] | None"

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The places of names in a text, from left to right; the longest name at a place counts."""
        return [one.span() for one in self.expression.finditer(text)] if self.expression is not None else []


def pattern(exercise: Exercise, names: Names, places: Iterable[int] | None = None) -> Pattern:
    """Finds the answers at these places, by default all: by their labels, or by their aliases too."""
    chosen = range(len(exercise.answers)) if places is None else places
    every = {
        name.strip()
        for place in chosen
        for answer in (exercise.answers[place],)
        for name in (answer.label, *(answer.aliases if names == "expanded" else ()))
    } - {""}
    if not every:
        return Pattern(None)
    ordered = sorted(every, key=lambda name: (-len(name), name))
    written = "|".join(r"\s+".join(map(re.escape, _SPACE.split(name))) for name in ordered)
    return Pattern(re.compile(rf"(?<!\w)(?:{written})(?!\w)", re.IGNORECASE))


def is_named(passage: LabelledPassage, names: Pattern) -> bool:
    """Whether the title or the text has a name."""
    return bool(names.spans(passage.title) or names.spans(passage.text))


def count_positives(exercises: Sequence[Exercise]) -> PositiveCounts:
    """How many retrieved passages name an answer by its label, and by all its names."""
    counts = PositiveCounts(questions=len(exercises))
    for exercise in exercises:
        single, expanded = pattern(exercise, "single"), pattern(exercise, "expanded")
        before = sum(is_named(one, single) for one in exercise.passages)
        after = sum(is_named(one, expanded) for one in exercise.passages)
        counts.passages += len(exercise.passages)
        counts.passages_before += before
        counts.passages_after += after
        counts.questions_before += before > 0
        counts.questions_after += after > 0
    return counts
