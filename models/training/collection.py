"""A graph with its corpus: what holds between two things, what could hold, and which sentences name both."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pyarrow as pa

from rollcall.evidence.candidate import CandidateSentence, from_table
from rollcall.evidence.search.run import find_candidates
from rollcall.evidence.verifiers.contrast.training_sentences import akin_relations
from rollcall.evidence.verifiers.learned.verifier import RelationWords
from rollcall.graph import Graph
from rollcall.tables.build import Candidates, ProvableFacts
from rollcall.tables.engine import opened
from rollcall.tables.files import read, write_scratch
from rollcall.tables.graph import Facts, Types, Values
from rollcall.tables.table import schema

_FEWEST = 40
"""A relation with fewer facts is not common: its name may mean anything."""


class Fact(NamedTuple):
    """A fact of the graph, in the columns of the table that evidence is sought for."""

    subject: str
    relation: str
    object: str
    literal: bool


class Collection:
    """The facts of a graph, and the sentences of a corpus that name their ends."""

    def __init__(self, graph: Path, corpus: Path) -> None:
        self._graph, self._corpus = graph, corpus
        self.words = relation_words(Graph.open(graph))
        self.facts = _facts(graph)
        self._class_of = _classes(graph)
        held: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.of_subject: dict[str, set[str]] = defaultdict(set)
        self._of_object: dict[str, set[str]] = defaultdict(set)
        self._between: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        sizes: Counter[str] = Counter()
        for fact in self.facts:
            held[fact.subject, fact.object].add(fact.relation)
            self.of_subject[fact.subject].add(fact.relation)
            self._of_object[fact.object].add(fact.relation)
            self._between[self._classes_of(fact.subject, fact.object, fact.literal)][fact.relation] += 1
            sizes[fact.relation] += 1
        self.held = {pair: frozenset(relations) for pair, relations in held.items()}
        names = {relation: self.words.of(relation) for relation in sizes}
        self.akin = akin_relations(names, self.held)
        self.common = frozenset(
            relation
            for relation, count in sizes.items()
            if count >= _FEWEST and names[relation].isascii() and len(names[relation]) > 3
        )
        self._near: dict[str, dict[str, float]] = {}

    def possible(self, candidate: CandidateSentence) -> dict[str, float]:
        """The relations between things of the classes of a candidate's ends, and how many facts they have."""
        classes = self._classes_of(candidate.subject, candidate.object, candidate.literal)
        return {relation: float(count) for relation, count in self._between[classes].items()}

    def near(self, relation: str) -> dict[str, float]:
        """How much the common relations share subjects and objects with one, for graphs without classes."""
        if relation not in self._near:
            subjects = _shared(relation, self.of_subject.values())
            objects = _shared(relation, self._of_object.values())
            self._near[relation] = {
                other: (0.1 + subjects[other] / subjects[relation])
                * (objects[other] / objects[relation]) ** 0.5
                for other in objects
                if other in self.common
            }
        return self._near[relation]

    def search(self, facts: Iterable[Fact]) -> list[CandidateSentence]:
        """The sentences that name both ends of some facts."""
        columns = list(zip(*facts, strict=True))
        with TemporaryDirectory() as temporary, opened("duckdb", memory="4GB") as engine:
            folder = Path(temporary)
            table = pa.table([list(column) for column in columns], schema=schema(ProvableFacts))
            write_scratch(table, folder / "facts.parquet")
            find_candidates(folder, self._graph, self._corpus, folder / "facts.parquet", engine)
            paths = sorted((folder / "candidates").glob("*.parquet"))
            return [candidate for path in paths for candidate in from_table(read(Candidates, path))]

    def _classes_of(self, subject: str, object_: str, literal: bool) -> tuple[str, str]:
        return self._class_of.get(subject, ""), "value" if literal else self._class_of.get(object_, "")


def relation_words(graph: Graph) -> RelationWords:
    """The words of a graph's relations."""
    labels = zip(graph.index.relation_ids, graph.index.relation_labels, strict=True)
    return RelationWords({relation: label for relation, label in labels if label})


def _facts(graph: Path) -> list[Fact]:
    facts = read(Facts, graph / "facts.parquet").to_pydict()
    values = read(Values, graph / "values.parquet").to_pydict()
    entities = zip(facts["subject"], facts["relation"], facts["object"], strict=True)
    literals = zip(values["subject"], values["relation"], values["value"], strict=True)
    return [*(Fact(*fact, False) for fact in entities), *(Fact(*fact, True) for fact in literals)]


def _classes(graph: Path) -> dict[str, str]:
    """The class of each entity; the first one, where it has several."""
    types = read(Types, graph / "types.parquet")
    direct = types.filter(types["direct"]).to_pydict()
    return dict(sorted(zip(direct["entity"], direct["class"], strict=True), reverse=True))


def _shared(relation: str, relations_of_ends: Iterable[set[str]]) -> Counter[str]:
    """How many ends of a relation each relation has too."""
    counter: Counter[str] = Counter()
    for relations in relations_of_ends:
        if relation in relations:
            counter.update(relations)
    return counter
