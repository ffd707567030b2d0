"""English verbs as the lexicon's clauses use them: agreement, negation, the base form after `did` and `do`.

A clause begins with its finite verb in the third person singular (`was`, `has`, `plays`, `directed`). The
plural and the negation are derived from that one form. The base of a past form is that of a known verb
(`verb_forms`), or else derived by rule, so that a user's own clause may have any verb.
"""

import re

from rollcall.english.verb_forms import verb_form
from rollcall.english.word_lists import word_list

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
        said = {"was": "were", "is": "are"}.get(verb, verb) if many else verb
        return f"{said} not" if denied else said
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
    known = verb_form(verb, "past", "participle")
    return known.base if known else _from_ed(verb)


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
