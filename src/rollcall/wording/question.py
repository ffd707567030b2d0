"""A question about one pattern: its opening, and the conditions on the answers.

Answers are named by their noun with a verb phrase for each condition (`Which films were directed by …?`), or,
if they are objects of a relation, by the relation's noun (`Who are the directors of the films …?`).
"""

import re
from collections.abc import Iterator

from rollcall.corpus.lists import MEMBERSHIP
from rollcall.query import QUESTION, Entity, Query
from rollcall.text.nouns import head_word, is_person, plural
from rollcall.text.verbs import BE, base_of, conjugated, is_participle, is_present, verb_form
from rollcall.text.words import word_list, word_table
from rollcall.wording.ends import by_adjective
from rollcall.wording.entry import Entry
from rollcall.wording.frames import LANDS, clause_of_time, is_mass, stripped
from rollcall.wording.idioms import moment_of
from rollcall.wording.labels import without_unit
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.naming import PAUSE, Naming, possessive, with_pause, without_pauses
from rollcall.wording.nouns import Head, Nouns, covering_noun, head_of, kind_above
from rollcall.wording.phrases import Filler, Parts, VerbPhrase, in_number
from rollcall.wording.plan import Condition, alternatives, joined, listed
from rollcall.wording.telling import Telling, beside

STYLES = ("plain", "whole", "clause", "active", "as noun", "possessive", "where")
"""Styles of questions, the best first; a style that does not apply to a query gives no text."""

_SUPERLATIVE = re.compile(r"(?:\w+est|best|most|top|highest|longest)\b(?!\w)", re.I)
"""A list's noun that begins with a superlative: the question then begins with `which of the`."""
_PLACE = re.compile(r"(.+) (?:in|at)")
_PRESENT = ("is", "are")
_TRANSITIVE = re.compile(r"(\w+ly )?(?!is |was |has |had )(\w+) \{subject\}")
_RELATIVE = re.compile(r" (?:that|who|whose|which) ")
_WHERE = "is where {subject} "
_HAS_NOUN = re.compile(r"has the \{object\} [\w -]+")
_WHAT = frozenset(("diet", "food"))
"""Nouns that do not say what their names are: fish is not a diet."""


class AskedPattern:
    """One pattern asked about in one style."""

    def __init__(self, telling: Telling, style: str, *, counted: bool = False):
        self.telling = telling
        self.style = style
        self.counted = counted
        self.root = telling.root
        self.head = telling.heads[QUESTION]
        self.noun = ""
        """`directors of the films …`, if the answers are named in this way."""
        self.asked: Condition | None = None
        """The condition that `noun` expresses."""
        self._also: list[Condition] = []
        """Further conditions that it expresses."""
        self.other_ends = ""
        """Names that stand for the other end: `A or B`."""
        self._choose_noun()

    def _choose_noun(self) -> None:
        on_list = self.telling.membership(self.root)
        if on_list is not None:
            self.noun, self.asked = with_pause(self.head.many), on_list
            return
        for condition in self.root.conditions if self._may_take_noun else ():
            entry = self.telling.entry(condition.relation)
            if not condition.forward and not condition.denied and self._by_noun(condition, entry):
                are_counts = entry.generic and entry.values == "number" and entry.counts
                person = self.head.person or (head_of(entry.noun).person and not entry.generic)
                person = person and not are_counts
                self.head = self.telling.heads[QUESTION] = Head(entry.noun, entry.nouns, person)
                anything = (
                    condition.child is not None and condition.child.is_bare and self.root.conditions[1:]
                )
                self.asked, self._also = condition, self._asked_of_others(condition)
                of = "" if anything else f" {entry.of} {self._other(condition)}"
                number = "numbers of " if are_counts and not entry.noun.startswith("number of ") else ""
                nouns = entry.nouns if condition.child is None else without_unit(entry.nouns)[0]
                self.noun = f"{number}{nouns}{of}"
                return

    def _asked_of_others(self, condition: Condition) -> list[Condition]:
        """The conditions that join the asked one in the noun: `the platforms of both A and B`."""
        alike = [
            similar
            for similar in self.root.conditions
            if (similar.relation, similar.forward, similar.denied) == (condition.relation, False, False)
        ]
        if any(not isinstance(similar.other, Entity) for similar in alike):
            return []
        also = [similar for similar in alike if similar is not condition]
        for similar in also:
            self.telling.leave_out(similar)
        return also

    @property
    def _may_take_noun(self) -> bool:
        """Whether a relation's noun may be used: not if the answers have a class or are mentioned again."""
        return not self._is_spoken_of and (not self.root.classes or self._class_is_noun)

    @property
    def _is_spoken_of(self) -> bool:
        """Whether the answers are mentioned again."""
        telling = self.telling
        referenced = QUESTION in telling.plan.referenced or telling.references.letters
        return bool(referenced or telling.shared[QUESTION])

    @property
    def _class_is_noun(self) -> bool:
        """Whether the answers' class is what the only relation calls them: the airports of Miami."""
        root = self.root
        if len(root.classes) != 1 or root.denied_classes or len(root.conditions) != 1:
            return False
        only = root.conditions[0]
        entry = self.telling.entry(only.relation)
        if only.forward or entry.backward or not entry.noun:
            return False
        noun, last = self.telling.head(root).one, head_word(entry.noun)
        return noun in (entry.noun, last, kind_above(last), *entry.noun.split(" or "))

    @property
    def _word(self) -> str:
        """`who`, `what`, or `who or what`, according to the answers' noun and the relation's objects."""
        if self.head.person:
            return "who"
        if self.asked is None or self.asked.forward or QUESTION in self.telling.given_nouns:
            return "what"
        mixed = self.telling.entry(self.asked.relation).objects == "person or thing"
        return "who or what" if mixed else "what"

    def _by_noun(self, condition: Condition, entry: Entry) -> bool:
        """Whether objects are asked for by the relation's noun rather than by its clause."""
        if not entry.noun:
            return False
        if entry.is_literal or not entry.backward:
            return True
        if entry.generic and not entry.backward.startswith(("is ", "was ")):
            return False  # `who designed the games …`
        return condition.child is not None and self.style != "clause"

    def _other(self, condition: Condition) -> str:
        end = self.telling.other_end(condition, self.root)
        if self.other_ends:
            return self.other_ends
        if self._are_together and self.root.conditions[1:]:
            ends = [self.telling.other_end(each, self.root) for each in self.root.conditions]
            return f"{'both ' if len(ends) == 2 else ''}{listed(ends)}"
        if not self._also or condition is not self.asked:
            return end
        names = [end, *(self.telling.other_end(also, self.root) for also in self._also)]
        return f"both {listed(names)}" if len(names) == 2 else listed(names)

    # -- the parts of the question ---------------------------------------------------------------------

    @property
    def parts(self) -> list[Parts]:
        """The verb phrases about the answers."""
        return self.telling.parts(self.root, self.head, many=self.is_many, leave=self.asked)

    @property
    def is_many(self) -> bool:
        return self.counted or bool(self.noun) or self.head.is_specific

    @property
    def opening(self) -> str:
        """`which films`, `who`, `how many people`, `which directors of the films …`."""
        noun = self.noun or self.head.many
        if self.counted:
            return f"how many {'different ' if self.asked and self.asked.child else ''}{noun}"
        if self.is_many:
            return f"which of the {noun}" if _SUPERLATIVE.match(noun) else f"which {noun}"
        return {"person": "who", "person or thing": "who or what"}.get(self.head.one, "what")

    @property
    def text(self) -> str | None:
        """The question, or None if the style does not apply."""
        if self.style == "plain":
            return self._plain()
        if self.counted and self.style != "clause":
            return None
        styles = {
            "whole": self._whole,
            "clause": self._clause,
            "active": self._active,
            "as noun": self._as_noun,
            "possessive": self._possessive,
            "where": self._where,
        }
        return styles[self.style]()

    @property
    def bare(self) -> str:
        """The question by the answers' noun alone: `what are the heights of …`."""
        if self.counted:
            is_plain = self.asked is not None and self.asked.child is None and not self._also
            if self.asked is not None and is_plain and self.asked.relation != MEMBERSHIP:
                entry = self.telling.entry(self.asked.relation)
                if entry.generic and entry.noun and not entry.is_literal:
                    return f"how many {entry.nouns} does {self._other(self.asked)} have"
            return f"{self.opening} are there"
        word = self._word
        if self.asked is not None and self.asked.child is None and self._asks_for_one(self.asked):
            entry = self.telling.entry(self.asked.relation)
            if entry.generic and entry.values and entry.counts and not entry.noun.startswith("number of "):
                return f"how many {without_unit(entry.nouns)[0]} does {self._other(self.asked)} have"
            noun, unit = without_unit(entry.noun)
            tail = f" in {unit}" if unit else ""
            return f"{word} is the {noun} {entry.of} {self._other(self.asked)}{tail}"
        if not self.noun:
            return f"which {self.head.many} are there"
        if self.asked is not None:
            entry = self.telling.entry(self.asked.relation)
            if entry.generic and is_mass(entry.noun) and entry.nouns == entry.noun:
                return f"{word} is the {self.noun}"
        return f"{word} are the {self.noun}"

    @property
    def group(self) -> str:
        """The answers as a noun phrase: `the films directed by A`."""
        tail = self.telling.tail(self.root, self.head, many=True, leave=self.asked)
        return f"the {self.noun or self.head.many} {tail}".strip() + beside(self.telling)

    def _asks_for_one(self, condition: Condition) -> bool:
        entry = self.telling.entry(condition.relation)
        return condition.relation != MEMBERSHIP and (entry.is_literal or entry.single)

    # -- styles ----------------------------------------------------------------------------------------

    def _plain(self) -> str:
        if (only := self._only_object) is not None and not self.counted:
            if only.child is None and (where := self._where()):
                return where
            entry = self.telling.entry(only.relation)
            short = only.child is None or (len(only.child.conditions) < 2 and not only.child.nodes[1:])
            clause = _asking_clause(entry) if short else ""
            if clause and (only.child is None or not clause.startswith(("is ", "was "))):
                return self._by_clause(clause, entry, only) + beside(self.telling)
            if only.child is not None and entry.generic and entry.backward:
                filler = Filler(self._other(only), heavy=True)
                phrase = VerbPhrase(entry.backward, filler).said(many=self.is_many, person=self.head.person)
                if not entry.backward.startswith(("is ", "was ")):
                    return f"{self.opening} {phrase}{beside(self.telling)}"
            if not entry.noun and (not entry.backward or entry.backward.endswith(" by {subject}")):
                return self._stranded(only) + beside(self.telling)
        parts = self.parts
        if (
            len(parts) == 1
            and parts[0].before.split(" ")[0] == "where"
            and not self.counted
            and not self.noun
        ):
            return f"what are {self.group}"  # not `which places are where A was born`
        predicate = f"{self.opening} {joined(parts)}" if parts else self.bare
        return predicate + beside(self.telling)

    @property
    def _only_object(self) -> Condition | None:
        """The only condition, if the answers are a relation's objects without other conditions."""
        root = self.root
        is_one = len(root.conditions) == 1 or self._are_together
        if root.denied_classes or not is_one or not (self._may_take_noun or root.classes):
            return None
        only = root.conditions[0]
        if only.forward or only.denied:
            return None
        if not root.classes:
            return only
        entry = self.telling.entry(only.relation)  # a class that says no more than `where` does
        is_place = entry.backward.startswith(_WHERE) and self.telling.head(root).one == entry.objects
        strands = (
            not entry.noun and not entry.backward and not self.counted
        )  # `which rivers does A flow into`
        return only if (is_place or strands) and root.classes[1:] == [] and not self._is_spoken_of else None

    @property
    def _are_together(self) -> bool:
        """Whether the conditions are one relation of several names: `what do both A and B depend on`."""
        conditions = self.root.conditions
        if not conditions or any(not isinstance(condition.other, Entity) for condition in conditions):
            return False
        entry = self.telling.entry(conditions[0].relation)
        kinds = {(condition.relation, condition.forward, condition.denied) for condition in conditions}
        is_verb = not entry.backward or entry.backward.endswith(" by {subject}")
        return kinds == {(entry.id, False, False)} and not entry.noun and is_verb and entry.generic

    def _by_clause(self, clause: str, entry: Entry, condition: Condition) -> str:
        """`which tools does A use`, `which family does A belong to`."""
        stranded = clause.removesuffix(" {object}")
        if clause_of_time(entry.noun):
            noun = f"which {plural(head_word(entry.noun))}"  # `which months does A flower in`
        elif entry.noun in _WHAT or any(word[:3] == entry.noun[:3] for word in stranded.split(" ")):
            noun = "what"  # not `which targets does A target`
        elif is_mass(entry.noun):
            noun = f"what {entry.noun}"
        else:
            one = condition.child is None and (entry.single or entry.forward == "is in {object}")
            noun = f"which {entry.noun if one else entry.nouns}"
        return f"{noun} {self._inverted(stranded, condition, many=condition.child is not None)}"

    def _stranded(self, condition: Condition) -> str:
        """`what was UHF based on`, for a relation that has no noun."""
        entry = self.telling.entry(condition.relation)
        word = "who" if self.head.person else "what"
        if entry.objects == "person or thing" and QUESTION not in self.telling.given_nouns:
            word = "who or what"
        if entry.objects == "date" and "{on object}" in entry.forward:
            word = "when"
        elif entry.objects == "number":
            word = "how many"
        elif self.head.is_specific:
            word = f"which {self.head.many}"
        child = condition.child
        if entry.objects == "date" and entry.forward.endswith(" since {object}"):
            clause = entry.stranded.removesuffix(" since")
            return f"since when {self._inverted(clause, condition, many=child is not None)}"
        short = child is None or (len(child.conditions) < 2 and not child.nodes[1:])
        of_place = word == "what" or entry.shape == LANDS
        if short and of_place and (match := _PLACE.fullmatch(entry.stranded)) and _is_of_place(entry):
            return f"where {self._inverted(match[1], condition, many=child is not None)}"
        of_people = child is None or self.telling.head(child).person
        garden_path = word == "what" or (word == "who" and of_people)
        garden_path = garden_path and _seems_whole(word, entry.stranded, self._other(condition))
        if child is None or (short and not garden_path):
            return f"{word} {self._inverted(entry.stranded, condition, many=child is not None)}"
        predicate = VerbPhrase(entry.stranded, Filler("")).said(many=True, person=False)
        they = "are they" if self.head.is_specific else "is it"
        return f"{word} {they} that {self._other(condition)} {predicate}"

    def _inverted(self, clause: str, condition: Condition, *, many: bool) -> str:
        """A clause with its verb before its subject: `was Anna born`, `do the paintings … depict`."""
        many = many or (self._are_together and bool(self.root.conditions[1:]))
        clause = VerbPhrase(in_number(clause, many=many), Filler("")).said(many=False, person=False)
        clause = clause.replace(" its ", " their ") if many else clause
        verb, _, rest = clause.partition(" ")
        subject = self._other(condition)
        if verb in BE or (verb == "has" and (is_participle(rest.split(" ")[0]) or rest.startswith("been "))):
            return f"{conjugated(verb, rest, many=many, denied=False)} {subject} {rest}".strip()
        auxiliary = ("do" if many else "does") if is_present(verb) else "did"
        return f"{auxiliary} {subject} {base_of(verb)} {rest}".strip()

    def _whole(self) -> str | None:
        """`what are the films directed by …`"""
        if self.noun or not self.parts or self._only_object is not None:
            return None
        word = "who" if self.head.person else "what"
        return f"{word} are {self.group}"

    def _clause(self) -> str | None:
        """Objects asked for by the relation's clause: `who directed a film produced by …`."""
        entries = [
            self.telling.entry(condition.relation)
            for condition in self.root.conditions
            if condition.child and not condition.forward
        ]
        if not entries or self.noun or any(entry.backward.startswith(_WHERE) for entry in entries):
            return None
        return self._plain()

    def _active(self) -> str | None:
        """`which packages does A maintain`, for what is maintained by A."""
        if (
            len(self.root.conditions) != 1
            or self.root.denied_classes
            or self.noun
            or not self.head.is_specific
        ):
            return None
        only = self.root.conditions[0]
        entry = self.telling.entry(only.relation)
        verb = _TRANSITIVE.fullmatch(entry.backward)
        if (
            not only.forward
            or only.denied
            or not isinstance(only.other, Entity)
            or not entry.generic
            or not verb
        ):
            return None
        name = self.telling.naming.entity(only.other.id).name
        auxiliary = "does" if is_present(verb[2]) else "did"
        adverb = verb[1] or ""
        return f"{self.opening} {auxiliary} {name} {adverb}{base_of(verb[2])}{beside(self.telling)}"

    def _as_noun(self) -> str | None:
        """`which films have A among their directors`"""
        if len(self.root.conditions) != 1 or len(self.parts) != 1 or self.noun:
            return None
        only = self.root.conditions[0]
        entry = self.telling.entry(only.relation)
        plain_noun = entry.noun and entry.of == "of" and not entry.is_literal and not entry.generic
        if not entry.single and not is_person(entry.noun):
            return None  # `has A among its movements`: most have one
        if not only.forward or only.denied or not isinstance(only.other, Entity) or not plain_noun:
            return None
        if by_adjective(entry, self.telling.naming.entity(only.other.id)):
            return None
        role = f"as {{its}} {entry.noun}" if entry.single else f"among {{its}} {entry.nouns}"
        phrase = VerbPhrase(f"has {{object}} {role}", self.telling.naming.entity(only.other.id))
        return (
            f"{self.opening} {phrase.said(many=self.is_many, person=self.head.person)}{beside(self.telling)}"
        )

    def _possessive(self) -> str | None:
        """`what is Everest's height`"""
        if self.asked is None or not isinstance(self.asked.other, Entity) or len(self.root.conditions) > 1:
            return None
        entry = self.telling.entry(self.asked.relation)
        if self.asked.relation == MEMBERSHIP or entry.of != "of" or not self._asks_for_one(self.asked):
            return None
        word = "who" if self.head.person else "what"
        if (name := self._other(self.asked)).endswith((PAUSE, "”")):
            return None
        return f"{word} is {possessive(name)} {entry.noun}{beside(self.telling)}"

    def _where(self) -> str | None:
        """`where was Anna born`, `where did the people … die`"""
        only = self._only_object
        if only is None or not self.telling.entry(only.relation).backward.startswith(_WHERE):
            return None
        if only.child is not None and (len(only.child.conditions) > 1 or only.child.nodes[1:]):
            return None  # too long between `where were` and its participle
        clause = self.telling.entry(only.relation).backward.removeprefix(_WHERE)
        return f"where {self._inverted(clause, only, many=only.child is not None)}{beside(self.telling)}"


def _seems_whole(word: str, clause: str, group: str) -> bool:
    """Whether a question seems to end before the end of its clause: `who are the people who …`."""
    return clause.split(" ")[0] in _PRESENT and (word == "who" or _RELATIVE.search(group) is not None)


def _asking_clause(entry: Entry) -> str:
    """The clause of a relation made from a noun, if its objects can be asked for by it; else empty."""
    if entry.generic and not entry.backward and _HAS_NOUN.fullmatch(entry.forward):
        return "has {object}"  # `which interfaces does A have`
    clause = stripped(entry.forward)
    is_framed = entry.generic and entry.noun and not entry.backward and clause.endswith(" {object}")
    if (
        not is_framed
        or clause.startswith(("has ", "is on ", "is of ", "is from ", "is {", "is by "))
        or " as " in clause
    ):
        return ""
    return "" if is_person(entry.noun) or entry.is_literal or entry.of != "of" else clause


def _is_of_place(entry: Entry) -> bool:
    """Whether a relation without a noun says where its subject is: `lives in`, `is located at`."""
    if entry.shape == LANDS and entry.generic:
        return True
    words = [word for word in entry.stranded.split(" ") if word not in BE]
    form = verb_form(words[0], "present", "past", "participle")
    base = form.base if form else " ".join(words[:-1]) if words[1:] else words[0]
    return entry.generic and not word_list("verbs_of_place").isdisjoint((base, f"{base} {words[-1]}"))


# Superlatives: which of some things has the greatest value, and what the greatest value is.


def superlative(tellings: list[Telling], function: str) -> str:
    """`Which building located in Dubai is the tallest?`"""
    for telling in tellings:
        telling.extreme = _extreme(_compared(telling), function)
    if len(tellings) == 1:
        return _of_one_pattern(tellings[0], function)
    groups = [AskedPattern(telling, "plain").group for telling in tellings]
    relations = {entry.id: entry for telling in tellings if (entry := _compared(telling))}
    if len(relations) == 1:
        entry = next(iter(relations.values()))
        return f"among {_groups(groups)}, which has the {_extreme(entry, function)} {entry.measure}"
    by = [
        f"{group} (by {_noun(_compared(telling))})" for group, telling in zip(groups, tellings, strict=True)
    ]
    return f"among {_groups(by)}, which comes {'last' if function == 'argmax' else 'first'}"


def _groups(groups: list[str]) -> str:
    return listed(groups, comma=any(" that " in group or " who " in group for group in groups))


def _of_one_pattern(telling: Telling, function: str) -> str:
    question = AskedPattern(telling, "plain")
    head, root = question.head, telling.root
    if root.compared is None:  # a value of another node is compared; that node's noun phrase says so
        return question.text or question.bare
    entry = telling.entry(root.compared)
    subject = _subject(question, head)
    predicate = _predicate(entry, function, plainly=subject in ("who", "what"))
    return f"{subject} {predicate}{beside(telling)}"


def _subject(question: AskedPattern, head: Head) -> str:
    telling = question.telling
    if question.noun:
        tail = telling.tail(telling.root, head, many=True, leave=question.asked)
        return f"which of the {question.noun} {tail}".strip()
    tail = telling.tail(telling.root, head, many=False)
    if not head.is_specific and not tail:
        return "who" if head.person else "what"
    return f"which {head.one} {tail}".strip()


def _predicate(entry: Entry, function: str, *, plainly: bool) -> str:
    adjective = entry.most if function == "argmax" else entry.least
    if adjective and not plainly:
        return f"is the {adjective}"
    if not entry.noun and entry.forward.endswith(" {on object}"):
        clause = VerbPhrase(entry.stranded, Filler("")).said(many=False, person=False)
        return f"{clause} {'most recently' if function == 'argmax' else 'earliest'}"
    if entry.generic and entry.counts and not entry.is_moment:
        things = without_unit(entry.nouns)[0].removeprefix("number of ").removeprefix("numbers of ")
        return f"has the {'most' if function == 'argmax' else 'fewest'} {things}"
    if entry.values == "date" and (moment := moment_of(entry).replace(" last ", " ")):
        return f"{moment} {'most recently' if function == 'argmax' else 'earliest'}"
    return f"has the {_extreme(entry, function)} {without_unit(entry.measure)[0]}"


def _compared(telling: Telling) -> Entry | None:
    return next((telling.entry(node.compared) for node in telling.root.nodes if node.compared), None)


def _noun(entry: Entry | None) -> str:
    return entry.measure if entry else "value"


def _extreme(entry: Entry | None, function: str) -> str:
    great = function in ("argmax", "max")
    if entry is not None and entry.generic and not entry.is_moment and not _SUPERLATIVE.match(entry.noun):
        adjectives = word_table("extremes").get(head_word(without_unit(entry.noun)[0]), "greatest smallest")
        return adjectives.split(" ")[0 if great else 1]
    if entry is not None and entry.is_moment:
        return "latest" if great else "earliest"
    return "greatest" if great else "smallest"


def greatest_value(tellings: list[Telling], function: str) -> str:
    """`What is the greatest height of any building located in Dubai?`"""
    values = [_value_of(telling, function) for telling in tellings]
    if len(values) == 1:
        return f"what is the {values[0]}"
    extreme = "greatest" if function == "max" else "smallest"
    return f"what is the {extreme} value among {listed(['the ' + text for text in values], comma=True)}"


def _value_of(telling: Telling, function: str) -> str:
    root = telling.root
    head = telling.heads[root.variable]
    condition = next(
        (candidate for candidate in root.conditions if not candidate.forward and not candidate.denied), None
    )
    if condition is None:
        tail = telling.tail(root, head, many=False)
        return f"{_extreme(None, function)} {head.one} {tail}".strip() + beside(telling)
    entry = telling.entry(condition.relation)
    if condition.child is not None:
        other_end = telling.noun_phrase(condition.child, "any")
    else:
        other_end = telling.leaf(condition, root, head).name
    noun = entry.measure
    value_head = Head(noun, noun, False)
    tail = telling.tail(root, value_head, many=False, leave=condition)
    comma = "," if tail and condition.child is not None and condition.child.conditions else ""
    return f"{_extreme(entry, function)} {noun} {entry.of} {other_end}{comma} {tail}".strip() + beside(
        telling
    )


# The forms of questions: the wordings of a query, and one question about several patterns.


def wordings(query: Query, lexicon: Lexicon, naming: Naming, nouns: Nouns = ()) -> Iterator[str]:
    """All wordings of a query, the best first; `nouns` replaces those of its variables, by pattern."""

    def tellings() -> list[Telling]:
        nouns_by_pattern = nouns or [{}] * len(query.patterns)
        return [
            Telling(pattern, lexicon, naming, pattern_nouns)
            for pattern, pattern_nouns in zip(query.patterns, nouns_by_pattern, strict=True)
        ]

    if query.aggregate in ("argmax", "argmin"):
        yield finished(superlative(tellings(), query.aggregate))
    elif query.aggregate in ("max", "min"):
        yield finished(greatest_value(tellings(), query.aggregate))
    elif len(query.patterns) > 1:
        yield finished(_united(tellings(), counted=query.aggregate == "count"))
    else:
        for style in STYLES:
            text = AskedPattern(tellings()[0], style, counted=query.aggregate == "count").text
            if text:
                yield finished(text)


def finished(text: str) -> str:
    """One line, a capital at the start, one question mark at the end."""
    text = without_pauses(" ".join(text.split())).replace("{", "(").replace("}", ")")
    text = re.sub(r"\s+([,?])", r"\1", text).rstrip(" ?")
    return text[:1].upper() + text[1:] + "?"


def _united(tellings: list[Telling], *, counted: bool) -> str:
    """`Which films were directed by A or B?`; with different openings, one question after another."""
    if not counted and (nouns := _of_either(tellings)):
        return nouns
    _generalise(tellings)
    questions = [AskedPattern(telling, "plain", counted=counted) for telling in tellings]
    openings = {question.opening for question in questions}
    if len(openings) == 1 and all(question.parts for question in questions):
        return f"{openings.pop()} {_either(questions)}"
    if counted:
        groups = [question.group for question in questions]
        return f"how many different members do these groups have in all: {listed(groups, comma=True)}"
    return listed([question.text or question.bare for question in questions], "or", comma=True)


def _of_either(tellings: list[Telling]) -> str:
    """`who are the directors of A or B`, if all patterns ask for the same objects of one name each."""
    questions = [AskedPattern(telling, "plain") for telling in tellings]
    if (stranded := _stranded_of_either(questions)) is not None:
        return stranded
    conditions = [question.asked for question in questions]
    if any(condition is None or condition.forward or condition.child is not None for condition in conditions):
        return ""
    if any(question.parts or question.root.conditions[1:] for question in questions):
        return ""
    relations = {condition.relation for condition in conditions if condition is not None}
    if len(relations) != 1 or any(beside(telling) for telling in tellings):
        return ""
    entry = tellings[0].entry(relations.pop())
    other_ends = [
        telling.other_end(condition, telling.root)
        for telling, condition in zip(tellings, conditions, strict=True)
        if condition is not None
    ]
    word = "who" if questions[0].head.person else "what"
    return f"{word} are the {entry.nouns} {entry.of} {listed(other_ends, 'or')}" if entry.noun else ""


def _stranded_of_either(questions: list[AskedPattern]) -> str | None:
    """`which packages does A or B depend on`, for one relation without a noun of one name each."""
    conditions = [question.root.conditions for question in questions]
    if any(
        len(own) != 1 or question.head != questions[0].head
        for own, question in zip(conditions, questions, strict=True)
    ):
        return None
    if len({own[0].relation for own in conditions}) != 1 or not all(
        question._are_together for question in questions
    ):
        return None
    ends = [
        question.telling.other_end(own[0], question.root)
        for own, question in zip(conditions, questions, strict=True)
    ]
    questions[0].other_ends = listed(ends, "or")
    return questions[0].text


def _generalise(tellings: list[Telling]) -> None:
    """Use one noun that covers the answers of all patterns, if they have no class: `film`, `work`."""
    if any(telling.root.classes for telling in tellings):
        return
    noun = covering_noun([telling.heads[QUESTION].one for telling in tellings])
    for telling in tellings if noun else ():
        telling.heads[QUESTION] = head_of(noun)


def _either(questions: list[AskedPattern]) -> str:
    single = [question.parts[0] for question in questions if len(question.parts) == 1]
    plain = len(single) == len(questions) and not any(question.telling.plan.loose for question in questions)
    if plain and not any(phrase.denied for phrase in single):
        return alternatives(single)
    predicates = [joined(question.parts) + beside(question.telling) for question in questions]
    return f"either {listed(predicates, 'or', comma=True)}"
