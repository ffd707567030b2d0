"""Draws the query of an item for a page, from its text and names, when the page is made.

Items carry no markup, so nothing that somebody stored can run in a page. The picture has no styles:
the page's style sheet colours it, in light and in dark.
"""

from collections.abc import Mapping

from rollcall.audit.parts import parsed_query
from rollcall.query.picture import to_svg


class Markup(str):
    """Markup of our own, which templates do not escape again."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


def query_picture(shown: object) -> Markup:
    """The picture of a shown query as SVG; nothing if it cannot be read."""
    if not isinstance(shown, Mapping):
        return Markup()
    query, names = parsed_query(str(shown.get("text", ""))), shown.get("names")
    if query is None:
        return Markup()
    named = names if isinstance(names, Mapping) else {}
    drawn = to_svg(query, lambda id_: str(named.get(id_, id_)), styled=False)
    return Markup(drawn.replace(">?x</text>", ">?</text>"))  # a question node without a class
