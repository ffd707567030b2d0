"""The form in which words are compared: without case, possessive and plural ending.

Faster and less exact than `english.nouns.singular`, since it is called for every word of a text.
"""

import re
from functools import lru_cache

_POSSESSIVE = re.compile(r"['’]s?$")
_IRREGULAR = {
    "men": "man", "women": "woman", "people": "person", "persons": "person", "children": "child",
    "alumni": "alumnus", "alumnae": "alumna", "feet": "foot", "series": "series", "species": "species",
    "wives": "wife", "lives": "life", "knives": "knife", "leaves": "leaf", "wolves": "wolf",
}  # fmt: skip


@lru_cache(1 << 16)
def base_form(word: str) -> str:
    """A word without case, possessive and plural ending."""
    word = _POSSESSIVE.sub("", word.casefold())
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    return word.removesuffix("s")
