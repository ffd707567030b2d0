"""How many facts the relations of a graph have, by which a relation that no word names is weighed."""

import math

from rollcall.graph.index import GraphIndex


def popularity_of(index: GraphIndex) -> list[float]:
    """For each relation the logarithm of its number of facts, from 0 to 1."""
    sizes = [len(index.forward(one)[0]) for one in range(len(index.relation_ids))]
    most = math.log1p(max(sizes, default=1))
    return [math.log1p(one) / most for one in sizes]
