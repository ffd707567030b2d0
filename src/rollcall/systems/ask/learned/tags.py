"""Coarse parts of speech, by word lists and endings: there is no tagger and no parser here.

They stand for the part-of-speech features of the published systems. A function word is its own tag, so that
"by" and "of" can be told apart.
"""

from collections.abc import Sequence

from rollcall.english.function_words import QUESTION_WORDS
from rollcall.english.nouns import is_plural
from rollcall.english.verb_forms import verb_form
from rollcall.english.verbs import is_participle
from rollcall.systems.ask.words import Word

_SHOWN = 4
"""Function words between two phrases that are told apart."""


def tag(word: Word) -> str:
    """The tag of a word."""
    told = word.folded
    if told in QUESTION_WORDS or told == "how":
        return "question"
    if not told[0].isalnum():
        return "mark"
    if word.is_empty:
        return "function"
    if told[0].isdigit():
        return "number"
    if is_participle(told) or verb_form(told, "past", "participle"):
        return "past"
    if verb_form(told, "gerund"):
        return "gerund"
    if is_plural(told):
        return "plural"
    return "verb" if verb_form(told, "base", "present") else "noun"


def between(words: Sequence[Word], left: int, right: int) -> str:
    """The function words between two places, which say how the phrases beside them belong together."""
    told = [word.folded for word in words[left + 1 : right] if word.is_empty]
    return " ".join(told[-_SHOWN:])


def question_word(words: Sequence[Word]) -> str:
    """The first question word; `how many` is one."""
    for place, word in enumerate(words):
        if word.folded == "how":
            return f"how {words[place + 1].folded}" if place + 1 < len(words) else "how"
        if word.folded in QUESTION_WORDS:
            return word.folded
    return "none"
