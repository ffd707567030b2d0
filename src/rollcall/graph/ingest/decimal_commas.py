"""Whether the numbers of a table have decimal commas, as most of Europe writes them: 1.234,5 is then 1234.5.

A cell alone does not show what 1,234 is. Cells that can be read in one way only decide for their column, and
columns that are decided for the others of the same file. The summary says what was decided, and what could
not be.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from rollcall.graph.ingest.cells import Reading, readings

Marks: TypeAlias = Mapping[str, Sequence[int]]
"""How many cells of each relation have each reading, in the order of `Reading`."""
_MOST = 9
"""So many cells with decimal commas outweigh one that contradicts them."""
_SHOWN = 12


def count_reading(text: str, marks: dict[str, list[int]], relation: str) -> None:
    """Count a cell among those of its relation, which is known from then on, whatever the cell is."""
    counts = marks.setdefault(relation, [0] * len(Reading))
    if (found := readings(text)) is not None:
        counts[found] += 1


def comma_relations(marks: Marks, decimal: str) -> frozenset[str]:
    """The relations of a file whose numbers have decimal commas; `decimal` is what the user says of it."""
    if decimal != "auto":
        return frozenset(marks if decimal == "comma" else ())
    decided = frozenset(relation for relation, counts in marks.items() if _has_commas(counts))
    if not decided or any(map(_has_points, marks.values())):
        return decided
    return decided | {relation for relation, counts in marks.items() if _is_open(counts)}


def comma_remark(marks: Marks, decimal: str) -> str:
    """What was decided about a file, and what could not be; empty if there was no question."""
    if decimal != "auto":
        return ""
    commas, told = comma_relations(marks, decimal), list[str]()
    others = {relation: counts for relation, counts in marks.items() if relation not in commas}
    if commas:
        told.append(
            f"read decimal commas in {_names(commas)} (1.234,5 is 1234.5); --option decimal=point says "
            "otherwise"
        )
    mixed = [relation for relation, counts in others.items() if counts[Reading.COMMA]]
    if mixed:
        told.append(
            f"left 1,2 as a text in {_names(mixed)}, where other numbers are written otherwise; --option "
            "decimal=comma reads it as 1.2"
        )
    if commas or mixed or not any(map(_has_points, marks.values())):
        for reading, taken, instead in (
            (Reading.COMMA_OR_THOUSANDS, "1,234 for 1234", "1.234"),
            (Reading.POINT_OR_THOUSANDS, "1.234 for a decimal number", "1234"),
        ):
            open_ = [name for name, counts in others.items() if counts[reading] and _is_open(counts)]
            if open_:
                told.append(f"took {taken} in {_names(open_)}; --option decimal=comma takes it for {instead}")
    return "; ".join(told)


def _has_commas(counts: Sequence[int]) -> bool:
    against = counts[Reading.POINT] + counts[Reading.LIST]
    commas = counts[Reading.COMMA]
    return commas > 0 and commas >= _MOST * against and _MOST * commas >= counts[Reading.COMMA_OR_THOUSANDS]


def _has_points(counts: Sequence[int]) -> bool:
    return counts[Reading.POINT] > counts[Reading.COMMA]


def _is_open(counts: Sequence[int]) -> bool:
    """Whether numbers may be read in two ways, and nothing in their column says in which."""
    either = counts[Reading.COMMA_OR_THOUSANDS] + counts[Reading.POINT_OR_THOUSANDS]
    return either > 0 and not counts[Reading.POINT] and not counts[Reading.LIST]


def _names(relations: Iterable[str]) -> str:
    names = sorted(relations)
    return ", ".join(name[:40] for name in names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
