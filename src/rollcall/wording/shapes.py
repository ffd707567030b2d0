"""The shapes of questions: plain, about the objects of something, counted, compared, united.

Each shape yields the best wording first and then others; the realiser drops repetitions.
"""

import re
from collections.abc import Iterator

from rollcall.corpus.lists import MEMBERSHIP
from rollcall.query import Entity, Query
from rollcall.wording.conjoin import joined, listed
from rollcall.wording.entry import Entry
from rollcall.wording.heads import Head, head_of
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.lists import topic_of
from rollcall.wording.names import without_pauses
from rollcall.wording.naming import Naming
from rollcall.wording.phrases import Parts
from rollcall.wording.plan import Condition
from rollcall.wording.telling import Telling


def wordings(query: Query, lexicon: Lexicon, naming: Naming) -> Iterator[str]:
    """All wordings of a query, the best first."""

    def tellings() -> list[Telling]:
        return [Telling(pattern, lexicon, naming) for pattern in query.patterns]

    if query.aggregate in ("argmax", "argmin"):
        from rollcall.wording.superlatives import superlative

        yield finished(superlative(tellings(), query.aggregate))
    elif query.aggregate in ("max", "min"):
        from rollcall.wording.superlatives import greatest_value

        yield finished(greatest_value(tellings(), query.aggregate))
    elif len(query.patterns) > 1:
        yield finished(_united(tellings(), counted=query.aggregate == "count"))
    else:
        counted = query.aggregate == "count"
        for style in ("plain", "whole", "noun"):
            text = Question(tellings()[0], style, counted=counted).text
            if text:
                yield finished(text)


def finished(text: str) -> str:
    """One line, a capital at the start, one question mark at the end."""
    text = without_pauses(" ".join(text.split())).replace("{", "(").replace("}", ")")
    text = re.sub(r"\s+([,?])", r"\1", text).rstrip(" ?")
    return text[:1].upper() + text[1:] + "?"


class Question:
    """A question about one pattern: how it opens, and what it says of the answers."""

    def __init__(self, telling: Telling, style: str, *, counted: bool = False):
        self.telling = telling
        self.style = style
        self.counted = counted
        self.head = telling.heads[telling.root.variable]
        self.noun = ""  # `directors of the films …`, where the answers are spoken of so
        self.asked: Condition | None = None
        self._choose_head()

    def _choose_head(self) -> None:
        telling, root = self.telling, self.telling.root
        for condition in root.conditions:
            if condition.relation == MEMBERSHIP and condition.forward and not condition.denied:
                if isinstance(condition.other, Entity) and not root.classes:
                    topic = topic_of(telling.naming.label(condition.other.id))
                    self.head = Head(topic.one, topic.many, topic.person)
                    telling.heads[root.variable] = self.head
                    self.noun, self.asked = topic.many, condition
                    return
        if root.classes or telling.plan.referenced:
            return
        for condition in root.conditions:
            entry = telling.entry(condition.relation)
            if (
                not condition.forward
                and not condition.denied
                and entry.noun
                and self._by_noun(condition, entry)
            ):
                self.asked = condition
                self.noun = self._of(condition, entry)
                self.head = Head(entry.noun, entry.nouns, self.head.person or head_of(entry.noun).person)
                return

    def _by_noun(self, condition: Condition, entry: Entry) -> bool:
        """Whether objects are asked for by the relation's noun rather than by its clause."""
        if entry.is_literal or not entry.backward:
            return True
        return condition.child is not None and self.style != "noun"

    def _of(self, condition: Condition, entry: Entry) -> str:
        if condition.child is not None:
            other = self.telling.noun_phrase(condition.child, condition, "the", many=True)
        else:
            other = self.telling._leaf(condition, self.telling.root, self.head).name
        return f"{entry.nouns} {entry.of} {other}"

    # -- the parts of the question ---------------------------------------------------------------------

    @property
    def parts(self) -> list[Parts]:
        many = self.is_many
        found = self.telling.parts(self.telling.root, self.head, many=many, leave=self.asked)
        return found

    @property
    def is_many(self) -> bool:
        return self.counted or bool(self.noun) or self.head.is_specific

    @property
    def opening(self) -> str:
        """`Which films`, `Who`, `How many people`, `Which directors of the films …`."""
        noun = self.noun or self.head.many
        if self.counted:
            return f"how many {'different ' if self.noun and self.asked and self.asked.child else ''}{noun}"
        if self.noun or self.head.is_specific:
            return f"which {noun}"
        return {"person": "who", "person or thing": "who or what"}.get(self.head.one, "what")

    @property
    def text(self) -> str | None:
        if self.style == "noun" and self._is_same_as_plain:
            return None
        parts = self.parts
        beside = self.telling.beside()
        if not parts:
            return self._bare() + beside
        if self.style == "whole":
            return self._whole(parts, beside)
        return f"{self.opening} {joined(parts)}{beside}"

    @property
    def _is_same_as_plain(self) -> bool:
        return not any(c.child is not None and not c.forward for c in self.telling.root.conditions)

    def _bare(self) -> str:
        """A question that names the answers by their noun alone: `What are the heights of …?`"""
        if self.counted:
            return f"{self.opening} are there"
        word = "who" if self.head.person else "what"
        if self.noun:
            entry = self.telling.entry(self.asked.relation) if self.asked else None
            if (
                entry is not None
                and self.asked is not None
                and self.asked.child is None
                and _asks_for_one(entry)
            ):
                rest = self.noun.removeprefix(entry.nouns)
                return f"{word} is the {entry.noun}{rest}"
            return f"{word} are the {self.noun}"
        return f"{word} are the {self.head.many}"

    def _whole(self, parts: list[Parts], beside: str) -> str | None:
        """`What are the films directed by …?`"""
        if self.counted or self.noun:
            return None
        tail = self.telling.tail(self.telling.root, self.head, many=True)
        return f"{'who' if self.head.person else 'what'} are the {self.head.many} {tail}{beside}"


def _asks_for_one(entry: Entry) -> bool:
    return entry.is_literal or entry.single


def _united(tellings: list[Telling], *, counted: bool) -> str:
    """`Which films were directed by A or B?`; with different openings, one question after another."""
    questions = [Question(telling, "plain", counted=counted) for telling in tellings]
    openings = {question.opening for question in questions}
    predicates = [(question.parts, question.telling.beside()) for question in questions]
    if len(openings) == 1 and all(parts for parts, _ in predicates):
        single = [parts[0] for parts, beside in predicates if len(parts) == 1 and not beside]
        opening = openings.pop()
        if len(single) == len(predicates) and not any(part.denied for part in single):
            from rollcall.wording.conjoin import alternatives

            return f"{opening} {alternatives(single)}"
        said = [joined(parts) + beside for parts, beside in predicates]
        return f"{opening} either {listed(said, 'or', comma=True)}"
    texts = [
        question.text or question._bare()
        for question in [Question(t, "plain", counted=False) for t in tellings]
    ]
    if counted:
        return f"how many different answers are there in all to these: {'; '.join(texts)}"
    return listed(texts, "or", comma=True)
