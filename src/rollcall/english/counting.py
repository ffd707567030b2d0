"""Numbers with their nouns, as messages have them: `1 page`, `2,000 pages`."""

from collections.abc import Mapping

from rollcall.english.nouns import singular


def counted(number: int, one: str, several: str | None = None) -> str:
    """A number with its noun."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def counted_kinds(counts: Mapping[str, int], separator: str = ", ") -> str:
    """Numbers with what they count; a kind may begin with a noun in the plural: `1 file of other kinds`."""
    return separator.join(
        f"{number:,} {kind if number != 1 else _of_one(kind)}" for kind, number in counts.items()
    )


def _of_one(kind: str) -> str:
    noun, space, rest = kind.partition(" ")
    return f"{singular(noun)}{space}{rest}"
