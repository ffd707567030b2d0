"""The lines of a block, with their numbers."""

from collections.abc import Iterator

from rollcall.input_files.tally import Tally


def lines_of(block: bytes, tally: Tally) -> Iterator[tuple[int, bytes]]:
    """The lines of a block with their numbers from 1; afterwards they are counted in the tally."""
    lines = block.split(b"\n")
    if not lines[-1]:
        lines.pop()
    yield from enumerate(lines, 1)
    tally.lines += len(lines)
