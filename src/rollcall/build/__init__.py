"""Builds: makes a question set from a graph and a corpus, as a recipe says.

A recipe (`recipe`) names a pipeline (`pipelines`) and sets its parameters. A pipeline lists stages (`stage`),
each of which writes tables into its own folder. The runner (`runner`) runs only the stages whose inputs,
parameters or code changed. The last stage writes the finished set. `make` has the function behind
`rollcall build`.

Names are imported on first use, because every command imports this package and few need all of it. The
package can be called, because `rollcall.build` is both its name and the name of the function.
"""

import sys
from typing import TYPE_CHECKING

from rollcall._core.packages import VerbPackage, names_on_first_use

if TYPE_CHECKING:
    from rollcall.build.keys import Declaring as Declaring
    from rollcall.build.keys import FileName as FileName
    from rollcall.build.make import Build as Build
    from rollcall.build.make import build as build
    from rollcall.build.pipelines import Pipeline as Pipeline
    from rollcall.build.recipe import Recipe as Recipe
    from rollcall.build.releasing import release as release
    from rollcall.build.runner import Runner as Runner
    from rollcall.build.stage import Inputs as Inputs
    from rollcall.build.stage import Outcome as Outcome
    from rollcall.build.stage import Stage as Stage
    from rollcall.build.stage import Work as Work
    from rollcall.tables.engine import WorkOptions as WorkOptions

_HOMES = {
    **dict.fromkeys(("Build", "build"), "make"),
    **dict.fromkeys(("Declaring", "FileName"), "keys"),
    "Pipeline": "pipelines",
    "Recipe": "recipe",
    "release": "releasing",
    **dict.fromkeys(("Runner", "WorkOptions"), "runner"),
    **dict.fromkeys(("Inputs", "Outcome", "Stage", "Work"), "stage"),
}

__all__ = sorted(_HOMES)

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_first_use(__name__, _HOMES)

sys.modules[__name__].__class__ = VerbPackage
