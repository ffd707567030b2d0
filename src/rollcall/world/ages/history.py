"""What happened in a later age, block by block: the rows of the table `changes`, and pairs for an index."""

from dataclasses import dataclass

import numpy as np

from rollcall.tables.world import Changes
from rollcall.world import truth
from rollcall.world.ages.change import BORN, RENAMED, Change
from rollcall.world.ages.maker import LaterMaker
from rollcall.world.ages.skeleton import OBJECTS, SUBJECTS
from rollcall.world.facts import CLASS_PLACE
from rollcall.world.relations import RELATIONS
from rollcall.world.skeleton import is_indexed


@dataclass(frozen=True)
class History:
    """What happened to the entities of one block."""

    rows: bytes
    pairs: dict[str, list[tuple[int, int]]]
    """The new pairs of (object, subject), by the key of their relation."""
    entities: int


def history(maker: LaterMaker, index: int) -> History:
    """What happened to the entities of one block in an age."""
    rows: list[truth.Row] = []
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
    return History(truth.batch(rows, Changes), pairs, len(numbers))


def _own_rows(maker: LaterMaker, number: int) -> list[truth.Row]:
    """The coming of an entity, or its renaming."""
    id_ = maker.census.id(number)
    if number in maker.later.newcomers:
        guid = maker.facts.statement_id((number << 12) | CLASS_PLACE, number)
        class_id = maker.class_of(number, maker.census.kind(number))
        return [(maker.age, BORN, guid, id_, "P31", None, class_id, False, True)]
    former = maker.former(number)
    if former is None:
        return []
    return [(maker.age, RENAMED, None, id_, None, former.label, maker.names.of(number).label, None, None)]


def _row(maker: LaterMaker, change: Change) -> truth.Row:
    texts = [
        None if fact is None else maker.articles.object_text(fact) for fact in (change.before, change.after)
    ]
    told = [fact is not None and fact.told for fact in (change.before, change.after)]
    fact = change.fact
    about = (maker.facts.id(fact), maker.census.id(fact.subject), fact.relation.id)
    return (maker.age, change.kind, *about, *texts, *told)


def put_index(maker: LaterMaker, found: list[dict[str, list[tuple[int, int]]]]) -> None:
    """Write the new pairs of all indexed relations, sorted by object."""
    for relation in RELATIONS:
        if is_indexed(relation):
            pairs = sorted(pair for part in found for pair in part.get(relation.key, ()))
            both = np.array(pairs, np.int32).reshape(-1, 2)
            maker.later.put(f"{OBJECTS} {relation.key}", both[:, 0].copy())
            maker.later.put(f"{SUBJECTS} {relation.key}", both[:, 1].copy())
