"""The summary of `rollcall corpus`: how much was read, what was left out, and which entries were bad."""

from collections import Counter
from typing import Any

from rich.table import Table

from rollcall.corpus.corpus import Corpus
from rollcall.english.counting import counted, counted_kinds
from rollcall.screen import Screen, styled

_SHOWN = 5


def print_summary(corpus: Corpus) -> None:
    """Print the counts of a corpus, and the problems found while reading."""
    console = Screen()
    manifest = corpus.manifest
    table = Table(title=str(corpus.folder), title_justify="left", show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name, count in manifest["counts"].items():
        if name not in ("ties", "forms", "relations", "mentions"):
            table.add_row(name, f"{count:,}")
    table.add_row("entities mentioned", f"{manifest['counts']['mentions']:,}")
    for how, count in manifest["ties"].items():
        table.add_row(f"pages tied by {how}", f"{count:,}")
    if manifest.get("graph") != "":
        table.add_row("pages not tied", f"{sum(manifest['untied'].values()):,}")
    console.print(table)
    sources = manifest["sources"]
    for source in sources:
        if source.get("remark"):
            console.print(f"{source['name']}: {source['remark']}", soft_wrap=True)
    if manifest.get("graph") == "":
        console.print(
            "made without a graph: for retrieval and imported questions; `rollcall build` needs --graph, and "
            "`rollcall extract` reads a graph out of the text",
            soft_wrap=True,
        )
    else:
        _print_counts(console, "not tied", manifest["untied"])
    skipped = _added(sources, "skipped")
    if manifest["duplicates"]:
        skipped["pages with the id of an earlier one"] = manifest["duplicates"]
    _print_counts(console, "left out", skipped)
    if manifest["dropped_sentences"]:
        console.print(
            f"in no passage: {counted(manifest['dropped_sentences'], 'sentence')} "
            "(--passages qampari drops them)"
        )
    unknown = dict(list(manifest["unknown_templates"].items())[:_SHOWN])
    _print_counts(console, "templates without a rule (see --templates)", unknown)
    _print_counts(console, "mended markup, pages with", _added(sources, "mended"))
    _print_bad(console, sources)


def _added(sources: list[dict[str, Any]], key: str) -> Counter[str]:
    total: Counter[str] = Counter()
    for source in sources:
        total.update(source[key])
    return total


def _print_counts(console: Screen, name: str, counts: dict[str, int]) -> None:
    if counts:
        listed = counted_kinds(counts)
        console.print(f"{name}: {listed}", soft_wrap=True)


def _print_bad(console: Screen, sources: list[dict[str, Any]]) -> None:
    bad = _added(sources, "bad")
    if not bad:
        return
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(bad.items()))
    console.print(styled(("bad entries:", "yellow"), f" {kinds}"))
    examples = [example for source in sources for example in source["bad_examples"]]
    for example in examples[:_SHOWN]:
        name = example["source"] or sources[0]["name"]
        place = f"{name}:{example['line']}" if example["line"] else name
        console.print(f"  {place}: {example['kind']}: {example['reason']}", soft_wrap=True)
    if len(examples) > _SHOWN:
        console.print("  … (more in corpus.json)")
