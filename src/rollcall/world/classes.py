"""The classes of a world and how they nest, with Wikidata's own ids and labels.

Each row: id, label, plural, id of the class above. `entity` is the root.
"""

from typing import NamedTuple


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


def _read(rows: str) -> dict[str, Class]:
    table: dict[str, Class] = {}
    for row in rows.strip().splitlines():
        id_, label, plural, above = (part.strip() for part in row.split("|"))
        table[id_] = Class(id_, label, plural, above or None)
    return table


CLASSES = _read(_ROWS)
