"""A small world with its graph, corpus and facts, and a search for evidence that is slow and plain."""

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from rollcall.corpus import make_corpus
from rollcall.graph import make_graph
from rollcall.world import write_world


def make_small_world(folder: Path, entities: int) -> Path:
    write_world(folder, entities, 5, jobs=1)
    make_graph([folder / "wikidata.json.gz"], folder / "graph", jobs=1)
    make_corpus([folder / "pages.xml.bz2"], folder / "corpus", graph=folder / "graph", jobs=1)
    write_facts(folder, folder / "facts.parquet")
    return folder


def write_facts(world: Path, out: Path) -> None:
    """All facts and values of a world's graph as the table that evidence is sought for."""
    facts = pq.read_table(world / "graph" / "facts.parquet", columns=["subject", "relation", "object"])
    values = pq.read_table(world / "graph" / "values.parquet", columns=["subject", "relation", "value"])
    values = values.rename_columns(["subject", "relation", "object"])
    parts = [
        part.append_column("literal", pa.array([literal] * part.num_rows, pa.bool_()))
        for part, literal in ((facts, False), (values, True))
    ]
    pq.write_table(pa.concat_tables(parts), out)


def naive_mentions(world: Path) -> set[tuple[str, str, str, str, int]]:
    """Fact, page and sentence wherever a name of the other end stands as whole words, in its case."""
    names: dict[str, set[str]] = {}
    for row in pq.read_table(world / "graph" / "entities.parquet").to_pylist():
        names.setdefault(row["id"], set()).add(row["label"] or row["id"])
    for folder in ("graph", "corpus"):
        for row in pq.read_table(world / folder / "aliases.parquet").to_pylist():
            names.setdefault(row["entity"], set()).add(row["text"])
    pages: dict[str, list[str]] = {}
    for row in pq.read_table(world / "corpus" / "ties.parquet").to_pylist():
        pages.setdefault(row["entity"], []).append(row["page"])
    texts: dict[str, list[str]] = {}
    for row in pq.read_table(world / "corpus" / "sentences.parquet").to_pylist():
        texts.setdefault(row["page"], []).append(row["text"])
    found = set()
    for row in pq.read_table(world / "graph" / "facts.parquet").to_pylist():
        subject, relation, object_ = row["subject"], row["relation"], row["object"]
        for topic, other in ((subject, object_), (object_, subject)):
            patterns = [re.compile(rf"(?<!\w){re.escape(name)}(?!\w)") for name in names.get(other, ())]
            for page in pages.get(topic, ()):
                for number, text in enumerate(texts[page]):
                    if any(pattern.search(text) for pattern in patterns):
                        found.add((subject, relation, object_, page, number))
    return found
