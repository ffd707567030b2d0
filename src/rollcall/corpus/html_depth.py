"""Removes tags that nest HTML deeper than any real page, before it is parsed.

A parser repeatedly searches all open elements, and reopens formatting in every paragraph. A page made of
opening tags would take hours or all memory. Browsers stop at 512 open elements; this module does the same and
keeps the text.
"""

import re

MOST_OPEN = 512
_FEWEST_OPEN = 40
_MOST_ELEMENTS = 20_000_000
"""A limit on tags times open elements, which bounds the number of elements that a parser may create."""
_TAG = re.compile(
    r"<(/?+)(?!(?:area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|option|p|param|source|tbody|td|tfoot|th|"
    r"thead|tr|track|wbr)\b)[a-z][^<>]*+>?+",
    re.IGNORECASE,
)
"""Tags of elements that stay open until a closing tag; other elements are closed automatically."""


def without_depth(html: str) -> str:
    """The page with no more open elements at once than a parser can handle; most pages are unchanged."""
    tags = html.count("<")
    if tags <= MOST_OPEN:
        return html
    limit = max(_FEWEST_OPEN, min(MOST_OPEN, _MOST_ELEMENTS // tags))
    opened = surplus = 0

    def keep(match: re.Match[str]) -> str:
        nonlocal opened, surplus
        if match[1]:
            if surplus:
                surplus -= 1
                return ""
            opened = max(opened - 1, 0)
        elif opened >= limit:
            surplus += 1
            return ""
        else:
            opened += 1
        return match.group()

    return _TAG.sub(keep, html)
