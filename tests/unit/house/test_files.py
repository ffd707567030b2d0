"""Reading any compression, and never leaving a half-written file."""

import bz2
import gzip
import os
import pickle
import signal
import subprocess
import sys

import pytest
import zstandard

from rollcall import RollcallError
from rollcall._core.files import open_compressed, replacing

TEXT = b"one line\nand another\n" * 500


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress), (".zst", zstandard.compress)],
)
def test_every_compression_is_read_also_in_several_members(tmp_path, suffix, compress):
    path = tmp_path / f"file.txt{suffix}"
    path.write_bytes(compress(TEXT) + compress(TEXT))
    with open_compressed(path) as stream:
        assert stream.read() == TEXT + TEXT


def test_a_missing_file_and_a_folder_are_explained(tmp_path):
    with pytest.raises(RollcallError, match="no such file"):
        open_compressed(tmp_path / "none.gz")
    with pytest.raises(RollcallError, match="is a folder"):
        open_compressed(tmp_path)


def test_a_file_takes_its_place_only_when_it_is_whole(tmp_path):
    place = tmp_path / "out"
    with replacing(place) as partial:
        partial.write_text("first")
        assert not place.exists()
    assert place.read_text() == "first"
    with pytest.raises(ZeroDivisionError), replacing(place) as partial:
        partial.write_text("second")
        _ = 1 / 0
    assert place.read_text() == "first"
    assert os.listdir(tmp_path) == ["out"]


def test_a_killed_writer_leaves_the_old_file_and_the_next_one_cleans_up(tmp_path):
    place = tmp_path / "out"
    place.write_text("old")
    program = (
        "import sys; from pathlib import Path; from rollcall._core.files import replacing\n"
        "with replacing(Path(sys.argv[1])) as partial:\n"
        "    partial.write_text('half'); print('written', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout.readline() == b"written\n"
        writer.send_signal(signal.SIGKILL)
    assert place.read_text() == "old"
    with replacing(place) as partial:
        partial.write_text("new")
    assert place.read_text() == "new"
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize(
    ("suffix", "compress"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".zst", zstandard.compress)]
)
def test_a_truncated_or_damaged_file_does_not_pass_for_a_whole_one(tmp_path, suffix, compress):
    path = tmp_path / f"file.txt{suffix}"
    text = b"".join(b"%d squared is %d\n" % (n, n * n) for n in range(200_000))
    whole = compress(text)
    for content, problem in [
        (whole[:-3], "cut off"),
        (whole + whole[: len(whole) // 2], "cut off"),
        (whole[: len(whole) // 2] + b"damage" * 9 + whole[len(whole) // 2 :], "damaged"),
        (whole + b"rubbish at the end, which is no member of anything", "damaged"),
    ]:
        path.write_bytes(content)
        read = b""
        with open_compressed(path) as stream, pytest.raises(RollcallError, match=problem) as caught:
            while chunk := stream.read1(1 << 20):
                read += chunk
        assert len(read) > len(text) // 4, "what came before the break is given"
        assert (text + text).startswith(read) or problem == "damaged"
        assert str(caught.value).startswith(f"{path}: the compressed file is ")
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value), "as workers hand it over"
    path.write_bytes(whole + bytes(1000) + whole)
    with open_compressed(path) as stream:
        assert stream.read() == text + text, "zeros between members are padding"
