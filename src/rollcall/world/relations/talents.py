"""Relations of sportspeople, musicians and artists, and their wordings."""

from rollcall.world.relation import Relation

_MUSIC = "singer|composer"
_SPORT = "football player|basketball player"

TALENTS = [
    Relation(
        "P54",
        "member of sports team",
        "human",
        "sports team",
        """
        {S} plays for {O}.
        {S} joined {O} in {start}.
        {O} signed {S} in {start}.
        {S} has been under contract with {O} since {start}.
        """,
        past="""
        {S} played for {O} from {start} to {end}.
        {S} was a player of {O} until {end}.
        {O} released {S} in {end}, after several seasons in the team.
        Between {start} and {end}, {S} wore the shirt of {O}.
        """,
        decoys="""
        {S} watched a match of {O} from the stands.
        A book of sporting anecdotes has one about {S} and two about {O}.
        {S} supported {O} as a child.
        """,
        source="teams",
        chance=1.0,
        most=3,
        only=_SPORT,
        pool="team",
        pool_size=5,
        at=20,
        ends=0.75,
        section=1,
        back=True,
        infobox="clubs",
    ),
    Relation(
        "P641",
        "sport",
        "human",
        "*sport",
        """
        {S's} sport {is} {O}.
        {S} took up {O} at the age of nine.
        {S} {is} active in {O}.
        From an early age, {S} devoted {himself} to {O}.
        """,
        source="sport",
        only=_SPORT,
        section=1,
    ),
    Relation(
        "P413",
        "position played on team / speciality",
        "human",
        "*football position",
        """
        {S} {plays/played} as {a O}.
        {S's} position {is} that of {O}.
        {S} was trained as {a O}.
        On the field, {S} {is} {a O}.
        """,
        chance=0.9,
        only="football player",
        section=1,
    ),
    Relation(
        "P463",
        "member of",
        "human",
        "musical group",
        """
        {S} is a member of {O}.
        {S} joined {O} in {start}.
        {O} has had {S} in its line-up since {start}.
        {S} performs with {O}.
        """,
        past="""
        {S} was a member of {O} until {end}.
        {S} left {O} in {end}, having joined in {start}.
        From {start} to {end}, {S} performed with {O}.
        """,
        decoys="""
        {S} once lent {his} equipment to {O}.
        A history of summer festivals mentions {S} and {O} on the same page.
        {S} was seen at a party for the fans of {O}.
        """,
        chance=0.5,
        only="singer",
        pool="scene",
        pool_size=4,
        at=22,
        ends=0.4,
        section=1,
        back=True,
    ),
    Relation(
        "P1303",
        "instrument",
        "human",
        "*instrument",
        """
        {S} {plays/played} the {O}.
        {S's} instrument {is} the {O}.
        {S} first took up the {O} at school.
        On stage, {S} {is} usually seen with the {O}.
        """,
        decoys="""
        {S} once bid for an antique {O} at an auction.
        """,
        chance=0.7,
        most=2,
        only=_MUSIC,
        section=1,
        infobox="instruments",
    ),
    Relation(
        "P136",
        "genre",
        "human",
        "*music genre",
        """
        {S} is best known for {O}.
        {S} {performs/performed} mainly {O}.
        {S's} music is usually described as {O}.
        Most of what {S} {has recorded/recorded} is {O}.
        """,
        decoys="""
        A panel on the future of {O} began with a remark about {S}.
        """,
        chance=0.8,
        most=2,
        only=_MUSIC,
        pool="genre",
        pool_size=3,
        section=1,
        infobox="genre",
    ),
    Relation(
        "P264",
        "record label",
        "human",
        "record label",
        """
        {S} {records/recorded} for {O}.
        {S} signed with {O}.
        {O} {releases/released} the recordings of {S}.
        {S} {has} a contract with {O}.
        """,
        decoys="""
        A lawyer who had once worked for {O} wrote a book about {S}.
        """,
        chance=0.6,
        only="singer",
        pool="scene label",
        pool_size=2,
        at=24,
        section=1,
        infobox="label",
    ),
    Relation(
        "P737",
        "influenced by",
        "human",
        "human:writer..painter",
        """
        {S} was influenced by {O}.
        {O} was a strong influence on {S}.
        The work of {O} left its mark on {S}.
        {S} {has named/named} {O} as an influence.
        """,
        decoys="""
        {S} met {O} once, on a railway platform.
        An anthology prints a letter of {S} next to one of {O}.
        """,
        chance=0.35,
        most=2,
        only="writer|painter|composer",
        pool="models",
        pool_size=3,
        at=24,
        section=1,
        back=True,
    ),
    Relation(
        "P135",
        "movement",
        "human",
        "*movement",
        """
        {S} is associated with {O}.
        {S} is regarded as a representative of {O}.
        The style of {S} belongs to {O}.
        Critics count {S} among the painters of {O}.
        """,
        chance=0.7,
        only="painter",
        pool="movement",
        pool_size=2,
        section=1,
        decoys="""
        {S} kept newspaper cuttings about {O}.
        """,
    ),
    Relation(
        "P6087",
        "coach of sports team",
        "human",
        "sports team",
        """
        {S} coaches {O}.
        {S} has been the coach of {O} since {start}.
        {O} is coached by {S}.
        {S} took over as coach of {O} in {start}.
        """,
        past="""
        {S} coached {O} from {start} to {end}.
        {S} was the coach of {O} until {end}.
        As coach, {S} led {O} from {start} to {end}.
        """,
        source="coached",
        most=3,
        only=_SPORT,
        ends=0.6,
        section=1,
    ),
    Relation(
        "P937",
        "work location",
        "human",
        "city",
        """
        {S} {is} active in {O}.
        {S} {works/worked} mainly in {O}.
        {S} {has} {his} studio in {O}.
        It {is} in {O} that {S} {works/worked}.
        """,
        decoys="""
        {S} kept an old map of {O} on the wall.
        """,
        chance=0.5,
        only="painter|architect|illustrator",
        pool="home",
        section=1,
    ),
    Relation(
        "P800",
        "notable work",
        "human",
        "literary work|film|painting",
        """
        {S} is best known for {O}.
        {S's} best-known work is {O}.
        {O} is regarded as the most important work of {S}.
        The reputation of {S} rests largely on {O}.
        """,
        source="notable",
        only="writer|film director|painter",
        section=3,
    ),
]
