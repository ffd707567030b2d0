"""Compares the search for evidence with a loop over pages and labels as published code does it, in one run.

The loop, restated from the description of the QAMPARI release: for each fact take the subject's page, make it
lower-case, cut it into sentences, and take the sentences that contain the object's label as a substring, or
else its next label, until one is found; only if none is, do the same on the object's page with the subject's
labels. Both get the same facts; the loop has all pages in memory. Times are of one process.

    python benchmarks/bench_evidence.py [--entities 3000] [--world DIR]
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import ibis  # noqa: F401  (its loading is not what is measured)
import pyarrow as pa
import pyarrow.parquet as pq

Splitter = Callable[[str], list[str]]


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
        candidates: list[str] = []
        for topic, other in ((subject, object_), (object_, subject)):
            text = pages.get(topic, "").lower()
            sentences = cut(text)
            for label in labels.get(other, ()):
                candidates = [sentence for sentence in sentences if label.lower() in sentence]
                if candidates:
                    break
            if candidates:
                break
        found += bool(candidates)
    return found


def our_search(world: Path, folder: Path) -> int:
    from rollcall.engine import Workbench
    from rollcall.evidence.search import search_all
    from rollcall.evidence.wants import name_inputs, write_wants

    facts = pq.read_table(world / "graph" / "facts.parquet", columns=["subject", "relation", "object"])
    facts = facts.append_column("literal", pa.array([False] * facts.num_rows))
    pq.write_table(facts, folder / "facts.parquet")
    with Workbench("1GB", 1, folder / "spill") as bench:
        name_inputs(bench, world / "graph", world / "corpus", folder / "facts.parquet")
        write_wants(bench, folder)
    return search_all(folder, world / "corpus", 1)


def splitters() -> dict[str, Splitter]:
    """NLTK's splitter, as published, if it is there; and ours, which is many times faster."""
    from rollcall.corpus.sentences import split

    found: dict[str, Splitter] = {
        "rollcall's splitter": lambda text: [text[start:end] for start, end in split(text)]
    }
    try:
        from nltk.tokenize.punkt import PunktSentenceTokenizer
    except ImportError:
        print(
            "NLTK is not installed, so that the loop is only timed with a splitter much faster than its own"
        )
    else:
        found["NLTK's splitter"] = PunktSentenceTokenizer().tokenize
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--entities", type=int, default=3000)
    parser.add_argument("--world", type=Path, help="a folder with graph/ and corpus/, instead of a new world")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        world = options.world or made_world(work / "world", options.entities)
        (work / "search").mkdir()
        start = time.process_time()
        candidates = our_search(world, work / "search")
        ours = time.process_time() - start
        pairs, pages, labels = read_inputs(world)
        print(f"{len(pairs):,} facts between entities; seconds of processor time of one process")
        print(f"rollcall: {ours:.1f} s, {candidates:,} candidates, all names, both pages")
        for name, cut in splitters().items():
            start = time.process_time()
            found = published_loop(pairs, pages, labels, cut)
            loop = time.process_time() - start
            print(f"published loop with {name}: {loop:.1f} s, {found:,} facts; ratio {loop / ours:.1f}")


if __name__ == "__main__":
    main()
