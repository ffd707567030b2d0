"""The default profile: predictions resolve to gold entities, and every entity counts once.

Names are compared by one normaliser that never loses a name; several names of one entity are one
prediction and one gold answer; a name that fits several entities is assigned so that as many entities
as possible are found. Nothing depends on the order of anything.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rollcall.questions.record import Answer, Question
from rollcall.questions.run import EntityAnswer
from rollcall.score.assignment import best_assignment
from rollcall.score.match import WRONG, Match, Resolution, rated
from rollcall.score.measure import Measure
from rollcall.score.names import name_key, name_keys, words
from rollcall.score.profile import Predicted, Profile, text_of, texts


class EntityProfile(Profile):
    name = "entity"
    summary = "the default: names resolve to entities, each counts once, collisions by best assignment"
    source = "Rollcall"
    default_measures = ("P", "R", "F1", "R>=0.8", "F1>=0.5", "acc")

    def measures(self, *, closed: bool, clustered: bool) -> list[Measure]:
        chosen = super().measures(closed=closed, clustered=clustered)
        return [*chosen, Measure("F1", worst=True)] if clustered else chosen

    def distinct(self, predictions: Sequence[Predicted]) -> list[Predicted]:
        kept: dict[str, Predicted] = {}
        for prediction in predictions:
            key = name_key(text_of(prediction))
            if key:
                kept.setdefault(key, prediction)
        return list(kept.values())

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        said = texts(predictions)
        keys = name_keys(said)
        entities = _gold_entities(gold, set(keys))
        if entities.ids:
            keys = _keys_with_ids(predictions, said, keys, entities)
        fits = entities.fits
        shown = dict(zip(reversed(keys), reversed(said), strict=True))  # of equal names the first is shown
        shown.pop("", None)
        named = [key for key in shown if key in fits]
        counted: list[str] = []
        owners: list[int] = []
        repeated: list[str] = []
        found = [False] * len(entities.labels)
        for key, owner in _assigned(named, fits):
            if owner is None:
                repeated.append(shown[key])
            else:
                found[owner] = True
                counted.append(shown[key])
                owners.append(owner)
        wrong = [text for key, text in shown.items() if key not in fits]
        return Resolution(counted + wrong, owners + [WRONG] * len(wrong), entities.labels, found, repeated)

    def rate(self, resolution: Resolution) -> Match:
        found = resolution.found.count(True)
        if not resolution.gold:  # a question without answers is answered rightly by silence
            right = float(not resolution.predictions)
            return rated(right, right, resolution)
        precision = found / len(resolution.predictions) if resolution.predictions else 0.0
        return rated(precision, found / len(resolution.gold), resolution)

    def prepare(self, text: str) -> str:
        return f" {words(text)} "

    def mentions(self, passage: str, names: Sequence[str]) -> bool:
        return any(name in passage for name in names if not name.isspace())


class _Entities(NamedTuple):
    """The distinct gold entities: their labels, those each predicted name fits, and their ids."""

    labels: list[str]
    fits: dict[str, list[int]]
    ids: dict[str, int]


def _gold_entities(gold: Sequence[Answer], wanted: set[str]) -> _Entities:
    names: list[str] = []
    ends: list[int] = []
    for answer in gold:
        if not answer.aliases or answer.aliases[0] != answer.label:  # QAMPARI's files have it twice
            names.append(answer.label)
        names += answer.aliases
        ends.append(len(names))
    keys = name_keys(names)
    labels, places = _distinct_entities(gold, keys, ends)
    fits: dict[str, list[int]] = {}
    hits = wanted.intersection(keys)
    for position in [place for place, key in enumerate(keys) if key in hits] if hits else []:
        place = places[bisect_right(ends, position)]
        owners = fits.setdefault(keys[position], [])
        if place not in owners:
            owners.append(place)
    ids = {answer.id: place for answer, place in zip(gold, places, strict=True) if answer.id is not None}
    return _Entities(labels, fits, ids)


def _distinct_entities(
    gold: Sequence[Answer], keys: list[str], ends: list[int]
) -> tuple[list[str], Sequence[int]]:
    """The labels of the entities that differ, and for each gold answer which of them it is.

    Two answers are one entity when they have the same id or, without ids, the same first name.
    """
    starts = [0, *ends[:-1]]
    identities: list[object] = (
        [
            keys[start] if answer.id is None else (answer.id,)
            for answer, start in zip(gold, starts, strict=True)
        ]
        if gold
        else []
    )
    if "" in identities:
        named = zip(identities, starts, ends, strict=True)
        identities = [known or _first_name(keys, start, end) for known, start, end in named]
    if len(set(identities)) == len(gold):
        return [answer.label for answer in gold], range(len(gold))
    order = {identity: place for place, identity in enumerate(dict.fromkeys(identities))}
    labels = [""] * len(order)
    for answer, identity in zip(reversed(gold), reversed(identities), strict=True):
        labels[order[identity]] = answer.label
    return labels, [order[identity] for identity in identities]


def _first_name(keys: list[str], start: int, end: int) -> object:
    """What tells an answer with neither id nor label from others: its first alias, or being nameless."""
    return next((key for key in keys[start:end] if key), (start, end))


def _keys_with_ids(
    predictions: Sequence[Predicted], said: list[str], keys: list[str], entities: _Entities
) -> list[str]:
    """The keys of predictions where the gold has ids: a string may be one, an entity means its own.

    An entity given by id means that entity alone, whatever its label; its key is the id on a line of its
    own, which no name has.
    """
    new_keys = []
    for prediction, text, key in zip(predictions, said, keys, strict=True):
        if isinstance(prediction, EntityAnswer):
            key = f"\n{prediction.id}"
            if prediction.id in entities.ids:
                entities.fits[key] = [entities.ids[prediction.id]]
        elif text in entities.ids:
            owners = entities.fits.setdefault(key, [])
            if entities.ids[text] not in owners:
                owners.append(entities.ids[text])
        new_keys.append(key)
    return new_keys


def _assigned(named: list[str], fits: dict[str, list[int]]) -> Iterable[tuple[str, int | None]]:
    """Each predicted name with the entity it stands for; None for a further name of one that has one."""
    if any(len(fits[key]) > 1 for key in named):
        named.sort()  # so that even who is assigned to whom does not depend on order
        return zip(named, best_assignment([sorted(fits[key]) for key in named]), strict=True)
    taken: set[int] = set()
    assigned: list[tuple[str, int | None]] = []
    for key in named:
        place = fits[key][0]
        assigned.append((key, None if place in taken else place))
        taken.add(place)
    return assigned
