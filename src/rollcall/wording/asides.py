"""Statements linked to the question only through an entity come last: `…, given that A was born in B?`"""

from rollcall.query import Edge, Entity, Typing
from rollcall.query.statements import Statement
from rollcall.wording.heads import THING
from rollcall.wording.phrases import VerbPhrase
from rollcall.wording.plan import Condition, NodePlan
from rollcall.wording.telling import Telling


def beside(telling: Telling) -> str:
    """The statements beside the question as a final clause; empty if there are none."""
    said = [_aside(telling, stated, denied) for denied, stated in telling.plan.loose]
    return f", given that {' and that '.join(said)}" if said else ""


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
