"""The default profile: predictions resolve to gold entities, and every entity counts once.

Names are compared by one normaliser that never loses a name; several names of one entity are one
prediction and one gold answer; a name that fits several entities is assigned so that as many entities
as possible are found. Nothing depends on the order of anything.
"""

from collections.abc import Sequence

from rollcall.questions.record import Answer, Question
from rollcall.questions.run import EntityAnswer
from rollcall.score.assignment import best_assignment
from rollcall.score.match import WRONG, Match, Resolution, rated
from rollcall.score.measure import Measure
from rollcall.score.names import name_key, name_keys, words
from rollcall.score.profile import Predicted, Profile, text_of


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
        labels, entities, ids = _gold_entities(gold)
        shown, choices = _choices(predictions, entities, ids)
        keys = list(choices)
        if any(len(chosen) > 1 for chosen in choices.values()):
            keys.sort()  # so that even who is assigned to whom does not depend on order
            assigned = best_assignment([sorted(choices[key]) for key in keys])
        else:
            assigned = _first_come(choices)
        counted: list[str] = []
        owners: list[int] = []
        repeated: list[str] = []
        found = [False] * len(labels)
        for key, owner in zip(keys, assigned, strict=True):
            if owner is None and choices[key]:
                repeated.append(shown[key])
                continue
            counted.append(shown[key])
            owners.append(WRONG if owner is None else owner)
            if owner is not None:
                found[owner] = True
        return Resolution(counted, owners, labels, found, repeated)

    def rate(self, resolution: Resolution) -> Match:
        found = sum(resolution.found)
        if not resolution.gold:  # a question without answers is answered rightly by silence
            right = float(not resolution.predictions)
            return rated(right, right, resolution)
        precision = found / len(resolution.predictions) if resolution.predictions else 0.0
        return rated(precision, found / len(resolution.gold), resolution)

    def prepare(self, text: str) -> str:
        return f" {words(text)} "

    def mentions(self, passage: str, names: Sequence[str]) -> bool:
        return any(name in passage for name in names if not name.isspace())


def _gold_entities(gold: Sequence[Answer]) -> tuple[list[str], dict[str, list[int]], dict[str, int]]:
    """The distinct gold entities: their labels, the entities each name key fits, and their ids."""
    names: list[str] = []
    sizes: list[int] = []
    for answer in gold:
        names.append(answer.label)
        names += answer.aliases
        sizes.append(1 + len(answer.aliases))
    keys = name_keys(names)
    labels: list[str] = []
    places: dict[object, int] = {}
    fits: dict[str, list[int]] = {}
    ids: dict[str, int] = {}
    start = 0
    for answer, size in zip(gold, sizes, strict=True):
        own = keys[start : start + size]
        start += size
        place = places.setdefault(_identity(answer, own), len(places))
        if place == len(labels):
            labels.append(answer.label)
        if answer.id is not None:
            ids[answer.id] = place
        for key in own:
            owners = fits.get(key)
            if owners is None:
                fits[key] = [place]
            elif place not in owners:
                owners.append(place)
    fits.pop("", None)
    return labels, fits, ids


def _identity(answer: Answer, keys: list[str]) -> object:
    """What makes two gold answers one: the same id, or without ids the same first name."""
    if answer.id is not None:
        return (answer.id,)
    return next((key for key in keys if key), "")


def _choices(
    predictions: Sequence[Predicted], entities: dict[str, list[int]], ids: dict[str, int]
) -> tuple[dict[str, str], dict[str, list[int]]]:
    """Each distinct prediction as it was written, and the entities it may mean."""
    texts = [prediction if isinstance(prediction, str) else text_of(prediction) for prediction in predictions]
    shown: dict[str, str] = {}
    choices: dict[str, list[int]] = {}
    for prediction, text, key in zip(predictions, texts, name_keys(texts), strict=True):
        if not isinstance(prediction, str):
            key, chosen = _entity_choice(prediction, key, entities, ids)
        else:
            chosen = entities.get(key, _NONE)
            if text in ids and ids[text] not in chosen:
                chosen = [*chosen, ids[text]]
        if not key:
            continue
        shown.setdefault(key, text)
        known = choices.get(key)
        choices[key] = chosen if known is None else known + [place for place in chosen if place not in known]
    return shown, choices


_NONE: list[int] = []


def _entity_choice(
    prediction: EntityAnswer, key: str, entities: dict[str, list[int]], ids: dict[str, int]
) -> tuple[str, list[int]]:
    """An entity given by id means that entity alone; where the gold has no ids, its label decides."""
    if not ids:
        return key, entities.get(key, _NONE)
    place = ids.get(prediction.id)
    return f"\n{prediction.id}", _NONE if place is None else [place]


def _first_come(choices: dict[str, list[int]]) -> list[int | None]:
    """The assignment where no name fits two entities: the first name of an entity stands for it."""
    taken: set[int] = set()
    assigned: list[int | None] = []
    for chosen in choices.values():
        place = chosen[0] if chosen and chosen[0] not in taken else None
        assigned.append(place)
        if place is not None:
            taken.add(place)
    return assigned
