"""Queries and the questions they become: values, counts, superlatives, lists, and relations without an entry.

The form is that of `wording_table`.
"""

VALUES_TABLE = """
# values
?x P569 @1960-05-17
    Who was born on 17 May 1960?
?x P569 @1960-05
    Who was born in May 1960?
?x P569 @1960
    Who was born in 1960?
?x P569 @196X
    Who was born in the 1960s?
?x P569 @18XX
    Who was born in the 19th century?
?x P569 @-0043
    Who was born in 44 BC?
?x P569 < @1950
    Who was born before 1950?
?x P569 <= @1950
    Who was born in or before 1950?
?x P577 >= @1960-05-17
    Which works were released or published on or after 17 May 1960?
?x P571 > @18XX; ?x a museum
    Which museums were founded or created after the 19th century?
?x P2048 100[metre]; ?x a building
    Which buildings are 100 metres tall?
?x P2048 > 100[metre]; ?x a building
    Which buildings are more than 100 metres tall?
?x P2048 <= 1[metre]
    What is at most 1 metre tall?
?x P2044 >= 8848[metre]
    Which places lie at least 8,848 metres above sea level?
?x P1082 < 100000
    Which places have a population of less than 100,000?
?x P1082 10000; ?x a city
    Which cities have a population of 10,000?
?x P1128 < 50
    Which companies have fewer than 50 employees?
?x P2130 > 2500000[Q4917]
    Which works cost more than 2,500,000 US dollars?
?x P2047 < 90[minute]; ?x a film
    Which films last less than 90 minutes?
?x P1113 >= 100
    Which television programmes have at least 100 episodes?
?x P1451 "Onward"
    Which organizations have the motto “Onward”?
?x P2043 12.5[kilometre]; ?x a bridge
    Which bridges are 12.5 kilometres long?
?x P2046 > 30[square kilometre]
    Which places cover an area of more than 30 square kilometres?

# count
count ?x P57 A
    How many films were directed by A?
count ?x P19 A
    How many people were born in A?
count {?x P57 A; ?x P161 B}
    How many films starred B and were directed by A?
count {?1 P57 A; ?1 P161 ?x}
    How many different cast members of the films directed by A are there?
count ?x a volcano
    How many volcanoes are there?
count {?x P57 A} | {?x P162 A}
    How many works were produced or directed by A?
count {UHF P161 ?x}
    How many people appeared in UHF?
count ?x P21 female
    How many people are female?

# superlative
argmax ?v {?x a mountain; ?x P17 Ostrell; ?x P2044 ?v}
    Which mountain in Ostrell is the highest?
argmin ?v {?x a building; ?x P131 Dubai; ?x P2048 ?v}
    Which building located in Dubai is the shortest?
argmax ?v {?x P57 A; ?x P577 ?v}
    Which film directed by A is the most recent?
argmax ?v {?x P19 A; ?x P569 ?v}
    Which person born in A is the youngest?
argmin ?v {?x P19 A; ?x P570 ?v}
    Which person born in A has the earliest date of death?
argmax ?v {?x a city; ?x P1082 ?v}
    Which city is the most populous?
argmax ?v {?x a museum; ?x P131 ?1; ?1 a city; ?1 P1082 ?v}
    Which museums are located in the city with the greatest population?
argmax ?v {?x P2048 ?v}
    What has the greatest height?
argmax ?v {?1 P57 A; ?1 P161 ?x; ?x P2048 ?v}
    Which of the cast members of the films directed by A is the tallest?
argmax ?v {?x a lake; ?x P17 A; ?x depth ?v}
    Which lake in A has the greatest depth?
argmax ?v {?x a building; ?x P2048 ?v} | {?x a bridge; ?x P2048 ?v}
    Among the bridges and the buildings, which has the greatest height?
max {?1 a building; ?1 P131 Dubai; ?1 P2048 ?x}
    What is the greatest height of any building located in Dubai?
min {?1 P57 A; ?1 P577 ?x}
    What is the earliest date of release or publication of any film directed by A?
max {Everest P2044 ?x}
    What is the greatest elevation above sea level of Everest?

# tables
?x [on list] [List of lakes of Norrowind]
    What are the lakes of Norrowind?
?x [on list] [List of mayors of Ostrell]
    Who are the mayors of Ostrell?
?x [on list] [List of tallest buildings in Ostrell]
    What are the tallest buildings in Ostrell?
?x [on list] [List of lakes by area]
    What are the lakes listed by area?
?x [on list] [List of songs recorded by Orla Venn]
    What are the songs recorded by Orla Venn?
?x [on list] [List of Medal of Ostrell recipients]
    Who are the Medal of Ostrell recipients?
?x [on list] [List of museums in Ostrell (A–K)]
    What are the museums in Ostrell?
?x [on list] [List of Norrish cuisine]
    What are the entries on the list of Norrish cuisine?
?x [on list] [2008 in video gaming]
    What are the entries of “2008 in video gaming”?
?x [on list] [List of lakes of Norrowind]; ?x [list:List of lakes of Norrowind#Country] Ostrell
    Which lakes of Norrowind are in Ostrell?
?x [on list] [List of lakes of Norrowind]; ?x [list:List of lakes of Norrowind#Basin] Ostrell
    Which lakes of Norrowind have Ostrell as their basin?
?x [on list] [List of museums in Ostrell]; ?x [list:List of museums in Ostrell#Opened] < @1950
    Which museums in Ostrell were opened before 1950?
?x [on list] [List of museums in Ostrell]; ?x [list:List of museums in Ostrell#Year] >= @1950
    Which museums in Ostrell are dated in or after 1950?
?x [on list] [List of museums in Ostrell]; ?x [list:List of museums in Ostrell#Capacity] > 300
    Which museums in Ostrell have a capacity of more than 300?
?x [on list] [List of museums in Ostrell]; ?x [list:List of museums in Ostrell#Rooms] > 300
    Which museums in Ostrell have more than 300 rooms?
?x [on list] [List of museums in Ostrell]; ?x [list:List of museums in Ostrell#Area (km²)] > 3
    Which museums in Ostrell have an area of more than 3 km²?
?x [on list] [List of museums in Ostrell]; ?x [list:List of museums in Ostrell#Director] [Orla Venn]
    Which museums in Ostrell were directed by Orla Venn?
?x [on list] [List of museums in Ostrell]; ?x [list:List of museums in Ostrell#Year] 1950
    Which museums in Ostrell are from 1950?
?x [on list] [List of novels]; ?x [list:List of novels#Nationality] "Norrish"
    Which novels have “Norrish” as their nationality?
?x [on list] [List of churches]; ?x [list:List of churches#City, State] Ostrell
    Which churches are in Ostrell?
?x [on list] [List of composers]; ?x [list:List of composers#Date died] < @1900
    Which composers died before 1900?
?x [on list] [List of tallest towers in Ostrell]; ?x [list:List of tallest towers in Ostrell#Year built] > @1900
    Which of the tallest towers in Ostrell were built after 1900?
count {?x [on list] [List of lakes of Norrowind]}
    How many lakes of Norrowind are there?
argmax ?v {?x [on list] [List of lakes of Norrowind]; ?x [list:List of lakes of Norrowind#Depth] ?v}
    Which of the lakes of Norrowind has the greatest depth?

# generic
?x director [Orla Venn]
    Which films were directed by Orla Venn?
?x [city or town] Ostrell
    What has Ostrell as its city or town?
?x notes [Orla Venn]
    What has Orla Venn in its notes?
?x [population 2011] > 3000
    What has a population in 2011 of more than 3,000?
?x [artist s nationality] Ostrell
    What has Ostrell as its artist's nationality?
?x [moving from] [FC Venn]
    What is moving from FC Venn?
?x [located in] Ostrell
    What is located in Ostrell?
?x [written by] A
    Which works were written by A?
?x [has part] A
    What has A as a part?
?x [developer s] A
    Which works were developed by A?
?x depicts A
    Which works of art depict A?
?x [named for] A
    What is named for A?
?x [member of parliament for] A
    Who is a member of parliament for A?
?x platforms A
    What runs on A?
?x [originally published in] A
    What was originally published in A?
?x from A
    What is listed with A under “from”?
?x [w - l] A
    What has A as its “w - l” value?
?x p A
    What has A as its “p” value?
?1 [named for] ?x; ?1 a bridge
    What are the bridges named for?
?1 [certified for] ?x; ?1 a pump; ?1 contains A
    What were the pumps that contain A certified for?
?1 [on show in] ?x; ?1 a artwork; ?1 [made of] A
    What are the artworks made of A on show in?
?1 [named for] ?x; ?1 a bridge; ?1 overlooks A
    What is it that the bridges that overlook A are named for?
A [named for] ?x
    What is A named for?
A [overlooks] ?x
    What does A overlook?
?1 team A; ?1 pos ?x
    What are the “pos” values of the things that have A as their team?
?x wins > 3; ?x a player
    Which players have more than 3 wins?
argmax ?v {?x a player; ?x wins ?v}
    Which player has the most wins?
?x [P99999] A
    What has A as its “P99999” value?
?x [capacity mw] > 30
    What has a capacity of more than 30 mw?
?x [list:List of poets#Death] < @1890; ?x [on list] [List of poets]
    Which poets died before 1890?
?x [list:List of clubs in Ostrell#Est.] < @1870; ?x [on list] [List of clubs in Ostrell]
    Which clubs in Ostrell were established before 1870?
?x [list:List of squadrons#Disestablished date] > @1969; ?x [on list] [List of squadrons]
    Which squadrons were disestablished after 1969?
?x [list:List of rivers of Ostrell#Drains into] A; ?x [on list] [List of rivers of Ostrell]
    Which rivers of Ostrell drain into A?
?x [list:List of films starring B#Release] > @1944; ?x [on list] [List of films starring B]
    Which films starring B were released after 1944?
?x [on list] [Marl Register listings in Norr County, Velda]
    What are the Marl Register listings in Norr County, Velda?
?x [on list] [Marl Register listings in Norr County, Velda]; ?x [list:Marl Register listings in Norr County, Velda#Listed] < 1985
    Which Marl Register listings in Norr County, Velda, were listed before 1985?
"""  # noqa: E501
