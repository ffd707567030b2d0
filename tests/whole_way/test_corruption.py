"""Every command of the table with one flipped bit in each folder it reads; more of it is for `make fuzz`."""

import pytest

import damage

FREE = ("world", "documents")
"""Inputs that are anybody's files: what is bad in them is counted."""
QUICK = [name for name, row in damage.ROWS.items() if set(row.reads) - {*FREE} and not row.slow]


def largest(folder: str) -> str:
    """The largest file of an input, where a flipped bit most likely falls."""
    files = damage.files_in(damage.inputs() / folder)
    return max(files, key=lambda file: (damage.inputs() / file).stat().st_size)


@pytest.mark.parametrize("name", QUICK)
def test_a_flipped_bit_is_found_or_does_no_harm(name: str) -> None:
    for folder in damage.ROWS[name].reads:
        if folder not in FREE:
            damage.check_input(name, largest(folder), damage.Damage("flip", 0.4, 5))
