"""The last steps of making a graph: combine the shards, then install the finished folder.

Everything is built under `OUT/.partial`. The finished graph then replaces `OUT` in one step, so that a folder
with a manifest is a complete graph and a killed build leaves the old one.
"""

from pathlib import Path
from typing import Any

from rollcall.files import remove
from rollcall.graph.layout import GRAPH_FOLDER
from rollcall.graph.shards import Shard
from rollcall.input_files.folder import PARTIAL


def finish_graph(
    out: Path,
    *,
    shards: Path | None = None,
    shard: Shard | None = None,
    manifest: dict[str, Any] | None = None,
    memory_limit: str = "600MB",
    threads: int | None = None,
    show_progress: bool | None = None,
) -> Path:
    """Build tables and index from shard files or one shard in memory, and install them in `out`."""
    from rollcall.graph.assemble.index_files import STEPS, build_tables_and_index

    staging = out / PARTIAL / "graph"
    remove(staging)
    staging.mkdir(parents=True)
    if shard is not None:
        from rollcall.graph.assemble.in_memory import MemoryCombination

        counts = build_tables_and_index(MemoryCombination(shard), staging)
    else:
        from rollcall.engine import Workbench
        from rollcall.graph.assemble.by_engine import EngineCombination, name_shards
        from rollcall.progress import Progress

        with (
            Progress("sorting", STEPS + 1, show=show_progress) as progress,
            Workbench(memory_limit, threads, out / PARTIAL / "spill") as bench,
        ):
            name_shards(bench, shards or staging)
            combination = EngineCombination(bench)
            counts = build_tables_and_index(combination, staging, lambda name: progress.advance(1, name))
    GRAPH_FOLDER.install(staging, out, {"counts": counts, **(manifest or {})})
    return out
