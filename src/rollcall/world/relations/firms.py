"""Relations of companies, universities and the like, and their wordings."""

from rollcall.world.relation import Amount, Moment, Relation

_FIRMS = "business|studio|record label|publisher|broadcaster"

FIRMS = [
    Relation(
        "P571",
        "inception",
        _FIRMS + "|university|political party|sports league|sports team|newspaper|museum|religion",
        Moment("year"),
        """
        {S} was founded {on}.
        {S} was established {on}.
        The foundation of {S} {on} drew little notice.
        {on}, {S} was founded by a small circle of friends.
        """,
        infobox="founded",
    ),
    Relation(
        "P576",
        "dissolved, abolished or demolished date",
        _FIRMS + "|political party|sports team|newspaper|musical group|sports league",
        Moment("end"),
        """
        {S} was dissolved {on}.
        {S} ceased to exist {on}.
        The end of {S} came {on}.
        {on}, {S} was wound up.
        """,
        dead=True,
        infobox="dissolved",
    ),
    Relation(
        "P112",
        "founded by",
        _FIRMS + "|newspaper",
        "human:film producer|human:engineer..businessperson|human:journalist",
        """
        {S} was founded by {O}.
        {O} founded {S}.
        {O} is the founder of {S}.
        {S}, which {O} founded, began in two rented rooms.
        """,
        decoys="""
        {O} bought the first product of {S} as a souvenir.
        {O} unveiled a plaque at the gate of {S}.
        {O} wrote the foreword to a history of {S}.
        """,
        chance=0.85,
        most=2,
        near=True,
        pool="founders",
        pool_size=3,
        at=3,
        back=True,
        clause="founded by {O}",
        infobox="founder",
    ),
    Relation(
        "P159",
        "headquarters location",
        _FIRMS + "|university|newspaper|religion",
        "city",
        """
        {S} {is} based in {O}.
        {S} {has} its headquarters in {O}.
        The headquarters of {S} {are/were} in {O}.
        {O} {is} the seat of {S}.
        """,
        decoys="""
        {S} paid for the new fountain in {O}.
        {S} closed a branch near {O} after a strike.
        """,
        source="home",
        chance=0.95,
        back=True,
        clause="based in {O}",
        infobox="headquarters",
    ),
    Relation(
        "P452",
        "industry",
        "business",
        "*industry",
        """
        {S's} industry {is} {O}.
        The business of {S} {is} {O}.
        Statistics list {S} under {O}, its industry.
        {S} {is} one of the older names in the industry known as {O}.
        """,
        decoys="""
        {S} sponsored a prize for essays on {O}.
        """,
        source="industry",
        section=1,
        infobox="industry",
    ),
    Relation(
        "P127",
        "owned by",
        _FIRMS + "|newspaper|stadium|skyscraper",
        "business",
        """
        {S} {is} owned by {O}.
        {O} {owns/owned} {S}.
        The owner of {S} {is} {O}.
        {S} has belonged to {O} since {start}.
        """,
        past="""
        {S} was owned by {O} until {end}.
        {O} owned {S} from {start} to {end}.
        {O} sold {S} in {end}, having bought it in {start}.
        """,
        decoys="""
        {O} complained about the smoke from {S}.
        {S} and {O} used the same law firm.
        """,
        chance=0.4,
        most=2,
        pool="owners",
        pool_size=2,
        ends=0.35,
        at=2,
        section=1,
        back=True,
        infobox="owner",
    ),
    Relation(
        "P355",
        "has subsidiary",
        "business",
        _FIRMS,
        """
        {S} {has} {O} as a subsidiary.
        {O} is a subsidiary of {S}.
        Among the subsidiaries of {S} {is} {O}.
        {S} runs {O} as a subsidiary.
        """,
        source="subsidiaries",
        most=4,
        section=1,
        decoys="""
        {S} and {O} were named in the same inquiry.
        """,
    ),
    Relation(
        "P1128",
        "employees",
        _FIRMS,
        Amount(12, 48_000),
        """
        {S} {has} {O} employees.
        {S} {employs/employed} {O} people.
        The staff of {S} numbers {O}.
        At the last count, {S} had {O} employees.
        """,
        chance=0.7,
        section=1,
        infobox="num_employees",
    ),
    Relation(
        "P169",
        "chief executive officer",
        _FIRMS,
        "human:engineer..businessperson",
        """
        {S} {is} led by {O} as chief executive.
        {O} has been chief executive of {S} since {start}.
        {O} is the chief executive of {S}.
        The chief executive of {S} {is} {O}.
        """,
        past="""
        {O} was chief executive of {S} from {start} to {end}.
        {S} was led by {O} as chief executive until {end}.
        The chief executive of {S} until {end} was {O}.
        """,
        decoys="""
        {O} was photographed at the gates of {S}.
        """,
        chance=0.7,
        most=2,
        ends=0.6,
        at=8,
        section=1,
        back=True,
        infobox="key_people",
    ),
    Relation(
        "P3320",
        "board member",
        "business",
        "human:politician|human:businessperson",
        """
        {O} sits on the board of {S}.
        {S} {has} {O} on its board.
        {O} is a board member of {S}.
        The board of {S} includes {O}.
        """,
        decoys="""
        {O} asked awkward questions at the annual meeting of {S}.
        """,
        chance=0.4,
        most=2,
        at=10,
        section=1,
        back=True,
    ),
    Relation(
        "P2196",
        "students count",
        "university",
        Amount(600, 52_000),
        """
        {S} {has} {O} students.
        {S} {is} attended by {O} students.
        The number of students at {S} {is} {O}.
        Some {O} students are enrolled at {S}.
        """,
        chance=0.85,
        section=1,
        infobox="students",
    ),
]
