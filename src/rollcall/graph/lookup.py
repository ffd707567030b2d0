"""From a name to the only thing that has it; otherwise an error with the candidates or similar names."""

import difflib
from collections.abc import Iterable, Sequence
from functools import cached_property

from rollcall.english.folding import fold
from rollcall.english.nouns import plural
from rollcall.errors import RollcallError

_SHOWN = 8


def choose(kind: str, name: str, candidates: Sequence[tuple[str, str]], near: Iterable[str]) -> str:
    """The only candidate's id; otherwise an error with the candidates (id, description) or similar names."""
    if len(candidates) == 1:
        return candidates[0][0]
    if candidates:
        shown = "; ".join(described for _, described in candidates[:_SHOWN])
        more = f"; and {len(candidates) - _SHOWN} more" if len(candidates) > _SHOWN else ""
        raise RollcallError(f"{name!r} names {len(candidates)} {plural(kind)}, use an id: {shown}{more}")
    hint = ", ".join(near)
    raise RollcallError(f"no {kind} is called {name!r}" + (f"; did you mean {hint}?" if hint else ""))


class Directory:
    """The relations or the classes of a graph, by id, by label and by alias."""

    def __init__(
        self, kind: str, ids: Sequence[str], labels: Sequence[str], aliases: Sequence[Sequence[str]] = ()
    ):
        self._kind = kind
        self._ids = ids
        self._labels = labels
        self._aliases = aliases

    def resolve(self, name: str) -> str:
        """The id of the only member with this id, label (exactly, or regardless of case) or alias."""
        if name in self._by_id:
            return name
        numbers = self._by_label.get(fold(name), [])
        numbers = [number for number in numbers if self._labels[number] == name] or numbers
        numbers = numbers or self._by_alias.get(fold(name), [])
        candidates = [
            (self._ids[number], f"{self._labels[number]} ({self._ids[number]})") for number in numbers
        ]
        return choose(self._kind, name, candidates, self._near(name) if not candidates else ())

    @cached_property
    def _by_id(self) -> set[str]:
        return set(self._ids)

    @cached_property
    def _by_label(self) -> dict[str, list[int]]:
        by_label: dict[str, list[int]] = {}
        for number, label in enumerate(self._labels):
            if label or self._ids[number]:
                by_label.setdefault(fold(label or self._ids[number]), []).append(number)
        return by_label

    @cached_property
    def _by_alias(self) -> dict[str, list[int]]:
        by_alias: dict[str, list[int]] = {}
        for number, aliases in enumerate(self._aliases):
            for folded in dict.fromkeys(map(fold, aliases)):
                by_alias.setdefault(folded, []).append(number)
        return by_alias

    def _near(self, name: str) -> list[str]:
        containing = sorted((known for known in self._by_label if fold(name) in known), key=len)[:3]
        alike = difflib.get_close_matches(fold(name), self._by_label, n=3, cutoff=0.6)
        near = dict.fromkeys([*containing, *alike])
        numbers = [number for folded in near for number in self._by_label[folded]]
        return [
            f"{self._labels[number] or self._ids[number]} ({self._ids[number]})" for number in numbers[:5]
        ]
