"""Objects inside a row of JSON or Parquet: one with an id or a name is a link to an entity.

`{"maker": {"id": "Q1", "name": "Nordwerk"}}` says the same as `{"maker": "Q1"}` and a row that labels Q1.
What else an object may be is not guessed: it is left out, and the summary says where and what to do.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rollcall.english.counting import counted
from rollcall.graph.ingest.neo4j import names_of

_IDS = ("id", "@id", "_id", "$oid")
"""Keys of an id, as tables, JSON-LD and document databases have them."""
_SHOWN = 5


class Link(NamedTuple):
    """The entity that an object names."""

    id: str
    label: str | None
    others: int
    """How many further keys it has, which are not read."""


def link_of(content: Mapping[str, object]) -> Link | None:
    """The entity that an object names by an id, a name or both."""
    given = {key.strip().lower(): _scalar(value) for key, value in content.items()}
    id_ = next((given[key] for key in _IDS if given.get(key)), "")
    label = _scalar(names_of(content).label)
    if not id_ and not label:
        return None
    return Link(id_ or label, label or None, len(content) - bool(id_) - bool(label))


def _scalar(value: object) -> str:
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""


def nested_remark(nested: Mapping[str, Sequence[int]]) -> str:
    """What is said of objects that are no links, and of lists, by their keys; empty if there are none."""
    shown = sorted(nested.items())[:_SHOWN]
    told = ", ".join(
        f"{counted(count, 'value')} under {key[:40]} (the first in line {line})"
        for key, (count, line) in shown
    )
    if not told:
        return ""
    more = ", …" if len(nested) > _SHOWN else ""
    return (
        f"left out {told}{more}: objects without an id or a name, or lists where one text belongs; write "
        "what they hold under keys of the row itself"
    )
