"""Relations of people's work, offices and honours, and their wordings."""

from rollcall.world.relation import Relation

CAREERS = [
    Relation(
        "P106",
        "occupation",
        "human",
        "*occupation",
        """
        {S} {works/worked} as {a O}.
        {S} made {his} name as {a O}.
        {S} earned {his} living as {a O}.
        By profession, {S} {is} {a O}.
        """,
        source="occupation",
        most=2,
        section=1,
        infobox="occupation",
        decoys="""
        {S} once gave a speech on the history of the profession of {O}.
        """,
    ),
    Relation(
        "P184",
        "doctoral advisor",
        "human",
        "human:researcher",
        """
        {S's} doctoral advisor was {O}.
        {S} wrote {his} thesis under the supervision of {O}.
        {O} supervised the doctoral thesis of {S}.
        {S} took {his} doctorate with {O} as advisor.
        """,
        decoys="""
        {S} disagreed in print with {O} about the age of the samples.
        """,
        chance=0.5,
        only="researcher",
        pool="advisors",
        pool_size=3,
        at=28,
        back=True,
    ),
    Relation(
        "P101",
        "field of work",
        "human",
        "*discipline",
        """
        {S} {works/worked} in the field of {O}.
        {S} is known for {his} contributions to {O}.
        {S's} field {is} {O}.
        The research of {S} {is} concerned with {O}.
        """,
        chance=0.9,
        most=2,
        only="researcher",
        section=1,
        decoys="""
        {S} once fell asleep during a public lecture on {O}.
        """,
    ),
    Relation(
        "P108",
        "employer",
        "human",
        "university",
        """
        {S} works at {O}.
        {S} has taught at {O} since {start}.
        {O} hired {S} in {start}.
        {S's} employer is {O}.
        """,
        past="""
        {S} taught at {O} from {start} to {end}.
        {S} was employed by {O} until {end}.
        {O} employed {S} between {start} and {end}.
        """,
        decoys="""
        {S} was once photographed on the steps of {O}.
        {S} borrowed instruments from {O} for the expedition.
        """,
        chance=0.8,
        most=2,
        only="researcher",
        pool="home",
        at=30,
        ends=0.5,
        section=1,
    ),
    Relation(
        "P108",
        "employer",
        "human",
        "business",
        """
        {S} works for {O}.
        {S} has been employed by {O} since {start}.
        {O} hired {S} in {start}.
        {S's} employer is {O}.
        """,
        past="""
        {S} worked for {O} from {start} to {end}.
        {S} was employed by {O} until {end}.
        {S} left {O} in {end}, having joined it in {start}.
        """,
        decoys="""
        {S} bought a small number of shares in {O}.
        {S} wrote a critical report about {O}.
        """,
        chance=0.8,
        only="engineer|businessperson|architect",
        at=28,
        ends=0.5,
        section=1,
    ),
    Relation(
        "P108",
        "employer",
        "human",
        "newspaper",
        """
        {S} writes for {O}.
        {S} has been on the staff of {O} since {start}.
        {O} hired {S} in {start}.
        {S's} employer is {O}.
        """,
        past="""
        {S} wrote for {O} from {start} to {end}.
        {S} was on the staff of {O} until {end}.
        {S} left {O} in {end}, having joined it in {start}.
        """,
        decoys="""
        {S} complained to {O} about a misprint.
        """,
        chance=0.9,
        only="journalist",
        at=26,
        ends=0.45,
        section=1,
    ),
    Relation(
        "P166",
        "award received",
        "human",
        "award",
        """
        {S} received {O}.
        {S} was awarded {O}.
        {O} went to {S}.
        {S} {is} a recipient of {O}.
        For {his} work, {S} was honoured with {O}.
        """,
        decoys="""
        {S} sat on the jury of {O} for three years.
        {S} hosted the ceremony of {O} when it was first televised.
        {S} wrote a newspaper column on the history of {O}.
        """,
        chance=0.4,
        most=3,
        pool="honours",
        pool_size=4,
        at=30,
        section=3,
        back=True,
        infobox="awards",
    ),
    Relation(
        "P1411",
        "nominated for",
        "human",
        "award",
        """
        {S} was nominated for {O}.
        {S} received a nomination for {O}.
        {O} listed {S} among its nominees.
        The jury of {O} nominated {S}.
        """,
        chance=0.2,
        most=2,
        at=28,
        section=3,
    ),
    Relation(
        "P102",
        "member of political party",
        "human",
        "political party",
        """
        {S} is a member of {O}.
        {S} joined {O} in {start}.
        {O} counts {S} among its members.
        {S} belongs to {O}.
        """,
        past="""
        {S} was a member of {O} until {end}.
        {S} left {O} in {end}, after some years as a member.
        From {start} to {end}, {S} belonged to {O}.
        """,
        decoys="""
        {S} moderated a debate organised by {O}.
        {S} is quoted in a student's thesis on {O}.
        A cartoon shows {S} next to a banner of {O}.
        """,
        chance=0.95,
        most=2,
        only="politician",
        pool="party",
        pool_size=2,
        at=26,
        ends=0.25,
        section=1,
        back=True,
        infobox="party",
    ),
    Relation(
        "P39",
        "position held",
        "human",
        "position",
        """
        {S} has been {O} since {start}.
        {S} holds the office of {O}.
        In {start}, {S} became {O}.
        The office of {O} is held by {S}.
        """,
        past="""
        {S} was {O} from {start} to {end}.
        {S} served as {O} until {end}.
        {S's} term as {O}, which began in {start}, ended in {end}.
        The office of {O} was held by {S} from {start} to {end}.
        """,
        decoys="""
        {S} published a history of the office of {O}.
        {S} was mentioned by the press as a possible {O}.
        """,
        chance=0.9,
        most=2,
        only="politician",
        pool="office",
        pool_size=5,
        at=38,
        ends=0.75,
        section=1,
        infobox="office",
    ),
    Relation(
        "P607",
        "conflict",
        "human",
        "war|battle",
        """
        {S} fought in {O}.
        {S} took part in {O}.
        {O} saw {S} in command of a regiment.
        {S} served as an officer in {O}.
        """,
        decoys="""
        {S} wrote a two-volume account of {O}.
        """,
        chance=0.9,
        most=2,
        only="military officer",
        pool="front",
        pool_size=2,
        at=28,
        near=False,
        section=1,
    ),
]
