"""The options that readers of trained systems share, under the same names."""

import msgspec


class TrainedOptions(msgspec.Struct, frozen=True):
    """Which trained system reads."""

    model: str
    """The folder that `rollcall train` made."""
    seen: bool = False
    """Answer questions, too, that it was trained on."""


class ScoringOptions(TrainedOptions, frozen=True):
    """A trained system that scores single passages."""

    scores: str | None = None
    """A file in which the scores of single passages are kept, so that they are computed once."""
