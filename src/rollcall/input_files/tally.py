"""What reading found: entries, things left out on purpose, and bad entries with their place.

One bad entry never stops a run. A share of bad entries above the limit does, because the source is then most
likely not of the assumed format.
"""

from collections import Counter

import msgspec

from rollcall.errors import RollcallError
from rollcall.nesting import UNREADABLE, why

KEPT_EXAMPLES = 20
FEWEST_BAD = 10
"""This many bad entries are always accepted, whatever their share, since small files may have a few."""


NOT_UTF8 = "not UTF-8; if the whole file is in another encoding, --encoding latin-1 (or cp1252, …) reads it"


def explain(error: Exception) -> str:
    """Why an entry is bad: an expected error by its message, any other by its type and message.

    A lack of memory is no mistake of the entry, and is raised again.
    """
    if isinstance(error, MemoryError):
        raise error
    if isinstance(error, UnicodeDecodeError):
        return NOT_UTF8
    if isinstance(error, (RollcallError, *UNREADABLE)):
        return why(error)
    return f"{type(error).__name__}: {error}"


class BadEntry(msgspec.Struct, frozen=True):
    """Where a bad entry is (its line in the decompressed file, from 1) and what is wrong with it."""

    line: int
    kind: str
    reason: str
    source: str = ""

    def __str__(self) -> str:
        place = f"{self.source}:{self.line}" if self.line else self.source
        return f"{place}: {self.kind}: {self.reason}"


class Tally(msgspec.Struct):
    """Counts of one block, or of all blocks of a source added up."""

    lines: int = 0
    entries: int = 0
    bad: dict[str, int] = {}
    skipped: dict[str, int] = {}
    examples: list[BadEntry] = []
    bare_integers: dict[str, list[int]] = {}
    """For each relation of free-text cells: how many are bare integers, and how many look like years."""
    decimal_marks: dict[str, list[int]] = {}
    """For each relation of free-text cells that may have decimal commas: how many cells show what."""

    nested: dict[str, list[int]] = {}
    """For each key of rows: how many objects under it could not be read, and the line of the first."""

    def add_bad(self, line: int, kind: str, reason: str) -> None:
        self.bad[kind] = self.bad.get(kind, 0) + 1
        if len(self.examples) < KEPT_EXAMPLES:
            self.examples.append(BadEntry(line, kind, " ".join(reason.split())[:200]))

    def skip(self, kind: str, amount: int = 1) -> None:
        self.skipped[kind] = self.skipped.get(kind, 0) + amount

    def add_nested(self, line: int, key: str) -> None:
        self.nested.setdefault(key, [0, line])[0] += 1

    @property
    def bad_total(self) -> int:
        return sum(self.bad.values())

    def add(self, block: "Tally", source: str = "") -> None:
        """Add the tally of the next block of a source; its line numbers continue those already counted."""
        for example in block.examples[: KEPT_EXAMPLES - len(self.examples)]:
            line = example.line + self.lines if example.line else 0
            self.examples.append(msgspec.structs.replace(example, line=line, source=example.source or source))
        for key, (count, line) in block.nested.items():
            before, first = self.nested.get(key, (0, line + self.lines))
            self.nested[key] = [before + count, first]
        self.lines += block.lines
        self.entries += block.entries
        self.bad = dict(Counter(self.bad) + Counter(block.bad))
        self.skipped = dict(Counter(self.skipped) + Counter(block.skipped))
        for relation, (bare, years) in block.bare_integers.items():
            known = self.bare_integers.get(relation, [0, 0])
            self.bare_integers[relation] = [known[0] + bare, known[1] + years]
        for relation, counts in block.decimal_marks.items():
            known = self.decimal_marks.get(relation, [0] * len(counts))
            self.decimal_marks[relation] = [sum(both) for both in zip(known, counts, strict=True)]

    def check(self, source: str, max_bad: float) -> None:
        """Stop the run if too large a share of the entries is bad."""
        bad = self.bad_total
        accepted = FEWEST_BAD if max_bad else 0
        if bad <= accepted or bad <= max_bad * self.entries:
            return
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(self.bad.items()))
        first = f"; the first: {self.examples[0]}" if self.examples else ""
        raise RollcallError(
            f"{source}: {bad:,} of {self.entries:,} entries are bad ({kinds}), more than --max-bad "
            f"{max_bad:g} allows{first}; check the file, or raise --max-bad"
        )
