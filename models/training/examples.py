"""Writes the examples from which the base model learns: sentences with two marked ends, and what they state.

    python models/training/examples.py labelled GRAPH CORPUS TRIPLES --out examples/labelled.jsonl.gz
    python models/training/examples.py distant GRAPH CORPUS --without TRIPLES --out examples/real.jsonl.gz
    python models/training/examples.py world GRAPH CORPUS WORLD --out examples/w11.jsonl.gz
    python models/training/examples.py test GRAPH TRIPLES --out examples/test.jsonl.gz

`labelled`: the graph holds nearly all facts of the text, so that two things in one sentence without a
relation do not have it. `distant`: the graph is incomplete, so that a relation is only wrong for a subject
that has it with something else; facts whose two ends are named in TRIPLES are left out, so that the two
collections can be learned from and tested apart. `world`: the truth of a generated world is known. `test`:
the labelled triples themselves, to measure with. `records.py` says what the lines contain.
"""

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import msgspec

from collection import Collection, relation_words
from records import JudgedTriple, Sentence, write
from rollcall._core.files import open_compressed
from rollcall.corpus import Corpus
from rollcall.evidence.candidate import CandidateSentence, Places
from rollcall.evidence.labelled import STATES, Triple, WorldTruth, to_candidates
from rollcall.evidence.verifiers.learned.verifier import RelationWords, marked
from rollcall.graph import Graph

_WRONG = 12
"""How many wrong relations are listed for each pair, with repetition."""
_PER_RELATION = 1_500
"""How many sentences of one relation are used of a collection that is not labelled."""
_WORLD_FACTS = 12_000
"""For how many facts of a world sentences are sought."""
_ANY = 0.0005
"""The weight of a relation that shares no ends with the one that holds."""


class Pair(NamedTuple):
    """Two things that a sentence names, and the relations between them."""

    candidate: CandidateSentence
    held: frozenset[str]


class AnnotatedTriple(Triple, frozen=True, kw_only=True):
    """A labelled triple with its page, and why it has its label: `true`, `wrong` or `decoy`."""

    document: str
    kind: str


def labelled(graph: Path, corpus: Path, triples: Path) -> Iterator[Sentence]:
    """Examples from text whose facts are nearly all known; triples of the kind `decoy` are not stated."""
    collection, rng = Collection(graph, corpus), random.Random(0)
    words = collection.words
    decoys = {
        (one.text, one.subject, words.of(one.relation), one.object)
        for one in annotated_triples(triples)
        if one.kind == "decoy"
    }
    found = collection.search(collection.facts)
    for pair in (*_pairs(found, collection), *_silent(found, collection)):
        c = pair.candidate
        held = {words.of(relation) for relation in pair.held}
        unstated = {name for name in held if (c.text, c.subject_name, name, c.object_name) in decoys}
        wrong = {r: count for r, count in collection.possible(c).items() if r not in pair.held}
        yield _sentence(c, held, unstated, wrong, words, rng)


def distant(graph: Path, corpus: Path, without: Path | None) -> Iterator[Sentence]:
    """Examples from text of which only some facts are known, none of them between two ends of the triples."""
    collection, rng = Collection(graph, corpus), random.Random(0)
    triples = annotated_triples(without) if without else []
    apart = {name for one in triples for name in (one.subject, one.object)}
    pages = {one.document for one in triples}
    used: Counter[str] = Counter()
    found = collection.search(fact for fact in collection.facts if fact.relation in collection.common)
    for pair in _pairs(found, collection):
        c = pair.candidate
        if c.page in pages or (c.subject_name in apart and c.object_name in apart):
            continue
        held = {r for r in pair.held & collection.common if used[r] < _PER_RELATION}
        if held:
            used.update(held)
            names = {collection.words.of(relation) for relation in held}
            yield _sentence(c, names, set(), _unlikely(pair, held, collection), collection.words, rng)


def _unlikely(pair: Pair, held: set[str], collection: Collection) -> dict[str, float]:
    """Relations that probably do not hold for a pair, by how easily they are taken for those that do."""
    akin = set().union(*(collection.akin.get(r, set()) for r in pair.held))
    weights = dict.fromkeys(sorted(collection.common), _ANY)
    for relation in sorted(held):
        for other, nearness in collection.near(relation).items():
            weights[other] += nearness
    # An incomplete graph lacks facts, but seldom one of a relation that its subject already has.
    known = collection.of_subject[pair.candidate.subject]
    return {
        r: weight if r in known else weight / 4
        for r, weight in weights.items()
        if r not in pair.held and r not in akin
    }


def world(graph: Path, corpus: Path, folder: Path) -> Iterator[Sentence]:
    """Examples from a generated world, whose truth says what each sentence states."""
    collection, rng = Collection(graph, corpus), random.Random(0)
    truth = WorldTruth(folder / "truth.parquet", Corpus.open(corpus))
    share = _WORLD_FACTS / len(collection.facts)
    found = collection.search([fact for fact in collection.facts if rng.random() < share])
    states = {
        (c.subject, c.relation, c.object, c.page, c.sentence): int(state)
        for c, state in zip(found, truth.states(found), strict=True)
    }
    words = collection.words
    for pair in _pairs(found, collection):
        c = pair.candidate
        stated = {r for r in pair.held if states.get((c.subject, r, c.object, c.page, c.sentence)) == STATES}
        akin = stated.union(*(collection.akin.get(r, set()) for r in stated))
        wrong = {r: n for r, n in collection.possible(c).items() if r not in akin and r not in pair.held}
        held = {words.of(relation) for relation in stated}
        unstated = {words.of(relation) for relation in pair.held - akin} - held
        yield _sentence(c, held, unstated, wrong, words, rng)


def test(graph: Path, triples: Path) -> Iterator[JudgedTriple]:
    """The labelled triples, as the model reads them."""
    opened = Graph.open(graph)
    words = relation_words(opened)
    annotated = annotated_triples(triples)
    for one, candidate in zip(annotated, to_candidates(list(annotated), opened), strict=True):
        yield {
            "page": one.document,
            "sentence": marked(candidate),
            "relation": words.of(candidate.relation),
            "kind": one.kind,
        }


def annotated_triples(path: Path) -> list[AnnotatedTriple]:
    """The triples of a file of JSON lines, compressed or not."""
    decoder = msgspec.json.Decoder(AnnotatedTriple)
    with open_compressed(path) as lines:
        return [decoder.decode(line) for line in lines]


def _pairs(found: Iterable[CandidateSentence], collection: Collection) -> Iterator[Pair]:
    """Each pair of things with a fact, once for each sentence that names both."""
    seen: set[tuple[str, str, str, int]] = set()
    for candidate in found:
        key = (candidate.subject, candidate.object, candidate.page, candidate.sentence)
        if key not in seen:
            seen.add(key)
            yield Pair(candidate, collection.held[candidate.subject, candidate.object])


class _End(NamedTuple):
    """A thing or a value that a sentence names."""

    id: str
    literal: bool
    name: str
    places: Places


def _silent(found: Iterable[CandidateSentence], collection: Collection) -> Iterator[Pair]:
    """Two things that a sentence names and that no fact connects."""
    sentences: dict[tuple[str, int], CandidateSentence] = {}
    ends: dict[tuple[str, int], dict[tuple[str, bool], _End]] = defaultdict(dict)
    for c in found:
        key = (c.page, c.sentence)
        sentences[key] = c
        if c.subject_places:
            ends[key][c.subject, False] = _End(c.subject, False, c.subject_name, c.subject_places)
        if c.object_places:
            ends[key][c.object, c.literal] = _End(c.object, c.literal, c.object_name, c.object_places)
    for key, named in ends.items():
        for subject, object_ in product(named.values(), repeat=2):
            if subject.literal or subject.id == object_.id or (subject.id, object_.id) in collection.held:
                continue
            if set(subject.places).isdisjoint(object_.places):
                yield Pair(_between(subject, object_, sentences[key]), frozenset())


def _between(subject: _End, object_: _End, sentence: CandidateSentence) -> CandidateSentence:
    """The candidate for two ends of a sentence and no relation."""
    return CandidateSentence(
        subject=subject.id,
        relation="",
        object=object_.id,
        text=sentence.text,
        literal=object_.literal,
        side="neither",
        before=sentence.before,
        subject_name=subject.name,
        object_name=object_.name,
        subject_places=subject.places,
        object_places=object_.places,
        page=sentence.page,
        sentence=sentence.sentence,
    )


def _sentence(
    candidate: CandidateSentence,
    held: set[str],
    unstated: set[str],
    wrong: dict[str, float],
    words: RelationWords,
    rng: random.Random,
) -> Sentence:
    """The line of a candidate; `held` and `unstated` are words, `wrong` relations with their weights."""
    weights = {relation: weight for relation, weight in wrong.items() if words.of(relation) not in held}
    drawn = rng.choices(list(weights), list(weights.values()), k=_WRONG) if weights else []
    return {
        "page": candidate.page,
        "sentence": marked(candidate),
        "named": bool(candidate.subject_places and candidate.object_places),
        "held": sorted(held - unstated),
        "unstated": sorted(unstated),
        "wrong": [words.of(relation) for relation in drawn],
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the examples of one collection."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    given_with = {
        "labelled": ("graph", "corpus", "triples"),
        "distant": ("graph", "corpus"),
        "world": ("graph", "corpus", "world"),
        "test": ("graph", "triples"),
    }
    for kind, paths in given_with.items():
        one = kinds.add_parser(kind)
        for path in paths:
            one.add_argument(path, type=Path)
        if kind == "distant":
            one.add_argument("--without", type=Path, help="leave out facts whose ends these triples name")
        one.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    lines: Iterable[Sentence] | Iterable[JudgedTriple]
    if given.kind == "labelled":
        lines = labelled(given.graph, given.corpus, given.triples)
    elif given.kind == "distant":
        lines = distant(given.graph, given.corpus, given.without)
    elif given.kind == "world":
        lines = world(given.graph, given.corpus, given.world)
    else:
        lines = test(given.graph, given.triples)
    print(f"{given.out}: {write(given.out, lines)} lines")


if __name__ == "__main__":
    main()
