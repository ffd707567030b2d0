"""The neighbourhood of a topic: the nodes that one or two relations lead to, each with the paths to it.

It is bounded, nearest nodes first, so that a topic with very many facts costs no more than others.
"""

from typing import NamedTuple

from rollcall.graph.index import GraphIndex
from rollcall.mine.neighbourhood import Neighbourhood
from rollcall.systems.ask.learned.paths import Path, paths_from


class Node(NamedTuple):
    """A possible answer."""

    term: int
    paths: tuple[Path, ...]
    """The ways to it, shortest first."""


def neighbours(index: GraphIndex, hops: Neighbourhood, topic: int, most: int) -> list[Node]:
    """The nodes around a topic, at most so many; the topic itself is none of them."""
    paths: dict[int, list[Path]] = {}
    for path, terms in paths_from(index, hops, topic):
        for term in terms[:most].tolist():
            if term in paths:
                paths[term].append(path)
            elif len(paths) < most and term != topic:
                paths[term] = [path]
    return [Node(term, tuple(own)) for term, own in paths.items()]
