"""Questions to ask whose wordings were not learned: what two worlds share (occupations, genres) may be asked
about in the same words, and a trained system refuses a question that it has seen.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from paper_tables.names import questions_of
from paper_tables.place import Data, Place, Source
from rollcall.questions import Question, QuestionSet


def without_seen(place: Place, data: Data, asked: int | None = None) -> Data:
    """The data without dev and test questions that are also training questions, of whichever set.

    Of the test questions about `asked` are kept, evenly spread over each set; of a cluster all or none.
    """
    learned = {
        one.question
        for number in data.learn
        for folder in data.sources[number].sets.values()
        for one in questions_of(folder, ("train",))
    }
    sources = [
        _source(one, learned, place.made / f"unseen-{number}", asked)
        for number, one in enumerate(data.sources)
    ]
    return msgspec.structs.replace(data, sources=sources)


def _source(source: Source, learned: set[str], out: Path, asked: int | None) -> Source:
    sets = {}
    for kind, folder in source.sets.items():
        every = questions_of(folder)
        unseen = [one for one in every if one.split == "train" or one.question not in learned]
        left_out = _left_out([one for one in unseen if one.split == "test"], asked)
        kept = [one for one in unseen if one.id not in left_out]
        sets[kind] = folder
        if len(kept) < len(every):
            sets[kind] = str(out / kind)
            QuestionSet(kept).save(out / kind)
    return msgspec.structs.replace(source, sets=sets)


def _left_out(questions: Sequence[Question], asked: int | None) -> set[str]:
    """The ids of what is not asked, if about so many questions are."""
    if asked is None or asked >= len(questions):
        return set()
    groups: dict[str, list[str]] = {}
    for one in questions:
        groups.setdefault(one.cluster or one.id, []).append(one.id)
    every = list(groups.values())
    number = max(asked * len(every) // len(questions), 1)
    kept = {place * len(every) // number for place in range(number)}
    return {one for place, group in enumerate(every) if place not in kept for one in group}
