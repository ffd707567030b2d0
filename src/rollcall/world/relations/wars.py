"""Relations of wars and battles, and their wordings."""

from rollcall.world.relation import Amount, Moment, Relation

WARS = [
    Relation(
        "P361",
        "part of",
        "battle",
        "war",
        """
        {S} was part of {O}.
        {S} was fought in the course of {O}.
        {O} included {S}.
        {S}, part of {O}, lasted two days.
        """,
        decoys="""
        A board game lets players refight {S} and {O} in one evening.
        """,
        source="war",
        clause="of {O}",
        back=True,
        infobox="partof",
    ),
    Relation(
        "P276",
        "location",
        "battle",
        "city",
        """
        {S} took place at {O}.
        {S} was fought near the walls of {O}, its site.
        The site of {S} is {O}.
        {O} was the scene of {S}.
        """,
        decoys="""
        A schoolteacher in {O} wrote a ballad on {S}.
        """,
        near=True,
        back=True,
        infobox="place",
    ),
    Relation(
        "P585",
        "point in time",
        "battle",
        Moment("year"),
        """
        {S} took place {on}.
        {S} was fought {on}.
        The date of {S} is {date}.
        {on}, {S} was fought in thick fog.
        """,
        infobox="date",
    ),
    Relation(
        "P580",
        "start time",
        "war",
        Moment("year"),
        """
        {S} began {on}.
        {S} broke out {on}.
        The outbreak of {S} {on} had long been expected.
        {on}, {S} began with a dispute over a toll.
        """,
        infobox="date",
    ),
    Relation(
        "P582",
        "end time",
        "war",
        Moment("end"),
        """
        {S} ended {on}.
        {S} came to an end {on}.
        The end of {S} came {on}.
        {on}, {S} was ended by a treaty.
        """,
        dead=True,
        section=2,
    ),
    Relation(
        "P710",
        "participant",
        "war|battle",
        "country",
        """
        {O} took part in {S}.
        {O} was one of the parties to {S}.
        {S} was fought by {O}, among others.
        Among those who fought in {S} was {O}.
        """,
        decoys="""
        Archives in {O} hold few papers on {S}.
        """,
        source="parties",
        most=3,
        back=True,
        section=1,
        infobox="combatant",
    ),
    Relation(
        "P1120",
        "number of deaths",
        "battle|war",
        Amount(20, 90_000),
        """
        {S} cost {O} lives.
        {S} left {O} people dead.
        The number of deaths in {S} is given as {O}.
        In {S}, {O} people died.
        """,
        chance=0.7,
        section=2,
        infobox="casualties",
    ),
]
