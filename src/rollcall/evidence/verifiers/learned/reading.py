"""What the model reads of a candidate: the words of the relation, and the sentence with both ends marked.

The two ends are marked where they are closest to each other. An end that the sentence leaves out, or names by
a pronoun, is put before the sentence. Words far from both ends are cut off, since they cost time and seldom
matter. Base training, adaptation and use all read candidates in this way.
"""

import re
from typing import NamedTuple

from rollcall.evidence.candidate import CandidateSentence, Places
from rollcall.wording import Lexicon
from rollcall.wording.label_words import words_of_label

SUBJECT_MARKS = ("[unused1]", "[unused2]")
OBJECT_MARKS = ("[unused3]", "[unused4]")
"""Tokens that every BERT vocabulary has; where a text has them, they are not read."""
MARKS = (*SUBJECT_MARKS, *OBJECT_MARKS)
_BEFORE, _AFTER = 22, 16
"""How many words are read before the first and after the last end."""
_WORD = re.compile(r"\S+")
_QUALIFIER = re.compile(r"(?<=\S) \([^()]*\)$")
_MARK = re.compile("|".join(map(re.escape, MARKS)), re.IGNORECASE)
_LONGEST_RELATION = 100
"""How many characters of a relation are read: the tokenizer shortens only sentences."""

Place = tuple[int, int]


class Reading(NamedTuple):
    """The two texts that the model reads."""

    relation: str
    sentence: str


def marked(candidate: CandidateSentence) -> str:
    """The sentence of a candidate with both ends marked."""
    text = _without_marks(candidate.text)
    subject, object_ = _nearest(candidate.subject_places, candidate.object_places)
    ends = (
        (subject, candidate.subject_name or candidate.subject, SUBJECT_MARKS),
        (object_, candidate.object_name or candidate.object, OBJECT_MARKS),
    )
    said: list[str] = []
    placed: list[tuple[Place, tuple[str, str]]] = []
    for place, name, marks in ends:
        if place is None:
            said.append(f"{marks[0]} {_QUALIFIER.sub('', _without_marks(name))} {marks[1]} :")
        else:
            placed.append((place, marks))
    placed.sort()
    position = 0
    for (start, end), (opening, closing) in placed:
        between = text[position:start]
        said.append(_last_words(between) if position == 0 else between.strip())
        said.append(f"{opening} {text[start:end]} {closing}")
        position = end
    said.append(_first_words(text[position:]) if placed else text[: 8 * (_BEFORE + _AFTER)])
    return " ".join(part for part in said if part)


def _nearest(subjects: Places, objects: Places) -> tuple[Place | None, Place | None]:
    """The places of both ends that are closest to each other and do not overlap."""
    apart = [
        (max(one[0], other[0]) - min(one[1], other[1]), one, other)
        for one in subjects
        for other in objects
        if one[1] <= other[0] or other[1] <= one[0]
    ]
    if apart:
        _distance, subject, object_ = min(apart)
        return subject, object_
    if objects:
        return None, objects[0]
    return (subjects[0] if subjects else None), None


def _without_marks(text: str) -> str:
    """A text with blanks for the marks in it, so that all places stay the same."""
    return _MARK.sub(lambda found: " " * len(found[0]), text)


def _last_words(text: str) -> str:
    words = list(_WORD.finditer(text))
    return text[words[-_BEFORE].start() :].strip() if len(words) > _BEFORE else text.strip()


def _first_words(text: str) -> str:
    words = list(_WORD.finditer(text))
    return text[: words[_AFTER - 1].end()].strip() if len(words) > _AFTER else text.strip()


class RelationWords:
    """The words of relations: their labels in the graph, or the lexicon's, as plain English."""

    def __init__(self, labels: dict[str, str], lexicon: Lexicon | None = None) -> None:
        self._labels, self._lexicon = labels, lexicon or Lexicon.load()
        self._words: dict[str, str] = {}

    def of(self, relation: str) -> str:
        """The words of a relation, by its id."""
        words = self._words.get(relation)
        if words is None:
            label = self._labels.get(relation)
            if label is None:
                label = self._lexicon.entry(relation).label if relation in self._lexicon else relation
            plain = words_of_label(_without_marks(label)).lower()
            words = self._words[relation] = plain[:_LONGEST_RELATION].strip()
        return words
