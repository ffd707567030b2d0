"""Queries and the questions they become: conditions on things, and how they are combined.

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
    Which films have the same director as another film that starred B?
?x P57 ?1; ?2 P57 ?1; ?2 P161 A; ?x P162 ?3; ?2 P162 ?3
    Which films were produced by someone who produced a film B that starred A, and were directed by someone who directed B?
?x P19 ?1; ?1 P17 B; A P19 B
    Who was born in a place in B, given that A was born in B?
?x P57 A; A P19 B
    Which films were directed by A, given that A was born in B?
"""  # noqa: E501
