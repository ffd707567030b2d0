"""How `rollcall ask` shows what it understood of a question in English, and how sure it is."""

import re
from typing import TYPE_CHECKING

from rollcall.errors import RollcallError
from rollcall.terminal import say

if TYPE_CHECKING:
    from pathlib import Path

    from rollcall.graph import Graph
    from rollcall.systems.ask.understanding import Understood

_VARIABLE = re.compile(r"\?\w")


def is_query(text: str) -> bool:
    """Whether a text is in the query language, which always has a variable, and not in English."""
    return _VARIABLE.search(text) is not None


def understood(question: str, graph: "Graph", model: "Path | None" = None) -> "Understood":
    """What a question asks for; an error that says which words are not known if nothing was understood.

    `model` is a folder of a trained `ask`.
    """
    from rollcall.systems.ask.asker import Asker
    from rollcall.systems.ask.pair_scorers import trained_reranker

    asker = Asker(graph, rerank=trained_reranker(model) if model is not None else True)
    found = asker.understood(question)
    if found is None:
        words = ", ".join(asker.understand(question).not_understood) or "no words"
        raise RollcallError(
            f"not understood: {words}; no name that the graph knows leads to an answer (a query is written "
            "'?x director [Orla Venn]')"
        )
    return found


def print_understanding(found: "Understood", graph: "Graph") -> None:
    """Print the query in words and as a tree, as comments before the answers, and what is not certain."""
    from rollcall.graph.resolve import labels_of
    from rollcall.query.text_tree import to_text_tree

    say(f"# {found.words}")
    for line in to_text_tree(found.query, labels_of(found.query, graph)).splitlines():
        say(f"#   {line}")
    say(f"# query  {found.query.text}")
    say(f"# sure   {found.surety:.0%}")
    for words in found.others:
        say(f"# or     {words}")
    if found.not_understood:
        listed = ", ".join(found.not_understood)
        say(f"rollcall: not understood: {listed}; the answers are to the question above", error=True)
    elif not found.is_certain:
        say("rollcall: not sure of this reading; the answers are to the question above", error=True)
