"""The folder of a piece is complete or absent, also when two processes write it at once."""

from pathlib import Path

import pytest

from rollcall.input_files import Tally
from rollcall.input_files.file_source import finish_piece, finished_piece, replacing_piece


def write(folder: Path, content: str, source: str = "hash") -> None:
    folder.mkdir()
    (folder / "facts-0.parquet").write_text(content)
    finish_piece(folder, source, Tally(lines=len(content)))


def test_a_piece_that_another_process_finished_meanwhile_stays(tmp_path: Path) -> None:
    """A reader may have opened its files, so the second writer must not move them."""
    piece = tmp_path / "0000" / "000"
    with replacing_piece(piece) as one, replacing_piece(piece) as two:
        write(one, "rows")
        write(two, "rows")
    place = (piece / "facts-0.parquet").stat().st_ino
    with replacing_piece(piece) as late:
        write(late, "rows")
    assert (piece / "facts-0.parquet").stat().st_ino == place
    assert finished_piece(piece, "hash", Tally) == Tally(lines=4)
    assert [left.name for left in piece.parent.iterdir()] == ["000"]


@pytest.mark.parametrize("damage", [True, False], ids=["damaged", "of other content"])
def test_a_piece_that_cannot_be_used_is_replaced(damage: bool, tmp_path: Path) -> None:
    piece = tmp_path / "0000" / "000"
    with replacing_piece(piece) as folder:
        write(folder, "rows", "hash" if damage else "other hash")
    if damage:
        (piece / "facts-0.parquet").write_text("rosw")
    with replacing_piece(piece) as folder:
        write(folder, "rows")
    assert (piece / "facts-0.parquet").read_text() == "rows"
    assert finished_piece(piece, "hash", Tally) == Tally(lines=4)
    assert [left.name for left in piece.parent.iterdir()] == ["000"]


def test_a_piece_that_failed_leaves_nothing(tmp_path: Path) -> None:
    piece = tmp_path / "0000" / "000"
    with pytest.raises(ZeroDivisionError), replacing_piece(piece) as folder:
        write(folder, "rows")
        raise ZeroDivisionError
    assert list(piece.parent.iterdir()) == []
