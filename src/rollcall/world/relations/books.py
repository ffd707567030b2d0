"""Relations of books and their characters, and their wordings."""

from rollcall.world.relation import Amount, Moment, Relation

BOOKS = [
    Relation(
        "P577",
        "publication date",
        "literary work",
        Moment("year"),
        """
        {S} was published {on}.
        {S} first appeared in print {on}.
        The publication of {S} {on} went almost unnoticed.
        {on}, {S} was published in an edition of 800 copies.
        """,
        infobox="pub_date",
    ),
    Relation(
        "P50",
        "author",
        "literary work",
        "human:writer",
        """
        {S} was written by {O}.
        {O} wrote {S}.
        {O} is the author of {S}.
        {S}, which {O} wrote in a rented room, was long out of print.
        The author of {S} is {O}.
        """,
        decoys="""
        {O} mentioned {S} in a public lecture.
        {O} owned a first edition of {S}.
        {O} once left a copy of {S} on a train.
        """,
        clause="by {O}",
        chance=0.98,
        pool="crew",
        pool_size=5,
        back=True,
        infobox="author",
    ),
    Relation(
        "P110",
        "illustrator",
        "literary work",
        "human:illustrator",
        """
        {S} was illustrated by {O}.
        {O} illustrated {S}.
        The illustrations of {S} are by {O}.
        {S} appeared with drawings by {O}, its illustrator.
        """,
        chance=0.25,
        pool="crew pen",
        pool_size=2,
        back=True,
        section=1,
        infobox="illustrator",
        decoys="""
        {O} thought the typeface of {S} unreadable.
        """,
    ),
    Relation(
        "P655",
        "translator",
        "literary work",
        "human:writer",
        """
        {S} was translated by {O}.
        {O} translated {S}.
        {O} is the translator of {S}.
        A translation of {S} by {O} made it known abroad.
        """,
        decoys="""
        {O} advised a friend against reading {S}.
        """,
        chance=0.2,
        pool="crew abroad",
        pool_size=3,
        section=2,
        near=False,
    ),
    Relation(
        "P123",
        "publisher",
        "literary work",
        "publisher",
        """
        {S} was published by {O}.
        {O} published {S}.
        The publisher of {S} is {O}.
        {S} appeared with {O}, its publisher.
        """,
        decoys="""
        A catalogue of rare books lists {S} on the page before a note on {O}.
        """,
        chance=0.85,
        pool="crew house",
        pool_size=2,
        back=True,
        section=1,
        infobox="publisher",
    ),
    Relation(
        "P291",
        "place of publication",
        "literary work",
        "city",
        """
        {S} was published in {O}.
        The place of publication of {S} is {O}.
        {S} first came out in {O}.
        It was in {O} that {S} was first published.
        """,
        chance=0.5,
        pool="crew town",
        pool_size=2,
        section=1,
        decoys="""
        A bookseller in {O} refused to stock {S}.
        """,
    ),
    Relation(
        "P136",
        "genre",
        "literary work",
        "*literary genre",
        """
        {S} belongs to the genre of {O}.
        {S} is usually classed as {O}.
        By genre, {S} is {O}.
        Booksellers shelve {S} under {O}.
        """,
        decoys="""
        An essay on {O} has a footnote about {S's} title.
        """,
        chance=0.85,
        pool="crew genre",
        pool_size=3,
        infobox="genre",
    ),
    Relation(
        "P407",
        "language of work or name",
        "literary work|song|newspaper",
        "language",
        """
        {S} is in {O}.
        {S} is written in {O}.
        The language of {S} is {O}.
        Like most works of its time and place, {S} is in {O}.
        """,
        decoys="""
        A student of {O} once gave a talk on {S}.
        """,
        source="tongue",
        chance=0.8,
        infobox="language",
    ),
    Relation(
        "P1104",
        "number of pages",
        "literary work",
        Amount(48, 940),
        """
        {S} has {O} pages.
        {S} runs to {O} pages.
        The first edition of {S} has {O} pages.
        At {O} pages, {S} is of moderate length.
        """,
        chance=0.6,
        section=1,
        infobox="pages",
    ),
    Relation(
        "P1441",
        "present in work",
        "fictional character",
        "literary work",
        """
        {S} appears in {O}.
        {S} is a character in {O}.
        {O} introduces {S} in its second chapter.
        Readers of {O} meet {S} early on, as a character in the story.
        """,
        decoys="""
        A crossword had one clue about {S} and one about {O's} cover.
        """,
        source="book",
        clause="in {O}",
        back=True,
        infobox="first",
    ),
    Relation(
        "P170",
        "creator",
        "fictional character",
        "human:writer",
        """
        {S} was created by {O}.
        {O} created {S}.
        {S} is a creation of {O}.
        {S}, created by {O}, was modelled on a neighbour.
        """,
        decoys="""
        {O} once wore a badge with a picture of {S}.
        """,
        source="book author",
        chance=0.9,
        back=True,
        infobox="creator",
    ),
    Relation(
        "P106",
        "occupation",
        "fictional character",
        "*occupation",
        """
        In the story, {S} is {a O}.
        {S} works as {a O}.
        {S} is described as {a O}.
        By trade, {S} is {a O}.
        """,
        chance=0.7,
        section=1,
        infobox="occupation",
    ),
]
