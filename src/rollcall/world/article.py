"""An article: opening sentence, sections, infobox and more, and the truth about each of its sentences.

The content of a page is planned first (facts, facts of others about the topic, decoys, fillers), then written
from top to bottom, so that links, pronouns and wordings can depend on the text before.
"""

from dataclasses import dataclass, field

from rollcall.world.asides import DECOYS, filler
from rollcall.world.chance import Dice, key, share
from rollcall.world.concepts import CONCEPT_NUMBERS
from rollcall.world.facts import CLASS_PLACE, PAIRED, Fact, Facts
from rollcall.world.families import NONE
from rollcall.world.furniture import bottom, reference, top
from rollcall.world.kinds import Kind
from rollcall.world.mention import Names
from rollcall.world.opening import Opening
from rollcall.world.relation import Relation
from rollcall.world.relations import RELATIONS
from rollcall.world.sentences import Sentence, Writer
from rollcall.world.truth import Row

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

    def write(self, number: int, facts: list[Fact], class_id: str) -> tuple[Page, list[Row]]:
        """The article of one entity, and the truth about it."""
        kind, name = self.census.kind(number), self.names.of(number)
        alive = int(self.facts.skeleton["end"][number]) == NONE
        writer = Writer(self.names, name, Dice(self._dice, number), alive, kind)
        told = [fact for fact in facts if fact.told and not fact.elsewhere]
        opening = Opening(writer, kind, class_id, told)
        sections = self._plan(writer, kind, facts, opening.told)
        body = [top(writer, kind, told) + opening.sentence.wiki]
        rows = [self._class_row(number, class_id, name.title, opening.sentence.plain)]
        rows += self._rows(name.title, "", [opening.sentence])
        for heading, plans in zip(kind.sections, sections, strict=True):
            if plans:
                sentences = _write_section(writer, kind, plans)
                body.append(f"== {heading} ==\n{_paragraphs(sentences, writer.dice)}")
                rows += self._rows(name.title, heading, sentences)
        body.append(bottom(writer, told, class_id))
        rows += [self._row("fact", fact, None, None, None, None, None) for fact in facts if not fact.told]
        return Page(name.title, "\n\n".join(body)), rows

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


def _paragraphs(sentences: list[Sentence], dice: Dice) -> str:
    """Sentences in paragraphs of a few."""
    size = 4 + dice.below(3)
    chunks = [sentences[start : start + size] for start in range(0, len(sentences), size)]
    return "\n\n".join(" ".join(sentence.wiki for sentence in chunk) for chunk in chunks)
