"""What a page "List of X" is a list of, as a noun phrase: `lakes of Norrowind`.

A title that does not begin so, or whose head is no plural, is spoken of as a list by its name.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from rollcall.wording.nouns import is_person, is_plural, singular
from rollcall.wording.said import quoted

_PREFIX = re.compile(
    r"^(?:List|Lists|Table|Index|Chronological list|Alphabetical list) of (?:the |all )?", re.I
)
_ORDERED = re.compile(r" (?:by (?!the )[a-z][a-z ]*|in (?:alphabetical|chronological) order)$")
_PART = re.compile(
    r" \((?:[A-Z0-9](?:[–-][A-Z0-9])?|[^()]*\d{4}[^()]*|part \d+)\)$|: [A-Z0-9](?:[–-][A-Z0-9])?$"
)
_AFTER_HEAD = re.compile(
    r" (?:of|in|on|at|by|for|from|to|with|who|that|which|and|named|born|designed|whose|under|during|near|within|"
    r"attended|released|produced|written|directed|built|held|owned|located|introduced|against|about|since|"
    r"outside|listed|using|set|based|played|shot|featuring|having|associated|operated|published|before|after)\b"
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
        """`the lakes of Norrowind`, or `the entries of “…”` where the title gives no noun."""
        return f"the {self.nouns}" if self.nouns else f"the entries of {quoted(self.title)}"

    @property
    def one(self) -> str:
        """A member: `lake of Norrowind`."""
        return singular(self.nouns) if self.nouns else f"entry of {quoted(self.title)}"

    @property
    def many(self) -> str:
        return self.nouns or f"entries of {quoted(self.title)}"


@lru_cache(maxsize=16384)
def topic_of(title: str) -> Topic:
    """What the list of this title lists."""
    rest = _PREFIX.sub("", title)
    if rest == title:
        return Topic("", False, title)
    rest = _ORDERED.sub("", _PART.sub("", rest)).strip()
    found = _AFTER_HEAD.search(rest)
    head = rest[: found.start()] if found else rest
    words = head.split(" ")
    if not words[-1] or not is_plural(words[-1].rstrip(",")) or "?" in rest:
        return Topic("", False, title)
    return Topic(rest, is_person(head), title)
