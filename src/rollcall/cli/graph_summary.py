"""The summary of `rollcall graph`: how much was read, what was left out, and which entries were bad."""

from collections import Counter

from rich.table import Table

from rollcall.graph import Graph
from rollcall.screen import Screen, styled

_SHOWN_BAD = 5
_COUNTED = ("entities", "facts", "values", "relations", "classes", "types", "aliases")


def print_summary(graph: Graph) -> None:
    """Print the counts of a new graph, and the problems found while reading."""
    console = Screen()
    console.print(styled((str(graph.folder), "bold")), soft_wrap=True)
    table = Table(show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name in _COUNTED:
        table.add_row(name, f"{graph.manifest['counts'][name]:,}")
    sources = graph.manifest["sources"]
    bad: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    for source in sources:
        bad.update(source["bad"])
        skipped.update(source["skipped"])
    table.add_row("bad entries", f"{bad.total():,}", style="yellow" if bad else None)
    console.print(table)
    if skipped:
        left_out = ", ".join(f"{count:,} {kind}" for kind, count in sorted(skipped.items()))
        console.print(f"left out: {left_out}", soft_wrap=True)
    if bad:
        _print_bad(console, sources, bad)


def _print_bad(console: Screen, sources: list[dict[str, object]], bad: Counter[str]) -> None:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(bad.items()))
    console.print(styled(("bad entries:", "yellow"), f" {kinds}"))
    examples = [example for source in sources for example in source["bad_examples"]]  # type: ignore[attr-defined]
    for example in examples[:_SHOWN_BAD]:
        place = f"{example['source']}:{example['line']}" if example["line"] else example["source"]
        console.print(f"  {place}: {example['reason']}", soft_wrap=True)
    if len(examples) > _SHOWN_BAD:
        console.print("  … (more in graph.json)")
