"""What answers are like: their number, and their classes or dimensions, as names of features."""

from rollcall.graph.index import GraphIndex, Numbers

_SIZES = ((1, "1"), (3, "2 to 3"), (10, "4 to 10"), (50, "11 to 50"), (1000, "51 to 1000"))
_SAMPLE = 5


def size_of(terms: Numbers) -> str:
    """The number of some answers, roughly."""
    return next((name for most, name in _SIZES if len(terms) <= most), "more")


def kinds_of(index: GraphIndex, terms: Numbers) -> list[str]:
    """The classes of some answers by label; for values, their dimensions."""
    found: dict[str, None] = {}
    for term in terms[:_SAMPLE].tolist():
        if term >= index.entity_count:
            dimension = int(index.literal_dimension[term - index.entity_count])
            found[f"value {index.dimensions[dimension]}" if dimension >= 0 else "text"] = None
        else:
            found.update((index.class_labels[int(one)] or "thing", None) for one in index.direct_types(term))
    return list(found)
