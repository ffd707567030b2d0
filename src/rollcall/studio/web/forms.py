"""Reads the body of a request: plain forms of a bounded size, and nothing else, so there are no uploads."""

from urllib.parse import parse_qs

from starlette.requests import Request

from rollcall.errors import RollcallError

LARGEST = 256 * 1024
_MOST_FIELDS = 500
_PLAIN = "application/x-www-form-urlencoded"


class FormRefusedError(RollcallError):
    """A body that is no plain form, or too large."""


async def read_form(request: Request) -> dict[str, list[str]]:
    """The fields of a plain form."""
    kind = request.headers.get("content-type", _PLAIN).partition(";")[0].strip().lower()
    if kind != _PLAIN:
        raise FormRefusedError("only plain forms are taken here")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST:
            raise FormRefusedError(f"the form is larger than {LARGEST // 1024} kB; send less")
    try:
        fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise FormRefusedError("the form cannot be read; send it again") from None
    # No keyboard types a NUL, and PostgreSQL stores none.
    return {name.replace("\0", ""): [one.replace("\0", "") for one in many] for name, many in fields.items()}
