"""A filter that excluded something: its description, and the option that sets it.

A build without results names the recipe key behind each filter. The option identifies that key, so that it
need not be searched for in the description.
"""

from typing import NamedTuple


class Filter(NamedTuple):
    """Why things were left out, and the name of the option to change, if there is one."""

    why: str
    option: str = ""
