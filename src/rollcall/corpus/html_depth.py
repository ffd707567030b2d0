"""Takes the tags out of HTML that nest it deeper than any page for readers, before it is parsed.

A parser looks through all open elements again and again, and opens formatting anew in every paragraph: a page
made of opening tags takes it hours or all memory. Browsers stop at 512 open elements; so does this, and the
words stay.
"""

import re

MOST_OPEN = 512
_FEWEST_OPEN = 40
_MOST_ELEMENTS = 20_000_000
"""Tags times open elements, which bounds the elements that a parser may make."""
_TAG = re.compile(
    r"<(/?+)(?!(?:area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|option|p|param|source|tbody|td|tfoot|th|"
    r"thead|tr|track|wbr)\b)[a-z][^<>]*+>?+",
    re.IGNORECASE,
)
"""Tags of elements that stay open until they are closed; the others end by themselves."""


def without_depth(html: str) -> str:
    """The page with no more elements open at once than a parser can take; most pages as they are."""
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
