"""What a question keeps when it is carried forward, and how new questions are told from old ones.

Ids and clusters of some recipes are numbers that count through a set, so a new question may have the id of
another old one; it then gets an id of its own, made from its query. A new question of an old cluster is of
that cluster's split.
"""

from collections.abc import Iterable, Sequence

import msgspec

from rollcall.audit.drift.matching import canonical_query
from rollcall.audit.drift.projection import IN_GRAPH
from rollcall.audit.parts import query_of
from rollcall.graph import Graph
from rollcall.questions.record import Answer, Question


def carried_record(old: Question, now: Question, graph: Graph) -> Question:
    """A question with its new answers and its old id, split, cluster, words and extended answers.

    Where something it asks about was renamed, it is worded anew, and the old words are another wording.
    """
    renamed = _is_renamed(old, graph)
    question = now.question if renamed and now.question else old.question
    wordings = [*([old.question] if question != old.question else []), *old.wordings, *now.wordings]
    known = {answer.id for answer in now.answers if answer.id is not None}
    labels = {answer.label for answer in now.answers}
    extended = [one for one in old.extended if not _is_among(one, known, labels)]
    return msgspec.structs.replace(
        now,
        id=old.id,
        question=question,
        wordings=[one for one in dict.fromkeys(wordings) if one != question],
        cluster=old.cluster,
        split=old.split,
        extended=extended,
        searched=old.searched,
        provenance={**old.provenance, **now.provenance},
    )


def counted_anew(question: Question, in_graph: int) -> Question:
    """A question whose record says how many answers it has now, where it says so at all."""
    characteristics = dict(question.characteristics)
    if "answers" in characteristics:
        characteristics["answers"] = len(question.answers)
    provenance = dict(question.provenance)
    if IN_GRAPH in provenance:
        provenance[IN_GRAPH] = in_graph
    return msgspec.structs.replace(question, characteristics=characteristics, provenance=provenance)


def _is_among(answer: Answer, ids: set[str], labels: set[str]) -> bool:
    return answer.id in ids if answer.id is not None else answer.label in labels


def _is_renamed(question: Question, graph: Graph) -> bool:
    """Whether something that a question asks about has another name in the graph now."""
    query, named = query_of(question), question.provenance.get("entities")
    if query is None or not isinstance(named, list) or len(named) != len(query.entities):
        return False
    return any(
        graph.index.entity_number(entity) is not None and graph.label(entity) != name
        for entity, name in zip(query.entities, named, strict=True)
    )


def fresh(added: Sequence[Question], old: Sequence[Question]) -> list[Question]:
    """New questions, with ids and clusters that no other question of the older set has."""
    taken = {question.id for question in old}
    splits = {question.cluster: question.split for question in old if question.cluster is not None}
    queries = _queries_of_clusters(old)
    made = []
    for question in added:
        cluster, split = question.cluster, question.split
        if cluster is not None and cluster in splits:
            if question.kind != "template" or canonical_query(question) in queries.get(cluster, ()):
                split = splits[cluster]
            else:
                cluster = _own_id(question, set(splits))
        id_ = question.id if question.id not in taken else _own_id(question, taken)
        taken.add(id_)
        made.append(msgspec.structs.replace(question, id=id_, cluster=cluster, split=split))
    return made


def _queries_of_clusters(questions: Iterable[Question]) -> dict[str | None, set[str | None]]:
    found: dict[str | None, set[str | None]] = {}
    for question in questions:
        found.setdefault(question.cluster, set()).add(canonical_query(question))
    return found


def _own_id(question: Question, taken: set[str | None] | set[str]) -> str:
    """An id made from the query of a question."""
    query = query_of(question)
    base = question.id if query is None else query.id
    number, id_ = 1, base
    while id_ in taken:
        number += 1
        id_ = f"{base}-{number}"
    return id_
