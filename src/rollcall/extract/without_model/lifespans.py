"""When people were born and died, as the first sentence of a page about somebody has it in parentheses."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from rollcall.english.nouns import is_person
from rollcall.evidence.names.forms import plain
from rollcall.evidence.values.dates import find_dates

_PARENTHESIS = re.compile(r"\(([^()]{4,160})\)")
_BEFORE = 120
"""The parenthesis begins within so many characters."""


class DateRelation(NamedTuple):
    """A relation of the lexicon to dates."""

    id: str
    label: str


BORN, DIED = DateRelation("P569", "date of birth"), DateRelation("P570", "date of death")


def lifespan(sentence: str, noun: str) -> Iterator[tuple[DateRelation, str]]:
    """The dates of birth and death of somebody who is called by a noun, as the sentence writes them."""
    found = _PARENTHESIS.search(sentence[: _BEFORE + 160])
    if found is None or found.start() > _BEFORE or not noun or not is_person(noun):
        return
    inside = plain(found[1])
    dates = find_dates(inside)
    texts = [found[1][date.start : date.end] for date in dates]
    if len(dates) == 2 and re.fullmatch(r"\s*[-–]\s*(?:died )?", inside[dates[0].end : dates[1].start]):
        yield BORN, texts[0]
        yield DIED, texts[1]
    elif dates and re.search(r"\b(?:born|b\.)\s*(?:on |in )?$", inside[: dates[0].start], re.IGNORECASE):
        yield BORN, texts[0]
