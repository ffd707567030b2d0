"""Questions to ask whose wordings were not learned: what two worlds share (occupations, genres) may be asked
about in the same words, and a trained system refuses a question that it has seen.
"""

from pathlib import Path

import msgspec

from paper_tables.names import questions_of
from paper_tables.place import Data, Place, Source
from rollcall.questions import QuestionSet


def without_seen(place: Place, data: Data) -> Data:
    """The data without dev and test questions that are also training questions, of whichever set."""
    learned = {
        one.question
        for number in data.learn
        for folder in data.sources[number].sets.values()
        for one in questions_of(folder, ("train",))
    }
    sources = [
        _source(one, learned, place.made / f"unseen-{number}") for number, one in enumerate(data.sources)
    ]
    return msgspec.structs.replace(data, sources=sources)


def _source(source: Source, learned: set[str], out: Path) -> Source:
    sets = {}
    for kind, folder in source.sets.items():
        every = questions_of(folder)
        kept = [one for one in every if one.split == "train" or one.question not in learned]
        sets[kind] = folder
        if len(kept) < len(every):
            sets[kind] = str(out / kind)
            QuestionSet(kept).save(out / kind)
    return msgspec.structs.replace(source, sets=sets)
