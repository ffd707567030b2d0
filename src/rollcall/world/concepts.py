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


# The classes of a world and how they nest, with Wikidata's own ids and labels. Each row: id, label,
# plural, id of the class above. `entity` is the root.


class Class(NamedTuple):
    """One class item: what P31 points to, and what P279 places it under."""

    id: str
    label: str
    plural: str
    above: str | None


_ROWS = """
Q35120 | entity | entities |
Q24229398 | agent | agents | Q35120
Q215627 | person | people | Q24229398
Q5 | human | humans | Q215627
Q43229 | organization | organizations | Q24229398
Q783794 | company | companies | Q43229
Q4830453 | business | businesses | Q783794
Q18127 | record label | record labels | Q4830453
Q2085381 | publisher | publishers | Q4830453
Q1762059 | film production company | film production companies | Q4830453
Q1616075 | television station | television stations | Q4830453
Q2385804 | educational institution | educational institutions | Q43229
Q38723 | higher education institution | higher education institutions | Q2385804
Q3918 | university | universities | Q38723
Q2088357 | musical ensemble | musical ensembles | Q43229
Q215380 | musical group | musical groups | Q2088357
Q4438121 | sports organization | sports organizations | Q43229
Q12973014 | sports team | sports teams | Q4438121
Q847017 | sports club | sports clubs | Q4438121
Q476028 | association football club | association football clubs | Q847017
Q13393265 | basketball team | basketball teams | Q12973014
Q623109 | sports league | sports leagues | Q4438121
Q7210356 | political organization | political organizations | Q43229
Q7278 | political party | political parties | Q7210356
Q386724 | work | works | Q35120
Q17537576 | creative work | creative works | Q386724
Q2431196 | audiovisual work | audiovisual works | Q17537576
Q11424 | film | films | Q2431196
Q24869 | feature film | feature films | Q11424
Q202866 | animated film | animated films | Q11424
Q15416 | television program | television programs | Q2431196
Q5398426 | television series | television series | Q15416
Q47461344 | written work | written works | Q17537576
Q7725634 | literary work | literary works | Q47461344
Q8261 | novel | novels | Q7725634
Q49084 | short story | short stories | Q7725634
Q1002697 | periodical | periodicals | Q47461344
Q11032 | newspaper | newspapers | Q1002697
Q2188189 | musical work | musical works | Q17537576
Q7366 | song | songs | Q2188189
Q482994 | album | albums | Q2188189
Q208569 | studio album | studio albums | Q482994
Q209939 | live album | live albums | Q482994
Q4502142 | visual artwork | visual artworks | Q17537576
Q3305213 | painting | paintings | Q4502142
Q11410 | game | games | Q17537576
Q7889 | video game | video games | Q11410
Q14897293 | fictional entity | fictional entities | Q35120
Q95074 | fictional character | fictional characters | Q14897293
Q27096213 | geographic entity | geographic entities | Q35120
Q486972 | human settlement | human settlements | Q27096213
Q515 | city | cities | Q486972
Q3957 | town | towns | Q486972
Q532 | village | villages | Q486972
Q1048835 | political territorial entity | political territorial entities | Q27096213
Q6256 | country | countries | Q1048835
Q10864048 | first-level administrative division | first-level administrative divisions | Q1048835
Q27096235 | natural geographic entity | natural geographic entities | Q27096213
Q271669 | landform | landforms | Q27096235
Q5107 | continent | continents | Q271669
Q8502 | mountain | mountains | Q271669
Q8072 | volcano | volcanoes | Q8502
Q46831 | mountain range | mountain ranges | Q271669
Q23442 | island | islands | Q271669
Q15324 | body of water | bodies of water | Q27096235
Q355304 | watercourse | watercourses | Q15324
Q4022 | river | rivers | Q355304
Q23397 | lake | lakes | Q15324
Q165 | sea | seas | Q15324
Q811979 | architectural structure | architectural structures | Q27096213
Q41176 | building | buildings | Q811979
Q33506 | museum | museums | Q41176
Q483110 | stadium | stadiums | Q811979
Q12280 | bridge | bridges | Q811979
Q11303 | skyscraper | skyscrapers | Q41176
Q42889 | vehicle | vehicles | Q35120
Q1229765 | watercraft | watercraft | Q42889
Q11446 | ship | ships | Q1229765
Q3231690 | automobile model | automobile models | Q42889
Q618779 | award | awards | Q35120
Q4164871 | position | positions | Q35120
Q34770 | language | languages | Q35120
Q9174 | religion | religions | Q35120
Q1190554 | occurrence | occurrences | Q35120
Q180684 | conflict | conflicts | Q1190554
Q198 | war | wars | Q180684
Q178561 | battle | battles | Q180684
Q6999 | astronomical object | astronomical objects | Q35120
Q3863 | asteroid | asteroids | Q6999
Q28640 | profession | professions | Q35120
Q483394 | genre | genres | Q35120
Q201658 | film genre | film genres | Q483394
Q223393 | literary genre | literary genres | Q483394
Q188451 | music genre | music genres | Q483394
Q659563 | video game genre | video game genres | Q483394
Q34379 | musical instrument | musical instruments | Q35120
Q31629 | type of sport | types of sport | Q35120
Q12136 | disease | diseases | Q35120
Q268592 | industry | industries | Q35120
Q11862829 | academic discipline | academic disciplines | Q35120
Q12909644 | political ideology | political ideologies | Q35120
Q968159 | art movement | art movements | Q35120
Q32880 | architectural style | architectural styles | Q35120
Q214609 | material | materials | Q35120
Q47574 | unit of measurement | units of measurement | Q35120
Q189533 | academic degree | academic degrees | Q35120
Q1781513 | position on a sports team | positions on a sports team | Q35120
Q48264 | gender identity | gender identities | Q35120
"""


def _read_classes(rows: str) -> dict[str, Class]:
    table: dict[str, Class] = {}
    for row in rows.strip().splitlines():
        id_, label, plural, above = (part.strip() for part in row.split("|"))
        table[id_] = Class(id_, label, plural, above or None)
    return table


CLASSES = _read_classes(_ROWS)


# The words from which names of works, companies, parties and other entities are formed.


def _phrases(text: str) -> tuple[str, ...]:
    """Phrases separated by commas, over any number of lines."""
    return tuple(" ".join(phrase.split()) for phrase in text.split(","))


_ADJECTIVES = _phrases(
    """
    Glass, Silent, Broken, Amber, Hollow, Distant, Crooked, Golden, Winter, Iron, Paper, Scarlet, Quiet,
    Burning, Salt, Velvet, Forgotten, Northern, Wooden, Drifting, Pale, Second, Last, Blue, Restless,
    Sleeping, Narrow, Wandering, Borrowed, Copper, Gentle, Invisible, Hungry, Lonely, Marble, Bitter,
    Ancient, Bright, Crimson, Empty, Endless, Faithful, Falling, Floating, Frozen, Hidden, Honest, Humble,
    Jealous, Late, Little, Lucky, Midnight, Misty, Moonlit, Naked, Painted, Patient, Perfect, Private,
    Proud, Reluctant, Ruined, Rusty, Secret, Shallow, Silver, Simple, Smiling, Stolen, Stubborn, Sudden,
    Summer, Tender, Thirsty, Tired, Uncertain, Unfinished, Upper, Weary, White, Wild, Yellow
    """
)
_NOUNS = _phrases(
    """
    Orchard, Harbour, River, Lantern, Garden, Mirror, Tower, Bridge, Letter, Window, Island, Forest, Clock,
    Meadow, Station, Piano, Violin, Staircase, Carpenter, Baker, Sailor, Gardener, Widow, Stranger, Captain,
    Daughter, Brother, Soldier, Teacher, Thief, Shepherd, Lighthouse, Railway, Kitchen, Valley, Mountain,
    Desert, Sparrow, Heron, Fox, Horse, Wolf, Crow, Swan, Tide, Storm, Winter, Autumn, Morning, Evening,
    Shadow, Candle, Feather, Stone, Bell, Key, Door, Ladder, Ribbon, Map, Compass, Anchor, Ferry, Wheel,
    Well, Bench, Table, Chair, Umbrella, Suitcase, Photograph, Notebook, Promise, Silence, Memory,
    Inheritance, Journey, Quarrel, Wedding, Funeral, Harvest, Verdict, Witness, Passenger, Apprentice,
    Neighbour, Portrait, Landscape, Comet, Observatory, Library, Archive, Chapel, Mill, Cellar, Attic,
    Balcony, Courtyard, Fountain, Labyrinth, Vineyard
    """
)
_PLURALS = _phrases(
    """
    Lanterns, Sparrows, Letters, Windows, Clocks, Ferries, Bells, Candles, Feathers, Strangers, Sailors,
    Rivers, Doors, Mirrors, Orchards, Promises, Shadows, Stones, Foxes, Herons, Maps, Ladders, Umbrellas,
    Photographs, Ribbons, Wolves, Crows, Voices, Brothers, Daughters, Wheels, Satellites, Engines, Weekends,
    Tides, Gardens, Statues, Comets, Pilots
    """
)
SECTOR_ENDINGS = (
    _phrases("Motors, Automobiles, Motor Works, Carriage Works"),
    _phrases("Shipyards, Marine Works, Shipbuilders, Docks"),
    _phrases("Software, Systems, Games, Interactive"),
)
_COMPANY = _phrases(
    """
    Brothers, & Sons, Trading, Holdings, Industries, Mutual, Stores, Group, Ltd., & Partners, Works, Mills
    """
)
_PARTY = _phrases(
    """
    Liberal, Conservative, Social, National, Democratic, Progressive, Workers', Farmers', People's,
    Republican, Reform, Civic, Independent, Radical
    """
)
_BLOCS = _phrases(
    """
    Union, Party, League, Front, Alliance, Movement, Bloc
    """
)
_PAPERS = _phrases(
    """
    Courier, Herald, Gazette, Tribune, Observer, Mercury, Post, Chronicle, Messenger, Morning News, Evening
    Star, Argus
    """
)
_PRIZES = _phrases(
    """
    Prize, Medal, Award, Grand Prize, Golden Medal, Order of Merit, Arts Prize, Academy Prize, Cultural Award,
    Foundation Prize
    """
)
OFFICES = _phrases("Prime Minister of {}, Minister of Foreign Affairs of {}, Minister of Finance of {}")
REGIONAL_OFFICES = _phrases(
    """
    Governor of {}, Treasurer of {}, Speaker of the Assembly of {}, Chief Justice of {}, Ombudsman of {},
    Inspector of Schools of {}, Surveyor General of {}
    """
)
_CARS = _phrases(
    """
    Falcon, Vela, Meteor, Cadet, Sonata, Corsa, Rapid, Tundra, Pilot, Astra, Comet, Linea, Strada, Nova
    """
)
MOTTOES = (
    "Light through labour",
    "Steady in all weathers",
    "Truth before comfort",
    "By patience, bread",
    "One river, many banks",
    "Learn, then speak",
    "Not for ourselves alone",
    "The door stands open",
    "From the sea, our strength",
    "Slowly, but together",
    "Keep faith; keep count",
    "Who asks, learns",
)
WORDS: dict[str, tuple[str, ...]] = {
    "adjective": _ADJECTIVES,
    "noun": _NOUNS,
    "plural": _PLURALS,
    "company": _COMPANY,
    "party": _PARTY[::2],
    "wing": _PARTY[1::2],
    "bloc": _BLOCS,
    "paper": _PAPERS,
    "prize": _PRIZES,
    "car": _CARS,
}
"""The words that fill the slots of patterns, by the slot's name."""
