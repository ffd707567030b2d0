"""Titles of pages that are about no thing: a list, a year in a field. Nobody is asked about them.

Tables link such pages where they mean something else: `1940 in aviation` stands for the year 1940.
"""

import re

from rollcall.corpus.lists import LISTINGS

_NO_THING = re.compile(
    r"(?:Lists?|Index|Outline|Timeline|Table|Glossary) of (?=\S)"
    r"|(?:c\. )?\d{3,4}(?:s|[–-]\d{2,4})? in (?=\S)",
)


def names_no_thing(title: str) -> bool:
    """Whether a name is the title of a list or of a year in a field."""
    return _NO_THING.match(title) is not None or LISTINGS in title
