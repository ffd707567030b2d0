"""Relations of mountains, rivers, lakes and islands, and their wordings."""

from rollcall.world.relation import Amount, Relation

_MILES = (("Q253276", 0.621371),)
_METRES = (("Q3710", 3.28084), ("Q828224", 0.001))

NATURE = [
    Relation(
        "P2044",
        "elevation above sea level",
        "mountain",
        Amount(620, 7900, "Q11573", _METRES),
        """
        {S} rises to {O}.
        {S} is {O} high.
        The summit of {S} stands at {O}.
        With a height of {O}, {S} can be seen from the coast.
        """,
        infobox="elevation",
    ),
    Relation(
        "P4552",
        "mountain range",
        "mountain",
        "mountain range",
        """
        {S} is part of {O}.
        {S} belongs to {O}.
        {O} includes {S}.
        {S} stands in {O}, to which it belongs.
        """,
        decoys="""
        A climbing club put {S} and {O} on its membership card.
        """,
        chance=0.8,
        pool="range",
        pool_size=2,
        back=True,
        infobox="range",
    ),
    Relation(
        "P403",
        "mouth of the watercourse",
        "river",
        "river|sea|lake",
        """
        {S} flows into {O}.
        {S} empties into {O}.
        {O} receives the waters of {S}.
        After many bends, {S} reaches {O}, into which it flows.
        """,
        decoys="""
        A song names {S} in one verse and {O} in the next.
        The ice on {S} breaks later than that on {O}.
        """,
        source="mouth",
        back=True,
        infobox="mouth",
    ),
    Relation(
        "P974",
        "tributary",
        "river",
        "river",
        """
        {O} is a tributary of {S}.
        {S} has {O} as a tributary.
        Among the tributaries of {S} is {O}.
        {S} is fed by {O}, a tributary.
        """,
        source="tributaries",
        most=6,
        decoys="""
        Bargemen on {S} sing of {O}.
        """,
    ),
    Relation(
        "P885",
        "origin of the watercourse",
        "river",
        "mountain|lake",
        """
        {S} rises at {O}.
        {S} has its source at {O}.
        The source of {S} is at {O}.
        {O} is where {S} rises.
        """,
        decoys="""
        A hiking magazine once mixed up pictures of {S} and {O}.
        """,
        chance=0.8,
        pool="spring",
        pool_size=3,
        back=True,
        infobox="source",
    ),
    Relation(
        "P2043",
        "length",
        "river",
        Amount(9, 3400, "Q828224", _MILES),
        """
        {S} is {O} long.
        {S} has a length of {O}.
        The length of {S} is {O}.
        Over its course of {O}, {S} drops by little.
        """,
        infobox="length",
    ),
    Relation(
        "P200",
        "inflows",
        "lake",
        "river",
        """
        {S} is fed by {O}.
        {O} feeds {S}.
        The main inflow of {S} is {O}.
        {S} receives the water of {O}.
        """,
        decoys="""
        Of a set of five stamps, the first shows {S} and the fourth {O}.
        """,
        chance=0.6,
        most=2,
        pool="water",
        pool_size=3,
    ),
    Relation(
        "P206",
        "located in or next to body of water",
        "island",
        "sea|lake",
        """
        {S} lies in {O}.
        {S} is an island in {O}.
        {O} surrounds {S}.
        {S}, in {O}, has no airfield.
        """,
        decoys="""
        A painting in the village hall of {S} shows a storm on {O}.
        """,
        chance=0.9,
        near=False,
        clause="in {O}",
        back=True,
    ),
]
