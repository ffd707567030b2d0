"""The rules by which scored sentences are accepted; `rollcall.evidence.accepting` applies them."""

import msgspec

from rollcall.errors import RollcallError


class Acceptance(msgspec.Struct, frozen=True, kw_only=True):
    """What decides which sentences are accepted: one of these, or without any the verifier itself."""

    threshold: float | None = None
    """Sentences with at least this score."""
    stated: float | None = None
    """Besides those that the verifier accepts, this share of the facts of each relation, the best."""
    lose: float | None = None
    """So many that at most this share of the sentences that state their fact is expected to be lost."""
    precision: float | None = None
    """So many that at least this share of the accepted is expected to be right."""

    def __post_init__(self) -> None:
        given = [name for name, value in msgspec.structs.asdict(self).items() if value is not None]
        if len(given) > 1:
            raise RollcallError(f"{' and '.join(given)}: give only one of them")

    @property
    def is_expectation(self) -> bool:
        """Whether the threshold follows from what is expected."""
        return self.lose is not None or self.precision is not None
