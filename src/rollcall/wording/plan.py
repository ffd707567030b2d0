"""The order in which a pattern is expressed: a tree from the question node, with references back for cycles.

Each variable is introduced once, where it first occurs; later statements about two variables already
introduced refer back. Negated statements that share a variable of their own stay together. Statements that
are connected with the question only through an entity come last.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from rollcall.query import QUESTION, Edge, Pattern, Typing, Variable
from rollcall.query.statements import TARGET, Node, Statement, variables_of
from rollcall.text.nouns import is_plural, plural
from rollcall.text.verbs import BE, is_participle
from rollcall.wording.frames import is_adjective
from rollcall.wording.phrases import Parts


@dataclass
class Condition:
    """An edge, seen from one of its ends; `child` is the other end if it is introduced here."""

    relation: str
    forward: bool
    other: Node
    denied: bool = False
    child: "NodePlan | None" = None


@dataclass
class NodePlan:
    """A variable with all conditions that are stated where it is introduced."""

    variable: Variable
    classes: list[str] = field(default_factory=list)
    denied_classes: list[str] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    compared: str | None = None
    """The relation whose values a superlative compares."""

    @property
    def nodes(self) -> "list[NodePlan]":
        """This node and those below it, in the order of the text."""
        nodes = [self]
        for condition in self.conditions:
            if condition.child is not None:
                nodes += condition.child.nodes
        return nodes

    @property
    def is_bare(self) -> bool:
        return not (self.classes or self.denied_classes or self.conditions or self.compared)


@dataclass
class Plan:
    """The tree, the variables that are mentioned again, and the statements outside the tree."""

    root: NodePlan
    referenced: set[Variable]
    loose: list[tuple[bool, NodePlan | Statement]]


def plan_of(pattern: Pattern) -> Plan:
    """The plan of a pattern."""
    return _Planner(pattern).plan()


class _Planner:
    def __init__(self, pattern: Pattern):
        self.pattern = pattern
        self.seen: dict[Variable, NodePlan] = {}
        self.referenced: set[Variable] = set()
        self.loose: list[tuple[bool, NodePlan | Statement]] = []
        self.compared = False
        self.stated: set[Statement] = set()

    def plan(self) -> Plan:
        root = self._grow(QUESTION, list(self.pattern.positive))
        while remaining := self._unstated(self.pattern.positive):
            self._state_loose(remaining, denied=False)
        for group in self.pattern.negative_groups:
            self._deny(group)
        for node in [root, *(stated for _, stated in self.loose if isinstance(stated, NodePlan))]:
            for planned in node.nodes:
                planned.conditions.sort(key=_weight)
        return Plan(root, self.referenced, self.loose)

    def _grow(self, start: Variable, statements: list[Statement]) -> NodePlan:
        """The tree of all statements that variables connect with the start."""
        root = self.seen[start] = NodePlan(start)
        queue = [start]
        closing: list[Edge] = []
        stated: set[Statement] = set()
        for variable in queue:
            node = self.seen[variable]
            for statement in statements:
                if statement in stated or variable not in statement.nodes:
                    continue
                stated.add(statement)
                if isinstance(statement, Typing):
                    node.classes.append(statement.class_id)
                    continue
                forward = statement.subject == variable
                other = statement.object if forward else statement.subject
                if other == TARGET and not self.compared and forward:
                    node.compared, self.compared = statement.relation, True
                elif not isinstance(other, Variable) or other in (variable, TARGET):
                    node.conditions.append(Condition(statement.relation, forward, other))
                elif other in self.seen:
                    closing.append(statement)
                else:
                    child = self.seen[other] = NodePlan(other)
                    node.conditions.append(Condition(statement.relation, forward, other, child=child))
                    queue.append(other)
        self.stated |= stated
        self._close(closing)
        return root

    def _close(self, edges: Iterable[Edge], *, denied: bool = False) -> None:
        """Attach edges between variables already introduced to the one that comes later."""
        for edge in edges:
            order = self._order()
            ends = [node for node in edge.nodes if isinstance(node, Variable)]
            later = max(ends, key=order.index)
            forward = edge.subject == later
            other = edge.object if forward else edge.subject
            self.seen[later].conditions.append(Condition(edge.relation, forward, other, denied))
            if isinstance(other, Variable):
                self.referenced.add(other)

    def _order(self) -> list[Variable]:
        roots = [self.seen[QUESTION], *(stated for _, stated in self.loose if isinstance(stated, NodePlan))]
        stated = [node.variable for root in roots for node in root.nodes]
        return [*stated, *(variable for variable in self.seen if variable not in stated)]

    def _unstated(self, statements: Iterable[Statement]) -> list[Statement]:
        return [statement for statement in statements if statement not in self.stated]

    def _state_loose(self, statements: list[Statement], *, denied: bool) -> None:
        start = next(
            (
                variable
                for statement in statements
                for variable in variables_of(statement)
                if variable not in self.seen and variable != TARGET
            ),
            None,
        )
        if start is None:
            for statement in statements:
                self.stated.add(statement)
                self.loose.append((denied, statement))
            return
        self.loose.append((denied, self._grow(start, statements)))

    def _deny(self, group: tuple[Statement, ...]) -> None:
        outer = set(self.seen)
        own_variables = [
            variable
            for statement in group
            for variable in variables_of(statement)
            if variable not in outer and variable != TARGET
        ]
        if not own_variables:
            for statement in group:
                self._deny_one(statement)
            return
        link = next(
            (
                statement
                for statement in group
                if isinstance(statement, Edge)
                and set(variables_of(statement)) & outer
                and set(variables_of(statement)) & set(own_variables)
            ),
            None,
        )
        if link is None:
            self._state_loose(list(group), denied=True)
            return
        forward = link.subject in outer
        anchor, start = (link.subject, link.object) if forward else (link.object, link.subject)
        assert isinstance(anchor, Variable)
        assert isinstance(start, Variable)
        condition = Condition(link.relation, forward, start, denied=True)
        self.seen[anchor].conditions.append(condition)
        condition.child = self._grow(start, [statement for statement in group if statement != link])
        for statement in group:  # an edge from the negated part to a second outer variable
            if statement != link and statement not in self.stated and isinstance(statement, Edge):
                self._close([statement])
                self.stated.add(statement)

    def _deny_one(self, statement: Statement) -> None:
        variables = [variable for variable in variables_of(statement) if variable in self.seen]
        if not variables:
            self.loose.append((True, statement))
        elif isinstance(statement, Typing):
            self.seen[variables[0]].denied_classes.append(statement.class_id)
        elif len(variables) == 2:
            self._close([statement], denied=True)
        else:
            forward = statement.subject == variables[0]
            other = statement.object if forward else statement.subject
            self.seen[variables[0]].conditions.append(
                Condition(statement.relation, forward, other, denied=True)
            )


def _weight(condition: Condition) -> tuple[bool, bool]:
    """Conditions that contain a clause come after the others; negated ones come last."""
    return (condition.denied, condition.child is not None)


# Joining verb phrases about one thing, with shared parts only once. `were produced by A` and `were
# directed by A` become `were produced and directed by A`; with different people, `were directed by A and
# produced by B`. Negated phrases come last, after `but`. A comma after a clause shows that the next
# words are not part of it.


def listed(items: Sequence[str], word: str = "and", *, comma: bool = False) -> str:
    """A, B and C; with `comma`, there is a comma before the last item, even of two."""
    if len(items) < 2:
        return "".join(items)
    start = ", ".join(items[:-1])
    return f"{start}, {word} {items[-1]}" if comma or len(items) > 2 else f"{start} {word} {items[-1]}"


def joined(phrases: Iterable[Parts]) -> str:
    """All phrases as one predicate."""
    all_phrases = list(phrases)
    affirmed = [phrase for phrase in all_phrases if not phrase.denied]
    denied = [phrase for phrase in all_phrases if phrase.denied]
    positive = _row(_merged(affirmed, "and"), "and")
    negative = _row(_merged(denied, "or"), "and")
    if not affirmed or not denied:
        return positive or negative
    return f"{positive}{',' if affirmed[-1].heavy else ''} but {negative}"


def alternatives(phrases: Sequence[Parts]) -> str:
    """The phrases with `or`: `were directed by A or B`."""
    return _row(_merged(list(phrases), "or"), "or")


def reduced(phrases: Sequence[Parts]) -> str | None:
    """The predicate without `that were`, where every phrase allows it."""
    if len(phrases) == 1 and phrases[0].before in ("something that", "things that") and not phrases[0].denied:
        return f"that {phrases[0].filler} {phrases[0].after}"  # `a species that sabinene is found in`
    if not phrases or any(phrase.denied or not phrase.is_reducible for phrase in phrases):
        return None
    if len({phrase.verb for phrase in phrases}) > 1:
        return None
    merged = _merged(list(phrases), "and")
    return _row(merged, "and", without_verb=True)


def _merged(phrases: list[Parts], word: str) -> list[Parts]:
    merged = _same_filler(_same_clause(phrases, word), word)
    return _same_participle(merged) if word == "and" else merged


def _same_participle(phrases: list[Parts]) -> list[Parts]:
    """`were discovered by A`, `were discovered in B`: `were discovered by A in B`."""
    merged: list[Parts] = []
    for phrase in phrases:
        for index, other in enumerate(merged):
            first, last = sorted((other, phrase), key=lambda part: part.before.split(" ")[-1] != "by")
            if _may_share_participle(first, last):
                rest = " ".join(part for part in (*last.before.split(" ")[1:], last.filler) if part)
                merged[index] = first._replace(filler=f"{first.filler} {rest}")
                break
        else:
            merged.append(phrase)
    return merged


def _may_share_participle(first: Parts, last: Parts) -> bool:
    words, other_words = first.before.split(" "), last.before.split(" ")
    return (
        first.verb == last.verb
        and first.verb in BE
        and not (first.denied or last.denied or first.after or last.after or first.heavy or last.heavy)
        and words[0] == other_words[0]
        and is_participle(words[0])
        and words[1:] == ["by"]
        and other_words[1:] in (["in"], ["at"], ["on"], [])
        and " and " not in first.filler
    )


def _same_clause(phrases: list[Parts], word: str) -> list[Parts]:
    """`were directed by A`, `were directed by B`: one phrase with both."""
    groups: dict[tuple[str, str, str], list[Parts]] = {}
    for phrase in phrases:
        groups.setdefault((phrase.verb, phrase.before, phrase.after), []).append(phrase)
    merged = []
    for members in groups.values():
        if len(members) == 1 or not all(member.filler for member in members):
            merged += members
            continue
        fillers = [member.filler for member in members]
        heavy = any(member.heavy for member in members)
        apposed = _APPOSED.search(members[0].before) if word == "and" else None
        if word == "and" and re.search(r"(?:^| )the$", members[0].before):  # `both the banjo and the lute`
            members[0] = members[0]._replace(before=members[0].before.removesuffix("the").strip())
            fillers = [f"the {filler}" for filler in fillers]
        both = "both " if word == "and" and len(fillers) == 2 and not apposed else ""
        filler = both + listed(fillers, word, comma=any(member.heavy for member in members[:-1]))
        after = _AS_NOUN.sub(_as_nouns, members[0].after)
        if members[0].before == "where":  # `where both A and B were born`
            after = re.sub(r"^was\b", "were", after)
        if word == "and" and (kind := _of_a_kind(members)):
            merged.append(members[0]._replace(filler=kind))
            continue
        is_beside = word == "and" and not apposed and after and not after.startswith("as ")
        if is_beside and " the " in f" {filler} ":  # `both the sound and the video sections`
            after = plural(after)
        merged.append(
            members[0]._replace(
                before=members[0].before[: apposed.start(1)] + plural(apposed[1])
                if apposed
                else members[0].before,
                filler=filler,
                after=after if word == "and" else members[0].after,
                heavy=heavy,
            )
        )
    return merged


def _of_a_kind(phrases: list[Parts]) -> str:
    """`are toxic`, `are heavy metals`: `toxic heavy metals`; empty for other phrases."""
    kinds = [phrase.filler for phrase in phrases if is_plural(phrase.filler.split(" ")[-1])]
    if phrases[0].verb not in ("are", "were") or phrases[0].before or phrases[0].after or len(kinds) > 1:
        return ""
    adjectives = [phrase.filler for phrase in phrases if phrase.filler not in kinds]
    if not all(is_adjective(text) for text in adjectives):
        return ""
    return " ".join([listed(adjectives), *kinds])


_APPOSED = re.compile(r"\bthe (\w+|\w+ (?:class|group|label|school|unit))$")
"""The noun that stands before a name: `feature the character A` becomes `feature the characters A and B`."""
_AS_NOUN = re.compile(r"^(as )(its |their |an? )(.+)$")


def _as_nouns(match: "re.Match[str]") -> str:
    possessive = "" if match[2] in ("a ", "an ") else match[2]
    return f"{match[1]}{possessive}{plural(match[3])}"


def _same_filler(phrases: list[Parts], word: str) -> list[Parts]:
    """`were produced by A`, `were directed by A`: one phrase with both participles."""
    merged: list[Parts] = []
    for phrase in phrases:
        for index, other in enumerate(merged):
            if (combined := _both_participles(other, phrase, word)) is not None:
                merged[index] = combined
                break
        else:
            merged.append(phrase)
    return merged


def _both_participles(left: Parts, right: Parts, word: str) -> Parts | None:
    is_alike = (left.verb, left.filler, left.after) == (right.verb, right.filler, right.after)
    if not is_alike or not left.filler or not _has_participle(left) or not _has_participle(right):
        return None
    left_words, _, left_end = left.before.rpartition(" ")
    right_words, _, right_end = right.before.rpartition(" ")
    if left_end != right_end or not left_words or not right_words or left.denied:
        return None
    return left._replace(before=f"{left_words} {word} {right_words} {left_end}")


def _row(phrases: list[Parts], word: str, *, without_verb: bool = False) -> str:
    """The phrases in sequence; a repeated verb is written once."""
    texts: list[str] = []
    sharing = [_shares_verb(previous, phrase) for previous, phrase in pairwise(phrases)]
    for number, phrase in enumerate(phrases):
        shares = without_verb or (number > 0 and all(sharing))
        texts.append(phrase.text.removeprefix(phrase.verb + " ") if shares else phrase.text)
    return listed(texts, word, comma=any(phrase.heavy for phrase in phrases[:-1]))


def _shares_verb(previous: Parts, phrase: Parts) -> bool:
    """Whether a phrase may leave out its verb after another: `has X as its city and Y as its state`."""
    if previous.verb != phrase.verb or previous.heavy or previous.denied or phrase.denied:
        return False
    if phrase.verb in BE:
        return _has_participle(previous) and _has_participle(phrase)
    has = phrase.verb in ("has", "have") and not previous.before and not phrase.before
    return has and previous.after.startswith("as ") and phrase.after.startswith("as ")


def _has_participle(phrase: Parts) -> bool:
    first = phrase.before.split(" ")[0]
    return phrase.verb in BE and (is_participle(first) or (first.endswith("ing") and len(first) > 4))
