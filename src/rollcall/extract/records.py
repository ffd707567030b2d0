"""What was read out of a corpus, before names are merged: things and statements, page by page.

A model and the rules that work without one both give these records, so that everything after them (merging,
checking, writing) is the same for both.
"""

import msgspec


class Thing(msgspec.Struct, frozen=True):
    """Something that a page names, with its class and its other names there."""

    name: str
    class_: str
    other_names: tuple[str, ...] = ()


class Statement(msgspec.Struct, frozen=True):
    """A fact as a page states it, by the names that the page uses; `object` may be a value.

    `sentence` is its number on the page; None for a row of a table, whose words are in `text`.
    """

    subject: str
    relation: str
    object: str
    sentence: int | None = None
    literal: bool = False
    text: str = ""
    subject_class: str = ""
    object_class: str = ""


class PageReading(msgspec.Struct, frozen=True):
    """What was read on one page; `topic` is the name of what it is about, if that is known."""

    page: str
    things: tuple[Thing, ...] = ()
    statements: tuple[Statement, ...] = ()
    topic: str = ""
