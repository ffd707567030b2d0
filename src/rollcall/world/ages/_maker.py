"""Makes the blocks of a later age: records and articles of the age before, edited, and those of newcomers.

- `LaterMaker`: makes the blocks. `PageEdits` edits an article, `edit_record` a record.
- `draw_age`: draws what comes with an age. `history`: what happened, as rows of the table `changes`.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from rollcall.tables.graph import Changes
from rollcall.world._article import ArticleDraft, Articles, ArticleSection, Opening, WrittenPage, bottom, top
from rollcall.world._block import Maker, Settings
from rollcall.world._chance import Dice, key, shares, word
from rollcall.world._dump import Dump, qualifiers
from rollcall.world._facts import CLASS_SLOT, Row, WorldFact, WorldFacts, batch
from rollcall.world._sentences import EntityName, Writer, WrittenSentence
from rollcall.world._skeleton import BLOCK_SIZE, NONE, is_indexed
from rollcall.world._sources import Snak
from rollcall.world._titles import ALONE, title_hash
from rollcall.world._vocabulary import RELATIONS, EntityKind
from rollcall.world.ages._facts import (
    ADDED,
    BORN,
    CORRECTED,
    DEPRECATED,
    DIED,
    ENDED,
    MODEL,
    OBJECTS,
    REMOVED,
    RENAMED,
    RENAMED_ENTITY,
    RENAMED_KINDS,
    RENAMED_STEP,
    STEP,
    STEPS,
    SUBJECTS,
    YEARS_AN_AGE,
    LaterAliases,
    LaterFacts,
    LaterLabels,
    LaterSkeleton,
    StatementChange,
    first_year,
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


# What happened in a later age, block by block: the rows of the table `changes`, and pairs for an index.


class History(msgspec.Struct, frozen=True):
    """What happened to the entities of one block."""

    rows: bytes
    pairs: dict[str, list[tuple[int, int]]]
    """The new pairs of (object, subject), by the key of their relation."""
    entities: int


def history(maker: LaterMaker, index: int) -> History:
    """What happened to the entities of one block in an age."""
    rows: list[Row] = []
    pairs: dict[str, list[tuple[int, int]]] = {}
    numbers = maker.numbers(index)
    for number in numbers:
        changes = maker.later_facts.changes(number)
        rows += _own_rows(maker, number)
        rows += [_row(maker, change) for change in changes]
        for change in changes:
            after = change.after
            if after is None or not isinstance(after.value, int) or not is_indexed(after.relation):
                continue
            if change.before is None or change.before.value != after.value:
                pairs.setdefault(after.relation.key, []).append((after.value, number))
    return History(batch(rows, Changes), pairs, len(numbers))


def _own_rows(maker: LaterMaker, number: int) -> list[Row]:
    """The coming of an entity, or its renaming."""
    id_ = maker.census.id(number)
    if number in maker.later.newcomers:
        guid = maker.facts.statement_id((number << 12) | CLASS_SLOT, number)
        class_id = maker.class_of(number, maker.census.kind(number))
        return [(maker.age, BORN, guid, id_, "P31", None, class_id, False, True)]
    former = maker.former(number)
    if former is None:
        return []
    return [
        (maker.age, RENAMED_ENTITY, None, id_, None, former.label, maker.names.of(number).label, None, None)
    ]


def _row(maker: LaterMaker, change: StatementChange) -> Row:
    texts = [
        None if fact is None else maker.articles.object_text(fact) for fact in (change.before, change.after)
    ]
    is_told = [fact is not None and fact.told for fact in (change.before, change.after)]
    fact = change.fact
    about = (maker.facts.id(fact), maker.census.id(fact.subject), fact.relation.id)
    return (maker.age, change.kind, *about, *texts, *is_told)


def put_index(maker: LaterMaker, parts: list[dict[str, list[tuple[int, int]]]]) -> None:
    """Write the new pairs of all indexed relations, sorted by object."""
    for relation in RELATIONS:
        if is_indexed(relation):
            pairs = sorted(pair for part in parts for pair in part.get(relation.key, ()))
            both = np.array(pairs, np.int32).reshape(-1, 2)
            maker.later.put(f"{OBJECTS} {relation.key}", both[:, 0].copy())
            maker.later.put(f"{SUBJECTS} {relation.key}", both[:, 1].copy())


# Draws what comes with a later age: newcomers and their models, deaths, and labels that nothing else
# has.

_DYING, _FROM_AGE = 0.2, 60
"""The share of people of so many years or more who die in an age."""
_RENAMED = 0.02
"""The share of people, bodies and places with a name of their own that get another in an age."""
_PARENTS = (20, 44)
_ATTEMPTS = 40


def draw_age(maker: LaterMaker) -> None:
    """Draw the columns of one later age."""
    maker.later.folder.mkdir(parents=True)
    models = _models(maker)
    maker.later.put(MODEL, np.array(models, np.int32))
    _extend(maker, models)
    used_hashes = {int(label) for label in maker.before.skeleton["taken"].tolist()}
    _name_newcomers(maker, used_hashes)
    _rename_entities(maker, used_hashes)
    maker.later.put("taken", np.array(sorted(used_hashes), np.uint64))


def _models(maker: LaterMaker) -> list[int]:
    """The parent of every child, the earlier work of every work; -1 where there is none."""
    used: set[int] = set()
    models = []
    for number in maker.later.newcomers:
        kind = maker.census.kind(number)
        members = maker.census.range[kind.name]
        model = -1
        for attempt in range(_ATTEMPTS):
            drawn = word(key(maker.census.seed, f"model {maker.age} {attempt}"), number) % len(members)
            candidate = members.start + drawn
            if candidate not in used and (kind.tier != "person" or _can_be_parent(maker, candidate)):
                model = candidate
                used.add(model)
                break
        models.append(model)
    return models


def _can_be_parent(maker: LaterMaker, number: int) -> bool:
    before, now = maker.before.skeleton, first_year(maker.age)
    low, high = _PARENTS
    return int(before["end"][number]) == NONE and low <= now - int(before["year"][number]) <= high


def _extend(maker: LaterMaker, models: list[int]) -> None:
    """The columns of the age before, longer by the newcomers, and with the deaths of this age."""
    before, later, seed = maker.before.skeleton, maker.later, maker.census.seed
    like = np.array(models, np.int64)
    earlier, numbers = np.maximum(like, 0), np.array(later.newcomers, np.int64)
    years = first_year(maker.age) + np.array(
        [word(key(seed, f"came {maker.age}"), number) % YEARS_AN_AGE for number in later.newcomers]
    )
    for name in ("country", "home"):
        column = before[name]
        inherited = np.where(like >= 0, column[earlier], -1).astype(column.dtype)
        later.put(name, np.concatenate([column, inherited]))
    later.put("year", np.concatenate([before["year"], years.astype(np.int16)]))
    later.put("end", np.concatenate([_ends(maker), np.full(len(numbers), NONE, np.int16)]))
    later.put("level", np.concatenate([before["level"], np.full(len(numbers), ALONE, np.uint8)]))
    later.put("redirect", np.concatenate([before["redirect"], np.zeros(len(numbers), np.bool_)]))


def _ends(maker: LaterMaker) -> NDArray[np.int16]:
    before, people, now = maker.before.skeleton, maker.census.people, first_year(maker.age)
    ends = np.array(before["end"], np.int16)
    numbers = np.arange(people.start, people.stop, dtype=np.int64)
    draws = shares(key(maker.census.seed, f"death {maker.age}"), numbers)
    old = now - np.asarray(before["year"], np.int64)[numbers] >= _FROM_AGE
    dying = (ends[numbers] == NONE) & old & (draws < _DYING)
    # Which half of the share decides the year, so that one draw is enough.
    ends[numbers[dying]] = (now + (draws[dying] < _DYING / 2)).astype(np.int16)
    return ends


def _name_newcomers(maker: LaterMaker, used_hashes: set[int]) -> None:
    steps = []
    for number in maker.later.newcomers:
        step = 0
        while step < STEPS and title_hash(maker.later_labels.first(number, step)) in used_hashes:
            step += 1
        used_hashes.add(title_hash(maker.later_labels.first(number, step)))
        steps.append(step)
    maker.later.put(STEP, np.array(steps, np.int8))


def _rename_entities(maker: LaterMaker, used_hashes: set[int]) -> None:
    renamed, chosen = [], []
    for number in _candidates(maker):
        for step in range(STEPS):
            label = title_hash(maker.later_labels.new(number, step))
            if label not in used_hashes:
                used_hashes.add(label)
                renamed.append(number)
                chosen.append(step)
                break
    maker.later.put(RENAMED, np.array(renamed, np.int32))
    maker.later.put(RENAMED_STEP, np.array(chosen, np.int8))


def _candidates(maker: LaterMaker) -> Iterator[int]:
    """Entities that may be renamed: their title is their label, which no other entity has; once at most."""
    titles, level = maker.before.titles, maker.before.skeleton["level"]
    for kind in sorted(RENAMED_KINDS, key=lambda name: maker.census.range[name].start):
        members = maker.census.range[kind]
        numbers = np.arange(members.start, members.stop, dtype=np.int64)
        # An entity has one draw for all ages: each age renames another part of them.
        draws = shares(key(maker.census.seed, "renaming"), numbers)
        low = _RENAMED * (maker.age - 2)
        for number in numbers[(draws >= low) & (draws < low + _RENAMED)].tolist():
            if int(level[number]) == ALONE and not titles.homonyms(number):
                yield number
