"""The topic of a page "List of X", as a noun phrase: `lakes of Norrowind`.

A title may also have listings, or be the plural itself: `Lakes of Norrowind`. For another title, or one whose
head noun is not plural, the name of the list is used.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from rollcall.corpus.lists import LISTINGS, plural_head
from rollcall.english.demonyms import land_of
from rollcall.english.nouns import is_person, is_plural, singular
from rollcall.english.verbs import is_participle
from rollcall.wording.said import quoted

_PREFIX = re.compile(
    r"^(?:List|Lists|Table|Index|Chronological list|Alphabetical list) of (?:the |all )?", re.I
)
_ORDERED = re.compile(r" (?:by (?!the )[a-z][a-z ]*|in (?:alphabetical|chronological) order)$")
_PART = re.compile(
    r" \((?:[A-Z0-9](?:[–-][A-Z0-9])?|[^()]*\d{4}[^()]*|part \d+)\)$|: [A-Z0-9](?:[–-][A-Z0-9])?$"
)
_AFTER_HEAD = re.compile(
    r"(?:of|in|on|at|by|for|from|to|with|who|that|which|whose|under|during|near|within|against|about|since"
    r"|outside|before|after|between|among|as|where|not|and|or|summer|winter|\(.*|\d.*|[a-z]{2,}ing)"
)


@dataclass(frozen=True)
class Topic:
    """The members of a list: their noun phrase in the plural, and whether they are people."""

    nouns: str
    person: bool
    title: str

    @property
    def is_noun(self) -> bool:
        return bool(self.nouns)

    @property
    def definite(self) -> str:
        """`the lakes of Norrowind`, or `the entries on the list …` if the title gives no noun."""
        return f"the {self.many}"

    @property
    def one(self) -> str:
        """A member: `lake of Norrowind`."""
        return singular(self.nouns) if self.nouns else f"entry{self._of_title}"

    @property
    def many(self) -> str:
        return self.nouns or f"entries{self._of_title}"

    @property
    def _of_title(self) -> str:
        rest = _PREFIX.sub("", self.title)
        plain = rest != self.title and not re.search(r"[?!:;{}]", rest)
        return f" on the list of {rest}" if plain else f" of {quoted(self.title)}"


@lru_cache(maxsize=16384)
def topic_of(title: str) -> Topic:
    """The topic of the list with this title."""
    rest = _PREFIX.sub("", title)
    if rest == title and LISTINGS not in title:
        words = plural_head(title)
        if not words:
            return Topic("", False, title)
        named = land_of(words[0]) or any(word[0].isupper() for word in words[1:])
        rest = title if named else title[0].lower() + title[1:]
    rest = _PART.sub("", rest).strip()
    unordered = _ORDERED.sub("", rest)
    rest = unordered if " " in unordered else rest.replace(" by ", " listed by ", 1)
    head = _head(rest)
    if not head or "?" in rest:
        return Topic("", False, title)
    return Topic(rest, is_person(head.split(" ")[-1]), title)


def _head(topic: str) -> str:
    """The words up to the plural noun that is the head: `old towns` of `old towns in Ostrell`."""
    words = topic.split(" ")
    for number, word in enumerate(words):
        following = words[number + 1] if number + 1 < len(words) else "of"
        ends = _AFTER_HEAD.fullmatch(following) or is_participle(following)
        if ends and is_plural(word.rstrip(",")):
            return " ".join(words[: number + 1])
    return ""
