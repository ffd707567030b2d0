"""The tables of groups, from which simple queries are mined.

A group is a relation, the end of its facts that is asked for, and an entity: everything that has the relation
to the entity.
"""

from rollcall.tables.table import Int64, String, Table, columns


class Group(Table):
    """A group."""

    relation = String("the relation")
    direction = String("the end of the relation's facts that is asked for: `subject` or `object`")
    entity = String("the entity at the other end")


BY_GROUP = list(columns(Group))
BY_RELATION = ["relation", "direction"]


class Sizes(Group):
    """A group with any number of answers."""

    answers = Int64("how many answers it has")


class Groups(Sizes):
    """A group with enough answers."""


class Members(Group):
    """An answer of a group."""

    answer = String("the answer")


class TypedGroups(Group):
    """A group, or the part of it whose answers have a class."""

    class_id = String("the class of the answers, if any")
    answers = Sizes.answers


class KeyedGroups(TypedGroups):
    """A group as a simple query."""

    key = String("the key of the query")
