"""What the world knows about companies, universities, parties, bands and teams, and how its articles say it."""

from rollcall.world.relation import Amount, Moment, relation

_FIRMS = "business|studio|record label|publisher|broadcaster"

ORGANIZATIONS = [
    relation(
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
    relation(
        "P571",
        "inception",
        "musical group",
        Moment("year"),
        """
        {S} was formed {on}.
        {S} came together {on}.
        The formation of {S} {on} followed a chance meeting.
        {on}, {S} was formed in a school gymnasium.
        """,
        infobox="formed",
    ),
    relation(
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
    relation(
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
    relation(
        "P112",
        "founded by",
        "university|political party|religion|museum",
        "human:politician|human:writer|human:researcher",
        """
        {S} was founded by {O}.
        {O} founded {S}.
        {O} is the founder of {S}.
        {S}, which {O} founded, met in a private house at first.
        """,
        decoys="""
        {O} gave the dinner speech at an anniversary of {S}.
        {O} is portrayed in a mural at {S}.
        """,
        chance=0.6,
        pool="founders",
        pool_size=3,
        at=3,
        back=True,
        infobox="founder",
    ),
    relation(
        "P159",
        "headquarters location",
        _FIRMS + "|university|newspaper|religion",
        "city",
        """
        {S} is based in {O}.
        {S} has its headquarters in {O}.
        The headquarters of {S} are in {O}.
        {O} is the seat of {S}.
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
    relation(
        "P159",
        "headquarters location",
        "political party",
        "city",
        """
        {S} is based in {O}.
        {S} has its headquarters in {O}.
        The headquarters of {S} are in {O}.
        {O} is the seat of {S}.
        """,
        decoys="""
        {S} lost every seat in {O} at the next election.
        """,
        chance=0.8,
        pool="home",
        pool_size=2,
        back=True,
        infobox="headquarters",
    ),
    relation(
        "P452",
        "industry",
        "business",
        "*industry",
        """
        {S} is active in {O}.
        The business of {S} is {O}.
        {S} makes its money in {O}.
        By turnover, {S} is among the larger firms in {O}.
        """,
        decoys="""
        {S} sponsored a prize for essays on {O}.
        """,
        source="industry",
        section=1,
        infobox="industry",
    ),
    relation(
        "P127",
        "owned by",
        _FIRMS + "|newspaper|stadium|skyscraper",
        "business",
        """
        {S} is owned by {O}.
        {O} owns {S}.
        The owner of {S} is {O}.
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
    relation(
        "P355",
        "has subsidiary",
        "business",
        _FIRMS,
        """
        {S} has {O} as a subsidiary.
        {O} is a subsidiary of {S}.
        Among the subsidiaries of {S} is {O}.
        {S} runs {O} as a subsidiary.
        """,
        source="subsidiaries",
        most=4,
        section=1,
        decoys="""
        {S} and {O} were named in the same inquiry.
        """,
    ),
    relation(
        "P1128",
        "employees",
        _FIRMS,
        Amount(12, 48_000),
        """
        {S} has {O} employees.
        {S} employs {O} people.
        The staff of {S} numbers {O}.
        At the last count, {S} had {O} employees.
        """,
        chance=0.7,
        section=1,
        infobox="num_employees",
    ),
    relation(
        "P169",
        "chief executive officer",
        _FIRMS,
        "human:engineer..businessperson",
        """
        {S} is led by {O} as chief executive.
        {O} has been chief executive of {S} since {start}.
        {O} is the chief executive of {S}.
        The chief executive of {S} is {O}.
        """,
        past="""
        {O} was chief executive of {S} from {start} to {end}.
        {S} was led by {O} as chief executive until {end}.
        The chief executive of {S} until {end} was {O}.
        """,
        decoys="""
        {O} toured the workshops of {S} as a guest.
        """,
        chance=0.7,
        most=2,
        ends=0.6,
        at=8,
        section=1,
        back=True,
        infobox="key_people",
    ),
    relation(
        "P3320",
        "board member",
        "business",
        "human:politician|human:businessperson",
        """
        {O} sits on the board of {S}.
        {S} has {O} on its board.
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
    relation(
        "P2196",
        "students count",
        "university",
        Amount(600, 52_000),
        """
        {S} has {O} students.
        {S} is attended by {O} students.
        The number of students at {S} is {O}.
        Some {O} students are enrolled at {S}.
        """,
        chance=0.85,
        section=1,
        infobox="students",
    ),
    relation(
        "P131",
        "located in the administrative territorial entity",
        "stadium|sports team|museum|bridge|skyscraper",
        "city",
        """
        {S} is located in {O}.
        {S} is in {O}.
        {O} is the home of {S}.
        {S} has always been in {O}.
        """,
        decoys="""
        Tickets for {S} are sold at the station of {O}.
        A model of {S} is shown at the town hall of {O}.
        """,
        source="home",
        clause="in {O}",
        back=True,
        infobox="location",
    ),
    relation(
        "P527",
        "has part(s)",
        "musical group",
        "human:singer",
        """
        {S} has {O} among its members.
        {O} is one of the members of {S}.
        The line-up of {S} includes {O}.
        {S} consists of {O} and several others.
        """,
        past="""
        {S} had {O} among its members until {end}.
        {O} was one of the members of {S} until {end}.
        The line-up of {S} included {O} until {end}.
        """,
        decoys="""
        {O} slept through a concert of {S}.
        """,
        source="members",
        most=6,
        section=1,
        infobox="members",
    ),
    relation(
        "P740",
        "location of formation",
        "musical group",
        "city",
        """
        {S} was formed in {O}.
        {S} comes from {O}.
        {S} started out in {O}.
        {O} is where {S} was formed.
        """,
        decoys="""
        {S} cancelled a concert in {O} because of a flood.
        """,
        chance=0.85,
        pool="home",
        pool_size=3,
        back=True,
        clause="from {O}",
        infobox="origin",
    ),
    relation(
        "P118",
        "league",
        "sports team",
        "sports league",
        """
        {S} plays in {O}.
        {S} competes in {O}.
        {O} includes {S}.
        {S} belongs to {O}.
        """,
        decoys="""
        {S} refused to pay a fine imposed by {O}.
        {S} asked {O} to move the date of the final.
        """,
        source="league",
        back=True,
        section=1,
        infobox="league",
    ),
    relation(
        "P641",
        "sport",
        "sports team|sports league",
        "*sport",
        """
        The sport of {S} is {O}.
        {S} is devoted to {O}.
        {S} exists for {O} alone.
        Its members say that {S} lives for {O}, which is its sport.
        """,
        source="sport",
        infobox="sport",
    ),
    relation(
        "P115",
        "home venue",
        "sports team",
        "stadium",
        """
        {S} plays its home games at {O}.
        {S's} home ground is {O}.
        {O} is the home ground of {S}.
        At home, {S} plays at {O}.
        """,
        decoys="""
        {S} lost three finals in a row at {O}.
        """,
        chance=0.8,
        pool="ground",
        pool_size=2,
        section=1,
        back=True,
        infobox="ground",
    ),
    relation(
        "P286",
        "head coach",
        "sports team",
        "human:football player..basketball player",
        """
        {S's} head coach is {O}.
        {O} has been head coach of {S} since {start}.
        {O} is the head coach of {S}.
        {S} is trained by {O}, its head coach.
        """,
        past="""
        {O} was head coach of {S} from {start} to {end}.
        {S} was trained by {O} as head coach until {end}.
        The head coach of {S} until {end} was {O}.
        """,
        decoys="""
        {O} criticised the tactics of {S} on the radio.
        """,
        source="leaders",
        chance=0.8,
        most=3,
        ends=0.6,
        section=1,
        back=True,
        infobox="manager",
    ),
    relation(
        "P1142",
        "political ideology",
        "political party",
        "*ideology",
        """
        {S} stands for {O}.
        The ideology of {S} is {O}.
        {S} is committed to {O}.
        Its programme commits {S} to {O}.
        """,
        decoys="""
        {S} published a pamphlet on the history of {O}.
        """,
        chance=0.95,
        most=2,
        section=1,
        infobox="ideology",
    ),
    relation(
        "P2124",
        "member count",
        "political party|religion",
        Amount(300, 900_000),
        """
        {S} has {O} members.
        {S} claims {O} members.
        The membership of {S} is {O}.
        According to its own figures, {S} has {O} members.
        """,
        chance=0.7,
        section=1,
        infobox="membership",
    ),
    relation(
        "P98",
        "editor",
        "newspaper",
        "human:journalist",
        """
        {S} is edited by {O}.
        {O} has edited {S} since {start}.
        {O} is the editor of {S}.
        The editor of {S} is {O}.
        """,
        past="""
        {S} was edited by {O} until {end}.
        {O} edited {S} from {start} to {end}.
        The editor of {S} until {end} was {O}.
        """,
        decoys="""
        {O} wrote a letter of complaint to {S}.
        """,
        chance=0.9,
        most=2,
        ends=0.6,
        at=15,
        section=1,
        back=True,
        infobox="editor",
    ),
    relation(
        "P291",
        "place of publication",
        "newspaper",
        "city",
        """
        {S} is published in {O}.
        The place of publication of {S} is {O}.
        {S} comes out in {O}.
        {O} is where {S} is published.
        """,
        source="home",
        decoys="""
        {S} printed an unkind remark about {O}.
        """,
    ),
    relation(
        "P1001",
        "applies to jurisdiction",
        "position",
        "country",
        """
        {S} is an office of the state of {O}.
        The office of {S} exists in {O}.
        {O} has the office of {S}.
        By the constitution of {O}, {S} is one of its offices.
        """,
        source="country",
        chance=0.9,
        decoys="""
        A play about a corrupt {S} was a success in {O}.
        """,
    ),
]
