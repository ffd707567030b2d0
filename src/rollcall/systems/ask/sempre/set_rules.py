"""Rules for sets without a name: members of a class, what has a value, and what is in two sets at once."""

from collections.abc import Iterator, Sequence

from rollcall.graph.index import Numbers
from rollcall.mine.neighbourhood import BACKWARD, FORWARD
from rollcall.systems.ask.class_mentions import ClassMention
from rollcall.systems.ask.forms import Compared, Joined, Members
from rollcall.systems.ask.images import common
from rollcall.systems.ask.learned.alignment import content_words
from rollcall.systems.ask.learned.weighing import summed, weighed
from rollcall.systems.ask.sempre.derivations import Derivation, RelationPhrase
from rollcall.systems.ask.sempre.ground import Asking, Ground
from rollcall.systems.ask.values_in_text import ValueMention
from rollcall.systems.ask.words import places_of


def members(asking: Asking, ground: Ground, mention: ClassMention) -> Iterator[Derivation]:
    """The members of a class that words of the question name."""
    terms = ground.index.members(ground.index.class_ids[mention.class_])
    if len(terms):
        features = {"class": 1.0, "class: quality of its name": mention.quality}
        yield Derivation(
            Members(mention.class_), terms, mention.mask, mention.first, mention.last - 1, features,
            weighed(features, asking.weights),
        )  # fmt: skip


def compared(
    asking: Asking, ground: Ground, value: ValueMention, mask: int, phrases: Sequence[RelationPhrase]
) -> Iterator[Derivation]:
    """What has a value that stands so to the given one, by a relation that is named or bridged."""
    for relation, form, terms in ground.measures.compared(value):
        best = next((one for one in phrases if one.relation == relation and not one.mask & mask), None)
        for phrase in (None, best) if best is not None else (None,):
            yield _comparison(asking, ground, form, terms, mask, phrase)


def intersected(asking: Asking, one: Derivation, other: Derivation) -> Derivation | None:
    """What is in two sets that stand apart; None if nothing is."""
    if one.function and other.function:
        return None
    terms = common(one.terms, other.terms)
    if not len(terms):
        return None
    kind = "class" if isinstance(other.form, Members) or isinstance(one.form, Members) else "sets"
    added = {f"intersection of {kind}": 1.0}
    if len(terms) == len(one.terms) or len(terms) == len(other.terms):
        added[f"idle intersection of {kind}"] = 1.0
    left, right = (one, other) if one.first < other.first else (other, one)
    return Derivation(
        Joined("and", left.form, right.form), terms, one.mask | other.mask, left.first,
        max(left.last, right.last), summed(one.features, other.features, added),
        one.score + other.score + weighed(added, asking.weights), one.edges + other.edges,
        one.function or other.function,
    )  # fmt: skip


def _comparison(
    asking: Asking,
    ground: Ground,
    form: Compared,
    terms: Numbers,
    mask: int,
    phrase: RelationPhrase | None,
) -> Derivation:
    words = content_words(asking.reading, mask)
    hops = (2 * form.relation + FORWARD, 2 * form.relation + BACKWARD)
    added = {
        "comparison": 1.0,
        f"comparison {form.comparator}": 1.0,
        f"comparison by {ground.index.relation_ids[form.relation]}": 1.0,
        "comparison: popularity": ground.popularity[form.relation],
        "comparison: alignment": max(
            (asking.aligned.lift(one, hop) for one in words for hop in hops), default=0.0
        ),
        f"comparison {'by a name' if phrase is not None else 'bridged'}": 1.0,
    }
    features = summed(phrase.features, added) if phrase is not None else added
    mask |= phrase.mask if phrase is not None else 0
    places = places_of(mask)
    return Derivation(
        form, terms, mask, places[0], places[-1], features, weighed(features, asking.weights), 1,
        "" if form.comparator == "=" else form.comparator,
    )  # fmt: skip
