"""The paths of one or two relations out of an entity, with all that each leads to."""

from collections.abc import Iterator
from typing import TypeAlias

from rollcall.graph.index import GraphIndex, Numbers
from rollcall.mine.neighbourhood import Neighbourhood
from rollcall.systems.ask.images import entities_among, image

Path: TypeAlias = tuple[int, ...]
"""Hops, each `2 * relation + direction`."""
_SEEDS = 8
"""Nodes of a first hop whose own relations are followed."""
_LARGEST = 2_000
"""Sets of more nodes than this are not followed."""


def paths_from(index: GraphIndex, hops: Neighbourhood, entity: int) -> Iterator[tuple[Path, Numbers]]:
    """First all paths of one relation, then those of two that do not lead back the way they came."""
    first = [(hop, hops.others(entity, hop)) for hop in hops.hops(entity)]
    for hop, terms in first:
        yield (hop,), terms
    for hop, terms in first:
        entities = entities_among(index, terms)
        if not 0 < len(entities) <= _LARGEST:
            continue
        onward = {one for seed in entities[:_SEEDS].tolist() for one in hops.hops(seed)}
        for other in sorted(onward - {hop ^ 1}):
            yield (hop, other), image(index, entities, *divmod(other, 2))
