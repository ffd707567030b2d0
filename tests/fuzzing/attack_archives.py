"""Compressed files, damaged anywhere: what is read is a beginning of what was written, breaks are told."""

import bz2
import gzip
import io
import random
from typing import Any, cast

import zstandard

from fuzzing.target import Target
from rollcall.input_files.input_file import intact

COMPRESSORS = {".gz": gzip.compress, ".bz2": bz2.compress, ".zst": zstandard.compress}


def draw(chance: random.Random) -> Any:
    return {
        "suffix": chance.choice(list(COMPRESSORS)),
        "lines": chance.choice([0, 1, 10, 3000]),
        "members": chance.choice([1, 1, 3]),
        "padding": chance.choice([0, 0, 5]),
        "flips": [[chance.random(), chance.randrange(8)] for _ in range(chance.choice([0, 0, 1, 3]))],
        "cut": chance.choice([1, 1, chance.random()]),
        "rest": chance.choice(["", "", "\x00\x00", "rubbish"]),
    }


def check(case: Any) -> None:
    text = b"".join(b"%d squared is %d\n" % (number, number * number) for number in range(case["lines"]))
    member = COMPRESSORS[case["suffix"]](text)
    made = bytearray((member + bytes(case["padding"])) * case["members"])
    for place, bit in case["flips"]:
        made[int(place * len(made))] ^= 1 << bit
    content = bytes(made[: int(case["cut"] * len(made))]) + case["rest"].encode("latin-1")
    stream = intact(cast(Any, io.BytesIO(content)), case["suffix"], "a file")
    read = bytearray()
    while chunk := stream.read1(1 << 16):
        read += chunk
        assert len(read) <= 100 << 20
    whole = text * case["members"]
    if not case["flips"] and (case["cut"] == 1 or not case["rest"]):
        assert whole.startswith(bytes(read)), "nothing is made up"
        broken = case["cut"] < 1 or case["rest"] == "rubbish"
        assert broken or (stream.damage is None and bytes(read) == whole), stream.damage
        assert stream.damage is not None or bytes(read) in [
            text * count for count in range(case["members"] + 1)
        ]


TARGETS = [Target("archives", draw, check, share=60)]
