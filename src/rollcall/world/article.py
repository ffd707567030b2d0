"""An article: opening sentence, sections, infobox and the rest, and the truth about each of its sentences."""

from dataclasses import dataclass

from rollcall.world.asides import DECOYS, FILLERS
from rollcall.world.census import Census
from rollcall.world.chance import Dice, key, share
from rollcall.world.concepts import CONCEPT_NUMBERS
from rollcall.world.facts import Fact, Facts
from rollcall.world.families import NONE
from rollcall.world.furniture import bottom, reference, top
from rollcall.world.kinds import Kind
from rollcall.world.mention import Name, Names
from rollcall.world.opening import Opening
from rollcall.world.relation import Relation, Wording
from rollcall.world.relations import RELATIONS
from rollcall.world.sentences import Sentence, Writer
from rollcall.world.truth import Row

_BACK = 5
"""How many facts of other entities a page tells about its topic."""


@dataclass(slots=True)
class Page:
    """A finished page."""

    title: str
    text: str
    redirect: str = ""
    namespace: int = 0


class Articles:
    """Writes the articles of one world."""

    def __init__(self, facts: Facts, names: Names, decoys: float):
        self.facts, self.names, self.decoys = facts, names, decoys
        self.census: Census = facts.census
        seed = self.census.seed
        self._dice, self._decoyed = key(seed, "article"), key(seed, "decoy")
        self._back: dict[str, list[Relation]] = {}
        for relation in RELATIONS:
            if (
                relation.back
                and isinstance(relation.objects, str)
                and any(w.opens_with_object for w in relation.wordings)
            ):
                for option in relation.objects.split("|"):
                    self._back.setdefault(option.partition(":")[0], []).append(relation)

    def write(self, number: int, facts: list[Fact], class_id: str) -> tuple[Page, list[Row]]:
        """The article of one entity, and the truth about it."""
        kind, name = self.census.kind(number), self.names.of(number)
        dice = Dice(self._dice, number)
        alive = int(self.facts.skeleton["end"][number]) == NONE
        short = self.names.labels.surname(number) if kind.tier == "person" else name.label
        writer = Writer(self.names, name, dice, alive, short)
        told = [fact for fact in facts if fact.told and not fact.elsewhere]
        opening = Opening(writer, kind, class_id, told)
        sections: list[list[Sentence]] = [[] for _ in kind.sections]
        for fact in told:
            if fact not in opening.told:
                sections[fact.relation.section % len(sections)].append(self._tell(writer, fact))
        for fact in self._from_elsewhere(number, kind):
            sections[min(1, len(sections) - 1)].append(self._tell_back(writer, fact))
        self._add_decoys(writer, kind, facts, sections)
        self._add_fillers(writer, kind, sections)
        rows = _class_rows(self, number, class_id, name, opening.sentence.plain)
        body = [opening.wiki()]
        rows += self._rows(name.title, "", [opening.sentence])
        for heading, sentences in zip(kind.sections, sections, strict=True):
            if sentences:
                finished = self._compose(writer, sentences)
                body.append(f"== {heading} ==\n{_paragraphs(finished, dice)}")
                rows += self._rows(name.title, heading, finished)
        rows += self._untold(facts)
        text = "\n\n".join(
            [top(writer, kind, told, dice) + body[0], *body[1:], bottom(writer, kind, told, dice, class_id)]
        )
        return Page(name.title, text), rows

    def _tell(self, writer: Writer, fact: Fact) -> Sentence:
        relation, dice = fact.relation, writer.dice
        options = relation.wordings
        base = 1
        if relation.past and (fact.end != NONE or (fact.point != NONE and fact.slot)):
            base, options = 1 + len(options), relation.past
        which = dice.below(len(options))
        if "start" in options[which].slots and fact.start == NONE and fact.point == NONE:
            which = 0
        wording = options[which]
        written = writer.fill(wording, fact)
        sentence = Sentence(
            written.wiki, written.plain, [(fact, base + which, False)], names_topic=wording.opens_with_subject
        )
        sentence.wording = wording
        return sentence

    def _tell_back(self, writer: Writer, fact: Fact) -> Sentence:
        relation, dice = fact.relation, writer.dice
        options = relation.wordings
        base = 1
        if relation.past and fact.end != NONE:
            base, options = 1 + len(options), relation.past
        fitting = [place for place, wording in enumerate(options) if wording.opens_with_object] or [0]
        which = fitting[dice.below(len(fitting))]
        written = writer.fill(options[which], fact)
        sentence = Sentence(written.wiki, written.plain, [(fact, base + which, False)])
        sentence.names_topic = options[which].opens_with_object
        sentence.wording = options[which]
        return sentence

    def _from_elsewhere(self, number: int, kind: Kind) -> list[Fact]:
        """Facts of which the topic is the object: those told only here, then a few that are told there too."""
        found: list[Fact] = []
        for relation in self._back.get(kind.name, ()):
            subjects = self.facts.skeleton.subjects(relation, number)
            for subject in subjects[:9]:
                subject_kind = self.census.kind(subject)
                for fact in self.facts.about(subject, subject_kind, relation):
                    if fact.value == number and fact.told:
                        found.append(fact)
        only = [fact for fact in found if fact.elsewhere]
        also = [fact for fact in found if not fact.elsewhere]
        return only + also[: max(0, _BACK - len(only))]

    def _add_decoys(
        self, writer: Writer, kind: Kind, facts: list[Fact], sections: list[list[Sentence]]
    ) -> None:
        for fact in facts:
            if not isinstance(fact.value, int) or not fact.relation.wordings:
                continue
            place = (fact.subject << 10) | (hash_place(fact) & 1023)
            if share(self._decoyed, place) >= self.decoys:
                continue
            options = fact.relation.decoys
            if fact.value >= CONCEPT_NUMBERS and not options:
                continue
            if not options or (writer.dice.below(3) == 0 and fact.value < CONCEPT_NUMBERS):
                options = DECOYS[kind.tier]
            wording = options[writer.dice.below(len(options))]
            written = writer.fill(wording, fact)
            target = sections[fact.relation.section % len(sections)]
            target.insert(
                writer.dice.below(len(target) + 1), Sentence(written.wiki, written.plain, decoy=fact)
            )

    def _add_fillers(self, writer: Writer, kind: Kind, sections: list[list[Sentence]]) -> None:
        dice = writer.dice
        options = FILLERS[kind.tier]
        first = dice.below(len(options))
        for step in range(1 + dice.below(3)):
            wiki, plain = options[(first + step * 3) % len(options)]
            if "%s" in wiki:
                form = writer.itself(wiki.startswith("%s"))
                wiki, plain = wiki % form.wiki, plain % form.plain
            target = sections[dice.below(len(sections))]
            target.insert(dice.below(len(target) + 1), Sentence(wiki, plain))

    def _compose(self, writer: Writer, sentences: list[Sentence]) -> list[Sentence]:
        """Put pronouns where a name has just been said, join short sentences, and add references."""
        dice = writer.dice
        finished: list[Sentence] = []
        for sentence in sentences:
            before = finished[-1] if finished else None
            if (
                sentence.names_topic
                and before is not None
                and before.names_topic
                and sentence.wording is not None
            ):
                if self._join(writer, before, sentence):
                    continue
                if dice.below(100) < 55:
                    fact, which, _ = sentence.tells[0]
                    written = writer.fill(sentence.wording, fact, pronoun=True)
                    sentence.wiki, sentence.plain = written
                    sentence.tells = [(fact, which, True)]
            finished.append(sentence)
        for sentence in finished:
            if dice.below(5) == 0:
                sentence.wiki += reference(dice)
        return finished

    def _join(self, writer: Writer, before: Sentence, sentence: Sentence) -> bool:
        """Now and then two short sentences about the topic become one that tells both facts."""
        first, second = before.wording, sentence.wording
        if first is None or second is None or writer.dice.below(6):
            return False
        topic = writer.topic.number
        if not (first.joinable and second.joinable) or len(before.tells) != 1 or before.tells[0][2]:
            return False
        if before.tells[0][0].subject != topic or sentence.tells[0][0].subject != topic:
            return False
        fact, which, _ = sentence.tells[0]
        rest = Wording(second.form[3:], second.slots[1:])
        tail = writer.fill(rest, fact)
        before.wiki = before.wiki[:-1] + " and " + tail.wiki
        before.plain = before.plain[:-1] + " and " + tail.plain
        before.tells.append((fact, which, False))
        before.wording = None
        return True

    def _rows(self, page: str, section: str, sentences: list[Sentence]) -> list[Row]:
        rows: list[Row] = []
        for sentence in sentences:
            for fact, wording, pronoun in sentence.tells:
                rows.append(self._row("fact", fact, page, section, sentence.plain, wording, pronoun))
            if sentence.decoy is not None:
                rows.append(self._row("decoy", sentence.decoy, page, section, sentence.plain, None, False))
        return rows

    def _untold(self, facts: list[Fact]) -> list[Row]:
        return [self._row("fact", fact, None, None, None, None, None) for fact in facts if not fact.told]

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
        return (
            kind,
            fact.id,
            self.census.id(fact.subject),
            fact.relation.id,
            self.object_text(fact),
            page,
            section,
            sentence,
            wording,
            pronoun,
            fact.end != NONE,
            fact.rank,
            None,
            None,
            None,
            None,
        )

    def object_text(self, fact: Fact) -> str:
        """The object as the truth has it: an id, or a literal's canonical text."""
        return self.census.id(fact.value) if isinstance(fact.value, int) else fact.value.canonical()


def _class_rows(articles: Articles, number: int, class_id: str, name: Name, sentence: str) -> list[Row]:
    """The opening sentence says what the topic is."""
    from rollcall.world.dump import Dump

    guid = articles.facts.statement_id(number, Dump.class_place(number))
    subject = articles.census.id(number)
    told = ("fact", guid, subject, "P31", class_id, name.title, "", sentence, 0, False, False, "normal")
    return [(*told, None, None, None, None)]


def _paragraphs(sentences: list[Sentence], dice: Dice) -> str:
    """Sentences in paragraphs of a few."""
    size = 4 + dice.below(3)
    chunks = [sentences[start : start + size] for start in range(0, len(sentences), size)]
    return "\n\n".join(" ".join(sentence.wiki for sentence in chunk) for chunk in chunks)


def hash_place(fact: Fact) -> int:
    return int(fact.relation.key.rpartition(".")[2]) * 7 + fact.slot
