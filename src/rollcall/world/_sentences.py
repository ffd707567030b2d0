"""Sentences: a wording with its slots filled, as wikitext and as plain text.

The writer of a page keeps track of its links and sentences, so that names come before pronouns, the first
mention is linked, and the same wording is not used twice in a row.
"""

from functools import lru_cache
from typing import NamedTuple

import msgspec

from rollcall.text.verbs import conjugated
from rollcall.world._chance import Dice
from rollcall.world._facts import WorldFact
from rollcall.world._labels import EntityLabels
from rollcall.world._skeleton import NONE, NOW
from rollcall.world._sources import Coordinates, DateValue, Quantity, with_commas
from rollcall.world._titles import EntityAliases, PageTitles
from rollcall.world._vocabulary import CONCEPT_NUMBERS, UNITS, WORDS, EntityKind, SentencePattern

# How text refers to an entity: linked or not, by which name, with article, italics and possessive. All
# text is produced in two forms at once, as wikitext and as the plain text that a reader sees, so that
# the truth about a page never depends on parsing it.


class MarkedText(NamedTuple):
    """A piece of text as wikitext and as a reader sees it."""

    wiki: str
    plain: str


class EntityName(msgspec.Struct, frozen=True):
    """The information needed to mention an entity in text."""

    number: int
    label: str
    title: str
    aliases: tuple[str, ...]
    tier: str
    style: str
    the: bool
    female: bool
    forms: tuple[str, ...]
    """The aliases that running text uses; codes are for forms and tables."""
    plural: bool = False
    """Whether a verb after the name is plural: `the Oster Hills are`."""

    @property
    def pronouns(self) -> tuple[str, str, str, str]:
        """he, his, him, himself."""
        if self.tier != "person":
            return ("it", "its", "it", "itself")
        return ("she", "her", "her", "herself") if self.female else ("he", "his", "him", "himself")


class EntityNames:
    """Looks up names and caches the latest ones."""

    def __init__(self, labels: EntityLabels, aliases: EntityAliases, titles: PageTitles):
        self.labels, self.aliases, self.titles, self.census = labels, aliases, titles, labels.census
        self.of = lru_cache(maxsize=1 << 15)(self._of)

    def lives(self, number: int) -> bool:
        """Whether an entity has not ended."""
        return number >= CONCEPT_NUMBERS or int(self.labels.skeleton["end"][number]) == NONE

    def span(self, number: int) -> tuple[int, int]:
        """The years in which events can happen: of a person, the adult years; of a thing, since it exists."""
        year, end = int(self.labels.skeleton["year"][number]), int(self.labels.skeleton["end"][number])
        last = end if end != NONE else NOW - 1
        if year == NONE or last < 1850:
            return 1900, NOW - 1
        first = year + 25 if self.census.kind(number).tier == "person" else max(year, 1850)
        return min(first, last), last

    def _of(self, number: int) -> EntityName:
        label = self.labels.label(number)
        aliases = self.aliases.of(number)
        if number >= CONCEPT_NUMBERS:
            return EntityName(
                number, label, self.titles.title(number), aliases, "concept", "", False, False, aliases
            )
        kind = self.census.kind(number)
        female = kind.tier == "person" and self.labels.skeleton.families.female(number)
        forms = tuple(form for form in aliases if kind.name != "country" or len(form) > 3)
        title = self.titles.title(number)
        plural = kind.name == "mountain range" or (
            kind.name == "musical group" and label.rsplit(" ", 1)[-1] in _PLURALS
        )
        return EntityName(
            number, label, title, aliases, kind.tier, kind.style, kind.the, female, forms, plural
        )


_PLURALS = frozenset(WORDS["plural"])
_OF = ("University of ", "Isle of ", "Kingdom of ", "Republic of ")


def mention(name: EntityName, form: str, linked: bool, opens: bool, bare: bool = False) -> MarkedText:
    """An entity by a name, in running text, at the beginning of a sentence, or (`bare`) in a table."""
    article = ""
    if bare:
        pass
    elif (name.the and not form.startswith("The ")) or form.startswith(_OF):
        article = "The " if opens else "the "
    if not linked:
        core = form
    elif form[1:] == name.title[1:] and form[0].upper() == name.title[0]:
        core = f"[[{form}]]"
    elif form.startswith(name.title) and form[len(name.title) :].isalpha():
        core = f"[[{name.title}]]{form[len(name.title) :]}"
    else:
        core = f"[[{name.title}|{form}]]"
    if name.style == "italic":
        return MarkedText(f"{article}''{core}''", article + form)
    if name.style == "quoted":
        return MarkedText(f'{article}"{core}"', f'{article}"{form}"')
    return MarkedText(article + core, article + form)


def possessive(marked: MarkedText) -> MarkedText:
    """`Marl's`, `the Oster Hills'`; after italics a template is used, since apostrophes would merge."""
    ending = "'" if marked.plain.endswith("s") else "'s"
    wiki = marked.wiki + ("{{" + ending + "}}" if marked.wiki.endswith("''") else ending)
    return MarkedText(wiki, marked.plain + ending)


def plural_verb(predicate: str) -> str:
    """A predicate in the plural: `is in Marl` becomes `are in Marl`."""
    verb, blank, rest = predicate.partition(" ")
    return conjugated(verb, rest, many=True, denied=False) + blank + rest


def indefinite(marked: MarkedText) -> MarkedText:
    """With `a` or `an`."""
    # By letter and not by sound, so that a seed always gives the same world, byte for byte.
    article = "an " if marked.plain[0] in "aeioAEIO" else "a "
    return MarkedText(article + marked.wiki, article + marked.plain)


_CONVERSIONS = {
    "Q11573": ("m", "ft", 3.28084),
    "Q828224": ("km", "mi", 0.621371),
    "Q712226": ("km2", "sqmi", 0.386102),
    "Q3710": ("ft", "m", 0.3048),
}
_SYMBOLS = {"ft": "ft", "mi": "mi", "sqmi": "sq mi", "m": "m"}
_PRONOUNS = {"he": 0, "his": 1, "him": 2, "himself": 3}
_TENSES = {"is": "is/was", "has": "has/had"}


class WrittenSentence(msgspec.Struct):
    """One sentence and the facts it states."""

    wiki: str
    plain: str
    tells: list[tuple[WorldFact, int, bool]] = []
    """Each stated fact, the number of its wording, and whether the topic is only `it` or `the film`."""
    decoy: WorldFact | None = None
    names_topic: bool = False
    """Whether it begins with the page's topic, so that a pronoun can follow."""
    wording: SentencePattern | None = None
    """The wording it is made of, if there is only one."""

    def end_once(self) -> None:
        """Remove the second of two full stops: after a name like `Alder Ltd.` there is no other."""
        if self.plain.endswith(".."):
            self.wiki, self.plain = self.wiki[:-1], self.plain[:-1]


class Writer:
    """Fills the wordings of one page; keeps its topic and the state of its text."""

    def __init__(self, names: EntityNames, topic: EntityName, dice: Dice, alive: bool, kind: EntityKind):
        self.names, self.topic, self.dice, self.alive, self.kind = names, topic, dice, alive, kind
        self.short = topic.label.rsplit(" ", 1)[-1] if kind.tier == "person" else topic.label
        self.american = dice.below(5) == 0
        self._linked: set[int] = {topic.number}
        self._said: dict[str, int] = {}
        self._used: set[int] = set()
        self.cited: set[str] = set()
        """The names of references that the page has defined."""
        self.span = names.span(topic.number)
        """The first and last year in which events of the topic can happen."""

    def fresh(self, count: int) -> int:
        """The index of the filler to use: one that the page does not have yet."""
        which = self.dice.below(count)
        while which in self._used and len(self._used) < count:
            which = (which + 1) % count
        self._used.add(which)
        return which

    def other(self, number: int, opens: bool = False, full: bool = False) -> MarkedText:
        """Another entity by its label or sometimes an alias; linked the first time and sometimes later."""
        name = self.names.of(number)
        form = name.label
        if name.forms and not full and self.dice.below(100) < 25:
            form = name.forms[self.dice.below(len(name.forms))]
        linked = number not in self._linked or self.dice.below(3) == 0
        self._linked.add(number)
        return mention(name, form, linked, opens)

    def itself(self, opens: bool = False) -> MarkedText:
        form = self.short if self.dice.below(4) else self.topic.label
        return mention(self.topic, form, False, opens)

    def _anaphor(self, opens: bool) -> MarkedText:
        """The topic without its name: `He`, `It`, `The film`."""
        text = self.topic.pronouns[0]
        if self.topic.tier != "person" and (not opens or self.dice.below(5) < 2):
            text = f"the {self.kind.noun}"
        return _same(text[0].upper() + text[1:] if opens else text)

    def _entity(self, number: int, opens: bool, pronoun: bool) -> MarkedText:
        if number != self.topic.number:
            return self.other(number, opens)
        return self._anaphor(opens) if pronoun else self.itself(opens)

    def tell(self, fact: WorldFact, before: WrittenSentence | None) -> WrittenSentence | None:
        """The next sentence; None where the fact has been added to the sentence before."""
        wording, number = self._choose(fact, False)
        opens = wording.opens_with_subject
        if before is not None and opens and self._join(before, wording, fact, number):
            return None
        pronoun = self._can_refer(before, opens)
        marked = self.fill(wording, fact, pronoun)
        return WrittenSentence(marked.wiki, marked.plain, [(fact, number, pronoun)], None, opens, wording)

    def tell_back(self, facts: list[WorldFact], before: WrittenSentence | None) -> WrittenSentence:
        """A sentence about facts of one relation that have the topic as their object."""
        wording, number = self._choose(facts[0], True)
        relation = facts[0].relation
        if len(facts) > 1 and relation.plural is not None:
            number = relation.plural
            wording = relation.wordings[number - 1]
        pronoun = self._can_refer(before, wording.opens_with_object)
        marked = self.fill(wording, facts[0], pronoun, [fact.subject for fact in facts])
        tells = [(fact, number, pronoun) for fact in facts]
        return WrittenSentence(marked.wiki, marked.plain, tells, None, wording.opens_with_object, None)

    def _can_refer(self, before: WrittenSentence | None, opens: bool) -> bool:
        """Whether to write `he`, `it` or `the film`: only after a sentence that began with the topic."""
        follows = before is not None and before.names_topic
        return follows and (opens or self.topic.tier != "person") and self.dice.below(100) < 60

    def _choose(self, fact: WorldFact, back: bool) -> tuple[SentencePattern, int]:
        """A suitable wording other than the last one used for the relation; numbered from 1, past last."""
        relation = fact.relation
        options, base = relation.wordings, 1
        if relation.past and (fact.end != NONE or (fact.point != NONE and fact.slot)):
            options, base = relation.past_wordings, 1 + len(options)
        fitting = list(range(len(options)))
        if back:
            fitting = [index for index in fitting if options[index].opens_with_object] or fitting
        last = self._said.get(relation.key)
        if last is not None and len(fitting) > 1:
            fitting = [index for index in fitting if index != last] or fitting
        which = fitting[self.dice.below(len(fitting))]
        self._said[relation.key] = which
        return options[which], base + which

    def _join(self, before: WrittenSentence, wording: SentencePattern, fact: WorldFact, number: int) -> bool:
        """Sometimes join two short sentences about the topic into one that states both facts."""
        first = before.wording
        if first is None or not first.joinable or not wording.joinable or len(before.tells) != 1:
            return False
        if before.tells[0][0].subject != self.topic.number or self.dice.below(4):
            return False
        tail = self.fill(wording.predicate, fact)
        if self.topic.plural and not before.tells[0][2]:
            tail = MarkedText(plural_verb(tail.wiki), plural_verb(tail.plain))
        before.wiki, before.plain = (
            f"{before.wiki[:-1]} and {tail.wiki}",
            f"{before.plain[:-1]} and {tail.plain}",
        )
        before.tells.append((fact, number, before.tells[0][2]))
        before.wording = None
        return True

    def fill(
        self,
        wording: SentencePattern,
        fact: WorldFact,
        pronoun: bool = False,
        subjects: list[int] | None = None,
    ) -> MarkedText:
        """The sentence that a wording gives for a fact, or for several that differ in their subjects."""
        opening = wording.opens
        filled = [
            self._series(subjects)
            if subjects and slot == "S"
            else self._slot(slot, fact, opening and index == 0, pronoun)
            for index, slot in enumerate(wording.slots)
        ]
        if self._is_plural(fact):
            return self._agreeing(wording, fact, filled, pronoun)
        wikis, plains = [part.wiki for part in filled], [part.plain for part in filled]
        return MarkedText(wording.form % tuple(wikis), wording.form % tuple(plains))

    def _is_plural(self, fact: WorldFact) -> bool:
        """Whether either end of a fact has a plural name."""
        value = fact.value
        return self.names.of(fact.subject).plural or (isinstance(value, int) and self.names.of(value).plural)

    def _agreeing(
        self, wording: SentencePattern, fact: WorldFact, filled: list[MarkedText], pronoun: bool
    ) -> MarkedText:
        """The sentence with a plural verb wherever its subject is a plural name."""
        between = wording.form.replace("%%", "%").split("%s")
        for index, slot in enumerate(wording.slots):
            number = {"S": fact.subject, "O": fact.value}.get(slot)
            if not isinstance(number, int) or not self.names.of(number).plural:
                continue
            leads = between[index] == "" or between[index].endswith((", ", " where ", " which "))
            if not leads or (pronoun and number == self.topic.number):
                continue
            if between[index + 1] == " ":
                filled[index + 1] = _same(plural_verb(filled[index + 1].plain))
            else:
                between[index + 1] = " " + plural_verb(between[index + 1].removeprefix(" "))
            between[index + 1 :] = [text.replace(" its ", " their ") for text in between[index + 1 :]]
        wiki = "".join(text + part.wiki for text, part in zip(between, filled, strict=False))
        plain = "".join(text + part.plain for text, part in zip(between, filled, strict=False))
        return MarkedText(wiki + between[-1], plain + between[-1])

    def _series(self, numbers: list[int]) -> MarkedText:
        """`A`, `A and B`, `A, B and C`."""
        parts = [self.other(number) for number in numbers]
        wikis, plains = [part.wiki for part in parts], [part.plain for part in parts]
        if len(parts) == 1:
            return parts[0]
        return MarkedText(
            ", ".join(wikis[:-1]) + " and " + wikis[-1], ", ".join(plains[:-1]) + " and " + plains[-1]
        )

    def _slot(self, slot: str, fact: WorldFact, opens: bool, pronoun: bool) -> MarkedText:
        if slot == "S":
            return self._entity(fact.subject, opens, pronoun)
        if slot == "O":
            return self._object(fact, opens, pronoun)
        if slot in ("S's", "O's"):
            number = fact.subject if slot == "S's" else fact.value
            if pronoun and number == self.topic.number:
                owner = self.topic.pronouns[1]
                return _same(owner.capitalize() if opens else owner)
            owned = (
                self._entity(number, opens, False)
                if isinstance(number, int)
                else self._object(fact, opens, False)
            )
            return possessive(owned)
        if slot == "a O":
            return indefinite(self._object(fact, False, False))
        return _same(self._small_slot(slot, fact, opens))

    def _small_slot(self, slot: str, fact: WorldFact, opens: bool) -> str:
        if slot in ("on", "date"):
            date = fact.value
            assert isinstance(date, DateValue)
            if slot == "date":
                return date.written(self.american)
            text = date.phrase(self.american)
            return text[0].upper() + text[1:] if opens else text
        if slot == "start":
            return str(fact.start if fact.start != NONE else fact.point)
        if slot == "end":
            return str(fact.end)
        if slot in _PRONOUNS:
            about = self.topic if fact.subject == self.topic.number else self.names.of(fact.subject)
            return about.pronouns[_PRONOUNS[slot]]
        alive = self.alive if fact.subject == self.topic.number else self.names.lives(fact.subject)
        present, _, past = _TENSES.get(slot, slot).partition("/")
        return present if alive else past

    def _object(self, fact: WorldFact, opens: bool, pronoun: bool) -> MarkedText:
        value = fact.value
        if isinstance(value, int):
            return self._entity(value, opens, pronoun)
        if isinstance(value, Quantity):
            return self._quantity(value)
        text = value.written()
        if isinstance(value, Coordinates):
            return MarkedText(text.replace("° ", "°&nbsp;"), text)
        return _same(text)

    def _quantity(self, value: Quantity) -> MarkedText:
        """A quantity in words, sometimes with the template that converts it."""
        text = value.written()
        conversion = _CONVERSIONS.get(value.unit)
        style = self.dice.below(6)
        if conversion and style == 0 and float(value.amount) >= 20:
            unit, other, factor = conversion
            converted = with_commas(str(round(float(value.amount) * factor)))
            wiki = "{{convert|" + value.amount + f"|{unit}|{other}|0" + "}}"
            return MarkedText(wiki, f"{text} ({converted} {_SYMBOLS[other]})")
        if value.unit in UNITS and value.unit != "Q4917":
            if style == 1:
                return MarkedText("{{nowrap|" + text + "}}", text)
            if style < 4:
                return MarkedText(text.replace(" ", "&nbsp;", 1), text)
        return _same(text)


def _same(text: str) -> MarkedText:
    return MarkedText(text, text)
