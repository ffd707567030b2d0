"""Expressing one pattern: noun phrases for its variables and verb phrases for its conditions.

A variable is introduced once, as `a film directed by …`, with all its conditions; `references` has the words
for later mentions. If a variable is on a list, the list gives its noun.
"""

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rollcall.corpus.lists import MEMBERSHIP
from rollcall.query import QUESTION, Edge, Entity, Literal, Pattern, Typing, Variable
from rollcall.query.statements import TARGET, Statement
from rollcall.query.values import Text
from rollcall.text.nouns import activity_in_text, head_word, is_person, with_article
from rollcall.text.words import word_list
from rollcall.wording.ends import belonging, by_adjective, land_in_text
from rollcall.wording.entry import Entry, topic_of
from rollcall.wording.frames import ANSWERS, answer_in, clause_of_answer, fitted, stripped
from rollcall.wording.idioms import idiom, plain, since, sport_in_text, value_phrase
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.naming import Naming
from rollcall.wording.nouns import THING, ClassNoun, Head, common_head, head_of, kind_above
from rollcall.wording.phrases import Filler, Parts, VerbPhrase
from rollcall.wording.plan import Condition, NodePlan, joined, listed, plan_of, reduced

# Cycles in a pattern that have a simple English form. If a node and one of its neighbours lead by the
# same relation to a third node without other statements, they share it: `have the same cause of death as
# one of their children`.


@dataclass(frozen=True)
class Shared:
    """What a node shares with a neighbour: the relation, and how the neighbour is reached."""

    relation: str
    via: Condition
    hidden: tuple[Condition, Condition]
    """The conditions that this replaces: the node's own edge, and the edge that closes the cycle."""


def shared_things(node: NodePlan) -> list[Shared]:
    """Everything that a node shares with one of its children."""
    shared = []
    for outgoing in node.conditions:
        if outgoing.child is None or not outgoing.forward or outgoing.denied:
            continue
        for via in node.conditions:
            if via is outgoing or via.child is None or via.denied or via.child.compared:
                continue  # `one of its children` has no room for what is compared of the child
            closing = _closing(outgoing, via)
            if closing is not None:
                shared.append(Shared(outgoing.relation, via, (outgoing, closing)))
                break
    return shared


def _closing(outgoing: Condition, via: Condition) -> Condition | None:
    """The edge from the neighbour to the same third node, if that node has no other statements."""
    third, neighbour = outgoing.child, via.child
    assert third is not None
    assert neighbour is not None
    if third.classes or third.denied_classes or third.compared:
        return None
    for condition in neighbour.conditions:
        if _is(condition, outgoing.relation, forward=True) and condition.other == third.variable:
            return condition if not third.conditions and condition.child is None else None
    if len(third.conditions) == 1:
        only = third.conditions[0]
        if (
            _is(only, outgoing.relation, forward=False)
            and only.other == neighbour.variable
            and only.child is None
        ):
            return only
    return None


def _is(condition: Condition, relation: str, *, forward: bool) -> bool:
    return condition.relation == relation and condition.forward == forward and not condition.denied


# References to a variable that was introduced before. Its own child refers to it as *them* or *it*.
# Other nodes use a letter, which is never ambiguous. The question node is *the film in question*.

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class References:
    """The variables introduced so far, and the words that refer to them."""

    def __init__(self, pattern: Pattern, nodes: list[NodePlan], hidden: Container[int], naming: Naming):
        self.heads: dict[Variable, Head] = {}
        """The noun with which each variable was introduced."""
        self.many: dict[Variable, bool] = {}
        """Whether it was introduced in the plural."""
        self.parents = {
            condition.child.variable: node.variable
            for node in nodes
            for condition in node.conditions
            if condition.child is not None
        }
        self.letters = self._letters(pattern, nodes, hidden, naming)

    def _letters(
        self, pattern: Pattern, nodes: list[NodePlan], hidden: Container[int], naming: Naming
    ) -> dict[Variable, str]:
        """Letters for variables that are mentioned again by a node other than their own child."""
        needed = {
            condition.other
            for node in nodes
            for condition in node.conditions
            if condition.child is None
            and id(condition) not in hidden
            and isinstance(condition.other, Variable)
            and condition.other not in (QUESTION, TARGET, node.variable, self.parents.get(node.variable))
        }
        lettered = [variable for variable in pattern.variables if variable in needed]
        used_names = {naming.label(entity.id) for entity in pattern.entities}
        used_names |= {naming.class_label(typing.class_id) for typing in pattern.typings}
        free = [letter for letter in _LETTERS if letter not in used_names] or list(_LETTERS)
        return {
            variable: f"{free[number % len(free)]}{number // len(free) or ''}"
            for number, variable in enumerate(lettered)
        }

    def is_to_parent(self, condition: Condition, node: NodePlan) -> bool:
        return condition.child is None and self.parents.get(node.variable) == condition.other

    def said(self, variable: Variable, from_node: NodePlan) -> str:
        """The words with which a node refers to a variable."""
        if self.parents.get(from_node.variable) == variable:
            return "them" if self.are_they(variable) else "it"
        if variable == QUESTION:
            return f"the {self.heads[variable].one} in question"
        return self.letters.get(variable, "it")

    def possessive(self, variable: Variable) -> str:
        return "their" if self.are_they(variable) else "its"

    def are_they(self, variable: Variable) -> bool:
        return bool(self.many.get(variable)) or self.heads.get(variable, THING).person


_WHERE = re.compile(r"(is|are|was|were) where ")
_NAMED = re.compile(r"(ha[sd]) \{object\} as (?:\{its\}|an?) ")


class Telling:
    """The words for one pattern."""

    extreme = "greatest"
    """The adjective of the superlative, set by the code that words it."""

    def __init__(
        self,
        pattern: Pattern,
        lexicon: Lexicon,
        naming: Naming,
        nouns: Mapping[Variable, Head] = MappingProxyType({}),
    ):
        """`nouns` replaces the nouns of some variables."""
        self.given_nouns = nouns
        self.lexicon = lexicon
        self.naming = naming
        self.plan = plan_of(pattern)
        self.root = self.plan.root
        self._nouns = self._nouns_around(pattern)
        self.shared = {node.variable: shared_things(node) for node in self.nodes}
        self._hidden = {
            id(condition)
            for shared_list in self.shared.values()
            for shared in shared_list
            for condition in shared.hidden
        }
        self._hidden |= {id(on_list) for node in self.nodes if (on_list := self.membership(node)) is not None}
        self.references = References(pattern, self.nodes, self._hidden, naming)
        self.heads = self.references.heads
        self.heads[QUESTION] = self.head(self.root)
        self._others = self._named_like_another() if pattern.distinct else set()

    @property
    def nodes(self) -> list[NodePlan]:
        """The variables that are introduced, in the order of the text."""
        roots = [self.root, *(stated for _, stated in self.plan.loose if isinstance(stated, NodePlan))]
        return [node for root in roots for node in root.nodes]

    def _nouns_around(self, pattern: Pattern) -> dict[Variable, list[str]]:
        """The nouns that the relations of each variable give it."""
        nouns: dict[Variable, list[str]] = {}
        positive = set(pattern.positive_variables)
        for edge in pattern.edges:
            entry = self.entry(edge.relation)
            for end, noun in ((edge.subject, entry.subjects), (edge.object, entry.objects)):
                if isinstance(end, Variable) and (not edge.negated or end not in positive):
                    nouns.setdefault(end, []).append(noun)
        return nouns

    def _named_like_another(self) -> set[Variable]:
        """Variables with the same noun as an earlier one; if all nodes must differ: `another film`."""
        seen: set[str] = set()
        repeated = set()
        for node in self.nodes:
            head = self.head(node)
            if head.one in seen and head.is_specific:
                repeated.add(node.variable)
            seen.add(head.one)
        return repeated

    def entry(self, relation: str) -> Entry:
        """The words of a relation."""
        naming = self.naming
        return self.lexicon.entry(relation, naming.relation_label(relation), naming.ends(relation))

    # -- nouns ---------------------------------------------------------------------------------------

    def head(self, node: NodePlan) -> Head:
        """The noun of a variable: the given one, else from its first class, its list, its relations."""
        if node.variable in self.given_nouns:
            return self.given_nouns[node.variable]
        if node.classes:
            return Head(*self._class_noun(node.classes[0]))
        on_list = self.membership(node)
        if on_list is not None and isinstance(on_list.other, Entity):
            topic = topic_of(self.naming.label(on_list.other.id))
            return Head(topic.one, topic.many, topic.person)
        common = common_head(self._nouns.get(node.variable, ()))
        denied = {self._class_noun(class_id).one for class_id in node.denied_classes}
        return THING if common.one in denied else common

    def membership(self, node: NodePlan) -> Condition | None:
        """The condition that a node is on a list, if the list gives it its noun."""
        if node.classes:
            return None
        for condition in node.conditions:
            on_list = condition.relation == MEMBERSHIP and isinstance(condition.other, Entity)
            if on_list and condition.forward and not condition.denied:
                return condition
        return None

    def _class_noun(self, class_id: str) -> ClassNoun:
        return self.lexicon.class_noun(self.naming.class_label(class_id), class_id)

    def noun_phrase(
        self, node: NodePlan, article: str = "a", *, many: bool = False, head: Head | None = None
    ) -> str:
        """`a film directed by …`, `the films that …`, `anyone who …`."""
        if head is None and article == "a" and node.variable in self._others:
            article = "another"
        head = head or self.head(node)
        self.heads[node.variable] = head
        letter = self.references.letters.get(node.variable, "")
        if many and article == "the" and not letter and (phrase := self._by_noun(node)):
            return phrase
        compared = self._with_greatest(node)
        if compared and article in ("a", "any", "another"):
            article = "the"
        tail = " ".join(part for part in (letter, compared, self.tail(node, head, many=many)) if part)
        return f"{_start(head, article, many=many, bare=not letter and not compared)} {tail}".strip()

    def _by_noun(self, node: NodePlan) -> str:
        """`the directors of the films …`, for a node whose only condition is to be a relation's object."""
        if node.classes or node.denied_classes or node.compared or len(node.conditions) != 1:
            return ""
        only = node.conditions[0]
        entry = self.entry(only.relation)
        refers_back = isinstance(only.other, Variable) and only.child is None
        if only.forward or only.denied or not entry.noun or refers_back:
            return ""
        self.heads[node.variable] = head_of(entry.noun)
        return f"the {entry.nouns} {entry.of} {self.other_end(only, node)}"

    def other_end(self, condition: Condition, node: NodePlan) -> str:
        """The words after a relation's noun: `the films directed by …`, or a name."""
        if condition.child is not None:
            return self.noun_phrase(condition.child, "the", many=True)
        return self.leaf(condition, node, self.heads.get(node.variable, THING)).name

    def _with_greatest(self, node: NodePlan) -> str:
        """`with the greatest height`, if a superlative compares a value of this node."""
        if node.compared is None or node.variable == QUESTION:
            return ""
        return f"with the {self.extreme} {self.entry(node.compared).measure}"

    def tail(self, node: NodePlan, head: Head, *, many: bool, leave: Condition | None = None) -> str:
        """The words after the noun: reduced if possible, else a relative clause."""
        parts = self.parts(node, head, many=many, leave=leave)
        if not parts:
            return ""
        short = reduced(parts)
        if short is None and len(parts) == 1 and (match := _WHERE.match(parts[0].text)):
            return parts[0].text[match.end(1) + 1 :]  # `a place where A was born`
        return short if short is not None else f"{head.relative} {joined(parts)}"

    def leave_out(self, condition: Condition) -> None:
        """Say nothing of a condition that the question's noun expresses."""
        self._hidden.add(id(condition))

    # -- verbs ---------------------------------------------------------------------------------------

    def parts(self, node: NodePlan, head: Head, *, many: bool, leave: Condition | None = None) -> list[Parts]:
        """The verb phrases of a node's conditions, agreeing with its noun."""
        self.references.many[node.variable] = many
        named_classes = node.classes[:1] if node.variable in self.given_nouns else []
        more = [
            class_id
            for class_id in node.classes
            if class_id not in named_classes and not head.implies(self._class_noun(class_id).one)
        ]
        phrases = [self.class_phrase(class_id, denied=False) for class_id in more]
        for condition in node.conditions:
            through = [shared for shared in self.shared[node.variable] if shared.via is condition]
            if through:
                phrases.append(self._shared_phrase(through, node))
            elif condition is not leave and id(condition) not in self._hidden:
                phrases.append(self._phrase(condition, node, head))
        phrases += [self.class_phrase(class_id, denied=True) for class_id in node.denied_classes]
        return [phrase.parts(many=many, person=head.person) for phrase in phrases]

    def class_phrase(self, class_id: str, *, denied: bool) -> VerbPhrase:
        """`is also a novel`, `is not a film`."""
        noun = self._class_noun(class_id)
        also = "" if denied else "also "
        clause = f"is {also}[{plain(with_article(noun.one))}|{plain(noun.many)}]"
        return VerbPhrase(clause, Filler(""), denied)

    def _phrase(self, condition: Condition, node: NodePlan, head: Head) -> VerbPhrase:
        """One condition as a verb phrase about the node."""
        entry, denied = self.entry(condition.relation), condition.denied
        forward = entry.people if entry.people and head.person else entry.forward
        name = self.naming.label(condition.other.id) if isinstance(condition.other, Entity) else ""
        forward = idiom(entry, head, name) or forward
        if (answer := self._answered(condition, entry)) is not None:
            return answer
        clause = forward if condition.forward else entry.object_clause
        if condition.child is not None:
            clause = stripped(clause) if entry.generic else clause
            head_noun = head_word(entry.noun)
            kinds = (entry.noun, entry.objects, head_noun, kind_above(head_noun), kind_above(entry.objects))
            named_so = not condition.child.classes or self.head(condition.child).one in kinds
            says_noun = entry.noun or (
                entry.generic and head_of(entry.objects).is_specific and clause.endswith(" {object}")
            )
            shared_entities = _sharing(condition) if says_noun and named_so else []
            onward = _sharing_with_another(condition) if entry.noun and named_so else None
            if onward is not None and onward.other not in self.references.letters:
                return VerbPhrase(_same(entry, clause), self._introduced(onward), denied)
            if shared_entities:
                names = listed([self.naming.entity(entity.id).name for entity in shared_entities])
                both = "both " if shared_entities[1:] else ""
                return VerbPhrase(_same(entry, clause), Filler(f"{both}{names}"), denied)
            match = condition.forward and not condition.child.classes and _NAMED.match(clause)
            if match and entry.noun and clause.endswith(entry.noun):  # `has a child who …`
                filler = self._introduced(condition, head_of(entry.noun))
                return VerbPhrase(f"{match[1]} {{object}}", filler, denied)
            introduced = self._introduced(condition)
            if introduced.name.startswith(f"{with_article(head_word(entry.objects))} "):
                # `is in the collection of a collection that …`
                clause = clause.replace(f"the {head_word(entry.objects)} of {{object}}", "{object}")
            return VerbPhrase(clause, introduced, denied)
        if isinstance(condition.other, Literal) and isinstance(condition.other.value, Text):
            content = condition.other.value.content
            clause_and_filler = land_in_text(content, entry, head) or sport_in_text(content, entry, head)
            if clause_and_filler is not None and condition.other.comparator == "=":
                return VerbPhrase(*clause_and_filler, denied)
        if isinstance(condition.other, Literal) and entry.noun and not entry.is_literal:
            return value_phrase(condition.other, entry, self.naming, denied=denied, person=head.person)
        to_parent = not condition.forward and self.references.is_to_parent(condition, node)
        if to_parent and entry.noun and not clause.endswith("}"):  # `is where them died` would be wrong
            possessive = self.references.possessive(self.references.parents[node.variable])
            return VerbPhrase(f"is {'' if denied else 'also '}{possessive} {entry.noun}", Filler(""), denied)
        filler = self.leaf(condition, node, head)
        if isinstance(condition.other, Literal) and clause.endswith(" since {object}"):
            filler = since(condition.other, self.naming)
        if entry.objects == "political party" and filler.name in word_list("party_adjectives"):
            filler = Filler(f"the {filler.name} Party")
        if entry.noun == "sport" and (activity := activity_in_text(filler.name)):
            filler = Filler(activity)
        if condition.forward and by_adjective(entry, filler):
            return VerbPhrase(*belonging(filler, head), denied)
        if entry.generic and condition.forward:
            clause, filler = fitted(clause, entry.noun, filler, is_name=isinstance(condition.other, Entity))
        return VerbPhrase(clause, filler, denied)

    def _answered(self, condition: Condition, entry: Entry) -> VerbPhrase | None:
        """The phrase for a heading below which there is `yes` or `no`: `is not contagious`."""
        if entry.shape != ANSWERS or not condition.forward or not isinstance(condition.other, Entity):
            return None
        answer = answer_in(self.naming.label(condition.other.id))
        return VerbPhrase(clause_of_answer(entry.label), Filler(""), condition.denied == answer)

    def _shared_phrase(self, shared_list: list[Shared], node: NodePlan) -> VerbPhrase:
        """`has the same cause of death as one of their children`."""
        via = shared_list[0].via
        neighbour, entry = via.child, self.entry(via.relation)
        assert neighbour is not None
        bare = all(id(condition) in self._hidden for condition in neighbour.conditions)
        if via.forward and entry.noun and not neighbour.classes:
            possessive = self.references.possessive(node.variable)
            is_single = entry.single and bare
            other = f"{possessive} {entry.noun}" if is_single else f"one of {possessive} {entry.nouns}"
            other = f"{other} {self.tail(neighbour, head_of(entry.noun), many=not is_single)}".strip()
        else:
            back = Condition(via.relation, not via.forward, node.variable)
            neighbour.conditions.insert(0, back)
            other = self.noun_phrase(neighbour)
            neighbour.conditions.remove(back)
        entries = [self.entry(shared.relation) for shared in shared_list]
        nouns = listed([f"the same {plain(entry.noun or entry.label)}" for entry in entries])
        return VerbPhrase(f"has {nouns} as {{object}}", Filler(other, heavy=not bare))

    def _introduced(self, condition: Condition, head: Head | None = None) -> Filler:
        child = condition.child
        assert child is not None
        phrase = self.noun_phrase(child, "any" if condition.denied else "a", head=head)
        return Filler(phrase, heavy=bool(child.conditions or child.denied_classes or child.classes[1:]))

    def leaf(self, condition: Condition, node: NodePlan, head: Head) -> Filler:
        """The words for an end that is not introduced here: a name, a value, or a reference."""
        other = condition.other
        if isinstance(other, Entity):
            if condition.relation == MEMBERSHIP and condition.forward:
                return Filler(topic_of(self.naming.label(other.id)).definite)
            return self.naming.entity(other.id)
        if isinstance(other, Literal):
            return self.naming.value(other)
        if other == node.variable:
            return Filler("themselves" if self.references.many.get(other) or head.person else "itself")
        return Filler("the value compared" if other == TARGET else self.references.said(other, node))


def _sharing(condition: Condition) -> list[Entity]:
    """The entities with which a node shares what a relation leads to, if nothing else is said of that."""
    child = condition.child
    if child is None or not condition.forward or child.denied_classes or child.compared:
        return []
    if not 1 <= len(child.conditions) <= 2 or len(child.classes) > 1:
        return []
    signatures = {(onward.relation, onward.forward, onward.denied) for onward in child.conditions}
    entities = [onward.other for onward in child.conditions if isinstance(onward.other, Entity)]
    alike = signatures == {(condition.relation, False, False)} and len(entities) == len(child.conditions)
    return entities if alike else []


def _sharing_with_another(condition: Condition) -> Condition | None:
    """The condition that leads from what a relation leads to, to another variable with the same relation."""
    child = condition.child
    if child is None or not condition.forward or child.denied_classes or child.compared or child.classes[1:]:
        return None
    only = child.conditions[0] if len(child.conditions) == 1 else None
    alike = only is not None and (only.relation, only.forward, only.denied) == (
        condition.relation,
        False,
        False,
    )
    return only if only is not None and alike and only.child is not None else None


def _same(entry: Entry, clause: str) -> str:
    """`took part in the same event as {object}`; `has the same director as {object}`."""
    noun = entry.objects
    if clause.endswith(f" the {head_word(noun)} of {{object}}"):  # `is in the collection of`
        return clause.replace("of {object}", "as {object}").replace(
            f" the {head_word(noun)} as", f" the same {head_word(noun)} as"
        )
    says_noun = any(f" {word} " in f" {clause} " for word in (noun, entry.noun))
    if clause.endswith(" {object}") and head_of(noun).is_specific and not is_person(noun) and not says_noun:
        return (
            clause.removesuffix(" {object}").removesuffix(" the") + f" the same {plain(noun)} as {{object}}"
        )
    return f"has the same {plain(entry.noun)} as {{object}}"


def _start(head: Head, article: str, *, many: bool, bare: bool) -> str:
    """A noun with its article; `someone` or `anything` if the noun is not specific."""
    if not head.is_specific and bare and not many and article in ("a", "any"):
        prefix = "some" if article == "a" else "any"
        if head.one == "person or thing":
            return f"{prefix}one or {prefix}thing"
        return f"{prefix}one" if head.person else f"{prefix}thing"
    if many and bare and article == "the" and head.one == "person or thing":
        return "those"
    noun = head.many if many else head.one
    if article == "a":
        return noun if many else with_article(noun)
    return f"{article} {noun}".strip()


# Statements linked to the question only through an entity come last: `…, given that A was born in B?`


def beside(telling: Telling) -> str:
    """The statements beside the question as a final clause; empty if there are none."""
    clauses = [_aside(telling, stated, denied) for denied, stated in telling.plan.loose]
    return f", given that {' and that '.join(clauses)}" if clauses else ""


def _aside(telling: Telling, stated: NodePlan | Statement, denied: bool) -> str:
    if isinstance(stated, NodePlan):
        return f"there is {telling.noun_phrase(stated, 'no' if denied else 'a')}"
    start = stated.subject if isinstance(stated, Edge) else stated.node
    if isinstance(start, Entity):
        subject = telling.naming.entity(start.id).name
    else:
        subject = telling.references.said(start, telling.root)
    if isinstance(stated, Typing):
        phrase = telling.class_phrase(stated.class_id, denied=denied)
    else:
        condition = Condition(stated.relation, True, stated.object)
        phrase = VerbPhrase(
            telling.entry(stated.relation).forward, telling.leaf(condition, telling.root, THING), denied
        )
    return f"{subject} {phrase.said(many=False, person=False)}"
