"""Finds what one sentence names when there is no list of names.

- `capital_runs`: runs of capitals, which are proper names as a rule.
- `noun_phrases`: what is named by common nouns: `caustic potash`, `the outer membrane`.
- `list_item`: what an item of a list names, where the item is no sentence.
- `called`: by which nouns a sentence calls its names: `the physicist Orla Venn`, `rivers such as the Aar`.

`rollcall.text.names` and `rollcall.text.name_lookup` find names that are known.
"""

import re
from collections.abc import Iterator, Sequence

from rollcall.text.names import Place
from rollcall.text.nouns import is_person, is_plural, singular
from rollcall.text.sentences import described_noun
from rollcall.text.verbs import is_participle, verb_form
from rollcall.text.words import COMMON, MONTHS, word_list

_CAPITAL = r"[^\W\d_a-z][\w'’.\ufffd-]*"
_RUN = re.compile(
    rf"\b{_CAPITAL}(?:\s+(?:(?:&|of|the|de|del|della|di|da|la|le|du|van|von|der|den|al|bin)\s+)*"
    rf"(?:{_CAPITAL}|\d+\b))*"
)
_LONGEST_RUN = 8
_YEAR_BEFORE = re.compile(r"\b[Tt]he (\d{4}) $")
"""Begins the name of an event: "the 1988 Winter Olympics"."""
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NO_NAMES = COMMON | {month.casefold() for month in MONTHS} | {*_DAYS, *(f"{day}s" for day in _DAYS)}
"""Words that do not begin a name, though they may be written with a capital."""
_OPENING = COMMON | word_list("vague_names") | word_list("prepositions")
"""Words that have a capital only because a sentence begins with them."""
_POSSESSIVE = re.compile(r"['’]s?$")


def capital_runs(sentence: str) -> Iterator[Place]:
    """The runs of capitals in a sentence.

    A single word that opens the sentence has a capital anyway; it is not counted. Function words before a
    name are left out.
    """
    for run in _RUN.finditer(sentence):
        start, end = run.start(), run.start() + len(run[0].rstrip(".,'’-"))
        words = sentence[start:end].split()
        opening = start == 0
        while len(words) > 1 and _is_no_part(words[0].casefold(), opening):
            start = sentence.index(words[1], start + len(words[0]))
            words, opening = words[1:], False
        if (opening and len(words) == 1) or words[0].isdigit():
            continue
        numbered = _YEAR_BEFORE.search(sentence, max(start - 10, 0), start)
        if numbered is not None and len(words) > 1:
            start = numbered.start(1)
        if len(words) > _LONGEST_RUN or end - start < 2 or _is_no_name(words):
            continue
        yield start, end


def _is_no_name(words: Sequence[str]) -> bool:
    first = words[0].casefold()
    return first in _NO_NAMES and not (first == "the" and len(words) > 1)


def _is_no_part(word: str, opening: bool) -> bool:
    """Whether a word before a name is not part of it, such as one that opens the sentence."""
    return (word in _OPENING and (opening or word != "the")) or (
        opening and (is_participle(word) or (word.endswith("ly") and len(word) > 4))
    )


# Common nouns. No tagger is needed to see where most noun phrases end: at function words, verbs and
# marks. What remains is cut to its last words, since the first ones may be verbs that no list knows.

_TOKEN = re.compile(r"[^\W\d_](?:[\w'’]|-(?=\w))*|\S")
_ENDS = _OPENING | word_list("adverbs_of_adjectives") | word_list("ends_of_phrases")
_NO_HEADS = word_list("adjectives") | word_list("loose_adjectives") | word_list("superlatives")
_MOST_WORDS = 4


_NUMBERED = re.compile(r"\b[a-z]{3,} \d{1,3}\b(?![.,]\d|[%°-]|[a-zA-Z])")


def numbered(sentence: str) -> Iterator[Place]:
    """What a noun with a number names: `group 15`, `chapter 3`."""
    for match in _NUMBERED.finditer(sentence):
        if match[0].split()[0] not in _ENDS:
            yield match.span()


def noun_phrases(sentence: str) -> Iterator[Place]:
    """The phrases of common nouns in a sentence, without articles, each of at most four words."""
    phrase: list[re.Match[str]] = []
    for token in (*_TOKEN.finditer(sentence), None):
        word = token[0] if token is not None else ""
        if token is not None and _may_be_in_phrase(word) and _follows(phrase, token, sentence):
            phrase.append(token)
            continue
        if (place := _phrase_place(phrase)) is not None:
            yield place
        phrase = [token] if token is not None and _may_be_in_phrase(word) else []


def _may_be_in_phrase(word: str) -> bool:
    if not word[:1].islower() or len(word) < 3 or word in _ENDS:
        return False
    if word.endswith("ly") or verb_form(word, "past") is not None:
        return False
    verb = verb_form(word, "present", "base")
    return verb is None or verb.base in word_list("verbs_or_nouns")


def _follows(phrase: Sequence[re.Match[str]], token: re.Match[str], sentence: str) -> bool:
    return not phrase or sentence[phrase[-1].end() : token.start()] == " "


def _phrase_place(phrase: list[re.Match[str]]) -> Place | None:
    while phrase and _is_no_head(phrase[-1][0]):
        phrase = phrase[:-1]
    while phrase and is_participle(phrase[0][0]):
        phrase = phrase[1:]
    phrase = phrase[-_MOST_WORDS:]
    return (phrase[0].start(), phrase[-1].end()) if phrase else None


def _is_no_head(word: str) -> bool:
    return word in _NO_HEADS or is_participle(word) or word.endswith("ing")


# Items of lists: a line that is no sentence names one thing, at its beginning if an explanation follows.

_BULLET = re.compile(r"(?:[-*•·–]|\d{1,3}[.)])\s+")
_EXPLAINED = re.compile(r"\s+[-–—]\s+|:\s+|\s+\(")
_LONGEST_ITEM = 8


def list_item(line: str) -> Place | None:
    """What a line names, if it is an item of a list; None for a line that is a sentence."""
    bullet = _BULLET.match(line)
    start = bullet.end() if bullet is not None else 0
    explained = _EXPLAINED.search(line, start)
    end = explained.start() if explained is not None else len(line.rstrip(" ;,"))
    item = line[start:end]
    if bullet is None and (explained is not None or line.rstrip()[-1:] in (".", "!", "?", ":", ",")):
        return None
    words = item.split()
    if not words or len(words) > _LONGEST_ITEM or item[-1] in ".!?" or words[0].casefold() in _OPENING:
        return None
    return (start, end) if any(map(str.isalpha, item)) else None


# By which noun a sentence calls a name.

_BEFORE = re.compile(r"(?:\b(the|a|an|[A-Za-z-]+) )?([a-z][a-z-]+) (?:the )?$")
_DESCRIBED = re.compile(r"(?:,| (?:is|was|are|were)) (?:an?|the|one of)\b")
_INITIALS = re.compile(r"(?:[A-Z]\. ?)+[A-Z][a-z]")
_TITLED = re.compile(
    r"\b(?:Sir|Dame|Lord|Lady|Mr|Mrs|Ms|Dr|Prof|Professor|Saint|St|King|Queen|Prince|Princess|Pope)\.? ?"
)
_LIVED = re.compile(r" \((?:born|b\.|né)|(?: \([^()]{0,40}\b\d{3,4}[^()]{0,30}[-–—][^()]{0,30}\b\d{3,4}\))")
_BORN = re.compile(r" (?:was|were) (?:also )?born\b")
_SUCH = re.compile(r"\b([A-Za-z][a-z-]+),? (?:such as|including|like|namely|are|were|:) (?:the )?$")
_OTHERS = re.compile(r",? (?:and|or) (?:many |some |several )?other ([a-z][a-z-]+(?: [a-z][a-z-]+)?)")
_LINK = re.compile(r",? (?:and|or)(?: the)? |, (?:the )?")
PERSON = "person"


def called(sentence: str, names: Sequence[Place]) -> Iterator[tuple[Place, str]]:
    """The nouns, in the singular, by which a sentence calls the names in it, which are in order."""
    group: list[Place] = []
    noun = ""
    for index, (start, end) in enumerate(names):
        linked = bool(group) and _LINK.fullmatch(sentence, group[-1][1], start) is not None
        if not linked:
            group, noun = [], _plural_before(sentence, start)
        group.append((start, end))
        if noun:
            yield (start, end), noun
        following = names[index + 1] if index + 1 < len(names) else None
        if following is None or _LINK.fullmatch(sentence, end, following[0]) is None:
            others = _OTHERS.match(sentence, end)
            if others is not None and is_plural(others[1].split()[-1]):
                for place in group:
                    yield place, singular(others[1].split()[-1])
        yield from (((start, end), own) for own in _own_nouns(sentence, start, end))


def _plural_before(sentence: str, start: int) -> str:
    before = _SUCH.search(sentence, max(start - 60, 0), start)
    return singular(before[1].lower()) if before is not None and is_plural(before[1]) else ""


def _own_nouns(sentence: str, start: int, end: int) -> Iterator[str]:
    if _DESCRIBED.match(sentence, end):
        rest = sentence[end : end + 200]
        noun = described_noun(f" is{rest[1:]}" if rest.startswith(", ") else rest.partition(". ")[0])
        if noun and noun not in _ENDS and not _is_no_head(noun):
            yield noun
    before = _BEFORE.search(sentence, max(start - 60, 0), start)
    if before is not None and before[2] not in _ENDS:
        if is_person(before[2]):
            yield singular(before[2])
        elif (
            before[1] == "the"
            and not _is_no_head(before[2])
            and verb_form(before[2], "past", "present") is None
        ):
            yield before[2]
    if (
        _INITIALS.match(sentence, start)
        or _TITLED.match(sentence, start)
        or _LIVED.match(sentence, end)
        or _BORN.match(sentence, end)
    ):
        yield PERSON
