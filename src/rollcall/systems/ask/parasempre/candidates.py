"""Candidate queries: a fixed set of templates, filled from the names of a question over the facts there are.

One relation from a name, two in a row, two conditions at once; each also with a class that the question
names, a comparison with a value, counted, or by a superlative. Candidates without answers are never made.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rollcall.graph.index import Numbers
from rollcall.mine.neighbourhood import Neighbourhood
from rollcall.systems.ask.forms import Constant, Form, Function, Hop, Joined, Members
from rollcall.systems.ask.images import common
from rollcall.systems.ask.learned.measures import Measures
from rollcall.systems.ask.learned.paths import paths_from
from rollcall.systems.ask.reading import Reading
from rollcall.systems.ask.words import mask_of

_ENTITIES, _HOMONYMS, _FAR = 8, 3, 3
"""Entities from which queries are grown, those of one name, and those with two relations in a row."""
_LEAST_NAME = 0.3
_PAIRED = 60
"""Sets of one name that are tried with those of another."""
_ORDERED = 200
"""Superlatives that are tried."""


class FilledTemplate(NamedTuple):
    """A candidate query with its answers."""

    template: str
    form: Form
    terms: Numbers
    """Its answers, sorted; for a count, what is counted."""
    mask: int
    """The words of names, classes, values and signs that it uses."""
    hops: tuple[tuple[int, int], ...]
    """Its relations and their directions."""
    quality: float
    """Of its names, from 0 to 1."""
    function: str = ""


class Templates:
    """Fills templates over one graph."""

    def __init__(self, measures: Measures, hops: Neighbourhood) -> None:
        self._index, self._measures, self._hops = measures.index, measures, hops

    def filled(self, reading: Reading, most: int) -> list[FilledTemplate]:
        """The candidates of a question: those that use more of its words first, at most so many."""
        near, far = self._from_names(reading)
        valued = list(self._compared(reading))
        plain = [*near, *valued, *_intersections(near, valued), *far]
        classes = list(self._classes(reading))
        typed = [both for one in plain for other in classes if (both := _of_class(one, other)) is not None]
        every = [*plain, *typed]
        every += self._functions(reading, [*typed, *near, *valued, *classes])
        order = sorted(every, key=lambda one: (-one.mask.bit_count(), len(one.hops)))
        return list({one.form: one for one in reversed(order[:most])}.values())[::-1]

    def _from_names(self, reading: Reading) -> tuple[list[FilledTemplate], list[FilledTemplate]]:
        """What one relation and what two lead to, from the entities that the question may name."""
        near, far = [], []
        named = [
            (mention, one)
            for mention in reading.entities
            if mention.quality >= _LEAST_NAME
            for one in mention.entities[:_HOMONYMS]
        ][:_ENTITIES]
        for place, (mention, entity) in enumerate(named):
            for path, terms in paths_from(self._index, self._hops, entity):
                form: Form = Constant(entity)
                for hop in path:
                    form = Hop(form, *divmod(hop, 2))
                hops = tuple(divmod(hop, 2) for hop in path)
                if len(path) == 1:
                    near.append(FilledTemplate("relation", form, terms, mention.mask, hops, mention.quality))
                elif place >= _FAR:
                    break
                elif len(terms):
                    far.append(
                        FilledTemplate("two relations", form, terms, mention.mask, hops, mention.quality)
                    )
        return near, far

    def _compared(self, reading: Reading) -> Iterator[FilledTemplate]:
        for value, mask in reading.values:
            for relation, form, terms in self._measures.compared(value):
                function = "" if form.comparator == "=" else form.comparator
                yield FilledTemplate("comparison", form, terms, mask, ((relation, 1),), 1.0, function)

    def _classes(self, reading: Reading) -> Iterator[FilledTemplate]:
        for one in reading.classes:
            terms = self._index.members(self._index.class_ids[one.class_])
            if len(terms):
                yield FilledTemplate("class", Members(one.class_), terms, one.mask, (), one.quality)

    def _functions(self, reading: Reading, sets: Iterable[FilledTemplate]) -> Iterator[FilledTemplate]:
        whole = [one for one in sets if not one.function]
        if reading.kind.counts:
            asking = mask_of([p for p, word in enumerate(reading.words) if word.folded in ("how", "many")])
            for one in whole:
                if int(one.terms[-1]) < self._index.entity_count and one.hops:
                    yield one._replace(
                        template=f"count of {one.template}", form=Function("count", one.form),
                        mask=one.mask | asking, function="count",
                    )  # fmt: skip
        tried = 0
        for sign in reading.signs.superlatives:
            for one in whole:
                for form, terms, hops in self._measures.extremes(one.form, one.terms, sign.extreme):
                    tried += 1
                    yield one._replace(
                        template=f"{sign.extreme} of {one.template}", form=form, terms=terms,
                        mask=one.mask | sign.mask, hops=(*one.hops, *hops), function=form.name,
                    )  # fmt: skip
                if tried >= _ORDERED:
                    return


def _intersections(near: list[FilledTemplate], valued: list[FilledTemplate]) -> Iterator[FilledTemplate]:
    """Two conditions on the same things, by different words."""
    first = near[:_PAIRED]
    for place, one in enumerate(near[: 2 * _PAIRED]):
        for other in (*first[place + 1 :], *valued):
            if not one.mask & other.mask and (both := _both("two conditions", one, other)) is not None:
                yield both


def _of_class(one: FilledTemplate, class_: FilledTemplate) -> FilledTemplate | None:
    return None if one.mask & class_.mask else _both(f"{one.template} of a class", class_, one)


def _both(template: str, one: FilledTemplate, other: FilledTemplate) -> FilledTemplate | None:
    terms = common(one.terms, other.terms)
    if not len(terms) or (one.function and other.function):
        return None
    return FilledTemplate(
        template, Joined("and", one.form, other.form), terms, one.mask | other.mask, (*one.hops, *other.hops),
        min(one.quality, other.quality), one.function or other.function,
    )  # fmt: skip
