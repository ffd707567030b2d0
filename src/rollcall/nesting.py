"""How deep what is read may be nested, and one way to say that it is nested deeper or cannot be decoded.

Markup, cells and YAML are read by functions that call themselves: they stop at one limit, which no text for
readers comes near. JSON is decoded by a library that stops by itself; its three ways to fail are one here.
"""

import msgspec

DEEPEST = 40
"""As deep as MediaWiki follows templates."""

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding JSON raises for bytes that are not as they should be, however bad they are."""


def why(error: Exception) -> str:
    """What is wrong with something that cannot be decoded, in words."""
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)
