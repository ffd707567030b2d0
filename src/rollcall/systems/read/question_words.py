"""What the wording of a question tells by itself: the names in it, the kind of thing asked for, the rest.

Only the wording and the graph's names and classes are used: this is all that a system may see.
"""

import re
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from rollcall.graph.graph import Graph
from rollcall.graph.names import fold
from rollcall.systems.read.name_finder import COMMON, Mention, NameFinder
from rollcall.systems.retrieve.analysis import terms

_CUE_LENGTH = 5
_PERSONS = ("human", "person", "people")
_ASKING = re.compile(r"\b(which|what|who|whom|whose|name|list)\b", re.IGNORECASE)
_HEAD_ENDS = frozenset(
    """
    of that which who whose whom in by were was is are did do does has have had where with and or to for from
    on at as both can could will than such made
    """.split()  # noqa: SIM905
)
_FILLERS = frozenset(("all", "the", "a", "an", "some", "different", "are", "were", "is", "was", "of", "me"))


class QuestionWords(NamedTuple):
    """A question taken apart."""

    anchors: tuple[Mention, ...]
    """The names in it: what the answers are related to."""
    classes: frozenset[int]
    """The graph's classes that the answers should belong to; empty where the wording names none."""
    cues: frozenset[str]
    """The beginnings of its other words, which hint at the relation."""


class QuestionAnalysis:
    """Takes questions apart with the help of one graph."""

    def __init__(self, graph: Graph, finder: NameFinder) -> None:
        self._graph = graph
        self._finder = finder

    def words(self, question: str) -> QuestionWords:
        head = asked_noun(question)
        classes = self._classes_of(head)
        anchors = tuple(
            one for one in self._finder.mentions(question) if self._is_anchor(one, head, question)
        )
        rest = question
        for anchor in reversed(anchors):
            rest = f"{rest[: anchor.start]} {rest[anchor.end :]}"
        noun = set(terms(head)) if classes else set()
        return QuestionWords(anchors, classes, cues(set(terms(rest)) - noun))

    def _is_anchor(self, mention: Mention, head: str, question: str) -> bool:
        """A name in the question, unless it is a plain word of it that happens to be one."""
        if mention.text in head or (mention.start == 0 and " " not in mention.text):
            return False
        return not mention.text[0].islower()

    def _classes_of(self, head: str) -> frozenset[int]:
        """The classes of the longest ending of the noun phrase that is the label of one."""
        stems = terms(head)
        for begin in range(len(stems)):
            found = self._by_stems.get(tuple(stems[begin:]))
            if found:
                return frozenset(found)
        return frozenset()

    @cached_property
    def _by_stems(self) -> dict[tuple[str, ...], list[int]]:
        index = self._graph.index
        found: dict[tuple[str, ...], list[int]] = {}
        for number, label in enumerate(index.class_labels):
            name = label or index.class_ids[number]
            found.setdefault(tuple(terms(name)), []).append(number)
        people = [number for name in _PERSONS for number in found.get(tuple(terms(name)), [])]
        for name in _PERSONS:
            found[tuple(terms(name))] = people
        return found


def asked_noun(question: str) -> str:
    """The noun phrase that is asked for: "Which animated films were …" asks for animated films."""
    asking = _ASKING.search(question)
    if asking is None:
        return ""
    if asking[1].lower() in ("who", "whom"):
        return "person"
    phrase: list[str] = []
    for word in re.findall(r"[^\W_][\w'’-]*|[^\w\s]", question[asking.end() :]):
        lower = fold(word)
        if not phrase and lower in _FILLERS:
            continue
        if lower in _HEAD_ENDS or not word[0].isalnum():
            break
        phrase.append(word)
    return " ".join(phrase[:5])


def cues(stems: Iterable[str]) -> frozenset[str]:
    """Beginnings of words: "direct" for directed, director and direction alike."""
    return frozenset(stem[:_CUE_LENGTH] for stem in stems if stem not in COMMON)
