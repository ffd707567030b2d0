"""Names for blank nodes: unique to one source, and the same every time it is read.

`_:b` in two files means two different nodes, so a name contains the number of its source. The parser gives a
node without a label an arbitrary label that differs in every run; here such nodes are numbered in order of
appearance.
"""

import re

_ARBITRARY = re.compile(r"[a-f][0-9a-f]{15,31}")
"""How the parser labels a node that has no label."""


class BlankNodes:
    """Names the blank nodes of one source: `_:1.label`, and `_:1-7` for the seventh without a label."""

    def __init__(self, source: int) -> None:
        self._source = source
        self._places: dict[str, int] = {}

    def name(self, label: str) -> str:
        return f"_:{self._source}.{label}"

    def name_in_order(self, label: str) -> str:
        """The name of a node, which may have no label, in a file that is read from its beginning."""
        if not _ARBITRARY.fullmatch(label):
            return self.name(label)
        place = self._places.setdefault(label, len(self._places) + 1)
        return f"_:{self._source}-{place}"
