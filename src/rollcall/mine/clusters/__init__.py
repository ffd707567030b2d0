"""Clusters of related questions, as in RoMQA: constraints that share answers, and queries that vary them.

Input: a graph. Output: the tables `queries`, `constraints`, `answers`, `proofs`, `candidates`,
`candidate_facts` and `facts`.

- `Cluster`: the kind. `constraint`: the options, constraints, and the queries that vary them.
- `mine`: draws clusters, with the candidates of the closed setting. `writing`: writes the tables.
"""

from rollcall._core.console import Progress
from rollcall._core.errors import Filter
from rollcall.mine.clusters.constraint import ClusterOptions
from rollcall.mine.kinds import KINDS, Mined, MiningContext, QuestionKind
from rollcall.tables.build import ClusterQueries


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
        from rollcall.graph import Graph
        from rollcall.mine.clusters.mine import mine_clusters
        from rollcall.mine.clusters.writing import write_clusters

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
