"""Server addresses. They are stored and shown, so they must never contain a password or a key.

An address is written to settings, manifests, cards and messages, and users share all of these. A key comes
from the environment instead, and is never written to any file.
"""

import re
from urllib.parse import urlsplit

from rollcall.errors import RollcallError

_USER = re.compile(r"//[^/?#\s'\"]*@")
_QUERY = re.compile(r"(//[^?#\s'\"]*)[?#][^\s'\"]*")


def checked_address(url: str) -> str:
    """The address as given. One that may contain a secret is refused; the error does not repeat it."""
    shown = without_credentials(url)
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise RollcallError(f"{shown}: is no address of a server ({error})") from None
    if parts.scheme not in ("http", "https") or not host:
        raise RollcallError(f"{shown}: is no address of a server; write http://HOST:PORT/v1")
    if parts.username is not None or parts.query or parts.fragment or shown != url:
        raise RollcallError(
            f"{shown}: was given with a password or a key in it, which would be written down with it; "
            "leave it out and put the key into ROLLCALL_API_KEY"
        )
    return url


def without_credentials(text: str) -> str:
    """The text with user name, password and query removed from every address in it."""
    return _QUERY.sub(r"\1", _USER.sub("//", text))
