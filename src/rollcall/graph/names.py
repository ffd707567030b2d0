"""The folded form of a name, under which labels and aliases are looked up whatever their case."""

import unicodedata


def fold(name: str) -> str:
    """Case-folded NFC text with single spaces; two names with equal folds are found together."""
    if name.isascii():
        folded = name.lower()
    else:
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
    return " ".join(folded.split())
