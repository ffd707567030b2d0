"""Joining verb phrases about one thing, with shared parts only once.

`were produced by A` and `were directed by A` become `were produced and directed by A`; with different
people, `were directed by A and produced by B`. Negated phrases come last, after `but`. A comma after a clause
shows that the next words are not part of it.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rollcall.english.nouns import plural
from rollcall.english.verbs import BE, is_participle
from rollcall.wording.phrases import Parts


def listed(items: Sequence[str], word: str = "and", *, comma: bool = False) -> str:
    """A, B and C; with `comma`, there is a comma before the last item, even of two."""
    if len(items) < 2:
        return "".join(items)
    before = ", ".join(items[:-1])
    return f"{before}, {word} {items[-1]}" if comma or len(items) > 2 else f"{before} {word} {items[-1]}"


def joined(phrases: Iterable[Parts]) -> str:
    """All phrases as one predicate."""
    found = list(phrases)
    said = [phrase for phrase in found if not phrase.denied]
    denied = [phrase for phrase in found if phrase.denied]
    positive = _row(_merged(said, "and"), "and")
    negative = _row(_merged(denied, "or"), "and")
    if not said or not denied:
        return positive or negative
    return f"{positive}{',' if said[-1].heavy else ''} but {negative}"


def alternatives(phrases: Sequence[Parts]) -> str:
    """The phrases with `or`: `were directed by A or B`."""
    return _row(_merged(list(phrases), "or"), "or")


def reduced(phrases: Sequence[Parts]) -> str | None:
    """The predicate without `that were`, where every phrase allows it."""
    if len(phrases) == 1 and phrases[0].before in ("something that", "things that") and not phrases[0].denied:
        return f"that {phrases[0].filler} {phrases[0].after}"  # `a species that sabinene is found in`
    if not phrases or any(phrase.denied or not phrase.is_reducible for phrase in phrases):
        return None
    if len({phrase.verb for phrase in phrases}) > 1:
        return None
    merged = _merged(list(phrases), "and")
    return _row(merged, "and", without_verb=True)


def _merged(phrases: list[Parts], word: str) -> list[Parts]:
    return _same_filler(_same_clause(phrases, word), word)


def _same_clause(phrases: list[Parts], word: str) -> list[Parts]:
    """`were directed by A`, `were directed by B`: one phrase with both."""
    groups: dict[tuple[str, str, str], list[Parts]] = {}
    for phrase in phrases:
        groups.setdefault((phrase.verb, phrase.before, phrase.after), []).append(phrase)
    merged = []
    for members in groups.values():
        if len(members) == 1 or not all(member.filler for member in members):
            merged += members
            continue
        fillers = [member.filler for member in members]
        heavy = any(member.heavy for member in members)
        apposed = _APPOSED.search(members[0].before) if word == "and" else None
        if word == "and" and re.search(r"(?:^| )the$", members[0].before):  # `both the banjo and the lute`
            members[0] = members[0]._replace(before=members[0].before.removesuffix("the").strip())
            fillers = [f"the {filler}" for filler in fillers]
        both = "both " if word == "and" and len(fillers) == 2 and not apposed else ""
        filler = both + listed(fillers, word, comma=any(member.heavy for member in members[:-1]))
        after = _AS_NOUN.sub(_as_nouns, members[0].after)
        if members[0].before == "where":  # `where both A and B were born`
            after = re.sub(r"^was\b", "were", after)
        merged.append(
            members[0]._replace(
                before=members[0].before[: apposed.start(1)] + plural(apposed[1])
                if apposed
                else members[0].before,
                filler=filler,
                after=after if word == "and" else members[0].after,
                heavy=heavy,
            )
        )
    return merged


_APPOSED = re.compile(r"\bthe (\w+|\w+ (?:class|group|label|school|unit))$")
"""The noun that stands before a name: `feature the character A` becomes `feature the characters A and B`."""
_AS_NOUN = re.compile(r"^(as )(its |their |an? )(.+)$")


def _as_nouns(found: "re.Match[str]") -> str:
    whose = "" if found[2] in ("a ", "an ") else found[2]
    return f"{found[1]}{whose}{plural(found[3])}"


def _same_filler(phrases: list[Parts], word: str) -> list[Parts]:
    """`were produced by A`, `were directed by A`: one phrase with both participles."""
    merged: list[Parts] = []
    for phrase in phrases:
        for place, other in enumerate(merged):
            if (both := _both_participles(other, phrase, word)) is not None:
                merged[place] = both
                break
        else:
            merged.append(phrase)
    return merged


def _both_participles(left: Parts, right: Parts, word: str) -> Parts | None:
    same = (left.verb, left.filler, left.after) == (right.verb, right.filler, right.after)
    if not same or not left.filler or not _has_participle(left) or not _has_participle(right):
        return None
    left_words, _, left_end = left.before.rpartition(" ")
    right_words, _, right_end = right.before.rpartition(" ")
    if left_end != right_end or not left_words or not right_words or left.denied:
        return None
    return left._replace(before=f"{left_words} {word} {right_words} {left_end}")


def _row(phrases: list[Parts], word: str, *, without_verb: bool = False) -> str:
    """The phrases in sequence; a repeated verb is written once."""
    texts: list[str] = []
    sharing = [_shares_verb(before, phrase) for before, phrase in pairwise(phrases)]
    for number, phrase in enumerate(phrases):
        shares = without_verb or (number > 0 and all(sharing))
        texts.append(phrase.text.removeprefix(phrase.verb + " ") if shares else phrase.text)
    return listed(texts, word, comma=any(phrase.heavy for phrase in phrases[:-1]))


def _shares_verb(before: Parts, phrase: Parts) -> bool:
    """Whether a phrase may leave out its verb after another: `has X as its city and Y as its state`."""
    if before.verb != phrase.verb or before.heavy or before.denied or phrase.denied:
        return False
    if phrase.verb in BE:
        return _has_participle(before) and _has_participle(phrase)
    has = phrase.verb in ("has", "have") and not before.before and not phrase.before
    return has and before.after.startswith("as ") and phrase.after.startswith("as ")


def _has_participle(phrase: Parts) -> bool:
    first = phrase.before.split(" ")[0]
    return phrase.verb in BE and (is_participle(first) or (first.endswith("ing") and len(first) > 4))
