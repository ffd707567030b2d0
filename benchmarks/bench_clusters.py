"""Clusters on a graph: how many questions in what time, and every promise about them looked up in the facts.

    python benchmarks/bench_clusters.py [--entities 20000 | --graph DIR] [--clusters 1000] [--jobs 2]

The check shares nothing with the miner but its tables: constraints are looked up in a set of facts.
"""

import tempfile
from argparse import Namespace
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median

from _harness import Arguments, Figures, made_world, measured, run_benchmark
from rollcall.graph import Graph
from rollcall.mine.clusters import write_clusters
from rollcall.mine.clusters.drawing import ClusterOptions, mine_clusters
from rollcall.tables.build import CandidateFacts, ClusterQueries, Constraints, OfferedCandidates, QueryAnswers
from rollcall.tables.engines.duckdb import DuckDB
from rollcall.tables.files import records


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--entities", type=int, default=20_000, smoke=500)
    parser.add_argument("--graph", type=Path, metavar="DIR", help="instead of that of a new world")
    parser.add_argument("--clusters", type=int, default=1000, smoke=3)
    parser.add_argument("--jobs", type=int, default=2, smoke=1)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def main(given: Namespace, figures: Figures) -> None:
    options = ClusterOptions(clusters=given.clusters)
    with tempfile.TemporaryDirectory() as folder:
        path = given.graph or made_world(Path(folder), given.entities, corpus=False) / "graph"
        mined = mine_clusters(path, options, DuckDB(jobs=given.jobs), seed=given.seed)
        print(
            f"{mined.attempts:,} attempts gave {len(mined.clusters):,} clusters with {mined.questions:,}",
            end="",
        )
        print(f" questions in {mined.seconds:.1f} s: {mined.questions / mined.seconds:.0f} a second")
        print("  " + ", ".join(f"{count:,} {reason}" for reason, count in mined.outcomes.items()))
        figures |= {"clusters": len(mined.clusters), "questions": mined.questions, "seconds": mined.seconds}
        with Graph.open(path) as graph:
            cost, written = measured(lambda: write_clusters(graph, mined.clusters, Path(folder) / "out"))
            print(f"  {written.proofs:,} proofs, {written.facts:,} facts written in {cost.seconds:.1f} s")

            figures["answers, median"] = Check(graph, Path(folder) / "out", options).run()


class Check:
    """Every promise about clusters, questions and candidates."""

    def __init__(self, graph: Graph, out: Path, options: ClusterOptions) -> None:
        self.options = options
        self.subjects: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.objects: dict[tuple[str, str], set[str]] = defaultdict(set)
        for row in graph.tables.facts.to_pyarrow().to_pylist():
            self.subjects[row["relation"], row["object"]].add(row["subject"])
            self.objects[row["relation"], row["subject"]].add(row["object"])
        self.queries = list(records(ClusterQueries, out / "queries.parquet"))
        self.constraints = list(records(Constraints, out / "constraints.parquet"))
        self.offered: dict[str, dict[str, bool]] = defaultdict(dict)
        for row in list(records(OfferedCandidates, out / "candidates.parquet")):
            self.offered[row["key"]][row["candidate"]] = row["is_answer"]
        self.held: dict[str, set[tuple[str, int]]] = defaultdict(set)
        for row in list(records(CandidateFacts, out / "candidate_facts.parquet")):
            self.held[row["key"]].add((row["candidate"], row["constraint"]))
        self.answers: dict[str, set[str]] = defaultdict(set)
        for row in list(records(QueryAnswers, out / "answers.parquet")):
            self.answers[row["key"]].add(row["answer"])

    def run(self) -> float:
        """Check everything, and return the median number of answers."""
        self.check_clusters()
        near = 0
        for row in self.queries:
            answers = self.check_question(row)
            near += self.check_candidates(row, answers)
        wrong = sum(not right for offered in self.offered.values() for right in offered.values())
        print(
            f"  all promises hold for {len(self.queries):,} questions; {near / wrong:.1%} of the wrong",
            end=" ",
        )
        print("candidates satisfy some constraint")
        answers = median(row["answers"] for row in self.queries)
        print(f"  {answers:g} answers in the median (RoMQA: 11)")
        return answers

    def members(self, text: str) -> set[str]:
        relation, entity, direction = text.removeprefix("not ").split("\t")
        return self.subjects[relation, entity] if direction == "subj" else self.objects[relation, entity]

    def meaning(self, texts: list[str]) -> set[str]:
        found = set.intersection(*(self.members(text) for text in texts if not text.startswith("not ")))
        return found.difference(*(self.members(text) for text in texts if text.startswith("not ")))

    def check_clusters(self) -> None:
        clusters: dict[str, list[str]] = defaultdict(list)
        for row in self.constraints:
            clusters[row["cluster"]].append(row["constraint"])
        for texts in clusters.values():
            assert self.options.least_constraints <= len(set(texts)) <= self.options.most_constraints
            assert len(self.meaning(texts)) >= self.options.shared
        sizes = Counter(row["cluster"] for row in self.queries)
        assert sizes.keys() == clusters.keys()
        assert all(self.options.least_questions <= n <= self.options.queries for n in sizes.values())

    def check_question(self, row) -> set[str]:
        texts = row["constraints"]
        assert self.options.least_in_question <= len(texts) <= self.options.most_in_question
        answers = self.meaning(texts)
        assert answers == self.answers[row["key"]]
        assert self.options.least_answers <= len(answers) == row["answers"] < self.options.most_answers
        for text in texts:
            rest = [other for other in texts if other != text]
            affirmed = any(not other.startswith("not ") for other in rest)
            assert not affirmed or self.meaning(rest) != answers, "a constraint is redundant"
        return answers

    def check_candidates(self, row, answers: set[str]) -> int:
        offered = self.offered[row["key"]]
        assert len(offered) == self.options.candidates
        assert sum(offered.values()) == min(len(answers), self.options.most_positive)
        assert all((entity in answers) == right for entity, right in offered.items())
        for place, text in enumerate(row["constraints"]):
            members = self.members(text)
            assert all(
                ((entity, place) in self.held[row["key"]]) == (entity in members) for entity in offered
            )
        touched = set.union(*(self.members(text) for text in row["constraints"]))
        return sum(entity in touched for entity, right in offered.items() if not right)


if __name__ == "__main__":
    run_benchmark(arguments(), main)
