"""Cycles in a pattern that have a simple English form.

If a node and one of its neighbours lead by the same relation to a third node without other statements, they
share it: `have the same cause of death as one of their children`.
"""

from dataclasses import dataclass

from rollcall.wording.plan import Condition, NodePlan


@dataclass(frozen=True)
class Shared:
    """What a node shares with a neighbour: the relation, and how the neighbour is reached."""

    relation: str
    via: Condition
    hidden: tuple[Condition, Condition]
    """The conditions that this replaces: the node's own edge, and the edge that closes the cycle."""


def shared_things(node: NodePlan) -> list[Shared]:
    """Everything that a node shares with one of its children."""
    found = []
    for own in node.conditions:
        if own.child is None or not own.forward or own.denied:
            continue
        for via in node.conditions:
            if via is own or via.child is None or via.denied or via.child.compared:
                continue  # `one of its children` has no room for what is compared of the child
            closing = _closing(own, via)
            if closing is not None:
                found.append(Shared(own.relation, via, (own, closing)))
                break
    return found


def _closing(own: Condition, via: Condition) -> Condition | None:
    """The edge from the neighbour to the same third node, if that node has no other statements."""
    third, neighbour = own.child, via.child
    assert third is not None
    assert neighbour is not None
    if third.classes or third.denied_classes or third.compared:
        return None
    for condition in neighbour.conditions:
        if _is(condition, own.relation, forward=True) and condition.other == third.variable:
            return condition if not third.conditions and condition.child is None else None
    if len(third.conditions) == 1:
        only = third.conditions[0]
        if _is(only, own.relation, forward=False) and only.other == neighbour.variable and only.child is None:
            return only
    return None


def _is(condition: Condition, relation: str, *, forward: bool) -> bool:
    return condition.relation == relation and condition.forward == forward and not condition.denied
