"""An article: opening sentence, sections, infobox and more, and the truth about each of its sentences.

The content of a page is planned first (facts, facts of others about the topic, decoys, fillers), then written
from top to bottom, so that links, pronouns and wordings can depend on the text before.
"""

import re
from dataclasses import dataclass, field

from rollcall.text.words import MONTHS
from rollcall.world.chance import Dice, key, share
from rollcall.world.concepts import CLASSES, CONCEPT_NUMBERS
from rollcall.world.facts import CLASS_PLACE, PAIRED, Fact, Facts
from rollcall.world.furniture import bottom, reference, top
from rollcall.world.kinds import NONE, Kind
from rollcall.world.relation import Relation, SentencePattern, wordings
from rollcall.world.relations import RELATIONS
from rollcall.world.sentences import Names, Row, Sentence, Writer, Written, mention, plural_verb
from rollcall.world.sources import Date

# The opening sentence of an article: what the topic is, with one or two facts about it.

_NOUNS = {
    "Q10864048": "region",
    "Q476028": "football club",
    "Q7725634": "book",
    "Q4164871": "political office",
    "Q1616075": "television station",
}


def _participle(fact: Fact) -> bool:
    """Whether a fact's clause begins with a participle, such as `directed by`, not with `in` or `from`."""
    return fact.relation.clause.split(" ")[0] not in ("in", "from", "of", "by")


class Opening:
    """Writes the opening and records which facts it has stated."""

    def __init__(self, writer: Writer, kind: Kind, class_id: str, told: list[Fact]):
        self.writer, self.kind = writer, kind
        self.told: list[Fact] = []
        self.sentence = self._person(told) if kind.tier == "person" else self._thing(class_id, told)
        self.sentence.end_once()
        self.sentence.tells = [(fact, 0, False) for fact in self.told]

    def _bold(self, life: str = "") -> Written:
        """The topic's name in bold, sometimes with its years and another name."""
        writer = self.writer
        name = mention(writer.topic, writer.topic.label, False, True)
        wiki = name.wiki.replace(writer.topic.label, f"'''{writer.topic.label}'''", 1) + life
        alias = writer.topic.forms[0] if writer.topic.forms else ""
        if alias and alias not in writer.topic.label and writer.dice.below(5) < 3:
            return Written(
                f"{wiki}, also known as '''{alias}''',", f"{name.plain}{life}, also known as {alias},"
            )
        return Written(wiki, name.plain + life)

    def _thing(self, class_id: str, told: list[Fact]) -> Sentence:
        writer = self.writer
        noun = _NOUNS.get(class_id, CLASSES[class_id].label)
        article = "an" if noun[0] in "aeio" else "a"
        verb = "is" if writer.alive or self.kind.name == "ship" else "was"
        if self.kind.name in ("war", "battle"):
            verb = "was"
        if writer.topic.plural:
            verb = plural_verb(verb)
        bold = self._bold()
        wiki, plain = f"{bold.wiki} {verb} {article} {noun}", f"{bold.plain} {verb} {article} {noun}"
        for fact in self._clauses(told):
            assert isinstance(fact.value, int)
            before, after = fact.relation.clause.split("{O}")
            other = writer.other(fact.value)
            link = " and " if self.told and _participle(self.told[-1]) and _participle(fact) else " "
            wiki, plain = (
                f"{wiki}{link}{before}{other.wiki}{after}",
                f"{plain}{link}{before}{other.plain}{after}",
            )
            self.told.append(fact)
        return Sentence(wiki + ".", plain + ".", names_topic=True)

    def _clauses(self, told: list[Fact]) -> list[Fact]:
        """Up to two facts of different relations that fit into the sentence; places come first."""
        found: dict[str, Fact] = {}
        for fact in told:
            sayable = fact.relation.clause and fact.end == NONE and fact.relation.id not in found
            if sayable and self.writer.dice.below(10) < 7:
                found[fact.relation.id] = fact
        chosen = sorted(list(found.values())[:2], key=_participle)
        prepositions = [fact.relation.clause.split(" ")[0] for fact in chosen if not _participle(fact)]
        objects = {fact.value for fact in chosen}
        return chosen[:1] if len(prepositions) > 1 or len(objects) < len(chosen) else chosen

    def _person(self, told: list[Fact]) -> Sentence:
        writer = self.writer
        by_id: dict[str, Fact] = {}
        for fact in told:
            by_id.setdefault(fact.relation.id, fact)
        bold = self._bold(self._life(by_id))
        verb = "is" if writer.alive else "was"
        wiki, plain = f"{bold.wiki} {verb}", f"{bold.plain} {verb}"
        occupation = by_id.get("P106")
        if occupation is not None:
            assert isinstance(occupation.value, int)
            work = writer.other(occupation.value, full=True)
            self.told.append(occupation)
        else:
            work = Written("public figure", "public figure")
        article = "an" if work.plain[0] in "aeio" else "a"
        wiki, plain = f"{wiki} {article} {work.wiki}", f"{plain} {article} {work.plain}"
        citizenship = by_id.get("P27")
        if citizenship is not None and writer.dice.below(10) < 6:
            assert isinstance(citizenship.value, int)
            country = writer.other(citizenship.value)
            self.told.append(citizenship)
            wiki, plain = f"{wiki} from {country.wiki}", f"{plain} from {country.plain}"
        return Sentence(wiki + ".", plain + ".", names_topic=True)

    def _life(self, by_id: dict[str, Fact]) -> str:
        """The parenthesis with the dates of birth and death."""
        writer = self.writer
        birth, death = by_id.get("P569"), by_id.get("P570")
        if writer.dice.below(10) >= 6 or birth is None or not isinstance(birth.value, Date):
            return ""
        self.told.append(birth)
        born = birth.value.written(writer.american)
        if writer.alive:
            return f" (born {born})"
        if death is None or not isinstance(death.value, Date):
            return f" (born {born})"
        self.told.append(death)
        return f" ({born} – {death.value.written(writer.american)})"


# Sentences that state no fact of the graph: fillers, and decoys that name two entities and state
# nothing. They test sentence splitters (abbreviations, initials, decimals, quotations) and systems that
# treat two names in one sentence as a fact.

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


_ALSO = 3
"""How many facts that other pages state about its topic a page states again, for each relation."""


@dataclass(slots=True)
class Page:
    """A finished page."""

    title: str
    text: str
    redirect: str = ""
    namespace: int = 0


@dataclass(slots=True)
class Plan:
    """A planned sentence of a section: a fact, a decoy about a fact, or (neither) a filler."""

    fact: Fact | None = None
    decoy: bool = False
    back: list[Fact] = field(default_factory=list)
    """Facts of one relation with the topic as object, stated from the topic's side."""


@dataclass(slots=True)
class Section:
    """A section of an article: its sentences, and how many of them make a paragraph."""

    heading: str
    sentences: list[Sentence]
    size: int

    def paragraphs(self) -> str:
        starts = range(0, len(self.sentences), self.size)
        chunks = [self.sentences[start : start + self.size] for start in starts]
        return "\n\n".join(" ".join(sentence.wiki for sentence in chunk) for chunk in chunks)


@dataclass(slots=True)
class Draft:
    """An article in parts that can be edited: what is above its first sentence, sentences, what is below."""

    number: int
    class_id: str
    title: str
    above: str
    opening: Sentence
    sections: list[Section]
    below: str
    dice_above: Dice
    """The dice with which the part above was written, so that it can be written again for other facts."""
    dice_below: Dice


class Articles:
    """Writes the articles of one world."""

    def __init__(self, facts: Facts, names: Names, decoys: float):
        self.facts, self.names, self.decoys, self.census = facts, names, decoys, facts.census
        seed = self.census.seed
        self._dice, self._decoyed = key(seed, "article"), key(seed, "decoy")
        self._back: dict[str, list[Relation]] = {}
        for relation in RELATIONS:
            if relation.told_back and relation.id not in PAIRED:
                kinds = {option.partition(":")[0] for option in str(relation.objects).split("|")}
                for kind in sorted(kinds):
                    self._back.setdefault(kind, []).append(relation)

    def draft(self, number: int, facts: list[Fact], class_id: str, alive: bool) -> Draft:
        """The sentences of an article; `alive` decides the tense."""
        kind = self.census.kind(number)
        writer = self.writer(number, alive)
        told = [fact for fact in facts if fact.told and not fact.elsewhere]
        opening = Opening(writer, kind, class_id, told)
        planned = self._plan(writer, kind, facts, opening.told)
        begun = writer.dice.copy()
        above = top(writer, kind, told)
        sections = []
        for heading, plans in zip(kind.sections, planned, strict=True):
            if plans:
                sentences = _write_section(writer, kind, plans)
                sections.append(Section(heading, sentences, 4 + writer.dice.below(3)))
        done = writer.dice.copy()
        below = bottom(writer, told, class_id)
        return Draft(
            number, class_id, writer.topic.title, above, opening.sentence, sections, below, begun, done
        )

    def writer(self, number: int, alive: bool) -> Writer:
        """A writer at the beginning of a page."""
        return Writer(
            self.names, self.names.of(number), Dice(self._dice, number), alive, self.census.kind(number)
        )

    def finish(self, draft: Draft, facts: list[Fact]) -> tuple[Page, list[Row]]:
        """The page of a draft, and the truth about it; `facts` are all facts of the topic."""
        rows = [self._class_row(draft.number, draft.class_id, draft.title, draft.opening.plain)]
        rows += self._rows(draft.title, "", [draft.opening])
        body = [draft.above + draft.opening.wiki]
        for section in draft.sections:
            body.append(f"== {section.heading} ==\n{section.paragraphs()}")
            rows += self._rows(draft.title, section.heading, section.sentences)
        body.append(draft.below)
        rows += [self._row("fact", fact, None, None, None, None, None) for fact in facts if not fact.told]
        return Page(draft.title, "\n\n".join(body)), rows

    def _plan(self, writer: Writer, kind: Kind, facts: list[Fact], opened: list[Fact]) -> list[list[Plan]]:
        """The planned content of each section, in order."""
        dice = writer.dice
        sections: list[list[Plan]] = [[] for _ in kind.sections]
        for fact in facts:
            if fact.told and not fact.elsewhere and fact not in opened:
                sections[fact.relation.section].append(Plan(fact))
        for group in self._from_elsewhere(writer.topic.number, kind):
            sections[1].append(Plan(back=group))
        for fact in facts:
            if self._has_decoy(fact):
                section = sections[fact.relation.section]
                section.insert(dice.below(len(section) + 1), Plan(fact, decoy=True))
        for _ in range(1 + dice.below(3)):
            section = sections[dice.below(len(sections))]
            section.insert(dice.below(len(section) + 1), Plan())
        return sections

    def _from_elsewhere(self, number: int, kind: Kind) -> list[list[Fact]]:
        """Facts with the topic as object, by relation: those stated only here, and some stated there too."""
        groups: list[list[Fact]] = []
        for relation in self._back.get(kind.name, ()):
            only: list[Fact] = []
            also: list[Fact] = []
            for subject in self.facts.skeleton.subjects(relation, number)[:8]:
                for fact in self.facts.about(subject, self.census.kind(subject), relation):
                    if fact.value == number and fact.told:
                        (only if fact.elsewhere else also).append(fact)
            several = [fact for fact in only + also[:_ALSO] if fact.end == NONE]
            if len(several) > 1 and relation.plural is not None:
                groups.append(several)
                groups += [[fact] for fact in only if fact.end != NONE]
            else:
                groups += [[fact] for fact in only or also[:1]]
        return groups

    def _has_decoy(self, fact: Fact) -> bool:
        relation, value = fact.relation, fact.value
        if (
            not isinstance(value, int)
            or not relation.text
            or (value >= CONCEPT_NUMBERS and not relation.decoys)
        ):
            return False
        return share(self._decoyed, fact.place) < self.decoys

    def _rows(self, page: str, section: str, sentences: list[Sentence]) -> list[Row]:
        rows: list[Row] = []
        for sentence in sentences:
            for fact, wording, pronoun in sentence.tells:
                rows.append(self._row("fact", fact, page, section, sentence.plain, wording, pronoun))
                converse = self.facts.converse(fact)
                if converse is not None:
                    rows.append(self._row("fact", converse, page, section, sentence.plain, None, pronoun))
            if sentence.decoy is not None:
                rows.append(self._row("decoy", sentence.decoy, page, section, sentence.plain, None, False))
        return rows

    def _row(
        self,
        kind: str,
        fact: Fact,
        page: str | None,
        section: str | None,
        sentence: str | None,
        wording: int | None,
        pronoun: bool | None,
    ) -> Row:
        subject, value = self.census.id(fact.subject), self.object_text(fact)
        guid = self.facts.id(fact)
        about = (kind, guid, subject, fact.relation.id, value, page, section, sentence, wording, pronoun)
        return (*about, fact.end != NONE, fact.rank, None, None, None, None)

    def _class_row(self, number: int, class_id: str, page: str, sentence: str) -> Row:
        """The row of the opening sentence, which states the topic's class."""
        guid = self.facts.statement_id((number << 12) | CLASS_PLACE, number)
        told = ("fact", guid, self.census.id(number), "P31", class_id, page, "", sentence, 0, False)
        return (*told, False, "normal", None, None, None, None)

    def object_text(self, fact: Fact) -> str:
        """The object as in the truth table: an id, or a literal's canonical text."""
        return self.census.id(fact.value) if isinstance(fact.value, int) else fact.value.canonical()


def _write_section(writer: Writer, kind: Kind, plans: list[Plan]) -> list[Sentence]:
    """Write the planned sentences; each may depend on the one before."""
    written: list[Sentence] = []
    for plan in plans:
        before = written[-1] if written else None
        if plan.back:
            written.append(writer.tell_back(plan.back, before))
        elif plan.fact is None:
            written.append(filler(writer, kind))
        elif plan.decoy:
            written.append(_decoy(writer, kind, plan.fact))
        else:
            sentence = writer.tell(plan.fact, before)
            if sentence is not None:
                written.append(sentence)
    for sentence in written:
        sentence.end_once()
        if writer.dice.below(6) == 0:
            sentence.wiki += reference(writer.dice, writer.cited)
    return written


def _decoy(writer: Writer, kind: Kind, fact: Fact) -> Sentence:
    """A sentence that names both ends of a fact and does not state it."""
    options = fact.relation.decoy_wordings
    if not options or (
        isinstance(fact.value, int) and fact.value < CONCEPT_NUMBERS and writer.dice.below(3) == 0
    ):
        options = DECOYS[kind.tier]
    plain = writer.fill(options[writer.dice.below(len(options))], fact)
    return Sentence(plain.wiki, plain.plain, decoy=fact)
