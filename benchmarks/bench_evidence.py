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

Which share of the sentences that people gave as evidence are candidates at all is printed for annotated text:
DOCRED, a folder as `bench_trust.py` takes it, by default that of the real data beside the project.

    python benchmarks/bench_evidence.py [DOCRED] [--entities 3000] [--world DIR]
    python benchmarks/bench_evidence.py --growth [--sentences 10000 100000 1000000]
"""

import argparse
import gzip
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import ibis  # noqa: F401  (its loading is not what is measured)
import pyarrow as pa
import pyarrow.parquet as pq

from _harness import (
    Arguments,
    Figures,
    installed,
    made_world,
    measured,
    peak_memory,
    real_data,
    run_benchmark,
)
from name_automata import WAYS

if TYPE_CHECKING:
    from rollcall.graph import Graph

Splitter = Callable[[str], list[str]]
KEPT = ".\0"


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
    if not installed("nltk"):
        return {"a stand-in for NLTK's splitter": restated_punkt, "rollcall's splitter": ours}
    from nltk.tokenize.punkt import PunktSentenceTokenizer

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


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("docred", type=Path, nargs="?", default=real_data("docred"), smoke=None)
    parser.add_argument("--entities", type=int, default=3000, smoke=500)
    parser.add_argument("--searches", type=int, default=3, smoke=1, help="before the loop, and after it")
    parser.add_argument("--world", type=Path, help="a folder with graph/ and corpus/, instead of a new world")
    parser.add_argument("--growth", action="store_true", help="time the search of all sentences by size")
    parser.add_argument("--sentences", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--search-only", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--where", default="own-pages", help=argparse.SUPPRESS)
    parser.add_argument("--names-by", choices=WAYS, help=argparse.SUPPRESS)
    return parser


def main(options: argparse.Namespace, figures: Figures) -> None:
    if options.growth:
        print_growth(options.sentences, figures)
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
        searches = [fresh_search(world) for _ in range(options.searches)]
        cores = os.cpu_count() or 1
        build, _ = measured(lambda: our_search(world, work / "cores", facts, cores))
        pairs, pages, labels = read_inputs(world)
        cuts = splitters()
        published = next(iter(cuts))
        cuts["sentences cut before, which is not counted"] = cut_before(pages, cuts["rollcall's splitter"])
        loops = {}
        for name, cut in cuts.items():
            loops[name] = measured(lambda cut=cut: published_loop(pairs, pages, labels, cut))
            if name == published:  # it takes long, and the machine's speed may change meanwhile
                searches += [fresh_search(world) for _ in range(options.searches)]
        print(f"{len(pairs):,} facts between entities; seconds of processor time of one process")
        start, ours = (statistics.median(one[column] for one in searches) for column in (1, 2))
        every = ", ".join(f"{one[2]:.2f}" for one in searches)
        print(
            f"rollcall: {ours:.2f} s, the median of {every} "
            f"(a search for one fact before each: {start:.2f} s), "
            f"{searches[0][0]:,} candidates, all names, both pages"
        )
        figures["rollcall, core-seconds"] = ours
        for name, (cost, facts_with_candidates) in loops.items():
            loop = cost.core_seconds
            figures[f"loop with {name}, times rollcall's"] = loop / ours
            print(
                f"published loop with {name}: {loop:.2f} s, {facts_with_candidates:,} facts; "
                f"{loop / ours:.1f} times rollcall's, {loop / (ours + start):.1f} with the start"
            )
            if name == published:
                print(
                    f"  by the clock on the wall, rollcall as a build runs it ({cores} cores): "
                    f"{build.seconds:.2f} s, this loop (one process): {cost.seconds:.2f} s; "
                    f"{cost.seconds / build.seconds:.1f} times"
                )
        if options.docred:
            given_evidence(options.docred, work, figures)
        else:
            print("sentences given as evidence: not measured, no annotated text (DOCRED)")


def given_evidence(docred: Path, work: Path, figures: Figures) -> None:
    """Print how much of the evidence that people gave are candidates, by where the search looks."""
    from rollcall.corpus import make_corpus
    from rollcall.evidence.candidate import from_table
    from rollcall.graph import make_graph
    from rollcall.tables.build import Candidates
    from rollcall.tables.files import read

    names = ("facts.tsv.gz", "values.tsv.gz", "entities.jsonl.gz", "relations.tsv")
    made = work / "docred"
    graph = make_graph([docred / name for name in names], made / "graph")
    make_corpus([docred / "pages.jsonl.gz"], made / "corpus", graph=made / "graph")
    facts = wanted_facts(made / "graph")
    with gzip.open(docred / "triples.jsonl.gz", "rt", encoding="utf-8") as file:
        given = [one for one in map(json.loads, file) if one["label"]]
    for where in ("own-pages", "anywhere"):
        our_search(made, made / where, facts, where=where)
        told: dict[tuple[str, str], list[tuple[list[str], list[str] | None]]] = {}
        with_candidate = set()
        for path in sorted((made / where / "candidates").glob("*.parquet")):
            for one in from_table(read(Candidates, path)):
                ends = names_of(graph, one.subject), names_of(graph, one.object)
                told.setdefault((one.text.strip(), one.relation), []).append(ends)
                with_candidate.add((one.subject, one.relation, one.object))
        right = sum(
            any(
                one["subject"] in subject and (object_ is None or one["object"] in object_)
                for subject, object_ in told.get((one["text"].strip(), one["relation"]), ())
            )
            for one in given
        )
        figures[f"given evidence found, {where}"] = right / len(given)
        print(
            f"{docred.name}, {where}: {right / len(given):.1%} of {len(given):,} sentences given as evidence "
            f"are candidates; {len(with_candidate):,} of {facts.num_rows:,} facts have one"
        )


def wanted_facts(graph: Path) -> pa.Table:
    """All facts and values of a graph, as the search wants them."""
    parts = []
    for table, object_ in (("facts", "object"), ("values", "value")):
        rows = pq.read_table(graph / f"{table}.parquet", columns=["subject", "relation", object_])
        rows = rows.rename_columns(["subject", "relation", "object"])
        parts.append(rows.append_column("literal", pa.array([table == "values"] * rows.num_rows)))
    return pa.concat_tables(parts)


def names_of(graph: "Graph", id_: str) -> list[str] | None:
    """The names of an entity; None for a value, which people write in other ways."""
    if graph.index.entity_number(id_) is None:
        return None
    record = graph.entity(id_)
    return [record.label or id_, *record.aliases]


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


def print_growth(sizes: list[int], figures: Figures) -> None:
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
        figures[f"{size} sentences, seconds"] = seconds = took


def fresh_search(world: Path) -> list[float]:
    """A search by a process of its own: candidates, seconds of the start, seconds."""
    return fresh(world, "--search-only")


def fresh(world: Path, *options: str) -> list[float]:
    command = [sys.executable, __file__, "--world", str(world), *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def names_found(world: Path, work: Path, facts: pa.Table, way: str) -> list[float]:
    """How many places a way finds, its seconds, and the peak memory of its process in MB."""
    from rollcall.evidence.search.page import BlockTexts, read_blocks, spans, values
    from rollcall.tables.build import PageWants
    from rollcall.text.name_forms import known_forms

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
        cost, places = measured(lambda pages=pages: WAYS[way](pages))
        count, seconds = count + places, seconds + cost.core_seconds
    return [count, seconds, peak_memory() / 1e6]


def print_ways(world: Path) -> None:
    counts = set()
    for way in WAYS:
        package = way.partition(",")[0]
        module = {"pyahocorasick": "ahocorasick", "str.find": "re"}.get(package, package)
        if not installed(module, pip=package):
            continue
        count, seconds, peak = fresh(world, "--names-by", way)
        counts.add(count)
        print(f"names by {way}: {seconds:.2f} s, {count:,.0f} places, {peak:,.0f} MB at most")
    assert len(counts) == 1, "all ways find the same places"


def searched(world: Path, facts: pa.Table, where: str) -> list[float]:
    """The candidates, seconds of the start, seconds, and the peak memory in MB."""
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        start, _ = measured(lambda: our_search(world, work / "start", facts.slice(0, 1), where=where))
        search, candidates = measured(lambda: our_search(world, work / "search", facts, where=where))
    return [candidates, start.core_seconds, search.core_seconds, peak_memory() / 1e6]


if __name__ == "__main__":
    run_benchmark(arguments(), main)
