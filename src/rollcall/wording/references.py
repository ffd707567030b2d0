"""How a variable that was introduced before is spoken of again.

Its own child says *them* or *it*; from further away it has a letter, which is plain and never ambiguous, and
the question node is *the film in question*.
"""

from collections.abc import Container

from rollcall.query import QUESTION, Pattern, Variable
from rollcall.query.statements import TARGET
from rollcall.wording.heads import THING, Head
from rollcall.wording.naming import Naming
from rollcall.wording.plan import Condition, NodePlan

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class References:
    """What has been introduced, and the words for it since."""

    def __init__(self, pattern: Pattern, nodes: list[NodePlan], hidden: Container[int], naming: Naming):
        self.heads: dict[Variable, Head] = {}
        """The noun each variable was introduced by."""
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
        """Letters for variables that somebody other than their own child speaks of again."""
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
        """The words by which a node speaks of a variable."""
        if self.parents.get(from_node.variable) == variable:
            return "them" if self.are_they(variable) else "it"
        if variable == QUESTION:
            return f"the {self.heads[variable].one} in question"
        return self.letters.get(variable, "it")

    def possessive(self, variable: Variable) -> str:
        return "their" if self.are_they(variable) else "its"

    def are_they(self, variable: Variable) -> bool:
        return bool(self.many.get(variable)) or self.heads.get(variable, THING).person
