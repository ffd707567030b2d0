"""A number has its noun in the singular where it is one."""

import pytest

from rollcall.text.nouns import counted, counted_kinds


@pytest.mark.parametrize(
    ("number", "words", "said"),
    [
        (0, ("page",), "0 pages"),
        (1, ("page",), "1 page"),
        (2000, ("page",), "2,000 pages"),
        (1, ("question has", "questions have"), "1 question has"),
        (2, ("entity", "entities"), "2 entities"),
    ],
)
def test_a_noun_agrees_with_its_number(number: int, words: tuple[str, ...], said: str) -> None:
    assert counted(number, *words) == said


def test_kinds_that_begin_with_a_plural_are_said_of_one_in_the_singular() -> None:
    counts = {"documents without text": 1, "files of other kinds (.png)": 2, "properties of relationships": 1}
    assert counted_kinds(counts) == (
        "1 document without text, 2 files of other kinds (.png), 1 property of relationships"
    )
    removed = {"fewer than 3 answers": 1, "facts that no sentence was found to state": 1}
    assert counted_kinds(removed, "; ") == (
        "1 fewer than 3 answers; 1 fact that no sentence was found to state"
    )
