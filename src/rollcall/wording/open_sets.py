"""Sets that no graph has whole: all people of a land, all speakers of a language, all places there are.

A question that counts or compares such a set (`who has the latest date of birth`), or asks for what its
members have (`when were the people born who are Danish`), is answered rightly about the graph alone.
"""

from collections.abc import Collection, Iterator

from rollcall.query import QUESTION, Edge, Entity, Pattern, Query, Variable
from rollcall.query.statements import TARGET
from rollcall.wording.class_nouns import ClassNoun
from rollcall.wording.entry import Entry
from rollcall.wording.lands import BELONGING, by_adjective
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.naming import Naming

GENERAL = frozenset(("thing", "person", "person or thing", "place", "organization", "work", "event"))
"""Nouns that hardly narrow a set."""
_LIVES = frozenset(("was born in {object}", "died in {object}"))
_SUPERLATIVES = frozenset(("max", "min", "argmax", "argmin"))
_KINDS = frozenset(("language", "genre", "religion", "occupation", "ethnic group", "sport", "field"))
"""Nouns of what countless things or people share."""


class OpenSets:
    """Finds queries about sets that no graph has whole."""

    def __init__(self, lexicon: Lexicon, naming: Naming, incomplete: Collection[str]):
        """`incomplete` are classes that lack many."""
        self._lexicon, self._naming, self._incomplete = lexicon, naming, incomplete

    def _entry(self, relation: str) -> Entry:
        naming = self._naming
        return self._lexicon.entry(relation, naming.relation_label(relation), naming.ends(relation))

    def _noun(self, class_id: str) -> ClassNoun:
        return self._lexicon.class_noun(self._naming.class_label(class_id), class_id)

    def are_meant(self, query: Query) -> bool:
        """Whether a query counts or compares an open set, or asks for what its members have.

        The same holds of a class of which pages name many others. Without a class, nothing says what a
        superlative compares.
        """
        if query.function is not None and self._is_of_a_land_or_kind(query):
            return True
        if any(map(self._asks_through_many, query.patterns)):
            return True
        if query.function is None or query.entities:
            return False
        if not query.classes and query.function in _SUPERLATIVES:
            return True
        if any(class_id in self._incomplete for class_id in query.classes):
            return True
        nouns = [self._noun(class_id).one for class_id in query.classes]
        nouns = nouns or [self._entry(relation).subjects for relation in query.relations]
        return all(noun in GENERAL for noun in nouns)

    def _is_of_a_land_or_kind(self, query: Query) -> bool:
        """Whether all people, places or the like of a land, a language or a genre are counted or compared."""
        named = [(one, edge) for one in query.patterns for edge in one.edges if _names_an_entity(edge)]
        return bool(named) and all(self._is_open(*one) for one in named)

    def _is_open(self, pattern: Pattern, edge: Edge) -> bool:
        """Whether an edge says of people, places or the like what no graph knows of all of them."""
        if not isinstance(edge.subject, Variable) or not isinstance(edge.object, Entity):
            return False
        entry, filler = self._entry(edge.relation), self._naming.entity(edge.object.id)
        nouns = [self._noun(one.class_id).one for one in pattern.typings if one.node == edge.subject]
        nouns = nouns or list(self._expected(pattern, edge.subject))
        belongs = entry.forward in BELONGING or by_adjective(entry, filler) or entry.objects in _KINDS
        return (belongs or entry.forward in _LIVES) and all(noun in GENERAL for noun in nouns)

    def _expected(self, pattern: Pattern, node: Variable) -> Iterator[str]:
        """What the relations around a node expect there."""
        for edge in pattern.edges:
            entry = self._entry(edge.relation)
            for end, noun in ((edge.subject, entry.subjects), (edge.object, entry.objects)):
                if end == node:
                    yield noun

    def _asks_through_many(self, pattern: Pattern) -> bool:
        """Whether the answers are only the dates or figures of whatever is of a land or kind.

        `What are the dates of birth of the people who are Danish`: no graph has all of those.
        """
        named = [edge for edge in pattern.edges if _names_an_entity(edge)]
        asked = [self._entry(edge.relation) for edge in pattern.edges if QUESTION in edge.nodes]
        return bool(named and asked) and all(
            (
                *(entry.is_literal for entry in asked),
                *(not edge.negated and self._is_open(pattern, edge) for edge in named),
            )
        )


def _names_an_entity(edge: Edge) -> bool:
    return TARGET not in edge.nodes and any(isinstance(node, Entity) for node in edge.nodes)
