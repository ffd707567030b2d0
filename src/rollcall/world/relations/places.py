"""Relations of regions, cities and other places, and their wordings."""

from rollcall.world.relation import Amount, Moment, Relation, Words

_FEET = (("Q3710", 3.28084),)
_AREA = (("Q35852", 100.0), ("Q232291", 0.386102))

PLACES = [
    Relation(
        "P1082",
        "population",
        "country",
        Amount(180_000, 90_000_000, steps=1000),
        """
        {S} has a population of {O}.
        {S} has {O} inhabitants.
        The population of {S} is {O}.
        About {O} people live in {S}.
        """,
        past="""
        In {start}, {S} had a population of {O}.
        The census of {start} counted {O} inhabitants in {S}.
        """,
        source="population",
        section=2,
        infobox="population",
    ),
    Relation(
        "P1082",
        "population",
        "city|island",
        Amount(320, 1_900_000),
        """
        {S} has a population of {O}.
        {S} has {O} inhabitants.
        The population of {S} is {O}.
        About {O} people live in {S}.
        """,
        past="""
        In {start}, {S} had a population of {O}.
        The census of {start} counted {O} inhabitants in {S}.
        """,
        source="population",
        section=2,
        infobox="population",
    ),
    Relation(
        "P1082",
        "population",
        "region",
        Amount(40_000, 6_000_000),
        """
        {S} has a population of {O}.
        {S} has {O} inhabitants.
        The population of {S} is {O}.
        About {O} people live in {S}.
        """,
        past="""
        In {start}, {S} had a population of {O}.
        The census of {start} counted {O} inhabitants in {S}.
        """,
        source="population",
        section=2,
        infobox="population",
    ),
    Relation(
        "P2046",
        "area",
        "country",
        Amount(30_000, 900_000, "Q712226", _AREA[1:]),
        """
        {S} covers an area of {O}.
        {S} has an area of {O}.
        The area of {S} is {O}.
        With its outer islands, {S} extends over {O}.
        """,
        infobox="area",
    ),
    Relation(
        "P2046",
        "area",
        "region",
        Amount(900, 26_000, "Q712226", _AREA[1:]),
        """
        {S} covers an area of {O}.
        {S} has an area of {O}.
        The area of {S} is {O}.
        With its outer islands, {S} extends over {O}.
        """,
        infobox="area",
    ),
    Relation(
        "P2046",
        "area",
        "city|lake|island",
        Amount(0.8, 420, "Q712226", _AREA, decimals=1),
        """
        {S} covers an area of {O}.
        {S} has an area of {O}.
        The area of {S} is {O}.
        Measured in 1974, {S} extends over {O}.
        """,
        chance=0.7,
        infobox="area",
    ),
    Relation(
        "P17",
        "country",
        "region|city|mountain range|mountain|lake|river|island",
        "country",
        """
        {S} is in {O}.
        {S} lies in {O}.
        {S} belongs to {O}.
        {O} is the country in which {S} lies.
        """,
        decoys="""
        An atlas printed in {O} leaves {S} out.
        Geologists from {O} surveyed {S} in the 1930s.
        """,
        source="country",
        clause="in {O}",
        infobox="country",
    ),
    Relation(
        "P17",
        "country",
        "university|business|studio|record label|publisher|broadcaster|political party|sports league"
        "|stadium|sports team|newspaper|museum|bridge|skyscraper|award|language|position",
        "country",
        """
        {S} {is} in {O}.
        {S} {belongs/belonged} to {O}.
        The country of {S} {is} {O}.
        {O} {is} the country of {S}.
        """,
        decoys="""
        A delegation from {O} was shown a film about {S}.
        {S} figures in a school reader used all over {O}.
        """,
        source="country",
        chance=0.9,
        clause="in {O}",
        infobox="country",
    ),
    Relation(
        "P131",
        "located in the administrative territorial entity",
        "city|mountain|lake|island",
        "region",
        """
        {S} is located in {O}.
        {S} lies in {O}.
        {S} is part of {O}.
        {O} is the region in which {S} lies.
        """,
        decoys="""
        A calendar shows {S} in May and a view of {O} in June.
        A choir sang one song about {S} and two about {O}.
        """,
        source="home",
        back=True,
        infobox="region",
    ),
    Relation(
        "P571",
        "inception",
        "city|country",
        Moment("year"),
        """
        {S} was founded {on}.
        {S} was first mentioned in a charter {on}, which counts as its foundation.
        The foundation of {S} dates from {date}.
        Chronicles say that {S} was founded {on}.
        """,
        chance=0.7,
        section=1,
        infobox="established",
    ),
    Relation(
        "P6",
        "head of government",
        "city",
        "human:politician",
        """
        {S} is led by its mayor, {O}.
        {O} has been mayor of {S} since {start}.
        {O} is the mayor of {S}.
        The mayor of {S} is {O}.
        """,
        past="""
        {O} was mayor of {S} from {start} to {end}.
        {S} was led by {O} as mayor until {end}.
        The mayor of {S} until {end} was {O}.
        """,
        decoys="""
        {O} lost a libel case in a court at {S}.
        """,
        source="leaders",
        chance=0.6,
        most=3,
        ends=0.7,
        back=True,
        section=1,
        infobox="leader_name",
    ),
    Relation(
        "P206",
        "located in or next to body of water",
        "city",
        "river|lake",
        """
        {S} lies on {O}.
        {S} stands on the banks of {O}.
        {O} washes the walls of {S}.
        {S}, on {O}, was once a ferry town.
        """,
        decoys="""
        A ballad tells of a fisherman on {O} and his sister in {S}.
        """,
        chance=0.6,
        pool="water",
        pool_size=3,
        back=True,
    ),
    Relation(
        "P190",
        "twinned administrative body",
        "city",
        "city",
        """
        {S} is twinned with {O}.
        {O} is a twin town of {S}.
        {S} has {O} as a twin town.
        A twinning agreement links {S} with {O}.
        """,
        decoys="""
        The orchestra of {S} once played in {O}.
        """,
        chance=0.3,
        most=3,
        near=False,
        section=2,
    ),
    Relation(
        "P281",
        "postal code",
        "city",
        Words("code"),
        """
        The postal code of {S} is {O}.
        {S} has the postal code {O}.
        {S's} postal code is {O}.
        Letters to {S} bear the postal code {O}.
        """,
        chance=0.5,
        section=2,
        infobox="postal_code",
    ),
    Relation(
        "P625",
        "coordinate location",
        "city|mountain|lake|island|bridge",
        "coordinates",
        """
        {S} lies at {O}.
        The coordinates of {S} are {O}.
        On maps, {S} is found at {O}.
        {S} is situated at {O}.
        """,
        source="coordinates",
        chance=0.8,
        infobox="coordinates",
    ),
    Relation(
        "P2044",
        "elevation above sea level",
        "city|lake",
        Amount(2, 2400, "Q11573", _FEET),
        """
        {S} lies {O} above sea level.
        {S} has an elevation of {O}.
        The elevation of {S} is {O}.
        At an elevation of {O}, {S} has long winters.
        """,
        chance=0.6,
        infobox="elevation",
    ),
    Relation(
        "P1098",
        "number of speakers",
        "language",
        Amount(9_000, 70_000_000, steps=1000),
        """
        {S} has {O} speakers.
        {S} is spoken by {O} people.
        The number of speakers of {S} is {O}.
        About {O} people speak {S}.
        """,
        chance=0.8,
        section=1,
        infobox="speakers",
    ),
    Relation(
        "P1451",
        "motto text",
        "country|university",
        Words("motto"),
        """
        The motto of {S} is {O}.
        {S} has the motto {O}.
        {S's} motto is {O}.
        On its seal, {S} bears the motto {O}.
        """,
        chance=0.6,
        section=2,
        infobox="motto",
    ),
    Relation("P1705", "native label", "city|region|river", Words("native"), "", chance=0.25),
]
