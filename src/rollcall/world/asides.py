"""Sentences that tell no fact of the graph: fillers, and decoys that name two entities and state nothing.

Written to try a sentence splitter (abbreviations, initials, decimals, quotations) and to try whoever takes two names
in one sentence for a fact.
"""

from rollcall.world.relation import Wording, wordings

DECOYS: dict[str, tuple[Wording, ...]] = {
    "person": wordings(
        """
        In a letter of 1957, {S} mentions {O} only in passing.
        {O} came up several times in a lecture on {S}.
        A caricature of the time shows {S} under the heading "{O}".
        {S} is said to have lost a bet concerning {O}.
        An exhibition on {O} included a photograph of {S}.
        Asked about {O}, {S} answered with a shrug.
        {S} appears next to {O} in the index of a popular encyclopaedia.
        """
    ),
    "work": wordings(
        """
        {S} was discussed in a radio programme that also dealt with {O}.
        A parody of {S} contains a joke about {O}.
        The archive keeps its files on {S} in the same box as those on {O}.
        One critic needed three columns to get from {S} to {O}.
        A seminar on {S} ended in a quarrel over {O}.
        {O} was named in a quiz question whose answer was {S}.
        """
    ),
    "place": wordings(
        """
        A traveller's diary describes {S} and, some pages later, {O}.
        Old postcards show {S} on one side and greetings from {O} on the other.
        {S} and {O} appear together on a stamp of 1936.
        A folk song about {S} mentions {O} in its third verse.
        The surveyor who drew the first map of {S} also wrote about {O}.
        """
    ),
    "organization": wordings(
        """
        A newspaper once confused {S} with {O}.
        {S} and {O} were both mentioned in a report on noise.
        At a trade fair, the stand of {S} faced a banner about {O}.
        A former employee of {S} later wrote a pamphlet on {O}.
        {O} was a standing joke in the canteen of {S}.
        """
    ),
    "thing": wordings(
        """
        {S} is pictured in a calendar that also shows {O}.
        A documentary about {S} spends ten minutes on {O}.
        Collectors of memorabilia of {S} are often interested in {O} too.
        {S} and {O} share a page in a children's encyclopaedia.
        A lecture on {S}, given in 1969, began with a story about {O}.
        """
    ),
}

FILLERS: dict[str, tuple[tuple[str, str], ...]] = {}
"""By tier: wikitext and plain text; `%s` is the topic."""

_FILLERS = {
    "person": r"""
        Friends remembered %s as punctual, patient and fond of long walks.
        "I never planned any of it," %s told a reporter, "it simply happened."
        Approx. 2.5 metres of shelf hold the letters of %s.
        Several biographies appeared, e.g. a short one in the series ''Lives and Works'', vol. 12.
        The Rev. P. J. Alder, a schoolfriend, described %s as "quiet, i.e. dangerous".
        %s collected stamps, clocks, maps etc. and gave most of them away.
        Little is known about the years before 9 a.m. coffee became a habit, as %s liked to joke.
        What did %s make of all this? No diary survives to tell.
        The house was sold for $1.2 million after lengthy negotiations.<ref>{{cite news|title=House sold|work=Evening Post|date=3 May 2004|page=7}}</ref>
        In later years %s suffered from poor eyesight and dictated most letters to a secretary, Miss E. Corr.
        """,
    "work": r"""
        Critics were divided over %s.
        "A small thing, perfectly made," wrote one reviewer of %s.
        The average rating of %s in a readers' poll was 3.7 out of 5.
        An anniversary edition of %s, with notes by Dr. H. L. Penn, was prepared but withdrawn.
        Nothing in it is accidental, i.e. every line of %s was revised at least twice.
        Some 14.5 percent of those asked had heard of %s.
        Is %s a comedy? Opinions differ to this day.
        The title was changed three times before %s was finished.
        Several drafts of %s survive, incl. one in pencil.
        Its reputation has grown since ca. 1990, esp. among students.
        """,
    "place": r"""
        The annual rainfall is approx. 840.5 mm, most of it in autumn.
        The oldest building, St. Orm's Chapel, was restored at a cost of $2.4 million.
        "Here even the dogs are polite," an early visitor wrote of %s.
        Several species of birds, e.g. herons and terns, are found at %s.
        A local saying, {{lang|fr|qui va lentement}}, is often heard.
        The area is served by a bus at 7.15 a.m. and again at 6 p.m.
        Tourism grew by 3.2 percent a year between the wars.
        Who first settled there is not known.
        Archaeologists (led by Prof. K. V. Ames) dug there for two seasons.
        Honey, cheese, wool etc. are sold at the autumn fair.
        """,
    "organization": r"""
        The annual report of %s is printed on grey paper.
        "We grew slowly, and on purpose," a spokesman of %s said.
        In its first year, income rose by 12.5 percent to $1.8 million.
        The archive of %s (approx. 40 boxes) was damaged by water.
        A strike in Sept. 1974 lasted eleven days.
        Its logo, a heron, was drawn by a certain Mr. T. Vale.
        %s moved its offices several times, e.g. during the floods.
        How much of this is legend is hard to say.
        Members, friends, guests etc. meet every year on the first Friday of June.
        An internal history of %s, ed. by J. B. Orne, was never published.
        """,
    "thing": r"""
        Not much was written about %s before the 1980s.
        "Solid, if not beautiful," was the verdict of one observer.
        Repairs to the value of $3.5 million became necessary.
        Its original drawings (scale 1:250) are lost, except for sheet No. 4.
        Dr. A. M. Hale gave a first description of %s.
        Interest in %s grew by approx. 7.5 percent a year.
        Does it deserve its fame? The guidebooks think so.
        It was mentioned on the radio at 8 p.m. on a Sunday.
        A model of %s, made of matches, won a prize at a fair.
        Several myths, e.g. that of a curse, surround %s.
        """,
}


def _read() -> None:
    for tier, text in _FILLERS.items():
        rows = []
        for line in filter(None, (line.strip() for line in text.splitlines())):
            plain = line.split("<ref", 1)[0].replace("{{lang|fr|", "").replace("}}", "").replace("''", "")
            rows.append((line, plain))
        FILLERS[tier] = tuple(rows)


_read()
