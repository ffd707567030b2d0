"""Options are described as people read them: lists by what is in them, defaults as they will be."""

import msgspec

from rollcall.configurable import described_options


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
