"""Joining verb phrases about one thing, saying shared parts once.

`were produced by A` and `were directed by A` become `were produced and directed by A`; with different
people, `were directed by A and produced by B`. Denied phrases come last, after `but`. A comma keeps what
follows a clause from being taken for part of it.
"""

from collections.abc import Iterable, Sequence

from rollcall.wording.phrases import Parts
from rollcall.wording.verbs import BE, is_participle


def listed(items: Sequence[str], word: str = "and", *, comma: bool = False) -> str:
    """A, B and C; with `comma`, a comma before the last even of two."""
    if len(items) < 2:
        return "".join(items)
    before = ", ".join(items[:-1])
    return f"{before}, {word} {items[-1]}" if comma or len(items) > 2 else f"{before} {word} {items[-1]}"


def joined(phrases: Iterable[Parts]) -> str:
    """All phrases as one predicate."""
    found = list(phrases)
    said = [phrase for phrase in found if not phrase.denied]
    denied = [phrase for phrase in found if phrase.denied]
    positive = _conjunction(_merged(said, "and"))
    negative = _conjunction(_merged(denied, "or"))
    if not said or not denied:
        return positive or negative
    return f"{positive}{',' if said[-1].heavy else ''} but {negative}"


def reduced(phrases: Sequence[Parts]) -> str | None:
    """The predicate without `that were`, where every phrase allows it."""
    if not phrases or any(phrase.denied or not phrase.is_reducible for phrase in phrases):
        return None
    merged = _merged(list(phrases), "and")
    text = _conjunction(merged)
    return text.removeprefix(merged[0].verb + " ")


def _merged(phrases: list[Parts], word: str) -> list[Parts]:
    return _same_filler(_same_clause(phrases, word), word)


def _same_clause(phrases: list[Parts], word: str) -> list[Parts]:
    """`were directed by A`, `were directed by B`: one phrase with both."""
    groups: dict[tuple[str, str, str], list[Parts]] = {}
    for phrase in phrases:
        groups.setdefault((phrase.verb, phrase.before, phrase.after), []).append(phrase)
    merged = []
    for members in groups.values():
        fillers = [member.filler for member in members]
        heavy = any(member.heavy for member in members)
        if len(members) == 1 or (heavy and not all(member.filler for member in members)):
            merged += members
        elif word == "and" and len(fillers) == 2:
            merged.append(
                members[0]._replace(filler=f"both {listed(fillers, comma=members[0].heavy)}", heavy=heavy)
            )
        else:
            merged.append(members[0]._replace(filler=listed(fillers, word, comma=heavy), heavy=heavy))
    return merged


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
    if not same or not left.is_reducible or not right.is_reducible:
        return None
    (left_words, left_end), (right_words, right_end) = _cut(left.before), _cut(right.before)
    if left_end != right_end or not left_words or not right_words:
        return None
    return left._replace(before=f"{left_words} {word} {right_words} {left_end}")


def _cut(before: str) -> tuple[str, str]:
    words, _, end = before.rpartition(" ")
    return words, end


def _conjunction(phrases: list[Parts]) -> str:
    """The phrases in a row; an auxiliary that repeats is said once."""
    texts: list[str] = []
    for number, phrase in enumerate(phrases):
        before = phrases[number - 1] if number else None
        repeats = before is not None and before.verb == phrase.verb and phrase.verb.split(" ")[0] in BE
        shared = (
            repeats
            and before is not None
            and not before.heavy
            and _has_participle(before)
            and _has_participle(phrase)
        )
        texts.append(
            phrase.text.removeprefix(phrase.verb + " ") if shared and not phrase.denied else phrase.text
        )
    return listed(texts, comma=any(phrase.heavy for phrase in phrases[:-1]))


def _has_participle(phrase: Parts) -> bool:
    return is_participle(phrase.before.split(" ")[0])


def alternatives(phrases: Sequence[Parts]) -> str:
    """The phrases with `or`, sharing what they share: `were directed by A or B`."""
    merged = _same_filler(_same_clause(list(phrases), "or"), "or")
    texts = [merged[0].text]
    for before, phrase in zip(merged, merged[1:], strict=False):
        shared = before.verb == phrase.verb and phrase.verb in BE and not before.heavy
        shared = shared and _has_participle(before) and _has_participle(phrase)
        texts.append(phrase.text.removeprefix(phrase.verb + " ") if shared else phrase.text)
    return listed(texts, "or", comma=any(phrase.heavy for phrase in merged[:-1]))
