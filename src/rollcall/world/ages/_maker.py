"""Makes the blocks of a later age: records and articles of the age before, edited, and those of newcomers."""

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from rollcall.world._article import ArticleDraft, Articles, ArticleSection, Opening, WrittenPage, bottom, top
from rollcall.world._block import Maker, Settings
from rollcall.world._chance import Dice, key
from rollcall.world._dump import Dump, qualifiers
from rollcall.world._facts import WorldFact, WorldFacts
from rollcall.world._sentences import EntityName, Writer, WrittenSentence
from rollcall.world._skeleton import BLOCK_SIZE
from rollcall.world._sources import Snak
from rollcall.world._vocabulary import EntityKind
from rollcall.world.ages._facts import YEARS_AN_AGE, LaterAliases, LaterFacts, LaterLabels, first_year
from rollcall.world.ages._skeleton import (
    ADDED,
    CORRECTED,
    DEPRECATED,
    DIED,
    ENDED,
    REMOVED,
    LaterSkeleton,
    StatementChange,
)

# Editing an article: sentences that no longer hold are removed, and new facts are told in new sentences.
# A sentence stays, word for word, as long as everything that it states still holds. A sentence that
# follows a removed one and speaks of `he` or `it` is written again.


class PageEdits:
    """Edits one article for a later age."""

    def __init__(self, articles: Articles, draft: ArticleDraft, facts: list[WorldFact], alive: bool):
        self.articles, self.draft, self.facts, self.alive = articles, draft, facts, alive
        self.number = draft.number
        self.kind = articles.census.kind(draft.number)
        self.told = [fact for fact in facts if fact.told and not fact.elsewhere]
        self._own = {fact.statement: fact for fact in facts}

    def edited(self, former: EntityName | None, other_facts: bool, dice: Dice) -> ArticleDraft:
        """The article as it is now; `former` is the topic's old name if it was renamed."""
        sections = [self._kept(section) for section in self.draft.sections]
        opening = self.draft.opening
        if former is not None or self._now(opening) is None:
            opening = self._opened(former)
        else:
            opening = self._now(opening) or opening
        all_sentences = [opening, *(sentence for section, _ in sections for sentence in section.sentences)]
        told_statements = {fact.statement for sentence in all_sentences for fact, _, _ in sentence.tells}
        again = [
            (section.heading, fact)
            for section, lost in sections
            for fact in lost
            if fact.statement not in told_statements
        ]
        lost = {fact.statement for _, fact in again}
        new = [
            (self.kind.sections[fact.relation.section], fact)
            for fact in self.told
            if fact.statement not in told_statements and fact.statement not in lost
        ]
        extended = self._with([section for section, _ in sections], [*again, *new], dice)
        edited = replace(self.draft, opening=opening, sections=extended)
        return self._around(edited) if former is not None or other_facts else edited

    def _current(self, fact: WorldFact) -> WorldFact | None:
        """A fact as it is in this age; None if it is no longer stated."""
        if fact.subject == self.number:
            now = self._own.get(fact.statement)
        else:
            now = _version(self.articles.facts, fact)
        return now if now is not None and now.told else None

    def _now(self, sentence: WrittenSentence) -> WrittenSentence | None:
        """The sentence about the facts of this age; None if it no longer holds."""
        if sentence.decoy is not None:
            facts = self.articles.facts
            now = self._own.get(sentence.decoy.statement) or _version(facts, sentence.decoy)
            if now is None or now.value != sentence.decoy.value:
                return None
            return replace(sentence, decoy=now)
        tells = []
        for fact, wording, pronoun in sentence.tells:
            now = self._current(fact)
            if now is None or now.value != fact.value or now.end != fact.end:
                return None
            tells.append((now, wording, pronoun))
        return replace(sentence, tells=tells)

    def _kept(self, section: ArticleSection) -> tuple[ArticleSection, list[WorldFact]]:
        """The sentences that still hold, and the facts of the others that are to be told again."""
        sentences: list[WrittenSentence] = []
        again: list[WorldFact] = []
        is_dropped = False
        for sentence in section.sentences:
            now = self._now(sentence)
            leans = is_dropped and any(pronoun for _, _, pronoun in sentence.tells)
            is_dropped = now is None or leans
            if now is not None and not is_dropped:
                sentences.append(now)
            else:
                again += filter(None, (self._of_topic(fact) for fact, _, _ in sentence.tells))
        return ArticleSection(section.heading, sentences, section.size), again

    def _of_topic(self, fact: WorldFact) -> WorldFact | None:
        """A fact that was stated on this page, as it is now; None if it is no longer one about the topic."""
        now = self._current(fact)
        return now if now is not None and self.number in (now.subject, now.value) else None

    def _opened(self, former: EntityName | None) -> WrittenSentence:
        writer = self.articles.writer(self.number, self.alive)
        sentence = Opening(writer, self.kind, self.draft.class_id, self.told).sentence
        if former is not None:
            label = writer.topic.label
            sentence.wiki = sentence.wiki.replace(
                f"'''{label}'''", f"'''{label}''' (formerly '''{former.label}''')", 1
            )
            sentence.plain = sentence.plain.replace(label, f"{label} (formerly {former.label})", 1)
        return sentence

    def _with(
        self, sections: list[ArticleSection], more: list[tuple[str, WorldFact]], dice: Dice
    ) -> list[ArticleSection]:
        """The sections with new sentences at their ends; a section that has none is left out."""
        writer = self.articles.writer(self.number, self.alive)
        writer.dice = dice
        by_heading = {section.heading: section for section in sections}
        for heading, fact in more:
            section = by_heading.setdefault(heading, ArticleSection(heading, [], 4))
            section.sentences.append(self._sentence(writer, fact))
        return [
            by_heading[heading]
            for heading in self.kind.sections
            if heading in by_heading and by_heading[heading].sentences
        ]

    def _sentence(self, writer: Writer, fact: WorldFact) -> WrittenSentence:
        if fact.subject != self.number:
            sentence = writer.tell_back([fact], None)
        else:
            replacement = writer.tell(fact, None)
            assert replacement is not None, "only a sentence before can take up a fact"
            sentence = replacement
        sentence.end_once()
        return sentence

    def _around(self, draft: ArticleDraft) -> ArticleDraft:
        """The article with infobox, picture and categories of this age."""
        writer = self.articles.writer(self.number, self.alive)
        writer.dice = draft.dice_above.copy()
        above = top(writer, self.kind, self.told)
        writer.dice = draft.dice_below.copy()
        below = bottom(writer, self.told, draft.class_id)
        return replace(draft, title=writer.topic.title, above=above, below=below)


def _version(facts: WorldFacts, fact: WorldFact) -> WorldFact | None:
    """A fact of an earlier age as it is in this one."""
    kind = facts.census.kind(fact.subject)
    return next(
        (now for now in facts.about(fact.subject, kind, fact.relation) if now.statement == fact.statement),
        None,
    )


# Editing the record of an item, as people edit Wikidata: statements get ends, ranks and other values. A
# statement keeps its id through all of this. A former label becomes an alias, and the links follow the
# page.

_REVISIONS_AN_AGE = 1_000_000_000


def edit_record(
    record: Snak,
    changes: Sequence[StatementChange],
    dump: Dump,
    dice: Dice,
    renamed: tuple[EntityName, EntityName] | None,
) -> bool:
    """Edit the record of an item, and say whether it was; `renamed` has its old and its new name."""
    claims: dict[str, list[Snak]] = record["claims"]
    edited = renamed is not None
    for change in changes:
        edit = _EDITS.get(change.kind)
        if edit is not None:
            edit(claims, change, dump, dice)
            edited = True
    if renamed is not None:
        _rename(record, *renamed)
    return edited


def sign(record: Snak, year: int) -> None:
    """Note that an item was edited in a year."""
    record["lastrevid"] += _REVISIONS_AN_AGE
    record["modified"] = f"{year}{record['modified'][4:]}"


def _add(claims: dict[str, list[Snak]], change: StatementChange, dump: Dump, dice: Dice) -> None:
    fact = change.fact
    known_claims = claims.get(fact.relation.id, [])
    # What is known takes the place of "unknown" and "none".
    valued = [claim for claim in known_claims if claim["mainsnak"]["snaktype"] == "value"]
    claims[fact.relation.id] = [*valued, dump.statement(fact, dice)]


def _of(claims: dict[str, list[Snak]], change: StatementChange, dump: Dump) -> Snak:
    guid = dump.facts.id(change.fact)
    return next(claim for claim in claims[change.fact.relation.id] if claim["id"] == guid)


def _remove(claims: dict[str, list[Snak]], change: StatementChange, dump: Dump, dice: Dice) -> None:
    property_ = change.fact.relation.id
    claims[property_].remove(_of(claims, change, dump))
    if not claims[property_]:
        del claims[property_]


def _deprecate(claims: dict[str, list[Snak]], change: StatementChange, dump: Dump, dice: Dice) -> None:
    _of(claims, change, dump)["rank"] = "deprecated"


def _correct(claims: dict[str, list[Snak]], change: StatementChange, dump: Dump, dice: Dice) -> None:
    _of(claims, change, dump)["mainsnak"] = dump.main_snak(change.fact)


def _end(claims: dict[str, list[Snak]], change: StatementChange, dump: Dump, dice: Dice) -> None:
    _of(claims, change, dump).update(qualifiers(change.fact))


_EDITS = {
    ADDED: _add,
    DIED: _add,
    REMOVED: _remove,
    DEPRECATED: _deprecate,
    CORRECTED: _correct,
    ENDED: _end,
}


def _rename(record: Snak, old: EntityName, new: EntityName) -> None:
    for label in record["labels"].values():
        label["value"] = new.label
    record["aliases"] = {"en": [{"language": "en", "value": alias} for alias in new.aliases]}
    for link in record["sitelinks"].values():
        if link["title"] == old.title:
            link["title"] = new.title


_REDIRECT_POSITION = 3
"""The position of the redirect from a former title among the small pages of an article."""


class LaterMaker(Maker):
    """Makes the blocks of one later age."""

    def __init__(self, settings: Settings, age: int):
        self.age = age
        self.before = Maker(settings) if age == 2 else LaterMaker(settings, age - 1)
        self.first: WorldFacts = self.before.facts
        if isinstance(self.before, LaterMaker):
            self.first = self.before.first
        self.later = LaterSkeleton(self.before.skeleton, age_folder(settings.folder, age), age)
        self.later_labels = LaterLabels(self.later, self.before.labels)
        self.later_facts = LaterFacts(self.before.facts, self.first, self.later)
        aliases = LaterAliases(self.later_labels, self.before.titles.aliases)
        self._put_together(settings, self.later_labels, aliases, self.later_facts)
        self._edits = key(settings.seed, f"edits {age}")
        self._entries = key(settings.seed, f"entries {age}")

    @property
    def year(self) -> int:
        """The year of the dump."""
        return first_year(self.age) + YEARS_AN_AGE - 1

    @property
    def entities(self) -> int:
        return self.later.newcomers.stop

    @property
    def blocks(self) -> int:
        return self.before.blocks + -(-len(self.later.newcomers) // BLOCK_SIZE)

    def numbers(self, index: int) -> list[int]:
        """The entities of one block; newcomers follow the others."""
        if index < self.before.blocks:
            return self.before.numbers(index)
        start = (index - self.before.blocks) * BLOCK_SIZE
        newcomers = self.later.newcomers[start : start + BLOCK_SIZE]
        return sorted(newcomers, key=self.census.scrambled)

    def record(self, number: int, facts: list[WorldFact]) -> Snak:
        if number in self.later.newcomers:
            record = super().record(number, facts)
            sign(record, self.year)
            return record
        record = self.before.record(number, self.before.facts.of(number))
        changes = self.later_facts.changes(number)
        former = self.former(number)
        renamed = (former, self.names.of(number)) if former is not None else None
        if edit_record(record, changes, self.dump, Dice(self._entries, number), renamed):
            sign(record, self.year)
        return record

    def draft(self, number: int, facts: list[WorldFact], alive: bool) -> ArticleDraft:
        if number in self.later.newcomers:
            return super().draft(number, facts, alive)
        draft = self.before.draft(number, self.before.facts.of(number), alive)
        edits = PageEdits(self.articles, draft, facts, alive)
        other_facts = bool(self.later_facts.changes(number))
        return edits.edited(self.former(number), other_facts, Dice(self._edits, number))

    def former(self, number: int) -> EntityName | None:
        """The name that an entity had before this age, if it was renamed in it."""
        return None if self.later.renaming(number) is None else self.before.names.of(number)

    def around(self, number: int, title: str) -> list[tuple[int, WrittenPage]]:
        pages = super().around(number, title)
        moved = self._former_title(number)
        if moved is not None:
            text = f"#REDIRECT [[{title}]]\n\n{{{{R from move}}}}"
            pages.append((_REDIRECT_POSITION, WrittenPage(moved, text, redirect=title)))
        return pages

    def _former_title(self, number: int) -> str | None:
        """The title under which the article was before it was moved, in this age or an earlier one."""
        former = self.former(number)
        if former is not None:
            return former.title
        return self.before._former_title(number) if isinstance(self.before, LaterMaker) else None

    def class_of(self, number: int, kind: EntityKind) -> str:
        if number in self.later.newcomers:
            return super().class_of(number, kind)
        return self.before.class_of(number, kind)


def age_folder(work: Path, age: int) -> Path:
    """The folder for the columns of a later age."""
    return work / f"age-{age}"
