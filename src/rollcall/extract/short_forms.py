"""Whether one name is a shorter way to write another: a family name, initials, a firm without its form.

A short form counts on one page, where the full name says who is meant ("Venn" after "Orla Venn"). Only what
is short in a way that names nobody else counts everywhere: a firm with and without its legal form.
"""

import re

from rollcall.english.function_words import ARTICLES, CONJUNCTIONS, PREPOSITIONS

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def words_of(name: str) -> list[str]:
    """The words of a name, folded or not, without marks."""
    return _WORD.findall(name)


_SMALL = ARTICLES | CONJUNCTIONS | PREPOSITIONS
_PLACE_WORDS = frozenset(
    words_of(
        "new old north south east west northern southern eastern western upper lower great greater little "
        "saint st san santa los las fort mount lake port cape central"
    )
)
"""Words that make another name of one: New York is not York."""
_KINDS = frozenset(
    words_of(
        "county valley river lake island islands bay district province region mountains park street road "
        "bridge station airport university college school council church cathedral museum party army"
    )
)
"""Words that make another thing of a name: Albany County is not Albany."""
_LEGAL_FORMS = frozenset(
    words_of(
        "inc incorporated ltd limited llc llp plc corp corporation co company gmbh ag kg se sa sas sarl srl "
        "spa bv nv oy ab as asa aps kk pty group holding holdings"
    )
)


def is_short_for(short: str, full: str) -> bool:
    """Whether a name (folded) is a short form of a longer one, on a page that has both."""
    few, many = words_of(short), words_of(full)
    if not few or len(few) >= len(many):
        return _is_with_initials(few, many) if len(few) == len(many) else False
    if without_legal_form(full) == " ".join(few):
        return True
    if few == many[-len(few) :]:  # the last words: a family name
        return not _PLACE_WORDS & set(many[: -len(few)]) and not _SMALL & set(many)
    if few == many[: len(few)]:  # the first words: a given name, a firm
        other_kind = many[len(few)] in _SMALL or many[-1] in _KINDS
        return len(few[0]) > 2 and not other_kind and not _PLACE_WORDS & set(few)
    return is_acronym_of(short, full) or _is_with_initials(few, many)


def is_acronym_of(short: str, full: str) -> bool:
    """Whether a name (folded) is the first letters of the words of another one."""
    few, many = words_of(short), words_of(full)
    letters = "".join(word[0] for word in many if word not in _SMALL)
    return len(few) == 1 and len(few[0]) > 1 and few[0] in (letters, "".join(word[0] for word in many))


def _is_with_initials(few: list[str], many: list[str]) -> bool:
    """Whether the last words are the same, and the others stand as initials: `j smith`, `j r smith`."""
    if len(few) < 2 or few == many or few[-1] != many[-1]:
        return False
    initials, given = few[:-1], many[:-1]
    return (
        all(len(one) == 1 for one in initials)
        and any(len(one) > 1 for one in given)
        and [word[0] for word in given][: len(initials)] == initials
    )


def without_legal_form(name: str) -> str:
    """A name (folded) without the legal form of a firm at its end: `nordwerk` of `nordwerk ag`."""
    words = words_of(name)
    while len(words) > 1 and words[-1] in _LEGAL_FORMS:
        words.pop()
    return " ".join(words)
