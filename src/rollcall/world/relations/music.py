"""Relations of albums, songs and bands as performers, and their wordings."""

from rollcall.world.relation import Amount, Moment, Relation

_SECONDS = (("Q11574", 60.0),)

MUSIC = [
    Relation(
        "P577",
        "publication date",
        "album|song|video game",
        Moment("year"),
        """
        {S} was released {on}.
        {S} came out {on}.
        The release of {S} {on} was accompanied by a tour of small halls.
        {on}, {S} reached the shops.
        """,
        infobox="released",
    ),
    Relation(
        "P2047",
        "duration",
        "album",
        Amount(28, 78, "Q7727", _SECONDS),
        """
        {S} lasts {O}.
        {S} has a length of {O}.
        The length of {S} is {O}.
        Altogether, {S} runs for {O}.
        """,
        chance=0.6,
        section=1,
        infobox="length",
    ),
    Relation(
        "P175",
        "performer",
        "album",
        "musical group|human:singer",
        """
        {S} was recorded by {O}.
        {O} recorded {S}.
        {S} is a record by {O}.
        {S}, which {O} recorded in nine days, sold slowly.
        """,
        decoys="""
        {O} hummed a tune from {S} during a radio interview.
        {O} found a copy of {S} in a hotel room.
        """,
        clause="by {O}",
        pool="scene act",
        pool_size=4,
        back=True,
        infobox="artist",
    ),
    Relation(
        "P175",
        "performer",
        "song",
        "musical group|human:singer",
        """
        {S} was recorded by {O}.
        {O} recorded {S}.
        {S} is sung by {O}.
        {S}, performed by {O}, is played in a slow 6/8 time.
        """,
        decoys="""
        {O} was interviewed in a café while {S} was playing.
        """,
        clause="by {O}",
        source="album performer",
        back=True,
        infobox="artist",
    ),
    Relation(
        "P361",
        "part of",
        "song",
        "album",
        """
        {S} is part of {O}.
        {S} appears on {O}.
        {O} includes {S}.
        {S} was released as part of {O}.
        """,
        decoys="""
        A quiz programme asked one question about {S} and another about {O}.
        """,
        source="album",
        back=True,
        infobox="album",
    ),
    Relation(
        "P658",
        "tracklist",
        "album",
        "song",
        """
        {S} contains {O}.
        {O} is a track on {S}.
        The track list of {S} includes {O}.
        Among the tracks of {S} is {O}.
        """,
        source="tracks",
        most=6,
        section=1,
        decoys="""
        An essay on {S} has a footnote about {O}.
        """,
    ),
    Relation(
        "P264",
        "record label",
        "musical group",
        "record label",
        """
        {S} {records/recorded} for {O}.
        {S} signed with {O}.
        {O} signed {S} after a single concert.
        The label of {S} {is} {O}.
        """,
        decoys="""
        A directory lists {S} a few lines after {O}.
        """,
        chance=0.7,
        pool="scene label",
        pool_size=2,
        section=1,
        infobox="label",
    ),
    Relation(
        "P264",
        "record label",
        "album",
        "record label",
        """
        {S} was released by {O}.
        {O} released {S}.
        {S} was issued on {O}.
        The label behind {S} is {O}.
        """,
        decoys="""
        A magazine set its review of {S} beside a report on {O}.
        """,
        chance=0.8,
        pool="scene label",
        pool_size=2,
        back=True,
        section=1,
        infobox="label",
    ),
    Relation(
        "P162",
        "producer",
        "album",
        "human:composer",
        """
        {S} was produced by {O}.
        {O} produced {S}.
        {O} acted as producer of {S}.
        The producer of {S} was {O}.
        """,
        decoys="""
        {O} called {S} a brave failure.
        """,
        chance=0.7,
        pool="scene producer",
        pool_size=3,
        back=True,
        section=1,
        infobox="producer",
    ),
    Relation(
        "P136",
        "genre",
        "album|song|musical group",
        "*music genre",
        """
        {S} is usually filed under {O}.
        The genre of {S} is {O}.
        The style of {S} is {O}.
        Reviewers described {S} as {O}.
        """,
        decoys="""
        A footnote in a book on {O} mentions {S}.
        """,
        chance=0.9,
        most=2,
        pool="genre",
        pool_size=3,
        infobox="genre",
    ),
    Relation(
        "P86",
        "composer",
        "song",
        "human:composer",
        """
        {S} was composed by {O}.
        {O} composed {S}.
        The tune of {S} is by {O}.
        The composer of {S} is {O}.
        """,
        decoys="""
        {O} taught {S} to an evening class.
        """,
        chance=0.7,
        pool="scene producer",
        pool_size=3,
        back=True,
        section=1,
    ),
    Relation(
        "P676",
        "lyrics by",
        "song",
        "human:composer..singer",
        """
        The words of {S} are by {O}.
        {O} wrote the lyrics of {S}.
        The lyrics of {S} were written by {O}.
        {S} has words by {O}.
        """,
        decoys="""
        {O} asked that {S} be played at a friend's funeral.
        """,
        chance=0.6,
        pool="scene words",
        pool_size=3,
        section=1,
    ),
]
