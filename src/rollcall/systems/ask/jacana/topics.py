"""The topics of a question: the entities whose neighbourhoods may hold the answers."""

from typing import NamedTuple

from rollcall.systems.ask.reading import Reading

_LEAST_NAME = 0.5


class Topic(NamedTuple):
    """An entity that the question names."""

    entity: int
    mask: int
    """The words of its name."""


def topics_of(reading: Reading, most: int) -> list[Topic]:
    """The best names of a question that do not overlap, each with the entity that is meant most often."""
    found: list[Topic] = []
    taken = 0
    for mention in reading.entities:
        if mention.quality >= _LEAST_NAME and not mention.mask & taken:
            found.append(Topic(mention.entities[0], mention.mask))
            taken |= mention.mask
        if len(found) == most:
            break
    return found
