"""A fictional world of any size as real dump files, with the ground truth about every sentence.

It is the built-in default data of Rollcall: test data for every stage, a load generator for benchmarks, and
a source of questions that no language model has seen. `write` has the main line. The other modules, in the
order in which a world comes into being:

- vocabulary: what there can be and how articles say it, in the folder `data`, read by `_vocabulary`
- drawn: `_chance` (random numbers as pure functions), `_skeleton` and `_families` (numbering, columns,
  kinship), `_drawing` and `_columns` (years, homes, objects), `_sources` and `_facts` (statements)
- named: `_labels`, then `_titles` (aliases, and titles that differ)
- written: `_sentences`, `_article`, `_lists`, `_pages`
- dumped: `_dump` (Wikidata's JSON), `_block` (some hundred entities as finished bytes)
- aged: the package `ages` edits one dump into the next
"""

from typing import TYPE_CHECKING

from rollcall._core.packages import names_on_first_use

if TYPE_CHECKING:
    from rollcall.world.write import World, world, write_world

__all__ = ["World", "world", "write_world"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_first_use(__name__, dict.fromkeys(__all__, "write"))
