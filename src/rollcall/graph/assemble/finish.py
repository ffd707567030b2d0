"""The last steps of making a graph: combine the shards, then install the finished folder.

Everything is built under `OUT/.partial`. The finished graph then replaces `OUT` in one step, so that a folder
with a manifest is a complete graph and a killed build leaves the old one.
"""

from pathlib import Path

from rollcall.files import remove
from rollcall.graph.layout import GRAPH_FOLDER
from rollcall.graph.shards import Shard
from rollcall.input_files.folder import PARTIAL, Manifest
from rollcall.tables.engine import Engine


def finish_graph(
    out: Path,
    shards: Path,
    engine: Engine,
    *,
    manifest: Manifest | None = None,
    name_all: bool | None = None,
    show_progress: bool | None = None,
) -> Path:
    """Build tables and index from shard files, and install them in `out`.

    Unless `name_all` is None, IRIs without labels are labelled with their local names, and if it is true,
    other ids too.
    """
    from rollcall.graph.assemble.by_engine import EngineCombination, name_shards
    from rollcall.graph.assemble.index_files import STEPS, build_tables_and_index
    from rollcall.graph.assemble.local_naming import write_local_names
    from rollcall.progress import Progress

    staging = _staging(out)
    with (
        Progress("sorting", STEPS + 1, show=show_progress) as progress,
        engine.workbench(out / PARTIAL / "spill") as bench,
    ):
        name_shards(bench, shards)
        found: Manifest = {}

        def add_names() -> None:
            named = write_local_names(bench, shards, every=name_all)
            name_shards(bench, shards)
            if name_all is not None:
                found["named_by_ids"] = named._asdict()

        combination = EngineCombination(bench, add_names)
        counts, repeated = build_tables_and_index(
            combination, staging, lambda name: progress.advance(1, name)
        )
    GRAPH_FOLDER.install(staging, out, {"counts": counts, "repeated": repeated, **found, **(manifest or {})})
    return out


def finish_in_memory(out: Path, shard: Shard) -> Path:
    """Build tables and index from one shard in memory, and install them in `out`."""
    from rollcall.graph.assemble.in_memory import MemoryCombination
    from rollcall.graph.assemble.index_files import build_tables_and_index

    staging = _staging(out)
    counts, repeated = build_tables_and_index(MemoryCombination(shard), staging)
    GRAPH_FOLDER.install(staging, out, {"counts": counts, "repeated": repeated})
    return out


def _staging(out: Path) -> Path:
    staging = out / PARTIAL / "graph"
    remove(staging)
    staging.mkdir(parents=True)
    return staging
