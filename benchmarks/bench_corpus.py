"""What the corpus must show, measured in one run on a generated world.

    python benchmarks/bench_corpus.py [--entities N]
    python benchmarks/bench_corpus.py --memory MEGABYTES...   # peak memory by size of input

Speeds are megabytes of source per second of one core's time; ratios compare the same pages in the same run.
"""

import argparse
import bz2
import gc
import html
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet as pq

ROUNDS = 3
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


def core_time(work: Callable[[], None]) -> float:
    gc.collect()
    started = time.process_time()
    work()
    return time.process_time() - started


def speeds(pages: list[tuple[str, str]]) -> None:
    """Speed of wikitext and HTML rendering, beside mwparserfromhell's on the same pages."""
    import mwparserfromhell

    from rollcall.corpus.html import parse_html
    from rollcall.corpus.wikitext import parse
    from rollcall.text.sentences import split

    some = pages[::4]
    rendered = [html_of(title, text) for title, text in some]
    contents = [parse(text, title) for title, text in some]
    megabytes = sum(len(text.encode()) for _, text in some) / 1e6
    html_megabytes = sum(len(page.encode()) for page in rendered) / 1e6
    text_megabytes = sum(len(content.text.encode()) for content in contents) / 1e6
    ours = theirs = from_html = splitting = 0.0
    for _ in range(ROUNDS):
        ours += core_time(lambda: [parse(text, title) for title, text in some] and None)
        theirs += core_time(lambda: [mwparserfromhell.parse(text).strip_code() for _, text in some] and None)
        from_html += core_time(lambda: [parse_html(page) for page in rendered] and None)
        splitting += core_time(lambda: [split(content.text) for content in contents] and None)
    stripped = [str(mwparserfromhell.parse(text).strip_code()) for _, text in some]
    scars = [
        sum(bool(SCARS.search(text)) for text in texts) for texts in ([c.text for c in contents], stripped)
    ]
    print(f"wikitext: {len(some):,} pages, {megabytes:.1f} MB, {ROUNDS} rounds, interleaved")
    print(f"  rollcall           {ROUNDS * megabytes / ours:6.2f} MB/s, markup left on {scars[0]} pages")
    print(f"  mwparserfromhell   {ROUNDS * megabytes / theirs:6.2f} MB/s, markup left on {scars[1]} pages")
    print(f"  ratio              {theirs / ours:6.2f} (at least 5 wanted)")
    print(f"HTML:                {ROUNDS * html_megabytes / from_html:6.2f} MB/s")
    print(f"sentences:           {ROUNDS * text_megabytes / splitting:6.2f} MB/s of text")


def found_again(world: Path, corpus_folder: Path) -> None:
    """How many told sentences and cells of the truth the corpus has."""
    truth = pq.read_table(world / "truth.parquet").to_pylist()
    pages = pq.read_table(corpus_folder / "pages.parquet", columns=["id", "title"]).to_pylist()
    title_of = {page["id"]: page["title"] for page in pages}
    sentences = pq.read_table(corpus_folder / "sentences.parquet").to_pylist()
    have = {(title_of[row["page"]], row["section"], row["text"]) for row in sentences}
    told = [row for row in truth if row["sentence"] is not None]
    right = sum((row["page"], row["section"], row["sentence"]) in have for row in told)
    share = right / len(told)
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
    print(f"cells of list tables right:           {right:,} of {len(listed):,} ({share:.3%}; all wanted)")


def run(*arguments: object) -> None:
    subprocess.run(
        [sys.executable, "-m", "rollcall.cli.main", *map(str, arguments)],
        check=True,
        stdout=subprocess.DEVNULL,
    )


def memory(world: Path, graph: Path, folder: Path, sizes: list[int]) -> None:
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
        started = time.perf_counter()
        peak = peak_memory("corpus", source, "--graph", graph, "--out", folder / f"corpus{size}", "--jobs", 2)
        first = first or peak
        taken = time.perf_counter() - started
        times = f"{peak / first:.2f}x"
        print(
            f"{written / 1e6:8.0f} MB of XML: {peak / 1e6:6.0f} MB at most, {times}, {taken:.0f} s",
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


def peak_memory(*arguments: object) -> int:
    """Run a command and return the largest sum of what its processes held, in bytes."""
    command = [sys.executable, "-m", "rollcall.cli.main", *map(str, arguments)]
    peak, stop = 0, threading.Event()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)

    def watch() -> None:
        nonlocal peak
        while not stop.wait(0.1):
            peak = max(peak, sum(private_memory(pid) for pid in processes_of(process.pid)))

    watcher = threading.Thread(target=watch)
    watcher.start()
    code = process.wait()
    stop.set()
    watcher.join()
    if code:
        raise SystemExit(f"{' '.join(command)} ended with {code}")
    return peak


def processes_of(session: int) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                if os.getsid(int(entry.name)) == session:
                    yield int(entry.name)
            except OSError:
                continue


def private_memory(pid: int) -> int:
    """Memory of one process; what it shares is counted in part, mapped files not at all."""
    try:
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    return sum(int(found) for found in re.findall(r"^Pss_(?:Anon|Shmem):\s+(\d+)", rows, re.MULTILINE)) * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entities", type=int, default=5000)
    parser.add_argument("--memory", type=int, nargs="+", metavar="MEGABYTES")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        world, graph, corpus = folder / "world", folder / "graph", folder / "corpus"
        run("world", world, "--entities", given.entities, "--seed", 7)
        run("graph", world / "wikidata.json.gz", "--out", graph)
        if given.memory:
            memory(world, graph, folder, given.memory)
            return
        run("corpus", world / "pages.xml.bz2", "--graph", graph, "--out", corpus)
        found_again(world, corpus)
        speeds(wikitext_pages(world))


if __name__ == "__main__":
    main()
