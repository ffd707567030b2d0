"""The relation split: training and test questions share only the relations that their kind allows.

As in the QAMPARI paper, half of the relations belong to the test side. A simple question is on the side of
its relation. A composition is on the test side if either relation is; an intersection only if both are. All
questions for the members of a list are test questions. A table composition, which asks for rows of a list, is
on the side of the list: lists are split in halves like relations.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from rollcall.questions.lots import lot

Side = Literal["train", "test"]
ALL_IN_TEST = ("table-simple",)
BOTH_IN_TEST = ("intersection",)
TABLES = ("table-simple", "table-composition")


class Drawable(NamedTuple):
    """A question before it is worded, with the fields that splitting and sampling use."""

    key: str
    kind: str
    relations: tuple[str, ...]
    """The items by which questions are split: the relations of the query, or the list of a table question."""


def split_relations(relations: Iterable[str], seed: int, test_share: float = 0.5) -> frozenset[str]:
    """The relations of the test side: a random share of all, rounded to a whole number."""
    drawn = sorted(set(relations), key=lambda relation: lot(seed, "relation", relation))
    return frozenset(drawn[: round(len(drawn) * test_share + 1e-9)])


def relations_of_test(items: Iterable[Drawable], seed: int, test_share: float = 0.5) -> frozenset[str]:
    """The relations and the lists of the test side; lists are split separately from relations."""
    relations: set[str] = set()
    lists: set[str] = set()
    for item in items:
        (lists if item.kind in TABLES else relations).update(item.relations)
    return split_relations(relations, seed, test_share) | split_relations(lists, seed, test_share)


def side(item: Drawable, test: frozenset[str]) -> Side:
    """The side a question belongs to, given the relations of the test side."""
    if item.kind in ALL_IN_TEST:
        return "test"
    inside = [relation in test for relation in item.relations]
    in_test = all(inside) if item.kind in BOTH_IN_TEST else any(inside)
    return "test" if in_test else "train"
