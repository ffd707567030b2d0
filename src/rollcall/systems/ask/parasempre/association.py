"""Which words of questions go with which words of utterances: counted on paraphrases.

Two questions of one cluster, or two wordings of one question, are paraphrases of each other; so are a
question and the utterances of the candidates that give its answers. Counts of a question's own cluster are
left out while it is learned from.
"""

from collections.abc import Iterable, Mapping

from rollcall.systems.ask.learned.alignment import AlignedWords, Counts, Table, add_to


class Association:
    """All counts of a training."""

    def __init__(self, counts: Counts[str]) -> None:
        self._counts = counts
        self._groups: dict[str, Counts[str]] = {}

    def learn(self, group: str, one: Iterable[str], other: Iterable[str], weight: float) -> None:
        """Count the words of two paraphrases, those of the first with those of the second."""
        own = self._groups.setdefault(group, {})
        others = list(other)
        for table in (self._counts, own):
            for key in others:
                add_to(table, "", key, weight)
            for word in one:
                for key in others:
                    add_to(table, word, key, weight)

    def without(self, group: str) -> AlignedWords[str]:
        """The counts of all questions but those of a group."""
        return AlignedWords(self._counts, self._groups.get(group))

    @property
    def whole(self) -> AlignedWords[str]:
        return AlignedWords(self._counts)

    def table(self) -> Table:
        """The counts, to be stored."""
        return {
            word: {key: round(times, 6) for key, times in sorted(row.items())}
            for word, row in sorted(self._counts.items())
        }

    @classmethod
    def opened(cls, table: Mapping[str, dict[str, float]]) -> "Association":
        return cls(dict(table))
