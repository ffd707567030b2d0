"""The table of a generated world: what is true, and which sentence states it."""

from rollcall.tables.table import Boolean, Int32, String, Table


class Truth(Table, sorted_by=None):
    """A fact (stated or not), a decoy, or a cell of a list, in the order of the pages that were generated."""

    kind = String("`fact`, `decoy` or `cell`")
    statement = String("the id of the statement in the dump")
    subject = String("the entity that the row is about")
    relation = String("the relation")
    object = String("the other entity, or the value")
    page = String("the page that the sentence or the cell is on; null if the fact is not stated")
    section = String("the heading of the section that it is in")
    sentence = String("the sentence; null if the fact is not stated, and for cells")
    wording = Int32("which of the relation's wordings the sentence uses")
    pronoun = Boolean("whether the sentence names its subject by a pronoun only")
    ended = Boolean("whether the statement has an end date")
    rank = String("the rank of the statement in the dump")
    table = Int32("the table on the page, for cells")
    row = Int32("the row of the table")
    column = Int32("the column of the table")
    text = String("the text of the cell, or of the object in the sentence")


class Changes(Table, sorted_by=None):
    """What changed from one age of a world to the next, by age and in the order of the dump.

    An answer that comes, goes or changes its name from one dump to the next does so because of such rows.
    """

    age = Int32("the age in which the change is seen first; the first that can be is 2")
    kind = String(
        "what happened: `born`, `died`, `renamed`, `added`, `corrected`, `removed`, `deprecated`, `ended`, "
        "`said` or `unsaid`"
    )
    statement = String("the id of the statement in the dump; null for `renamed`")
    subject = String("the entity that the statement is about")
    relation = String("the relation; null for `renamed`")
    before = String("the object before: an entity, a value, or the label; null if there was none")
    after = String("the object after; null if there is none, or the statement no longer counts")
    told_before = Boolean("whether a sentence stated the fact")
    told_after = Boolean("whether a sentence states it now")
