"""Rules that lead along a relation: joins where a phrase names it, bridging where none does.

The direction is not known from the phrase. What stands first, the little words between, and the form of the
phrase are features, from which the model learns that "by" asks for one end and "of" for the other.
"""

from collections.abc import Iterator

import numpy as np

from rollcall.graph.index import Numbers
from rollcall.mine.neighbourhood import BACKWARD, FORWARD
from rollcall.systems.ask.entity_mentions import EntityMention
from rollcall.systems.ask.forms import Constant, Hop
from rollcall.systems.ask.images import entities_among, image
from rollcall.systems.ask.learned.alignment import content_words
from rollcall.systems.ask.learned.tags import between, tag
from rollcall.systems.ask.learned.weighing import summed, weighed
from rollcall.systems.ask.sempre.derivations import Derivation, RelationPhrase, are_apart
from rollcall.systems.ask.sempre.ground import Asking, Ground
from rollcall.systems.ask.words import places_of

_LARGEST = 50_000
"""Sets of more terms than this lead no further."""
_ARROWS = {FORWARD: ">", BACKWARD: "<"}


def entity(asking: Asking, ground: Ground, mention: EntityMention, rank: int) -> Derivation:
    """An entity that words of the question name; `rank` is its place among those of the same name."""
    number = mention.entities[rank]
    features = {
        "entity": 1.0,
        "entity: quality of its name": mention.quality,
        "entity: words of its name": float(min(mention.last - mention.first, 4)),
        "entity: rank among homonyms": min(rank, 4) / 4.0,
    }
    return Derivation(
        Constant(number), np.array([number], dtype=ground.index.dtype), mention.mask, mention.first,
        mention.last - 1, features, weighed(features, asking.weights),
    )  # fmt: skip


def joined(asking: Asking, ground: Ground, part: Derivation, phrase: RelationPhrase) -> Iterator[Derivation]:
    """What a relation leads to, in either direction, that a phrase apart from a set names."""
    if not are_apart(part, phrase):
        return
    for direction in (FORWARD, BACKWARD):
        terms = _reached(ground, part, phrase.relation, direction)
        if len(terms):
            added = {**_order(asking, part, phrase, direction), **_words(asking, phrase, direction)}
            features = summed(part.features, phrase.features, added)
            yield Derivation(
                Hop(part.form, phrase.relation, direction), terms, part.mask | phrase.mask,
                min(part.first, phrase.first), max(part.last, phrase.last), features,
                part.score + phrase.score + weighed(added, asking.weights), part.edges + 1, part.function,
            )  # fmt: skip


def bridged(asking: Asking, ground: Ground, part: Derivation) -> Iterator[Derivation]:
    """What any relation of an entity leads to, where no phrase names one."""
    if not isinstance(part.form, Constant):
        return
    before = asking.reading.words[part.first - 1].folded if part.first else ""
    words = content_words(asking.reading, part.mask)
    for hop in ground.hops.hops(part.form.entity):
        relation, direction = divmod(hop, 2)
        added = {
            "bridge": 1.0,
            f"bridge {_ARROWS[direction]} after {before}": 1.0,
            f"bridge {_ARROWS[direction]}{ground.index.relation_ids[relation]}": 1.0,
            "bridge: popularity": ground.popularity[relation],
            "bridge: alignment": max((asking.aligned.lift(one, hop) for one in words), default=0.0),
        }
        yield Derivation(
            Hop(part.form, relation, direction), ground.hops.others(part.form.entity, hop), part.mask,
            part.first, part.last, summed(part.features, added),
            part.score + weighed(added, asking.weights), 1,
        )  # fmt: skip


def _reached(ground: Ground, part: Derivation, relation: int, direction: int) -> Numbers:
    if isinstance(part.form, Constant):
        return ground.hops.others(part.form.entity, 2 * relation + direction)
    entities = entities_among(ground.index, part.terms)
    if not 0 < len(entities) <= _LARGEST:
        return entities[:0]
    return image(ground.index, entities, relation, direction)


def _order(asking: Asking, part: Derivation, phrase: RelationPhrase, direction: int) -> dict[str, float]:
    """How phrase and set stand to one another."""
    words, arrow = asking.reading.words, _ARROWS[direction]
    if phrase.last < part.first:
        side, told = "before", between(words, phrase.last, part.first)
    else:
        side, told = "behind", between(words, part.last, phrase.first)
    form = tag(words[phrase.last])
    return {
        "join": 1.0,
        f"join {arrow} {side}": 1.0,
        f"join {arrow} {form} {side}": 1.0,
        f"join {arrow} {side} ({told})": 1.0,
        f"join {arrow} {form} {side} ({told})": 1.0,
    }


def _words(asking: Asking, phrase: RelationPhrase, direction: int) -> dict[str, float]:
    """How the words of a phrase went with this direction of the relation in training."""
    hop = 2 * phrase.relation + direction
    lifts = [asking.aligned.lift(asking.reading.words[one].root, hop) for one in places_of(phrase.mask)]
    best, mean = max(lifts), sum(lifts) / len(lifts)
    return {"alignment: best word": best, "alignment: mean": mean, "alignment: none": float(best == 0.0)}
