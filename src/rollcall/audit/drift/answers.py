"""Compares the answers of one question in both sets: which came, went, or have other names now.

Answers are the same by their ids; those without an id by a name that they share.
"""

from collections.abc import Sequence

from rollcall.audit.drift.changes import CAME, NAMES, RENAMED, WENT, AnswerChange
from rollcall.english.folding import fold
from rollcall.questions.record import Answer


def answer_changes(old: Sequence[Answer], new: Sequence[Answer]) -> list[AnswerChange]:
    """What changed, in the order of the old answers, then of the new ones; causes are not known yet."""
    partners = _partners(old, new)
    changes = []
    for place, answer in enumerate(old):
        now = partners.get(place)
        if now is None:
            changes.append(AnswerChange(WENT, answer.label, answer.id))
            continue
        after = new[now]
        if after.label != answer.label:
            changes.append(AnswerChange(RENAMED, after.label, after.id or answer.id, answer.label))
        elif _names(after) != _names(answer):
            changes.append(AnswerChange(NAMES, after.label, after.id or answer.id))
    known = set(partners.values())
    changes += [
        AnswerChange(CAME, answer.label, answer.id) for place, answer in enumerate(new) if place not in known
    ]
    return changes


def _names(answer: Answer) -> set[str]:
    return {answer.label, *answer.aliases}


def _partners(old: Sequence[Answer], new: Sequence[Answer]) -> dict[int, int]:
    """For places in the old answers, the place of the same answer in the new ones."""
    by_id = {answer.id: place for place, answer in enumerate(new) if answer.id is not None}
    found = {
        place: by_id[answer.id]
        for place, answer in enumerate(old)
        if answer.id is not None and answer.id in by_id
    }
    taken = set(found.values())
    by_label: dict[str, list[int]] = {}
    by_name: dict[str, list[int]] = {}
    for place, answer in enumerate(new):
        if place not in taken:
            by_label.setdefault(fold(answer.label), []).append(place)
            for name in _names(answer):
                by_name.setdefault(fold(name), []).append(place)
    for table, whole in ((by_label, False), (by_name, True)):
        for place, answer in enumerate(old):
            if place in found:
                continue
            names = sorted(_names(answer)) if whole else [answer.label]
            options = (
                other
                for name in names
                for other in table.get(fold(name), ())
                if other not in taken and None in (answer.id, new[other].id)
            )
            partner = next(options, None)
            if partner is not None:
                found[place] = partner
                taken.add(partner)
    return found
