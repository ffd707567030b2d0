"""What a system learns from: the exercises of one folder or of several, all of them or a choice.

Folders may come from different corpora, as those of two worlds, or from sets of different kinds. The first is
the one that counts: its dev exercises decide which weights are best.
"""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from rollcall.errors import RollcallError
from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.exercise_folder import AboutExercises, ExerciseFolder
from rollcall.systems.train.selection import Clusters, chosen


class Learning(NamedTuple):
    """What a system learns from."""

    train: Sequence[Exercise]
    dev: Sequence[Exercise]
    about: AboutExercises
    fingerprint: str
    """The hash of the exercises."""


def learned_from(
    folders: Sequence[ExerciseFolder], limit: int | None = None, clusters: Clusters | None = None
) -> Learning:
    """The exercises of folders; `limit` and `clusters` choose among those to learn from."""
    if not folders:
        raise RollcallError("no folder of exercises is given to learn from")
    abouts = [folder.about() for folder in folders]
    train = [one for folder in folders for one in folder.read("train")]
    marks = [folder.fingerprint() for folder in folders]
    if limit is not None or clusters is not None:
        train = chosen(train, limit, clusters)
        marks.append(f"{limit} {clusters}")
    about = msgspec.structs.replace(abouts[0], name="+".join(one.name for one in abouts))
    fingerprint = marks[0] if len(marks) == 1 else hashlib.sha256(" ".join(marks).encode()).hexdigest()
    return Learning(train, folders[0].read("dev"), about, fingerprint)
