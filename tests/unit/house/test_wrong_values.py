"""A value of a wrong type is told in plain words: what it must be, what it is, and where it stands."""

from typing import Annotated, Literal

import msgspec
import pytest

from rollcall._core.errors import UNREADABLE, why


class Part(msgspec.Struct, forbid_unknown_fields=True):
    name: str


class Record(msgspec.Struct):
    title: str | None
    parts: list[Part] = []
    share: Annotated[float, msgspec.Meta(le=1)] = 0
    count: Annotated[int, msgspec.Meta(ge=10)] = 10
    sizes: dict[str, int] = {}
    kind: Literal["a", "b"] = "a"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1]", "must be an object, and is a list"),
        ("{}", "title is missing"),
        ('{"title": 3}', "title must be text or null, and is a whole number"),
        ('{"title": "a", "parts": [{"name": true}]}', "parts[0].name must be text, and is true or false"),
        ('{"title": "a", "parts": [{}]}', "name is missing in parts[0]"),
        ('{"title": "a", "parts": [{"name": "x", "n": 1}]}', "n is not a known key in parts[0]"),
        ('{"title": "a", "share": 2}', "share must be a number of at most 1"),
        ('{"title": "a", "count": 3}', "count must be a whole number of at least 10"),
        ('{"title": "a", "count": 10.5}', "count must be a whole number, and is a number with decimals"),
        ('{"title": "a", "sizes": {"x": "y"}}', "sizes must be a whole number, and is text"),
        ('{"title": "a", "kind": "c"}', "'c' is not allowed in kind"),
        ('{"title": "a"', "it breaks off before its end"),
    ],
)
def test_what_is_wrong_is_said_in_words(text: str, said: str) -> None:
    with pytest.raises(UNREADABLE) as error:
        msgspec.json.decode(text, type=Record)
    assert why(error.value) == said
