"""English verbs as the lexicon's clauses use them: agreement, negation, the base form after `did` and `do`.

A clause begins with its finite verb in the third person singular (`was`, `has`, `plays`, `directed`). The
plural and the negation are derived from that one form. The base of a past form is that of a known verb
(`verb_forms`), or else derived by rule, so that a user's own clause may have any verb.
"""

import re
from functools import cache
from typing import Literal, NamedTuple

from rollcall.text.words import word_list

# The forms of English verbs that name relations: works, worked, written, writing. Forms are made from
# lists of base forms, not guessed from endings, so that `works` is known as a form of `work`, and
# `stations` is not taken for a verb.

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
    forms: dict[str, list[VerbForm]] = {}
    lists = ("verbs", "intransitive_verbs", "verbs_by_people", "verbs_of_people")
    for base in sorted(
        {*_IRREGULAR, *(base for name in lists for base in word_list(name) if base != "born")}
    ):
        forms_of_base: dict[Kind, str] = {
            "base": base,
            "present": third_person(base),
            "past": past(base),
            "participle": participle(base),
            "gerund": _gerund(base),
        }
        for kind, word in forms_of_base.items():
            forms.setdefault(word, []).append(VerbForm(base, kind))
    return forms


def verb_form(word: str, *kinds: Kind) -> VerbForm | None:
    """The verb that a word is a form of, of one of the given kinds; None if it is not a verb."""
    form = next((form for kind in kinds for form in _forms().get(word, ()) if form.kind == kind), None)
    if form is not None or not (prefix := _PREFIX.match(word)):
        return form
    rest = word[prefix.end() :]
    inner = next((form for kind in kinds for form in _forms().get(rest, ()) if form.kind == kind), None)
    return VerbForm(prefix[0] + inner.base, inner.kind) if inner else None


def is_first_a_noun(word: str) -> bool:
    """Whether the third person of a verb is, by itself, more often the plural of a noun."""
    form = verb_form(word, "present", "base")
    return form is not None and _PREFIX.sub("", form.base) in word_list("verbs_or_nouns")


_PLURAL = {
    "was": "were",
    "is": "are",
    "has": "have",
    "does": "do",
    "goes": "go",
    "dies": "die",
    "lies": "lie",
}
BE = ("was", "is", "were", "are")
_PARTICIPLES = word_list("participles")
_NO_PARTICIPLES = word_list("no_participles")


def is_participle(word: str) -> bool:
    """Whether a word after `was` is a past participle, so that `that was` before it may be left out."""
    if word in _PARTICIPLES:
        return True
    return word.endswith("ed") and len(word) > 3 and word not in _NO_PARTICIPLES


def conjugated(verb: str, rest: str, *, many: bool, denied: bool) -> str:
    """A clause's finite verb, inflected and optionally negated: `were not`, `do not have`, `did not direct`.

    `rest` is the text after the verb; it distinguishes `has` in `has received` from `has` in `has a height`.
    """
    if verb in BE:
        be = {"was": "were", "is": "are"}.get(verb, verb) if many else verb
        return f"{be} not" if denied else be
    following = rest.split(" ")[0]
    if verb == "has" and (is_participle(following) or following in ("been", "had")):
        return ("have" if many else "has") + (" not" if denied else "")
    if verb in ("can", "will", "could", "would"):
        return f"{verb} not" if denied and verb != "can" else "cannot" if denied else verb
    if is_present(verb):
        base = base_of(verb)
        if denied:
            return f"{'do' if many else 'does'} not {base}"
        return base if many else verb
    return f"did not {base_of(verb)}" if denied else verb


def is_present(verb: str) -> bool:
    """Whether a finite verb is in the present tense, which ends in s in the third person singular."""
    return verb.endswith("s") and verb != "was"


def base_of(verb: str) -> str:
    """The infinitive of a verb in the third person, present or past."""
    if verb in _PLURAL:
        return {"were": "be", "are": "be"}.get(_PLURAL[verb], _PLURAL[verb])
    if is_present(verb):
        if verb.endswith("ies") and len(verb) > 4:
            return verb[:-3] + "y"
        return verb[:-2] if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")) else verb[:-1]
    form = verb_form(verb, "past", "participle")
    return form.base if form else _from_ed(verb)


_E_VERBS = word_list("verbs_in_e")


def _from_ed(verb: str) -> str:
    if not verb.endswith("ed"):
        return verb
    if verb.endswith("ied"):
        return verb[:-3] + "y"
    stem = verb[:-2]
    if stem + "e" in _E_VERBS:
        return stem + "e"
    doubled = re.search(r"[aeiou]([bdgmnprt])\1$", stem)
    if doubled:
        return stem[:-1]
    return (
        stem + "e"
        if re.search(r"(?:[cgsuvz]|[^aeioul]l)$", stem) and not stem.endswith(("ss", "ng"))
        else stem
    )
