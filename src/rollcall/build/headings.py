"""The labels of relations as the headings of the corpus's tables write them: `debut NFL/AFL team`.

A graph made from tables often has its headings without capitals and marks. Where tables of the corpus have a
heading of the same words, it says which words are acronyms, where a slash or a hyphen was, and in which unit
figures are.
"""

import re
from collections import Counter
from collections.abc import Iterable

from rollcall.build.inputs import Inputs
from rollcall.build.stage import Work
from rollcall.graph import Graph
from rollcall.mine.lists.columns import tidy_header
from rollcall.tables.corpus import PageTables
from rollcall.tables.table import Rows, Table, shaped, unbound

_MARKS = re.compile(r"[\W_]+")


class Headings(Table):
    """The headings of a table."""

    header = PageTables.header


def heading_labels(graph: Graph, relations: Iterable[str], inputs: Inputs, work: Work) -> dict[str, str]:
    """The headings that most tables have for the labels of some relations, where they say more."""
    if inputs.given_corpus is None:
        return {}
    wanted: dict[str, list[str]] = {}
    for relation in relations:
        wanted.setdefault(_words(graph.relation_label(relation)), []).append(relation)
    counts: dict[str, Counter[str]] = {}
    with work.engine.workbench(work.folder / ".spill") as bench:
        bench.read_folder("corpus", inputs.corpus, PageTables)
        for row in bench.records(_headings):
            for heading in row["header"] or ():
                words = _words(heading)
                if words in wanted:
                    counts.setdefault(words, Counter())[tidy_header(heading)] += 1
    found = {}
    for words, headings in counts.items():
        heading = min(headings, key=lambda one: (-headings[one], one))
        label = " ".join(map(_lowered, heading.split()))
        if label not in ("", words) and not heading.isupper():
            found.update(dict.fromkeys(wanted[words], label))
    return found


def _words(text: str) -> str:
    return _MARKS.sub(" ", text.lower()).strip()


def _lowered(word: str) -> str:
    """A word of a heading as in running text: `City` becomes `city`; `NBA` and what is in brackets stay."""
    parts = word.split("/")
    return "/".join(part.lower() if part[:1].isupper() and part[1:].islower() else part for part in parts)


def _headings() -> Rows[Headings]:
    return shaped(Headings, unbound(PageTables, "corpus_tables").select("header"))
