"""Things that are not what the words of a question say: people in a column of works, a tournament's opponent.

Graphs made from tables or text have such facts: a row is about something else than its key, a cell links to
something else than its heading promises, two things were taken for one. The lexicon, classes and pages tell.
"""

import re
from collections.abc import Mapping

from rollcall.corpus.lists import LISTINGS, MEMBERSHIP
from rollcall.query import QUESTION, Entity, Pattern, Variable
from rollcall.query.statements import Node
from rollcall.text.nouns import head_word, is_plural, plural, singular
from rollcall.text.verbs import is_participle
from rollcall.wording.answer_nouns import noun_in_name
from rollcall.wording.entry import Entry
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.naming import Naming
from rollcall.wording.nouns import ClassNoun, Head, class_noun, head_of, is_part_of_land, kind_of

# Titles of pages that are about no thing: a list, a year in a field. No question is about them. Tables
# link such pages where they mean something else: `1940 in aviation` stands for the year 1940.

_NO_THING = re.compile(
    r"(?:Lists?|Index|Outline|Timeline|Table|Glossary) of (?=\S)"
    r"|(?:c\. )?\d{3,4}(?:s|[–-]\d{2,4})? in (?=\S)",
)


def names_no_thing(title: str) -> bool:
    """Whether a name is the title of a list or of a year in a field."""
    return _NO_THING.match(title) is not None or LISTINGS in title


_NO_BODIES = frozenset(
    (
        "class", "language", "position", "occupation", "ethnic group", "religion", "genre", "award",
        "musical instrument",
    )
)  # fmt: skip
"""Nouns for what is neither a place nor an organization."""
_TIMES = frozenset(("year", "date", "time", "day"))
"""Nouns of time; no entity is one, whatever column it stands in."""
_APART = frozenset(("person", "place", "work", "event"))
"""Kinds of which nothing is two; organizations may also be places, works or somebody."""
_NO_PEOPLE = frozenset(("place", "work", "event", "vehicle"))
_OF_PEOPLE = frozenset(
    ("position", "nationality", "citizenship", "country of citizenship", "occupation", "profession")
)
"""What only people have; a team with a position is the team of somebody who has it."""
_OF_SIDES = frozenset(("coach", "opponent", "rival"))
"""What a side of a contest has; a contest with an opponent is one of somebody who met them there."""
_OF_MATCHES = frozenset(
    ("team", "club", "venue", "stadium", "arena", "ground", "attendance", "referee", "score")
)
"""What single matches have; a season with a venue is that of a match which was played in it."""
_DONE_TO_THINGS = tuple(
    f"was {participle} "
    for participle in ("released", "published", "built", "constructed", "opened", "manufactured", "aired")
)
"""How clauses begin about what is not done to people."""
_LANDS = frozenset(("country", "continent", "city"))
_LONGEST_NOUN = 4
"""How many words the noun of a relation without an entry may have: longer ones are notes of a table."""


class Mismatches:
    """Finds conditions whose things are not of the kind that their words say."""

    def __init__(self, lexicon: Lexicon, naming: Naming, described: Mapping[str, str]):
        """`described` gives the nouns of entities by their pages."""
        self._lexicon, self._naming, self._described = lexicon, naming, described

    def has_any(self, pattern: Pattern, nouns: Mapping[Variable, Head]) -> bool:
        """Whether a pattern has such a condition; `nouns` replaces those of some variables."""
        return (
            self._names_no_things(pattern, nouns)
            or self._means_two_kinds(pattern)
            or self._names_other_things(pattern)
            or self._expects_other_things(pattern, nouns)
            or self._does_what_others_do(pattern, nouns)
        )

    def _entry(self, relation: str) -> Entry:
        naming = self._naming
        return self._lexicon.entry(relation, naming.relation_label(relation), naming.ends(relation))

    def _noun(self, class_id: str) -> ClassNoun:
        return self._lexicon.class_noun(self._naming.class_label(class_id), class_id)

    def _expects_other_things(self, pattern: Pattern, nouns: Mapping[Variable, Head]) -> bool:
        """Whether a class is at an end at which a relation of the lexicon expects something else."""
        for typing in pattern.typings:
            replaced = nouns.get(typing.node) if isinstance(typing.node, Variable) else None
            noun = ClassNoun(*replaced) if replaced is not None else self._noun(typing.class_id)
            for edge in pattern.edges if not typing.negated else ():
                entry = self._entry(edge.relation)
                ends = [(edge.subject, entry.subjects), (edge.object, entry.objects)]
                is_body = kind_of(noun.one) in (*_NO_PEOPLE, "organization")
                if is_body and entry.noun in _OF_PEOPLE and edge.subject == typing.node:
                    return True
                if entry.generic:
                    continue
                expected = [expected_noun for node, expected_noun in ends if node == typing.node]
                if any(_cannot_be(noun, head_of(expected_noun)) for expected_noun in expected):
                    return True
        return False

    def are_others(self, pattern: Pattern, answer: str) -> bool:
        """Whether a class of an answer is not what a relation of the lexicon expects: a place among events.

        A class in the query is examined by itself.
        """
        if any(typing.node == QUESTION for typing in pattern.typings):
            return False
        nouns = [class_noun(label) for label in self._naming.classes(answer)]
        expected = [
            head_of(noun)
            for edge in pattern.edges
            if not edge.negated and not (entry := self._entry(edge.relation)).generic
            for node, noun in ((edge.subject, entry.subjects), (edge.object, entry.objects))
            if node == QUESTION
        ]
        return bool(nouns) and any(all(_cannot_be(noun, head) for noun in nouns) for head in expected)

    def _does_what_others_do(self, pattern: Pattern, nouns: Mapping[Variable, Head]) -> bool:
        """Whether a subject has or does what only others can.

        `Tournaments with A as opponent`, `seasons that play in A`, `singers who were released in 1985`.
        """
        classes = {typing.node: self._noun(typing.class_id).one for typing in pattern.typings}
        for edge in pattern.edges:
            entry, subject = self._entry(edge.relation), edge.subject
            if isinstance(subject, Entity):
                noun = self._described.get(subject.id, "") or noun_in_name(self._naming.label(subject.id))
            else:
                noun = nouns[subject].one if subject in nouns else classes.get(subject, entry.subjects)
            words = {singular(word) for word in entry.noun.split(" ")}
            kind = kind_of(noun)
            if entry.generic and words & _OF_SIDES and kind == "event":
                return True
            if entry.generic and words & _OF_MATCHES and head_word(noun) == "season":
                return True
            if kind in _NO_PEOPLE and entry.forward.startswith(("plays ", "played ")):
                return True
            if kind == "person" and entry.forward.startswith(_DONE_TO_THINGS):
                return True
        return False

    def _names_no_things(self, pattern: Pattern, nouns: Mapping[Variable, Head]) -> bool:
        """Whether a class is a column of times (`event year`), or a heading is of two columns."""
        typings = [typing for typing in pattern.typings if typing.node not in nouns]
        classes = [head_word(self._noun(typing.class_id).one) for typing in typings]
        entries = [self._entry(edge.relation) for edge in pattern.edges]
        mixed = (entry.noun.split(" ") for entry in entries if entry.generic and " or " in entry.noun)
        return bool(_TIMES & set(classes)) or any(any(map(is_participle, words)) for words in mixed)

    def _means_two_kinds(self, pattern: Pattern) -> bool:
        """Whether the lexicon expects different kinds of things of a variable without a class.

        A graph that has both of one thing took two things for one: `a capital that is a subsidiary of A`.
        """
        typed = {typing.node for typing in pattern.typings}
        kinds: dict[Node, set[str]] = {}
        for edge in pattern.edges if not pattern.has_target else ():
            entry = self._entry(edge.relation)
            for node, noun in ((edge.subject, entry.subjects), (edge.object, entry.objects)):
                if isinstance(node, Variable) and node not in typed and not entry.generic:
                    kinds.setdefault(node, set()).update((kind_of(noun), noun))
        return any(
            len(kind_set & _APART) > 1 or ("organization" in kind_set and kind_set & _LANDS)
            for kind_set in kinds.values()
        )

    def _names_other_things(self, pattern: Pattern) -> bool:
        """Whether an object is not what its relation's noun says: `have the Navy of A as their country`.

        Nor is a page about the kind itself: `have Chess opening as their chess opening`. A noun of
        many words cannot be understood: `have A as their first season of current spell in division`.
        """
        for edge in pattern.edges:
            entry = self._entry(edge.relation)
            words = [word for word in entry.noun.split(" ") if word not in ("or", "and", "of", "the")]
            if entry.generic and len(words) > _LONGEST_NOUN:
                return True
            if not entry.generic or not entry.noun or not isinstance(edge.object, Entity):
                continue
            name = self._naming.label(edge.object.id)
            if names_no_thing(name) and edge.relation != MEMBERSHIP:
                return True
            if name.endswith(f" {plural(head_word(entry.noun))}") and not is_plural(entry.noun):
                return True
            if name.lower() == entry.noun.lower():
                return True
            noun = self._described.get(edge.object.id, "") or noun_in_name(name)
            kind, expected_kind = kind_of(noun), kind_of(head_word(entry.noun))
            land = is_part_of_land(entry.noun) or entry.noun in ("country", "nation")
            if kind and (kind != "place" if land else _are_apart(kind, expected_kind)):
                return True
        return False


def _are_apart(kind: str, other: str) -> bool:
    """Whether nothing is of both kinds; an organization may be somebody or a place, a museum is both."""
    return (bool(kind and other) and kind != other and not {kind, other} & {"organization"}) or (
        {kind, other} in ({"organization", "event"}, {"organization", "work"}, {"organization", "vehicle"})
    )


def _cannot_be(noun: ClassNoun, expected: Head) -> bool:
    """Whether members of a class cannot be what a relation expects: people a work, a place a language."""
    if noun.person:
        return expected.is_specific and not expected.person
    if expected.one == "person" and kind_of(noun.one) in _NO_PEOPLE:
        return True
    if noun.one == "organization" and expected.one in _LANDS:
        return True
    if noun.one in ("place", "organization") and kind_of(expected.one) == "work":
        return True
    if noun.one == "place" and (expected.one == "organization" or kind_of(expected.one) == "event"):
        return True
    if kind_of(noun.one) in ("event", "work", "vehicle") and kind_of(expected.one) == "organization":
        return True
    return noun.one in ("place", "organization") and expected.one in _NO_BODIES
