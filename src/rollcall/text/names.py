"""Finds known names in one text: for evidence, extraction, training, audits and the studio.

- `NameMatcher` finds the forms of many names (`rollcall.text.name_forms`): whole words, capitals as in the
  name, the longest name first, and no part of another name.
- `TopicOnPage` finds where a page names its topic, also by a part of its name or a pronoun.
- `whole_words` and `NamePattern` find names letter by letter, whatever stands beside them.

`rollcall.text.name_lookup` finds names that are too many for memory, such as all names of a graph.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain

from rollcall.text.name_forms import BETWEEN, END, WORD, Form, clean, known_forms, word_forms
from rollcall.text.nouns import demonyms
from rollcall.text.words import ARTICLES, CONJUNCTIONS, PREPOSITIONS, PRONOUNS, word_list

# What the text around a name says about it: whether it continues, opens a sentence, or is part of
# another. These are the rules of `NameMatcher`, which applies them only if simple tests do not decide.

_LANGUAGE = re.compile(r" ?[- ](?:language|speaking)\b")
_NUMBER = re.compile(
    r" \d{1,3}(?!\w|[.,]\d|[%°-]| (?:million|billion|k?m|mi|ft|miles|kilomet|met|years|people)\b)"
)
_GLOSS = re.compile(r"\(|; $")
_JOINING = frozenset(" -")
_ADJECTIVES = frozenset(adjective for words in demonyms().values() for adjective in words) | word_list(
    "faith_adjectives"
)
"""Adjectives of lands and faiths; one may qualify what follows, so that a capital behind it says nothing."""
_ORIGIN = ("-born", "-based", "-raised")
_QUALIFIERS = word_list("capitalised_qualifiers")
"""Words with a capital that qualify a noun, and make no name with the adjective before them."""
_PARTS_OF_PLACES = word_list("parts_of_places")
_ARTICLE = re.compile(r"\b[Aa]n? (?:[a-z-]+ )?$")
_FREE = frozenset(
    word.title() for word in (ARTICLES - {"a", "an"}) | PREPOSITIONS | (CONJUNCTIONS - {"or"}) | PRONOUNS
) | {"I"}


class _Neighbours:
    """A plain text of sentences that begin at `starts`; it ends with `END`, twice."""

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self._text, self._starts = text, starts

    def capital_before(self, start: int) -> bool:
        """Whether the word directly before a place has a capital, even in another sentence."""
        return self._text[self._text.rfind(" ", 0, start - 1) + 1].isupper()

    def opens(self, start: int) -> bool:
        """Whether only punctuation is before a place in its sentence."""
        preceding = self._text[self._sentence_start(start) : start]
        return not any(map(str.isalnum, preceding))

    def _sentence_start(self, position: int) -> int:
        return self._starts[bisect_right(self._starts, position) - 1]

    def is_part_of_name(self, start: int, end: int, single: bool) -> bool:
        """Whether capitalised neighbours show that this is only a part of a longer name.

        This is so if a capitalised word follows directly, or a number that is not a year ("Nintendo 64"); for
        one-word names also if a capitalised word is directly before that does not merely open the sentence.
        Names in lower case (common nouns) are not parts of a name, nor are names of languages in "an Indian
        Tamil-language channel", nor adjectives of lands before another, behind a hyphen or before initials:
        "a French Breton poet", "a Polish-American judge", "a Danish DJ". Nor is a name before what qualifies
        a noun ("a Danish Olympic sailor", "a Texas Republican politician"), one behind a possessive
        ("Ostrell's Marl"), or a place whose part is named ("in Northern Marl"). A word that only says the
        language of the next word ("(Bulgarian: …)") names nothing.
        """
        text, behind = self._text, self._text[end : end + 1]
        if behind == ":" and _GLOSS.search(text, max(start - 2, 0), start):
            return True
        if behind == " " and _NUMBER.match(text, end):
            return True
        if behind in _JOINING and text[end + 1 : end + 2].isupper():
            following = WORD.match(text, end + 1)
            if following is not None and self._belongs_to_name(start, text[start:end], behind, following):
                return True
        if not single or text[start - 1 : start] not in _JOINING or _LANGUAGE.match(text, end):
            return False
        opening = self._sentence_start(start)
        begin = text.rfind(" ", opening, start - 1) + 1
        if begin <= opening:  # the first word of the sentence, or nothing
            return False
        preceding = text[begin : start - 1]
        is_joined = text[start - 1] == "-" and preceding in _ADJECTIVES
        name = text[start:end]
        if name in _ADJECTIVES and (is_joined or preceding.endswith(_ORIGIN)):
            return False
        if preceding.endswith("'s") or (
            preceding in _PARTS_OF_PLACES and f"{preceding} {name}" not in demonyms()
        ):
            return False
        if name in _QUALIFIERS and self._is_described(begin):
            return False
        return preceding[:1].isupper() and preceding[-1].isalnum() and preceding not in _FREE

    def _belongs_to_name(self, start: int, name: str, behind: str, following: re.Match[str]) -> bool:
        """Whether a capitalised word behind a name belongs to it."""
        word = following[0]
        if word in _QUALIFIERS and behind == " " and self._is_described(start):
            return False
        if name in _ADJECTIVES and (word in _ADJECTIVES or (word.isupper() and len(word) > 1)):
            return False
        return behind == "-" or (word != "I" and not _LANGUAGE.match(self._text, following.end()))

    def _is_described(self, start: int) -> bool:
        """Whether the phrase that begins here follows `a` or `an`, so that it describes and is not a name."""
        return _ARTICLE.search(self._text, max(start - 24, 0), start) is not None


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _continues(name: str, behind: str) -> bool:
    """Whether the character after a name belongs to its last word."""
    if behind > "\u02ff" and unicodedata.category(behind).startswith("M"):  # vowels of Indic scripts, too
        return True
    return _is_word(behind) and _is_word(name[-1])


_BEHIND = frozenset(" .,;:'-)" + END)
"""The characters that most often follow a name."""
_ADDED = (", ", " at the ")
"""What a longer name has before another name that it mentions, too: Marl, Norrow; rowing at the 2004 Games.
"""
Place = tuple[int, int]
"""The start and the end of a piece of text."""
KeyedPlace = tuple[int, int, Sequence[int]]
"""A name in a text: its start, its end, and the keys it was added under."""


class NameMatcher:
    """The names that one text is searched for, under integer keys; several keys may share a name.

    The text is the result of `plain`. It may consist of many sentences that begin at `starts`, each
    after a character that is part of no name. With `many` names, a name is skipped if the text does not have
    its first word.
    """

    def __init__(self, text: str, starts: Sequence[int] = (0,), *, many: bool = False) -> None:
        # With `END` at the end, no word follows the last place, and `text[-1]`, before the first, is no word.
        self._text = text + END + END
        self._neighbours = _Neighbours(self._text, starts)
        self._words = frozenset(WORD.findall(text)) if many else None
        self._keys: dict[str, list[int]] = {}
        self._opening: dict[str, list[int]] = {}
        self._offsets: dict[str, int] = {}
        self._all_forms: dict[str, list[Sequence[Form]]] = {}
        """For each name of one word, all names of those who have it."""

    def add(self, forms: Iterable[Form], key: int) -> None:
        """Look for these forms that have a word, and report them under a key."""
        text, words = self._text, self._words
        forms = forms if isinstance(forms, Sequence) else tuple(forms)
        for name, opening, word, offset in forms:
            if word and (words is None or word in words) and name in text:
                table = self._opening if opening else self._keys
                if name not in table:
                    table[name] = [key]
                    self._offsets[name] = offset
                    if " " not in name and len(forms) > 1:
                        self._all_forms[name] = [forms]
                elif table[name][-1] != key:
                    table[name].append(key)
                    if name in self._all_forms:
                        self._all_forms[name].append(forms)

    def find(self, start: int = 0, end: int | None = None) -> list[KeyedPlace]:
        """All mentions, or those between two places, from left to right.

        None overlap, except that a name may end with another that it only adds something to.
        """
        if not self._offsets:
            return []
        mentions: list[KeyedPlace] = []
        last_start, last_end, keys_of, opening = 0, 0, self._keys, self._opening
        for word_start, _length, name_start, name in self._occurrences(
            start, len(self._text) if end is None else end
        ):
            inside = word_start < last_end or name_start < last_end
            if inside and (
                name_start + len(name) != last_end or not self._text[last_start:name_start].endswith(_ADDED)
            ):
                continue
            keys = keys_of.get(name)
            if opening and name in opening and self._neighbours.opens(name_start):
                keys = [*(keys or ()), *opening[name]]
            if keys:
                last_start, last_end = last_start if inside else name_start, name_start + len(name)
                mentions.append((name_start, last_end, keys))
        return mentions

    def _occurrences(self, first: int, last: int) -> list[tuple[int, int, int, str]]:
        """Where names are whole words and not part of a longer name.

        They come in the order of their first words, the longest first.
        """
        text = self._text
        find, capital_before = text.find, self._neighbours.capital_before
        is_part = self._neighbours.is_part_of_name
        occurrences = []
        for name, offset in self._offsets.items():
            start = find(name, first, last)
            length, single = len(name), " " not in name
            capital = name[0].isupper() or name[0].isdigit()
            while start >= 0:
                before, behind = text[start - 1], text[start + length]
                if (before in _JOINING or offset or not _is_word(before)) and (
                    behind in _BEHIND or not _continues(name, behind)
                ):
                    # Most names have no neighbour that could make them part of a longer name.
                    needs_check = capital and (
                        (behind in _JOINING and text[start + length + 1].isupper())
                        or (behind == " " and text[start + length + 1].isdigit())
                        or (single and (behind == ":" or (before in _JOINING and capital_before(start))))
                    )
                    if (
                        not needs_check
                        or not is_part(start, start + length, single)
                        or (single and self._follows_own_given_name(start, name))
                    ):
                        occurrences.append((start + offset, -length, start, name))
                start = find(name, start + 1, last)
        return sorted(occurrences)

    def _follows_own_given_name(self, start: int, name: str) -> bool:
        """Whether a family name stands behind a given name of a bearer: `Ada Holm` for `A. Holm`."""
        text, end = self._text, start + len(name)
        if name not in self._all_forms or text[start - 1] != " ":
            return False
        if text[end] in _JOINING and text[end + 1].isupper():
            return False
        given = text[text.rfind(" ", 0, start - 1) + 1 : start - 1]
        ending = f" {name}"
        return any(
            _agrees_with(given, other.text.removesuffix(ending).rpartition(" ")[2])
            for forms in self._all_forms[name]
            for other in forms
            if other.text.endswith(ending)
        )


_LEAST_ALIKE = 5
"""Shorter given names that differ in one letter are different names."""


def _agrees_with(given: str, other: str) -> bool:
    """Whether a given name in a text may be another: the same but for a letter, or that of an initial."""
    bare = other.rstrip(".")
    if len(bare) == 1:
        return given.isalpha() and given[0] == bare and bare.isupper()
    if min(len(given), len(bare)) < _LEAST_ALIKE or abs(len(given) - len(bare)) > 1:
        return given == bare
    same = next((i for i, (a, b) in enumerate(zip(given, bare, strict=False)) if a != b), len(given))
    rests = given[same:], bare[same:]
    return rests[0][1:] == rests[1][1:] or rests[0][1:] == rests[1] or rests[0] == rests[1][1:]


def places_of(text: str, names: Iterable[Form]) -> tuple[Place, ...]:
    """The places in a plain text that name one thing."""
    matcher = NameMatcher(text)
    matcher.add(names, 0)
    return tuple((start, end) for start, end, _keys in matcher.find())


def places_of_one(text: str, names_of_all: Sequence[Iterable[Form]]) -> Iterator[tuple[int, int, int]]:
    """The places in a plain text that name exactly one of several things, with its number."""
    matcher = NameMatcher(text, many=True)
    for number, names in enumerate(names_of_all):
        matcher.add(names, number)
    for start, end, keys in matcher.find():
        if len(keys) == 1:
            yield start, end, keys[0]


# Where a page names its topic: by a full name, by a part of it, by a pronoun, or not at all. All
# sentences of a page are about its topic, so a part of its name is enough ("Honsaki died in 1994").
# These places are used only to mask the name, and to see whether it is before or after the other end.

PRONOUN = re.compile(rf"\b(?:{'|'.join(sorted(PRONOUNS | {word.title() for word in PRONOUNS}))})\b")
_IN_A_PLACE = re.compile(r"\b(?:in|at|near|from|around|outside) $")
_THE_NOUN = re.compile(r"[Tt]he ([a-z]+)\b")
_SMALL = frozenset(
    (
        "the", "of", "and", "for", "from", "with", "upon", "under", "over", "into", "near",
        "saint", "von", "van", "der", "den", "des", "del", "las", "los",
    )
)  # fmt: skip


class TopicOnPage:
    """The names of a page's topic in its text, which is the text of the `NameMatcher`.

    `names` are all names including the label, joined by `BETWEEN`; empty if there is only the label.
    """

    def __init__(self, label: str, names: str, text: str, starts: Sequence[int] = (0,)) -> None:
        self._label, self._names, self._text, self._starts = label, names, text, starts

    @cached_property
    def _full(self) -> list[Place]:
        """The places of full names."""
        matcher = NameMatcher(self._text, self._starts)
        matcher.add(known_forms(self._names_or_label), 0)
        return [place[:2] for place in matcher.find()]

    @cached_property
    def _parts(self) -> NameMatcher:
        """Finds the significant words of the label."""
        matcher = NameMatcher(self._text, self._starts)
        matcher.add(_part_forms(self._label), 0)
        return matcher

    @cached_property
    def _own(self) -> tuple[set[str], str]:
        return _own_names(self._label, self._names_or_label)

    @property
    def _names_or_label(self) -> str:
        return self._names or self._label

    def owns(self, start: int, end: int) -> bool:
        """Whether the text here means the topic: its name, its family name, or a part of its name."""
        (own_names, family_name), name = self._own, self._text[start:end]
        if name in own_names or (name == family_name and not _is_in_place(self._text, start)):
            return True
        index = bisect_right(self._full, (start, len(self._text))) - 1
        return index >= 0 and end <= self._full[index][1]

    def places(self, start: int, end: int, links: Sequence[Place] = ()) -> list[Place]:
        """Where the sentence between two places names the topic; places of its links do not count."""
        first = bisect_left(self._full, (start, 0))
        places = self._full[first : bisect_left(self._full, (end, 0), first)]
        if not places:
            places = [mention[:2] for mention in self._parts.find(start, end)]
        if places and links:
            places = [
                place for place in places if not any(place[0] < to and at < place[1] for at, to in links)
            ]
        if not places and (match := PRONOUN.search(self._text, start, end)):
            places = [match.span()]
        if not places and (match := _THE_NOUN.match(self._text, start, end)):
            places = [match.span()]
        return places


def _part_forms(label: str) -> list[Form]:
    """The forms of the significant words of a topic's label, each once."""
    parts = [word_forms(word) for word in WORD.findall(clean(label)) if _is_significant(word)]
    return list(dict.fromkeys(chain.from_iterable(parts)))


def _own_names(label: str, names: str) -> tuple[set[str], str]:
    """All names of the topic, and the family name among them, if its label has one."""
    cleaned = clean(label)
    label_words = cleaned.split()
    # For Bredd Tirynach, but not for the Battle of Tirynach, nor for Gloucester, Massachusetts.
    has_family_name = (
        len(label_words) > 1 and "," not in cleaned and all(word[0].isupper() for word in label_words)
    )
    return {cleaned, *map(clean, names.split(BETWEEN))}, label_words[-1] if has_family_name else ""


def _is_in_place(text: str, start: int) -> bool:
    """Whether the name here is that of a place: the Grand Hotel Ostrell is in Ostrell."""
    return _IN_A_PLACE.search(text[max(start - 6, 0) : start]) is not None


def _is_significant(word: str) -> bool:
    return len(word) > 3 and word[0].isupper() and word.lower() not in _SMALL


# Names letter by letter, as whole words: beside a name is no letter, digit or underscore. Nothing else
# around it counts, so that "York" is found in "New York", too.


def whole_words(text: str, name: str) -> Iterator[Place]:
    """The places where a text has a name as it is written. Callers who want any case fold both."""
    start = text.find(name) if name else -1
    while start >= 0:
        end = start + len(name)
        if not _is_word(text[start - 1 : start]) and not _is_word(text[end : end + 1]):
            yield start, end
        start = text.find(name, start + 1)


class NamePattern:
    """Finds any of some names in texts, in any case and with any spaces between its words."""

    def __init__(self, names: Iterable[str]) -> None:
        spellings = {" ".join(name.split()) for name in names} - {""}
        spellings |= {name.casefold() for name in spellings if not name.isascii()}  # STRASSE for Straße
        ordered = sorted(spellings, key=lambda name: (-len(name), name))
        written = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in ordered)
        self._expression = re.compile(rf"(?<!\w)(?:{written})(?!\w)", re.IGNORECASE) if ordered else None

    def places(self, text: str) -> list[Place]:
        """The places from left to right; the longest name that begins at a place counts, and none overlap."""
        if self._expression is None:
            return []
        return [match.span() for match in self._expression.finditer(text)]
