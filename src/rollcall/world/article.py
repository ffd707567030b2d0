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
