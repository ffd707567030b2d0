"""`set-operation`: unions, intersections and differences of sets, as in QUEST."""

from rollcall._core.errors import Filter
from rollcall.mine.kinds import KINDS, Mined, MiningContext, QuestionKind
from rollcall.mine.options import SetOptions
from rollcall.tables.build import SetQueries


@KINDS.register("set-operation")
class SetOperation(QuestionKind):
    """Unions, intersections and differences of sets: A ∪ B, A ∩ B ∩ C, A \\ B, A ∩ B \\ C, as in QUEST."""

    name = "set-operation"
    section = "sets"
    Options = SetOptions
    Rows = SetQueries

    @classmethod
    def mine(cls, options: SetOptions, context: MiningContext) -> Mined:
        """Mine queries that combine sets, the wanted number of each operation."""
        from rollcall.graph import Graph
        from rollcall.mine.set_operations import mine_set_operations, write_set_operations

        found, outcomes = mine_set_operations(
            context.graph, options, context.engine, seed=context.seed, lexicon=context.lexicon
        )
        with Graph.open(context.graph) as graph:
            written = write_set_operations(graph, found, context.folder)
        counts = {operation: outcomes.get(f"found {operation}", 0) for operation in options.operations}
        return Mined(
            written,
            {Filter(why): count for why, count in outcomes.items() if not why.startswith("found A")},
            notes=[
                f"{operation}: {count} of {options.per_operation}"
                for operation, count in counts.items()
                if count < options.per_operation
            ],
        )
