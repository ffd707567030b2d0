"""What hangs on a question only through an entity, told at its end: `…, given that A was born in B?`"""

from rollcall.query import Edge, Entity, Typing
from rollcall.query.statements import Statement
from rollcall.wording.heads import THING
from rollcall.wording.phrases import VerbPhrase
from rollcall.wording.plan import Condition, NodePlan
from rollcall.wording.telling import Telling


def beside(telling: Telling) -> str:
    """The asides of a pattern, or nothing."""
    said = [_aside(telling, told, denied) for denied, told in telling.plan.loose]
    return f", given that {' and that '.join(said)}" if said else ""


def _aside(telling: Telling, told: NodePlan | Statement, denied: bool) -> str:
    if isinstance(told, NodePlan):
        return f"there is {telling.noun_phrase(told, 'no' if denied else 'a')}"
    start = told.subject if isinstance(told, Edge) else told.node
    if isinstance(start, Entity):
        subject = telling.naming.entity(start.id).name
    else:
        subject = telling.references.said(start, telling.root)
    if isinstance(told, Typing):
        phrase = telling.class_phrase(told.class_id, denied=denied)
    else:
        condition = Condition(told.relation, True, told.object)
        phrase = VerbPhrase(
            telling.entry(told.relation).forward, telling.leaf(condition, telling.root, THING), denied
        )
    return f"{subject} {phrase.said(many=False, person=False)}"
