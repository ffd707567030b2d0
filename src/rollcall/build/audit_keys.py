"""The keys `audit` of a recipe, which every pipeline has: whether its set is audited, and what it may hold.

They are no parameters of a pipeline and no part of the set: the same questions with another audit are the
same set, byte for byte.
"""

from typing import Annotated

import msgspec

from rollcall.audit.checks import QUALITY_CHECKS
from rollcall.build.places import KeyMistakeError
from rollcall.errors import RollcallError

SECTION = "audit"
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class AuditKeys(msgspec.Struct, frozen=True):
    """Whether a set is audited after it is built, and when it fails."""

    use: bool = False
    """Whether it is audited; a threshold is enough, too."""
    fail_above: dict[str, Share] = {}
    """By check, the largest share that it may find."""
    checks: list[str] | None = None
    """The checks that are made; all by default."""
    examples: Annotated[int, msgspec.Meta(ge=0)] = 5
    """How many examples of each sort of fault are kept."""

    @property
    def wanted(self) -> bool:
        return self.use or bool(self.fail_above)

    def check(self) -> None:
        """Refuse a check that does not exist."""
        for key, names in (("checks", self.checks or ()), ("fail_above", tuple(self.fail_above))):
            for name in names:
                try:
                    QUALITY_CHECKS.entry(name)
                except RollcallError as error:
                    keys = (f"{SECTION}.{key}.{name}", f"{SECTION}.{key}")
                    raise KeyMistakeError(f"{SECTION}.{key}: {error}", *keys) from None
