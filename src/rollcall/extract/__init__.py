"""Reads a graph out of text alone: things with their names and classes, and facts with their sentences.

The function is `extract`; the package itself can be called, because `rollcall.extract` is both its name and
the name of the function.

- `records` has what is read, the schema of what to look for, and the blocks into which pages are cut.
  `asking` lets a model read the blocks and keeps what the text supports. `without_model` reads links, tables
  and the lexicon's phrases instead.
- `merging` finds out which names mean the same; `facts` makes facts of them, and finds where the text names
  their entities.
- `verifying` opens a verifier, which verifies each fact in its sentence; it also lets a model propose a
  schema, and writes the graph. `verb` calls the steps in order, and says what they cost.
"""

import sys
from typing import TYPE_CHECKING

from rollcall._core.packages import VerbPackage, names_on_first_use

if TYPE_CHECKING:
    from rollcall.extract.facts import StatedFact as StatedFact
    from rollcall.extract.records import Schema as Schema
    from rollcall.extract.records import read_schema as read_schema
    from rollcall.extract.verb import Estimate as Estimate
    from rollcall.extract.verb import Extraction as Extraction
    from rollcall.extract.verb import expected_cost as expected_cost
    from rollcall.extract.verb import extract as extract
    from rollcall.extract.verb import propose as propose

_HOMES = {
    "Estimate": "verb",
    "Extraction": "verb",
    **dict.fromkeys(("Schema", "read_schema"), "records"),
    "StatedFact": "facts",
    **dict.fromkeys(("expected_cost", "extract", "propose"), "verb"),
}

__all__ = sorted(_HOMES)

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_first_use(__name__, _HOMES)

sys.modules[__name__].__class__ = VerbPackage
