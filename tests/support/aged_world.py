"""A set of simple questions about an aged world, and a check of what a difference says against the truth."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from rollcall.audit.drift import changes as kinds
from rollcall.audit.drift.changes import Cause
from rollcall.audit.drift.verbs import Drift
from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.questions import Answer, Evidence, QueryRecord, Question, QuestionSet

_WITHDRAWN = {
    "removed": kinds.REMOVED,
    "corrected": kinds.REMOVED,
    "deprecated": kinds.DEPRECATED,
    "ended": kinds.ENDED,
}


def told_questions(folder: Path, least: int = 3) -> QuestionSet:
    """A question for every entity that so many told facts of one relation lead to, with their sentences."""
    told: dict[tuple[str, str], dict[str, tuple[str, str]]] = defaultdict(dict)
    with Graph.open(folder / "graph-1") as graph:
        for row in _rows(folder / "world" / "truth.parquet"):
            known = row["kind"] == "fact" and row["sentence"] is not None and row["object"].startswith("Q")
            known = known and row["rank"] != "deprecated" and not row["ended"]
            if known and graph.index.relation_number(row["relation"]) is not None:
                told[row["relation"], row["object"]].setdefault(
                    row["subject"], (row["page"], row["sentence"])
                )
        return QuestionSet(
            _question(graph, relation, entity, subjects)
            for (relation, entity), subjects in sorted(told.items())
            if least <= len(subjects) <= 40
        )


def _question(graph: Graph, relation: str, entity: str, subjects: dict[str, tuple[str, str]]) -> Question:
    query = Query.parse(f"?x {relation} {entity}")
    answers = [
        Answer(
            graph.label(subject),
            subject,
            list(graph.entity(subject).aliases),
            [Evidence(text=sentence, title=page, fact=f"{subject} {relation} {entity}")],
        )
        for subject, (page, sentence) in sorted(subjects.items())
    ]
    return Question(
        query.id,
        f"What has {graph.label(entity)} as its {graph.relation_label(relation)}?",
        kind="simple",
        query=QueryRecord(query.text),
        split=("train", "test")[len(query.text) % 2],
        answers=answers,
        provenance={"entities": [graph.label(entity)], "answers_in_graph": len(graph.answers(query))},
    )


def unexplained(drift: Drift, world: Path) -> list[str]:
    """Changed answers none of whose causes is a change of the world, or a sentence that came or went."""
    truth = _Truth(world)
    return [
        f"{change.kind} {change.label} ({question.question}): {change.causes}"
        for question in drift.changed
        for change in question.answers
        if not any(truth.tells(cause) for cause in change.causes)
    ]


class _Truth:
    """What the table of changes and the truth about sentences tell of causes."""

    def __init__(self, world: Path):
        rows = [row for row in _rows(world / "changes.parquet") if row["age"] == 2]
        self.gone = {
            (row["subject"], row["relation"], row["before"]): _WITHDRAWN[row["kind"]]
            for row in rows
            if row["kind"] in _WITHDRAWN
        }
        self.came = {(row["subject"], row["relation"], row["after"]) for row in rows if row["after"]}
        self.renamed = {row["subject"] for row in rows if row["kind"] == "renamed"}
        self.sentences = [
            {(row["page"], row["sentence"]) for row in _rows(world / age / "truth.parquet")}
            for age in ("", "age-2")
        ]

    def tells(self, cause: Cause) -> bool:
        if cause.kind == kinds.LABEL:
            return cause.fact in self.renamed
        fact = tuple(cause.fact.split(" ", 2))
        if cause.kind == kinds.ADDED:
            return fact in self.came
        before, after = self.sentences
        if cause.kind == kinds.UNSTATED:
            return (cause.title, cause.text) in before - after
        if cause.kind == kinds.STATED:
            return (cause.title, cause.text) in after - before
        return fact in self.gone and self.gone[fact] == cause.kind


def _rows(path: Path) -> list[dict[str, Any]]:
    return pq.read_table(path).to_pylist()
