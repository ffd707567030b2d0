"""One damaged file among what a command reads: it does what it ever does, or refuses in a line that names it.

`corruption-input` damages the inputs of every quick command of the table. `corruption-work` damages what
commands left for their next call: the work of a build's stages, indexes, half-read sources, runs.
`corruption-answers` asks a damaged graph from Python.
"""

import random
from typing import Any

import damage
from fuzzing.target import Target

QUICK = [name for name, row in damage.ROWS.items() if row.reads and not row.slow]
WORK = ["build-graphquestions", "retrieve", "run"]


def _drawn(chance: random.Random, files: list[str]) -> dict[str, Any]:
    return {
        "file": chance.choice(files),
        "kind": chance.choice((*damage.KINDS, "flip", "flip", "flip")),
        "place": chance.random(),
        "bit": chance.randrange(8),
    }


def _damage(case: Any) -> damage.Damage:
    return damage.Damage(case["kind"], case["place"], case["bit"])


def draw_input(chance: random.Random) -> Any:
    name = chance.choice(QUICK)
    files = [file for read in damage.ROWS[name].reads for file in damage.files_in(damage.inputs() / read)]
    return {"command": name, **_drawn(chance, files)}


def check_input(case: Any) -> None:
    damage.check_input(case["command"], case["file"], _damage(case))


def draw_work(chance: random.Random) -> Any:
    name = chance.choice(WORK)
    return {"command": name, **_drawn(chance, damage.files_in(damage.finished(name)))}


def check_work(case: Any) -> None:
    damage.check_work(case["command"], case["file"], _damage(case))


def draw_answers(chance: random.Random) -> Any:
    return _drawn(chance, damage.files_in(damage.inputs() / "graph"))


def check_answers(case: Any) -> None:
    damage.check_answers(case["file"], _damage(case))


TARGETS = [
    Target("corruption-input", draw_input, check_input, share=2),
    Target("corruption-work", draw_work, check_work, share=1),
    Target("corruption-answers", draw_answers, check_answers, share=10),
]
