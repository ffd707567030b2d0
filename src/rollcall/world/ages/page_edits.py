"""Editing an article: sentences that no longer hold go, and what is to be told is told in new sentences.

A sentence stays, word for word, as long as everything it states holds as it did. A sentence that follows on
one that went and speaks of `he` or `it` is written anew.
"""

from dataclasses import replace

from rollcall.world.article import Articles, Draft, Section
from rollcall.world.chance import Dice
from rollcall.world.facts import Fact, Facts
from rollcall.world.furniture import bottom, top
from rollcall.world.mention import Name
from rollcall.world.opening import Opening
from rollcall.world.sentences import Sentence, Writer


class PageEdits:
    """Edits one article for a later age."""

    def __init__(self, articles: Articles, draft: Draft, facts: list[Fact], alive: bool):
        self.articles, self.draft, self.facts, self.alive = articles, draft, facts, alive
        self.number = draft.number
        self.kind = articles.census.kind(draft.number)
        self.told = [fact for fact in facts if fact.told and not fact.elsewhere]
        self._own = {fact.place: fact for fact in facts}

    def edited(self, former: Name | None, other_facts: bool, dice: Dice) -> Draft:
        """The article as it is now; `former` is the topic's old name if it was renamed."""
        sections = [self._kept(section) for section in self.draft.sections]
        opening = self.draft.opening
        if former is not None or self._now(opening) is None:
            opening = self._opened(former)
        else:
            opening = self._now(opening) or opening
        kept = [opening, *(one for section, _ in sections for one in section.sentences)]
        told = {fact.place for one in kept for fact, _, _ in one.tells}
        again = [
            (section.heading, fact) for section, lost in sections for fact in lost if fact.place not in told
        ]
        lost = {fact.place for _, fact in again}
        new = [
            (self.kind.sections[fact.relation.section], fact)
            for fact in self.told
            if fact.place not in told and fact.place not in lost
        ]
        made = self._with([section for section, _ in sections], [*again, *new], dice)
        edited = replace(self.draft, opening=opening, sections=made)
        return self._around(edited) if former is not None or other_facts else edited

    def _current(self, fact: Fact) -> Fact | None:
        """A fact as it is in this age; None if it is no longer stated."""
        if fact.subject == self.number:
            now = self._own.get(fact.place)
        else:
            now = _version(self.articles.facts, fact)
        return now if now is not None and now.told else None

    def _now(self, sentence: Sentence) -> Sentence | None:
        """The sentence about the facts of this age; None if it no longer holds."""
        if sentence.decoy is not None:
            facts = self.articles.facts
            now = self._own.get(sentence.decoy.place) or _version(facts, sentence.decoy)
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

    def _kept(self, section: Section) -> tuple[Section, list[Fact]]:
        """The sentences that still hold, and the facts of the others that are to be told again."""
        kept: list[Sentence] = []
        again: list[Fact] = []
        gone = False
        for sentence in section.sentences:
            now = self._now(sentence)
            leans = gone and any(pronoun for _, _, pronoun in sentence.tells)
            gone = now is None or leans
            if now is not None and not gone:
                kept.append(now)
            else:
                again += filter(None, (self._of_topic(fact) for fact, _, _ in sentence.tells))
        return Section(section.heading, kept, section.size), again

    def _of_topic(self, fact: Fact) -> Fact | None:
        """A fact that was stated on this page, as it is now; None if it is no longer one about the topic."""
        now = self._current(fact)
        return now if now is not None and self.number in (now.subject, now.value) else None

    def _opened(self, former: Name | None) -> Sentence:
        writer = self.articles.writer(self.number, self.alive)
        sentence = Opening(writer, self.kind, self.draft.class_id, self.told).sentence
        if former is not None:
            label = writer.topic.label
            sentence.wiki = sentence.wiki.replace(
                f"'''{label}'''", f"'''{label}''' (formerly '''{former.label}''')", 1
            )
            sentence.plain = sentence.plain.replace(label, f"{label} (formerly {former.label})", 1)
        return sentence

    def _with(self, sections: list[Section], more: list[tuple[str, Fact]], dice: Dice) -> list[Section]:
        """The sections with new sentences at their ends; a section that has none is left out."""
        writer = self.articles.writer(self.number, self.alive)
        writer.dice = dice
        found = {section.heading: section for section in sections}
        for heading, fact in more:
            section = found.setdefault(heading, Section(heading, [], 4))
            section.sentences.append(self._sentence(writer, fact))
        return [
            found[heading] for heading in self.kind.sections if heading in found and found[heading].sentences
        ]

    def _sentence(self, writer: Writer, fact: Fact) -> Sentence:
        if fact.subject != self.number:
            sentence = writer.tell_back([fact], None)
        else:
            told = writer.tell(fact, None)
            assert told is not None, "only a sentence before can take up a fact"
            sentence = told
        sentence.end_once()
        return sentence

    def _around(self, draft: Draft) -> Draft:
        """The article with infobox, picture and categories of this age."""
        writer = self.articles.writer(self.number, self.alive)
        writer.dice = draft.dice_above.copy()
        above = top(writer, self.kind, self.told)
        writer.dice = draft.dice_below.copy()
        below = bottom(writer, self.told, draft.class_id)
        return replace(draft, title=writer.topic.title, above=above, below=below)


def _version(facts: Facts, fact: Fact) -> Fact | None:
    """A fact of an earlier age as it is in this one."""
    kind = facts.census.kind(fact.subject)
    return next(
        (now for now in facts.about(fact.subject, kind, fact.relation) if now.place == fact.place), None
    )
