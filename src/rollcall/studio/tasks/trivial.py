"""Whether a paraphrase says too little new: GraphQuestions removed "which city" for "what city" by hand.

Two wordings are compared without case, punctuation, plural endings and words that carry no meaning. If the
same words remain in the same order, the paraphrase is trivial; the same words in another order are a change
of structure, which is what is wanted, unless almost everything stands as before.
"""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from rollcall.english.base_form import base_form
from rollcall.english.folding import fold
from rollcall.english.function_words import ARTICLES, AUXILIARIES, DEMONSTRATIVES, QUESTION_WORDS

_WORD = re.compile(r"\w+(?:['’]\w+)?")
_EMPTY = ARTICLES | QUESTION_WORDS | AUXILIARIES | DEMONSTRATIVES | {"please", "there", "list", "name", "all"}
_ASKING = {"tell", "show", "give", "find", "me", "us"}
_LIKE = 0.95


def is_trivial(wording: str, known: str) -> bool:
    """Whether a wording repeats a known one but for words that carry no meaning."""
    new, old = _telling(wording), _telling(known)
    if not new:
        return True
    if new == old:
        return True
    return len(new) == len(old) and SequenceMatcher(None, new, old, autojunk=False).ratio() >= _LIKE


def trivial_match(wording: str, known: Iterable[str]) -> str | None:
    """The known wording that a new one repeats, if there is one."""
    return next((one for one in known if is_trivial(wording, one)), None)


def _telling(wording: str) -> list[str]:
    words = _WORD.findall(fold(wording))
    kept = [base_form(word) for word in words if word not in _EMPTY]
    while kept and kept[0] in _ASKING:
        kept.pop(0)
    return kept
