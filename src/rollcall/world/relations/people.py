"""What the world knows about people, and how its articles say it."""

from rollcall.world.relation import Amount, Moment, relation

_MUSIC = "singer|composer"
_SPORT = "football player|basketball player"

PEOPLE = [
    relation("P21", "sex or gender", "human", "*sex", "", source="sex"),
    relation(
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
    relation(
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
    relation(
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
    relation(
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
        A memorial service for {S} was broadcast from {O}.
        """,
        dead=True,
        chance=0.8,
        pool="home",
        pool_size=4,
        section=2,
        infobox="death_place",
    ),
    relation(
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
        A wreath was sent from {O} on the death of {S}.
        """,
    ),
    relation(
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
    relation(
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
        {S} dedicated {his} first prize to {O}.
        """,
    ),
    relation(
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
    relation(
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
    relation(
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
    relation(
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
    relation(
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
    relation(
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
        {S} is said to have had little respect for the profession of {O}.
        """,
    ),
    relation(
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
        {S} gave a guest lecture at {O} in the spring of 1998.
        {S} donated a collection of letters to {O}.
        {S} turned down an honorary degree from {O}.
        """,
        chance=0.65,
        most=2,
        pool="home",
        pool_size=3,
        at=18,
        back=True,
        infobox="education",
    ),
    relation(
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
    relation(
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
    relation(
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
        {S} is said to have failed {his} first examination in {O}.
        """,
    ),
    relation(
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
    relation(
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
    relation(
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
    relation(
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
        {S} was passed over for {O} in 1988, to the surprise of many.
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
    relation(
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
    relation(
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
    relation(
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
        {S} tried in vain to have a grammar of {O} printed.
        """,
        chance=0.6,
        most=2,
        pool="home",
        pool_size=2,
        section=2,
    ),
    relation(
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
    relation(
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
        {S} was heckled at a rally of {O}.
        {S} voted against a bill brought in by {O}.
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
    relation(
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
    relation(
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
        {S} scored against {O} on the last day of the season.
        {S} had an unsuccessful trial with {O}.
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
    relation(
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
    relation(
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
    relation(
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
    relation(
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
        {S} shared a bill with {O} at a summer festival.
        {S} reviewed a concert of {O} for a student paper.
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
    relation(
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
        {S} once left a borrowed {O} on a night train.
        """,
        chance=0.7,
        most=2,
        only=_MUSIC,
        section=1,
        infobox="instruments",
    ),
    relation(
        "P136",
        "genre",
        "human",
        "*music genre",
        """
        {S} is best known for {O}.
        {S} {performs/performed} mainly {O}.
        {S's} music is usually described as {O}.
        Most of what {S} {has} recorded is {O}.
        """,
        decoys="""
        {S} once complained that {O} gets too much airtime.
        """,
        chance=0.8,
        most=2,
        only=_MUSIC,
        pool="genre",
        pool_size=3,
        section=1,
        infobox="genre",
    ),
    relation(
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
        {S} sent a demo tape to {O}, which was never answered.
        """,
        chance=0.6,
        only="singer",
        pool="scene label",
        pool_size=2,
        at=24,
        section=1,
        infobox="label",
    ),
    relation(
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
        {S} accused {O} of plagiarism, without effect.
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
    relation(
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
        {S} wrote a mocking essay on {O}.
        """,
    ),
    relation(
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
    relation(
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
        chance=0.15,
        only=_SPORT,
        pool="team",
        pool_size=5,
        at=42,
        ends=0.6,
        section=1,
    ),
    relation(
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
        {S} designed a poster for the tourist board of {O}.
        """,
        chance=0.5,
        only="painter|architect|illustrator",
        pool="home",
        section=1,
    ),
    relation(
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
    relation("P214", "VIAF cluster ID", "human", "external", "", source="external", chance=0.3),
]
