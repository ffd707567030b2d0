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
    """The data without dev questions worded as a training question, or test questions as either.

    Of the test questions about `asked` are kept, evenly spread over each set, and of a cluster all or none;
    then those that were seen are left out.
    """
    train, dev = (_wordings(data, split) for split in ("train", "dev"))
    sources = [
        _source(one, train, dev, place.made / f"unseen-{number}", asked)
        for number, one in enumerate(data.sources)
    ]
    return msgspec.structs.replace(data, sources=sources, asked=asked)


def _wordings(data: Data, split: str) -> set[str]:
    """What is learned from, or what decides between models and fits the trees of `rollcall`."""
    return {
        one.question
        for number in data.learn
        for folder in data.sources[number].sets.values()
        for one in questions_of(folder, (split,))
    }


def _source(source: Source, train: set[str], dev: set[str], out: Path, asked: int | None) -> Source:
    sets = {}
    for kind, folder in source.sets.items():
        every = questions_of(folder)
        unseen = [one for one in every if one.split == "train" or one.question not in train]
        tested = spread([one for one in unseen if one.split == "test"], asked)
        kept = [one for one in unseen if one.split != "test"]
        kept += [one for one in tested if one.question not in dev]
        sets[kind] = folder
        if len(kept) < len(every):
            sets[kind] = str(out / kind)
            QuestionSet(kept).save(out / kind)
    return msgspec.structs.replace(source, sets=sets)


def spread(questions: Sequence[Question], number: int | None) -> list[Question]:
    """About so many questions, evenly spread; of a cluster all or none. Without a number, all."""
    if number is None or number >= len(questions):
        return [*questions]
    groups: dict[str, list[Question]] = {}
    for one in questions:
        groups.setdefault(one.cluster or one.id, []).append(one)
    every = list(groups.values())
    clusters = max(number * len(every) // len(questions), 1)
    return [one for place in range(clusters) for one in every[place * len(every) // clusters]]
