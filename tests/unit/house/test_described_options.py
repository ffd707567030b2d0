"""Options are described as people read them: lists by what is in them, defaults as they will be."""

import msgspec
import pytest

from rollcall import RollcallError
from rollcall._core.registry import described_options, read_options


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """Where it is kept."""

    names: tuple[str, ...] = ("one",)
    """The names."""
    shares: dict[str, float] = msgspec.field(default_factory=lambda: {"train": 1.0})
    limits: list[int] = []
    place: str | None = None
    size: int = msgspec.field()


def test_types_and_defaults_are_readable() -> None:
    told = {one.name: (one.kind, one.default, one.meaning) for one in described_options(Kept)}
    assert told == {
        "names": ("list of str", "['one']", "The names."),
        "shares": ("float by str", "{'train': 1.0}", ""),
        "limits": ("list of int", "[]", ""),
        "place": ("str | none", "", ""),
        "size": ("int", "", ""),
    }


def test_a_list_is_written_with_commas() -> None:
    given = {"names": "test, dev", "limits": "3", "size": "1"}
    assert read_options(Kept, given, "it") == Kept(names=("test", "dev"), limits=[3], size=1)
    assert read_options(Kept, {"names": ["a,b"], "size": 1}, "it") == Kept(names=("a,b",), size=1)
    with pytest.raises(
        RollcallError, match=r"the option limits=3,many: .* must be a whole number, and is text"
    ):
        read_options(Kept, {"limits": "3,many", "size": 1}, "it")
