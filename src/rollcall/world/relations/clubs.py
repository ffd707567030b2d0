"""Relations of bands, teams, parties and newspapers, and their wordings."""

from rollcall.world.relation import Amount, Moment, Relation

CLUBS = [
    Relation(
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
    Relation(
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
    Relation(
        "P159",
        "headquarters location",
        "political party",
        "city",
        """
        {S} {is} based in {O}.
        {S} {has} its headquarters in {O}.
        The headquarters of {S} {are/were} in {O}.
        {O} {is} the seat of {S}.
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
    Relation(
        "P131",
        "located in the administrative territorial entity",
        "stadium|sports team|museum|bridge|skyscraper",
        "city",
        """
        {S} {is} located in {O}.
        {S} {is} in {O}.
        {O} {is} the home of {S}.
        {S} {has} always been in {O}.
        """,
        decoys="""
        A schoolteacher from {O} collected newspaper cuttings about {S}.
        A model of {S} is shown at the town hall of {O}.
        """,
        source="home",
        clause="in {O}",
        back=True,
        infobox="location",
    ),
    Relation(
        "P527",
        "has part(s)",
        "musical group",
        "human:singer",
        """
        {S} {has} {O} among its members.
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
        {O} kept a poster of {S} on the kitchen door.
        """,
        source="members",
        most=6,
        section=1,
        infobox="members",
    ),
    Relation(
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
    Relation(
        "P118",
        "league",
        "sports team",
        "sports league",
        """
        {S} {plays/played} in {O}.
        {S} {competes/competed} in {O}.
        {O} includes {S}.
        {S} {belongs/belonged} to {O}.
        """,
        decoys="""
        A journalist who wrote a book on {S} was sued by {O}.
        {S} and {O} were both named in a report on ticket prices.
        """,
        source="league",
        back=True,
        section=1,
        infobox="league",
    ),
    Relation(
        "P641",
        "sport",
        "sports team|sports league",
        "*sport",
        """
        The sport of {S} {is} {O}.
        {S} {is} devoted to {O}.
        {S} exists for {O} alone.
        Its members say that {S} lives for {O}, which is its sport.
        """,
        source="sport",
        infobox="sport",
    ),
    Relation(
        "P115",
        "home venue",
        "sports team",
        "stadium",
        """
        {S} {plays/played} its home games at {O}.
        {S's} home ground {is} {O}.
        {O} is the home ground of {S}.
        At home, {S} {plays/played} at {O}.
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
    Relation(
        "P286",
        "head coach",
        "sports team",
        "human:football player..basketball player",
        """
        {S's} head coach is {O}.
        {O} has been head coach of {S} since {start}.
        {O} is the head coach of {S}.
        {S} {is} trained by {O}, its head coach.
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
    Relation(
        "P1142",
        "political ideology",
        "political party",
        "*ideology",
        """
        {S} {stands/stood} for {O}.
        The ideology of {S} {is} {O}.
        {S} {is} committed to {O}.
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
    Relation(
        "P2124",
        "member count",
        "political party|religion",
        Amount(300, 900_000),
        """
        {S} {has} {O} members.
        {S} claims {O} members.
        The membership of {S} {is} {O}.
        According to its own figures, {S} {has} {O} members.
        """,
        chance=0.7,
        section=1,
        infobox="membership",
    ),
    Relation(
        "P98",
        "editor",
        "newspaper",
        "human:journalist",
        """
        {S} {is} edited by {O}.
        {O} has edited {S} since {start}.
        {O} is the editor of {S}.
        The editor of {S} {is} {O}.
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
    Relation(
        "P291",
        "place of publication",
        "newspaper",
        "city",
        """
        {S} {is} published in {O}.
        The place of publication of {S} {is} {O}.
        {S} {comes/came} out in {O}.
        {O} is where {S} {is} published.
        """,
        source="home",
        decoys="""
        {S} printed an unkind remark about {O}.
        """,
    ),
    Relation(
        "P1001",
        "applies to jurisdiction",
        "position",
        "country",
        """
        {S} {is} an office of the state of {O}.
        The office of {S} exists in {O}.
        {O} has the office of {S}.
        By the constitution of {O}, {S} {is} one of its offices.
        """,
        source="country",
        chance=0.9,
        decoys="""
        A play about a corrupt {S} was a success in {O}.
        """,
    ),
]
