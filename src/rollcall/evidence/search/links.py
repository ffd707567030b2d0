"""What the links of a page say about the names in its text.

A link to an entity is a mention of it, whatever its words are. A name is not a mention of an entity if it is
inside a link to something else, or if the links of this page use it for something else.
"""

from collections.abc import Sequence

from rollcall.evidence.search.texts import Link, Page


class PageLinks:
    """The links of a page, by the row of their sentence."""

    def __init__(self, page: Page) -> None:
        text = page.text
        self._by_row: dict[int, list[Link]] = {}
        for row, link in page.links:
            self._by_row.setdefault(row, []).append(link)
        self._linked = {link for _row, link in page.links}
        self._uses = {(text[start:end], entity) for start, end, entity in self._linked if entity is not None}
        self._used = {name for name, _entity in self._uses}

    def of(self, row: int) -> Sequence[Link]:
        """The links of a sentence."""
        return self._by_row.get(row, ())

    def speak_against(self, row: int, start: int, end: int, name: str, entity: str | None) -> bool:
        """Whether links show that a name means something else than an entity, or than a value (None)."""
        links = self._by_row.get(row)
        if links and _is_linked_elsewhere(start, end, entity, links):
            return True
        return entity is not None and name in self._used and (name, entity) not in self._uses

    def have(self, start: int, end: int, entity: str | None) -> bool:
        """Whether a link to an entity is exactly here."""
        return (start, end, entity) in self._linked


def _is_linked_elsewhere(start: int, end: int, entity: str | None, links: Sequence[Link]) -> bool:
    """Whether a link shows that the name here means something else than this entity or value."""
    for first, last, linked in links:
        if first < end and start < last and linked != entity:
            return linked is not None or (first, last) != (start, end)
    return False
