"""Words for a relation without an entry, made from its label alone.

Labels come in a few shapes: nouns (`director`, `city or town`), participles with a preposition (`written by`,
`moving from`), verbs (`depicts`, `has part`), and column headings with scars (`artist s nationality`,
`developer s`, `population 2011`). Each shape has one safe clause; what is none of them is treated as a noun.
"""

import re

from rollcall.wording.entry import Entry
from rollcall.wording.nouns import is_person, is_plural, singular, with_article
from rollcall.wording.said import quoted
from rollcall.wording.verbs import is_participle

_PREPOSITIONS = (
    "by in on at of for from to with after before as into under over near against among between through "
    "within during about around along via upon"
).split()
_VERBS = frozenset(
    """depicts crosses serves follows contains includes owns uses borders commemorates represents produces
    publishes operates replaces supports connects covers hosts speaks employs manufactures sponsors plays
    teaches inhabits overlooks houses carries holds influences precedes succeeds joins governs
    comprises surrounds adjoins features stars honours honors describes affects treats causes exceeds
    requires enables parallels married bore wrote won directed composed""".split()
)
_TEXT_NOUNS = frozenset("notes note comment comments description summary remarks notability".split())
_PRESENT_STATE = frozenset(
    "located situated based headquartered named related known used owned operated".split()
)
_CLEAN = re.compile(r"[\w .,'’&/()+-]+")
_YEAR = re.compile(r"^(.*[a-z)]) \(?(\d{4})\)?$")


def generic_entry(relation: str, label: str | None = None) -> Entry:
    """The entry of a relation that nobody has written one for."""
    text = cleaned(label or relation)
    words = text.split(" ")
    if len(words) > 1 and words[-1] in _PREPOSITIONS:
        return _with_preposition(relation, text, words)
    if words[0] == "has" and len(words) > 1:
        return _has(relation, text, " ".join(words[1:]).removesuffix("(s)").strip())
    if words[0] == "is" and len(words) > 1:
        return Entry(relation, text, "", f"{text} {{object}}", generic=True)
    if len(words) == 1 and words[0] in _VERBS:
        return Entry(relation, text, "", f"{text} {{object}}", generic=True)
    if len(words) == 1 and words[0] in _PREPOSITIONS:
        return Entry(relation, text, "", f"is listed with {{object}} under {quoted(text)}", generic=True)
    if len(words) == 1 and is_participle(words[0]) and words[0] != "born":
        return _participle(relation, text)
    return _noun(relation, text)


def cleaned(label: str) -> str:
    """A label without the scars of its making: `artist s nationality` is `artist's nationality`."""
    text = " ".join(label.replace("_", " ").split()).strip(" .:;-")
    if not _CLEAN.fullmatch(text):
        return quoted(text or label or "value")
    text = re.sub(r"\s*\(\s*s\s*\)", "", text)
    text = re.sub(r"\b(\w+) s$", r"\1", text)
    text = re.sub(r"\b(\w+) s (?=\w)", r"\1's ", text)
    if found := _YEAR.match(text):
        text = f"{found[1]} in {found[2]}"
    return text or label


def _with_preposition(relation: str, text: str, words: list[str]) -> Entry:
    verb = words[0]
    if is_participle(verb) or verb.endswith("ing"):
        be = "is" if verb in _PRESENT_STATE or verb.endswith("ing") else "was"
        person = words[-1] == "by"
        return Entry(
            relation,
            text,
            "",
            f"{be} {text} {{object}}",
            objects="person or thing" if person else "thing",
            generic=True,
        )
    if verb in _VERBS or (
        len(words) == 2 and words[-1] in ("by", "to", "in", "with", "for") and verb.endswith("s")
    ):
        return Entry(relation, text, "", f"{text} {{object}}", generic=True)
    article = "[a|]" if not is_plural(verb) else "[one of the|]"
    noun = " ".join(words[:-1])
    if words[-1] in ("of", "for", "to", "in", "at"):  # `member of`, `capital of`
        said = f"[{with_article(noun)}|{noun_plural(noun)}]" if not is_plural(words[-2]) else noun
        return Entry(relation, text, "", f"is {said} {words[-1]} {{object}}", generic=True)
    return Entry(relation, text, "", f"is {article} {text} {{object}}", generic=True)


def noun_plural(noun: str) -> str:
    """The plural, loaded late so that importing this module stays light."""
    from rollcall.wording.nouns import plural

    return plural(noun)


def _has(relation: str, text: str, noun: str) -> Entry:
    one = singular(noun)
    return Entry(
        relation, text, one, f"has {{object}} as [{with_article(one)}|{with_article(one)}]", generic=True
    )


def _participle(relation: str, text: str) -> Entry:
    """A heading such as `opened` or `founded`: when something was."""
    return Entry(relation, text, f"{text} date", f"was {text} {{on object}}", generic=True)


def _noun(relation: str, text: str) -> Entry:
    if text in _TEXT_NOUNS:
        return Entry(
            relation, text, text, f"has {{object}} in {{its}} {text}", plural_noun=text, generic=True
        )
    one = singular(text)
    objects = one if is_person(one) else "thing"
    return Entry(relation, text, one, f"has {{object}} as {{its}} {one}", objects=objects, generic=True)
