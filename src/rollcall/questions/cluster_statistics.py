"""The figures of a set in clusters: RoMQA's Table 2 and Figures 2, 7, 8, 9 and 10."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rollcall.questions.record import Question

_SHOWN_RELATIONS = 20
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def cluster_statistics(
    questions: Iterable[Question], facts: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """The table and the figures as plain values.

    `facts` gives the number of facts of a graph's relations by label: Figure 10 before the removal of
    frequent propositions. Figure 7 counts the constraints that the questions of a cluster use.
    """
    listed = list(questions)
    constraints: dict[str, set[str]] = defaultdict(set)
    sizes: Counter[str] = Counter()
    for question in listed:
        cluster = question.cluster or question.id
        sizes[cluster] += 1
        constraints[cluster].update(_constraints(question))
    return {
        "clusters": len(sizes),
        "questions": len(listed),
        "table_2": _table_2(listed, sizes),
        "figure_2": _figure_2(listed),
        "figure_7": _histogram(len(members) for members in constraints.values()),
        "questions_per_cluster": _histogram(sizes.values()),
        "figure_8": _figure_8(listed),
        "figure_9": _figure_9(listed),
        "figure_10": {
            "before": dict(Counter(facts or {}).most_common(_SHOWN_RELATIONS)),
            "after": dict(_relations(listed).most_common(_SHOWN_RELATIONS)),
        },
    }


def _edges(question: Question) -> list[dict[str, Any]]:
    graph = question.query.graph if question.query else None
    edges = graph.get("edges", []) if isinstance(graph, dict) else []
    return [edge for edge in edges if isinstance(edge, dict)]


def _constraints(question: Question) -> list[str]:
    """The constraints of a question, affirmed and negated."""
    nodes = (
        {node["nid"]: node for node in question.query.graph["nodes"]}
        if _edges(question) and question.query
        else {}
    )
    found = []
    for edge in _edges(question):
        start, end = nodes[edge["start"]], nodes[edge["end"]]
        direction, other = ("subj", end) if start.get("question_node") else ("obj", start)
        found.append(f"{edge['relation']}\t{other['id']}\t{direction}")
    return found


def _table_2(questions: Sequence[Question], sizes: Counter[str]) -> dict[str, Any]:
    splits = Counter(question.split or "none" for question in questions)
    return {
        **dict(sorted(splits.items())),
        "multi answer": any(len(question.answers) > 1 for question in questions),
        "gold evidence": any(
            candidate.evidence for question in questions for candidate in question.candidates
        ),
        "robustness evaluation": any(size > 1 for size in sizes.values()),
    }


def _figure_2(questions: Sequence[Question]) -> dict[str, Any]:
    """Words of a question, sentences of evidence for its answers, and its answers."""
    return {
        "words": _spread([len(question.question.split()) for question in questions]),
        "evidence": _spread([_evidence(question) for question in questions]),
        "answers": _spread([len(question.answers) for question in questions]),
    }


def _evidence(question: Question) -> int:
    return len(
        {(piece.passage, piece.start, piece.text) for answer in question.answers for piece in answer.evidence}
    )


def _figure_8(questions: Sequence[Question]) -> dict[str, dict[str, Any]]:
    """The answers by the number of constraints."""
    groups: dict[int, list[int]] = defaultdict(list)
    for question in questions:
        groups[len(_edges(question))].append(len(question.answers))
    return {str(count): _spread(found) for count, found in sorted(groups.items())}


def _figure_9(questions: Sequence[Question]) -> dict[str, int]:
    """How many questions have how many affirmed and negated constraints."""
    signs = [[bool(edge.get("negated")) for edge in _edges(question)] for question in questions]
    counts = Counter((len(denied) - sum(denied), sum(denied)) for denied in signs)
    return {
        f"{positive} and {negative} denied": count for (positive, negative), count in sorted(counts.items())
    }


def _relations(questions: Sequence[Question]) -> Counter[str]:
    return Counter(edge.get("friendly_name") or edge["relation"] for q in questions for edge in _edges(q))


def _histogram(numbers: Iterable[int]) -> dict[str, int]:
    return {str(number): count for number, count in sorted(Counter(numbers).items())}


def _spread(numbers: Sequence[int]) -> dict[str, Any]:
    """Mean, median, and the number of values up to each step."""
    if not numbers:
        return {"mean": 0.0, "median": 0.0, "up to": {}}
    steps = [step for step in _STEPS if step < max(numbers)] + [max(numbers)]
    counts = {str(step): sum(number <= step for number in numbers) for step in steps}
    return {"mean": statistics.fmean(numbers), "median": float(statistics.median(numbers)), "up to": counts}
