"""Archives and compressed files of every kind that is read, damaged anywhere: read as before, or refused."""

import random
import tempfile
from pathlib import Path
from typing import Any

from fuzzing.mutation import content_of, mutated_bytes, pieces
from fuzzing.target import Target
from packed_files import check_damaged, packed_files


def draw(chance: random.Random) -> Any:
    kind = chance.choice(sorted(packed_files()))
    content = packed_files()[kind].content
    if chance.random() < 0.5:
        changed = bytearray(content)
        for _ in range(chance.choice([1, 1, 2, 5])):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        content = bytes(changed)
    else:
        content = mutated_bytes(chance, content)
    return {"kind": kind, "content": pieces(content)}


def check(case: Any) -> None:
    content = content_of(case["content"])
    if content:  # an empty file has no content to damage
        with tempfile.TemporaryDirectory() as folder:
            check_damaged(case["kind"], content, Path(folder))


TARGETS = [Target("packed-files", draw, check, share=400)]
