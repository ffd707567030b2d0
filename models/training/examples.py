"""Writes the examples from which the base model learns: sentences with two marked ends, and what they state.

    python models/training/examples.py labelled GRAPH CORPUS TRIPLES --out examples/labelled.jsonl.gz
    python models/training/examples.py distant GRAPH CORPUS --without TRIPLES --out examples/distant.jsonl.gz
    python models/training/examples.py world GRAPH CORPUS WORLD --out examples/world.jsonl.gz

`labelled`: the graph holds nearly all facts of the text, so that two things in one sentence without a
relation do not have it. `distant`: the graph is incomplete, so that a relation is only wrong for a subject
that has it with something else; facts whose two ends are named in TRIPLES are left out, so that the two
collections can be learned from and tested apart. `world`: the truth of a generated world is known.

Each line has `page`, `sentence` (as `rollcall.evidence.verifiers.learned.reading` marks it), `held` (words of
the relations it states), `wrong` (words of relations it does not state, the likelier ones more often) and
`unstated` (relations that hold, but that this sentence was judged not to state).
"""

import argparse
import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pyarrow as pa

from rollcall.corpus import Corpus
from rollcall.evidence.candidate import CandidateSentence, Places, from_table
from rollcall.evidence.labelled.triples import read_triples, to_candidates
from rollcall.evidence.labelled.world_truth import STATES, WorldTruth
from rollcall.evidence.search.run import find_candidates
from rollcall.evidence.verifiers.contrast.rivals import akin_relations
from rollcall.evidence.verifiers.learned.reading import RelationWords, marked
from rollcall.graph import Graph
from rollcall.tables.engine import opened
from rollcall.tables.evidence import Candidates
from rollcall.tables.graph import Facts, Types, Values
from rollcall.tables.mining import ProvableFacts
from rollcall.tables.reader import read
from rollcall.tables.table import schema
from rollcall.tables.writer import write_scratch

_WRONG = 12
"""How many wrong relations are listed for each pair, with repetition."""
_PER_RELATION = 1_500
"""How many sentences of one relation are used of a collection that is not labelled."""
_FEWEST = 40
"""A relation with fewer facts in such a collection is left out: its name may mean anything."""


class Pair(NamedTuple):
    """Two things that a sentence names."""

    candidate: CandidateSentence
    held: frozenset[str]


class Collection:
    """A graph in memory: what holds between two things, and what could hold."""

    def __init__(self, folder: Path) -> None:
        graph = Graph.open(folder)
        labels = zip(graph.index.relation_ids, graph.index.relation_labels, strict=True)
        self.words = RelationWords({id_: label for id_, label in labels if label})
        facts = read(Facts, folder / "facts.parquet").to_pydict()
        values = read(Values, folder / "values.parquet").to_pydict()
        entities = list(zip(facts["subject"], facts["relation"], facts["object"], strict=True))
        literals = list(zip(values["subject"], values["relation"], values["value"], strict=True))
        self.facts = [(*fact, False) for fact in entities] + [(*fact, True) for fact in literals]
        types = read(Types, folder / "types.parquet")
        direct = types.filter(types["direct"]).to_pydict()
        self._kind: dict[str, str] = {}
        for entity, kind in sorted(zip(direct["entity"], direct["class"], strict=True), reverse=True):
            self._kind[entity] = kind
        held: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.of_subject: dict[str, set[str]] = defaultdict(set)
        self.of_object: dict[str, set[str]] = defaultdict(set)
        self.between: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self.sizes: Counter[str] = Counter()
        for subject, relation, object_, literal in self.facts:
            held[subject, object_].add(relation)
            self.of_subject[subject].add(relation)
            self.of_object[object_].add(relation)
            self.between[self.kinds(subject, object_, literal)][relation] += 1
            self.sizes[relation] += 1
        self.held = {pair: frozenset(relations) for pair, relations in held.items()}
        names = {relation: self.words.of(relation) for relation in self.sizes}
        self.akin = akin_relations(names, self.held)
        self.common = {
            relation
            for relation, count in self.sizes.items()
            if count >= _FEWEST and names[relation].isascii() and len(names[relation]) > 3
        }
        self._near: dict[str, dict[str, float]] = {}

    def near(self, relation: str) -> dict[str, float]:
        """How much other relations have the same subjects and objects, for graphs without types."""
        if relation not in self._near:
            shared = [Counter[str](), Counter[str]()]
            for of_end, counter in zip((self.of_subject, self.of_object), shared, strict=True):
                for relations in of_end.values():
                    if relation in relations:
                        counter.update(relations)
            subjects, objects = shared
            self._near[relation] = {
                other: (0.1 + subjects[other] / subjects[relation])
                * (objects[other] / objects[relation]) ** 0.5
                for other in objects
                if other in self.common
            }
        return self._near[relation]

    def kinds(self, subject: str, object_: str, literal: bool) -> tuple[str, str]:
        return self._kind.get(subject, ""), "value" if literal else self._kind.get(object_, "")

    def search(self, corpus: Path, facts: Iterable[tuple[str, str, str, bool]]) -> list[CandidateSentence]:
        """The sentences that name both ends of some facts."""
        columns = list(zip(*facts, strict=True))
        with TemporaryDirectory() as temporary, opened("duckdb", memory="4GB") as engine:
            folder = Path(temporary)
            table = pa.table([list(column) for column in columns], schema=schema(ProvableFacts))
            write_scratch(table, folder / "facts.parquet")
            find_candidates(folder, self.folder, corpus, folder / "facts.parquet", engine)
            paths = sorted((folder / "candidates").glob("*.parquet"))
            return [candidate for path in paths for candidate in from_table(read(Candidates, path))]

    folder: Path


def opened_collection(folder: Path) -> Collection:
    collection = Collection(folder)
    collection.folder = folder
    return collection


def labelled(graph: Path, corpus: Path, triples: Path, rng: random.Random) -> Iterator[dict[str, object]]:
    collection = opened_collection(graph)
    found = collection.search(corpus, collection.facts)
    unstated = {
        (t["text"], t["subject"], collection.words.of(t["relation"]), t["object"])
        for t in _lines(triples)
        if t["kind"] == "decoy"
    }
    for pair in (*_pairs(found, collection), *_silent(found, collection)):
        c = pair.candidate
        possible = collection.between[collection.kinds(c.subject, c.object, c.literal)]
        wrong = {r: count for r, count in possible.items() if r not in pair.held}
        yield _line(pair, collection, wrong, rng, unstated)


def distant(
    graph: Path, corpus: Path, triples: Path | None, rng: random.Random
) -> Iterator[dict[str, object]]:
    collection = opened_collection(graph)
    lines = list(_lines(triples)) if triples else []
    apart = {name for line in lines for name in (line["subject"], line["object"])}
    pages = {line["document"] for line in lines}
    used: Counter[str] = Counter()
    found = collection.search(corpus, [fact for fact in collection.facts if fact[1] in collection.common])
    for pair in _pairs(found, collection):
        c = pair.candidate
        if c.page in pages or (c.subject_name in apart and c.object_name in apart):
            continue
        held = {r for r in pair.held & collection.common if used[r] < _PER_RELATION}
        if not held:
            continue
        used.update(held)
        akin = set().union(*(collection.akin.get(r, set()) for r in pair.held))
        possible = dict.fromkeys(collection.common, 0.0005)
        for relation in held:
            for other, nearness in collection.near(relation).items():
                possible[other] += nearness
        # An incomplete graph lacks facts, but seldom one of a relation that its subject already has.
        known = collection.of_subject[c.subject]
        wrong = {
            r: weight if r in known else weight / 4
            for r, weight in possible.items()
            if r not in pair.held and r not in akin
        }
        yield _line(pair._replace(held=frozenset(held)), collection, wrong, rng)


def world(graph: Path, corpus: Path, world_: Path, rng: random.Random) -> Iterator[dict[str, object]]:
    collection = opened_collection(graph)
    truth = WorldTruth(world_ / "truth.parquet", Corpus.open(corpus))
    drawn = [fact for fact in collection.facts if rng.random() < 12_000 / len(collection.facts)]
    found = collection.search(corpus, drawn)
    states = {
        (c.subject, c.relation, c.object, c.page, c.sentence): int(state)
        for c, state in zip(found, truth.states(found), strict=True)
    }
    for pair in _pairs(found, collection):
        c = pair.candidate
        stated = frozenset(
            r for r in pair.held if states.get((c.subject, r, c.object, c.page, c.sentence)) == STATES
        )
        akin = set().union(*(collection.akin.get(r, set()) for r in stated), stated)
        possible = collection.between[collection.kinds(c.subject, c.object, c.literal)]
        wrong = {r: count for r, count in possible.items() if r not in akin and r not in pair.held}
        line = _line(pair._replace(held=stated), collection, wrong, rng)
        line["unstated"] = sorted(collection.words.of(r) for r in pair.held - stated if r not in akin)
        yield line


def test(graph: Path, _corpus: Path, triples: Path, _rng: random.Random) -> Iterator[dict[str, object]]:
    opened_graph, words = Graph.open(graph), opened_collection(graph).words
    for line, candidate in zip(
        _lines(triples), to_candidates(read_triples(triples), opened_graph), strict=True
    ):
        yield {
            "page": line["document"],
            "sentence": marked(candidate),
            "relation": words.of(candidate.relation),
            "label": line["label"],
            "kind": line["kind"],
            "held": [],
            "unstated": [],
        }


def _pairs(found: Iterable[CandidateSentence], collection: Collection) -> Iterator[Pair]:
    """Each pair of things with a fact, once for each sentence that names both."""
    seen: set[tuple[str, str, str, int]] = set()
    for candidate in found:
        key = (candidate.subject, candidate.object, candidate.page, candidate.sentence)
        if key not in seen:
            seen.add(key)
            yield Pair(candidate, collection.held[candidate.subject, candidate.object])


def _silent(found: Iterable[CandidateSentence], collection: Collection) -> Iterator[Pair]:
    """Two things that a sentence names and that no fact connects."""
    sentences: dict[tuple[str, int], CandidateSentence] = {}
    ends: dict[tuple[str, int], dict[tuple[str, bool], tuple[str, Places]]] = defaultdict(dict)
    for c in found:
        key = (c.page, c.sentence)
        sentences[key] = c
        if c.subject_places:
            ends[key][c.subject, False] = c.subject_name, c.subject_places
        if c.object_places:
            ends[key][c.object, c.literal] = c.object_name, c.object_places
    for key, named in ends.items():
        c = sentences[key]
        for (subject, no_subject), (subject_name, subject_places) in named.items():
            for (object_, literal), (object_name, object_places) in named.items():
                if no_subject or subject == object_ or (subject, object_) in collection.held:
                    continue
                if set(subject_places) & set(object_places):
                    continue
                yield Pair(
                    CandidateSentence(
                        subject,
                        "",
                        object_,
                        c.text,
                        literal,
                        "neither",
                        c.before,
                        subject_name,
                        object_name,
                        subject_places,
                        object_places,
                        c.page,
                        c.sentence,
                    ),
                    frozenset(),
                )


def _line(
    pair: Pair,
    collection: Collection,
    wrong: dict[str, float],
    rng: random.Random,
    unstated: set[tuple[str, str, str, str]] = frozenset(),
) -> dict[str, object]:  # type: ignore[assignment]
    c, words = pair.candidate, collection.words
    held = sorted({words.of(relation) for relation in pair.held})
    said = {r: n for r, n in wrong.items() if words.of(r) not in held}
    drawn = rng.choices(list(said), list(said.values()), k=_WRONG) if said else []
    not_stated = [name for name in held if (c.text, c.subject_name, name, c.object_name) in unstated]
    return {
        "page": c.page,
        "sentence": marked(c),
        "named": bool(c.subject_places and c.object_places),
        "held": [name for name in held if name not in not_stated],
        "unstated": not_stated,
        "wrong": [words.of(relation) for relation in drawn],
    }


def _lines(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=["labelled", "distant", "world", "test"])
    parser.add_argument("graph", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("truth", type=Path, nargs="?", help="labelled triples, or the folder of a world")
    parser.add_argument("--without", type=Path, help="leave out facts whose ends these triples name")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    rng = random.Random(0)
    lines = (
        distant(given.graph, given.corpus, given.without, rng)
        if given.kind == "distant"
        else {"labelled": labelled, "world": world, "test": test}[given.kind](
            given.graph, given.corpus, given.truth, rng
        )
    )
    count: Counter[str] = Counter()
    given.out.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(given.out, "wt", encoding="utf-8") as file:
        for line in lines:
            count.update(sentences=1, held=len(line["held"]), unstated=len(line["unstated"]))  # type: ignore[arg-type]
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    print(given.out, dict(count))


if __name__ == "__main__":
    main()
