"""The default profile: predictions resolve to gold entities, and every entity counts once.

Names are compared by a normaliser that never loses a name. Several names of one entity are one prediction and
one gold answer. A name that fits several entities is assigned so that as many entities as possible are found.
The result does not depend on any order.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence, Set
from typing import ClassVar, NamedTuple

from rollcall.questions.record import Answer, Question
from rollcall.questions.run import EntityAnswer
from rollcall.score.match import (
    WRONG,
    Assignment,
    Match,
    Resolution,
    best_assignment,
    harmonic,
    name_keys,
    words,
)
from rollcall.score.options import NeutralAre
from rollcall.score.profile import Predicted, Profile, texts
from rollcall.score.profiles import PROFILES


@PROFILES.register("entity")
class EntityProfile(Profile):
    """The default: names resolve to entities, each counts once, collisions by best assignment.

    Predictions resolve to gold *entities*.

    1. **One normaliser.** Names match whatever their case (`STRASSE` = `Straße`), accents on Latin and Greek
       letters (`Sao Paulo` = `São Paulo`), width of characters, quotes and dashes, punctuation (`U.S.A.` =
       `USA`), spacing and hyphens (`García-López` = `Garcia Lopez`), `&` and `and`, thousands commas, and one
       leading a, an or the (`The Beatles` = `Beatles`). Letters, digits and symbols distinguish: `C`, `C++`,
       `C#`; `3.5` and `35`; `-5` and `5`; `Йод` and `Иод`; `Vitamin A` and `Vitamin`.
    2. **No name becomes empty.** `!!!` is named by `!!!`. Only a blank string is no answer.
    3. **An entity counts once in the gold.** Answers with the same id are one; without ids, answers with the
       same label are one. Two entities with the same label and different ids stay two.
    4. **An entity counts once in the prediction.** `Douglas Adams` and `DNA`, names of one answer, are one
       right prediction. Wrong predictions count once for each distinct name.
    5. **Shared names are assigned by a maximum matching.** With answers Mercury (alias `M`) and Mars (alias
       `M`), the predictions `M` and `Mercury` find both. The order of predictions does not matter.
    6. **Ids are names too.** `Q90` names the answer with that id. An entity means its id alone: `{"id": "Q8",
       "label": "Paris"}` does not name Paris with id `Q90`. Where the gold has no ids, the label decides.
    7. **One rule for every measure.** `@k`, `ARecall` and `ERecall` count entities in the same way.
    8. **Silence.** No prediction: precision 0, recall 0. No gold answers: all measures are 1 for no
       prediction, else 0.
    9. **Neutral answers are ignored.** A prediction that names a neutral answer, and none that counts, is
       removed before anything is measured.

    Precision is found / (found + wrong), recall is found / gold. Adding an alias never lowers recall.
    """

    source = "Rollcall"
    neutral: ClassVar[NeutralAre] = "ignore"
    default_measures: ClassVar[tuple[str, ...]] = ("P", "R", "F1", "R>=0.8", "F1>=0.5", "acc")

    def measures(self, *, closed: bool, clustered: bool) -> Sequence[str]:
        return (*self.default_measures, "min(F1)") if clustered else self.default_measures

    def entities(self, gold: Sequence[Answer]) -> list[list[Answer]]:
        places = _named(gold, []).places
        groups: list[list[Answer]] = [[] for _ in range(max(places, default=-1) + 1)]
        for answer, index in zip(gold, places, strict=True):
            groups[index].append(answer)
        return groups

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        return _resolution(_named(gold, predictions))

    def names_any(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> list[bool]:
        names = _named(gold, predictions)
        return [key in names.fits for key in names.said_keys]

    def rate(self, resolution: Resolution) -> Match:
        return _rated(len(resolution.gold), resolution.found.count(True), resolution.owners.count(WRONG))

    def judge(
        self,
        question: Question,
        gold: Sequence[Answer],
        predictions: Sequence[Predicted],
        first: int | None = None,
    ) -> tuple[Match, str | None]:
        """Only the counts, without the pairs: scoring spends most of its time here."""
        _, said_keys, fits, labels, _ = _named(gold, predictions)
        if first is not None and len(said_keys) > first:
            return _rated(len(labels), *_counts_of_first(said_keys, fits, first)), None
        distinct = set(said_keys)
        distinct.discard(b"")
        right = distinct.intersection(fits)
        return _rated(len(labels), _number_found(right, fits), len(distinct) - len(right)), None

    def prepare(self, text: str) -> str:
        return f" {words(text)} "

    def mentions(self, passage: str, names: Sequence[str]) -> bool:
        return any(name in passage for name in names if not name.isspace())


class _NamedPredictions(NamedTuple):
    """Predicted strings with their keys, the entities each key fits, and the labels of the entities.

    `places` says which of the entities each gold answer is.
    """

    said: list[str]
    said_keys: list[bytes]
    fits: dict[bytes, list[int]]
    labels: list[str]
    places: Sequence[int]


def _named(gold: Sequence[Answer], predictions: Sequence[Predicted]) -> _NamedPredictions:
    given = texts(predictions)
    names = given.copy()
    ends: list[int] = []
    for answer in gold:
        aliases = answer.aliases
        if not aliases or aliases[0] != answer.label:  # QAMPARI's files have the label twice
            names.append(answer.label)
        names += aliases
        ends.append(len(names))
    keys = name_keys(names)
    labels, places = _distinct_entities(gold, keys, [len(given), *ends])
    said_keys = keys[: len(given)]
    fits = _fits(keys, set(said_keys), ends, places, len(given))
    ids = {answer.id: index for answer, index in zip(gold, places, strict=True) if answer.id is not None}
    if ids:
        said_keys = _keys_with_ids(predictions, given, said_keys, fits, ids)
    return _NamedPredictions(given, said_keys, fits, labels, places)


def _rated(gold: int, hits: int, wrong: int) -> Match:
    """The figures that follow from three numbers; giving no answers is right for a question without any."""
    if not gold:
        precision = recall = float(not wrong)
    else:
        precision, recall = hits / (hits + wrong) if hits else 0.0, hits / gold
    exact = hits == gold and not wrong
    return Match(precision, recall, harmonic(precision, recall), exact, hits > 0, hits, gold)


def _number_found(right: Set[bytes], fits: dict[bytes, list[int]]) -> int:
    """How many entities the right names find together."""
    chosen = [fits[key] for key in right]
    if sum(map(len, chosen)) == len(chosen):  # the usual case: no name fits two
        return len({places[0] for places in chosen})
    return sum(entity is not None for entity in best_assignment(chosen))


def _counts_of_first(keys: Sequence[bytes], fits: dict[bytes, list[int]], first: int) -> tuple[int, int]:
    """How many entities are found, and how many names are wrong, by the first predictions that count.

    Predictions are counted as in precision: another name of an entity that is already found adds nothing. So
    the list is read as long as it has at most `first` predictions in that sense.
    """
    assignment = Assignment()
    hits = wrong = 0
    for key in dict.fromkeys(keys):
        named = fits.get(key)
        if not key or (named is not None and not assignment.add(named)):
            continue
        if hits + wrong == first:
            break
        hits, wrong = (hits, wrong + 1) if named is None else (hits + 1, wrong)
    return hits, wrong


def _distinct_entities(
    gold: Sequence[Answer], keys: list[bytes], bounds: list[int]
) -> tuple[list[str], Sequence[int]]:
    """The labels of the different entities, and for each gold answer which of them it is.

    Two answers are one entity if they have the same id or, without ids, the same label; an answer with
    neither equals no other, whatever its aliases. `bounds` says where each answer's keys begin and end.
    """
    identities: list[object] = [
        keys[start] if answer.id is None else answer.id for answer, start in zip(gold, bounds, strict=False)
    ]
    if b"" in identities:
        spans = zip(identities, bounds, bounds[1:], strict=False)
        identities = [(start, end) if known == b"" else known for known, start, end in spans]
    if len(set(identities)) == len(gold):
        return [answer.label for answer in gold], range(len(gold))
    order = {identity: index for index, identity in enumerate(dict.fromkeys(identities))}
    labels = [""] * len(order)
    for answer, identity in zip(reversed(gold), reversed(identities), strict=True):
        labels[order[identity]] = answer.label
    return labels, [order[identity] for identity in identities]


def _fits(
    keys: list[bytes], given_keys: set[bytes], ends: list[int], places: Sequence[int], first: int
) -> dict[bytes, list[int]]:
    """For each predicted name the entities it fits; gold names begin at `first`."""
    fits: dict[bytes, list[int]] = {}
    gold_keys = keys[first:]
    hits = given_keys.intersection(gold_keys)
    hits.discard(b"")
    if hits:
        for position, key in [(at, key) for at, key in enumerate(gold_keys, first) if key in hits]:
            fits.setdefault(key, []).append(places[bisect_right(ends, position)])
        for key, named in fits.items():
            if len(named) > 1:
                fits[key] = list(dict.fromkeys(named))
    return fits


def _keys_with_ids(
    predictions: Sequence[Predicted],
    given: list[str],
    keys: list[bytes],
    fits: dict[bytes, list[int]],
    ids: dict[str, int],
) -> list[bytes]:
    """The keys of predictions if the gold has ids: a string may be an id, and an entity means its own id.

    An entity given by id means only that entity, whatever its label; its key is the id on a separate line,
    which no name has. A string that is an id also has such a key, because different ids may be equal as
    names; but this key is a different one, because the string also means what it names.
    """
    new_keys = []
    for prediction, text, key in zip(predictions, given, keys, strict=True):
        if isinstance(prediction, EntityAnswer):
            key = b"\nentity " + prediction.id.encode(errors="surrogatepass")
            if prediction.id in ids:
                fits.setdefault(key, [ids[prediction.id]])
        elif text and text in ids:
            own, named = ids[text], fits.get(key, [])
            key = b"\nid " + text.encode(errors="surrogatepass")
            fits[key] = [own, *(index for index in named if index != own)]
        new_keys.append(key)
    return new_keys


def _resolution(names: _NamedPredictions) -> Resolution:
    """Pair predictions with entities, given the entities that each predicted name fits."""
    given, keys, fits, labels, _ = names
    shown = dict(zip(reversed(keys), reversed(given), strict=True))  # of equal names the first is shown
    shown.pop(b"", None)
    counted: list[str] = []
    owners: list[int] = []
    repeated: list[str] = []
    hits = [False] * len(labels)
    for key, owner in _assigned([key for key in shown if key in fits], fits):
        if owner is None:
            repeated.append(shown[key])
        else:
            hits[owner] = True
            counted.append(shown[key])
            owners.append(owner)
    wrong = [text for key, text in shown.items() if key not in fits]
    return Resolution(counted + wrong, owners + [WRONG] * len(wrong), labels, hits, repeated)


def _assigned(named: list[bytes], fits: dict[bytes, list[int]]) -> Iterable[tuple[bytes, int | None]]:
    """Each predicted name with its entity; None for a further name of an entity that has one."""
    taken: set[int] = set()
    assigned: list[tuple[bytes, int | None]] = []
    for key in named:
        places = fits[key]
        if len(places) > 1:
            named.sort()  # so that the pairs do not depend on the order either
            return zip(named, best_assignment([sorted(fits[key]) for key in named]), strict=True)
        assigned.append((key, None if places[0] in taken else places[0]))
        taken.add(places[0])
    return assigned
