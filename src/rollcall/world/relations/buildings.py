"""Relations of stadiums, museums, towers and bridges, and their wordings."""

from rollcall.world.relation import Amount, Moment, Relation

_METRES = (("Q3710", 3.28084), ("Q828224", 0.001))
_FEET = (("Q3710", 3.28084),)

BUILDINGS = [
    Relation(
        "P571",
        "inception",
        "stadium|bridge|skyscraper",
        Moment("year"),
        """
        {S} was completed {on}.
        {S} was opened {on}.
        The opening of {S} {on} was attended by thousands.
        {on}, {S} was finished after long delays.
        """,
        section=0,
        infobox="opened",
    ),
    Relation(
        "P84",
        "architect",
        "stadium|museum|skyscraper",
        "human:architect",
        """
        {S} was designed by {O}.
        {O} designed {S}.
        The architect of {S} is {O}.
        {S}, whose architect was {O}, replaced an older structure.
        """,
        decoys="""
        {O} called the roof of {S} a missed chance.
        {O} took students to see {S}.
        """,
        chance=0.85,
        pool="builders",
        pool_size=3,
        clause="designed by {O}",
        back=True,
        section=1,
        infobox="architect",
    ),
    Relation(
        "P149",
        "architectural style",
        "museum|skyscraper|stadium",
        "*architectural style",
        """
        {S} is an example of {O}.
        {S} was built in the style of {O}.
        The style of {S} is {O}.
        In its forms, {S} follows {O}.
        """,
        chance=0.7,
        section=1,
        infobox="style",
        decoys="""
        A lecture on {O} was cancelled because of a burst pipe near {S}.
        """,
    ),
    Relation(
        "P88",
        "commissioned by",
        "stadium|museum|skyscraper|bridge",
        "business|human:politician",
        """
        {S} was commissioned by {O}.
        {O} commissioned {S}.
        It was {O} who commissioned {S}.
        The commission for {S} came from {O}.
        """,
        decoys="""
        {O} and {S} appear in the same chapter of a local history.
        """,
        chance=0.4,
        pool="builders",
        pool_size=3,
        back=True,
        section=0,
    ),
    Relation(
        "P1083",
        "maximum capacity",
        "stadium",
        Amount(1500, 96_000),
        """
        {S} seats {O}.
        {S} has a capacity of {O}.
        The capacity of {S} is {O}.
        Since the last rebuilding, {S} holds {O} people.
        """,
        chance=0.95,
        section=1,
        infobox="capacity",
    ),
    Relation(
        "P1101",
        "floors above ground",
        "skyscraper",
        Amount(24, 118),
        """
        {S} has {O} floors.
        {S} rises over {O} floors.
        There are {O} floors in {S}.
        With {O} floors, {S} was the talk of the town.
        """,
        chance=0.9,
        section=1,
        infobox="floors",
    ),
    Relation(
        "P2048",
        "height",
        "skyscraper",
        Amount(92, 540, "Q11573", _FEET),
        """
        {S} is {O} tall.
        {S} has a height of {O}.
        The height of {S} is {O}.
        At {O}, {S} overlooks the harbour.
        """,
        chance=0.9,
        section=1,
        infobox="height",
    ),
    Relation(
        "P1174",
        "visitors per year",
        "museum",
        Amount(4_000, 2_600_000, steps=100),
        """
        {S} has {O} visitors a year.
        {S} is seen by {O} visitors a year.
        The number of visitors to {S} is {O} a year.
        Each year, {S} counts {O} visitors.
        """,
        chance=0.8,
        section=2,
        infobox="visitors",
    ),
    Relation(
        "P177",
        "crosses",
        "bridge",
        "river|lake",
        """
        {S} crosses {O}.
        {S} spans {O}.
        {O} is crossed by {S}.
        {S}, which crosses {O}, carries two lanes of traffic.
        """,
        decoys="""
        A watercolour of {O} hangs in an office that also has a photograph of {S}.
        """,
        chance=0.95,
        pool="water",
        pool_size=2,
        back=True,
        infobox="crosses",
    ),
    Relation(
        "P2043",
        "length",
        "bridge",
        Amount(28, 4200, "Q11573", _METRES),
        """
        {S} is {O} long.
        {S} has a length of {O}.
        The length of {S} is {O}.
        From end to end, {S} measures {O}.
        """,
        chance=0.9,
        section=1,
        infobox="length",
    ),
    Relation(
        "P186",
        "made from material",
        "bridge",
        "*building material",
        """
        {S} is made of {O}.
        {S} was built of {O}.
        The material of {S} is {O}.
        Unlike its predecessor, {S} is made of {O}.
        """,
        chance=0.8,
        section=1,
        infobox="material",
    ),
    Relation(
        "P287",
        "designed by",
        "bridge|ship|automobile model",
        "human:engineer|human:architect",
        """
        {S} was designed by {O}.
        {O} designed {S}.
        {O} is the designer of {S}.
        The design of {S} is by {O}.
        """,
        decoys="""
        {O} photographed {S} in heavy rain.
        """,
        chance=0.5,
        pool="builders",
        pool_size=3,
        clause="designed by {O}",
        back=True,
        section=1,
        infobox="designer",
    ),
    Relation(
        "P138",
        "named after",
        "award|asteroid|bridge",
        "human:writer..researcher",
        """
        {S} is named after {O}.
        {S} was named in honour of {O}.
        {O} gave {S} its name.
        {S} bears the name of {O}.
        """,
        decoys="""
        {O} was asked to say a few words about {S}.
        """,
        source="namesake",
        back=True,
        section=0,
    ),
]
