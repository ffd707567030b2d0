"""The forms of English verbs that name relations: works, worked, written, writing.

Forms are made from lists of base forms, not guessed from endings, so that `works` is known as a form of
`work`, and `stations` is not taken for a verb.
"""

import re
from functools import cache
from typing import Literal, NamedTuple

from rollcall.english.word_lists import word_list

Kind = Literal["base", "present", "past", "participle", "gerund"]

_IRREGULAR = {line.split()[0]: line.split()[1:] for line in word_list("irregular_verbs")}
_DOUBLED = re.compile(r"[^aeiou]*[aeiou][bdgmnprt]")
_SIBILANT = ("s", "sh", "ch", "x", "z", "o")


_PREFIX = re.compile(r"(?:co-?|re-?|over|under|up|down|out|pre-?|mis|dis|inter|cross-)(?=\w{4})")
"""Prefixes of verbs: upregulates, co-founded."""


class VerbForm(NamedTuple):
    """A form of a verb."""

    base: str
    kind: Kind


def third_person(base: str) -> str:
    """`works`, `carries`, `teaches`."""
    if base == "have":
        return "has"
    if re.search(r"[^aeiou]y$", base):
        return f"{base[:-1]}ies"
    return f"{base}es" if base.endswith(_SIBILANT) else f"{base}s"


def past(base: str) -> str:
    """`worked`, `wrote`."""
    return _IRREGULAR[base][0] if base in _IRREGULAR else _with_ed(base)


def participle(base: str) -> str:
    """`worked`, `written`."""
    return _IRREGULAR[base][1] if base in _IRREGULAR else _with_ed(base)


def _with_ed(base: str) -> str:
    if base.endswith("e"):
        return f"{base}d"
    if re.search(r"[^aeiou]y$", base):
        return f"{base[:-1]}ied"
    return f"{base}{base[-1] if _DOUBLED.fullmatch(base) else ''}ed"


def _gerund(base: str) -> str:
    if base.endswith("ie"):
        return f"{base[:-2]}ying"
    stem = base[:-1] if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) else base
    double = stem == base and (_DOUBLED.fullmatch(base) or past(base).startswith(f"{base}{base[-1]}"))
    return f"{stem}{base[-1] if double else ''}ing"


@cache
def _forms() -> dict[str, list[VerbForm]]:
    found: dict[str, list[VerbForm]] = {}
    lists = ("verbs", "intransitive_verbs", "verbs_by_people", "verbs_of_people")
    for base in sorted(
        {*_IRREGULAR, *(base for name in lists for base in word_list(name) if base != "born")}
    ):
        made: dict[Kind, str] = {
            "base": base,
            "present": third_person(base),
            "past": past(base),
            "participle": participle(base),
            "gerund": _gerund(base),
        }
        for kind, word in made.items():
            found.setdefault(word, []).append(VerbForm(base, kind))
    return found


def verb_form(word: str, *kinds: Kind) -> VerbForm | None:
    """The verb that a word is a form of, of one of the given kinds; None if it is none."""
    known = next((form for kind in kinds for form in _forms().get(word, ()) if form.kind == kind), None)
    if known is not None or not (found := _PREFIX.match(word)):
        return known
    rest = word[found.end() :]
    inner = next((form for kind in kinds for form in _forms().get(rest, ()) if form.kind == kind), None)
    return VerbForm(found[0] + inner.base, inner.kind) if inner else None


def is_first_a_noun(word: str) -> bool:
    """Whether the third person of a verb is, by itself, more often the plural of a noun."""
    form = verb_form(word, "present", "base")
    return form is not None and _PREFIX.sub("", form.base) in word_list("verbs_or_nouns")
