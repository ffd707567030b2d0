"""Telling one pattern: noun phrases for its variables and verb phrases for its conditions.

A variable spoken of once is `a film directed by …`; one that is spoken of again gets a letter (`a film A`),
which is plain and never ambiguous. The question node is referred back to as `them` from close by and as
`the film in question` from afar.
"""

import re

from rollcall.query import QUESTION, Date, Edge, Entity, Literal, Number, Pattern, Text, Typing, Variable
from rollcall.query.statements import TARGET
from rollcall.wording.circles import Shared, shared_things
from rollcall.wording.class_nouns import ClassNoun
from rollcall.wording.conjoin import joined, reduced
from rollcall.wording.entry import Entry
from rollcall.wording.heads import THING, Head, common_head, head_of
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.naming import Naming
from rollcall.wording.nouns import is_plural, with_article
from rollcall.wording.phrases import Filler, Parts, VerbPhrase
from rollcall.wording.plan import Condition, NodePlan, plan_of
from rollcall.wording.said import as_year

_NOUN_CLAUSE = "has {object} as {its} "
_NAMED = re.compile(r"(ha[sd]) \{object\} as (?:\{its\}|an?) ")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Telling:
    """The words for one pattern."""

    def __init__(self, pattern: Pattern, lexicon: Lexicon, naming: Naming):
        self.lexicon = lexicon
        self.naming = naming
        self.plan = plan_of(pattern)
        self.root = self.plan.root
        self._nouns = self._nouns_around(pattern)
        self._parents = {
            condition.child.variable: node.variable
            for node in self._nodes()
            for condition in node.conditions
            if condition.child is not None
        }
        self.shared = {node.variable: shared_things(node) for node in self._nodes()}
        self._hidden = {id(c) for things in self.shared.values() for thing in things for c in thing.hidden}
        self.letters = self._letters(pattern)
        self.heads: dict[Variable, Head] = {QUESTION: self.head(self.root)}
        self._many: dict[Variable, bool] = {}
        self._others = self._named_like_another() if pattern.distinct else set()

    def _nodes(self) -> list[NodePlan]:
        roots = [self.root, *(told for _, told in self.plan.loose if isinstance(told, NodePlan))]
        return [node for root in roots for node in root.nodes]

    def _nouns_around(self, pattern: Pattern) -> dict[Variable, list[str]]:
        """The nouns that the relations at each variable give it."""
        found: dict[Variable, list[str]] = {}
        positive = set(pattern.positive_variables)
        for edge in pattern.edges:
            entry = self.entry(edge.relation)
            for end, noun in ((edge.subject, entry.subjects), (edge.object, entry.objects)):
                if isinstance(end, Variable) and (not edge.negated or end not in positive):
                    found.setdefault(end, []).append(noun)
        return found

    def _named_like_another(self) -> set[Variable]:
        """Variables with the noun of an earlier one: where all differ, they are `another film`."""
        seen: set[str] = set()
        found = set()
        for node in self._nodes():
            head = self.head(node)
            if head.one in seen and head.is_specific:
                found.add(node.variable)
            seen.add(head.one)
        return found

    def _letters(self, pattern: Pattern) -> dict[Variable, str]:
        """Letters for variables that somebody other than their own child speaks of again."""
        needed = {
            condition.other
            for node in self._nodes()
            for condition in node.conditions
            if condition.child is None
            and id(condition) not in self._hidden
            and isinstance(condition.other, Variable)
            and condition.other not in (QUESTION, TARGET, node.variable, self._parents.get(node.variable))
        }
        lettered = [variable for variable in pattern.variables if variable in needed]
        taken = {self.naming.label(entity.id) for entity in pattern.entities}
        taken |= {self.naming.class_label(typing.class_id) for typing in pattern.typings}
        free = [letter for letter in _LETTERS if letter not in taken]
        return {
            variable: f"{free[n % len(free)]}{n // len(free) or ''}" for n, variable in enumerate(lettered)
        }

    def entry(self, relation: str) -> Entry:
        return self.lexicon.entry(relation, self.naming.relation_label(relation))

    # -- nouns ---------------------------------------------------------------------------------------

    def head(self, node: NodePlan) -> Head:
        """The noun of a variable: its first class, else what its relations are between."""
        if node.classes:
            return Head(*self._class_noun(node.classes[0]))
        found = common_head(self._nouns.get(node.variable, ()))
        denied = {self._class_noun(class_id).one for class_id in node.denied_classes}
        return THING if found.one in denied else found

    def _class_noun(self, class_id: str) -> ClassNoun:
        return self.lexicon.class_noun(self.naming.class_label(class_id), class_id)

    def noun_phrase(
        self, node: NodePlan, article: str = "a", *, many: bool = False, head: Head | None = None
    ) -> str:
        """`a film directed by …`, `the films that …`, `anyone who …`."""
        own_head = head is None
        head = head or self.head(node)
        self.heads[node.variable] = head
        letter = self.letters.get(node.variable, "")
        if many and article == "the" and not letter and (said := self._by_noun(node)):
            return said
        if article == "a" and node.variable in self._others and own_head:
            article = "another"
        compared = self._with_greatest(node)
        if compared and article in ("a", "any", "another"):
            article = "the"
        tail = " ".join(part for part in (letter, compared, self.tail(node, head, many=many)) if part)
        return f"{self._start(head, article, many=many, bare=not letter and not compared)} {tail}".strip()

    def _by_noun(self, node: NodePlan) -> str:
        """`the directors of the films …`, for what is only said to be a relation's object."""
        if node.classes or node.denied_classes or node.compared or len(node.conditions) != 1:
            return ""
        only = node.conditions[0]
        entry = self.entry(only.relation)
        refers_back = isinstance(only.other, Variable) and only.child is None
        if only.forward or only.denied or not entry.noun or refers_back:
            return ""
        other = (
            self.noun_phrase(only.child, "the", many=True)
            if only.child
            else self.leaf(only, node, THING).name
        )
        self.heads[node.variable] = head_of(entry.noun)
        return f"the {entry.nouns} {entry.of} {other}"

    def _start(self, head: Head, article: str, *, many: bool, bare: bool) -> str:
        if not head.is_specific and bare and not many and article in ("a", "any"):
            some = "some" if article == "a" else "any"
            if head.one == "person or thing":
                return f"{some}one or {some}thing"
            return f"{some}one" if head.person else f"{some}thing"
        noun = head.many if many else head.one
        if article == "a":
            return noun if many else with_article(noun)
        return f"{article} {noun}".strip()

    def _with_greatest(self, node: NodePlan) -> str:
        """`with the greatest height`, where a superlative compares something of this node."""
        if node.compared is None or node.variable == QUESTION:
            return ""
        return f"with the {self.extreme} {self.entry(node.compared).measure}"

    extreme = "greatest"
    """The adjective of the superlative, set by whoever words it."""

    def tail(self, node: NodePlan, head: Head, *, many: bool, leave: Condition | None = None) -> str:
        """What follows the noun: reduced where possible, else a relative clause."""
        parts = self.parts(node, head, many=many, leave=leave)
        if not parts:
            return ""
        short = reduced(parts)
        return short if short is not None else f"{head.relative} {joined(parts)}"

    # -- verbs ---------------------------------------------------------------------------------------

    def parts(self, node: NodePlan, head: Head, *, many: bool, leave: Condition | None = None) -> list[Parts]:
        """The verb phrases of a node's conditions, agreeing with its noun."""
        self._many[node.variable] = many
        return [
            phrase.parts(many=many, person=head.person) for phrase in self.phrases(node, head, leave=leave)
        ]

    def phrases(self, node: NodePlan, head: Head, *, leave: Condition | None = None) -> list[VerbPhrase]:
        found = [self._class_phrase(class_id, denied=False) for class_id in self._further_classes(node, head)]
        through = {id(thing.via): thing for thing in self.shared[node.variable]}
        for condition in node.conditions:
            if id(condition) in through:
                found.append(self._shared_phrase(through[id(condition)], node))
            elif condition is not leave and id(condition) not in self._hidden:
                found.append(self.phrase(condition, node, head))
        return [*found, *(self._class_phrase(class_id, denied=True) for class_id in node.denied_classes)]

    def _further_classes(self, node: NodePlan, head: Head) -> list[str]:
        """The classes that the noun does not say."""
        said = node.classes[:1] if node.classes and head == self.head(node) else []
        return node.classes[len(said) :]

    def _class_phrase(self, class_id: str, *, denied: bool) -> VerbPhrase:
        noun = self._class_noun(class_id)
        also = "" if denied else "also "
        return VerbPhrase(
            f"is {also}[{_plain(with_article(noun.one))}|{_plain(noun.many)}]", Filler(""), denied
        )

    def phrase(self, condition: Condition, node: NodePlan, head: Head) -> VerbPhrase:
        """One condition as a verb phrase said of the node."""
        entry = self.entry(condition.relation)
        clause = entry.forward if condition.forward else entry.object_clause
        if condition.child is not None:
            article = "any" if condition.denied else "a"
            named = condition.forward and not condition.child.classes and _NAMED.match(clause)
            if named and entry.noun and clause.endswith(entry.noun):  # `has a child who …`
                filler = self._introduced(condition, article, head_of(entry.noun))
                return VerbPhrase(f"{named[1]} {{object}}", filler, condition.denied)
            return VerbPhrase(clause, self._introduced(condition, article), condition.denied)
        if isinstance(condition.other, Literal) and entry.noun and not entry.is_literal:
            return self._value_phrase(condition.other, entry, condition.denied)
        if (
            self._is_parent(condition, node)
            and not condition.forward
            and entry.noun
            and not clause.endswith("}")
        ):
            its = "their" if self._pronoun(self._parents[node.variable]) == "them" else "its"
            return VerbPhrase(
                f"is {'' if condition.denied else 'also '}{its} {entry.noun}", Filler(""), condition.denied
            )
        return VerbPhrase(clause, self.leaf(condition, node, head), condition.denied)

    def _value_phrase(self, literal: Literal, entry: Entry, denied: bool) -> VerbPhrase:
        """A value of a relation known by its noun only: `has a capacity of more than 30,000`."""
        if isinstance(literal.value, Text):
            return VerbPhrase(entry.forward, self.naming.value(literal), denied)
        literal = as_year(literal) if entry.is_moment else literal
        if isinstance(literal.value, Number) and literal.value.unit is None and entry.counts:
            return VerbPhrase(f"has {{object}} {_plain(entry.nouns)}", self.naming.value(literal), denied)
        if entry.label in ("year", "date"):
            return VerbPhrase("is dated {object}", self.naming.value(literal), denied)
        if "{on object}" in entry.forward:
            return VerbPhrase(entry.forward, self.naming.value(literal), denied)
        of = "" if isinstance(literal.value, Date) and literal.comparator != "=" else "of "
        noun = entry.noun if is_plural(entry.noun.split(" ")[-1]) else with_article(entry.noun)
        return VerbPhrase(f"has {_plain(noun)} {of}{{object}}", self.naming.value(literal), denied)

    def _is_parent(self, condition: Condition, node: NodePlan) -> bool:
        return condition.child is None and self._parents.get(node.variable) == condition.other

    def _pronoun(self, variable: Variable) -> str:
        return "them" if self._many.get(variable) or self.heads.get(variable, THING).person else "it"

    def _shared_phrase(self, thing: Shared, node: NodePlan) -> VerbPhrase:
        """`has the same cause of death as one of their children`."""
        entry, via = self.entry(thing.relation), self.entry(thing.via.relation)
        neighbour = thing.via.child
        assert neighbour is not None
        bare = all(id(condition) in self._hidden for condition in neighbour.conditions)
        its = (
            "their" if self._many.get(node.variable) or self.heads.get(node.variable, THING).person else "its"
        )
        if thing.via.forward and via.noun and not neighbour.classes:
            one = via.single and bare
            other = f"{its} {via.noun}" if one else f"one of {its} {via.nouns}"
            tail = self.tail(neighbour, head_of(via.noun), many=not one)
            other = f"{other} {tail}".strip()
        else:
            back = Condition(thing.via.relation, not thing.via.forward, node.variable)
            neighbour.conditions.insert(0, back)
            other = self.noun_phrase(neighbour)
            neighbour.conditions.remove(back)
        noun = entry.noun or f"thing by “{entry.label}”"
        return VerbPhrase(f"has the same {noun} as {{object}}", Filler(other, heavy=not bare))

    def _introduced(self, condition: Condition, article: str, head: Head | None = None) -> Filler:
        assert condition.child is not None
        said = self.noun_phrase(condition.child, article, head=head)
        heavy = bool(
            condition.child.conditions or condition.child.denied_classes or condition.child.classes[1:]
        )
        return Filler(said, when=f"on {said}" if head is None else "", heavy=heavy)

    def leaf(self, condition: Condition, node: NodePlan, head: Head) -> Filler:
        other = condition.other
        if isinstance(other, Entity):
            return self.naming.entity(other.id)
        if isinstance(other, Literal):
            return self.naming.value(other)
        if other == node.variable:
            return Filler("themselves" if self._many.get(node.variable) or head.person else "itself")
        if other == TARGET:
            return Filler("the value compared")
        return Filler(self.reference(other, node))

    def reference(self, variable: Variable, from_node: NodePlan) -> str:
        """How a variable that was introduced before is spoken of."""
        if self._parents.get(from_node.variable) == variable:
            return self._pronoun(variable)
        if variable == QUESTION:
            return f"the {self.heads[variable].one} in question"
        return self.letters.get(variable, "it")

    # -- what stands beside the question ---------------------------------------------------------------

    def beside(self) -> str:
        """Statements that hang on the question only through an entity: `, given that …`."""
        said = [self._aside(denied, told) for denied, told in self.plan.loose]
        return f", given that {' and that '.join(said)}" if said else ""

    def _aside(self, denied: bool, told: object) -> str:
        if isinstance(told, NodePlan):
            return f"there is {self.noun_phrase(told, 'no' if denied else 'a')}"
        assert isinstance(told, Edge | Typing)
        start = told.subject if isinstance(told, Edge) else told.node
        subject = (
            self.naming.entity(start.id).name
            if isinstance(start, Entity)
            else self.reference(start, self.root)
        )
        if isinstance(told, Typing):
            phrase = self._class_phrase(told.class_id, denied=denied)
        else:
            condition = Condition(told.relation, True, told.object)
            phrase = VerbPhrase(
                self.entry(told.relation).forward, self.leaf(condition, self.root, THING), denied
            )
        return f"{subject} {phrase.said(many=False, person=False)}"


def _plain(text: str) -> str:
    """A label that may stand in a clause: without the marks clauses use."""
    return text.translate({ord(mark): None for mark in "[]|{}"})
