"""Keeps of a reply what the block and the schema bear out: names that the text has, and facts that fit.

A model may name what is not there, classes and relations of its own, or the wrong sentence. What cannot be
used is left out and counted by its reason.
"""

from collections import Counter
from collections.abc import Iterable

from rollcall.extract.blocks import Block
from rollcall.extract.records import PageReading, Statement, Thing
from rollcall.extract.replies import SaidBlock, SaidFact, SaidThing
from rollcall.extract.schema import Schema
from rollcall.extract.short_forms import is_short_for
from rollcall.extract.wordings import FoldedText, is_name, is_proper, key_of, tidy


def grounded(said: SaidBlock, block: Block, schema: Schema, left_out: Counter[str]) -> PageReading:
    """What a reply says of a block, with names as the text has them; `left_out` counts what is dropped."""
    return _Grounding(block, schema, left_out).reading(said)


class _Grounding:
    def __init__(self, block: Block, schema: Schema, left_out: Counter[str]) -> None:
        self._block, self._schema, self._left_out = block, schema, left_out
        self._text = FoldedText(block.text)
        self._sentences = [FoldedText(sentence) for sentence in block.sentences]
        self._things: dict[str, Thing] = {}
        self._known: dict[str, str] = {}
        self._topic = ""
        """The key of what the page is about, which a sentence need not name."""

    def reading(self, said: SaidBlock) -> PageReading:
        for one in said.things:
            self._add(one)
        self._topic = self._known.get(key_of(said.topic), "")
        statements = [made for fact in said.facts if (made := self._statement(fact)) is not None]
        named = self._things[self._topic].name if self._topic else ""
        return PageReading(self._block.page, tuple(self._things.values()), tuple(statements), named)

    def _add(self, said: SaidThing) -> None:
        class_ = self._schema.class_of(said.class_)
        if class_ is None:
            self._left_out["things of a class that the schema does not have"] += 1
            return
        names = list(dict.fromkeys(map(tidy, (said.name, *said.other_names))))
        there = [name for name in names if is_name(name) and self._text.has(name)]
        if not there:
            self._left_out["things whose name the text does not have"] += 1
            return
        name, *others = there
        others = [other for other in others if is_proper(other) or not is_proper(name)]
        self._keep(Thing(name, class_, tuple(others)))

    def _keep(self, thing: Thing) -> None:
        key = key_of(thing.name)
        known = self._known.get(key)
        if known is not None:
            old = self._things[known]
            others = dict.fromkeys((*old.other_names, *thing.other_names))
            self._things[known] = Thing(old.name, old.class_, tuple(others))
        else:
            self._things[key] = thing
        for name in (thing.name, *thing.other_names):
            self._known.setdefault(key_of(name), known or key)

    def _end(self, name: str, class_: str) -> Thing | None:
        """The thing that a fact names; one that is not listed is of the class that the relation expects."""
        key = key_of(name)
        if key not in self._known:
            if not is_name(tidy(name)) or not is_proper(name) or not self._text.has(name):
                return None
            self._keep(Thing(tidy(name), class_))
        return self._things[self._known[key]]

    def _statement(self, said: SaidFact) -> Statement | None:
        name = self._schema.relation_of(said.relation)
        if name is None:
            self._left_out["facts of a relation that the schema does not have"] += 1
            return None
        relation = self._schema.relations[name]
        subject = self._end(said.subject, relation.subject)
        if subject is None:
            self._left_out["facts about what the text does not name"] += 1
            return None
        if relation.is_literal:
            value = tidy(said.object)
            if not self._text.has(value):
                self._left_out["facts about what the text does not name"] += 1
                return None
            return self._made(said, name, subject, value, (value,), literal=True)
        other = self._end(said.object, relation.object)
        if other is None:
            self._left_out["facts about what the text does not name"] += 1
            return None
        if other == subject:
            self._left_out["facts of a thing about itself"] += 1
            return None
        if not self._schema.fits(subject.class_, relation.subject) or not self._schema.fits(
            other.class_, relation.object
        ):
            self._left_out["facts whose ends are of other classes than the relation's"] += 1
            return None
        return self._made(said, name, subject, other.name, self._names(other))

    def _made(
        self,
        said: SaidFact,
        relation: str,
        subject: Thing,
        object_: str,
        object_names: tuple[str, ...],
        literal: bool = False,
    ) -> Statement | None:
        topic = self._things.get(self._topic)
        about = "subject" if topic == subject else "object" if topic and topic.name == object_ else ""
        place = self._place(said.sentence, self._names(subject), object_names, about)
        if place is None:
            self._left_out["facts that no sentence states by name"] += 1
            return None
        return Statement(subject.name, relation, object_, self._block.first + place, literal)

    def _names(self, thing: Thing) -> tuple[str, ...]:
        """The names of a thing, with those that the reply gives by themselves though they are short forms."""
        short = [
            other.name
            for other in self._things.values()
            if other.class_ == thing.class_ and is_short_for(key_of(other.name), key_of(thing.name))
        ]
        return (thing.name, *thing.other_names, *short)

    def _place(self, said: int, subjects: Iterable[str], objects: Iterable[str], about: str) -> int | None:
        """The sentence that states a fact: the one given if it names an end, else one that names both.

        Where the page is `about` an end, that must be the other one.
        """
        with_subject = [sentence.has_any(subjects) for sentence in self._sentences]
        with_object = [sentence.has_any(objects) for sentence in self._sentences]
        both = [
            place
            for place, (one, other) in enumerate(zip(with_subject, with_object, strict=True))
            if one and other
        ]
        given = said - 1 if 0 < said <= len(self._sentences) else None
        enough = {"subject": with_object, "object": with_subject}.get(about)
        if enough is None:
            enough = [one or other for one, other in zip(with_subject, with_object, strict=True)]
        if given is not None and (given in both or (not both and enough[given])):
            return given
        if both:
            return min(both, key=lambda place: abs(place - given) if given is not None else place)
        named = enough if about and any(enough) else with_object
        return next((place for place, is_named in enumerate(named) if is_named), None)
