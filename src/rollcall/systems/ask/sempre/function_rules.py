"""Rules for functions over a whole set: counts, and superlatives by a relation with values.

They apply where words of the question ask for them, and once: a query has one function.
"""

from collections.abc import Iterator

from rollcall.mine.neighbourhood import FORWARD
from rollcall.systems.ask.forms import Function
from rollcall.systems.ask.learned.weighing import summed, weighed
from rollcall.systems.ask.sempre.derivations import Derivation
from rollcall.systems.ask.sempre.ground import Asking, Ground
from rollcall.systems.ask.signs import Superlative
from rollcall.systems.ask.words import mask_of


def counted(asking: Asking, ground: Ground, part: Derivation) -> Iterator[Derivation]:
    """The number of things in a set, after "how many"."""
    if part.function or not asking.reading.kind.counts or int(part.terms[-1]) >= ground.index.entity_count:
        return
    places = [place for place, word in enumerate(asking.reading.words) if word.folded in ("how", "many")]
    added = {"count": 1.0}
    yield part._replace(
        form=Function("count", part.form), mask=part.mask | mask_of(places), function="count",
        features=summed(part.features, added), score=part.score + weighed(added, asking.weights),
    )  # fmt: skip


def extreme(asking: Asking, ground: Ground, part: Derivation, sign: Superlative) -> Iterator[Derivation]:
    """The greatest or least of a set: of values, or of entities by their values."""
    if part.function or sign.mask & part.mask:
        return
    for form, terms, hops in ground.measures.extremes(part.form, part.terms, sign.extreme):
        added = _measuring(asking, ground, sign, form.relation) if hops else {"extreme value": 1.0}
        yield part._replace(
            form=form, terms=terms, mask=part.mask | sign.mask, function=form.name,
            features=summed(part.features, added), score=part.score + weighed(added, asking.weights),
            edges=part.edges + len(hops),
        )  # fmt: skip


def _measuring(asking: Asking, ground: Ground, sign: Superlative, relation: int) -> dict[str, float]:
    """How a superlative and a relation belong together: by its names, and by what went with them before."""
    features = (
        {
            f"superlative {name}": value
            for name, value in ground.lexicon.match(relation, [*sign.roots]).items()
        }
        if sign.roots
        else {}
    )
    words = [
        asking.reading.words[place].root
        for place in range(len(asking.reading.words))
        if sign.mask >> place & 1
    ]
    features["superlative"] = 1.0
    features[f"superlative {sign.word} by {ground.index.relation_ids[relation]}"] = 1.0
    features["superlative: popularity"] = ground.popularity[relation]
    features["superlative: alignment"] = max(
        asking.aligned.lift(one, 2 * relation + FORWARD) for one in words
    )
    return features
