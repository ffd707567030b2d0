"""What left something out: a filter, in words for people, with the option that sets it.

A build that yields nothing names the key of the recipe behind each filter; the option says which, so that
nobody has to find it in the words.
"""

from typing import NamedTuple


class Filter(NamedTuple):
    """Why things were left out, and the name of the option to change; some have none."""

    why: str
    option: str = ""
