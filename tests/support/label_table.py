"""Labels of relations of graphs that nobody knows, and the questions they become.

A row has a label, the question for its subjects, and the question for its objects; # begins a group.
"""

TABLE = """
# company
worksFor | Who works for Marl? | What does Marl work for?
works_in | Who works in Marl? | What does Marl work in?
REPORTS_TO | Who reports to Marl? | Who does Marl report to?
reportsTo | Who reports to Marl? | Who does Marl report to?
managed by | What is managed by Marl? | Who manages Marl?
suppliedBy | What is supplied by Marl? | Who supplies Marl?
hasSupplier | What has Marl as a supplier? | What are the suppliers of Marl?
isSubsidiaryOf | What is a subsidiary of Marl? | What is Marl a subsidiary of?
subsidiaries | Which companies have Marl as a subsidiary? | What are the subsidiaries of Marl?
foundedBy | Which organizations were founded by Marl? | Who founded Marl?
CTO | What has Marl as its CTO? | Who are the CTOs of Marl?
headquartered in | What is headquartered in Marl? | Where is Marl headquartered?
employs | What employs Marl? | What does Marl employ?
numOfEmployees | Which companies have Marl employees? | What is the number of employees of Marl?
line manager | What has Marl as its line manager? | Who are the line managers of Marl?
dept_id | What belongs to the Marl department? | Which departments does Marl belong to?
invests in | What invests in Marl? | What does Marl invest in?
importsModule | What imports Marl? | Which modules does Marl import?
licensed from | What is licensed from Marl? | What is Marl licensed from?
isCompetitorOf | What is a competitor of Marl? | What is Marl a competitor of?
shareholders | What has Marl among its shareholders? | What are the shareholders of Marl?
# biology
inhibits | What inhibits Marl? | What does Marl inhibit?
encodes | What encodes Marl? | What does Marl encode?
binds to | What binds to Marl? | What does Marl bind to?
regulatedBy | What is regulated by Marl? | Who or what regulates Marl?
isExpressedIn | What is expressed in Marl? | What is Marl expressed in?
feedsOn | What feeds on Marl? | What does Marl feed on?
preys on | What preys on Marl? | What does Marl prey on?
interacts with | What interacts with Marl? | What does Marl interact with?
found in taxon | What is found in Marl? | Which taxa is Marl found in?
pollinated by | What is pollinated by Marl? | Who or what pollinates Marl?
first recorded by | What was first recorded by Marl? | Who first recorded Marl?
located_in_tissue | What is located in Marl? | Which tissues is Marl located in?
symptoms | What has Marl among its symptoms? | What are the symptoms of Marl?
treats | What treats Marl? | What does Marl treat?
causes disease | What causes Marl? | Which diseases does Marl cause?
side effect | What has Marl as its side effect? | What are the side effects of Marl?
native to | What is native to Marl? | What is Marl native to?
# software
dependsOn | What depends on Marl? | What does Marl depend on?
extends | What extends Marl? | What does Marl extend?
implements | What implements Marl? | What does Marl implement?
calledBy | What was called by Marl? | Who or what called Marl?
maintained_by | What is maintained by Marl? | Which organizations maintain Marl?
writtenIn | What was written in Marl? | What was Marl written in?
runs on | What runs on Marl? | What does Marl run on?
has_dependency | What has Marl as a dependency? | What are the dependencies of Marl?
isVersionOf | What is a version of Marl? | What is Marl a version of?
deprecated by | What was deprecated by Marl? | Who or what deprecated Marl?
license | What is licensed under Marl? | What is Marl licensed under?
authors | What was written by Marl? | Who wrote Marl?
# railway
stops at | What stops at Marl? | Where does Marl stop?
calls at | What calls at Marl? | What does Marl call at?
terminatesAt | What terminates at Marl? | Where does Marl terminate?
connectsTo | What connects to Marl? | What does Marl connect to?
operated by | What is operated by Marl? | Which organizations operate Marl?
adjacent station | What has Marl as its adjacent station? | What are the adjacent stations of Marl?
runsThrough | What runs through Marl? | What does Marl run through?
hasStation | What has Marl as a station? | What are the stations of Marl?
gauge | What has Marl as its gauge? | What are the gauges of Marl?
builtBy | What was built by Marl? | Who built Marl?
serves | What serves Marl? | Which places are served by Marl?
# school
teaches | Who teaches Marl? | What does Marl teach?
taughtBy | Who was taught by Marl? | Who taught Marl?
teaches course | Who teaches Marl? | Which courses does Marl teach?
enrolledIn | Who enrolled in Marl? | What did Marl enrol in?
studies at | Who studies at Marl? | Where does Marl study?
graduated_from | Who graduated from Marl? | What did Marl graduate from?
attends | Who attends Marl? | What does Marl attend?
supervisor | What is supervised by Marl? | Who supervises Marl?
supervisedBy | Who is supervised by Marl? | Who supervises Marl?
is_prerequisite_of | What is a prerequisite of Marl? | What is Marl a prerequisite of?
member of | Who is a member of Marl? | What is Marl a member of?
hasStudent | What has Marl as a student? | Who are the students of Marl?
mentors | What has Marl among its mentors? | Who are the mentors of Marl?
# people, places, works
livesIn | Who lived in Marl? | Where did Marl live?
bornIn | Who was born in Marl? | Where was Marl born?
dob | Who was born in Marl? | What is the date of birth of Marl?
marriedTo | Who was married to Marl? | Who was married to Marl?
hasChild | What has Marl as a child? | Who are the children of Marl?
speaks language | Who speaks Marl? | Which languages does Marl speak?
plays instrument | What plays Marl? | Which instruments does Marl play?
diedIn | Who died in Marl? | Where did Marl die?
ACTED_IN | Who acted in Marl? | What did Marl act in?
DIRECTED_BY | Which films were directed by Marl? | Who directed Marl?
wrote | Who wrote Marl? | What did Marl write?
hasWonPrize | What has won Marl? | Which prizes has Marl won?
capital of | What is the capital of Marl? | What is Marl the capital of?
isCapitalOf | What is the capital of Marl? | What is Marl the capital of?
borders | Which places border Marl? | Which places border Marl?
flows_into | Which rivers flow into Marl? | Which bodies of water receive Marl?
ownerOf | Who is an owner of Marl? | What is Marl an owner of?
participatedIn | What participated in Marl? | What did Marl participate in?
music by | Which works have music by Marl? | Who composed the music of Marl?
situated near | What is situated near Marl? | What is Marl situated near?
known for | Who is known for Marl? | What are the notable works of Marl?
http://example.org/terms#locatedIn | What is located in Marl? | Where is Marl located?
foaf:knows | Who knows Marl? | Who does Marl know?
Produced By | Which works were produced by Marl? | Who produced Marl?
# medicine, trade, sport and tables
sitsOnBoardOf | What sits on board of Marl? | What does Marl sit on board of?
in charge of | What is in charge of Marl? | What is Marl in charge of?
next to | What is next to Marl? | What is Marl next to?
same as | What is the same as Marl? | What is Marl the same as?
eatenBy | What is eaten by Marl? | Who or what eats Marl?
airs on | What airs on Marl? | What does Marl air on?
MAJORED_IN | Who majored in Marl? | What did Marl major in?
co-authored with | Who co-authored with Marl? | What did Marl co-author with?
scored against | What scored against Marl? | What did Marl score against?
wants to visit | What wants to visit Marl? | What does Marl want to visit?
friends with | Who is friends with Marl? | Who is Marl friends with?
upregulates | What upregulates Marl? | What does Marl upregulate?
PI | What has Marl as its PI? | What are the PIs of Marl?
lgb | What has Marl as its LGB? | What are the LGBs of Marl?
conf | What belongs to Marl? | Which conferences does Marl belong to?
from club | What came from Marl? | Which clubs did Marl come from?
status | What has the status Marl? | What are the statuses of Marl?
position | What has the position of Marl? | What are the positions of Marl?
num_employees | Which companies have Marl employees? | What is the number of employees of Marl?
representing | What represents Marl? | What does Marl represent?
teams clubs | What has Marl as its team or club? | What are the teams or clubs of Marl?
branches in | What has branches in Marl? | What does Marl have branches in?
commutes by | Who commutes by Marl? | What does Marl commute by?
AUDITED_BY | What was audited by Marl? | Who or what audited Marl?
isPoweredBy | What is powered by Marl? | Who or what powers Marl?
SHIPPED_FROM | What was shipped from Marl? | What was Marl shipped from?
suffers from | Who suffers from Marl? | What does Marl suffer from?
fluent in | What is fluent in Marl? | What is Marl fluent in?
allergic to | What is allergic to Marl? | What is Marl allergic to?
licensedUnder | What is licensed under Marl? | What is Marl licensed under?
organisers | What was organised by Marl? | Who organised Marl?
serves cuisine | What serves Marl? | Which cuisines does Marl serve?
supersedes | What supersedes Marl? | What does Marl supersede?
diagnosedWith | What is diagnosed with Marl? | What is Marl diagnosed with?
successorOf | What is the successor of Marl? | What is Marl the successor of?
"""
