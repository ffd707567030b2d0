"""Relations of paintings and video games, and their wordings."""

from rollcall.world.relation import Amount, Moment, Relation

PICTURES = [
    Relation(
        "P170",
        "creator",
        "painting",
        "human:painter",
        """
        {S} was painted by {O}.
        {O} painted {S}.
        {S} is a work of {O}.
        {S}, which {O} painted from memory, is unsigned.
        """,
        decoys="""
        {O} sketched visitors looking at {S}.
        {O} once offered to restore {S} for nothing.
        """,
        clause="by {O}",
        chance=0.97,
        pool="crew",
        pool_size=4,
        back=True,
        infobox="artist",
    ),
    Relation(
        "P186",
        "made from material",
        "painting",
        "*painting material",
        """
        {S} was painted with {O}.
        {S} is made of {O}, among other things.
        Traces of {O} were found on every part of {S}.
        The material of {S} is {O}.
        """,
        chance=0.8,
        section=1,
        infobox="medium",
    ),
    Relation(
        "P180",
        "depicts",
        "painting",
        "city|mountain|river|human:actor..politician",
        """
        {S} depicts {O}.
        {O} is depicted in {S}.
        The subject of {S} is {O}.
        {S} shows {O}, seen from a distance.
        """,
        decoys="""
        A guidebook lists {S} and {O} on the same page.
        """,
        chance=0.6,
        pool="crew subject",
        pool_size=4,
        back=True,
    ),
    Relation(
        "P195",
        "collection",
        "painting",
        "museum",
        """
        {S} is in the collection of {O}.
        {S} belongs to {O}.
        {O} owns {S}.
        {S} hangs in {O}, to which it belongs.
        """,
        decoys="""
        A pickpocket caught near {O} had a sketch of {S} on him.
        """,
        chance=0.8,
        pool="crew museum",
        pool_size=3,
        back=True,
        section=2,
        infobox="museum",
    ),
    Relation(
        "P135",
        "movement",
        "painting",
        "*movement",
        """
        {S} is an example of {O}.
        {S} belongs to {O}.
        Art historians count {S} as a work of {O}.
        In style, {S} belongs to {O}.
        """,
        chance=0.6,
        pool="movement",
        pool_size=2,
        section=1,
        infobox="movement",
    ),
    Relation(
        "P571",
        "inception",
        "painting",
        Moment("year"),
        """
        {S} was painted {on}.
        {S} dates from {date}.
        Work on {S} ended {on}, as its date shows.
        The date of {S} is {date}.
        """,
        infobox="year",
    ),
    Relation(
        "P2048",
        "height",
        "painting",
        Amount(24, 260, "Q174728", (("Q11573", 0.01),)),
        """
        {S} is {O} high.
        {S} has a height of {O}.
        The height of {S} is {O}.
        Without its frame, {S} is {O} high.
        """,
        chance=0.6,
        section=1,
        infobox="height",
    ),
    Relation(
        "P178",
        "developer",
        "video game",
        "business",
        """
        {S} was developed by {O}.
        {O} developed {S}.
        The developer of {S} is {O}.
        {S}, developed by {O}, was ported to other systems.
        """,
        decoys="""
        {S} and {O} were both mentioned in a debate on screen time.
        """,
        clause="developed by {O}",
        sector=2,
        chance=0.9,
        pool="crew",
        pool_size=3,
        back=True,
        infobox="developer",
        section=1,
    ),
    Relation(
        "P123",
        "publisher",
        "video game",
        "business|publisher",
        """
        {S} was published by {O}.
        {O} published {S}.
        The publisher of {S} is {O}.
        {S} was brought out by {O}.
        """,
        decoys="""
        An auction offered a copy of {S} and some old letters about {O}.
        """,
        chance=0.8,
        pool="crew house",
        pool_size=2,
        section=1,
        infobox="publisher",
    ),
    Relation(
        "P136",
        "genre",
        "video game",
        "*video game genre",
        """
        {S} is {a O}.
        By genre, {S} is {a O}.
        {S} was sold as {a O}.
        As {a O}, {S} was well received.
        """,
        chance=0.9,
        pool="crew genre",
        pool_size=3,
        infobox="genre",
    ),
    Relation(
        "P86",
        "composer",
        "video game",
        "human:composer",
        """
        {S} has music by {O}.
        {O} composed the music of {S}.
        The soundtrack of {S} was composed by {O}.
        The composer of {S} was {O}.
        """,
        chance=0.4,
        pool="crew music",
        pool_size=2,
        back=True,
        section=1,
    ),
]
