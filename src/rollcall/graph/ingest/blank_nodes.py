"""Names for blank nodes: of one source only, and the same whenever it is read.

Two files that both write `_:b` do not mean the same thing by it, so a name has the number of its source in
it. A node without a label gets an arbitrary one from the parser, other in every run; here it is named by the
order in which such nodes appear.
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
        """The name of a node in a file that is read from its beginning, where it may lack a label."""
        if not _ARBITRARY.fullmatch(label):
            return self.name(label)
        place = self._places.setdefault(label, len(self._places) + 1)
        return f"_:{self._source}-{place}"
