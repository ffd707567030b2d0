"""Expressing queries in English: the lexicon of relations, and the realiser for every kind of query."""

from rollcall.wording.entry import Entry
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.realise import Realiser, Wording

__all__ = ["Entry", "Lexicon", "Realiser", "Wording"]
