"""The summary of `rollcall graph`: how much was read, what was left out, and which entries were bad."""

from collections import Counter
from collections.abc import Mapping

from rich.table import Table

from rollcall.english.counting import counted_kinds
from rollcall.graph import Graph
from rollcall.screen import Screen, styled

_SHOWN_BAD = 5
_FEW_TYPED = 10
_FEW_LISTS = 3
"""Fewer names with a comma, parts of which are names, too, may be names such as `Paris, Texas`."""
_MOST_LOOKED_AT = 200_000
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
    for source in sources:
        if source.get("remark"):
            console.print(f"{source['name']}: {source['remark']}", soft_wrap=True)
    if told := _without_classes(graph.manifest["counts"]):
        console.print(told, soft_wrap=True)
    if told := _several_in_a_cell(graph):
        console.print(told, soft_wrap=True)
    repeated = {kind: count for kind, count in graph.manifest.get("repeated", {}).items() if count}
    if repeated:
        again = counted_kinds(repeated)
        console.print(f"given more than once, kept once: {again}", soft_wrap=True)
    if skipped:
        left_out = counted_kinds(dict(sorted(skipped.items())))
        console.print(f"left out: {left_out}", soft_wrap=True)
    if bad:
        _print_bad(console, sources, bad)


def _without_classes(counts: Mapping[str, int]) -> str:
    """What follows and what to do if no entity, or hardly any, has a class; empty if enough have one."""
    if counts["types"] * _FEW_TYPED >= counts["entities"]:
        return ""
    which = f"fewer than one in {_FEW_TYPED} entities has" if counts["types"] else "no entity has"
    return (
        f"{which} a class, so questions say thing instead of a kind; for tables, --columns types=KIND names "
        'the column of kinds, types="artist" the kind of all rows; for RDF, --type names the predicate'
    )


def _several_in_a_cell(graph: Graph) -> str:
    """A hint if entities look like several names with commas between them; empty for very large graphs."""
    if graph.manifest["counts"]["entities"] > _MOST_LOOKED_AT:
        return ""
    rows = graph.tables.entities.select("id", "label").to_pyarrow().to_pylist()
    known = {row["id"] for row in rows}
    unnamed = [row["id"] for row in rows if ", " in row["id"] and row["label"] in (None, row["id"])]
    lists = [name for name in unnamed if not known.isdisjoint(name.split(", "))]
    if len(lists) < _FEW_LISTS:
        return ""
    return (
        f"{len(lists):,} entities look like several with commas between them, such as {lists[0]!r:.80}; "
        "several names in a cell are written a|b or a;b"
    )


def _print_bad(console: Screen, sources: list[dict[str, object]], bad: Counter[str]) -> None:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(bad.items()))
    console.print(styled(("bad entries:", "yellow"), f" {kinds}"))
    examples = [example for source in sources for example in source["bad_examples"]]  # type: ignore[attr-defined]
    for example in examples[:_SHOWN_BAD]:
        place = f"{example['source']}:{example['line']}" if example["line"] else example["source"]
        console.print(f"  {place}: {example['reason']}", soft_wrap=True)
    if len(examples) > _SHOWN_BAD:
        console.print("  … (more in graph.json)")
