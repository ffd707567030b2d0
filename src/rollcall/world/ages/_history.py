"""What happened in a later age, block by block: the rows of the table `changes`, and pairs for an index."""

from collections.abc import Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from rollcall.tables.graph import Changes
from rollcall.world._chance import key, shares, word
from rollcall.world._facts import CLASS_SLOT, Row, batch
from rollcall.world._families import NONE
from rollcall.world._skeleton import is_indexed
from rollcall.world._titles import ALONE, title_hash
from rollcall.world._vocabulary import RELATIONS
from rollcall.world.ages._facts import RENAMED_KINDS, STEPS, YEARS_AN_AGE, first_year
from rollcall.world.ages._maker import LaterMaker
from rollcall.world.ages._skeleton import (
    BORN,
    MODEL,
    OBJECTS,
    RENAMED,
    RENAMED_ENTITY,
    RENAMED_STEP,
    STEP,
    SUBJECTS,
    StatementChange,
)


class History(msgspec.Struct, frozen=True):
    """What happened to the entities of one block."""

    rows: bytes
    pairs: dict[str, list[tuple[int, int]]]
    """The new pairs of (object, subject), by the key of their relation."""
    entities: int


def history(maker: LaterMaker, index: int) -> History:
    """What happened to the entities of one block in an age."""
    rows: list[Row] = []
    pairs: dict[str, list[tuple[int, int]]] = {}
    numbers = maker.numbers(index)
    for number in numbers:
        changes = maker.later_facts.changes(number)
        rows += _own_rows(maker, number)
        rows += [_row(maker, change) for change in changes]
        for change in changes:
            after = change.after
            if after is None or not isinstance(after.value, int) or not is_indexed(after.relation):
                continue
            if change.before is None or change.before.value != after.value:
                pairs.setdefault(after.relation.key, []).append((after.value, number))
    return History(batch(rows, Changes), pairs, len(numbers))


def _own_rows(maker: LaterMaker, number: int) -> list[Row]:
    """The coming of an entity, or its renaming."""
    id_ = maker.census.id(number)
    if number in maker.later.newcomers:
        guid = maker.facts.statement_id((number << 12) | CLASS_SLOT, number)
        class_id = maker.class_of(number, maker.census.kind(number))
        return [(maker.age, BORN, guid, id_, "P31", None, class_id, False, True)]
    former = maker.former(number)
    if former is None:
        return []
    return [
        (maker.age, RENAMED_ENTITY, None, id_, None, former.label, maker.names.of(number).label, None, None)
    ]


def _row(maker: LaterMaker, change: StatementChange) -> Row:
    texts = [
        None if fact is None else maker.articles.object_text(fact) for fact in (change.before, change.after)
    ]
    is_told = [fact is not None and fact.told for fact in (change.before, change.after)]
    fact = change.fact
    about = (maker.facts.id(fact), maker.census.id(fact.subject), fact.relation.id)
    return (maker.age, change.kind, *about, *texts, *is_told)


def put_index(maker: LaterMaker, parts: list[dict[str, list[tuple[int, int]]]]) -> None:
    """Write the new pairs of all indexed relations, sorted by object."""
    for relation in RELATIONS:
        if is_indexed(relation):
            pairs = sorted(pair for part in parts for pair in part.get(relation.key, ()))
            both = np.array(pairs, np.int32).reshape(-1, 2)
            maker.later.put(f"{OBJECTS} {relation.key}", both[:, 0].copy())
            maker.later.put(f"{SUBJECTS} {relation.key}", both[:, 1].copy())


# Draws what comes with a later age: newcomers and their models, deaths, and labels that nothing else
# has.

_DYING, _FROM_AGE = 0.2, 60
"""The share of people of so many years or more who die in an age."""
_RENAMED = 0.02
"""The share of people, bodies and places with a name of their own that get another in an age."""
_PARENTS = (20, 44)
_ATTEMPTS = 40


def draw_age(maker: LaterMaker) -> None:
    """Draw the columns of one later age."""
    maker.later.folder.mkdir(parents=True)
    models = _models(maker)
    maker.later.put(MODEL, np.array(models, np.int32))
    _extend(maker, models)
    used_hashes = {int(label) for label in maker.before.skeleton["taken"].tolist()}
    _name_newcomers(maker, used_hashes)
    _rename(maker, used_hashes)
    maker.later.put("taken", np.array(sorted(used_hashes), np.uint64))


def _models(maker: LaterMaker) -> list[int]:
    """The parent of every child, the earlier work of every work; -1 where there is none."""
    used: set[int] = set()
    models = []
    for number in maker.later.newcomers:
        kind = maker.census.kind(number)
        members = maker.census.range[kind.name]
        model = -1
        for attempt in range(_ATTEMPTS):
            drawn = word(key(maker.census.seed, f"model {maker.age} {attempt}"), number) % len(members)
            candidate = members.start + drawn
            if candidate not in used and (kind.tier != "person" or _can_be_parent(maker, candidate)):
                model = candidate
                used.add(model)
                break
        models.append(model)
    return models


def _can_be_parent(maker: LaterMaker, number: int) -> bool:
    before, now = maker.before.skeleton, first_year(maker.age)
    low, high = _PARENTS
    return int(before["end"][number]) == NONE and low <= now - int(before["year"][number]) <= high


def _extend(maker: LaterMaker, models: list[int]) -> None:
    """The columns of the age before, longer by the newcomers, and with the deaths of this age."""
    before, later, seed = maker.before.skeleton, maker.later, maker.census.seed
    like = np.array(models, np.int64)
    earlier, numbers = np.maximum(like, 0), np.array(later.newcomers, np.int64)
    years = first_year(maker.age) + np.array(
        [word(key(seed, f"came {maker.age}"), number) % YEARS_AN_AGE for number in later.newcomers]
    )
    for name in ("country", "home"):
        column = before[name]
        inherited = np.where(like >= 0, column[earlier], -1).astype(column.dtype)
        later.put(name, np.concatenate([column, inherited]))
    later.put("year", np.concatenate([before["year"], years.astype(np.int16)]))
    later.put("end", np.concatenate([_ends(maker), np.full(len(numbers), NONE, np.int16)]))
    later.put("level", np.concatenate([before["level"], np.full(len(numbers), ALONE, np.uint8)]))
    later.put("redirect", np.concatenate([before["redirect"], np.zeros(len(numbers), np.bool_)]))


def _ends(maker: LaterMaker) -> NDArray[np.int16]:
    before, people, now = maker.before.skeleton, maker.census.people, first_year(maker.age)
    ends = np.array(before["end"], np.int16)
    numbers = np.arange(people.start, people.stop, dtype=np.int64)
    draws = shares(key(maker.census.seed, f"death {maker.age}"), numbers)
    old = now - np.asarray(before["year"], np.int64)[numbers] >= _FROM_AGE
    dying = (ends[numbers] == NONE) & old & (draws < _DYING)
    # Which half of the share decides the year, so that one draw is enough.
    ends[numbers[dying]] = (now + (draws[dying] < _DYING / 2)).astype(np.int16)
    return ends


def _name_newcomers(maker: LaterMaker, used_hashes: set[int]) -> None:
    steps = []
    for number in maker.later.newcomers:
        step = 0
        while step < STEPS and title_hash(maker.later_labels.first(number, step)) in used_hashes:
            step += 1
        used_hashes.add(title_hash(maker.later_labels.first(number, step)))
        steps.append(step)
    maker.later.put(STEP, np.array(steps, np.int8))


def _rename(maker: LaterMaker, used_hashes: set[int]) -> None:
    renamed, chosen = [], []
    for number in _candidates(maker):
        for step in range(STEPS):
            label = title_hash(maker.later_labels.new(number, step))
            if label not in used_hashes:
                used_hashes.add(label)
                renamed.append(number)
                chosen.append(step)
                break
    maker.later.put(RENAMED, np.array(renamed, np.int32))
    maker.later.put(RENAMED_STEP, np.array(chosen, np.int8))


def _candidates(maker: LaterMaker) -> Iterator[int]:
    """Entities that may be renamed: their title is their label, which no other entity has; once at most."""
    titles, level = maker.before.titles, maker.before.skeleton["level"]
    for kind in sorted(RENAMED_KINDS, key=lambda name: maker.census.range[name].start):
        members = maker.census.range[kind]
        numbers = np.arange(members.start, members.stop, dtype=np.int64)
        # An entity has one draw for all ages: each age renames another part of them.
        draws = shares(key(maker.census.seed, "renaming"), numbers)
        low = _RENAMED * (maker.age - 2)
        for number in numbers[(draws >= low) & (draws < low + _RENAMED)].tolist():
            if int(level[number]) == ALONE and not titles.homonyms(number):
                yield number
