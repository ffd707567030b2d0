"""Writes what the reranker of `ask` learns from, and is tuned on: examples of worlds and of real relations.

    python models/training/ask_exercises.py WIKIDATA --out made/ask

The facts of WIKIDATA (facts.tsv.gz, values.tsv.gz, entities.jsonl.gz, relations.tsv) say one thing about each
subject, so that nothing is to be chosen. They are made denser: subjects of relations whose lexicon entries
have the same noun for subjects become one, which then has as many relations as a real one. A sixth of the
relations that no world has is kept for fitting weights, and another sixth for tests (`part_of`): no query
with them is learned from, right or wrong.
"""

import argparse
import csv
import gzip
import hashlib
import json
import random
from collections import defaultdict
from pathlib import Path

import msgspec
import numpy as np

from rollcall import QuestionSet, build
from rollcall.graph import Graph, make_graph
from rollcall.query import Query
from rollcall.query.query import entity
from rollcall.questions.record import Answer, QueryRecord, Question
from rollcall.systems.train.training_example import example_file, read_examples, write_examples
from rollcall.systems.train.verb import train
from rollcall.wording.ends import EndNouns
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.realise import Realiser
from rollcall.world import write_world

TEMPLATES = Path(__file__).parents[2] / "benchmarks" / "question_templates.tsv"
LEARNED_WORLD, TUNED_WORLD = 21, 22
LEARNED, TUNED = "develop", "tune"
"""The parts of the templates that are learned from, and that weights are fitted to."""
MOST_OF_A_RELATION = 120
FILLED, WORDED, BUILT, FITTED = 4, 3, 450, 600
"""Questions for each template, worded ones for each relation and direction, of each built set, and of each
collection that weights are fitted to."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("facts", type=Path)
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--variants", type=int, default=2)
    options = arguments.parse_args()
    out, variants = options.out, options.variants
    out.mkdir(parents=True, exist_ok=True)
    with Graph.open(world_graph(out, LEARNED_WORLD)) as graph:
        common = frozenset(graph.index.relation_ids)
        questions = templated(graph, LEARNED, "train")
        for recipe in ("graphquestions", "mixed"):
            questions += built(out, graph, LEARNED_WORLD, recipe, "train")
        prepare(questions, graph, out / "exercises_world", variants)
    with Graph.open(world_graph(out, TUNED_WORLD)) as graph:
        questions = templated(graph, TUNED, "dev")
        for recipe in ("graphquestions", "mixed"):
            questions += built(out, graph, TUNED_WORLD, recipe, "dev")
        prepare(questions, graph, out / "tuned_world", variants)
    for name, parts in (("learned", ("learn",)), ("whole", ("learn", "tune", "test"))):
        if not (out / f"dense_{name}").exists():
            files = write_dense(options.facts, out / f"files_{name}", common, parts)
            make_graph(files, out / f"dense_{name}", jobs=1)
    with Graph.open(out / "dense_learned") as graph:
        questions = [*templated(graph, LEARNED, "train"), *worded(graph, "train")]
        prepare(questions, graph, out / "exercises_real", variants)
    with Graph.open(out / "dense_whole") as graph:
        kept = frozenset(one for one in graph.index.relation_ids if part_of(one, common) == "tune")
        tested = frozenset(one for one in graph.index.relation_ids if part_of(one, common) == "test")
        (out / "tested_relations.txt").write_text("".join(f"{one}\n" for one in sorted(tested)))
        questions = [
            *(one for one in templated(graph, LEARNED, "dev") if relation_of(one) in kept),
            *(one for one in templated(graph, TUNED, "dev") if relation_of(one) not in tested),
            *(one for one in worded(graph, "dev") if relation_of(one) in kept),
        ]
        prepare(questions, graph, out / "tuned_real", variants)
    join_tuned(out)


def part_of(relation: str, common: frozenset[str]) -> str:
    """What a relation is for: `learn`, `tune` or `test`; those of the worlds are learned."""
    place = hashlib.md5(relation.encode()).digest()[0] % 12
    return "learn" if relation in common or place > 3 else "tune" if place < 2 else "test"


def relation_of(question: Question) -> str:
    return question.id.partition("/")[0]


def write_dense(facts: Path, out: Path, common: frozenset[str], parts: tuple[str, ...]) -> list[Path]:
    """The facts of some parts with subjects that have many relations; returns the files."""
    out.mkdir(parents=True, exist_ok=True)
    lexicon = Lexicon.load()
    with (facts / "relations.tsv").open(encoding="utf-8") as lines:
        rows = list(csv.reader(lines, delimiter="\t"))[1:]
    labels = {row[0]: row[1] if len(row) > 1 else "" for row in rows}
    said: dict[str, dict[str, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
    for kind, file in (("object", "facts.tsv.gz"), ("value", "values.tsv.gz")):
        with gzip.open(facts / file, "rt", encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                relation = row["relation"]
                if part_of(relation, common) in parts:
                    said[relation][row["subject"]].append((kind, row[kind]))
    groups = defaultdict(list)
    for relation in sorted(said):
        groups[lexicon.entry(relation, labels.get(relation)).subjects].append(relation)
    written: dict[str, list[tuple[str, str, str]]] = {"object": [], "value": []}
    for relations in groups.values():
        subjects = {one: random.Random(one).sample(sorted(said[one]), len(said[one])) for one in relations}
        for number in range(MOST_OF_A_RELATION):
            having = [one for one in relations if number < len(subjects[one])]
            for relation in having:
                name = subjects[having[number % len(having)]][number]
                for kind, term in said[relation][subjects[relation][number]]:
                    written[kind].append((name, relation, term))
    files = []
    for kind, triples in written.items():
        files.append(out / f"{kind}s.tsv")
        with files[-1].open("w", encoding="utf-8") as stream:
            stream.write(f"subject\trelation\t{kind}\n")
            stream.writelines("\t".join(row) + "\n" for row in dict.fromkeys(triples))
    return [*files, facts / "relations.tsv", *kept_entities(facts, out, written)]


def kept_entities(facts: Path, out: Path, written: dict[str, list[tuple[str, str, str]]]) -> list[Path]:
    """The file of the entities that the facts still have."""
    named = {row[0] for rows in written.values() for row in rows} | {row[2] for row in written["object"]}
    place = out / "entities.jsonl"
    with gzip.open(facts / "entities.jsonl.gz", "rt", encoding="utf-8") as lines, place.open("w") as file:
        file.writelines(line for line in lines if json.loads(line)["id"] in named)
    return [place]


def world_graph(out: Path, seed: int) -> Path:
    place = out / f"w{seed}"
    if not (place / "graph").exists():
        write_world(place / "world", entities=2500, seed=seed, jobs=1)
        make_graph([place / "world" / "wikidata.json.gz"], place / "graph", jobs=1)
    return place / "graph"


def built(out: Path, graph: Graph, seed: int, recipe: str, split: str) -> list[Question]:
    """Questions of a set that `rollcall build` makes."""
    place = out / f"w{seed}" / recipe
    if not place.exists():
        build(recipe, graph=graph.folder, out=place, changes={"evidence.use": False})
    found = [one for one in QuestionSet.open(place) if one.question and one.query]
    random.Random(seed).shuffle(found)
    return [renamed(one, f"w{seed}/{recipe}/{one.id}", split) for one in found[:BUILT]]


def renamed(question: Question, id_: str, split: str) -> Question:
    question.id, question.split = id_, split
    return question


def templated(graph: Graph, part: str, split: str) -> list[Question]:
    """Questions of one part of the templates."""
    found = []
    with TEMPLATES.open(encoding="utf-8") as lines:
        for relation, own, template in csv.reader(lines, delimiter="\t"):
            if own == part:
                found += [
                    question(graph, id_, relation, template.format(graph.label(id_)), split, template)
                    for id_ in subjects(graph, relation, FILLED, template)
                ]
    return found


def subjects(graph: Graph, relation: str, most: int, seed: str) -> list[str]:
    number = graph.index.relation_number(relation)
    if number is None:
        return []
    known = np.unique(graph.index.forward(number)[0]).tolist()
    return [graph.index.entity_ids[one] for one in random.Random(seed).sample(known, min(most, len(known)))]


def worded(graph: Graph, split: str) -> list[Question]:
    """Questions with one relation in either direction, worded by Rollcall or from a relation's aliases."""
    realiser, found = Realiser(graph, ends=EndNouns(graph)), []
    for number, relation in enumerate(graph.index.relation_ids):
        label = graph.index.relation_labels[number]
        entry = realiser.lexicon.entry(relation, label or None)
        for id_ in subjects(graph, relation, WORDED, "forward"):
            text = realiser.word(entity(id_) >> relation).question
            found.append(question(graph, id_, relation, text, split, "worded"))
        names = dict.fromkeys((*entry.aliases, entry.noun, label))
        frames = ("what is the {1} of {0}", "{0} {1}", "who or what is {0}'s {1}?", "tell me the {1} of {0}")
        for place, name in enumerate(one for one in names if one and " by" not in one):
            for id_ in subjects(graph, relation, 1, name):
                text = frames[place % len(frames)].format(graph.label(id_), name)
                found.append(question(graph, id_, relation, text, split, name))
        backward = np.unique(graph.index.backward(number)[0])
        backward = backward[backward < graph.index.entity_count].tolist()
        for one in random.Random(relation).sample(backward, min(WORDED - 1, len(backward))):
            id_ = graph.index.entity_ids[one]
            query = entity(id_) << relation
            record = QueryRecord(query.text)
            found.append(
                Question(
                    f"{relation}/{id_}/backward",
                    realiser.word(query).question,
                    query=record,
                    split=split,
                    answers=answers(graph, query),
                )
            )
    return found


def question(graph: Graph, id_: str, relation: str, text: str, split: str, of: str) -> Question:
    query = entity(id_) >> relation
    return Question(
        f"{relation}/{id_}/{of}",
        text,
        query=QueryRecord(query.text),
        split=split,
        answers=answers(graph, query),
    )


def answers(graph: Graph, query: Query) -> list[Answer]:
    found = sorted(map(str, graph.answers(query)))
    return [Answer(one) for one in found]


def join_tuned(out: Path) -> None:
    """Put what weights are fitted to beside the first examples: of real relations, and of another world."""
    tuned = []
    for name in ("real", "world"):
        every = read_examples(example_file(out / f"tuned_{name}", "dev"))
        drawn = random.Random(name).sample(every, min(FITTED, len(every)))
        tuned += [msgspec.structs.replace(one, id=f"{name}/{one.id}") for one in drawn]
    write_examples(example_file(out / "exercises_real", "dev"), tuned)


def prepare(questions: list[Question], graph: Graph, out: Path, variants: int) -> None:
    """Write training examples unless they are there."""
    if out.exists():
        return
    options = {"variants": variants}
    split = "train" if any(one.split == "train" for one in questions) else "dev"
    train("ask", questions, graph=graph, out=out, split=split, prepare=True, options=options)
    print(out, len(questions), flush=True)


if __name__ == "__main__":
    main()
