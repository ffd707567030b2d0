"""What the corpus must show, measured in one run on a generated world.

    python benchmarks/bench_corpus.py [--entities N]
    python benchmarks/bench_corpus.py --memory MEGABYTES...   # peak memory by size of input

Speeds are megabytes of source per second of one core's time; ratios compare the same pages in the same run.
"""

import bz2
import gc
import html
import re
import statistics
import tempfile
from argparse import Namespace
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq

from _harness import (
    Arguments,
    Figures,
    in_turns,
    installed,
    made_world,
    measured,
    measured_command,
    rollcall_command,
    run_benchmark,
)

SCARS = re.compile(
    r"\[\[|\]\]|\{\{|\}\}|\{\||\|\}|'''?|<ref|</?[a-z]+>|\bthumb\||\d+px\||__[A-Z]+__|&[a-z]+;"
)


def wikitext_pages(world: Path) -> list[tuple[str, str]]:
    """Title and wikitext of every page."""
    text = bz2.decompress((world / "pages.xml.bz2").read_bytes()).decode()
    found = re.findall(r"<title>(.*?)</title>.*?<text[^>]*>(.*?)</text>", text, re.DOTALL)
    return [(html.unescape(title), html.unescape(body)) for title, body in found]


def html_of(title: str, wikitext: str) -> str:
    """The page as a renderer would give it, near enough for measuring."""
    body = html.escape(re.sub(r"<ref[^>/]*>.*?</ref>|<ref[^>]*/>", "\x01", wikitext), quote=False)
    body = re.sub(r"\{\{[^{}]*\}\}", "", re.sub(r"\{\{[^{}]*\}\}", "", body))
    body = body.replace("\x01", '<sup class="mw-ref reference"><a href="#cite_note-1">[1]</a></sup>')
    body = re.sub(
        r"\[\[([^|\]]*)\|?([^\]]*)\]\]", r'<a rel="mw:WikiLink" href="./\1" title="\1">\1\2</a>', body
    )
    body = re.sub(r"\n== (.*?) ==\n", r"</p></section><section><h2>\1</h2><p>", body)
    return f"<html><head><title>{title}</title></head><body><section><p>{body}</p></section></body></html>"


def core_time(work: Callable[[], object]) -> float:
    gc.collect()
    return measured(work)[0].core_seconds


def speeds(pages: list[tuple[str, str]], rounds: int, figures: Figures) -> None:
    """Speed of wikitext and HTML rendering, beside mwparserfromhell's on the same pages."""
    from rollcall.corpus.html import parse_html
    from rollcall.corpus.wikitext import parse
    from rollcall.text.sentences import split

    some = pages[::4]
    rendered = [html_of(title, text) for title, text in some]
    contents = [parse(text, title).text for title, text in some]
    wikitext = [text for _, text in some]
    works: dict[str, tuple[Callable[[], object], list[str]]] = {
        "rollcall": (lambda: [parse(text, title) for title, text in some], wikitext),
        "HTML": (lambda: [parse_html(page) for page in rendered], rendered),
        "sentences": (lambda: [split(text) for text in contents], contents),
    }
    scars = {"rollcall": contents}
    if installed("mwparserfromhell"):
        import mwparserfromhell

        def stripped() -> list[str]:
            return [str(mwparserfromhell.parse(text).strip_code()) for text in wikitext]

        works["mwparserfromhell"] = (stripped, wikitext)
        scars["mwparserfromhell"] = stripped()
    ways = {name: partial(core_time, work) for name, (work, _) in works.items()}
    seconds = {name: statistics.median(times) for name, times in in_turns(ways, rounds).items()}
    megabytes = sum(len(text.encode()) for text in wikitext) / 1e6
    print(f"{len(some):,} pages, {megabytes:.1f} MB of wikitext; medians of {rounds} rounds, in turns")
    for name, (_, texts) in works.items():
        speed = figures[f"{name}, MB/s"] = sum(len(text.encode()) for text in texts) / 1e6 / seconds[name]
        left = sum(bool(SCARS.search(text)) for text in scars.get(name, ()))
        print(f"  {name:18} {speed:6.2f} MB/s" + (f", markup left on {left} pages" if name in scars else ""))
    if "mwparserfromhell" in works:
        figures["ratio"] = seconds["mwparserfromhell"] / seconds["rollcall"]
        print(f"  mwparserfromhell / rollcall: {figures['ratio']:.2f} (at least 5 wanted)")


def found_again(world: Path, corpus_folder: Path, figures: Figures) -> None:
    """How many told sentences and cells of the truth the corpus has."""
    truth = pq.read_table(world / "truth.parquet").to_pylist()
    pages = pq.read_table(corpus_folder / "pages.parquet", columns=["id", "title"]).to_pylist()
    title_of = {page["id"]: page["title"] for page in pages}
    sentences = pq.read_table(corpus_folder / "sentences.parquet").to_pylist()
    have = {(title_of[row["page"]], row["section"], row["text"]) for row in sentences}
    told = [row for row in truth if row["sentence"] is not None]
    right = sum((row["page"], row["section"], row["sentence"]) in have for row in told)
    share = right / len(told)
    figures["told sentences found as one sentence"] = [right, len(told)]
    print(f"told sentences found as one sentence: {right:,} of {len(told):,} ({share:.3%}; 99.5% wanted)")
    headers = {
        (title_of[row["page"]], row["number"]): row["header"]
        for row in pq.read_table(corpus_folder / "tables.parquet").to_pylist()
    }
    cells = {
        (title_of[row["page"]], row["table"], row["row"], row["column"]): row["text"]
        for row in pq.read_table(corpus_folder / "cells.parquet").to_pylist()
    }
    listed = [row for row in truth if row["kind"] == "cell"]
    right = 0
    for row in listed:
        if row["row"] == 0:
            right += headers[row["page"], row["table"]][row["column"]] == row["text"]
        else:
            right += cells.get((row["page"], row["table"], row["row"], row["column"])) == row["text"]
    share = right / len(listed)
    figures["cells right"] = [right, len(listed)]
    print(f"cells of list tables right:           {right:,} of {len(listed):,} ({share:.3%}; all wanted)")


def memory(world: Path, graph: Path, folder: Path, sizes: list[int], figures: Figures) -> None:
    """Peak memory of all processes of `rollcall corpus` for inputs of different sizes."""
    import zstandard

    pages = wikitext_pages(world)
    first = None
    for size in sizes:
        source = folder / f"pages{size}.xml.zst"
        with zstandard.open(source, "wb") as stream:
            written = 0
            for chunk in repeated(pages):
                stream.write(chunk)
                written += len(chunk)
                if written >= size * 1_000_000:
                    break
            stream.write(b"</mediawiki>\n")
        out = folder / f"corpus{size}"
        cost = measured_command(
            rollcall_command("corpus", source, "--graph", graph, "--out", out, "--jobs", 2)
        )
        first = first or cost.peak
        figures[f"{size} MB"] = cost
        print(
            f"{written / 1e6:8.0f} MB of XML: {cost.peak / 1e6:6.0f} MB at most, "
            f"{cost.peak / first:.2f}x, {cost.seconds:.0f} s",
            flush=True,
        )


def repeated(pages: list[tuple[str, str]]) -> Iterator[bytes]:
    """The pages of the world again and again, under titles and ids of their own."""
    yield b"<mediawiki>\n"
    number = 0
    while True:
        for title, text in pages:
            number += 1
            name = title if number <= len(pages) else f"{title} [{number // len(pages)}]"
            yield (
                f"<page>\n<title>{html.escape(name)}</title>\n<ns>0</ns>\n<id>{number}</id>\n<revision><text>"
                f"{html.escape(text, quote=False)}</text></revision>\n</page>\n"
            ).encode()


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--entities", type=int, default=5000, smoke=500)
    parser.add_argument("--rounds", type=int, default=3, smoke=1)
    parser.add_argument("--memory", type=int, nargs="+", metavar="MEGABYTES")
    return parser


def main(options: Namespace, figures: Figures) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = made_world(Path(name), options.entities, seed=7, corpus=not options.memory)
        world = folder / "world"
        if options.memory:
            memory(world, folder / "graph", folder, options.memory, figures)
            return
        found_again(world, folder / "corpus", figures)
        speeds(wikitext_pages(world), options.rounds, figures)


if __name__ == "__main__":
    run_benchmark(arguments(), main)
