"""The phrases by which people ask for a relation, derived from its lexicon entry, its label and its aliases.

A phrase has the roots of its words and a voice, which says on which side of it each end of the relation
stands: in "directed by Orla" she is the object, in "directed Dune" the film is the subject. Nothing is listed
for single relations here; what the lexicon does not know comes from labels by the rules of `wording.generic`.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from rollcall.english.verb_forms import verb_form
from rollcall.english.verbs import is_participle
from rollcall.english.word_lists import word_list
from rollcall.graph import Graph
from rollcall.systems.ask.words import roots_of
from rollcall.wording.ends import EndNouns
from rollcall.wording.entry import Entry
from rollcall.wording.generic import Ends
from rollcall.wording.lexicon import Lexicon

Voice: TypeAlias = Literal["noun", "active", "passive", "inverse"]
"""`noun`: names the object (director). `active`: the object follows (born in). `passive`: the object follows
`by`, the subject follows without it (directed). `inverse`: the subject follows (educated)."""

_PREPOSITIONS = word_list("prepositions")
_BE = ("was", "is", "were", "are")
_CHOICE = re.compile(r"\[([^|\]]*)\|[^\]]*\]")
_MARK = re.compile(r"\{[^}]*\}")
_ALIAS, _CUE, _END = 0.9, 0.8, 0.45
"""The weights of the graph's own aliases, of words that hint at a relation, and of the nouns of its ends."""


class Phrase(NamedTuple):
    """A phrase for a relation."""

    relation: int
    roots: tuple[str, ...]
    voice: Voice
    weight: float = 1.0
    preposition: str = ""
    """The preposition at its end, as in `died of`."""


class RelationPhrases:
    """The phrases of all relations of a graph."""

    def __init__(self, graph: Graph, lexicon: Lexicon | None = None) -> None:
        self._index = graph.index
        self._lexicon = lexicon or Lexicon.load()
        self._ends = EndNouns(graph)
        ids, labels = self._index.relation_ids, self._index.relation_labels
        self.entries = [self._entry(ids[number], labels[number] or None) for number in range(len(ids))]
        self.labels = [labels[number] or entry.label for number, entry in enumerate(self.entries)]

    def _entry(self, id_: str, label: str | None) -> Entry:
        return self._lexicon.entry(id_, label, None if id_ in self._lexicon else self._ends.of(id_))

    def ends(self, relation: int) -> Ends:
        """The nouns of a relation's ends."""
        entry = self.entries[relation]
        return Ends(entry.subjects, entry.objects)

    @cached_property
    def all(self) -> list[Phrase]:
        """All phrases, each once for its relation and voice, with its greatest weight."""
        found: dict[tuple[int, frozenset[str], Voice, str], Phrase] = {}
        for relation in range(len(self.entries)):
            for phrase in self._phrases(relation):
                key = (relation, frozenset(phrase.roots), phrase.voice, phrase.preposition)
                if phrase.roots and (key not in found or found[key].weight < phrase.weight):
                    found[key] = phrase
        return list(found.values())

    def _phrases(self, relation: int) -> Iterator[Phrase]:
        entry = self.entries[relation]
        for text in (self.labels[relation], entry.label, *entry.aliases, entry.noun):
            yield _phrase(relation, text, voice_of(text))
        for alias in self._index.relation_aliases[relation]:
            yield _phrase(relation, alias, voice_of(alias), _ALIAS)
        for clause in (entry.forward, entry.people):
            if clause:
                text = without_marks(clause)
                yield _phrase(relation, text, _voice_of_clause(text))
        if entry.backward:
            yield _phrase(relation, without_marks(entry.backward), "inverse")
        for cue in entry.given_cues:
            yield _phrase(relation, cue, voice_of(cue), _CUE)
        if not entry.is_literal:
            yield _phrase(relation, entry.objects, "noun", _END)


def _phrase(relation: int, text: str, voice: Voice, weight: float = 1.0) -> Phrase:
    last = text.lower().rpartition(" ")[2]
    return Phrase(relation, roots_of(text), voice, weight, last if last in _PREPOSITIONS else "")


def without_marks(clause: str) -> str:
    """A clause without its marks: `is [a citizen|citizens] of {object}` as `is a citizen of`."""
    return " ".join(_MARK.sub(" ", _CHOICE.sub(r"\1", clause)).split())


def _voice_of_clause(text: str) -> Voice:
    """The voice of a subject's clause."""
    return "passive" if text.endswith(" by") and text.startswith(_BE) else "active"


def voice_of(text: str) -> Voice:
    """The voice of a phrase that stands alone: a label, an alias, a word that hints at the relation."""
    words = text.lower().split()
    if len(words) > 1 and words[-1] == "by":
        return "passive"
    if len(words) > 1 and words[-1] in _PREPOSITIONS:
        return "active"
    if len(words) == 1 and (is_participle(words[0]) or verb_form(words[0], "past", "participle")):
        return "passive"
    return "noun"
