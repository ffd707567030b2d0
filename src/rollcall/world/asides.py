"""Sentences that state no fact of the graph: fillers, and decoys that name two entities and state nothing.

They test sentence splitters (abbreviations, initials, decimals, quotations) and systems that treat two names
in one sentence as a fact.
"""

import re

from rollcall.english.months import MONTHS
from rollcall.world.kinds import Kind
from rollcall.world.relation import SentencePattern, wordings
from rollcall.world.sentences import Sentence, Writer

DECOYS: dict[str, tuple[SentencePattern, ...]] = {
    "person": wordings(
        """
        In a late letter, {S} mentions {O} only in passing.
        {O} came up several times in a lecture on {S}.
        A caricature of the time shows {S} reading a report on {O}.
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
        {S} and {O} appear together on a commemorative stamp.
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
        A lecture on {S} began with a story about {O}.
        """
    ),
}

_NATURE = ("continent", "sea", "mountain range", "mountain", "lake", "river", "island", "asteroid")
_ABSTRACT = ("language", "position", "award", "war", "battle", "fictional character", "religion")

_FILLERS = {
    "person": """
        Friends remembered {T} as punctual, patient and fond of long walks.
        "I never planned any of it," {T} told a reporter, "it simply happened."
        Approx. {d} metres of shelf hold the letters of {T}.
        Several biographies appeared, e.g. a short one in the series ''Lives and Works'', vol. {n}.
        The Rev. P. J. Alder, a schoolfriend, described {T} as "quiet, i.e. dangerous".
        {T} collected stamps, clocks, maps etc. and gave most of them away.
        In an interview of {m} {y}, {T} laughed at the question and changed the subject.
        What did {T} make of all this? No diary survives to tell.
        The family's house was sold for ${d} million after lengthy negotiations.
        In later years {T} dictated most letters to a secretary, Miss E. Corr.
        A rose and a small brewery are called after {T}, though not, as is often said, a railway engine.
        The letters, {n} in all, were auctioned later.
        """,
    "work": """
        Critics were divided over {T}.
        "A small thing, perfectly made," wrote one reviewer of {T}.
        The average rating of {T} in a readers' poll was {d} out of 10.
        An anniversary edition of {T}, with notes by Dr. H. L. Penn, was prepared in {y} but withdrawn.
        Nothing in it is accidental, i.e. every detail of {T} was revised at least twice.
        Some {d} percent of those asked in {y} had heard of {T}.
        Does {T} end well? Opinions differ to this day.
        The title was changed {n} times before {T} was finished.
        Several drafts of {T} survive, incl. one in pencil.
        Its reputation has grown since ca. {y}, esp. among students.
        "Not for me," said Mrs. J. Tarn of the board of censors, and left the room.
        A restored version of {T} was presented in {m} {y}.
        """,
    "place": """
        The annual rainfall is approx. {n}0.{n} mm, most of it in autumn.
        The oldest building, St. Orm's Chapel, was restored at a cost of ${d} million.
        "Here even the dogs are polite," an early visitor wrote of {T}.
        A local saying, {{lang|fr|qui va lentement}}, is often heard.
        The area is served by a bus at 7.15 a.m. and again at 6 p.m.
        Tourism grew by {d} percent a year after {y}.
        Who first settled there is not known.
        Archaeologists (led by Prof. K. V. Ames) dug there for {n} seasons.
        Honey, cheese, wool etc. are sold at the autumn fair.
        A fire in {m} {y} destroyed {n} houses.
        """,
    "nature": """
        Measurements made in {y} differ by {d} percent.
        "I have seen nothing so quiet," an early visitor wrote of {T}.
        Observations were published by Dr. A. M. Hale in {m} {y}.
        Several names were in use for {T} before {y}, when one was fixed.
        No one lives there, i.e. not permanently.
        The best time to observe {T} is shortly after 5 a.m. in early summer.
        An expedition of {n} persons (led by Prof. K. V. Ames) came back with few results.
        Is it as old as the textbooks say? Samples from {y} suggest so.
        Fog, frost, wind etc. made the first survey difficult.
        """,
    "organization": """
        The annual report of {T} is printed on grey paper.
        "We grew slowly, and on purpose," a spokesman of {T} said.
        In {y}, income rose by {d} percent to $1.{n} million.
        The archive of {T} (approx. {n} boxes) was damaged by water.
        A strike in Sept. {y} lasted {n} days.
        Its emblem, a heron, was drawn by a certain Mr. T. Vale.
        {T} moved its offices several times, e.g. during the floods of {y}.
        How much of this is legend is hard to say.
        Staff, friends, guests etc. meet every year on the first Friday of June.
        An internal history of {T}, ed. by J. B. Orne, was never published.
        """,
    "musical group": """
        An early concert of {T}, before an audience of {n}, was stopped by the police.
        "We were never in tune, and never in doubt," {T} told a fanzine in {y}.
        The drum kit was stolen in {m} {y} and found again, minus a cymbal, two weeks later.
        Critics gave the live shows of {T} {d} points out of 10 on average.
        A van, bought for ${n}00, served {T} for years.
        Songs were written by everybody, i.e. by whoever was awake.
        Was the quarrel of {y} staged? The press thought so.
        Bootlegs of {T} (approx. {n} are known) fetch high prices.
        """,
    "thing": """
        Not much was written about {T} before {y}.
        "Solid, if not beautiful," was the verdict of one observer.
        Repairs to the value of ${d} million became necessary in {y}.
        Its original drawings (scale 1:250) are lost, except for sheet No. {n}.
        Dr. A. M. Hale gave a first description of {T} in {m} {y}.
        Interest in {T} grew by approx. {d} percent a year.
        Does it deserve its fame? The guidebooks think so.
        It was mentioned on the radio at 8 p.m. on a Sunday.
        A model of {T}, made of {n} thousand matches, won a prize at a fair.
        """,
    "abstract": """
        Not much was written about {T} before {y}.
        "There is more to it than people think," one expert remarked in {m} {y}.
        A congress on {T} drew {n} participants, incl. Prof. K. V. Ames.
        Interest in {T} grew by approx. {d} percent a year.
        Does it deserve its fame? The handbooks think so.
        It was the subject of a radio talk at 8 p.m. on a Sunday.
        The standard work on {T}, ed. by J. B. Orne, has {n} chapters.
        Several myths, e.g. about its beginnings, surround {T}.
        """,
}

FILLERS: dict[str, tuple[tuple[str, str], ...]] = {}
"""By kind or tier: wikitext and plain text, with placeholders for the topic and for numbers."""


def _read() -> None:
    for tier, text in _FILLERS.items():
        lines = [line.strip() for line in text.strip().splitlines()]
        FILLERS[tier] = tuple((line, _LANGUAGE.sub(r"\1", line).replace("''", "")) for line in lines)


_LANGUAGE = re.compile(r"\{\{lang\|fr\|([^}]*)\}\}")
_read()


def _set_of(kind: Kind) -> str:
    if kind.name in _NATURE:
        return "nature"
    if kind.name in _ABSTRACT:
        return "abstract"
    return kind.name if kind.name in FILLERS else kind.tier


def filler(writer: Writer, kind: Kind) -> Sentence:
    """A sentence that states no fact."""
    dice = writer.dice
    options = FILLERS[_set_of(kind)]
    wiki, plain = options[writer.fresh(len(options))]
    if "{T}" in wiki:
        topic = writer.itself(wiki.startswith("{T}"))
        wiki, plain = wiki.replace("{T}", topic.wiki), plain.replace("{T}", topic.plain)
    first, last = writer.span
    for place, limits in (("{n}", (3, 60)), ("{y}", (first, last - first + 1))):
        if place in wiki:
            number = str(limits[0] + dice.below(limits[1]))
            wiki, plain = wiki.replace(place, number), plain.replace(place, number)
    if "{d}" in wiki:
        number = f"{1 + dice.below(9)}.{1 + dice.below(9)}"
        wiki, plain = wiki.replace("{d}", number), plain.replace("{d}", number)
    if "{m}" in wiki:
        month = MONTHS[dice.below(12)]
        wiki, plain = wiki.replace("{m}", month), plain.replace("{m}", month)
    return Sentence(wiki, plain)
