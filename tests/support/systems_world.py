"""A small world with graph, corpus and hand-worded questions, made once for a test session's folder."""

from pathlib import Path
from typing import NamedTuple

from rollcall.corpus import Corpus, make_corpus
from rollcall.graph import Graph
from rollcall.graph.make import make_graph
from rollcall.questions import QuestionSet
from rollcall.world.write import write_world
from world_questions import question_set


class Made(NamedTuple):
    folder: Path
    graph: Graph
    corpus: Corpus
    questions: QuestionSet


def make(folder: Path, entities: int = 500) -> Made:
    write_world(folder / "world", entities, 4, jobs=1)
    graph = make_graph([folder / "world" / "wikidata.json.gz"], folder / "graph", jobs=1)
    corpus = make_corpus(
        [folder / "world" / "pages.xml.bz2"], folder / "corpus", graph=folder / "graph", jobs=1
    )
    questions = question_set(folder)
    questions.save(folder / "set")
    return Made(folder, graph, corpus, questions)
