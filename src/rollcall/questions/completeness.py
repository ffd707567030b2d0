"""How complete the gold answers of a set are: one figure, and figures for kinds and relations.

Completeness is the number of gold answers of a group of questions, divided by the number of all their right
answers. It is a share of answers, not a mean of the questions' shares. A file has one JSON object: this
record, or only a number for each kind.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import msgspec

from rollcall.errors import RollcallError
from rollcall.files import open_compressed, replacing
from rollcall.nesting import UNREADABLE, why

COMPLETENESS = "completeness.json"
"""The name of the file in the folder of an audit."""
KIND = "kind"


class Completeness(msgspec.Struct, omit_defaults=True):
    """The share of all right answers that the gold has, with the interval of its estimate."""

    estimate: float | None = None
    """Of all questions; None if only the figures of kinds are known."""
    low: float | None = None
    """The lower end of its interval; None if the estimate counts as exact."""
    high: float | None = None
    method: str = ""
    """How it was estimated, such as `chapman`; empty if it was only given."""
    questions: int = 0
    """The number of questions that it was estimated from."""
    by: "dict[str, dict[str, Completeness]]" = {}
    """The same for groups of questions: by `kind` and by `relation`, each a table by name."""

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest completeness that is considered possible."""
        if self.estimate is None:
            raise RollcallError("the completeness of all questions is not known, only that of some kinds")
        low = self.estimate if self.low is None else self.low
        high = self.estimate if self.high is None else self.high
        return low, high

    def of_kind(self, kind: str | None) -> "Completeness":
        """The completeness of a kind; that of all questions if the kind has no figure of its own."""
        return self.by.get(KIND, {}).get(kind or "", self)

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Read a file: this record, a number, or a number for each kind."""
        path = Path(path)
        with open_compressed(path) as stream:
            data = stream.read()
        try:
            content = msgspec.json.decode(data)
        except UNREADABLE as error:
            raise RollcallError(f"{path}: is no JSON ({why(error)})") from error
        try:
            return cls.of(content)
        except RollcallError as error:
            raise RollcallError(f"{path}: {error}") from None

    @classmethod
    def of(cls, given: object) -> Self:
        """A checked completeness from a record, a number, or a mapping from kinds to numbers or records."""
        try:
            if isinstance(given, Completeness):
                made = msgspec.convert(msgspec.to_builtins(given), cls)
            else:
                record = _record(given) if isinstance(given, Mapping) else {"estimate": given}
                made = msgspec.convert(record, cls)
        except msgspec.ValidationError as error:
            raise RollcallError(
                f"completeness: give a share, such as 0.88, or one for each kind ({why(error)})"
            ) from None
        _check(made, "completeness")
        return made

    def save(self, path: Path | str) -> None:
        """Write it as one JSON file."""
        text = msgspec.json.format(msgspec.json.encode(self), indent=1)
        with replacing(Path(path)) as partial:
            partial.write_bytes(text + b"\n")


def _record(given: Mapping[Any, object]) -> dict[str, object]:
    """A mapping in the record's form; one without the record's keys leads from kinds to figures."""
    if {"estimate", "by"} & given.keys():
        return dict(given)
    return {
        "by": {
            KIND: {
                str(kind): dict(one) if isinstance(one, Mapping) else {"estimate": one}
                for kind, one in given.items()
            }
        }
    }


def _check(one: Completeness, where: str) -> None:
    if one.estimate is None:
        if not one.by.get(KIND):
            raise RollcallError(f"{where}: give a share, such as 0.88, or one for each kind")
    else:
        low, high = one.ends
        if not 0 < low <= one.estimate <= high <= 1:
            within = "" if low == high else f" in [{low!r:.40}, {high!r:.40}], between which it must lie"
            raise RollcallError(
                f"{where}: give a share above 0 and at most 1, such as 0.88; not {one.estimate!r:.40}{within}"
            )
    for name, groups in one.by.items():
        for key, group in groups.items():
            _check(group, f"{where} of {name} {key!r:.80}")
