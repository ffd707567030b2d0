"""The opening sentence of an article: what the topic is, with one or two facts about it."""

from rollcall.world.classes import CLASSES
from rollcall.world.facts import Fact
from rollcall.world.families import NONE
from rollcall.world.kinds import Kind
from rollcall.world.mention import Written, mention, plural_verb
from rollcall.world.sentences import Sentence, Writer
from rollcall.world.values import Date

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
