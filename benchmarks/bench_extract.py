"""How well graphs are read out of real text whose facts are known, by what reads them.

- `none`: no model; links, tables and the lexicon's phrases.
- `oracle`: a scripted model that replies with what people annotated, through a real server. What is lost then
  is lost by names, merging and plumbing, and what the verifier drops of it is what the verifier costs.
- `noisy`: the oracle, with so many wrong facts among the right ones (the same relation, but to another thing
  of the same class that the text names): what the verifier is for.
- a real model, with `--base-url` and `--model`.

Each is measured without a verifier and with those named. A fact is right if the annotation has the relation
between two things with these names, folded; one thing may have several names on both sides. Recall is over
the annotated facts of the pages read whose ends the pages name.

    python benchmarks/bench_extract.py [DOCRED] [--pages 500] [--verifiers none contrast learned]
    python benchmarks/bench_extract.py DOCRED --pages 20 --readers model --base-url ADDRESS --model NAME

DOCRED has facts.tsv.gz, values.tsv.gz, entities.jsonl.gz, relations.tsv and pages.jsonl.gz; by default it is
the folder of that name with the real data beside the project, or pages of a generated world. The shipped
model of `learned` was trained on labelled sentences of these pages, so its figures here are better than
elsewhere; `contrast` has seen nothing.
"""

import gzip
import json
import random
import re
import sys
import tempfile
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import rollcall
from _harness import Arguments, Figures, made_world, real_data, run_benchmark
from rollcall._core.errors import RollcallError
from rollcall.corpus import Corpus, make_corpus
from rollcall.extract.merging import FoldedText
from rollcall.extract.records import ClassOfThings, RelationOfThings, Schema
from rollcall.graph import Graph
from rollcall.llm import Client, ReplyCache
from rollcall.text.words import fold

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from model_server import ModelServer

CLASSES = {
    "PER": ("person", "a person"),
    "ORG": ("organisation", "a company, team, party, school, people or other group"),
    "LOC": ("place", "a country, town, region, building, river or other place"),
    "MISC": ("other", "a work, event, language, award or anything else that has a name"),
}
VALUES = ("P569", "P570", "P571", "P576", "P577", "P580", "P582", "P585")
"""The relations whose annotated objects are mostly dates."""


class Known(NamedTuple):
    """The annotation: names by id, facts and values, and the labels of relations."""

    names: dict[str, tuple[str, ...]]
    facts: list[tuple[str, str, str]]
    values: list[tuple[str, str, str]]
    labels: dict[str, str]
    pages: list[dict[str, Any]]


def read_known(folder: Path, pages: int) -> Known:
    def rows(name: str) -> list[list[str]]:
        path = folder / name
        text = gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()
        return [line.split("\t") for line in text.decode().splitlines()[1:]]

    def records(name: str) -> list[dict[str, Any]]:
        with gzip.open(folder / name, "rt", encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    names = {
        one["id"]: tuple(dict.fromkeys([one["label"], *one["aliases"]]))
        for one in records("entities.jsonl.gz")
    }
    facts = [(s, r, o) for s, r, o in rows("facts.tsv.gz")]
    values = [(s, r, v) for s, r, v in rows("values.tsv.gz")]
    return Known(
        names,
        facts,
        values,
        dict(rows("relations.tsv")),
        records("pages.jsonl.gz")[:pages],
    )


def commonest(known: Known, count: int) -> Known:
    """The annotation of the relations with the most facts alone."""
    sizes = Counter(fact[1] for fact in (*known.facts, *known.values))
    kept = {relation for relation, _size in sizes.most_common(count)}
    facts, values = ([fact for fact in some if fact[1] in kept] for some in (known.facts, known.values))
    labels = {relation: label for relation, label in known.labels.items() if relation in kept}
    return known._replace(facts=facts, values=values, labels=labels)


def schema_of(known: Known) -> Schema:
    """The relations of the annotation, with the classes that most of their ends have."""
    ends: dict[str, dict[str, dict[str, int]]] = defaultdict(
        lambda: {"s": defaultdict(int), "o": defaultdict(int)}
    )
    for subject, relation, object_ in known.facts:
        ends[relation]["s"][subject.partition(":")[0]] += 1
        ends[relation]["o"][object_.partition(":")[0]] += 1
    classes = {"thing": ClassOfThings("anything that has a name")}
    classes |= {name: ClassOfThings(meaning, "thing") for name, meaning in CLASSES.values()}
    relations = {}
    for relation, counted in sorted(ends.items()):
        if relation in VALUES:
            continue
        label = known.labels[relation]
        relations[label] = RelationOfThings(_end(counted["s"]), _end(counted["o"]), id=relation)
    for relation in VALUES:
        if relation in known.labels:
            relations[known.labels[relation]] = RelationOfThings("thing", "date", id=relation)
    return Schema(classes, relations)


def _end(counted: dict[str, int]) -> str:
    best = max(counted, key=lambda one: counted[one])
    return CLASSES[best][0] if counted[best] >= 0.98 * sum(counted.values()) else "thing"


class Oracle:
    """Replies with the annotation: what of it the sentences of a block name."""

    def __init__(self, known: Known, wrong: float = 0.0) -> None:
        self._known, self._wrong = known, wrong
        self._words: dict[str, set[str]] = defaultdict(set)
        for id_, names in known.names.items():
            for name in names:
                if found := re.findall(r"\w+", fold(name)):
                    self._words[found[0]].add(id_)
        self._of: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for subject, relation, object_ in known.facts:
            if relation not in VALUES:
                self._of[subject].append((relation, object_))
        self._values: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for subject, relation, value in known.values:
            if relation in VALUES:
                self._values[subject].append((relation, value))

    def named(self, text: str) -> dict[str, list[str]]:
        """The things that a text names, each with those names."""
        folded = FoldedText(text)
        likely = {id_ for word in set(re.findall(r"\w+", fold(text))) for id_ in self._words.get(word, ())}
        found = {id_: [name for name in self._known.names[id_] if folded.has(name)] for id_ in sorted(likely)}
        return {id_: names for id_, names in found.items() if names}

    def facts_in(self, text: str) -> list[tuple[str, str, str]]:
        there = self.named(text)
        found = [(s, r, o) for s in there for r, o in self._of[s] if o in there and o != s]
        folded = FoldedText(text)
        return found + [(s, r, v) for s in there for r, v in self._values[s] if folded.has(v)]

    def __call__(self, body: dict[str, Any]) -> dict[str, Any]:
        told = body["messages"][-1]["content"]
        sentences = re.findall(r"^\[\d+\] (.*)$", told, re.MULTILINE)
        text = re.sub(r"^(?:Page: |Begins: |\[\d+\] )", "", told, flags=re.MULTILINE)
        there = self.named(text)
        entities = [
            {"name": max(names, key=len), "class": CLASSES[id_.partition(":")[0]][0], "other_names": names}
            for id_, names in there.items()
        ]
        facts = self.facts_in(text)
        if self._wrong:
            facts += self._others(facts, there, told)
        said = [
            {"sentence": self._sentence(sentences, subject, object_), "subject": max(there[subject], key=len),
             "relation": self._known.labels[relation],
             "object": max(there[object_], key=len) if object_ in there else object_}
            for subject, relation, object_ in facts
        ]  # fmt: skip
        return {"text": json.dumps({"topic": "", "entities": entities, "facts": said})}

    def _others(
        self, facts: list[tuple[str, str, str]], there: dict[str, list[str]], seed: str
    ) -> list[tuple[str, str, str]]:
        """Wrong facts: an object of the same class takes the place of the right one."""
        chance, right, wrong = random.Random(seed), set(self._known.facts), []
        for subject, relation, object_ in facts:
            others = [id_ for id_ in there if id_[:3] == object_[:3] and id_ not in (subject, object_)]
            others = [id_ for id_ in others if (subject, relation, id_) not in right]
            if others and chance.random() < self._wrong:
                wrong.append((subject, relation, chance.choice(others)))
        return wrong

    def _sentence(self, sentences: list[str], subject: str, object_: str) -> int:
        names = [self._known.names.get(end, (end,)) for end in (subject, object_)]
        folded = [FoldedText(sentence) for sentence in sentences]
        for wanted in (names, names[1:], names[:1]):
            for number, sentence in enumerate(folded, 1):
                if all(sentence.has_any(some) for some in wanted):
                    return number
        return 1


class Compared(NamedTuple):
    """How many facts were read and right, how many were annotated and found."""

    read: int
    right: int
    annotated: int
    found: int

    @property
    def precision(self) -> float:
        return self.right / self.read if self.read else 0.0

    @property
    def recall(self) -> float:
        return self.found / self.annotated if self.annotated else 0.0

    def __str__(self) -> str:
        both = self.precision + self.recall
        f1 = 2 * self.precision * self.recall / both if both else 0.0
        return f"{self.read:7,} {self.precision:9.1%} {self.recall:7.1%} {f1:6.1%}"


Triple = tuple[frozenset[str], str, frozenset[str]]


def measure(graph: Graph, known: Known, oracle: Oracle) -> Compared:
    """Compare a graph with the annotation of the pages."""
    expected = {fact for page in known.pages for fact in oracle.facts_in(f"{page['title']}\n{page['text']}")}
    gold: dict[tuple[str, str], set[tuple[str, str, str]]] = defaultdict(set)
    every = [*known.facts, *known.values]
    for fact in every:
        for name in known.names.get(fact[0], (fact[0],)):
            gold[fold(name), fact[1]].add(fact)
    found, right, read = set(), 0, 0
    facts = graph.tables.facts.to_pyarrow().to_pylist()
    written = graph.tables.values.to_pyarrow().to_pylist()
    by_label = {label: id_ for id_, label in known.labels.items()}
    for row in [*facts, *written]:
        relation = (
            row["relation"]
            if row["relation"] in known.labels
            else by_label.get(row["relation"], row["relation"])
        )
        subjects = names_of(graph, row["subject"])
        objects = names_of(graph, row["object"]) if "object" in row else {row["value"]}
        matching = {
            fact
            for name in subjects
            for fact in gold.get((name, relation), ())
            if objects & _object_names(known, fact[2])
        }
        read += 1
        right += bool(matching)
        found |= matching
    return Compared(read, right, len(expected), len(expected & found))


def names_of(graph: Graph, id_: str) -> set[str]:
    record = graph.entity(id_)
    return {fold(name) for name in (record.label or id_, *record.aliases)}


def _object_names(known: Known, object_: str) -> set[str]:
    from rollcall.extract.facts import value_of

    value = value_of(object_, "date")
    names = {fold(name) for name in known.names.get(object_, (object_,))}
    return names | ({value.text} if value is not None else set())


def annotated_world(folder: Path, entities: int) -> Path:
    """A generated world in the files of DOCRED: pages of entities, and the facts between these."""
    made_world(folder, entities)
    graph, corpus = Graph.open(folder / "graph"), Corpus.open(folder / "corpus")

    def rows(table: Any, *columns: str) -> list[dict[str, Any]]:
        return table.select(*columns).to_pyarrow().to_pylist()

    people = {row["entity"] for row in rows(graph.tables.types, "entity", "class") if row["class"] == "Q5"}
    ids = {
        row["id"]: f"{'PER' if row['id'] in people else 'MISC'}:{row['id']}"
        for row in rows(graph.tables.entities, "id")
    }
    aliases: dict[str, list[str]] = defaultdict(list)
    for row in rows(graph.tables.aliases, "entity", "text"):
        aliases[row["entity"]].append(row["text"])
    texts: dict[str, str] = defaultdict(str)
    for row in rows(corpus.tables.sentences, "page", "text", "after"):
        texts[row["page"]] += row["text"] + row["after"]

    def write(name: str, lines: Iterable[str]) -> None:
        with gzip.open(folder / name, "wt", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)

    facts = rows(graph.tables.facts, "subject", "relation", "object")
    told = [(ids[one["subject"]], one["relation"], ids[one["object"]]) for one in facts]
    write("facts.tsv.gz", ["subject\trelation\tobject", *("\t".join(fact) for fact in told)])
    write("values.tsv.gz", ["subject\trelation\tvalue"])
    named = rows(graph.tables.entities, "id", "label")
    write(
        "entities.jsonl.gz",
        (
            json.dumps(
                {"id": ids[one["id"]], "label": one["label"] or one["id"], "aliases": aliases[one["id"]]}
            )
            for one in named
        ),
    )
    pages = rows(corpus.tables.pages, "id", "title", "entity")
    write(
        "pages.jsonl.gz",
        (json.dumps({**page, "text": texts[page["id"]]}) for page in pages if page["entity"]),
    )
    relations = rows(graph.tables.relations, "id", "label")
    lines = ["id\tlabel", *(f"{one['id']}\t{one['label'] or one['id']}" for one in relations)]
    (folder / "relations.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("docred", type=Path, nargs="?", default=real_data("docred"), smoke=None)
    parser.add_argument("--entities", type=int, default=2000, smoke=500, help="of a world, without DOCRED")
    parser.add_argument("--pages", type=int, default=500, smoke=10)
    parser.add_argument("--relations", type=int, help="only so many relations, the commonest")
    parser.add_argument("--readers", nargs="+", default=["none", "oracle", "noisy"], smoke=["none", "oracle"])
    parser.add_argument("--verifiers", nargs="+", default=["none", "contrast", "learned"], smoke=["none"])
    parser.add_argument("--wrong", type=float, default=1.0, help="noisy: wrong facts for each right one")
    parser.add_argument("--base-url")
    parser.add_argument("--model", default="oracle")
    parser.add_argument("--words", type=int, default=250)
    parser.add_argument("--max-tokens", type=int, default=2048)
    parser.add_argument("--cache", type=Path)
    return parser


def main(given: Namespace, figures: Figures) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        print(given.docred or f"a generated world of {given.entities:,} entities")
        docred = given.docred or annotated_world(Path(temporary), given.entities)
        known = read_known(docred, given.pages)
    if given.relations:
        known = commonest(known, given.relations)
    schema = schema_of(known)
    print(f"{len(known.pages)} pages, {len(schema.relations)} relations\n")
    print(f"{'reader':8} {'verifier':9} {'facts':>7} {'precision':>9} {'recall':>7} {'F1':>6}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        lines = [json.dumps({key: page[key] for key in ("id", "title", "text")}) for page in known.pages]
        (folder / "pages.jsonl").write_text("\n".join(lines) + "\n")
        corpus = make_corpus([folder / "pages.jsonl"], folder / "corpus", jobs=1, show_progress=False)
        plain = Oracle(known)
        for reader in given.readers:
            oracle = Oracle(known, given.wrong if reader == "noisy" else 0.0)
            for verifier in given.verifiers:
                with ModelServer(oracle) as server:
                    url = given.base_url if reader == "model" else server.url
                    cache = ReplyCache(given.cache or folder / f"{reader}.cache")
                    client = (
                        None if reader == "none" else Client(url, concurrency=2, cache=cache, timeout=600)
                    )
                    try:
                        made = rollcall.extract(
                            corpus, folder / f"{reader}-{verifier}", client=client,
                            model=None if client is None else given.model,
                            schema=None if client is None else schema, verifier=verifier, drop=True,
                            words=given.words, max_tokens=given.max_tokens, max_bad=1.0,
                        )  # fmt: skip
                    except RollcallError as error:
                        print(f"{reader:8} {verifier:9} {error}")
                        continue
                    finally:
                        if client is not None:
                            client.close()
                compared = measure(made.graph, known, plain)
                figures[f"{reader}, {verifier}"] = [compared.precision, compared.recall]
                print(f"{reader:8} {verifier:9} {compared}", flush=True)
                if verifier == given.verifiers[0]:
                    for why, count in made.left_out.most_common():
                        print(f"{'':18} {count:7,} left out: {why}")
                    if made.unusable or made.asked_again:
                        print(
                            f"{'':18} {len(made.unusable):,} blocks unread, {made.asked_again:,} asked again"
                        )


if __name__ == "__main__":
    run_benchmark(arguments(), main)
