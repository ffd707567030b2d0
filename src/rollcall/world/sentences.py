"""Sentences: a wording with its slots filled, as wikitext and as plain text."""

from dataclasses import dataclass, field

from rollcall.world.chance import Dice
from rollcall.world.concepts import UNITS
from rollcall.world.facts import Fact
from rollcall.world.families import NONE
from rollcall.world.mention import Name, Names, Written, indefinite, mention, possessive
from rollcall.world.relation import Wording
from rollcall.world.values import Coordinates, Date, Quantity, with_commas

_CONVERSIONS = {
    "Q11573": ("m", "ft", 3.28084),
    "Q828224": ("km", "mi", 0.621371),
    "Q712226": ("km2", "sqmi", 0.386102),
    "Q3710": ("ft", "m", 0.3048),
}
_SYMBOLS = {"ft": "ft", "mi": "mi", "sqmi": "sq mi", "m": "m"}


@dataclass(slots=True)
class Sentence:
    """One sentence and the facts it tells."""

    wiki: str
    plain: str
    tells: list[tuple[Fact, int, bool]] = field(default_factory=list)
    """Each fact told, the number of its wording, and whether its subject is only a pronoun."""
    decoy: Fact | None = None
    names_topic: bool = False
    """Whether it begins with the page's topic by name, so that a pronoun can follow."""
    wording: Wording | None = None
    """The wording it is made of, where it is made of one alone."""


class Writer:
    """Fills the wordings of one page; knows what the page is about and what it has linked."""

    def __init__(self, names: Names, topic: Name, dice: Dice, alive: bool, short: str):
        self.names, self.topic, self.dice, self.alive = names, topic, dice, alive
        self.short = short
        """How the page calls its topic once introduced (a person's surname)."""
        self.american = dice.below(5) == 0
        self._linked: set[int] = {topic.number}

    def other(self, number: int, opens: bool = False, full: bool = False) -> Written:
        """Another entity, by its label or now and then by an alias; linked at the first mention and sometimes later."""
        name = self.names.of(number)
        form = name.label
        if name.aliases and not full and self.dice.below(100) < 22:
            form = name.aliases[self.dice.below(len(name.aliases))]
        linked = number not in self._linked or self.dice.below(3) == 0
        self._linked.add(number)
        return mention(name, form, linked, opens)

    def itself(self, opens: bool = False) -> Written:
        form = self.short if self.dice.below(4) else self.topic.label
        return mention(self.topic, form, False, opens)

    def _entity(self, number: int, opens: bool, pronoun: bool) -> Written:
        if number != self.topic.number:
            return self.other(number, opens)
        if pronoun:
            word = self.topic.pronouns[0].capitalize()
            return Written(word, word)
        return self.itself(opens)

    def fill(self, wording: Wording, fact: Fact, pronoun: bool = False) -> Written:
        """The sentence a wording makes of a fact."""
        wiki, plain = [], []
        opening = wording.form.startswith("%s")
        for place, slot in enumerate(wording.slots):
            written = self._slot(slot, fact, opening and place == 0, pronoun and place == 0)
            wiki.append(written.wiki)
            plain.append(written.plain)
        return Written(wording.form % tuple(wiki), wording.form % tuple(plain))

    def _slot(self, slot: str, fact: Fact, opens: bool, pronoun: bool) -> Written:
        if slot == "S":
            return self._entity(fact.subject, opens, pronoun)
        if slot == "O":
            return self._object(fact, opens, pronoun)
        if slot in ("S's", "O's"):
            number = fact.subject if slot == "S's" else fact.value
            if pronoun:
                word = self.topic.pronouns[1].capitalize()
                return Written(word, word)
            return possessive(
                self._entity(number, opens, False)
                if isinstance(number, int)
                else self._object(fact, opens, False)
            )
        if slot == "a O":
            return indefinite(self._object(fact, False, False))
        text = self._small_slot(slot, fact, opens)
        return Written(text, text)

    def _small_slot(self, slot: str, fact: Fact, opens: bool) -> str:
        if slot in ("on", "date"):
            date = fact.value
            assert isinstance(date, Date)
            text = date.phrase(self.american) if slot == "on" else date.written(self.american)
            return text.capitalize() if opens and slot == "on" else text
        if slot == "start":
            return str(fact.start if fact.start != NONE else fact.point)
        if slot == "end":
            return str(fact.end)
        about = self.topic if fact.subject == self.topic.number else self.names.of(fact.subject)
        if slot in ("he", "his", "him", "himself"):
            return about.pronouns[("he", "his", "him", "himself").index(slot)]
        alive = self.alive or fact.subject != self.topic.number
        present, _, past = {"is": "is/was", "has": "has/had"}.get(slot, slot).partition("/")
        return present if alive else past

    def _object(self, fact: Fact, opens: bool, pronoun: bool) -> Written:
        value = fact.value
        if isinstance(value, int):
            return self._entity(value, opens, pronoun)
        if isinstance(value, Quantity):
            return self._quantity(value)
        if isinstance(value, Coordinates):
            text = value.written()
            return Written(text.replace("° ", "°&nbsp;"), text)
        text = value.written()
        return Written(text, text)

    def _quantity(self, value: Quantity) -> Written:
        """A quantity in words, now and then by the template that converts it."""
        text = value.written()
        conversion = _CONVERSIONS.get(value.unit)
        style = self.dice.below(6)
        if conversion and style == 0 and float(value.amount) >= 20:
            unit, other, factor = conversion
            converted = with_commas(str(round(float(value.amount) * factor)))
            wiki = "{{convert|" + value.amount + f"|{unit}|{other}|0" + "}}"
            return Written(wiki, f"{text} ({converted} {_SYMBOLS[other]})")
        if value.unit in UNITS and value.unit != "Q4917":
            if style == 1:
                return Written("{{nowrap|" + text + "}}", text)
            if style < 4:
                return Written(text.replace(" ", "&nbsp;", 1), text)
        return Written(text, text)
