"""Canonical utterances: a candidate query in English, by a few rules and the names of its relations.

Names of entities and values are left out (X), since question and utterance have them in common: what is
compared is the rest. With the graph's labels alone a relation is "the director of X" or "has director X";
with the lexicon it is said by its clause.
"""

from functools import lru_cache

from rollcall.graph.index import GraphIndex
from rollcall.mine.neighbourhood import FORWARD
from rollcall.systems.ask.forms import Apart, Compared, Constant, Form, Function, Hop, Joined, Members
from rollcall.systems.ask.relation_phrases import RelationPhrases, without_marks
from rollcall.wording.class_nouns import class_noun

_COMPARED = {"=": "", "<": "less than", "<=": "at most", ">": "more than", ">=": "at least"}
_EXTREMES = {"max": "greatest", "argmax": "greatest", "min": "least", "argmin": "least"}


class CanonicalUtterances:
    """Says queries over one graph."""

    def __init__(self, index: GraphIndex, phrases: RelationPhrases) -> None:
        self._index, self._phrases = index, phrases
        self._noun = lru_cache(maxsize=None)(self._noun_of)
        self._clause = lru_cache(maxsize=None)(self._clause_of)

    def of(self, form: Form) -> str:
        """A query in words."""
        match form:
            case Function("count", source):
                return f"how many {self._question(source)}"
            case Function(("argmax" | "argmin") as name, source, relation):
                return f"what {self._question(source)} has the {_EXTREMES[name]} {self._noun(relation)}"
            case Function(name, source):
                return f"what is the {_EXTREMES[name]} {self._phrase(source)}"
        return f"what {self._question(form)}"

    def _question(self, form: Form) -> str:
        """A set after a question word: its class, and what is said of it."""
        match form:
            case Members(class_):
                return self._class(class_)
            case Joined(_, Members(class_), other):
                return f"{self._class(class_)} {self._predicate(other)}"
        return self._predicate(form)

    def _predicate(self, form: Form) -> str:
        match form:
            case Hop(source, relation, direction) if direction == FORWARD:
                return f"is the {self._noun(relation)} of {self._phrase(source)}"
            case Hop(source, relation, _):
                return f"{self._clause(relation)} {self._phrase(source)}"
            case Compared(relation, comparator, _):
                return " ".join(f"has {self._noun(relation)} {_COMPARED[comparator]} X".split())
            case Joined(_, left, right):
                return f"{self._predicate(left)} and {self._predicate(right)}"
            case Members(class_):
                return f"is {self._class(class_)}"
        raise AssertionError(f"{form} is nothing that a template makes")

    def _phrase(self, form: Form) -> str:
        """A set as something that is spoken about."""
        match form:
            case Constant():
                return "X"
            case Hop(source, relation, direction) if direction == FORWARD:
                return f"{self._noun(relation)} of {self._phrase(source)}"
            case Apart(source):
                return self._phrase(source)
        return f"what {self._question(form)}"

    def _noun_of(self, relation: int) -> str:
        entry = self._phrases.entries[relation]
        return entry.noun or self._phrases.labels[relation]

    def _clause_of(self, relation: int) -> str:
        entry = self._phrases.entries[relation]
        return f"has {self._noun(relation)}" if entry.generic else without_marks(entry.forward)

    def _class(self, class_: int) -> str:
        id_ = self._index.class_ids[class_]
        return class_noun(self._index.class_labels[class_] or id_, id_).one
