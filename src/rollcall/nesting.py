"""The limit on the nesting of input, and one way to report input that is too deep or cannot be decoded.

Markup, cells and YAML are read by recursive functions. They stop at one limit, which real text does not come
near. The JSON library has its own limit; its three kinds of failure are treated as one here.
"""

import msgspec

from rollcall.wrong_values import wrong_value

DEEPEST = 40
"""The depth to which MediaWiki expands templates."""

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The exceptions that decoding JSON can raise for any invalid bytes."""
_ENDS = {"Input data was truncated": "it breaks off before its end"}


def why(error: Exception) -> str:
    """The reason why something cannot be decoded, in words."""
    if isinstance(error, msgspec.ValidationError):
        return wrong_value(error)
    return "nested too deeply" if isinstance(error, RecursionError) else _ENDS.get(str(error), str(error))
