"""Saying queries in English: the lexicon of relations and the realiser that words every query shape."""

from rollcall.wording.entry import Entry
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.realise import Realiser, Wording

__all__ = ["Entry", "Lexicon", "Realiser", "Wording"]
