"""Further passages for a question: the nearest ones, and those of its names with the kind of thing asked for.

A question with several conditions, or with words that no page uses, is far from the passages about one of its
names. A land is also sought by its adjective, since pages say "a Belarusian runner" of a citizen of Belarus.
Where a question has no names ("Which Canadian writers were born after 1940?"), the kind is sought alone.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rollcall.english.demonyms import demonyms
from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Asked, Retriever
from rollcall.systems.read.combined.nearness import Nearness
from rollcall.systems.read.question_words import QuestionWords

_NAMES = 3
"""Names of a question that are sought."""


class FoundFurther(NamedTuple):
    """Passages that were not retrieved for the question, and how many retrievals found them."""

    passages: list[Passage]
    retrievals: int


class Search:
    """Seeks passages with a retriever."""

    def __init__(self, retriever: Retriever | None, each: int, nearness: Nearness | None = None) -> None:
        """`each` passages are sought for each name, if there is a retriever; `nearness` finds the nearest."""
        self._retriever, self._each, self._nearness = retriever, each, nearness

    def further(self, question: Asked, words: QuestionWords, known: Sequence[Passage]) -> FoundFurther:
        """The passages near a question and about its names, or its noun, without the known ones."""
        queries = [f"{name} {words.noun}".strip() for name in _sought(words) or [""]]
        asked = [Asked(str(number), query) for number, query in enumerate(filter(None, queries))]
        rankings = self._retriever.retrieve(asked, self._each) if self._retriever and asked else []
        if self._nearness is not None:
            rankings = [self._nearness.nearest(question), *rankings]
        seen = {one.id for one in known}
        found: dict[str, Passage] = {}
        for passages in rankings:
            for one in passages:
                if one.id not in seen:
                    # Scores of other queries cannot be compared with those of the question.
                    found.setdefault(one.id, Passage(one.id, one.title, one.text, None))
        return FoundFurther(list(found.values()), len(rankings))


def _sought(words: QuestionWords) -> list[str]:
    names = [anchor.text for anchor in words.anchors[:_NAMES]]
    return [*names, *(adjective for name in names for adjective in adjectives_of(name)[:1])]


def adjectives_of(name: str) -> Sequence[str]:
    """The adjectives of a land."""
    return demonyms().get(name.removeprefix("the "), ())
