"""Which questions are learned and which are asked: neither relations nor wordings of the test are trained on.

Half of the relations belong to the test. A question is in `relations` if all its relations do, and learned
(`train`, `dev`) or in `wordings` if none does; the others are left out. The *form* of a wording is the
question without its names and figures. Half of all forms are for training and half for the test, so that
`wordings` has other queries than training, about the same relations, in forms that are not learned.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec

from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.questions import Question
from rollcall.questions.splits import lot, split_relations

SEED = 5
TESTS = {"relations": "held-out relations", "wordings": "held-out wordings"}


def with_sides(questions: Iterable[Question], graph: Graph) -> Iterator[Question]:
    """The questions that are learned or asked, each in its split."""
    every = [(one, Query.parse(one.query.text)) for one in questions if one.query]
    test = split_relations((relation for _, query in every for relation in query.relations), SEED)
    for question, query in every:
        split = _split(question, query, test, graph)
        if split:
            yield msgspec.structs.replace(question, split=split)


def _split(question: Question, query: Query, test: frozenset[str], graph: Graph) -> str | None:
    held = [relation in test for relation in query.relations]
    if all(held):
        return "relations"
    if any(held):
        return None
    place = int(lot(SEED, "query", query.text), 16) % 10
    for_training = int(lot(SEED, "form", form(question.question, query, graph)), 16) % 2 == 0
    if place < 3:
        return None if for_training else "wordings"
    if not for_training:
        return None
    return "dev" if place == 3 else "train"


def form(wording: str, query: Query, graph: Graph) -> str:
    """A wording without the names of its entities and without figures."""
    known = [graph.entity(id_) for id_ in query.entities]
    names = {name for one in known for name in (one.label, *one.aliases) if name}
    for name in sorted(names, key=len, reverse=True):
        wording = re.sub(rf"\b{re.escape(name)}\b", "_", wording, flags=re.IGNORECASE)
    return re.sub(r"\d[\d.,]*", "#", wording)
