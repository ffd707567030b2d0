"""What can happen to a statement between one dump of a world and the next."""

from dataclasses import dataclass

from rollcall.world.facts import Fact

ADDED, CORRECTED, REMOVED, DEPRECATED, ENDED = "added", "corrected", "removed", "deprecated", "ended"
SAID, UNSAID, BORN, DIED, RENAMED = "said", "unsaid", "born", "died", "renamed"

KINDS = {
    BORN: "a new entity came, with this statement",
    DIED: "a person died: the date of death was added",
    RENAMED: "the label changed; the old one is an alias, and the title of the page is a redirect",
    ADDED: "a statement was added",
    CORRECTED: "the value of a statement was replaced, under the same id",
    REMOVED: "a statement was removed",
    DEPRECATED: "a statement got the rank `deprecated`",
    ENDED: "a statement got an end time",
    SAID: "text began to state a fact that was in the dump before",
    UNSAID: "text no longer states a fact that is still in the dump",
}


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """One change of a statement: how it was, and how it is."""

    kind: str
    before: Fact | None
    after: Fact | None

    @property
    def fact(self) -> Fact:
        """The statement, as it is if it still is there."""
        fact = self.after or self.before
        assert fact is not None
        return fact
