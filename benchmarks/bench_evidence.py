"""Compares the search for evidence with a loop over pages and labels as published code does it, in one run.

The loop, restated from the description of the QAMPARI release: for each fact take the subject's page, make it
lower-case, cut it into sentences, and take the sentences that contain the object's label as a substring, or
else its next label, until one is found; only if none is, do the same on the object's page with the subject's
labels. Labels with a full stop inside are kept from being cut; what is found is handed on with the sentence
before it, both capitalised. The published splitter is NLTK's; where that is not installed, Punkt's rules
stand in as far as two regular expressions have them, which is much faster.

Both get the same facts. The loop has all pages and labels in memory, and reading them is not counted; the
search is counted from the tables on disk to the candidates on disk. Its start (the engine, the compilation of
its queries, the modules) is the time of a search for one fact, done first, and is printed by itself. The
search is timed six times, by processes of their own, half of them after the loop, and the median counts.
Times are of the processor, in one process. The loop over sentences cut beforehand shows what the cutting
costs.

The finding of names alone is also timed against automata (Aho-Corasick), where `ahocorasick_rs` or
`pyahocorasick` is installed: one automaton for the names of each page, or one for those of a block of pages,
each way in a process of its own with its peak memory. All ways must find the same places.
One more line, which says so, is of the clock on the wall: the search as a build runs it, on all cores, its
processes' start included, beside the loop, which has no such way to run.

The loop knows the pages of ends only, so the search is held to the same (`own-pages`) there. The search of
all sentences is timed by itself, with `--growth`: over generated corpora without links, whose pages are about
none of the entities, with facts and entities that grow like the sentences, and with one entity that a fifth
of all sentences name and a fifth of all facts have.

    python benchmarks/bench_evidence.py [--entities 3000] [--world DIR]
    python benchmarks/bench_evidence.py --growth [--sentences 10000 100000 1000000]
"""

import argparse
import importlib.util
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import ibis  # noqa: F401  (its loading is not what is measured)
import pyarrow as pa
import pyarrow.parquet as pq

from name_automata import WAYS

Splitter = Callable[[str], list[str]]
KEPT = ".\0"
SEARCHES = 3
"""So many before the loop and as many after it."""


def made_world(folder: Path, entities: int) -> Path:
    from rollcall.corpus import make_corpus
    from rollcall.graph.make import make_graph
    from rollcall.world import write_world

    write_world(folder, entities, 1)
    make_graph([folder / "wikidata.json.gz"], folder / "graph")
    make_corpus([folder / "pages.xml.bz2"], folder / "corpus", graph=folder / "graph")
    return folder


def read_inputs(world: Path) -> tuple[list[tuple[str, str]], dict[str, str], dict[str, list[str]]]:
    """Pairs of ends, page text by entity, labels by entity (label first)."""
    facts = pq.read_table(world / "graph" / "facts.parquet").to_pylist()
    labels: dict[str, list[str]] = {}
    for row in pq.read_table(world / "graph" / "entities.parquet").to_pylist():
        labels[row["id"]] = [row["label"]] if row["label"] else []
    for folder in ("graph", "corpus"):
        for row in pq.read_table(world / folder / "aliases.parquet").to_pylist():
            if row["text"] not in labels.setdefault(row["entity"], []):
                labels[row["entity"]].append(row["text"])
    texts: dict[str, list[str]] = {}
    for row in pq.read_table(world / "corpus" / "sentences.parquet").to_pylist():
        texts.setdefault(row["page"], []).append(row["text"] + row["after"])
    page_of = {
        row["entity"]: row["page"] for row in pq.read_table(world / "corpus" / "ties.parquet").to_pylist()
    }
    pages = {entity: "".join(texts.get(page, ())) for entity, page in page_of.items()}
    return [(row["subject"], row["object"]) for row in facts], pages, labels


def published_loop(
    pairs: list[tuple[str, str]], pages: dict[str, str], labels: dict[str, list[str]], cut: Splitter
) -> int:
    """How many facts get candidates."""
    found = 0
    for subject, object_ in pairs:
        candidates = on_page(pages.get(subject, ""), labels.get(object_, []), cut)
        candidates = candidates or on_page(pages.get(object_, ""), labels.get(subject, []), cut)
        found += bool(candidates)
    return found


def on_page(page: str, labels: list[str], cut: Splitter) -> list[str]:
    """The sentences with the first label that is found, each behind its predecessor."""
    text = page.lower()
    for label in labels:
        if ". " in label:
            text = text.replace(label.lower(), label.lower().replace(". ", KEPT))
    sentences = [sentence.replace(KEPT, ". ") for sentence in cut(text)]
    for label in labels:
        hits = [number for number, sentence in enumerate(sentences) if label.lower() in sentence]
        if hits:
            return [
                " ".join(part.capitalize() for part in sentences[max(0, number - 1) : number + 1])
                for number in hits
            ]
    return []


def our_search(world: Path, folder: Path, facts: pa.Table, jobs: int = 1, where: str = "own-pages") -> int:
    from rollcall.evidence.search.run import find_candidates
    from rollcall.tables.engine import opened

    folder.mkdir()
    pq.write_table(facts, folder / "facts.parquet")
    with opened(jobs=jobs) as engine:
        return find_candidates(
            folder, world / "graph", world / "corpus", folder / "facts.parquet", engine, where=where
        ).candidates


def splitters() -> dict[str, Splitter]:
    """NLTK's splitter, as published, or a stand-in; and ours."""
    from rollcall.text.sentences import split

    ours: Splitter = lambda text: [text[start:end] for start, end in split(text)]  # noqa: E731
    try:
        from nltk.tokenize.punkt import PunktSentenceTokenizer
    except ImportError:
        return {"a stand-in for NLTK's splitter": restated_punkt, "rollcall's splitter": ours}
    return {"NLTK's splitter": PunktSentenceTokenizer().tokenize, "rollcall's splitter": ours}


_MAY_END = re.compile(r"\S*[.?!](?=[)\"';\]]*\s+\S)[)\"';\]]*\s+")
_ABBREVIATED = re.compile(r"(?:\b[a-z]|\.[a-z]+|\b(?:mr|mrs|ms|dr|st|jr|sr|vs|etc|inc|co|no))\.\Z")


def restated_punkt(text: str) -> list[str]:
    """Sentences end at a mark before a blank, unless the word before is an initial or an abbreviation."""
    sentences, start = [], 0
    for match in _MAY_END.finditer(text):
        if not _ABBREVIATED.search(match[0].rstrip()):
            sentences.append(text[start : match.end()].rstrip())
            start = match.end()
    return [*sentences, text[start:]] if start < len(text) else sentences


def cut_before(pages: dict[str, str], cut: Splitter) -> Splitter:
    """A splitter that has cut all pages already."""
    known = {text.lower(): cut(text.lower()) for text in {*pages.values(), ""}}
    return lambda text: known[text.replace(KEPT, ". ")]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--entities", type=int, default=3000)
    parser.add_argument("--world", type=Path, help="a folder with graph/ and corpus/, instead of a new world")
    parser.add_argument("--growth", action="store_true", help="time the search of all sentences by size")
    parser.add_argument("--sentences", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--search-only", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--where", default="own-pages", help=argparse.SUPPRESS)
    parser.add_argument("--names-by", choices=WAYS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.growth:
        print_growth(options.sentences)
        return
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        world = options.world or made_world(work / "world", options.entities)
        facts = pq.read_table(world / "graph" / "facts.parquet", columns=["subject", "relation", "object"])
        facts = facts.append_column("literal", pa.array([False] * facts.num_rows))
        if options.search_only:
            print(json.dumps(searched(world, facts, options.where)))
            return
        if options.names_by:
            print(json.dumps(names_found(world, work, facts, options.names_by)))
            return
        print_ways(world)
        searches = [fresh_search(world) for _ in range(SEARCHES)]
        cores = os.cpu_count() or 1
        _same, _ours, our_wall = timed(lambda: our_search(world, work / "cores", facts, cores))
        pairs, pages, labels = read_inputs(world)
        cuts = splitters()
        published = next(iter(cuts))
        cuts["sentences cut before, which is not counted"] = cut_before(pages, cuts["rollcall's splitter"])
        loops = {}
        for name, cut in cuts.items():
            loops[name] = timed(lambda cut=cut: published_loop(pairs, pages, labels, cut))
            if name == published:  # it takes long, and the machine's speed may change meanwhile
                searches += [fresh_search(world) for _ in range(SEARCHES)]
        print(f"{len(pairs):,} facts between entities; seconds of processor time of one process")
        start, ours = (statistics.median(one[column] for one in searches) for column in (1, 2))
        every = ", ".join(f"{one[2]:.2f}" for one in searches)
        print(
            f"rollcall: {ours:.2f} s, the median of {every} "
            f"(a search for one fact before each: {start:.2f} s), "
            f"{searches[0][0]:,} candidates, all names, both pages"
        )
        for name, (found, loop, wall) in loops.items():
            print(
                f"published loop with {name}: {loop:.2f} s, {found:,} facts; "
                f"{loop / ours:.1f} times rollcall's, {loop / (ours + start):.1f} with the start"
            )
            if name == published:
                print(
                    f"  by the clock on the wall, rollcall as a build runs it ({cores} cores): "
                    f"{our_wall:.2f} s, this loop (one process): {wall:.2f} s; {wall / our_wall:.1f} times"
                )


SYLLABLES = re.findall("..", "badefigolumanepirosutavekyhodu")
FILLER = re.findall(
    r"\w+", "after long talks about the new plan that was made in an old port by several firms"
)


def news(folder: Path, sentences: int) -> Path:
    """A graph, and a corpus of reports about it without links: a tenth as many entities as sentences."""
    from rollcall.corpus import make_corpus
    from rollcall.graph.make import make_graph

    random = Random(sentences)
    folder.mkdir()
    words = ["".join(random.choices(SYLLABLES, k=3)).title() for _ in range(sentences // 5)]
    labels = [f"{one} {other}" for one, other in zip(words[::2], words[1::2], strict=True)]
    hub = labels[0]
    facts = [
        (f"e{random.randrange(len(labels))}", f"e{0 if number % 5 == 0 else random.randrange(len(labels))}")
        for number in range(sentences // 2)
    ]
    with (folder / "entities.jsonl").open("w") as file:
        for number, label in enumerate(labels):
            aliases = [{"text": f"{label} Group", "count": 1}] if number % 3 == 0 else []
            file.write(
                json.dumps({"id": f"e{number}", "label": label, "aliases": aliases, "types": []}) + "\n"
            )
    with (folder / "facts.tsv").open("w") as file:
        file.write("subject\trelation\tobject\n")
        file.writelines(f"{subject}\tdeals with\t{object_}\n" for subject, object_ in facts)
    with (folder / "pages.jsonl").open("w") as file:
        for page in range(sentences // 10):
            told = []
            for _ in range(10):
                named = [labels[int(end[1:])] for end in random.choice(facts)]
                named[1] = random.choice(labels) if random.random() < 0.5 else named[1]
                also = f" and {hub}" if random.random() < 0.2 else ""
                words = " ".join(random.choices(FILLER, k=9))
                told.append(f"In {1900 + page % 100}, {named[0]} dealt with {named[1]}{also} {words}.")
            record = {"id": f"p{page}", "title": f"Report {page}", "entity": None, "text": " ".join(told)}
            file.write(json.dumps(record) + "\n")
    make_graph([folder / "entities.jsonl", folder / "facts.tsv"], folder / "graph")
    make_corpus([folder / "pages.jsonl"], folder / "corpus", graph=folder / "graph")
    return folder


def print_growth(sizes: list[int]) -> None:
    """Time the search over corpora of these sizes, each in a process of its own."""
    seconds = 0.0
    for size in sizes:
        with tempfile.TemporaryDirectory() as temporary:
            world = news(Path(temporary) / "news", size)
            candidates, _start, took, peak = fresh(world, "--search-only", "--where", "anywhere")
        grown = f", {took / seconds:.1f} times" if seconds else ""
        print(
            f"{size:,} sentences: {took:.1f} s, {candidates:,.0f} candidates, {peak:,.0f} MB at most{grown}"
        )
        seconds = took


def fresh_search(world: Path) -> list[float]:
    """A search by a process of its own: candidates, seconds of the start, seconds."""
    return fresh(world, "--search-only")


def fresh(world: Path, *options: str) -> list[float]:
    command = [sys.executable, __file__, "--world", str(world), *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def names_found(world: Path, work: Path, facts: pa.Table, way: str) -> list[float]:
    """How many places a way finds, its seconds, and the peak memory of its process in MB."""
    import resource

    from rollcall.evidence.names.matcher import known_forms
    from rollcall.evidence.search.page import BlockTexts, read_blocks, spans, values
    from rollcall.tables.build import PageWants

    our_search(world, work / "search", facts)  # whose tables of wants are read below
    count, seconds = 0, 0.0
    for block in read_blocks(PageWants, work / "search", world / "corpus"):
        texts, names = BlockTexts(block.sentences, block.links), values(block.wants["names"])
        pages = [
            (
                page.text,
                list(dict.fromkeys(form.text for row in names[first:last] for form in known_forms(row))),
            )
            for name, (first, last) in spans(block.wants["page"]).items()
            if (page := texts.page(name)) is not None
        ]
        found, processor, _wall = timed(lambda pages=pages: WAYS[way](pages))
        count, seconds = count + found, seconds + processor
    return [count, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]


def print_ways(world: Path) -> None:
    counts = set()
    for way in WAYS:
        if importlib.util.find_spec({"a": "ahocorasick_rs", "p": "ahocorasick"}.get(way[0], "re")) is None:
            print(f"names by {way}: not installed")
            continue
        count, seconds, peak = fresh(world, "--names-by", way)
        counts.add(count)
        print(f"names by {way}: {seconds:.2f} s, {count:,.0f} places, {peak:,.0f} MB at most")
    assert len(counts) == 1, "all ways find the same places"


def searched(world: Path, facts: pa.Table, where: str) -> list[float]:
    """The candidates, seconds of the start, seconds, and the peak memory in MB."""
    import resource

    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        _one, start, _wall = timed(lambda: our_search(world, work / "start", facts.slice(0, 1), where=where))
        candidates, ours, _wall = timed(lambda: our_search(world, work / "search", facts, where=where))
    return [candidates, start, ours, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]


def timed(run: Callable[[], int]) -> tuple[int, float, float]:
    """What a function returns, the processor time it takes in this process, and that of the wall's clock."""
    wall, processor = time.perf_counter(), time.process_time()
    result = run()
    return result, time.process_time() - processor, time.perf_counter() - wall


if __name__ == "__main__":
    main()
