"""One flipped bit in every file of every kind of folder that commands read: some command refuses it."""

from functools import cache

import pytest

import damage

pytestmark = pytest.mark.slow
FOLDERS = ("graph", "corpus", "set")
FLIP = damage.Damage("flip", 0.4, 5)


@cache
def readers(folder: str) -> list[str]:
    """The commands that read a folder, quick ones first."""
    rows = [name for name, row in damage.ROWS.items() if folder in row.reads]
    return sorted(rows, key=lambda name: damage.ROWS[name].slow)


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_flipped_bit_in_any_file_is_noticed(folder: str) -> None:
    files = damage.files_in(damage.inputs() / folder)
    assert files
    assert [file for file in files if not noticed(folder, file)] == []


def noticed(folder: str, file: str) -> bool:
    """Whether a command that reads the folder refuses it, or warns, where this file is damaged."""
    for name in readers(folder):
        whole = damage.undamaged(name)
        found = damage.called(name, file, FLIP)
        if not damage.same(found, whole) or found.err != whole.err:
            damage.judge(found, whole, file)
            return True
    return False


@pytest.mark.parametrize("name", ["build-graphquestions", "retrieve", "run"])
def test_what_a_command_left_is_checked_before_it_is_used_again(name: str) -> None:
    kinds = {file.rpartition("/")[2]: file for file in damage.files_in(damage.finished(name))}
    assert kinds
    for file in kinds.values():  # one of each kind: stages write files of the same names
        damage.check_work(name, file, FLIP)
