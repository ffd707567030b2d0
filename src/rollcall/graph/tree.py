"""The fast evaluation of tree-shaped patterns: sets of terms instead of rows.

If only the values of the question node are wanted and the pattern has no cycle, each variable's values are a
sorted set, and an edge maps the set of one variable to the set of the next. The smallest set is computed
first; the others are checked from there if that is cheaper than listing them.
"""

from collections import defaultdict
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from rollcall.graph.index import Numbers, Pairs
from rollcall.graph.rows import contained, expand, ranges, unique_sorted, within
from rollcall.graph.steps import Candidates, Comparison, Link, Step
from rollcall.query.statements import Statement, Variable

_UNKNOWN = 2**62
_PATIENCE = 4
"""The members behind an edge are listed only if they are fewer than the current terms by this factor."""

_MOST_VARIABLES = 200
"""A tree is evaluated by recursion; a tree that may be too deep for Python is left to the search by rows."""


class Branch:
    """A variable, the conditions on it alone, and the branches of its child variables."""

    __slots__ = ("children", "conditions", "size")

    def __init__(self) -> None:
        self.conditions: list[Candidates | Comparison] = []
        self.children: list[Child] = []
        self.size = _UNKNOWN
        """An upper limit: the number of terms of the smallest statement in this branch."""


class Child(NamedTuple):
    """A branch below another: the pairs that lead there, and the pairs that lead back."""

    statement: Statement
    there: Pairs
    back: Pairs
    branch: Branch


def grow_tree(root: Variable, steps: Sequence[Step]) -> Branch | None:
    """The steps as a tree with this root variable, or None if they are not a tree."""
    branches: defaultdict[Variable, Branch] = defaultdict(Branch)
    branches[root] = Branch()
    links: list[Link] = []
    for step in steps:
        if isinstance(step, (Candidates, Comparison)):
            branches[step.variable].conditions.append(step)
        elif isinstance(step, Link):
            links.append(step)
        else:
            return None
    for link in links:
        for variable in link.variables:
            branches[variable]  # a variable without other conditions
    if not _is_tree(root, links, len(branches)):
        return None
    _hang(root, branches[root], links, branches)
    return branches[root]


def _is_tree(root: Variable, links: Sequence[Link], variables: int) -> bool:
    """Whether the links lead from the root to every variable, without a cycle."""
    # Both must be checked: with a cycle and a separate part, the number of links can still be right.
    if len(links) != variables - 1 or variables > _MOST_VARIABLES:
        return False
    reached, left = {root}, links
    while left:
        near = [link for link in left if link.subject in reached or link.object in reached]
        if not near:
            return False
        reached.update(variable for link in near for variable in link.variables)
        left = [link for link in left if link not in near]
    return len(reached) == variables


def _hang(variable: Variable, branch: Branch, links: list[Link], branches: dict[Variable, Branch]) -> None:
    """Move the links at a variable into its branch, recursively; the smallest come first."""
    if branch.conditions:
        branch.conditions.sort(key=_size)
        branch.size = branch.conditions[0].size
    for link in [link for link in links if variable in (link.subject, link.object)] if links else ():
        links.remove(link)
        if link.subject == variable:
            other, there, back = link.object, link.forward, link.backward
        else:
            other, there, back = link.subject, link.backward, link.forward
        child = branches[other]
        _hang(other, child, links, branches)
        branch.children.append(Child(link.statement, there, back, child))
        branch.size = min(branch.size, child.size)
    if len(branch.children) > 1:
        branch.children.sort(key=lambda child: child.branch.size)


_size = attrgetter("size")


Taken = list[tuple[str, int]] | None
"""An optional list that collects the steps: the statement's text, and the number of terms after it."""


def members(branch: Branch, taken: Taken = None) -> Numbers:
    """The sorted terms that satisfy everything in the branch."""
    own = branch.conditions[0].size if branch.conditions else _UNKNOWN
    if branch.children and branch.children[0].branch.size * _PATIENCE < own:
        nearest, *rest = branch.children
        found = carried(members(nearest.branch, taken), nearest.back)
        _note(taken, nearest, found)
        return _checked(found, branch.conditions, rest, taken)
    if branch.conditions:
        first, *conditions = branch.conditions
        found = first.listed()
        _note(taken, first, found)
        return _checked(found, conditions, branch.children, taken)
    # The variable has only edges: start from the terms at the end of the shortest one.
    shortest = min((child.there[0] for child in branch.children), key=len)
    return _checked(unique_sorted(shortest), (), branch.children, taken)


def _note(taken: Taken, step: "Candidates | Comparison | Child", found: Numbers) -> None:
    if taken is not None:
        taken.append((step.statement.text, len(found)))


def _checked(
    found: Numbers, conditions: Sequence[Candidates | Comparison], children: Sequence[Child], taken: Taken
) -> Numbers:
    """The sorted terms that satisfy the conditions and all children."""
    for condition in conditions:
        if not len(found):
            return found
        found = found[condition.holds(found)]
        _note(taken, condition, found)
    for child in children:
        if not len(found):
            return found
        found = _having(found, child, taken)
        _note(taken, child, found)
    return found


def _having(found: Numbers, child: Child, taken: Taken) -> Numbers:
    """The sorted terms from which an edge leads to a member of the child's branch."""
    branch = child.branch
    if branch.size * _PATIENCE < len(found):
        return found[contained(found, carried(members(branch, taken), child.back))]
    starts, ends = ranges(child.there[0], found)
    if not branch.conditions and not branch.children:
        return found[starts < ends]
    rows, places = expand(starts, ends)
    reached = child.there[1][places]
    good = _checked(unique_sorted(reached), branch.conditions, branch.children, taken)
    keep = np.zeros(len(found), dtype=np.bool_)
    keep[rows[contained(reached, good)]] = True
    return found[keep]


def carried(terms: Numbers, pairs: Pairs) -> Numbers:
    """The terms that an edge leads to from a sorted set of terms, as a sorted set."""
    starts, ends = ranges(pairs[0], terms)
    if len(terms) == 1:
        return pairs[1][starts[0] : ends[0]]
    return unique_sorted(pairs[1][within(starts, ends)])
