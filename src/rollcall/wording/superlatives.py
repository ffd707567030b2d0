"""Superlatives: which of some things has the greatest value, and what the greatest value is."""

from rollcall.wording.asides import beside
from rollcall.wording.conjoin import listed
from rollcall.wording.entry import Entry
from rollcall.wording.heads import Head
from rollcall.wording.question import AskedPattern
from rollcall.wording.telling import Telling


def superlative(tellings: list[Telling], function: str) -> str:
    """`Which building located in Dubai is the tallest?`"""
    for telling in tellings:
        telling.extreme = _extreme(_compared(telling), function)
    if len(tellings) == 1:
        return _one(tellings[0], function)
    groups = [AskedPattern(telling, "plain").group for telling in tellings]
    relations = {entry.id: entry for telling in tellings if (entry := _compared(telling))}
    if len(relations) == 1:
        entry = next(iter(relations.values()))
        return f"among {_groups(groups)}, which has the {_extreme(entry, function)} {entry.measure}"
    by = [
        f"{group} (by {_noun(_compared(telling))})" for group, telling in zip(groups, tellings, strict=True)
    ]
    return f"among {_groups(by)}, which comes {'last' if function == 'argmax' else 'first'}"


def _groups(groups: list[str]) -> str:
    return listed(groups, comma=any(" that " in group or " who " in group for group in groups))


def _one(telling: Telling, function: str) -> str:
    question = AskedPattern(telling, "plain")
    head, root = question.head, telling.root
    if root.compared is None:  # a value of another node is compared; that node's noun phrase says so
        return question.text or question.bare
    entry = telling.entry(root.compared)
    subject = _subject(question, head)
    predicate = _predicate(entry, function, plainly=subject in ("who", "what"))
    return f"{subject} {predicate}{beside(telling)}"


def _subject(question: AskedPattern, head: Head) -> str:
    telling = question.telling
    if question.noun:
        tail = telling.tail(telling.root, head, many=True, leave=question.asked)
        return f"which of the {question.noun} {tail}".strip()
    tail = telling.tail(telling.root, head, many=False)
    if not head.is_specific and not tail:
        return "who" if head.person else "what"
    return f"which {head.one} {tail}".strip()


def _predicate(entry: Entry, function: str, *, plainly: bool) -> str:
    adjective = entry.most if function == "argmax" else entry.least
    if adjective and not plainly:
        return f"is the {adjective}"
    return f"has the {_extreme(entry, function)} {entry.measure}"


def _compared(telling: Telling) -> Entry | None:
    return next((telling.entry(node.compared) for node in telling.root.nodes if node.compared), None)


def _noun(entry: Entry | None) -> str:
    return entry.measure if entry else "value"


def _extreme(entry: Entry | None, function: str) -> str:
    great = function in ("argmax", "max")
    if entry is not None and entry.is_moment:
        return "latest" if great else "earliest"
    return "greatest" if great else "smallest"


def greatest_value(tellings: list[Telling], function: str) -> str:
    """`What is the greatest height of any building located in Dubai?`"""
    said = [_value_of(telling, function) for telling in tellings]
    if len(said) == 1:
        return f"what is the {said[0]}"
    extreme = "greatest" if function == "max" else "smallest"
    return f"what is the {extreme} value among {listed(['the ' + text for text in said], comma=True)}"


def _value_of(telling: Telling, function: str) -> str:
    root = telling.root
    head = telling.heads[root.variable]
    asked = next((c for c in root.conditions if not c.forward and not c.denied), None)
    if asked is None:
        tail = telling.tail(root, head, many=False)
        return f"{_extreme(None, function)} {head.one} {tail}".strip() + beside(telling)
    entry = telling.entry(asked.relation)
    if asked.child is not None:
        other = telling.noun_phrase(asked.child, "any")
    else:
        other = telling.leaf(asked, root, head).name
    noun = entry.measure
    own = Head(noun, noun, False)
    tail = telling.tail(root, own, many=False, leave=asked)
    comma = "," if tail and asked.child is not None and asked.child.conditions else ""
    return f"{_extreme(entry, function)} {noun} {entry.of} {other}{comma} {tail}".strip() + beside(telling)
