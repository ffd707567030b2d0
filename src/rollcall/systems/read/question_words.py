"""Analyses the wording of a question: the names in it, the kind of thing asked for, the other words.

A chained question ("Who are the writers of the films that …?") asks for something about things that a
question of their own would ask for. Only the wording and the graph's names and classes are used: this is all
that a system may see.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import Literal, NamedTuple

from rollcall.graph.graph import Graph
from rollcall.systems.ask.values_in_text import values_in
from rollcall.systems.read.linking import TextGraph
from rollcall.systems.retrieve.bm25 import terms
from rollcall.text.name_lookup import Mention, NameFinder
from rollcall.text.nouns import is_plural, singular
from rollcall.text.unknown_names import capital_runs
from rollcall.text.words import (
    ARTICLES,
    AUXILIARIES,
    COMMON,
    FINITE_BE,
    FURTHER_PREPOSITIONS,
    PREPOSITIONS,
    RELATIVES,
    fold,
)

_CUE_LENGTH = 5
_PERSONS = ("human", "person", "people")
_ASKING = re.compile(r"\b(which|what|who|whom|whose|name|list)\b", re.IGNORECASE)
_CHAINED = re.compile(r"^\W*(who|what|which)\s+(?:are|were|is|was)\s+the\s+", re.IGNORECASE)
_INVERTED = re.compile(
    r"^\W*(?P<asked>(?:who|what|which)\b.*?)\s+(?:are|were|is|was)\s+(?:it|they)\s+that\s+(?:the\s+)?",
    re.IGNORECASE,
)
_JOINT = re.compile(r"\b(?:and|but|or)\b|[,;]")
_STRANDED = re.compile(
    r"^\W*(?P<asked>who|what)\s+(?:(?:were|was)\s+the|(?:are|is)\s+the(?!.*\s(?:that|who|whose|which)\s))\s+"
    rf"(?=.*\s(?:{'|'.join(sorted(PREPOSITIONS | FURTHER_PREPOSITIONS))})\W*$)",
    re.IGNORECASE,
)
"""The beginning of a question about what is said of a group: `what were the pumps … certified for`."""
_RELATIVE = re.compile(r"\b(?:that|who|whom|which)\s*$", re.IGNORECASE)
_OF = re.compile(r"\s(?:of|to|by|in|from|for)\s+(?:the\s+)?")
_HEAD_ENDS = PREPOSITIONS | RELATIVES | AUXILIARIES | {"that", "and", "or", "both", "than", "such", "made"}
_FILLERS = ARTICLES | FINITE_BE | {"all", "some", "different", "of", "me"}
_DATES = "date year time inception birthday"
_NUMBERS = (
    "number population height length duration area elevation width depth mass weight budget cost "
    "attendance capacity speed age size"
)

Kind = Literal["entity", "date", "number"]
AnswerKind = Literal["person", "place", "date", "number", "any"]
"""What a question asks for, by its question word."""

_WHEN = re.compile(
    r"^\W*(?:when|(?:(?:in|on|at|during)\s+)?(?:what|which)\s+(?:years?|dates?|days?|months?|decades?|century|centuries))\b",
    re.IGNORECASE,
)
_WHERE = re.compile(r"^\W*(?:from\s+)?where\b", re.IGNORECASE)
_WHO = re.compile(r"^\W*(?:(?:by|to|for|with|from|of)\s+)?(?:who|whom)\b", re.IGNORECASE)
_HOW_MANY = re.compile(
    r"^\W*how\s+(?:many|much|old|tall|high|long|far|large|big|deep|heavy|fast|often)\b"
    r"|^\W*(?:what|which)\s+(?:is|are|was|were)\s+the\s+(?:number|population|height|length|area|weight|mass)\b",
    re.IGNORECASE,
)


def answer_kind(question: str) -> AnswerKind:
    """What a question asks for, as far as its first words tell."""
    if _HOW_MANY.search(question):
        return "number"
    if _WHEN.search(question):
        return "date"
    if _WHERE.search(question):
        return "place"
    return "person" if _WHO.search(question) else "any"


class Further(NamedTuple):
    """What a chained question asks about the things it describes."""

    kind: Kind
    classes: frozenset[int]
    cues: frozenset[str]


class QuestionWords(NamedTuple):
    """The parts of a question."""

    anchors: tuple[Mention, ...]
    """The names in it, to which the answers are related."""
    classes: frozenset[int]
    """The graph's classes to which the answers should belong; empty if the wording names none."""
    cues: frozenset[str]
    """The stems of its other words, which hint at the relation."""
    conditions: tuple[frozenset[str], ...] = ()
    """For each anchor, the cues of its own condition: of "directed by A and filmed in B", "film" for B."""
    further: Further | None = None
    """For a chained question, what is asked about the things that the rest describes."""
    noun: str = ""
    """The words that name what is asked for; of a chained question, the things."""
    phrases: tuple[frozenset[str], ...] = ()
    """For each anchor, the cues of its condition and the noun: "alumn" for A in "alumni of A who were B".
    """
    kind: AnswerKind = "any"
    """What the question asks for, where that decides which names of a text may answer it."""


class QuestionAnalysis:
    """Analyses questions with one graph."""

    def __init__(self, graph: Graph, finder: NameFinder, thorough: bool = False) -> None:
        """`thorough` finds names in the plural, too (the entity "film editor" in "worked as film editors"),
        takes no ordinary word for a name beside names, and leaves out what answers are compared with.
        """
        self._graph, self._finder, self._thorough = graph, finder, thorough

    def words(self, question: str) -> QuestionWords:
        if self._thorough:
            question = self._without_comparisons(question)
        chained = self._chained(question)
        if chained is None:
            return self._direct(question, asked_noun(question))._replace(kind=answer_kind(question))
        further, rest = chained
        return self._direct(rest, noun_phrase(rest))._replace(further=further)

    def _without_comparisons(self, question: str) -> str:
        """The question with blanks in place of "before 1970": no answer is tied to what is compared with.

        "From 1970" may say when something was, and "Beyond Two Souls" is a name: both stay.
        """
        compared = [mention for mention in values_in(question) if mention.comparator != "="]
        names = {mention.start for mention in self._finder.mentions(question)} if compared else set()
        for mention in compared:
            if mention.start not in names and not question[mention.start :].lower().startswith("from"):
                blanks = " " * (mention.end - mention.start)
                question = f"{question[: mention.start]}{blanks}{question[mention.end :]}"
        return question

    def _direct(self, text: str, phrase: str) -> QuestionWords:
        classes, noun = self._classes_in(phrase)
        anchors = tuple(
            mention for mention in self._names(text, phrase) if self._is_anchor(mention, text, noun)
        )
        if self._thorough or isinstance(self._graph, TextGraph):
            certain = [anchor for anchor in anchors if not self._is_doubtful(anchor, text)]
            anchors = tuple(certain) if certain else anchors
        rest = text
        for anchor in reversed(anchors):
            rest = f"{rest[: anchor.start]} {rest[anchor.end :]}"
        all_cues = cues(set(terms(rest)) - set(terms(noun)))
        return QuestionWords(
            anchors,
            classes,
            all_cues,
            _conditions(text, anchors, all_cues),
            noun=phrase,
            phrases=_phrases(text, anchors),
        )

    def _names(self, text: str, phrase: str) -> list[Mention]:
        """The names in a text; a plural in the phrase of what is asked for is not a name."""
        names = self._finder.mentions(text)
        if isinstance(self._graph, TextGraph):
            names = self._with_unknown(names, text)
        for plural in _plural_names(text, self._finder) if self._thorough else ():
            if text[plural.start : plural.end] in phrase:
                continue
            touching = [name for name in names if name.start < plural.end and plural.start < name.end]
            if all(plural.start <= name.start and name.end <= plural.end for name in touching) and not any(
                (name.start, name.end) == (plural.start, plural.end) for name in touching
            ):
                names = sorted([*(name for name in names if name not in touching), plural])
        return names

    def _with_unknown(self, names: Sequence[Mention], text: str) -> list[Mention]:
        """The names, with those that only their capitals show, in place of their parts.

        What the text never writes in full is sought by its last word: William Wollaston as Wollaston. Numbers
        are names only within longer ones.
        """
        assert isinstance(self._graph, TextGraph)
        unknown = []
        for start, end in capital_runs(text):
            if not any(name.start <= start and end <= name.end for name in names):
                last = text.rfind(" ", start, end) + 1 or start
                word = text[last:end]
                unknown.append(Mention(last, end, word, self._finder.entities(word)))
                names = [name for name in names if not (start < name.end and name.start < end)]
        return sorted(
            [
                *unknown,
                *(
                    name
                    for name in names
                    if any(self._graph.sort_of(entity) != "number" for entity in name.entities)
                ),
            ]
        )

    def _chained(self, question: str) -> tuple[Further, str] | None:
        """What is asked about which things, if the wording describes the things by a noun of their own."""
        inverted = _INVERTED.match(question)
        if inverted is not None:
            return self._inverted(asked_noun(inverted["asked"]), question[inverted.end() :])
        stranded = _STRANDED.match(question)
        if stranded is not None and (chain := self._stranded(stranded["asked"], question[stranded.end() :])):
            return chain
        start = _CHAINED.match(question)
        if start is None:
            return None
        for split in _OF.finditer(question, start.end()):
            rest = question[split.end() :]
            _, noun = self._classes_in(noun_phrase(rest))
            if noun and rest.lower().startswith(noun.lower()):
                asked = question[start.end() : split.start()]
                classes, _ = self._classes_in(asked)
                if start[1].lower() == "who":
                    classes, _ = self._classes_in("person")
                stems = set(terms(asked))
                is_date, is_number = stems & _stems(_DATES), stems & _stems(_NUMBERS)
                kind: Kind = "date" if is_date else "number" if is_number else "entity"
                return Further(kind, classes, cues(stems)), rest
        return None

    def _inverted(self, asked: str, rest: str) -> tuple[Further, str] | None:
        """Like `_chained`, for "Which cities are they that the films of Ann Orne were made in?"."""
        names = self._finder.mentions(rest)
        if not names:
            return None
        end = names[-1].end
        return Further("entity", self._classes_in(asked)[0], cues(terms(rest[end:]))), rest[:end]

    def _stranded(self, asked: str, rest: str) -> tuple[Further, str] | None:
        """Like `_chained`, for "What were the pumps of A used for?", but not "the films that A was in"."""
        names = self._finder.mentions(rest)
        if not names or _RELATIVE.search(rest[: names[-1].start]):
            return None
        chain = self._inverted(asked_noun(asked), rest)
        return chain if chain is not None and chain[0].cues else None

    def _is_anchor(self, mention: Mention, text: str, noun: str) -> bool:
        """Whether a name in the question is an anchor, and not an ordinary word that is also a name."""
        if text[mention.start : mention.end] in noun or (mention.start == 0 and " " not in mention.text):
            return False
        # Occupations, genres and the like are in lower case, and so are classes, which are not anchors.
        return not mention.text[0].islower() or tuple(terms(mention.text)) not in self._by_stems

    def _is_doubtful(self, mention: Mention, text: str) -> bool:
        """Whether a name is probably an ordinary word, like that of the film "Home" in "their home city"."""
        if isinstance(self._graph, TextGraph) and mention.text[0].islower():
            nouns = all(self._graph.sort_of(entity) == "noun" for entity in mention.entities)
            return nouns and not mention.text[-1].isdigit()
        if " " in mention.text or not mention.text[0].islower():
            return False
        ids = self._graph.index.entity_ids
        written = any(self._graph.label(ids[entity])[:1].islower() for entity in mention.entities)
        return not written and _last_word(text[: mention.start]) not in ("as", "of")

    def _classes_in(self, phrase: str) -> tuple[frozenset[int], str]:
        """The classes whose label is the longest part of a phrase, and the phrase up to that part's end.

        If the graph has no such class, the phrase ends with its last plural.
        """
        words = phrase.split()
        for length in range(len(words), 0, -1):
            for begin in range(len(words) - length + 1):
                classes = self._by_stems.get(tuple(terms(" ".join(words[begin : begin + length]))))
                if classes:
                    return frozenset(classes), " ".join(words[: begin + length])
        plurals = [position for position, word in enumerate(words, 1) if word.islower() and is_plural(word)]
        return frozenset(), " ".join(words[: plurals[-1]]) if plurals else ""

    @cached_property
    def _by_stems(self) -> dict[tuple[str, ...], list[int]]:
        index = self._graph.index
        by_stems: dict[tuple[str, ...], list[int]] = {}
        for number, label in enumerate(index.class_labels):
            stems = tuple(terms(label or index.class_ids[number]))
            if stems:
                by_stems.setdefault(stems, []).append(number)
        people = [number for name in _PERSONS for number in by_stems.get(tuple(terms(name)), [])]
        for name in _PERSONS if people else ():
            by_stems[tuple(terms(name))] = people
        return by_stems


def _conditions(
    text: str, anchors: Sequence[Mention], all_cues: frozenset[str]
) -> tuple[frozenset[str], ...]:
    """The cues between each anchor and the one before; those after the last anchor are its own too."""
    conditions: list[frozenset[str]] = []
    start = 0
    for anchor in anchors:
        last = anchor is anchors[-1]
        between = text[start : anchor.start] + (text[anchor.end :] if last else "")
        # In "starred both A and B", what is said of A is said of B.
        conditions.append(cues(terms(between)) & all_cues or (conditions[-1] if conditions else all_cues))
        start = anchor.end
    return tuple(conditions)


def _phrases(text: str, anchors: Sequence[Mention]) -> tuple[frozenset[str], ...]:
    """The cues around each anchor; between two, what stands before "and" belongs to the first."""
    phrases: list[frozenset[str]] = []
    before = text[: anchors[0].start] if anchors else ""
    for number, anchor in enumerate(anchors, 1):
        end = anchors[number].start if number < len(anchors) else len(text)
        after, rest = text[anchor.end : end], ""
        if number < len(anchors):
            joint = _JOINT.search(after)
            after, rest = (after[: joint.start()], after[joint.end() :]) if joint else ("", after)
        phrases.append(cues(terms(f"{before} {after}")) or (phrases[-1] if phrases else frozenset()))
        before = rest
    return tuple(phrases)


def _last_word(text: str) -> str:
    words = text.split()
    return words[-1].lower() if words else ""


def _plural_names(text: str, finder: NameFinder) -> Iterator[Mention]:
    """The longest names that end with a plural in lower case, in the singular."""
    words = [(match.start(), match.end()) for match in re.finditer(r"[^\W_][\w'’-]*", text)]
    for last, (start, end) in enumerate(words):
        if not text[start].islower() or not is_plural(text[start:end]):
            continue
        for first in range(max(last - 2, 0), last + 1):
            begin = words[first][0]
            name = singular(" ".join(text[begin:end].split()))
            entities = finder.entities(name) if text[begin].islower() else ()
            if entities:
                yield Mention(begin, end, name, entities)
                break


def asked_noun(question: str) -> str:
    """The words that name what is asked for: "Which animated films were …" asks for animated films."""
    asking = _ASKING.search(question)
    if asking is None:
        return ""
    if asking[1].lower() in ("who", "whom"):
        return "person"
    return noun_phrase(question[asking.end() :])


def noun_phrase(text: str) -> str:
    """The lower-case words at the start of a text, up to the first that cannot be part of a noun."""
    phrase: list[str] = []
    for word in re.findall(r"[^\W_][\w'’-]*|[^\w\s]", text):
        lower = fold(word)
        if not phrase and lower in _FILLERS:
            continue
        if lower in _HEAD_ENDS or not word[0].isalnum() or (phrase and word[0].isupper()):
            break
        phrase.append(word)
    return " ".join(phrase[:5])


@cache
def _stems(words: str) -> frozenset[str]:
    """The stems of some words; computed when needed, because not every machine has the analyser."""
    return frozenset(terms(words))


def cues(stems: Iterable[str]) -> frozenset[str]:
    """Stems of words: "direct" for directed, director and direction."""
    return frozenset(stem[:_CUE_LENGTH] for stem in stems if stem not in COMMON)
