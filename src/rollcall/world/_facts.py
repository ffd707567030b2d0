"""The facts of one entity: every statement with its value, rank, years, id, and whether articles state it.

Everything is computed from the entity's number, so that a list page or the page of an object has the same
statement, with the same id and the same choices, as the subject's own page.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from rollcall.tables.graph import Truth
from rollcall.tables.table import DeclaredTable, schema
from rollcall.world._chance import key, share, word
from rollcall.world._drawing import office_years_of
from rollcall.world._skeleton import NONE, NOW, Skeleton
from rollcall.world._sources import Literal, ValueSources
from rollcall.world._vocabulary import CONCEPT_NUMBERS, OF_KIND, PROFESSIONS, RELATIONS, EntityKind, Relation

_CONVERSE = {
    ("human", "P22"): "P40",
    ("human", "P25"): "P40",
    ("human", "P26"): "P26",
    ("human", "P3373"): "P3373",
    ("song", "P361"): "P658",
    ("album", "P658"): "P361",
    ("human", "P463"): "P527",
    ("musical group", "P527"): "P463",
    ("river", "P403"): "P974",
    ("river", "P974"): "P403",
    ("business", "P355"): "P127",
    ("sports team", "P286"): "P6087",
    ("human", "P6087"): "P286",
}
"""Relations that state the same fact from the other side: an article that states one states both."""
_OWNED = ("business", "studio", "record label", "publisher", "broadcaster")
PAIRED = {id_ for _, id_ in _CONVERSE} | {"P40", "P127"}
"""Properties with a converse: the pages of both ends state them, each with its own wording."""

CLASS_SLOT = 4095
"""The position of P31 among the statements of an entity."""


class WorldFact(msgspec.Struct, eq=False):
    """One statement about a subject."""

    statement: int
    """A number that is unique among all statements."""
    subject: int
    relation: Relation
    slot: int
    value: int | Literal
    """The number of an entity, or a literal."""
    told: bool
    rank: str = "normal"
    start: int = NONE
    end: int = NONE
    point: int = NONE
    elsewhere: bool = False
    """Whether only the object's page states it."""
    known_id: str = ""
    """The statement's id, if it has been computed."""


class WorldFacts:
    """Finds the facts of any entity of one world."""

    def __init__(self, skeleton: Skeleton, untold: float, unknown: float = 0.0, unlisted: float = 0.0):
        self.skeleton, self.census, self.untold = skeleton, skeleton.census, untold
        self.unknown, self.unlisted = unknown, unlisted
        self.families = skeleton.families
        seed = self.seed = skeleton.census.seed
        self._told, self._elsewhere = key(seed, "told"), key(seed, "elsewhere")
        self._known, self._listed = key(seed, "known"), key(seed, "listed")
        self._ids, self._years = key(seed, "statement"), key(seed, "terms")
        self.sources = ValueSources(skeleton)
        self._numbers = {relation.key: number for number, relation in enumerate(RELATIONS)}
        self._of_profession = [
            [
                relation
                for relation in OF_KIND["human"]
                if not relation.professions or profession.name in relation.professions
            ]
            for profession in PROFESSIONS
        ]

    def of(self, number: int) -> list[WorldFact]:
        """Every fact with the entity as subject, except its class."""
        kind = self.census.kind(number)
        return [fact for relation in self.relations(number) for fact in self.about(number, kind, relation)]

    def relations(self, number: int) -> Sequence[Relation]:
        """The relations that an entity may have."""
        kind = self.census.kind(number)
        if kind.tier == "person":
            return self._of_profession[self.census.profession(number)]
        return OF_KIND[kind.name]

    def about(self, number: int, kind: EntityKind, relation: Relation) -> list[WorldFact]:
        """The facts of one relation."""
        values = self.sources.values(number, kind, relation)
        if relation.source == "subsidiaries":
            values = [
                other for other in values if isinstance(other, int) and self._still_owned(other, number)
            ]
        if len(values) > relation.most > 1:
            values = values[: relation.most]
        return [
            self.fact(number, kind, relation, slot, value, len(values)) for slot, value in enumerate(values)
        ]

    def fact(
        self,
        number: int,
        kind: EntityKind,
        relation: Relation,
        slot: int,
        value: int | Literal,
        count: int = 1,
    ) -> WorldFact:
        statement = self.statement_number(number, relation, slot)
        told = (
            bool(relation.text)
            and share(self._told, _fate(statement, number, relation, value)) >= self.untold
        )
        fact = WorldFact(statement, number, relation, slot, value, told)
        if relation.source == "population":
            fact.point = NOW - 3 - 10 * slot
            fact.rank = "preferred" if slot == 0 and count > 1 else "normal"
        elif relation.ends:
            self._set_years(fact, kind, statement, count)
        back = told and relation.told_back and relation.id not in PAIRED
        if back and isinstance(value, int) and word(self._elsewhere, statement) % 8 == 0:
            fact.elsewhere = self.skeleton.degree(relation, value) <= 8
        return fact

    def is_known(self, fact: WorldFact) -> bool:
        """Whether the dump has the statement; a fact and its converse share one fate."""
        fate = _fate(fact.statement, fact.subject, fact.relation, fact.value)
        return share(self._known, fate) >= self.unknown

    def is_listed(self, fact: WorldFact) -> bool:
        """Whether a list that the fact belongs on has a row for it."""
        return share(self._listed, fact.statement) >= self.unlisted

    def statement_number(self, number: int, relation: Relation, slot: int) -> int:
        """The number of a statement among all statements."""
        return number << 12 | self._numbers[relation.key] << 4 | slot

    def converse(self, fact: WorldFact) -> WorldFact | None:
        """The converse statement, with the object as its subject, if there is one."""
        value = fact.value
        if fact.relation.id not in PAIRED or not isinstance(value, int):
            return None
        subject_kind, object_kind = self.census.kind(fact.subject), self.census.kind(value)
        id_ = _CONVERSE.get((subject_kind.name, fact.relation.id))
        if fact.relation.id == "P40":
            id_ = "P25" if self.families.female(fact.subject) else "P22"
        elif fact.relation.id == "P127" and subject_kind.name in _OWNED:
            id_ = "P355"
        for relation in OF_KIND[object_kind.name] if id_ else ():
            if relation.id == id_:
                for other in self.about(value, object_kind, relation):
                    if other.value == fact.subject:
                        return other
        return None

    def id(self, fact: WorldFact) -> str:
        """The id of a statement, as in the dump."""
        if not fact.known_id:
            fact.known_id = self.statement_id(fact.statement, fact.subject)
        return fact.known_id

    def statement_id(self, statement: int, number: int) -> str:
        """The id of the statement with this number among all statements."""
        first = word(self._ids, statement)
        bits = f"{first:016X}{first * 0xD6E8FEB86659FD93 & 0xFFFFFFFFFFFFFFFF:016X}"
        return f"{self.census.id(number)}${bits[:8]}-{bits[8:12]}-4{bits[13:16]}-A{bits[17:20]}-{bits[20:]}"

    def _set_years(self, fact: WorldFact, kind: EntityKind, statement: int, count: int) -> None:
        """Give a statement its years, within the lifetimes of its subject and its object."""
        relation, number = fact.relation, fact.subject
        begin, last = int(self.skeleton["year"][number]), int(self.skeleton["end"][number])
        if relation.source == "leaders":
            fact.start, end = office_years_of(self.seed, number, fact.slot)
            fact.end = end if end < NOW else NONE
            return
        if relation.source == "spouse":
            assert isinstance(fact.value, int)
            statement = self.families.marriage(number)
            begin = max(begin, int(self.skeleton["year"][fact.value]))
        bits = word(self._years, statement)
        if relation.source in ("members", "coached"):
            self._copy_years(fact, self.sources.inverse[relation.source])
            return
        offset = 20 if relation.source == "spouse" else max(relation.after, 1)
        fact.start = begin + offset + 5 * fact.slot + bits % 4
        length = 2 + (bits >> 8) % (12 if kind.tier != "person" else 8)
        limit = min(
            last if last != NONE else NOW - 1,
            self._last(fact.value) if isinstance(fact.value, int) else NOW - 1,
        )
        closed = fact.slot < count - 1 and relation.id not in ("P3320",)
        gone = limit < NOW - 1 and relation.source != "spouse"
        old = relation.professions and fact.start < NOW - 24
        if closed or gone or old or (bits >> 20) % 100 < relation.ends * 100:
            fact.end = max(fact.start, min(fact.start + length, limit))
        if fact.start > limit:
            fact.start = limit
            fact.end = max(fact.end, fact.start) if fact.end != NONE else NONE

    def _last(self, number: int) -> int:
        if number >= CONCEPT_NUMBERS:
            return NOW - 1
        last = int(self.skeleton["end"][number])
        return last if last != NONE else NOW - 1

    def _copy_years(self, fact: WorldFact, relation: Relation) -> None:
        """Copy the years of the statement that this one is derived from."""
        other_subject = fact.value
        assert isinstance(other_subject, int)
        for other in self.about(other_subject, self.census.kind(other_subject), relation):
            if other.value == fact.subject:
                fact.start, fact.end = other.start, other.end

    def _still_owned(self, other: int, owner: int) -> bool:
        facts = self.about(other, self.census.kind(other), self.sources.inverse["subsidiaries"])
        return any(fact.value == owner and fact.end == NONE for fact in facts)


def _fate(statement: int, number: int, relation: Relation, value: int | Literal) -> int:
    """The number whose draws decide what becomes of a fact: that of the statement, or of both ends if the
    converse states the same.
    """
    if relation.id in PAIRED and isinstance(value, int):
        return max(number, value) << 34 | min(number, value) << 4
    return statement


# Rows about facts, for the truth table and the table of changes. Workers send them as Arrow batches, so that
# the main process only appends row groups.

Row = tuple[Any, ...]


def batch(rows: list[Row], table: type[DeclaredTable] = Truth) -> bytes:
    """Rows as the bytes of one Arrow stream."""
    declared = schema(table)
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(declared)
    arrays = [_array(column, field.type) for column, field in zip(columns, declared, strict=True)]
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, declared) as stream:
        stream.write_batch(pa.record_batch(arrays, schema=declared))
    return bytes(sink.getvalue())


def _array(values: tuple[Any, ...], kind: pa.DataType) -> "pa.Array[Any]":
    """An Arrow array from Python values; `pa.array` would first load pandas, which takes a second."""
    if kind == pa.string():
        builder = pa.lib.StringBuilder()
        builder.append_values(values)
        return builder.finish()
    present = _bits([value is not None for value in values])
    if kind == pa.bool_():
        data = _bits([bool(value) for value in values])
    else:
        data = pa.py_buffer(np.array([value or 0 for value in values], np.int32).tobytes())
    return pa.Array.from_buffers(kind, len(values), [present, data])


def _bits(flags: list[bool]) -> pa.Buffer:
    return pa.py_buffer(np.packbits(np.array(flags, np.bool_), bitorder="little").tobytes())


def read_batch(data: bytes) -> pa.RecordBatch:
    return pa.ipc.open_stream(data).read_next_batch()
