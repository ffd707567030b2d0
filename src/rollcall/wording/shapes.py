"""The forms of questions: the wordings of a query, and one question about several patterns."""

import re
from collections.abc import Iterator

from rollcall.query import QUESTION, Query
from rollcall.wording.asides import beside
from rollcall.wording.conjoin import alternatives, joined, listed
from rollcall.wording.heads import Nouns, covering_noun, head_of
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.names_in_text import without_pauses
from rollcall.wording.naming import Naming
from rollcall.wording.question import STYLES, AskedPattern
from rollcall.wording.superlatives import greatest_value, superlative
from rollcall.wording.telling import Telling


def wordings(query: Query, lexicon: Lexicon, naming: Naming, nouns: Nouns = ()) -> Iterator[str]:
    """All wordings of a query, the best first; `nouns` replaces those of its variables, by pattern."""

    def tellings() -> list[Telling]:
        given = nouns or [{}] * len(query.patterns)
        return [
            Telling(pattern, lexicon, naming, own) for pattern, own in zip(query.patterns, given, strict=True)
        ]

    if query.aggregate in ("argmax", "argmin"):
        yield finished(superlative(tellings(), query.aggregate))
    elif query.aggregate in ("max", "min"):
        yield finished(greatest_value(tellings(), query.aggregate))
    elif len(query.patterns) > 1:
        yield finished(_united(tellings(), counted=query.aggregate == "count"))
    else:
        for style in STYLES:
            text = AskedPattern(tellings()[0], style, counted=query.aggregate == "count").text
            if text:
                yield finished(text)


def finished(text: str) -> str:
    """One line, a capital at the start, one question mark at the end."""
    text = without_pauses(" ".join(text.split())).replace("{", "(").replace("}", ")")
    text = re.sub(r"\s+([,?])", r"\1", text).rstrip(" ?")
    return text[:1].upper() + text[1:] + "?"


def _united(tellings: list[Telling], *, counted: bool) -> str:
    """`Which films were directed by A or B?`; with different openings, one question after another."""
    if not counted and (nouns := _of_either(tellings)):
        return nouns
    _generalise(tellings)
    questions = [AskedPattern(telling, "plain", counted=counted) for telling in tellings]
    openings = {question.opening for question in questions}
    if len(openings) == 1 and all(question.parts for question in questions):
        return f"{openings.pop()} {_either(questions)}"
    if counted:
        groups = [question.group for question in questions]
        return f"how many different members do these groups have in all: {listed(groups, comma=True)}"
    return listed([question.text or question.bare for question in questions], "or", comma=True)


def _of_either(tellings: list[Telling]) -> str:
    """`who are the directors of A or B`, if all patterns ask for the same objects of one name each."""
    questions = [AskedPattern(telling, "plain") for telling in tellings]
    asked = [question.asked for question in questions]
    if any(one is None or one.forward or one.child is not None for one in asked):
        return ""
    if any(question.parts or question.root.conditions[1:] for question in questions):
        return ""
    relations = {one.relation for one in asked if one is not None}
    if len(relations) != 1 or any(beside(telling) for telling in tellings):
        return ""
    entry = tellings[0].entry(relations.pop())
    others = [t.other_end(one, t.root) for t, one in zip(tellings, asked, strict=True) if one is not None]
    word = "who" if questions[0].head.person else "what"
    return f"{word} are the {entry.nouns} {entry.of} {listed(others, 'or')}" if entry.noun else ""


def _generalise(tellings: list[Telling]) -> None:
    """Use one noun that covers the answers of all patterns, if they have no class: `film`, `work`."""
    if any(telling.root.classes for telling in tellings):
        return
    noun = covering_noun([telling.heads[QUESTION].one for telling in tellings])
    for telling in tellings if noun else ():
        telling.heads[QUESTION] = head_of(noun)


def _either(questions: list[AskedPattern]) -> str:
    single = [question.parts[0] for question in questions if len(question.parts) == 1]
    plain = len(single) == len(questions) and not any(question.telling.plan.loose for question in questions)
    if plain and not any(part.denied for part in single):
        return alternatives(single)
    said = [joined(question.parts) + beside(question.telling) for question in questions]
    return f"either {listed(said, 'or', comma=True)}"
