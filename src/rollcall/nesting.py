"""The limit on the nesting of input, and one way to report input that is too deep or cannot be decoded.

Markup, cells and YAML are read by recursive functions. They stop at one limit, which real text does not come
near. The JSON library has its own limit; its three kinds of failure are treated as one here.
"""

import msgspec

DEEPEST = 40
"""The depth to which MediaWiki expands templates."""

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The exceptions that decoding JSON can raise for any invalid bytes."""


def why(error: Exception) -> str:
    """The reason why something cannot be decoded, in words."""
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)
