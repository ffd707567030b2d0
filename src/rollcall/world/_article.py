"""An article: opening sentence, sections, infobox and more, and the truth about each of its sentences.

The content of a page is planned first (facts, facts of others about the topic, decoys, fillers), then written
from top to bottom, so that links, pronouns and wordings can depend on the text before.
"""

import msgspec

from rollcall.text.words import MONTHS
from rollcall.world._chance import Dice, key, share
from rollcall.world._facts import CLASS_SLOT, PAIRED, Row, WorldFact, WorldFacts
from rollcall.world._sentences import EntityNames, MarkedText, Writer, WrittenSentence, mention, plural_verb
from rollcall.world._skeleton import NONE
from rollcall.world._sources import DateValue, Quantity
from rollcall.world._vocabulary import (
    CLASSES,
    CONCEPT_NUMBERS,
    DECOYS,
    FILLERS,
    RELATIONS,
    EntityKind,
    Relation,
)

# The opening sentence of an article: what the topic is, with one or two facts about it.

_NOUNS = {
    "Q10864048": "region",
    "Q476028": "football club",
    "Q7725634": "book",
    "Q4164871": "political office",
    "Q1616075": "television station",
}


def _participle(fact: WorldFact) -> bool:
    """Whether a fact's clause begins with a participle, such as `directed by`, not with `in` or `from`."""
    return fact.relation.clause.split(" ")[0] not in ("in", "from", "of", "by")


class Opening:
    """Writes the opening and records which facts it has stated."""

    def __init__(self, writer: Writer, kind: EntityKind, class_id: str, told_facts: list[WorldFact]):
        self.writer, self.kind = writer, kind
        self.told: list[WorldFact] = []
        self.sentence = (
            self._person(told_facts) if kind.tier == "person" else self._thing(class_id, told_facts)
        )
        self.sentence.end_once()
        self.sentence.tells = [(fact, 0, False) for fact in self.told]

    def _bold(self, life: str = "") -> MarkedText:
        """The topic's name in bold, sometimes with its years and another name."""
        writer = self.writer
        name = mention(writer.topic, writer.topic.label, False, True)
        wiki = name.wiki.replace(writer.topic.label, f"'''{writer.topic.label}'''", 1) + life
        alias = writer.topic.forms[0] if writer.topic.forms else ""
        if alias and alias not in writer.topic.label and writer.dice.below(5) < 3:
            return MarkedText(
                f"{wiki}, also known as '''{alias}''',", f"{name.plain}{life}, also known as {alias},"
            )
        return MarkedText(wiki, name.plain + life)

    def _thing(self, class_id: str, told_facts: list[WorldFact]) -> WrittenSentence:
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
        for fact in self._clauses(told_facts):
            assert isinstance(fact.value, int)
            before, after = fact.relation.clause.split("{O}")
            other = writer.other(fact.value)
            link = " and " if self.told and _participle(self.told[-1]) and _participle(fact) else " "
            wiki, plain = (
                f"{wiki}{link}{before}{other.wiki}{after}",
                f"{plain}{link}{before}{other.plain}{after}",
            )
            self.told.append(fact)
        return WrittenSentence(wiki + ".", plain + ".", names_topic=True)

    def _clauses(self, told_facts: list[WorldFact]) -> list[WorldFact]:
        """Up to two facts of different relations that fit into the sentence; places come first."""
        by_relation: dict[str, WorldFact] = {}
        for fact in told_facts:
            sayable = fact.relation.clause and fact.end == NONE and fact.relation.id not in by_relation
            if sayable and self.writer.dice.below(10) < 7:
                by_relation[fact.relation.id] = fact
        chosen = sorted(list(by_relation.values())[:2], key=_participle)
        prepositions = [fact.relation.clause.split(" ")[0] for fact in chosen if not _participle(fact)]
        objects = {fact.value for fact in chosen}
        return chosen[:1] if len(prepositions) > 1 or len(objects) < len(chosen) else chosen

    def _person(self, told_facts: list[WorldFact]) -> WrittenSentence:
        writer = self.writer
        by_id: dict[str, WorldFact] = {}
        for fact in told_facts:
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
            work = MarkedText("public figure", "public figure")
        article = "an" if work.plain[0] in "aeio" else "a"
        wiki, plain = f"{wiki} {article} {work.wiki}", f"{plain} {article} {work.plain}"
        citizenship = by_id.get("P27")
        if citizenship is not None and writer.dice.below(10) < 6:
            assert isinstance(citizenship.value, int)
            country = writer.other(citizenship.value)
            self.told.append(citizenship)
            wiki, plain = f"{wiki} from {country.wiki}", f"{plain} from {country.plain}"
        return WrittenSentence(wiki + ".", plain + ".", names_topic=True)

    def _life(self, by_id: dict[str, WorldFact]) -> str:
        """The parenthesis with the dates of birth and death."""
        writer = self.writer
        birth, death = by_id.get("P569"), by_id.get("P570")
        if writer.dice.below(10) >= 6 or birth is None or not isinstance(birth.value, DateValue):
            return ""
        self.told.append(birth)
        born = birth.value.written(writer.american)
        if writer.alive:
            return f" (born {born})"
        if death is None or not isinstance(death.value, DateValue):
            return f" (born {born})"
        self.told.append(death)
        return f" ({born} – {death.value.written(writer.american)})"


# Sentences that state no fact of the graph: fillers, and decoys that name two entities and state
# nothing. They test sentence splitters (abbreviations, initials, decimals, quotations) and systems that
# treat two names in one sentence as a fact.


def filler(writer: Writer, kind: EntityKind) -> WrittenSentence:
    """A sentence that states no fact."""
    dice = writer.dice
    options = FILLERS[kind.fillers]
    wiki, plain = options[writer.fresh(len(options))]
    if "{T}" in wiki:
        topic = writer.itself(wiki.startswith("{T}"))
        wiki, plain = wiki.replace("{T}", topic.wiki), plain.replace("{T}", topic.plain)
    first, last = writer.span
    for slot, limits in (("{n}", (3, 60)), ("{y}", (first, last - first + 1))):
        if slot in wiki:
            number = str(limits[0] + dice.below(limits[1]))
            wiki, plain = wiki.replace(slot, number), plain.replace(slot, number)
    if "{d}" in wiki:
        number = f"{1 + dice.below(9)}.{1 + dice.below(9)}"
        wiki, plain = wiki.replace("{d}", number), plain.replace("{d}", number)
    if "{m}" in wiki:
        month = MONTHS[dice.below(12)]
        wiki, plain = wiki.replace("{m}", month), plain.replace("{m}", month)
    return WrittenSentence(wiki, plain)


# The parts of an article besides sentences: infobox, hatnote, picture, references, categories, comments.

_SOURCES = ("Annals of the Region", "The Weekly Review", "Archive Bulletin", "Notes and Records", "Almanac")
_PHOTOGRAPHY = 1850
"""The earliest year of a picture."""
_DATE_TEMPLATES = {"birth_date": "birth date", "death_date": "death date", "released": "start date"}


def reference(dice: Dice, cited: set[str]) -> str:
    """A footnote: cited with a template, in plain words, or by the name of an earlier one.

    `cited` has the names that the page has defined so far: each is defined once before it is repeated.
    """
    shape, year, page = dice.below(4), 1950 + dice.below(74), 1 + dice.below(400)
    source = _SOURCES[dice.below(len(_SOURCES))]
    if shape == 0:
        return f"<ref>{{{{cite book|title={source}|year={year}|page={page}|publisher=Academy Press}}}}</ref>"
    if shape == 1:
        return f"<ref>''{source}'', vol. {1 + page % 30} ({year}), pp. {page}–{page + 3}.</ref>"
    name = f"almanac{year % 7}"
    if name not in cited:
        cited.add(name)
        entry = f"url=https://archive.example.org/{page}|title=Entry No. {page}|access-date=3 May 2019"
        return f'<ref name="{name}">{{{{cite web|{entry}}}}}</ref>'
    return f'<ref name="{name}" />'


def top(writer: Writer, kind: EntityKind, told_facts: list[WorldFact]) -> str:
    """Everything above the opening sentence."""
    topic, dice = writer.topic, writer.dice
    parts = [f"{{{{Short description|{kind.noun.capitalize()}}}}}"]
    if topic.title != topic.label:
        parts.append(f"{{{{About|the {kind.noun}|other uses|{topic.label} (disambiguation)}}}}")
    if dice.below(3) == 0:
        parts.append("{{Use dmy dates|date=June 2021}}")
    if dice.below(4):
        parts.append(_infobox(writer, kind, told_facts))
    if dice.below(4) == 0:
        parts.append(_picture(writer, told_facts, dice))
    if dice.below(8) == 0:
        parts.append("<!-- Please do not add unsourced claims. -->")
    return "\n".join(parts) + "\n"


def _infobox(writer: Writer, kind: EntityKind, told_facts: list[WorldFact]) -> str:
    rows: dict[str, list[str]] = {}
    for fact in told_facts:
        earlier = fact.point != NONE and fact.slot  # if there are several, the latest
        if fact.relation.infobox and fact.end == NONE and not earlier:
            rows.setdefault(fact.relation.infobox, []).append(_field(writer, fact))
    lines = [f"{{{{Infobox {kind.noun}", f"| name = {writer.topic.label}"]
    for name, values in rows.items():
        value = (
            values[0]
            if len(values) == 1
            else "{{plainlist|\n" + "\n".join(f"* {item}" for item in values) + "\n}}"
        )
        lines.append(f"| {name} = {value}")
    return "\n".join([*lines, "}}"])


def _field(writer: Writer, fact: WorldFact) -> str:
    value = fact.value
    if isinstance(value, int):
        name = writer.names.of(value)
        return mention(name, name.label, True, True, bare=True).wiki
    template = _DATE_TEMPLATES.get(fact.relation.infobox)
    if isinstance(value, DateValue) and template and value.day:
        return f"{{{{{template}|{value.year}|{value.month}|{value.day}|df=y}}}}"
    if isinstance(value, Quantity) and value.unit in ("Q11573", "Q828224"):
        unit = "m" if value.unit == "Q11573" else "km"
        return f"{{{{convert|{value.amount}|{unit}|abbr=on}}}}"
    return value.written()


def _picture(writer: Writer, told_facts: list[WorldFact], dice: Dice) -> str:
    first, last = writer.span
    first = max(first, _PHOTOGRAPHY)
    year = first + dice.below(last - first + 1)
    file_name = f"{writer.topic.label} {year}.jpg".replace(":", "")
    linked = [fact for fact in told_facts if isinstance(fact.value, int)]
    caption = "A view from the archives"
    if linked:
        value = linked[dice.below(len(linked))].value
        name = writer.names.of(value if isinstance(value, int) else writer.topic.number)
        link = mention(name, name.label, True, False).wiki
        caption = f"{writer.topic.label}; see also {link} (photograph of {year})"
    return f"[[File:{file_name}|thumb|{('right', 'left|upright', '220px')[dice.below(3)]}|{caption}]]"


def bottom(writer: Writer, told_facts: list[WorldFact], class_id: str) -> str:
    """References, sorting and categories."""
    dice = writer.dice
    parts = ["== References ==\n{{reflist}}"]
    if dice.below(4) == 0:
        also = (fact.value for fact in told_facts[:2] if isinstance(fact.value, int))
        other = "\n".join(f"* [[{writer.names.of(number).title}]]" for number in dict.fromkeys(also))
        if other:
            parts.insert(0, f"== See also ==\n{other}")
    categories = [f"[[Category:{CLASSES[class_id].plural.capitalize()}]]"]
    for fact in told_facts:
        if isinstance(fact.value, DateValue):
            year = fact.value.written().split(" ")[-1]
            if fact.relation.id == "P569":
                categories.append(f"[[Category:{year} births]]")
            elif fact.relation.id == "P577":
                categories.append(f"[[Category:{year} works]]")
    topic = writer.topic
    if topic.tier == "person":
        *first_names, last = topic.label.split(" ")
        categories.insert(0, f"{{{{DEFAULTSORT:{last}, {' '.join(first_names)}}}}}")
    elif topic.label.startswith("The "):
        categories.insert(0, f"{{{{DEFAULTSORT:{topic.label[4:]}, The}}}}")
    return "\n\n".join([*parts, "\n".join(categories)])


_ALSO = 3
"""How many facts that other pages state about its topic a page states again, for each relation."""


class WrittenPage(msgspec.Struct):
    """A finished page."""

    title: str
    text: str
    redirect: str = ""
    namespace: int = 0


class PlannedSentence(msgspec.Struct):
    """A planned sentence of a section: a fact, a decoy about a fact, or (neither) a filler."""

    fact: WorldFact | None = None
    decoy: bool = False
    back: list[WorldFact] = []
    """Facts of one relation with the topic as object, stated from the topic's side."""


class ArticleSection(msgspec.Struct):
    """A section of an article: its sentences, and how many of them make a paragraph."""

    heading: str
    sentences: list[WrittenSentence]
    size: int

    def paragraphs(self) -> str:
        starts = range(0, len(self.sentences), self.size)
        chunks = [self.sentences[start : start + self.size] for start in starts]
        return "\n\n".join(" ".join(sentence.wiki for sentence in chunk) for chunk in chunks)


class ArticleDraft(msgspec.Struct):
    """An article in parts that can be edited: what is above its first sentence, sentences, what is below."""

    number: int
    class_id: str
    title: str
    above: str
    opening: WrittenSentence
    sections: list[ArticleSection]
    below: str
    dice_above: Dice
    """The dice with which the part above was written, so that it can be written again for other facts."""
    dice_below: Dice


class Articles:
    """Writes the articles of one world."""

    def __init__(self, facts: WorldFacts, names: EntityNames, decoys: float):
        self.facts, self.names, self.decoys, self.census = facts, names, decoys, facts.census
        seed = self.census.seed
        self._dice, self._decoyed = key(seed, "article"), key(seed, "decoy")
        self._back: dict[str, list[Relation]] = {}
        for relation in RELATIONS:
            if relation.told_back and relation.id not in PAIRED:
                for kind in sorted(relation.object_kinds):
                    self._back.setdefault(kind, []).append(relation)

    def draft(self, number: int, facts: list[WorldFact], class_id: str, alive: bool) -> ArticleDraft:
        """The sentences of an article; `alive` decides the tense."""
        kind = self.census.kind(number)
        writer = self.writer(number, alive)
        told_facts = [fact for fact in facts if fact.told and not fact.elsewhere]
        opening = Opening(writer, kind, class_id, told_facts)
        planned = self._plan(writer, kind, facts, opening.told)
        dice_above = writer.dice.copy()
        above = top(writer, kind, told_facts)
        sections = []
        for heading, plans in zip(kind.sections, planned, strict=True):
            if plans:
                sentences = _write_section(writer, kind, plans)
                sections.append(ArticleSection(heading, sentences, 4 + writer.dice.below(3)))
        dice_below = writer.dice.copy()
        below = bottom(writer, told_facts, class_id)
        return ArticleDraft(
            number,
            class_id,
            writer.topic.title,
            above,
            opening.sentence,
            sections,
            below,
            dice_above,
            dice_below,
        )

    def writer(self, number: int, alive: bool) -> Writer:
        """A writer at the beginning of a page."""
        return Writer(
            self.names, self.names.of(number), Dice(self._dice, number), alive, self.census.kind(number)
        )

    def finish(self, draft: ArticleDraft, facts: list[WorldFact]) -> tuple[WrittenPage, list[Row]]:
        """The page of a draft, and the truth about it; `facts` are all facts of the topic."""
        rows = [self._class_row(draft.number, draft.class_id, draft.title, draft.opening.plain)]
        rows += self._rows(draft.title, "", [draft.opening])
        body = [draft.above + draft.opening.wiki]
        for section in draft.sections:
            body.append(f"== {section.heading} ==\n{section.paragraphs()}")
            rows += self._rows(draft.title, section.heading, section.sentences)
        body.append(draft.below)
        rows += [self._row("fact", fact, None, None, None, None, None) for fact in facts if not fact.told]
        return WrittenPage(draft.title, "\n\n".join(body)), rows

    def _plan(
        self, writer: Writer, kind: EntityKind, facts: list[WorldFact], opened: list[WorldFact]
    ) -> list[list[PlannedSentence]]:
        """The planned content of each section, in order."""
        dice = writer.dice
        sections: list[list[PlannedSentence]] = [[] for _ in kind.sections]
        for fact in facts:
            if fact.told and not fact.elsewhere and fact not in opened:
                sections[fact.relation.section].append(PlannedSentence(fact))
        for group in self._from_elsewhere(writer.topic.number, kind):
            sections[1].append(PlannedSentence(back=group))
        for fact in facts:
            if self._has_decoy(fact):
                section = sections[fact.relation.section]
                section.insert(dice.below(len(section) + 1), PlannedSentence(fact, decoy=True))
        for _ in range(1 + dice.below(3)):
            section = sections[dice.below(len(sections))]
            section.insert(dice.below(len(section) + 1), PlannedSentence())
        return sections

    def _from_elsewhere(self, number: int, kind: EntityKind) -> list[list[WorldFact]]:
        """Facts with the topic as object, by relation: those stated only here, and some stated there too."""
        groups: list[list[WorldFact]] = []
        for relation in self._back.get(kind.name, ()):
            only: list[WorldFact] = []
            also: list[WorldFact] = []
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

    def _has_decoy(self, fact: WorldFact) -> bool:
        relation, value = fact.relation, fact.value
        if (
            not isinstance(value, int)
            or not relation.text
            or (value >= CONCEPT_NUMBERS and not relation.decoys)
        ):
            return False
        return share(self._decoyed, fact.statement) < self.decoys

    def _rows(self, page: str, section: str, sentences: list[WrittenSentence]) -> list[Row]:
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
        fact: WorldFact,
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
        guid = self.facts.statement_id((number << 12) | CLASS_SLOT, number)
        row = ("fact", guid, self.census.id(number), "P31", class_id, page, "", sentence, 0, False)
        return (*row, False, "normal", None, None, None, None)

    def object_text(self, fact: WorldFact) -> str:
        """The object as in the truth table: an id, or a literal's canonical text."""
        return self.census.id(fact.value) if isinstance(fact.value, int) else fact.value.canonical()


def _write_section(writer: Writer, kind: EntityKind, plans: list[PlannedSentence]) -> list[WrittenSentence]:
    """Write the planned sentences; each may depend on the one before."""
    written: list[WrittenSentence] = []
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


def _decoy(writer: Writer, kind: EntityKind, fact: WorldFact) -> WrittenSentence:
    """A sentence that names both ends of a fact and does not state it."""
    options = fact.relation.decoy_wordings
    if not options or (
        isinstance(fact.value, int) and fact.value < CONCEPT_NUMBERS and writer.dice.below(3) == 0
    ):
        options = DECOYS[kind.tier]
    plain = writer.fill(options[writer.dice.below(len(options))], fact)
    return WrittenSentence(plain.wiki, plain.plain, decoy=fact)
