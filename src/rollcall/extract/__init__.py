"""Reads a graph out of text alone: things with their names and classes, and facts with their sentences.

The function is `extract`; the package itself can be called, because `rollcall.extract` is both its name and
the name of the function.

- `schema` is what to look for; `proposing` lets a model find it. `blocks` cuts pages, `prompts` asks,
  `replies` reads replies, `grounding` keeps what the text bears out, `asking` does all of it and asks again,
  `estimate` says what it costs. `without_model` reads links, tables and the lexicon's phrases instead.
- `page_names`, `short_forms` and `merging` find out which names mean the same; `facts` makes facts of them.
- `judging` opens a verifier, which judges each fact in its sentence (`checking`); `writing` writes the graph;
  `places` finds where the text names whom, for the copy of the corpus that is tied to it.
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
