"""Where links lead: to the title of a page, also where a link names the page's id or a redirect.

Pages of a folder of documents are known by their paths, and links between them name these.
"""

from collections.abc import Sequence

from rollcall.corpus import Corpus


class LinkTargets:
    """The titles that the targets of a corpus's links mean."""

    def __init__(self, corpus: Corpus, pages: Sequence[tuple[str, str]]) -> None:
        """`pages` are given by id and title."""
        self._titles = {title for _page, title in pages}
        self._by_id = dict(pages)
        redirects = corpus.tables.redirects.to_pyarrow().to_pylist()
        self._moved: dict[str, str] = {row["title"]: row["target"] for row in redirects}

    def title(self, target: str) -> str:
        """The title that a target means; itself, if there is no such page."""
        if target in self._titles:
            return target
        moved = self._moved.get(target, target)
        return moved if moved in self._titles else self._by_id.get(moved, moved)
