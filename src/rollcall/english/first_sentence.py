"""What a thing is, by the first sentence of its page: `painter` of `Orla Venn is a Norrish painter`."""

import re

from rollcall.english.nouns import singular
from rollcall.english.verbs import is_participle
from rollcall.english.word_lists import word_list

_IS = re.compile(r"\b(?:is|was|are|were) (?:an?|the|one of the|one of several|any of the) (.{2,160})")
_STOPS = word_list("prepositions") | {"who", "which", "that", "whose", "where", "and", "or", "but", "then"}
_KINDS = frozenset(
    ("type", "kind", "form", "sort", "species", "genus", "style", "class", "variety", "set", "series")
)
_GERUNDS = word_list("gerunds") | frozenset(
    (
        "playing", "consisting", "appearing", "competing", "broadcasting", "specializing", "specialising",
        "working", "running", "originating", "belonging", "extending", "living", "dating", "airing", "lying",
        "comprising", "surrounding", "dealing", "focusing",
    )
)  # fmt: skip
"""What a thing does, after its noun: `a sailor serving in the navy`."""
_QUALITIES = frozenset(
    (
        "private", "public", "small", "large", "historic", "former", "independent", "popular", "free",
        "major", "minor", "residential", "rural", "urban", "long", "short", "old", "new", "modern",
        "first", "second", "third", "fourth", "fifth", "last", "largest", "oldest", "best", "longest",
        "comprehensive", "highest", "smallest", "most", "national", "international",
        "professional", "local", "commercial",
    )
)  # fmt: skip
"""Adjectives that may stand alone before a comma: `a private, coeducational college`."""
_IN_LY = frozenset(("family", "assembly", "monopoly", "butterfly", "ally", "fly", "anomaly", "jelly"))
_WORD = re.compile(r"[^\W\d_](?:[\w'’]|-(?=\w))*")


def described_noun(sentence: str) -> str:
    """The noun by which a sentence that begins a page says what its topic is; empty if it does not."""
    found = _IS.search(sentence)
    if found is None:
        return ""
    noun = ""
    for token in found[1].split(" "):
        word = token.strip("()“”\"'")
        bare = word.rstrip(",.;:")
        if bare.lower() in _STOPS:
            if noun in _KINDS and noun not in ("species", "genus") and bare == "of":
                continue
            break
        if noun and (is_participle(bare) or bare in _GERUNDS):
            break
        if bare in _QUALITIES or (bare.endswith("ly") and bare not in _IN_LY):
            continue
        if _WORD.fullmatch(bare):
            noun = bare
        if bare != word or token != token.rstrip(",.;:)"):
            break
    return singular(noun) if noun[:1].islower() and len(noun) > 2 and not is_participle(noun) else ""
