"""Finds all wanted names in one text: whole words, the longest name first.

A match is never inside a longer known name (but "Marl, Norrow" names Norrow, too), nor in a run of capitals
that makes the name a part of another one ("York" in "New York", "Paris" in "Paris Saint-Germain"). Each
name is searched for separately with `str.find`: a page is searched for few names, and building an automaton
for them takes longer than it saves (`benchmarks/bench_evidence.py`).
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rollcall.text.nouns import demonyms, is_plural
from rollcall.text.words import ARTICLES, CONJUNCTIONS, PREPOSITIONS, PRONOUNS, word_list

# Other ways in which text writes the same name: initials, hyphens, capitals, accents, names of clubs.
# Input: a name, cleaned. Output: its other spellings. Each follows from the name alone, so none can mean
# another thing than a person would read in it: "P.G. Holt" is P. G. Holt, "the Norrow Shire" the Shire
# of Norrow, and "Marl United" is Marl United F.C.

_INITIALS = re.compile(r"(?<![^\W_])[A-Z]\.(?: ?[A-Z](?:\.|$))+")
_COMPASS = re.compile(r"(?:North|South|East|West)(?:west|east)?ern (?=[A-Z])")
_CLUB_FIRST = re.compile(r"^(?:[AFS]\.C\.|A?[AFS]C|[FNKS]K|CF|SV|TSV|VfB|VfL) ")
_CLUB_LAST = re.compile(r" (?:(?:A\.)?[FS]\.C\.?|A?FC|SC|CF|FK|SK|S\.K\.?)$")
_AREAS = word_list("parts_of_land") - {"state"}  # Kansas State is not a state
_SMALL = ARTICLES | PREPOSITIONS | CONJUNCTIONS


def spellings(name: str) -> list[str]:
    """The other spellings of a name, each once, without the name itself."""
    names = dict.fromkeys(_spellings(name))
    names.pop(name, None)
    return list(names)


def _spellings(name: str) -> Iterator[str]:
    if "." in name:
        yield from _initials(name)
    if "-" in name:
        yield name.replace("-", " ")
    elif " " in name and name == name.lower() and name.count(" ") == 1:
        yield name.replace(" ", "-")
    if " " in name:
        yield from _capitals(name)
        yield from _areas(name)
        yield from _clubs(name)
    if not name.isascii():
        yield _without_accents(name)


def _initials(name: str) -> Iterator[str]:
    """P. G. Holt, P.G. Holt and PG Holt."""
    match = _INITIALS.search(name)
    if match is None:
        return
    letters = [letter for letter in match[0] if letter.isupper()]
    dotted = [f"{letter}." for letter in letters]
    for initials in ("".join(dotted), " ".join(dotted), "".join(letters)):
        yield name[: match.start()] + initials + name[match.end() :]


def _capitals(name: str) -> Iterator[str]:
    """Text is free to capitalise the noun of a name: the Marl line, and the Marl Line."""
    words = name.split(" ")
    if name[0].isupper() or name[0].isdigit():
        yield " ".join(word if word in _SMALL else word[:1].upper() + word[1:] for word in words)
    if (
        words[-1].lower() in _AREAS and words[-1].istitle() and not is_plural(words[-2])
    ):  # the Five Lakes region
        yield " ".join([*words[:-1], words[-1].lower()])
    if _COMPASS.match(name):
        yield name[0].lower() + name[1:]


def _areas(name: str) -> Iterator[str]:
    """The Shire of Norrow is the Norrow Shire."""
    noun, _of, place = name.partition(" of ")
    if noun.lower() in _AREAS and place[:1].isupper():
        yield f"{place} {noun}"


def _clubs(name: str) -> Iterator[str]:
    """A club without the initials for its kind, if at least two words are left."""
    bare = _CLUB_LAST.sub("", _CLUB_FIRST.sub("", name, count=1))
    if bare != name and " " in bare:
        yield bare


def _without_accents(name: str) -> str:
    decomposed = unicodedata.normalize("NFD", name)
    return unicodedata.normalize(
        "NFC", "".join(character for character in decomposed if not unicodedata.combining(character))
    )


# Which written forms of a name count as a mention, and which names are too vague to search for. Case
# matters: a capitalised name must be written with its capitals (or another of its `spellings`). A common
# noun (all in lower case) may begin with a capital only at the start of a sentence, unless one of its
# names does. A name such as "Association football", whose later words are in lower case, may be a common
# noun that a title capitalised.

WORD = re.compile(r"\w+")
BETWEEN = "\x1f"
"""Separates the names of one entity if they are passed on as one text."""
END = "\x1e"
"""Ends every sentence of a page's text; part of no name."""


def words(line: str) -> list[str]:
    """The words of a line."""
    return line.split()


# Each character is replaced by one character, so that places in the text stay valid.
_PLAIN = (
    *((mark, "'") for mark in "’‘ʼʻ´"), *((mark, '"') for mark in "“”„"), *((mark, "-") for mark in "‐‑–—−"),
    *((mark, " ") for mark in "\u00a0\u2009\u202f"),
)  # fmt: skip
_PLAIN_TOO = (("`", "'"), ("\t", " "), ("\n", " "))
_VAGUE = frozenset(
    words(
        "a about above after again all also am an and any are as at be because been before being below "
        "between both but by can did do does doing down during each few first for from further had has have "
        "having he her here hers him his how i if in into is it its just last me more most my new no nor "
        "not now of off old on once one only or other our out over own same she should so some such than "
        "that the their them then there these they this those through to too two under until up very was we "
        "were what when where which while who whom why will with would you your yes none unknown various "
        "several many both see list"
    )
)
_BLANKS = frozenset(("n/a", "tbd", "tba", "none", "unknown"))
_ARTICLES = ("The ", "A ", "An ")
_OUTER = " \t\"'()[]{}.,;:–—-_*/\\|"


class Form(NamedTuple):
    """One way a name may be written; `opening` forms count only where a sentence begins."""

    text: str
    opening: bool = False
    word: str = ""
    """Its first word, and the place where that begins."""
    offset: int = 0


def form(text: str, opening: bool = False) -> Form:
    """A form with its first word."""
    first = text.partition(" ")[0]
    if first.isalnum():
        return Form(text, opening, first)
    match = WORD.search(text)
    return Form(text, opening, match[0], match.start()) if match else Form(text, opening)


def plain(text: str) -> str:
    """The text with one kind of apostrophe, quotation mark, hyphen and space; its length does not change."""
    for mark, kind in _PLAIN_TOO if text.isascii() else (*_PLAIN_TOO, *_PLAIN):
        if mark in text:
            text = text.replace(mark, kind)
    return text


def usable(name: str) -> bool:
    """Whether a name is specific enough to search for: not empty, one letter, a number or a function word."""
    small = name.lower()
    if len(name) < 2 or small in _BLANKS or not (name.isalpha() or any(map(str.isalpha, name))):
        return False
    return small not in _VAGUE or (name.isupper() and len(name) > 2)


def forms(names: Iterable[str], common: Iterable[str] = ()) -> list[Form]:
    """All written forms of an entity's names, each once; `common` are names known to be common nouns."""
    cleaned = dict.fromkeys(cleaned for name in names if (cleaned := clean(name)))
    nouns = {clean(name).lower() for name in common} | {name for name in cleaned if name == name.lower()}
    all_forms: dict[Form, None] = {}
    for name in cleaned:
        proper = _is_proper(name)
        own_forms = _proper_forms(name) if proper else _cased(name, nouns, cleaned) if usable(name) else []
        for spelling in (*own_forms, *map(form, spellings(name) if own_forms else ())):
            all_forms[spelling] = None
            if spelling.text.isascii():
                continue
            decomposed = unicodedata.normalize("NFD", spelling.text)
            if decomposed != spelling.text:
                all_forms[form(decomposed, spelling.opening)] = None
    anywhere = {spelling.text for spelling in all_forms if not spelling.opening}
    if len(anywhere) == len(all_forms):
        return list(all_forms)
    return [spelling for spelling in all_forms if not spelling.opening or spelling.text not in anywhere]


def word_forms(word: str) -> Sequence[Form]:
    """The forms of a capitalised word."""
    if word.isascii() and word.isalnum():
        return (Form(word, word=word),) if usable(word) else ()
    return forms((word,))


@lru_cache(maxsize=1 << 15)
def clean(name: str) -> str:
    """A name as it is searched for: in composed Unicode, with plain marks and spaces, without marks around
    it.
    """
    if not name.isascii():
        name = unicodedata.normalize("NFC", name)
    text = " ".join(plain(name).split())
    core = text.strip(_OUTER)
    return core if len(core) > 1 or core == text else text


@lru_cache(maxsize=1 << 15)
def known_forms(names: str) -> tuple[Form, ...]:
    """The forms of names joined by `BETWEEN`, cached: the same entity is searched for on many pages."""
    return tuple(forms(names.split(BETWEEN)))


def _cased(name: str, nouns: set[str], names: Container[str]) -> list[Form]:
    small = name[0].lower() + name[1:]
    capital = name[0].upper() + name[1:]
    if name == name.lower():
        return [form(name), form(capital, opening=True)] if capital != name else [form(name)]
    titled = _is_titled_noun(name)
    if titled and (name.partition(" ")[0] not in names or small in names):
        return [form(name), form(small)]  # Baltic amber, or association football
    if small in nouns:
        return [form(small), form(capital)]
    if titled:  # for the Norrish language, Norrish is enough
        return [form(small), form(capital, opening=True)]
    if name.startswith(_ARTICLES):
        return [form(name), form(small)]
    if name.startswith(("the ", "a ", "an ")):
        return [form(name), form(capital)]
    return [form(name)]


def _proper_forms(name: str) -> list[Form]:
    """A proper name as it is, and with its first word in small letters if a preposition follows that.

    Only a title capitalises it: text has "in canoeing at the 2004 Summer Olympics".
    """
    first, _blank, rest = name.partition(" ")
    if rest.partition(" ")[0] in PREPOSITIONS and first.istitle() and first.isalpha():
        return [form(name), form(f"{first.lower()} {rest}")]
    return [form(name)]


def _is_proper(name: str) -> bool:
    """Whether a capital in a later word and the lack of an article show that a name has one written form."""
    first, _blank, rest = name.partition(" ")
    return rest != rest.lower() and first.lower() not in ARTICLES


def _is_titled_noun(name: str) -> bool:
    """Whether only the first of several words has a capital, as titles write common nouns."""
    first, blank, rest = name.partition(" ")
    return (
        bool(blank)
        and first[1:] == first[1:].lower()
        and len(first) > 2
        and rest == rest.lower()
        and (not any(character.isdigit() for character in name))
    )


# What the text around a name says about it: whether it continues, opens a sentence, or is part of
# another. These are the rules of `NameMatcher`, which applies them only if simple tests do not decide.

_LANGUAGE = re.compile(r" ?[- ](?:language|speaking)\b")
_NUMBER = re.compile(
    r" \d{1,3}(?!\w|[.,]\d|[%°-]| (?:million|billion|k?m|mi|ft|miles|kilomet|met|years|people)\b)"
)
_GLOSS = re.compile(r"\(|; $")
JOINING = frozenset(" -")
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


class Neighbours:
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
        if behind in JOINING and text[end + 1 : end + 2].isupper():
            following = WORD.match(text, end + 1)
            if following is not None and self._belongs_to_name(start, text[start:end], behind, following):
                return True
        if not single or text[start - 1 : start] not in JOINING or _LANGUAGE.match(text, end):
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


_LEAST_ALIKE = 5
"""Shorter given names that differ in one letter are different names."""


def agrees_with(given: str, other: str) -> bool:
    """Whether a given name in a text may be another: the same but for a letter, or that of an initial."""
    bare = other.rstrip(".")
    if len(bare) == 1:
        return given.isalpha() and given[0] == bare and bare.isupper()
    if min(len(given), len(bare)) < _LEAST_ALIKE or abs(len(given) - len(bare)) > 1:
        return given == bare
    same = next((i for i, (a, b) in enumerate(zip(given, bare, strict=False)) if a != b), len(given))
    rests = given[same:], bare[same:]
    return rests[0][1:] == rests[1][1:] or rests[0][1:] == rests[1] or rests[0] == rests[1][1:]


def is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def continues(name: str, behind: str) -> bool:
    """Whether the character after a name belongs to its last word."""
    if behind > "\u02ff" and unicodedata.category(behind).startswith("M"):  # vowels of Indic scripts, too
        return True
    return is_word(behind) and is_word(name[-1])


_BEHIND = frozenset(" .,;:'-)" + END)
"""The characters that most often follow a name."""
_ADDED = (", ", " at the ")
"""What a longer name has before another name that it mentions, too: Marl, Norrow; rowing at the 2004 Games.
"""
Place = tuple[int, int]
"""The start and the end of a piece of text."""
Mention = tuple[int, int, Sequence[int]]
"""A name found in a text: its start, its end, and the keys it was added under."""


class NameMatcher:
    """The names that one text is searched for, under integer keys; several keys may share a name.

    The text is the result of `forms.plain`. It may consist of many sentences that begin at `starts`, each
    after a character that is part of no name. With `many` names, a name is skipped if the text does not have
    its first word.
    """

    def __init__(self, text: str, starts: Sequence[int] = (0,), *, many: bool = False) -> None:
        # With `END` at the end, no word follows the last place, and `text[-1]`, before the first, is no word.
        self._text = text + END + END
        self._neighbours = Neighbours(self._text, starts)
        self._words = frozenset(WORD.findall(text)) if many else None
        self._keys: dict[str, list[int]] = {}
        self._opening: dict[str, list[int]] = {}
        self._offsets: dict[str, int] = {}
        self._all_forms: dict[str, list[Iterable[Form]]] = {}
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

    def find(self, start: int = 0, end: int | None = None) -> list[Mention]:
        """All mentions, or those between two places, from left to right.

        None overlap, except that a name may end with another that it only adds something to.
        """
        if not self._offsets:
            return []
        mentions: list[Mention] = []
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
                if (before in JOINING or offset or not is_word(before)) and (
                    behind in _BEHIND or not continues(name, behind)
                ):
                    # Most names have no neighbour that could make them part of a longer name.
                    needs_check = capital and (
                        (behind in JOINING and text[start + length + 1].isupper())
                        or (behind == " " and text[start + length + 1].isdigit())
                        or (single and (behind == ":" or (before in JOINING and capital_before(start))))
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
        if text[end] in JOINING and text[end + 1].isupper():
            return False
        given = text[text.rfind(" ", 0, start - 1) + 1 : start - 1]
        ending = f" {name}"
        return any(
            agrees_with(given, other.text.removesuffix(ending).rpartition(" ")[2])
            for forms in self._all_forms[name]
            for other in forms
            if other.text.endswith(ending)
        )
