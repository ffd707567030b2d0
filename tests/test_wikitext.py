"""Wikitext to text: what each piece of markup must give."""

import pytest

from markup_cases import CASES
from rollcall.corpus.wikitext import parse

ROWS = [(group, wikitext, text) for group, rows in CASES.items() for wikitext, text in rows]


@pytest.mark.parametrize(("group", "wikitext", "text"), ROWS)
def test_markup_gives_its_text(group, wikitext, text):
    assert parse(wikitext).text == text.replace("|", "\n").replace("∣", "|")
