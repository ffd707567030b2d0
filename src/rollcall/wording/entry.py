"""One relation in words: its clause from either side, its noun, the nouns of its ends, its sentence.

A clause begins with its verb in the third person singular and has the other end as a placeholder: `was
directed by {object}` for subjects, `directed {subject}` for objects. `{a object}` adds an article (`works as
a painter`), `{objects}` is the plural, `{on object}` adds a preposition of time, `[one|many]` gives words
that change with number, and `{its}` is the possessive.
"""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rollcall.corpus.lists import LISTINGS, MEMBERSHIP, plural_head
from rollcall.query import Literal
from rollcall.query.values import Value
from rollcall.text.nouns import head_word, is_person, is_plural, land_of, plural, singular, with_article
from rollcall.text.verbs import is_participle
from rollcall.text.words import ARTICLES, PREPOSITIONS
from rollcall.wording.frames import fitted, stripped
from rollcall.wording.phrases import PLACEHOLDER, VerbPhrase, filler_of_name, filler_of_value, quoted

# The topic of a page "List of X", as a noun phrase: `lakes of Norrowind`. A title may also have
# listings, or be the plural itself: `Lakes of Norrowind`. For another title, or one whose head noun is
# not plural, the name of the list is used.

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
        is_name = land_of(words[0]) or any(word[0].isupper() for word in words[1:])
        rest = title if is_name else title[0].lower() + title[1:]
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


USES = ("simple", "composition")
VALUE_NOUNS = ("date", "number", "quantity", "text", "amount of money", "position on the globe")


@dataclass(frozen=True)
class Entry:
    """A relation's words; `wording.md` in the documentation explains each field."""

    id: str
    label: str
    noun: str
    forward: str
    backward: str = ""
    people: str = ""
    """The subject's clause for subjects that are people, if it differs."""
    plural_noun: str = ""
    of: str = "of"
    subjects: str = "thing"
    objects: str = "thing"
    sentence: str = ""
    types: tuple[str, ...] = ()
    given_cues: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    use: tuple[str, ...] = USES
    most: str = ""
    least: str = ""
    single: bool = False
    heading: str = ""
    """The label by which the entry was found, if its id differs."""
    by_label: bool = True
    """Whether a relation with another id and this label may use the entry."""
    generic: bool = False
    shape: str = ""
    """The form of the names of its objects in the graph (`frames.shape_of`), if a label gives the entry."""
    values: str = ""
    """What values it leads to in the graph (`date`, `number`), if a label gives the entry."""

    @property
    def nouns(self) -> str:
        """The plural of the relation's noun."""
        return self.plural_noun or plural(self.noun)

    @property
    def is_literal(self) -> bool:
        """Whether the relation leads to values rather than to entities."""
        return self.objects in VALUE_NOUNS

    @property
    def object_clause(self) -> str:
        """The clause about objects: the entry's own, or one made from the noun."""
        if self.backward == "is where {subject} is located":
            return "contains {subject}"
        if self.backward:
            return self.backward
        if not self.noun:
            return f"is [something|things] that {{subject}} {self.stranded}"
        if self.is_literal or self.single:
            return f"is [the {self.noun}|the {self.nouns}] {self.of} {{subject}}"
        return f"is [{with_article(self.noun)}|{self.nouns}] {self.of} {{subject}}"

    @property
    def counts(self) -> bool:
        """Whether a number of this relation counts things: its heading is plural, or it leads to entities."""
        return (
            not self.is_literal if not self.generic else is_plural(head_word(self.label.partition(" in ")[0]))
        )

    @property
    def is_moment(self) -> bool:
        """Whether values are points in time, for which the superlative is `latest` instead of `greatest`."""
        if self.generic and self.is_plural_count and self.objects != "date":
            return False
        return "date" in (self.objects, self.values) or any(
            _MOMENT.search(text) for text in (self.label, self.noun)
        )

    @property
    def is_plural_count(self) -> bool:
        """Whether the label counts units of time: `incubation days`."""
        return " " in self.label and is_plural(head_word(self.label))

    @property
    def measure(self) -> str:
        """The noun for the value that a superlative compares: `height`, `number of wins`."""
        if self.counts and not (self.generic and self.noun.startswith("number of ")):
            return f"number of {self.nouns}" if self.noun else "value"
        return self.noun or "value"

    @property
    def stranded(self) -> str:
        """The subject's clause without its object: `was written by` of `was written by {object}`."""
        return " ".join(PLACEHOLDER.sub(" ", self.forward).split())

    @cached_property
    def cues(self) -> tuple[str, ...]:
        """Words that indicate the relation in text: the given ones, its noun, and words of its clauses."""
        derived = [self.noun, *(_content(stripped(clause)) for clause in (self.forward, self.backward))]
        words = dict.fromkeys(cue.lower() for cue in (*self.given_cues, *derived) if len(cue) > 2)
        return tuple(words)

    def statement(self, subject: str, object: "str | Value") -> str:  # noqa: A002
        """The declarative sentence about two ends, by name or value, in the relation's own direction."""
        if self.id == MEMBERSHIP:
            return f"{subject} is one of {topic_of(str(object)).definite}."
        object_filler = (
            filler_of_name(object) if isinstance(object, str) else filler_of_value(Literal(object))
        )
        if self.sentence:
            clause = self.sentence.removeprefix("{subject} ").rstrip(".")
            if self.sentence.startswith("{subject} "):
                return _closed(
                    f"{subject} {VerbPhrase(clause, object_filler).said(many=False, person=False)}"
                )
            return _closed(
                self.sentence.rstrip(".")
                .replace("{subject}", subject)
                .replace("{object}", object_filler.name)
            )
        person = self.subjects == "person"
        clause = self.forward
        if self.generic:
            clause, object_filler = fitted(clause, self.noun, object_filler, is_name=isinstance(object, str))
        return _closed(f"{subject} {VerbPhrase(clause, object_filler).said(many=False, person=person)}")


def _closed(sentence: str) -> str:
    """The sentence with a full stop, unless it already ends with the full stop of a name."""
    sentence = " ".join(sentence.split())
    return sentence if sentence.endswith((".", "!", "?")) else sentence + "."


_MOMENT = re.compile(
    r"\b(?:date|year|day|season|founded|opened|released|established|built|completed|seen|born|died)\b"
)
_MARKS = re.compile(r"\{[^}]*\}|\[[^\]]*\]")
_OPENING = ARTICLES | {"was", "is", "has"}
_EMPTY_WORDS = _OPENING | {"its"} | PREPOSITIONS - {"from"}  # `is from` says something, `is of` does not


def _content(clause: str) -> str:
    """The content words of a clause: `directed by` of `was directed by {object}`."""
    words = _MARKS.sub(" ", clause).split()
    while words and words[0] in _OPENING:
        words = words[1:]
    return " ".join(words) if any(word not in _EMPTY_WORDS for word in words) else ""
