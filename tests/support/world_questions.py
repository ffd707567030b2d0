"""A small question set from a world: graph facts that sentences tell, worded by hand, with their evidence."""

import hashlib
from collections import defaultdict
from pathlib import Path

import pyarrow.parquet as pq

from rollcall.corpus import Corpus
from rollcall.graph import Graph
from rollcall.questions import Answer, Evidence, Question, QuestionSet

WORDINGS = {
    "P57": "Which films were directed by {}?",
    "P162": "Which films did {} produce?",
    "P161": "Which films have {} as a cast member?",
    "P175": "Which albums or songs were performed by {}?",
    "P50": "Which novels were written by {}?",
    "P69": "Who was educated at {}?",
    "P19": "Who was born in {}?",
    "P166": "Who received the award {}?",
    "P17": "Which rivers are in {}?",
    "P170": "Which paintings were created by {}?",
    "P159": "Which companies have their headquarters in {}?",
    "P495": "Which films come from {}?",
}
CLASSES = {"P17": "river", "P170": "painting", "P495": "film", "P159": "company"}


def question_set(folder: Path, least: int = 3, most: int = 30, limit: int = 200) -> QuestionSet:
    """Questions about a world in a folder with `world`, `graph` and `corpus`."""
    graph, corpus = Graph.open(folder / "graph"), Corpus.open(folder / "corpus")
    told = _told(folder / "world" / "truth.parquet")
    passages = _passages(folder / "corpus")
    questions = []
    for (relation, entity), rows in sorted(told.items()):
        subjects = {row["subject"] for row in rows}
        if relation in CLASSES:
            wanted = graph.resolve_class(CLASSES[relation])
            subjects = {one for one in subjects if _is(graph, one, wanted)}
        if not least <= len(subjects) <= most:
            continue
        answers = [_answer(graph, one, rows, passages) for one in sorted(subjects)]
        id_ = f"{relation}-{entity}"
        chance = int(hashlib.md5(id_.encode()).hexdigest(), 16) % 3
        questions.append(
            Question(
                id=id_,
                question=WORDINGS[relation].format(graph.label(entity)),
                kind="simple",
                split=("train", "dev", "test")[chance],
                answers=answers,
            )
        )
    corpus.close()
    questions.sort(key=lambda one: hashlib.md5(one.id.encode()).hexdigest())
    return QuestionSet(questions[:limit], {"name": "world"})


def _told(path: Path):
    rows = defaultdict(list)
    columns = ["kind", "subject", "relation", "object", "page", "sentence"]
    for row in pq.read_table(path, columns=columns).to_pylist():
        if row["kind"] == "fact" and row["sentence"] and row["relation"] in WORDINGS:
            rows[row["relation"], row["object"]].append(row)
    return rows


def _passages(folder: Path):
    titles = {
        row["id"]: row["title"]
        for row in pq.read_table(folder / "pages.parquet", columns=["id", "title"]).to_pylist()
    }
    found = defaultdict(list)
    for row in pq.read_table(folder / "passages.parquet", columns=["id", "page", "text"]).to_pylist():
        found[titles[row["page"]]].append((row["id"], row["text"]))
    return found


def _is(graph: Graph, entity: str, class_: str) -> bool:
    number = graph.index.entity_number(entity)
    entities, classes = graph.index.types_forward()
    first, last = entities.searchsorted(number), entities.searchsorted(number, side="right")
    return graph.index.class_number(class_) in classes[first:last].tolist()


def _answer(graph: Graph, entity: str, rows, passages) -> Answer:
    record = graph.entity(entity)
    evidence = []
    for row in rows:
        if row["subject"] == entity:
            for id_, text in passages[row["page"]]:
                if row["sentence"] in text:
                    evidence.append(Evidence(text=row["sentence"], passage=id_, title=row["page"]))
                    break
    return Answer(record.label or entity, entity, list(record.aliases), evidence[:1])
