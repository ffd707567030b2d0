"""A small graph with films, people, places and companies, to be asked in English."""

from pathlib import Path

from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.query import parse_value

_CLASSES = {
    "human": "Q5", "film": "Q11424", "city": "Q515", "country": "Q6256", "river": "Q4022",
    "mountain": "Q8502", "business": "Q4830453", "book": "Q571", "university": "Q3918",
    "language": "Q34770", "band": "Q215380",
}  # fmt: skip
_RELATIONS = {
    "P57": "director", "P162": "producer", "P161": "cast member", "P50": "author",
    "P19": "place of birth", "P20": "place of death", "P569": "date of birth", "P570": "date of death",
    "P26": "spouse", "P40": "child", "P22": "father", "P27": "country of citizenship", "P17": "country",
    "P36": "capital", "P37": "official language", "P47": "shares border with", "P1082": "population",
    "P2044": "elevation above sea level", "P403": "mouth of the watercourse", "P112": "founded by",
    "P571": "inception", "P159": "headquarters location", "P176": "manufacturer", "P69": "educated at",
    "P106": "occupation", "P166": "award received", "P577": "publication date", "P136": "genre",
    "P495": "country of origin", "P175": "performer", "P1412": "languages spoken, written or signed",
    "P413": "position played on team / speciality", "P108": "employer", "P3373": "sibling",
    "P119": "place of burial", "P2047": "duration",
}  # fmt: skip
_ENTITIES = {
    "human": "Orla Venn|Tomas Reik|Mira Solt|Ada Moss|Ivo Kovařík|Lena Brandt|Jon Venn|Sela Venn|Otto Hale",
    "film": "Glass Orchard|Nine Lanterns|Homecoming|The Long Tide|Winter Ferry|Salt Road",
    "city": "Ostrell|Marlow Bay|Tarnhof|Pell|Grenadine",
    "country": "Norrowind|Kestria|Vale Republic",
    "river": "Ister|Brune",
    "mountain": "Mount Dral|Mount Hesk|Old Tooth",
    "business": "Acme Motors|Lumen Works",
    "book": "The Salt Letters|A House in Pell",
    "university": "University of Ostrell|Tarnhof College",
    "language": "Norrish|Kestrian",
    "band": "The Hollow Reeds",
    "": "painter|film director|novelist|drama|comedy|Silver Lantern|Acme Runner|Blue Kettle Blues|goalkeeper",
}
_FACTS = """
Glass Orchard P57 Orla Venn; Nine Lanterns P57 Orla Venn; Nine Lanterns P162 Orla Venn
Homecoming P57 Tomas Reik; The Long Tide P57 Orla Venn; The Long Tide P162 Tomas Reik
Winter Ferry P57 Mira Solt; Salt Road P57 Tomas Reik; Salt Road P162 Mira Solt
Glass Orchard P161 Ada Moss; Nine Lanterns P161 Ada Moss; Homecoming P161 Ada Moss
Homecoming P161 Ivo Kovařík; Winter Ferry P161 Ivo Kovařík; Salt Road P161 Lena Brandt
The Long Tide P161 Lena Brandt; Glass Orchard P136 drama; Nine Lanterns P136 comedy; Homecoming P136 drama
The Long Tide P136 drama; Winter Ferry P136 comedy; Salt Road P136 drama; Glass Orchard P495 Norrowind
Nine Lanterns P495 Norrowind; Homecoming P495 Kestria; Winter Ferry P495 Kestria
The Long Tide P495 Norrowind; Salt Road P495 Vale Republic; Orla Venn P19 Ostrell
Tomas Reik P19 Marlow Bay; Mira Solt P19 Tarnhof; Ada Moss P19 Ostrell; Otto Hale P19 Pell
Ivo Kovařík P19 Tarnhof; Lena Brandt P19 Ostrell; Jon Venn P19 Ostrell; Otto Hale P20 Ostrell
Otto Hale P119 Pell; Orla Venn P26 Jon Venn; Jon Venn P26 Orla Venn; Orla Venn P40 Sela Venn
Jon Venn P40 Sela Venn; Sela Venn P22 Jon Venn; Orla Venn P27 Norrowind; Tomas Reik P27 Kestria
Mira Solt P27 Vale Republic; Ada Moss P27 Norrowind; Ada Moss P3373 Otto Hale; Ostrell P17 Norrowind
Marlow Bay P17 Norrowind; Tarnhof P17 Vale Republic; Pell P17 Kestria; Grenadine P17 Kestria
Norrowind P36 Ostrell; Kestria P36 Pell; Vale Republic P36 Tarnhof; Norrowind P37 Norrish
Kestria P37 Kestrian; Norrowind P47 Kestria; Kestria P47 Norrowind; Ister P403 Brune; Ister P17 Kestria
Brune P17 Norrowind; Mount Dral P17 Norrowind; Mount Hesk P17 Norrowind; Old Tooth P17 Kestria
Acme Motors P112 Otto Hale; Acme Motors P159 Ostrell; Lumen Works P159 Pell; Lumen Works P112 Lena Brandt
Acme Runner P176 Acme Motors; Orla Venn P69 University of Ostrell; Ada Moss P69 Tarnhof College
Lena Brandt P69 University of Ostrell; Orla Venn P106 film director; Otto Hale P106 painter
Mira Solt P106 film director; Lena Brandt P106 novelist; Orla Venn P166 Silver Lantern
Ada Moss P166 Silver Lantern; The Salt Letters P50 Lena Brandt; A House in Pell P50 Lena Brandt
Blue Kettle Blues P175 The Hollow Reeds; Ada Moss P1412 Norrish; Ada Moss P1412 Kestrian
Ada Moss P108 Lumen Works; Jon Venn P413 goalkeeper
"""
_VALUES = """
Orla Venn P569 @1961-04-02; Tomas Reik P569 @1955; Ada Moss P569 @1984-11-30; Otto Hale P569 @1920-01-05
Otto Hale P570 @1999-08-08; Glass Orchard P577 @1988; Nine Lanterns P577 @1993; Homecoming P577 @2001
The Long Tide P577 @2010; Winter Ferry P577 @1979; Salt Road P577 @2015; Ostrell P1082 812000
Pell P1082 95000; Tarnhof P1082 230000; Marlow Bay P1082 41000; Mount Dral P2044 4100[metre]
Mount Hesk P2044 2950[metre]; Old Tooth P2044 1875[metre]; Acme Motors P571 @1948; Lumen Works P571 @1987
Glass Orchard P2047 97[minute]; The Long Tide P2047 141[minute]
"""


def asking_graph(folder: Path) -> Graph:
    """The graph, written to a folder; ids of entities are not their names."""
    ids: dict[str, str] = {}
    types = []
    for class_, names in _ENTITIES.items():
        for name in names.split("|"):
            ids[name] = f"Q{9000 + len(ids)}"
            if class_:
                types.append((ids[name], _CLASSES[class_]))
    facts = [_split(line, ids) for line in _statements(_FACTS)]
    values = [_split(line, {}) for line in _statements(_VALUES)]
    return Graph.open(
        write_graph(
            folder,
            facts=facts,
            values=[(ids[subject], relation, parse_value(value)) for subject, relation, value in values],
            types=types,
            entities=[
                *(EntityRecord(id_, name) for name, id_ in ids.items()),
                *(EntityRecord(id_, name) for name, id_ in _CLASSES.items()),
            ],
            relations=_RELATIONS,
        )
    )


def _statements(text: str) -> list[str]:
    return [one.strip() for line in text.strip().splitlines() for one in line.split(";")]


def _split(statement: str, ids: dict[str, str]) -> tuple[str, str, str]:
    """Subject, relation and object of a line; the relation is the word that begins with P and a digit."""
    words = statement.split(" ")
    place = next(place for place, word in enumerate(words) if word in _RELATIONS)
    subject, object_ = " ".join(words[:place]), " ".join(words[place + 1 :])
    return ids.get(subject, subject), words[place], ids.get(object_, object_)
