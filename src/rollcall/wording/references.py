"""References to a variable that was introduced before.

Its own child refers to it as *them* or *it*. Other nodes use a letter, which is never ambiguous. The question
node is *the film in question*.
"""

from collections.abc import Container

from rollcall.query import QUESTION, Pattern, Variable
from rollcall.query.statements import TARGET
from rollcall.wording.heads import THING, Head
from rollcall.wording.naming import Naming
from rollcall.wording.plan import Condition, NodePlan

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
        taken = {naming.label(entity.id) for entity in pattern.entities}
        taken |= {naming.class_label(typing.class_id) for typing in pattern.typings}
        free = [letter for letter in _LETTERS if letter not in taken] or list(_LETTERS)
        return {
            variable: f"{free[n % len(free)]}{n // len(free) or ''}" for n, variable in enumerate(lettered)
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
