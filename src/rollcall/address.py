"""Addresses of servers, which are written down and shown: so they never hold a password or a key.

An address ends up in settings, manifests, cards and messages, all of which are passed on. A key comes from
the environment instead, and is never written anywhere.
"""

import re
from urllib.parse import urlsplit

from rollcall.errors import RollcallError

_USER = re.compile(r"//[^/?#\s'\"]*@")
_QUERY = re.compile(r"(//[^?#\s'\"]*)[?#][^\s'\"]*")


def checked_address(url: str) -> str:
    """The address as it was given; refused, without repeating it, where it may hold a secret."""
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
    """A text in which no address has a user, a password or a query any more."""
    return _QUERY.sub(r"\1", _USER.sub("//", text))
