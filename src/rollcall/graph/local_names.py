"""Names made of identifiers: `http://example.org/Falcon_Pump` is called Falcon Pump.

They are used only where no source gives a label, because a question that names an IRI is no English.
"""

import re
from urllib.parse import unquote

_CASES = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PREFIX = re.compile(r"[A-Za-z][\w.-]*:")


def local_name(id_: str) -> str:
    """The last part of an identifier, as words; empty for a blank node, which has no name."""
    if id_.startswith("_:"):
        return ""
    last = re.split(r"[/#]", id_.rstrip("/#"))[-1]
    if not _is_spaced(last) and (prefix := _PREFIX.match(last)) and prefix.end() < len(last):
        last = last[prefix.end() :].rpartition(":")[2] if last.startswith("urn:") else last[prefix.end() :]
    words = unquote(last).replace("_", " ")
    if not _is_spaced(words.strip()):
        words = _CASES.sub(" ", words)
    return " ".join(words.split())


def local_term(id_: str) -> str:
    """The last part of the identifier of a relation or a class, in lower case but for abbreviations."""
    words = local_name(id_).split()
    shouted = len(words) > 1 and all(word.isupper() for word in words)  # ACTED_IN
    return " ".join(
        word if word.isupper() and not shouted and len(word) > 1 else word.lower() for word in words
    )


def _is_spaced(text: str) -> bool:
    return any(sign.isspace() for sign in text)
