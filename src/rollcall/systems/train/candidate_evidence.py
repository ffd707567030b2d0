"""What is read about a candidate: nothing, retrieved sentences that name it, or its gold evidence.

RoMQA's published code writes the whole record of a candidate into its input, in which the gold files say
whether it is an answer. Here only its name and the chosen sentences are read.
"""

import re
from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias

from rollcall.english.sentences import split
from rollcall.questions.record import Candidate

EvidenceKind: TypeAlias = Literal["none", "retrieved", "gold"]
_MOST = 10
"""Sentences for a candidate, as in the publication."""
_SPACE = re.compile(r"\s+")


class Named(Protocol):
    """A candidate as a system may see it."""

    @property
    def label(self) -> str: ...

    @property
    def aliases(self) -> Sequence[str]: ...


class Text(Protocol):
    """A passage."""

    @property
    def title(self) -> str: ...

    @property
    def text(self) -> str: ...


def retrieved_evidence(candidates: Sequence[Named], passages: Sequence[Text]) -> list[str]:
    """For each candidate the sentences that name it, of the best passages first, each with its title.

    On a page whose title names a candidate, all sentences are about it.
    """
    places: dict[str, list[int]] = {}
    for place, one in enumerate(candidates):
        for name in {_key(name) for name in (one.label, *one.aliases)} - {""}:
            places.setdefault(name, []).append(place)
    found: list[list[str]] = [[] for _ in candidates]
    if not places:
        return ["" for _ in candidates]
    written = "|".join(
        r"\s+".join(map(re.escape, name.split(" "))) for name in sorted(places, key=len, reverse=True)
    )
    expression = re.compile(rf"(?<!\w)(?:{written})(?!\w)", re.IGNORECASE)

    def named(text: str) -> set[int]:
        return {place for one in expression.findall(text) for place in places.get(_key(one), ())}

    for passage in passages:
        owners = named(passage.title)
        for start, end in split(passage.text):
            sentence = passage.text[start:end]
            for place in sorted(owners | named(sentence)):
                if len(found[place]) < _MOST:
                    found[place].append(f"{passage.title}: {sentence}" if passage.title else sentence)
    return [" ".join(these) for these in found]


def gold_evidence(candidate: Candidate) -> str:
    """The evidence that the set has for a candidate."""
    return " ".join(dict.fromkeys(one.text for one in candidate.evidence if one.text))


def _key(name: str) -> str:
    return _SPACE.sub(" ", name).strip().casefold()
