"""Relations of people's lives, and their wordings."""

from rollcall.world.relation import Amount, Moment, Relation

_SPORT = "football player|basketball player"

LIVES = [
    Relation("P21", "sex or gender", "human", "*sex", "", source="sex"),
    Relation(
        "P569",
        "date of birth",
        "human",
        Moment("year"),
        """
        {S} was born {on}.
        {S's} date of birth is given as {date}.
        Parish records show that {S} was born {on}.
        The birth of {S} {on} was announced in the local paper.
        """,
        infobox="birth_date",
    ),
    Relation(
        "P570",
        "date of death",
        "human",
        Moment("end"),
        """
        {S} died {on}.
        {S's} death {on} was widely reported.
        {S}, whose health had been failing, died {on}.
        The obituaries agree that {S} died {on}.
        """,
        dead=True,
        section=2,
        infobox="death_date",
    ),
    Relation(
        "P19",
        "place of birth",
        "human",
        "city",
        """
        {S} was born in {O}.
        {S} {is} a native of {O}.
        Born in {O}, {S} grew up in modest circumstances.
        {S's} birthplace {is} {O}.
        It was in {O} that {S} was born.
        """,
        decoys="""
        {S} returned to {O} every summer to visit friends.
        {S} was once snowed in at {O} for nine days.
        A street in {O} is named after {S}.
        {S} often spoke warmly of {O} in interviews.
        """,
        pool="home",
        pool_size=3,
        back=True,
        infobox="birth_place",
    ),
    Relation(
        "P20",
        "place of death",
        "human",
        "city",
        """
        {S} died in {O}.
        {S} spent {his} last days in {O}, where {he} died.
        {S's} death took place in {O}.
        It was in {O} that {S} died.
        """,
        decoys="""
        {S} had been advised to avoid the damp air of {O}.
        A radio play about {S} was first heard in {O}.
        """,
        dead=True,
        chance=0.8,
        pool="home",
        pool_size=4,
        section=2,
        infobox="death_place",
    ),
    Relation(
        "P119",
        "place of burial",
        "human",
        "city",
        """
        {S} was buried in {O}.
        {S} is buried in {O}.
        {S's} grave is in {O}.
        According to {his} wishes, {S} was laid to rest in {O}.
        """,
        dead=True,
        chance=0.4,
        pool="home",
        pool_size=4,
        section=3,
        decoys="""
        A choir from {O} sang at a concert in memory of {S}.
        """,
    ),
    Relation(
        "P509",
        "cause of death",
        "human",
        "*cause of death",
        """
        {S} died of {O}.
        {S's} death was caused by {O}.
        The cause of {S's} death was {O}.
        {S} succumbed to {O} after a short illness.
        """,
        dead=True,
        chance=0.6,
        section=2,
        decoys="""
        {S} gave money to a clinic for the study of {O}.
        {S} spoke at a congress on {O} late in life.
        """,
    ),
    Relation(
        "P22",
        "father",
        "human",
        "human",
        """
        {S's} father was {O}.
        {S} {is} a child of {O}, {his} father.
        {O} was the father of {S}.
        {S} learned to read from {his} father, {O}.
        """,
        source="father",
        section=0,
        decoys="""
        A local paper once printed portraits of {S} and {O} side by side.
        """,
    ),
    Relation(
        "P25",
        "mother",
        "human",
        "human",
        """
        {S's} mother was {O}.
        {O} was the mother of {S}.
        {S} was raised by {his} mother, {O}.
        The mother of {S} was {O}.
        """,
        source="mother",
        section=0,
        decoys="""
        A photograph shows {S} at a wedding beside {O}.
        """,
    ),
    Relation(
        "P40",
        "child",
        "human",
        "human",
        """
        {S's} child {O} was often seen in the family's shop.
        {S} had a child, {O}.
        {O} is a child of {S}.
        Among {S's} children was {O}.
        """,
        source="children",
        most=3,
        section=2,
        decoys="""
        {S} wrote to {O} nearly every week.
        """,
    ),
    Relation(
        "P3373",
        "sibling",
        "human",
        "human",
        """
        {O} {is} a sibling of {S}.
        {S} grew up with {his} sibling {O}.
        {S} and {O} {are/were} siblings.
        {S's} sibling {O} {is} also known to the public.
        """,
        source="siblings",
        most=2,
        section=0,
        decoys="""
        {S} shared a flat with {O} for some years.
        """,
    ),
    Relation(
        "P26",
        "spouse",
        "human",
        "human",
        """
        {S} married {O} in {start}.
        {S's} spouse {is} {O}.
        In {start}, {O} and {S} were married.
        {S}, who married {O} in {start}, rarely spoke about family life.
        """,
        past="""
        {S} was married to {O} until {end}.
        {S's} marriage to {O}, begun in {start}, ended in {end}.
        {O} and {S} married in {start} and divorced in {end}.
        """,
        source="spouse",
        ends=0.25,
        section=2,
        infobox="spouse",
        decoys="""
        {S} danced with {O} at a charity ball.
        """,
    ),
    Relation(
        "P27",
        "country of citizenship",
        "human",
        "country",
        """
        {S} {is} a citizen of {O}.
        {S} {has} held a passport of {O} since childhood.
        A citizen of {O}, {S} {is} well known beyond its borders.
        {S's} citizenship {is} that of {O}.
        {O} counts {S} among its best-known citizens.
        """,
        decoys="""
        {S} once crossed {O} on foot, at the age of 31.
        {S} criticised the government of {O} in an open letter.
        """,
        source="country",
        infobox="nationality",
        clause="from {O}",
    ),
    Relation(
        "P69",
        "educated at",
        "human",
        "university",
        """
        {S} studied at {O}.
        {S} was educated at {O}.
        {S} {is} a graduate of {O}.
        {O} lists {S} among its alumni.
        After leaving school, {S} enrolled at {O}, where {he} took a degree.
        """,
        decoys="""
        {S} gave a guest lecture at {O} during a snowstorm.
        {S} donated a collection of letters to {O}.
        {S} unveiled a sundial at {O}.
        """,
        chance=0.65,
        most=2,
        pool="home",
        pool_size=3,
        at=18,
        back=True,
        infobox="education",
    ),
    Relation(
        "P512",
        "academic degree",
        "human",
        "*degree",
        """
        {S} {holds/held} the degree of {O}.
        {S} took the degree of {O} with distinction.
        The degree of {O} was conferred on {S} after five years of study.
        {S} was awarded the degree of {O}.
        """,
        chance=0.6,
        only="researcher|engineer",
    ),
    Relation(
        "P551",
        "residence",
        "human",
        "city",
        """
        {S} lives in {O}.
        {S} has lived in {O} since {start}.
        {S} makes {his} home in {O}.
        The home of {S} is in {O}.
        """,
        past="""
        {S} lived in {O} until {end}.
        From {start} to {end}, {S} lived in {O}.
        {S's} home was in {O} until {end}.
        """,
        decoys="""
        {S} missed a train in {O} and so met a future friend.
        """,
        chance=0.22,
        pool="home",
        ends=0.4,
        at=25,
        section=2,
    ),
    Relation(
        "P1412",
        "languages spoken, written or signed",
        "human",
        "language",
        """
        {S} {speaks/spoke} {O}.
        {S} {writes/wrote} in {O}.
        {S} {is} fluent in {O}.
        {O} is one of the languages that {S} {speaks/spoke}.
        """,
        decoys="""
        {S} gave a school a box of dictionaries, one of them of {O}.
        """,
        chance=0.6,
        most=2,
        pool="home",
        pool_size=2,
        section=2,
    ),
    Relation(
        "P140",
        "religion or worldview",
        "human",
        "religion",
        """
        {S} {belongs/belonged} to {O}.
        {S} {has been/was} a lifelong adherent of {O}.
        {S} was brought up in {O}.
        {S's} faith {is} that of {O}.
        """,
        decoys="""
        {S} photographed a procession of {O}.
        """,
        chance=0.14,
        pool="home",
        pool_size=2,
        section=2,
    ),
    Relation(
        "P2048",
        "height",
        "human",
        Amount(1.62, 2.12, "Q11573", (("Q174728", 100.0), ("Q3710", 3.28084)), decimals=2),
        """
        {S} {stands/stood} {O} tall.
        {S} {is} {O} tall.
        {S's} height is given as {O}.
        At a height of {O}, {S} {is} easily recognised.
        """,
        chance=0.5,
        only=_SPORT,
        section=2,
        infobox="height",
    ),
    Relation("P214", "VIAF cluster ID", "human", "external", "", source="external", chance=0.3),
]
