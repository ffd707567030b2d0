"""The last stage: writes the finished set with its manifest and its card.

Input: `questions.jsonl` of the stage `assemble` or `update`, and the outcomes of all stages. Output: the
files of a question set.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from rollcall import __version__
from rollcall.build.fingerprint import of_input
from rollcall.build.inputs import Inputs
from rollcall.build.stage import Outcome, Work
from rollcall.questions.question_set import QUESTIONS
from rollcall.questions.record import Question
from rollcall.questions.release import write_set

UPDATE = "update"
"""The stage that carries an older set forward."""


def release(inputs: Inputs, recipe: Mapping[str, Any], work: Work) -> Outcome:
    """Write the finished set; the questions are those of the stage `update`, or else of `assemble`."""
    made = work.before.get(UPDATE, work.before["assemble"])
    manifest = {
        "version": __version__,
        "recipe": dict(recipe),
        "seed": recipe.get("seed"),
        "inputs": {name.removeprefix("the "): _input(path) for name, path in inputs.named().items()},
        "stages": {name: outcome_record(outcome) for name, outcome in work.outcomes.items()},
        "notes": [note for outcome in work.outcomes.values() for note in outcome.notes],
    }
    statistics = write_set(work.folder, _questions(made / QUESTIONS), manifest)
    total = statistics.figures()
    kinds = {kind: statistics.figures(kind) for kind in statistics.kinds}
    counts = {kind: figures.questions for kind, figures in kinds.items() if figures is not None}
    return Outcome(total.questions if total else 0, counts=counts)


def outcome_record(outcome: Outcome) -> dict[str, Any]:
    """What the manifest says about a stage."""
    told: dict[str, Any] = {"rows": outcome.rows}
    if outcome.removed:
        told["removed"] = outcome.removed
    if outcome.counts:
        told["counts"] = outcome.counts
    if outcome.figures:
        told["figures"] = outcome.figures
    return told


def _input(folder: Path) -> dict[str, Any]:
    """What is known about an input: its fingerprint, its counts, and the files from which it was made."""
    for name in ("graph.json", "corpus.json"):
        if (folder / name).is_file():
            manifest = json.loads((folder / name).read_bytes())
            sources = manifest.get("sources", [])
            return {
                "fingerprint": of_input(folder),
                "counts": manifest.get("counts", {}),
                "sources": [source["name"] for source in sources],
                "sha256": {source["name"]: source.get("sha256") for source in sources},
            }
    return {"fingerprint": of_input(folder)}


def _questions(path: Path) -> Iterator[Question]:
    decoder = msgspec.json.Decoder(Question)
    with path.open("rb") as stream:
        for line in stream:
            yield decoder.decode(line)
