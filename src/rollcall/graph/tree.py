"""The fast way for tree-shaped patterns: sets of terms instead of rows.

Where only the values of the question node are wanted and no two nodes are tied by a cycle, each variable's
values are a sorted set, and an edge carries a set from one variable to the next. The smallest set is taken
first; the others are checked from there when that is cheaper than listing them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from rollcall.graph.index import GraphIndex, Numbers, Pairs
from rollcall.graph.rows import contained, expand, ranges, unique_sorted
from rollcall.graph.steps import Candidates, Comparison, Link, Step
from rollcall.query.statements import Variable

_PATIENCE = 4
"""Listing what lies behind an edge pays off only when it is this much smaller than what is at hand."""


@dataclass(slots=True)
class Branch:
    """A variable, what is said about it alone, and the variables that hang on it."""

    conditions: list[Candidates | Comparison] = field(default_factory=list)
    children: "list[tuple[Pairs, Pairs, Branch]]" = field(default_factory=list)
    """Pairs from this variable to the child's, pairs back, and the child."""
    size: int = 2**62
    """At most how many terms the smallest statement in this branch leaves."""


def grow_tree(root: Variable, steps: Sequence[Step]) -> Branch | None:
    """The steps as a tree on the root variable, or nothing where they are none."""
    links = [step for step in steps if isinstance(step, Link)]
    alone = [step for step in steps if isinstance(step, Candidates | Comparison)]
    if len(links) + len(alone) < len(steps):
        return None
    branches = {root: Branch()}
    tree = _hang(root, links, branches)
    if links or tree is None:  # a cycle, or a part that constants alone connect
        return None
    for step in alone:
        if step.variable not in branches:
            return None
        branches[step.variable].conditions.append(step)
    _measure(tree)
    return tree


def _hang(variable: Variable, links: list[Link], branches: dict[Variable, Branch]) -> Branch | None:
    """Move the links at a variable into its branch, and so on outwards."""
    branch = branches[variable]
    here = [link for link in links if variable in (link.subject, link.object)]
    for link in here:
        links.remove(link)
    for link in here:
        outward = link.subject == variable
        other = link.object if outward else link.subject
        if other in branches:
            return None
        branches[other] = Branch()
        there, back = (link.forward, link.backward) if outward else (link.backward, link.forward)
        child = _hang(other, links, branches)
        if child is None:
            return None
        branch.children.append((there, back, child))
    return branch


def _measure(branch: Branch) -> int:
    branch.conditions.sort(key=lambda condition: condition.size)
    sizes = [_measure(child) for _, _, child in branch.children]
    if branch.conditions:
        sizes.append(branch.conditions[0].size)
    branch.size = min(sizes, default=branch.size)
    return branch.size


def members(branch: Branch, index: GraphIndex) -> Numbers:
    """The sorted terms that satisfy everything in the branch."""
    own = branch.conditions[0].size if branch.conditions else 2**62
    nearest = min(branch.children, key=lambda child: child[2].size, default=None)
    if nearest is not None and nearest[2].size * _PATIENCE < own:
        _, back, child = nearest
        found = carried(members(child, index), back)
        rest = [other for other in branch.children if other is not nearest]
        return _checked(found, branch.conditions, rest, index)
    if branch.conditions:
        first, *conditions = branch.conditions
        return _checked(first.listed(), conditions, branch.children, index)
    # Nothing is said but along edges: whatever stands at the end of the shortest one.
    shortest = min(branch.children, key=lambda child: len(child[0][0]))
    return _checked(unique_sorted(shortest[0][0]), (), branch.children, index)


def _checked(
    found: Numbers,
    conditions: Sequence[Candidates | Comparison],
    children: "Sequence[tuple[Pairs, Pairs, Branch]]",
    index: GraphIndex,
) -> Numbers:
    """Those of the sorted terms that satisfy the conditions and have what the children ask for."""
    for condition in conditions:
        if not len(found):
            return found
        found = found[condition.holds(found)]
    for there, back, child in sorted(children, key=lambda entry: entry[2].size):
        if not len(found):
            return found
        if child.size * _PATIENCE < len(found):
            found = found[contained(found, carried(members(child, index), back))]
            continue
        starts, ends = ranges(there[0], found)
        if not child.conditions and not child.children:
            found = found[starts < ends]
            continue
        rows, places = expand(starts, ends)
        reached = there[1][places]
        good = _checked(unique_sorted(reached), child.conditions, child.children, index)
        keep = np.zeros(len(found), dtype=np.bool_)
        keep[rows[contained(reached, good)]] = True
        found = found[keep]
    return found


def carried(terms: Numbers, pairs: Pairs) -> Numbers:
    """What an edge leads to from a sorted set of terms, as a sorted set."""
    starts, ends = ranges(pairs[0], terms)
    if len(terms) == 1:
        return pairs[1][starts[0] : ends[0]]
    return unique_sorted(pairs[1][expand(starts, ends)[1]])
