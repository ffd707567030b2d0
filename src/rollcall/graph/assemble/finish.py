"""The last steps of making a graph: combine what was read, then put the finished folder in its place.

Everything is built under `OUT/.partial` and moved when complete; the manifest `graph.json` comes last, so
that a folder with a manifest is a whole graph and a killed build leaves none.
"""

import json
from pathlib import Path
from typing import Any

from rollcall.errors import RollcallError
from rollcall.files import remove
from rollcall.graph.layout import FORMAT_VERSION, MANIFEST, PARTIAL
from rollcall.graph.shards import Shard


def check_out(out: Path) -> None:
    """Refuse an output folder that holds anything but a graph or an unfinished one."""
    if out.exists() and not out.is_dir():
        raise RollcallError(f"{out}: is a file; name a folder for the graph")
    if not out.exists() or (out / MANIFEST).exists() or (out / PARTIAL).exists():
        return
    if any(out.iterdir()):
        raise RollcallError(f"{out}: has other files in it and is not a graph; name a new or empty folder")


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
    described = {"format": FORMAT_VERSION, "counts": counts, **(manifest or {})}
    _install(staging, out, described)
    return out


def _install(staging: Path, out: Path, manifest: dict[str, Any]) -> None:
    remove(out / MANIFEST)  # from here until the new manifest is there, the folder is no graph
    for path in sorted(staging.iterdir()):
        remove(out / path.name)
        path.rename(out / path.name)
    partial = out / PARTIAL / MANIFEST
    partial.write_text(json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    partial.rename(out / MANIFEST)
    remove(out / PARTIAL)
