"""English nouns: plurals, a or an, and whether a noun means a person.

Plurals come from the library `inflect`, corrected where class labels need it (`human` becomes `people`, the
head of `body of water` is its first word). The library is loaded on first use, because loading is slow.
"""

import re
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from types import ModuleType
from typing import TYPE_CHECKING

from rollcall.text.verbs import is_participle
from rollcall.text.words import NOUNS_IN_IE, word_list, word_table

if TYPE_CHECKING:
    import inflect


_IRREGULAR = word_table("plurals")
_SPLIT = re.compile(
    r"^(.+?)( (?:of|in|on|at|by|for|from|to|with|or|and|above|per|that|who|when|where|under|as|given|used"
    r"|listed) .+)$"
)
_PARTICLES = frozenset(("up", "by"))
"""Particles that follow the noun of a compound: runner up, passer by."""
_PERSON_WORDS = word_list("people")
_PERSON_LABELS = word_list("people_as_a_whole")


@cache
def _engine() -> "inflect.engine":
    with _types_unchecked():
        import inflect
    return inflect.engine()


@contextmanager
def _types_unchecked() -> Iterator[None]:
    """Import a library without the checks of types that `typeguard` compiles into its functions.

    Compiling `inflect` again takes seconds, and the types of our calls are checked before they run.
    """
    library = ModuleType("typeguard")
    library.typechecked = lambda function: function  # type: ignore[attr-defined]
    before = sys.modules.get("typeguard")
    sys.modules["typeguard"] = library
    try:
        yield
    finally:
        if before is None:
            del sys.modules["typeguard"]
        else:
            sys.modules["typeguard"] = before


@lru_cache(maxsize=65536)
def plural(noun: str) -> str:
    """The plural of a noun phrase: `body of water`, `city or town`, `editor-in-chief`, `series`."""
    if noun.lower() in _IRREGULAR:
        return _IRREGULAR[noun.lower()]
    if " or " in noun:
        return "".join(
            part if part in (", ", " or ") else plural(part) for part in re.split(r"(, | or )", noun)
        )
    if match := _SPLIT.match(noun):
        return plural(match[1]) + match[2]
    before, space, last = noun.rpartition(" ")
    if last.lower() in _IRREGULAR:
        irregular = _IRREGULAR[last.lower()]
        return f"{before}{space}{irregular}" if " of " not in irregular else noun
    if not last or not last[-1].isalpha():
        return noun
    if last.endswith(("-in-chief", "-in-law")):
        head, _, rest = last.partition("-")
        return f"{before}{space}{plural(head)}-{rest}"
    if is_plural(last):
        return noun
    if before and _follows_its_noun(last):
        return f"{plural(before)} {last}"
    return f"{before}{space}{_plural_word(last)}"


def _follows_its_noun(word: str) -> bool:
    """Whether the noun comes before this last word: a participle (`book sold`) or a particle."""
    return word in _PARTICLES or is_participle(word)


def _plural_word(word: str) -> str:
    if word[0].isupper() and word.isupper():
        return word + "s"
    return _settled_plural(word) or str(_engine().plural_noun(word)) or word + "s"


# Nouns covered by these rules need no library; loading it takes longer than wording a thousand queries.
_ADDS_S = re.compile(
    r"(?:[bcdgklnprtw]|[^u]m|[gp]th|(?:ea|ir|ow)th|[aeiou]y|[^aeious]e|ee|vie|gue|[aeiou][bcdgklmnprtvz]e"
    r"|[aeiur]se|[aeo][nr]a|[dr]ea|museum|stadium|album)$"
)
_ADDS_ES = re.compile(r"(?:sh|tch|nch|urch|oach|each|oss|ess|[ao]ss)$")
_ENDS_IN_Y = re.compile(r"[a-z][bcdfghklmnprstvwxz]y$")
_IRREGULAR_ENDING = re.compile(
    r"(?:man|men|foot|tooth|child|ox|craft|ware|deer|bison|salmon|trout|cod|squid|shrimp|swine|equipment|cattle"
    r"|rion|enon|nel|kin|folk|brethren|homework|offspring|corn|rice|wheat|information|bacon|data|elk|person"
    r"|fe|dice|penny|money|cherub|seraph|hedron|taxon|fish|ouse|oose|people|era|ina|ora|ona)$"
)


def _settled_plural(word: str) -> str:
    """The plural of a word that follows a simple rule; None for other words."""
    if _IRREGULAR_ENDING.search(word):
        return ""
    if _ADDS_S.search(word):
        return word + "s"
    if _ENDS_IN_Y.search(word):
        return word[:-1] + "ies"
    return word + "es" if _ADDS_ES.search(word) else ""


@lru_cache(maxsize=65536)
def is_plural(word: str) -> bool:
    """Whether a single word is a plural noun."""
    lower = word.lower()
    if lower.endswith(("people", "children")) or lower in _PLURALS:
        return True
    if not lower.endswith("s") and not lower.endswith(("men", "feet", "mice", "teeth")):
        return False
    if lower[:-1] in _PERSON_WORDS or lower[:-1] in word_list("nouns_like_adjectives"):
        return True  # critics and topics, but not politics
    if len(lower) < 4 or lower.endswith(("ss", "us", "is", "ics")) or lower in _SINGULAR_IN_S:
        return False
    if _plain_stem(lower):
        return True
    return bool(_engine().singular_noun(lower))


def _plain_stem(word: str) -> str:
    """The singular of a plural formed by a simple rule; None for other words."""
    if word.endswith(("ives", "ses")):  # lives, and archives; gases, and phases
        return ""
    if word[:-1] in NOUNS_IN_IE and word.endswith("s"):
        return word[:-1]
    for stem in (word[:-2], word[:-3] + "y", word[:-1]):
        if len(stem) > 2 and _settled_plural(stem) == word:
            return stem
    return ""


_PLURALS = frozenset(("men", "women", "series", "species", "media", "alumni", "alumnae"))
_SINGULAR_IN_S = word_list("singular_in_s")


@lru_cache(maxsize=65536)
def singular(noun: str) -> str:
    """The singular of a noun phrase, or the phrase itself if it is not plural."""
    if noun == "people":
        return "person"
    if " or " in noun and " of " not in noun:
        return " or ".join(singular(part) for part in noun.split(" or "))
    if match := _SPLIT.match(noun):
        return singular(match[1]) + match[2]
    before, space, last = noun.rpartition(" ")
    if before and _follows_its_noun(last):
        return f"{singular(before)} {last}"
    if not is_plural(last) or last.lower() in ("series", "species", "media"):
        return noun
    return f"{before}{space}{_plain_stem(last) or _engine().singular_noun(last)}"


def head_word(noun: str) -> str:
    """The word of a noun phrase that says what is meant: `country` of `host country`."""
    match = _SPLIT.match(noun)
    return (match[1] if match else noun).split(" ")[-1]


_SILENT_H = re.compile(r"(?:hour|honest|honou?r|heir)", re.I)
_LIKE_YOU = re.compile(
    r"(?:eu|ewe|ubi|uti|uni(?![ndm])|us[aeiu]|uk|ur[aeiou]|ut[aeiou]|u\b|one\b|once|one-)", re.I
)
_SPOKEN_WITH_VOWEL = "AEFHILMNORSX"
"""Letters whose names begin with a vowel: an MP, a UFO."""


def with_article(phrase: str) -> str:
    """The phrase with the indefinite article, `a` or `an` by sound."""
    return f"{'an' if _begins_with_vowel(phrase) else 'a'} {phrase}"


def _begins_with_vowel(phrase: str) -> bool:
    word = phrase.lstrip("“\"'(").split(" ")[0].rstrip("”\"').,")
    if not word:
        return False
    if word[0].isdigit():
        return re.match(r"8|1[18](?:\D|$)|1[18]\d\d$", word) is not None
    if word.isalpha() and (len(word) == 1 or word.isupper()):
        return word[0].upper() in _SPOKEN_WITH_VOWEL
    if _LIKE_YOU.match(word):
        return False
    folded = unicodedata.normalize("NFD", word[0])[0].lower()
    return folded in "aeiou" or _SILENT_H.match(word) is not None


@lru_cache(maxsize=65536)
def is_person(noun: str) -> bool:
    """Whether a noun means people, by its head: `film director`, `members of the crew`, `mayors`."""
    match = _SPLIT.match(noun)
    words = (match[1] if match else noun).lower().split(" ")
    head = words[-2] if len(words) > 1 and _follows_its_noun(words[-1]) else words[-1]
    if head in ("name", "title"):
        return False
    singular_head = singular(head) if is_plural(head) else head
    if " ".join((*words[:-1], singular_head)) in _PERSON_LABELS and not match:
        return True
    return (
        head in _PERSON_WORDS
        or singular_head in _PERSON_WORDS
        or singular_head.endswith(("ologist", "woman", "people"))
    )


# Numbers with their nouns, as messages have them: `1 page`, `2,000 pages`.


def counted(number: int, one: str, several: str | None = None) -> str:
    """A number with its noun."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def counted_kinds(counts: Mapping[str, int], separator: str = ", ") -> str:
    """Numbers with what they count; a kind may begin with a noun in the plural: `1 file of other kinds`."""
    return separator.join(
        f"{number:,} {kind if number != 1 else _of_one(kind)}" for kind, number in counts.items()
    )


def _of_one(kind: str) -> str:
    noun, space, rest = kind.partition(" ")
    return f"{singular(noun)}{space}{rest}"


# Adjectives of lands: `French` of France, `South Korean` of South Korea. Annotated text names a land by
# whatever word stands in it, so that a graph made from it has places called `French`. A question can say
# that something is French, not that it is in French.

_LANDS = {adjective: names.split(" | ") for adjective, names in word_table("demonyms").items()}
_NAMES = {land: names.split(" | ") for land, names in word_table("land_names").items()}
_SAME = {name: land for land, names in _NAMES.items() for name in names}
_SIDES = frozenset(("North", "South", "East", "West", "Northern", "Southern", "Eastern", "Western", "Latin"))


def land_of(name: str) -> str:
    """The land of which a name is the adjective; empty if it is not an adjective of a land."""
    side, _, rest = name.rpartition(" ")
    if name not in _LANDS and side in _SIDES and rest in _LANDS:
        return f"{side} {_LANDS[rest][0]}"
    return _LANDS[name][0] if name in _LANDS else ""


@cache
def demonyms() -> dict[str, list[str]]:
    """The names of lands with their adjectives."""
    by_name: dict[str, list[str]] = {}
    for adjective, names in _LANDS.items():
        for name in names:
            by_name.setdefault(name, []).append(adjective)
    return by_name


@cache
def lands_with_names() -> dict[str, list[str]]:
    """The names of lands that have several, each with the others."""
    groups = ((land, *names) for land, names in _NAMES.items())
    return {name: [other for other in group if other != name] for group in groups for name in group}


def one_name(land: str) -> str:
    """One name for a land that has several: `United States` for `U.S.`; any other name as it is."""
    bare = land.removeprefix("the ")
    return _SAME.get(bare, bare)


# Activities (sports, crafts, fields of study, instruments), and the nouns for those who do them.


@cache
def practitioners() -> dict[str, list[str]]:
    """The nouns for those who do an activity, by its name in small letters."""
    return {activity: nouns.split(" | ") for activity, nouns in word_table("practitioners").items()}


def activity_in_text(name: str) -> str:
    """A known activity as running text writes it, whatever capitals a table gives it; empty for others."""
    small = name.lower()
    if small not in practitioners():
        return ""
    return name if land_of(name.split(" ")[0].capitalize()) else small
