"""How a Wikidata dump of today has a statement that a graph no longer has: ended, deprecated, or not at all.

A graph keeps neither ended nor deprecated statements, so only the dump tells which of the two it was. The
lines of other items are passed over without being read.
"""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from rollcall.audit.drift.changes import DEPRECATED, ENDED, GONE, REMOVED, AnswerChange
from rollcall.audit.drift.texts import fact_of
from rollcall.errors import RollcallError
from rollcall.files import open_compressed
from rollcall.graph.ingest.wikidata_values import quantity_row, time_row
from rollcall.nesting import UNREADABLE
from rollcall.query.parse import parse_statement
from rollcall.query.statements import Edge

_ID = b'"id":"'
_HEAD = 200
"""An item's line says its id within so many bytes."""
_END_TIME = "P582"


class Withdrawn:
    """The statements of some items in a dump, each with what became of it."""

    def __init__(self, dump: Path, items: Collection[str]):
        self._states: dict[tuple[str, str, str], str] = {}
        for record in _records(dump, items):
            for relation, statements in _claims(record):
                for statement in statements:
                    value = _value(statement)
                    if value is not None:
                        self._states[record["id"], relation, value] = _state(statement)

    def state(self, subject: str, relation: str, object_: str) -> str:
        """What became of a statement that a graph no longer has: ended, deprecated, removed, or `gone` if the
        dump has it as before, as where another value is preferred now."""
        return self._states.get((subject, relation, object_), REMOVED)


def _records(dump: Path, items: Collection[str]) -> Iterator[dict[str, Any]]:
    wanted = {item.encode() for item in items}
    with open_compressed(dump) as stream:
        for number, line in enumerate(stream, 1):
            _, _, after = line[:_HEAD].replace(b'": "', b'":"').partition(_ID)
            if after.partition(b'"')[0] not in wanted:
                continue
            try:
                yield msgspec.json.decode(line.strip().rstrip(b","), type=dict[str, Any])
            except UNREADABLE as error:
                raise RollcallError(f"{dump}:{number}: is not the line of an item ({error})") from error


def _claims(record: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    claims = record.get("claims")
    yield from (claims.items() if isinstance(claims, dict) else ())


def _value(statement: dict[str, Any]) -> str | None:
    """The object of a statement: an item, a date or a quantity; None for other values."""
    data = statement.get("mainsnak", {}).get("datavalue", {})
    value = data.get("value")
    if not isinstance(value, dict):
        return None
    if data.get("type") == "time":
        row = time_row(str(value.get("time")), int(value.get("precision", 0)))
    elif data.get("type") == "quantity":
        row = quantity_row(str(value.get("amount")), str(value.get("unit", "1")))
    else:
        return value.get("id")
    return None if isinstance(row, str) else row[0]


def _state(statement: dict[str, Any]) -> str:
    if statement.get("rank") == "deprecated":
        return DEPRECATED
    ends = statement.get("qualifiers", {})
    ends = ends.get(_END_TIME, ()) if isinstance(ends, dict) else ()
    return ENDED if any(snak.get("snaktype") != "novalue" for snak in ends) else GONE


def name_withdrawals(changes: Sequence[AnswerChange], dump: Path) -> None:
    """Say of every statement that is gone what the dump says became of it."""
    gone = {
        cause.fact: edge
        for change in changes
        for cause in change.causes
        if cause.kind == GONE and (edge := _parts(cause.fact)) is not None
    }
    if not gone:
        return
    states = Withdrawn(dump, {subject for subject, _, _ in gone.values()})
    for change in changes:
        change.causes = [
            msgspec.structs.replace(cause, kind=states.state(*gone[cause.fact]))
            if cause.kind == GONE and cause.fact in gone
            else cause
            for cause in change.causes
        ]


def _parts(fact: str) -> tuple[str, str, str] | None:
    """The subject, relation and object of a fact; None for the class of an entity."""
    edge = parse_statement(fact)
    return fact_of(edge)[:3] if isinstance(edge, Edge) else None
