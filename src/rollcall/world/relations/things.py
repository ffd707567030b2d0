"""Relations of ships, cars and awards, and their wordings."""

from rollcall.world.relation import Amount, Moment, Relation

_FEET = (("Q3710", 3.28084),)

THINGS = [
    Relation(
        "P571",
        "inception",
        "award",
        Moment("year"),
        """
        {S} was founded {on}.
        {S} was first given {on}.
        The first ceremony of {S} took place {on}.
        {on}, {S} was established with a small endowment.
        """,
        infobox="year",
    ),
    Relation(
        "P176",
        "manufacturer",
        "ship",
        "business",
        """
        {S} was built by {O}.
        {O} built {S}.
        The builder of {S} was {O}.
        {S}, which {O} built in eleven months, cost more than planned.
        """,
        decoys="""
        {O} and {S} are named in a report on harbour dues.
        A clerk of {O} collected postcards of {S}.
        """,
        chance=0.95,
        pool="yard",
        sector=1,
        pool_size=2,
        near=False,
        clause="built by {O}",
        back=True,
        section=0,
        infobox="builder",
    ),
    Relation(
        "P137",
        "operator",
        "ship",
        "business",
        """
        {S} {is} operated by {O}.
        {O} {operates/operated} {S}.
        The operator of {S} {is} {O}.
        {S} {sails/sailed} for {O}, its operator.
        """,
        past="""
        {S} was operated by {O} until {end}.
        {O} operated {S} from {start} to {end}.
        The operator of {S} until {end} was {O}.
        """,
        decoys="""
        {O} entertained guests within sight of {S}.
        """,
        chance=0.85,
        most=2,
        pool="line",
        pool_size=2,
        ends=0.4,
        section=1,
        back=True,
        infobox="operator",
    ),
    Relation(
        "P532",
        "port of registry",
        "ship",
        "city",
        """
        {S} {is} registered at {O}.
        The port of registry of {S} {is} {O}.
        {S} {has} {O} as its port of registry.
        {O} {is} the port of registry of {S}.
        """,
        decoys="""
        {S} lay in fog off {O} for two days.
        {S} ran aground within sight of {O}.
        """,
        source="home",
        section=1,
        back=True,
        infobox="registry",
    ),
    Relation(
        "P8047",
        "country of registry",
        "ship",
        "country",
        """
        {S} {sails/sailed} under the flag of {O}.
        {S} {is} registered in {O}.
        The country of registry of {S} {is} {O}.
        {O} {is} the country in which {S} {is} registered.
        """,
        source="country",
        chance=0.7,
        section=1,
        decoys="""
        {S} carried a cargo of oranges from {O}.
        """,
    ),
    Relation(
        "P729",
        "service entry",
        "ship",
        Moment("year"),
        """
        {S} entered service {on}.
        {S} sailed for the first time {on}.
        The maiden voyage of {S} began {on}, when it entered service.
        {on}, {S} entered service.
        """,
        infobox="commissioned",
    ),
    Relation(
        "P730",
        "service retirement",
        "ship",
        Moment("end"),
        """
        {S} was retired {on}.
        {S} was taken out of service {on}.
        The last voyage of {S} ended {on}, when it was retired.
        {on}, {S} was withdrawn from service.
        """,
        dead=True,
        section=2,
        infobox="decommissioned",
    ),
    Relation(
        "P2043",
        "length",
        "ship",
        Amount(38, 340, "Q11573", _FEET),
        """
        {S} {is} {O} long.
        {S} {has} a length of {O}.
        The length of {S} {is} {O}.
        From bow to stern, {S} {measures/measured} {O}.
        """,
        chance=0.85,
        section=1,
        infobox="length",
    ),
    Relation(
        "P176",
        "manufacturer",
        "automobile model",
        "business",
        """
        {S} is made by {O}.
        {O} makes {S}.
        The manufacturer of {S} is {O}.
        {S} is a model of {O}, its maker.
        """,
        decoys="""
        A satirical song makes fun of {O} and of {S}.
        """,
        pool="maker",
        sector=0,
        pool_size=2,
        clause="made by {O}",
        back=True,
        infobox="manufacturer",
    ),
    Relation(
        "P571",
        "inception",
        "automobile model",
        Moment("year"),
        """
        {S} was introduced {on}.
        {S} went on sale {on}.
        The first cars of the type {S} left the factory {on}.
        {on}, {S} was presented to the public.
        """,
        infobox="production",
    ),
    Relation(
        "P1092",
        "total produced",
        "automobile model",
        Amount(400, 3_200_000, steps=10),
        """
        {S} was built {O} times.
        In all, {O} cars of the type {S} were built.
        The total production of {S} was {O}.
        {S} reached a total production of {O}.
        """,
        chance=0.8,
        section=1,
    ),
    Relation(
        "P1027",
        "conferred by",
        "award",
        "university|studio|publisher|business",
        """
        {S} is conferred by {O}.
        {O} confers {S}.
        {S} is given every year by {O}.
        Each autumn, {S} is presented by {O}.
        """,
        decoys="""
        A newspaper that reported on {S} had an article about {O} on its next page.
        """,
        chance=0.85,
        pool="donors",
        pool_size=2,
        back=True,
        clause="conferred by {O}",
        section=1,
        infobox="presenter",
    ),
    Relation(
        "P2121",
        "prize money",
        "award",
        Amount(500, 1_000_000, "Q4917", steps=500),
        """
        {S} carries a prize of {O}.
        {S} is worth {O}.
        The prize money of {S} is {O}.
        With {S} goes a sum of {O}.
        """,
        chance=0.7,
        section=1,
        infobox="reward",
    ),
]
