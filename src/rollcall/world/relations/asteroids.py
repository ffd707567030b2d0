"""Relations of asteroids, and their wordings."""

from rollcall.world.relation import Amount, Moment, Relation

ASTEROIDS = [
    Relation(
        "P61",
        "discoverer or inventor",
        "asteroid",
        "human:researcher",
        """
        {S} was discovered by {O}.
        {O} discovered {S}.
        The discovery of {S} is credited to {O}.
        {S}, which {O} discovered by accident, is very dark.
        """,
        decoys="""
        {O} gave a popular talk on {S}.
        {O} kept a drawing of {S} on the office door.
        """,
        clause="discovered by {O}",
        chance=0.95,
        pool="observers",
        pool_size=3,
        near=False,
        back=True,
        infobox="discoverer",
    ),
    Relation(
        "P575",
        "time of discovery or invention",
        "asteroid",
        Moment("year"),
        """
        {S} was discovered {on}.
        {S} was first seen {on}, the date of its discovery.
        The discovery of {S} took place {on}.
        {on}, {S} was discovered on a photographic plate.
        """,
        infobox="discovered",
    ),
    Relation(
        "P2386",
        "diameter",
        "asteroid",
        Amount(0.6, 310, "Q828224", (("Q11573", 1000.0), ("Q253276", 0.621371)), decimals=1),
        """
        {S} has a diameter of {O}.
        {S} measures {O} across.
        The diameter of {S} is {O}.
        With a diameter of {O}, {S} is hard to observe.
        """,
        chance=0.9,
        section=1,
        infobox="diameter",
    ),
]
