"""Generic items that a world takes from Wikidata with their real ids: genres, professions, units, …

Each group is one class of concepts; relations name a group as their object. Concepts have their own short
pages, so that links to them resolve.
"""

from typing import NamedTuple


class Concept(NamedTuple):
    """A generic item: its id, label, class and a short definition."""

    id: str
    label: str
    class_id: str
    aliases: tuple[str, ...]


_GROUPS: dict[str, tuple[str, str]] = {
    "sex": ("Q48264", "Q6581097 male; Q6581072 female"),
    "film genre": (
        "Q201658",
        "Q130232 drama film = drama; Q157443 comedy film = comedy; Q2484376 thriller film = thriller; "
        "Q200092 horror film; Q471839 science fiction film = sci-fi film; Q93204 documentary film; "
        "Q369747 war film; Q188473 action film; Q842256 musical film; Q319221 adventure film; "
        "Q959790 crime film; Q1054574 romance film",
    ),
    "literary genre": (
        "Q223393",
        "Q24925 science fiction = sci-fi; Q132311 fantasy; Q208505 crime fiction; "
        "Q192239 historical fiction; Q482 poetry = verse; Q131539 children's literature; "
        "Q36279 biography; Q35760 essay; Q40831 comedy",
    ),
    "music genre": (
        "Q188451",
        "Q11399 rock music = rock; Q37073 pop music = pop; Q8341 jazz; Q43343 folk music = folk; "
        "Q38848 heavy metal = metal; Q11401 hip-hop = hip hop; Q9778 electronic music = electronica; "
        "Q9730 classical music; Q83440 country music; Q9759 blues; Q9794 reggae; Q131272 soul music = soul; "
        "Q3071 punk rock = punk",
    ),
    "video game genre": (
        "Q659563",
        "Q270948 action game; Q744038 role-playing video game = RPG; Q828322 platform game = platformer; "
        "Q23916 adventure game; Q860750 racing game; Q16070115 strategy game",
    ),
    "instrument": (
        "Q34379",
        "Q6607 guitar; Q5994 piano; Q8355 violin = fiddle; Q128309 drum kit = drums; Q46185 bass guitar; "
        "Q9798 saxophone = sax; Q8338 trumpet; Q8371 cello; Q11405 flute; Q79838 accordion",
    ),
    "sport": ("Q31629", "Q2736 association football = football, soccer; Q5372 basketball"),
    "football position": (
        "Q1781513",
        "Q201330 goalkeeper = goalie; Q336286 defender; Q193592 midfielder; Q280658 forward = striker",
    ),
    "cause of death": (
        "Q12136",
        "Q12078 cancer; Q12152 myocardial infarction = heart attack; Q12202 stroke; Q12192 pneumonia; "
        "Q12204 tuberculosis = TB; Q47912 lung cancer; Q181754 heart failure; Q12206 diabetes",
    ),
    "industry": (
        "Q268592",
        "Q190117 automotive industry; Q880371 software industry; Q540912 food industry; Q44497 mining; "
        "Q607081 textile industry; Q507443 pharmaceutical industry; Q474200 shipbuilding; "
        "Q837171 financial services; Q418 telecommunications = telecoms; Q126793 retail; Q43183 insurance; "
        "Q385378 construction",
    ),
    "discipline": (
        "Q11862829",
        "Q413 physics; Q2329 chemistry; Q395 mathematics = maths; Q309 history; Q5891 philosophy; "
        "Q420 biology; Q333 astronomy; Q8134 economics; Q8162 linguistics; Q1069 geology; Q441 botany; "
        "Q11190 medicine",
    ),
    "ideology": (
        "Q12909644",
        "Q6216 liberalism; Q7169 conservatism; Q121254 social democracy; Q7272 socialism; Q6235 nationalism; "
        "Q180490 populism",
    ),
    "movement": (
        "Q968159",
        "Q40415 impressionism; Q80113 expressionism; Q39427 surrealism; Q42934 cubism; Q37068 romanticism; "
        "Q878985 modernism",
    ),
    "architectural style": (
        "Q32880",
        "Q186363 Gothic Revival architecture = neo-Gothic; Q840829 Baroque architecture; "
        "Q54111 neoclassical architecture = neoclassicism; Q173782 Art Deco; "
        "Q994776 Brutalist architecture = brutalism; Q245188 modern architecture",
    ),
    "painting material": (
        "Q214609",
        "Q296955 oil paint; Q12321255 canvas; Q22915256 watercolor paint = watercolour; "
        "Q207849 acrylic paint",
    ),
    "building material": (
        "Q214609",
        "Q11427 steel; Q22731 stone; Q40089 brick; Q22657 concrete; Q287 wood = timber; Q11426 iron",
    ),
    "degree": (
        "Q189533",
        "Q752297 Doctor of Philosophy = PhD, Ph.D.; Q1765120 Bachelor of Arts = BA; "
        "Q2091008 Master of Arts = MA; Q787674 Bachelor of Science = BSc",
    ),
    "occupation": (
        "Q28640",
        "Q33999 actor; Q2526255 film director = director; Q28389 screenwriter = scriptwriter; "
        "Q3282637 film producer = producer; Q222344 cinematographer; Q36180 writer; Q644687 illustrator; "
        "Q177220 singer = vocalist; Q36834 composer; Q1028181 painter; Q82955 politician; "
        "Q937857 association football player = footballer; Q3665646 basketball player; "
        "Q1650915 researcher = scientist; Q42973 architect; Q1930187 journalist; "
        "Q189290 military officer; Q81096 engineer; Q43845 businessperson; Q11063 astronomer; "
        "Q49757 poet; Q333634 translator; Q1622272 university teacher = professor; Q639669 musician; "
        "Q40348 lawyer; Q41583 coach; Q6625963 novelist",
    ),
}

UNITS = {
    "Q11573": ("metre", "m"),
    "Q174728": ("centimetre", "cm"),
    "Q828224": ("kilometre", "km"),
    "Q3710": ("foot", "ft"),
    "Q253276": ("mile", "mi"),
    "Q11574": ("second", "s"),
    "Q7727": ("minute", "min"),
    "Q25235": ("hour", "h"),
    "Q712226": ("square kilometre", "km2"),
    "Q35852": ("hectare", "ha"),
    "Q232291": ("square mile", "sqmi"),
    "Q4917": ("United States dollar", "USD"),
}

CONCEPTS: list[Concept] = []
GROUPS: dict[str, range] = {}


def _read() -> None:
    for group, (class_id, rows) in _GROUPS.items():
        first = len(CONCEPTS)
        for row in rows.split("; "):
            id_, _, rest = row.partition(" ")
            label, _, aliases = rest.partition(" = ")
            CONCEPTS.append(Concept(id_, label, class_id, tuple(filter(None, aliases.split(", ")))))
        GROUPS[group] = range(first, len(CONCEPTS))


_read()

CONCEPT_NUMBERS = 1 << 30
"""Among the numbers of entities, concept c has the number CONCEPT_NUMBERS + c."""
