"""Queries and the questions they become: the long table of the wording tests.

Each query stands on a line of its own, its question indented below it; # begins a group.
"""

TABLE = """
# simple
?x P57 [Orla Venn]
    Which films were directed by Orla Venn?
?x P19 Norrowind
    Who was born in Norrowind?
?x P161 [Orla Venn]
    Which films or television series starred Orla Venn?
?x P166 [Zenshi Prize]
    Who or what received the Zenshi Prize?
?x P106 painter
    Who worked as a painter?
?x P106 actor
    Who worked as an actor?
?x P413 [goalkeeper]
    Who played as a goalkeeper?
?x P1303 guitar
    Who plays the guitar?
?x P27 [United Kingdom]
    Who is a citizen of the United Kingdom?
?x P27 Netherlands
    Who is a citizen of the Netherlands?
?x P463 [Royal Society]
    Who or what is a member of the Royal Society?
?x P69 [University of Norrowind]
    Who was educated at the University of Norrowind?
?x P607 [Battle of Ostrell]
    Who or what fought in the Battle of Ostrell?
?x P39 [Mayor of Ostrell]
    Who held the position of Mayor of Ostrell?
?x P21 female
    Who is female?
?x P22 [Orla Venn]
    Who has Orla Venn as their father?
?x P40 [Orla Venn]
    Who has Orla Venn as a child?
?x P58 [Orla Venn]
    Which films or television programmes had their screenplay written by Orla Venn?
?x P272 [BBC]
    Which films or television series were produced by the company BBC?
?x P407 Norrish
    Which works have Norrish as their language?
?x P31 museum
    What is a museum?
?x P31 [abbey]
    What is an abbey?
?x P177 Nile
    Which bridges cross the Nile?
?x P206 [Lake Venn]
    Which places lie in or beside Lake Venn?
?x P138 [Orla Venn]
    What is named after Orla Venn?
?x P112 [James Dross]
    Which organizations were founded by James Dross?
[Orla Venn] P19 ?x
    Where was Orla Venn born?
UHF P57 ?x
    Who directed UHF?
Everest P2044 ?x
    What is the elevation above sea level of Everest?
Everest P2048 ?x
    What is the height of Everest?
[James Dross] P569 ?x
    What is the date of birth of James Dross?
[Netherlands] P36 ?x
    What is the capital of the Netherlands?
[Orla Venn] P166 ?x
    Which awards were awarded to Orla Venn?
[Orla Venn] P20 ?x
    Where did Orla Venn die?
[Orla Venn] P40 ?x
    Who are the children of Orla Venn?
[Orla Venn] P22 ?x
    Who is the father of Orla Venn?

# names
?x P19 [Paris, Texas]
    Who was born in Paris, Texas?
?x P131 [Paris, Texas]; ?x a museum
    Which museums are located in Paris, Texas?
?x P57 [Robert Downey, Jr.]
    Which films were directed by Robert Downey, Jr.?
?x P161 [What's Up, Doc?]
    Which films or television series starred “What's Up, Doc?”?
[What's Up, Doc?] P57 ?x
    Who directed “What's Up, Doc?”?
[Mamma Mia!] P57 ?x
    Who directed “Mamma Mia!”?
[The Good, the Bad and the Ugly] P57 ?x
    Who directed “The Good, the Bad and the Ugly”?
?x P175 [M.I.A.]
    Which works were performed by M.I.A.?
?x P50 [Martin Luther King Jr.]
    Which works were written by Martin Luther King Jr.?
?x P136 jazz
    What belongs to the genre of jazz?

# typed
?x P136 jazz; ?x a human
    Who works in the genre of jazz?
?x P136 jazz; ?x a album
    Which albums belong to the genre of jazz?
?x P131 Paris; ?x a museum
    Which museums are located in Paris?
?x P131 Paris; ?x a [human settlement]
    Which human settlements are located in Paris?
?x P19 Paris; ?x a human
    Who was born in Paris?
?x P19 Paris; ?x a painter
    Which painters were born in Paris?
?x P166 [Zenshi Prize]; ?x a [television series]
    Which television series received the Zenshi Prize?
?x P17 Ostrell; ?x a [body of water]
    Which bodies of water are in Ostrell?
?x P276 Ostrell; ?x a university
    Which universities are located in Ostrell?
?x P180 Ostrell; ?x a [work of art]
    Which works of art depict Ostrell?
?x P131 Ostrell; ?x a [tower block]
    Which tower blocks are located in Ostrell?
?x P449 BBC; ?x a [animated series]
    Which animated series were first broadcast by the BBC?
?x P17 Ostrell; ?x a museum; ?x a church
    Which churches are also museums and are in Ostrell?
?x a volcano
    Which volcanoes are there?

# intersection
?x P57 [Clint Eastwood]; ?x P162 [Clint Eastwood]
    Which films were produced and directed by Clint Eastwood?
?x P57 A; ?x P161 B
    Which films starred B and were directed by A?
?x P57 A; ?x P162 B
    Which films were produced by B and directed by A?
?x P161 A; ?x P161 B
    Which films or television series starred both A and B?
?x P19 A; ?x P20 A
    Who was born in A and died in A?
?x P19 A; ?x P108 B
    Who was employed by B and born in A?
?x P57 A; ?x P162 A; ?x P161 A
    Which films starred A and were produced and directed by A?
?x P57 A; ?x P162 B; ?x P161 C
    Which films starred C, were produced by B, and were directed by A?
?x P710 A; ?x P710 B
    Which events had both A and B as participants?
?x P161 A; ?x P161 B; ?x P161 C
    Which films or television series starred A, B, and C?
?x P19 [Paris, Texas]; ?x P27 [United States]
    Who was born in Paris, Texas, and is a citizen of the United States?
?x P123 A; ?x P178 B
    Which works were published by A and developed by B?
?x P57 A; ?x P577 @1960
    Which films were directed by A and released or published in 1960?
?x P166 A; ?x P57 B
    Which films received A and were directed by B?
?x P19 A; ?x P17 B
    Who is in B and was born in A?

# negation
?x P69 A; not ?x P108 B
    Who was educated at A but was not employed by B?
?x P57 A; not ?x P161 B
    Which films were directed by A but did not star B?
?x P57 A; not ?x P57 B
    Which films were directed by A but were not directed by B?
?x P27 A; not ?x P1303 guitar; not ?x P1303 violin
    Who is a citizen of A but does not play the guitar or violin?
?x P57 A; not ?x a film
    What was directed by A but is not a film?
?x P131 A; ?x a building; not ?x a museum
    Which buildings are located in A but are not museums?
?x P19 A; not ?x P40 ?1; not ?1 P27 B
    Who was born in A but does not have any child who is a citizen of B?
?x P57 A; not ?x P57 ?1; not ?1 P19 Paris
    Which films were directed by A but were not directed by anyone born in Paris?
?x P19 A; not ?x P166 ?1
    Who was born in A but did not receive any award?
?x P19 A; not ?x P551 A
    Who was born in A but did not live in A?
?x P19 A; not ?x P2522 B
    Who was born in A but did not win B?

# composition
?1 P131 Dubai; ?1 P2048 ?x; ?1 a building
    What are the heights of the buildings located in Dubai?
?1 P162 [Eric Newman]; ?1 P57 ?x
    Who are the directors of the films produced by Eric Newman?
?1 P162 [Eric Newman]; ?1 P57 ?2; ?2 P19 ?x
    What are the places of birth of the directors of the films produced by Eric Newman?
?1 P57 A; ?1 P577 ?x
    What are the dates of release or publication of the films directed by A?
?1 P19 A; ?1 P569 ?x
    What are the dates of birth of the people born in A?
?1 P19 A; ?1 P166 ?x
    What are the awards received by the people born in A?
?1 P54 A; ?1 P19 ?x
    What are the places of birth of the people who played for A?
?1 P50 A; ?1 P1433 ?x
    What are the publications containing the works written by A?
?1 P19 A; ?1 P106 ?x
    What are the occupations of the people born in A?
?1 P27 A; ?1 P54 ?2; ?2 P115 ?x
    What are the home venues of the sports teams of the people who are citizens of A?
?1 P57 A; ?1 P162 ?x; ?x P19 B
    Which producers of the films directed by A were born in B?
?1 P57 A; ?1 P1113 ?x
    What are the numbers of episodes of the works directed by A?
?1 P136 A; ?1 P175 ?x
    Who are the performers of the works that belong to the genre of A?
A P57 ?1; ?1 P19 ?x
    What are the places of birth of the directors of A?
A P40 ?1; ?1 P40 ?x
    Who are the children of the children of A?
?x P57 ?1; ?1 P19 Paris
    Which films were directed by someone born in Paris?
?x P57 ?1; ?1 P22 A; ?x P161 ?2; ?2 P19 B
    Which films starred someone born in B, and were directed by someone who has A as their father?
?x P131 ?1; ?1 a city; ?1 P17 A
    What is located in a city in A?
?x P166 ?1
    Who or what received an award?
?x P40 ?1
    Who has a child?
?1 P1346 ?x; ?1 P664 A
    Who are the winners of the events organized by A?
?1 P737 ?x; ?1 P135 A
    Who or what are the influences on the people who were part of the movement A?

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

# union
?x P57 A | ?x P57 B
    Which films were directed by A or B?
?x P57 A | ?x P162 A
    Which works were produced or directed by A?
?x P57 A | ?x P162 B
    Which works were produced by B or directed by A?
?x P57 A; ?x P161 B | ?x P162 C
    Which works either starred B and were directed by A, or were produced by C?
?x P19 A | ?x P20 B
    Who was born in A or died in B?
?x P57 A | ?x P19 B
    Who was born in B, or which films were directed by A?
?x P57 A | ?x P57 B | ?x P57 C
    Which films were directed by A, B, or C?

# circles
?x P22 ?1; ?x P509 ?2; ?1 P509 ?2
    Who has the same cause of death as their father?
?x P40 ?1; ?x P509 ?2; ?1 P509 ?2
    Who has the same cause of death as one of their children?
?x P40 ?1; ?1 P19 A; ?x P106 ?2; ?1 P106 ?2
    Who has the same occupation as one of their children born in A?
?x P19 ?1; ?x P20 ?1
    Who was born in a place that is also their place of death?
?x P57 ?1; ?x P162 ?1
    Which films were produced by someone who directed them?
?x P57 ?1; ?x P162 ?1; ?1 P19 Paris
    Which films were produced by someone who was born in Paris and directed them?
?x P26 ?1; ?1 P184 ?x
    Who was a doctoral advisor of someone married to them?
?x P57 ?1; not ?x P162 ?1
    Which films were directed by someone who did not produce them?
?x P737 ?x
    Who was influenced by themselves?
distinct {?x P57 ?1; ?2 P57 ?1; ?2 P161 B}
    Which films were directed by someone who directed another film that starred B?
?x P57 ?1; ?2 P57 ?1; ?2 P161 A; ?x P162 ?3; ?2 P162 ?3
    Which films were produced by someone who produced a film B that starred A, and were directed by someone who directed B?
?x P19 ?1; ?1 P17 B; A P19 B
    Who was born in a place in B, given that A was born in B?
?x P57 A; A P19 B
    Which films were directed by A, given that A was born in B?

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
    Which museums in Ostrell have a maximum capacity of more than 300?
?x [on list] [List of museums in Ostrell]; ?x [list:List of museums in Ostrell#Rooms] > 300
    Which museums in Ostrell have more than 300 rooms?
?x [on list] [List of museums in Ostrell]; ?x [list:List of museums in Ostrell#Area (km²)] > 3
    Which museums in Ostrell have an area in km² of more than 3?
?x [on list] [List of museums in Ostrell]; ?x [list:List of museums in Ostrell#Director] [Orla Venn]
    Which museums in Ostrell were directed by Orla Venn?
?x [on list] [List of museums in Ostrell]; ?x [list:List of museums in Ostrell#Year] 1950
    Which museums in Ostrell are dated 1950?
?x [on list] [List of novels]; ?x [list:List of novels#Nationality] "Norrish"
    Which novels have “Norrish” as their nationality?
?x [on list] [List of churches]; ?x [list:List of churches#City, State] Ostrell
    Which churches have Ostrell as their city and state?
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
    What has A among its platforms?
?x [originally published in] A
    What was originally published in A?
?x from A
    What is listed with A under “from”?
?x [w - l] A
    What has A as its “w - l” value?
?x p A
    What has A as its “p” value?
?1 [named for] ?x; ?1 a bridge
    What is it that the bridges are named for?
A [named for] ?x
    What is A named for?
A [overlooks] ?x
    What does A overlook?
?1 team A; ?1 pos ?x
    What are the “pos” values of the things that have A as their team?
?x wins > 3; ?x a player
    Which players have more than 3 wins?
argmax ?v {?x a player; ?x wins ?v}
    Which player has the greatest number of wins?
?x [P99999] A
    What has A as its “P99999” value?
?x [capacity mw] > 30
    What has a capacity in mw of more than 30?
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
"""  # noqa: E501
