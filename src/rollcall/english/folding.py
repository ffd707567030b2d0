"""Folding of names: the form under which labels and aliases are looked up regardless of case.

The scorers have their own rules for normalising names, because those are part of published measures.
"""

import unicodedata

_LONGEST = 10_000
"""In characters. Longer names are not normalised, since ordering their combining marks may take very long."""


def fold(name: str) -> str:
    """Case-folded NFC text with single spaces; two names with equal folds are found together."""
    if name.isascii():
        folded = name.lower()
    elif len(name) > _LONGEST:
        folded = name.casefold()
    else:
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
    return " ".join(folded.split())


def without_accents(name: str) -> str:
    """A name without its diacritics: `Kovařík` as `Kovarik`."""
    if name.isascii():
        return name
    return "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
