"""Clusters of related questions, as in RoMQA: constraints that share answers, and queries that vary them.

Input: a graph. Output: the tables `queries`, `constraints`, `answers`, `proofs`, `candidates`,
`candidate_facts` and `facts`.

- `Cluster`: the kind.
- `drawing`: the options, constraints, the queries that vary them, and candidates of the closed setting.
- `write_clusters`: writes the tables.
"""

from collections.abc import Sequence
from hashlib import md5
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from rollcall._core.console import Progress
from rollcall._core.errors import Filter
from rollcall.graph import Graph
from rollcall.graph.index import GraphIndex, Numbers
from rollcall.graph.rows import contained
from rollcall.mine.clusters.drawing import (
    SUBJECT,
    ClusterOptions,
    ClusterQuestion,
    Constraint,
    DrawnCluster,
    mine_clusters,
)
from rollcall.mine.kinds import KINDS, Mined, MiningContext, QuestionKind
from rollcall.mine.neighbourhood import Neighbourhood
from rollcall.mine.proving import query_row
from rollcall.query import Query
from rollcall.tables.build import (
    CandidateFacts,
    ClusterQueries,
    Constraints,
    OfferedCandidates,
    Proofs,
    ProvableFacts,
    QueryAnswers,
)
from rollcall.tables.files import write_records, write_sorted
from rollcall.tables.table import DeclaredTable, Int64, arrow


@KINDS.register("cluster")
class Cluster(QuestionKind):
    """Clusters of questions that vary their constraints, with candidates, as in the RoMQA paper."""

    name = "cluster"
    section = "clusters"
    Options = ClusterOptions
    Rows = ClusterQueries
    proved = False

    @classmethod
    def mine(cls, options: ClusterOptions, context: MiningContext) -> Mined:
        """Draw clusters and their questions."""
        with Progress("clusters", options.attempts, show=context.show_progress) as progress:
            mined = mine_clusters(
                context.graph,
                options,
                context.engine,
                seed=context.seed,
                lexicon=context.lexicon,
                progress=progress,
            )
        with Graph.open(context.graph) as graph:
            row_counts = write_clusters(graph, mined.clusters, context.folder)
        drawn = len(mined.clusters)
        few = f"{drawn:,} of {options.clusters:,} clusters in {mined.attempts:,} attempts"
        return Mined(
            row_counts.queries,
            {Filter(why): count for why, count in mined.outcomes.items() if why != "cluster"},
            notes=[few] if drawn < options.clusters else [],
            counts={"clusters": drawn, "attempts": mined.attempts},
        )


# Writes clusters as Parquet tables. For every candidate, `candidate_facts` says which constraints of the
# question it satisfies, and by which fact, negated constraints included; evidence is searched for these
# facts. Rows are built as columns of numbers, because a question may have thousands of answers.


class SatisfyingFacts(DeclaredTable):
    """A fact by which an answer or a candidate satisfies a constraint of a question."""

    key = Proofs.key
    constraint = Int64("the place of the constraint in the question, from 0")
    answer = Proofs.answer
    subject = Proofs.subject
    relation = Proofs.relation
    object = Proofs.object


class WrittenClusters(NamedTuple):
    """The number of rows of each table."""

    queries: int
    clusters: int
    proofs: int
    facts: int


def cluster_query(index: GraphIndex, question: ClusterQuestion) -> Query:
    """The conditions of a question as a query."""
    return Query.of(
        condition.constraint.edge(index, negated=condition.negated) for condition in question.conditions
    )


def constraint_text(index: GraphIndex, constraint: Constraint) -> str:
    """A constraint as text: relation, entity and direction, separated by tabs."""
    relation, entity = index.relation_ids[constraint.relation], index.entity_ids[constraint.entity]
    return f"{relation}\t{entity}\t{constraint.direction}"


def cluster_id(index: GraphIndex, cluster: DrawnCluster) -> str:
    """A stable id made from the constraints."""
    texts = "\n".join(sorted(constraint_text(index, constraint) for constraint in cluster.constraints))
    return md5(texts.encode(), usedforsecurity=False).hexdigest()[:16]


def write_clusters(graph: Graph, clusters: Sequence[DrawnCluster], out: Path) -> WrittenClusters:
    """Write queries, constraints, answers, proofs, candidates, candidate_facts and facts."""
    index = graph.index
    around = Neighbourhood(index, ())
    queries: list[dict[str, Any]] = []
    constraints: list[dict[str, Any]] = []
    offers: list[ClusterQuestion] = []
    proofs, satisfied = _Facts(index), _Facts(index)
    for cluster in clusters:
        name = cluster_id(index, cluster)
        constraints += [_constraint_row(index, name, constraint) for constraint in cluster.constraints]
        for question in cluster.questions:
            row = _query_row(index, name, question)
            queries.append(row)
            offers.append(question)
            _add_facts(around, row["key"], question, proofs, satisfied)
    query_count = write_records(ClusterQueries, out / "queries.parquet", queries)
    write_records(Constraints, out / "constraints.parquet", constraints)
    offered = _candidates(index, [row["key"] for row in queries], offers)
    write_sorted(OfferedCandidates, out / "candidates.parquet", offered)
    needed, shown = proofs.table(), satisfied.table()
    proved = write_sorted(Proofs, out / "proofs.parquet", _proofs(needed))
    write_sorted(QueryAnswers, out / "answers.parquet", _answers(needed))
    write_sorted(
        CandidateFacts, out / "candidate_facts.parquet", shown.rename_columns({"answer": "candidate"})
    )
    facts = write_sorted(ProvableFacts, out / "facts.parquet", _distinct_facts([needed, shown]))
    return WrittenClusters(query_count, len(clusters), proved, facts)


def _candidates(index: GraphIndex, keys: list[str], questions: list[ClusterQuestion]) -> pa.Table:
    """The candidates of the closed setting, in their order."""
    sizes = [len(question.candidates) for question in questions]
    entities = np.concatenate([np.array(list(question.candidates)) for question in questions])
    right = np.concatenate(
        [np.array(list(question.candidates.values()), dtype=np.bool_) for question in questions]
    )
    columns = {
        "key": pa.array(keys, pa.string()).take(np.repeat(np.arange(len(keys)), sizes)),
        "place": np.concatenate([np.arange(size) for size in sizes]),
        "candidate": index.entity_ids.arrow().take(pa.array(entities)),
        "is_answer": right,
    }
    return arrow(OfferedCandidates, columns)


def _constraint_row(index: GraphIndex, name: str, constraint: Constraint) -> dict[str, Any]:
    return {
        "cluster": name,
        "constraint": constraint_text(index, constraint),
        "relation": index.relation_ids[constraint.relation],
        "entity": index.entity_ids[constraint.entity],
        "direction": constraint.direction,
    }


def _query_row(index: GraphIndex, cluster: str, question: ClusterQuestion) -> dict[str, Any]:
    query = cluster_query(index, question)
    signs = ["not " if condition.negated else "" for condition in question.conditions]
    texts = [constraint_text(index, condition.constraint) for condition in question.conditions]
    negative = sum(condition.negated for condition in question.conditions)
    return query_row(query, Cluster.name, len(question.answers), None) | {
        "cluster": cluster,
        "constraints": [sign + text for sign, text in zip(signs, texts, strict=True)],
        "positive": len(question.conditions) - negative,
        "negative": negative,
    }


def _add_facts(
    around: Neighbourhood, key: str, question: ClusterQuestion, proofs: "_Facts", satisfied: "_Facts"
) -> None:
    offered = np.array(sorted(question.candidates), dtype=question.answers.dtype)
    for position, condition in enumerate(question.conditions):
        constraint = condition.constraint
        if not condition.negated:
            proofs.add(key, position, constraint, question.answers)
        satisfied.add(key, position, constraint, offered[contained(offered, constraint.answers(around))])


class _Facts:
    """Facts of answers or candidates, as columns of numbers."""

    def __init__(self, index: GraphIndex) -> None:
        self._index = index
        self._keys: list[str] = []
        self._columns: list[tuple[Numbers, ...]] = []

    def add(self, key: str, position: int, constraint: Constraint, answers: Numbers) -> None:
        """Add the facts by which answers satisfy the constraint that has this place in the question."""
        entities = np.full(len(answers), constraint.entity, dtype=answers.dtype)
        subjects, objects = (answers, entities) if constraint.direction == SUBJECT else (entities, answers)
        question = np.full(len(answers), len(self._keys))
        relation = np.full(len(answers), constraint.relation)
        self._columns.append(
            (question, np.full(len(answers), position), answers, subjects, relation, objects)
        )
        self._keys.append(key)

    def table(self) -> pa.Table:
        columns = [np.concatenate(column) for column in zip(*self._columns, strict=True)]
        question, position, answers, subjects, relation, objects = columns
        entities, relations = self._index.entity_ids.arrow(), self._index.relation_ids.arrow()
        return arrow(
            SatisfyingFacts,
            {
                "key": pa.array(self._keys, pa.string()).take(pa.array(question)),
                "constraint": position,
                "answer": entities.take(pa.array(answers)),
                "subject": entities.take(pa.array(subjects)),
                "relation": relations.take(pa.array(relation)),
                "object": entities.take(pa.array(objects)),
            },
        )


def _proofs(facts: pa.Table) -> pa.Table:
    empty = pa.array([""] * facts.num_rows, pa.string())
    return _with_no(facts, "literal", "object_literal").append_column("via", empty)


def _answers(facts: pa.Table) -> pa.Table:
    return _with_no(facts.group_by(["key", "answer"], use_threads=False).aggregate([]), "literal")


def _distinct_facts(tables: list[pa.Table]) -> pa.Table:
    names = ["subject", "relation", "object"]
    facts = pa.concat_tables([table.select(names) for table in tables])
    return _with_no(facts.group_by(names, use_threads=False).aggregate([]), "literal")


def _with_no(rows: pa.Table, *names: str) -> pa.Table:
    """Rows with columns that are false."""
    for name in names:
        rows = rows.append_column(name, pa.array(np.zeros(rows.num_rows, dtype=np.bool_)))
    return rows
