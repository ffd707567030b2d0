"""`rollcall build` with each recipe, and as the update of an older set."""

from dataclasses import replace
from pathlib import Path

from command_table.row import Arguments, Command


def _build(recipe: str, *changes: str) -> Arguments:
    def arguments(inputs: Path, out: Path) -> list[str]:
        words = ["build", recipe, "--graph", f"{inputs}/graph", "--corpus", f"{inputs}/corpus"]
        return [*words, "--out", f"{out}/set", *(word for change in changes for word in ("--set", change))]

    return arguments


_GRAPHQUESTIONS = _build("graphquestions", "templates.queries=8")
_BUILD = Command(
    "build",
    _GRAPHQUESTIONS,
    ("set",),
    ("graph", "corpus"),
    "graphquestions",
    keeps=("set/.build",),
    jobs="--jobs",
    older=("--seed", "2"),
    timed=True,
)

BUILDING = (
    _BUILD,
    *(
        replace(_BUILD, variant=recipe, arguments=_build(recipe, *changes), slow=True)
        for recipe, *changes in (
            ("qampari", "answers.least=3", "split.quotas.simple=20", "evidence.verifier=none"),
            ("romqa", "clusters.clusters=4"),
            ("mixed", "templates.queries=8", "clusters.clusters=4", "sets.per_operation=4"),
        )
    ),
    replace(
        _BUILD,
        variant="update",
        arguments=lambda inputs, out: [*_GRAPHQUESTIONS(inputs, out), "--update", f"{inputs}/set"],
        reads=("graph", "corpus", "set"),
        slow=True,
    ),
)
