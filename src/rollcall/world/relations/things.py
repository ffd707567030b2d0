"""What the world knows about ships, cars, awards, wars and asteroids, and how its articles say it."""

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
        {O} received an anonymous letter about the boilers of {S}.
        {O} ran an advertisement showing {S}.
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
        {S} was refused entry at {O} during an epidemic.
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
        A director of {O} was seen driving {S} through a red light.
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
        {O} once rented out its great hall for the ceremony of {S}.
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
        Schoolchildren from {O} re-enact {S} every June.
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
        {O} missed {S} on an earlier plate.
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
