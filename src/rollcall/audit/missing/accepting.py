"""Turns judgments into extended answers: right answers that are kept apart from the gold, with their
provenance.

The gold stays as it is, so figures of a set remain comparable; scores with extended answers are reported
beside them. Accepting the same judgments again changes nothing.
"""

from collections.abc import Iterable

import msgspec

from rollcall.audit.missing.candidate import MissingAnswer
from rollcall.audit.sources.given import Names, key_of
from rollcall.audit.sources.judged import combined, keys_of
from rollcall.english.counting import counted
from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.questions.judgment import Judgment
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, AnswerProvenance, Question

_SHOWN = 3


def accept(
    questions: QuestionSet,
    judgments: Iterable[Judgment],
    *,
    candidates: Iterable[MissingAnswer] = (),
    graph: Graph | None = None,
    least: float = 0.5,
) -> QuestionSet:
    """The set with every answer that was judged right, and that the gold lacks, among its extended answers.

    Questions with a decided judgment of such an answer count as searched, also if nothing was right.
    People decide before machines; a machine's judgment counts from a probability of `least` on.
    `candidates` say where an answer was found; a graph gives an entity its other names.
    """
    grouped: dict[str, dict[str, list[Judgment]]] = {}
    known = {question.id for question in questions}
    strange: list[str] = []
    for judgment in judgments:
        if judgment.question not in known:
            strange.append(judgment.question)
        key = judgment.entity or keys_of(judgment, None)[0]
        grouped.setdefault(judgment.question, {}).setdefault(key, []).append(judgment)
    if strange:
        named = ", ".join(strange[:_SHOWN])
        raise RollcallError(
            f"{counted(len(strange), 'judgment is', 'judgments are')} about questions that the set "
            f"does not have, such as {named}"
        )
    found = {(one.question, one.entity or one.answer): one for one in candidates}
    new = [_extended(question, grouped.get(question.id, {}), found, graph, least) for question in questions]
    return QuestionSet(new, questions.manifest)


def _extended(
    question: Question,
    judged: dict[str, list[Judgment]],
    found: dict[tuple[str, str], MissingAnswer],
    graph: Graph | None,
    least: float,
) -> Question:
    """A question with its accepted answers; it was searched if anything was decided that the gold lacks."""
    names = Names([*question.answers, *question.extended])
    gold = {key_of(answer) for answer in (*question.answers, *question.extended)}
    added = []
    searched = question.searched
    for group in judged.values():
        best = max(group, key=lambda one: (one.by_people, bool(one.right), one.score or 0.0))
        same = names.keys([best.answer]).keys() | {best.entity}
        chance = combined(group)
        if chance is None or not gold.isdisjoint(one for one in same if one is not None):
            continue
        searched = True
        if chance >= least:
            answer = _answer(best, group, found.get((question.id, best.entity or best.answer)), graph)
            added.append(answer)
            names.add([answer])
            gold.add(key_of(answer))
    return msgspec.structs.replace(question, extended=[*question.extended, *added], searched=searched)


def _answer(
    best: Judgment, group: list[Judgment], found: MissingAnswer | None, graph: Graph | None
) -> Answer:
    label, aliases = best.answer, list[str]()
    if graph is not None and best.entity is not None and graph.index.entity_number(best.entity) is not None:
        record = graph.entity(best.entity)
        label = record.label or label
        aliases = [name for name in dict.fromkeys((*record.aliases, best.answer)) if name != label]
    scores = [one.score for one in group if one.score is not None]
    evidence = best.evidence or next((one.evidence for one in group if one.evidence), [])
    return Answer(
        label,
        best.entity,
        aliases,
        evidence or (found.evidence if found else []),
        provenance=AnswerProvenance(
            source=", ".join(found.sources) if found else "",
            by=best.by,
            who=best.who,
            right=True,
            score=found.score if found is not None and found.score is not None else max(scores, default=None),
            note=best.note,
        ),
    )
