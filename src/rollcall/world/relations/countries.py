"""Relations of countries and their capitals, and their wordings."""

from rollcall.world.relation import Relation

COUNTRIES = [
    Relation(
        "P30",
        "continent",
        "country",
        "continent",
        """
        {S} lies in {O}.
        {S} is a country of {O}.
        {S} belongs to the continent of {O}.
        On the map of {O}, {S} occupies the middle.
        """,
        source="continent",
        clause="in {O}",
        back=True,
    ),
    Relation(
        "P36",
        "capital",
        "country|region",
        "city",
        """
        The capital of {S} is {O}.
        {S's} capital is {O}.
        {O} is the capital of {S}.
        {S} is governed from {O}, its capital.
        """,
        decoys="""
        The old road through {S} bypasses {O} altogether.
        Winters in {O} are the mildest in {S}, by official records.
        """,
        source="capital",
        back=True,
        infobox="capital",
    ),
    Relation(
        "P37",
        "official language",
        "country",
        "language",
        """
        The official language of {S} is {O}.
        {O} is an official language of {S}.
        {S} has {O} as an official language.
        By law, {O} is official in {S}.
        """,
        source="tongue",
        section=2,
        infobox="official_languages",
        decoys="""
        A printer in {S} went bankrupt over a series of {O} readers.
        """,
    ),
    Relation(
        "P35",
        "head of state",
        "country",
        "human:politician",
        """
        {S's} head of state is {O}.
        {O} has been the head of state of {S} since {start}.
        {O} is the head of state of {S}.
        The head of state of {S} is {O}, in office since {start}.
        """,
        past="""
        {O} was the head of state of {S} from {start} to {end}.
        {S's} head of state was {O} until {end}.
        As head of state, {O} led {S} from {start} to {end}.
        """,
        decoys="""
        {O} published a travel diary about {S}.
        """,
        source="leaders",
        most=4,
        ends=0.8,
        back=True,
        section=1,
        infobox="leader_name",
    ),
    Relation(
        "P530",
        "diplomatic relation",
        "country",
        "country",
        """
        {S} maintains diplomatic relations with {O}.
        {S} and {O} have diplomatic relations.
        {S} has an embassy in {O} and regular diplomatic relations with it.
        {O} has diplomatic relations with {S}.
        """,
        decoys="""
        The football teams of {S} and {O} have met eleven times.
        """,
        chance=0.9,
        most=6,
        near=False,
        section=1,
    ),
    Relation(
        "P610",
        "highest point",
        "country",
        "mountain",
        """
        The highest point of {S} is {O}.
        {O} is the highest point of {S}.
        {S} reaches its highest point at {O}.
        No place in {S} is higher than {O}.
        """,
        source="summit",
        back=True,
        infobox="highest_point",
        decoys="""
        A banknote of {S} shows {O} at dusk.
        """,
    ),
]
