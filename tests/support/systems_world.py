"""A small world with graph, corpus and hand-worded questions, made once for a test session's folder."""

from pathlib import Path
from typing import NamedTuple

from rollcall.corpus import Corpus, make_corpus
from rollcall.graph import Graph, make_graph
from rollcall.questions import QuestionSet
from rollcall.world import write_world
from world_questions import question_set


class Made(NamedTuple):
    folder: Path
    graph: Graph
    corpus: Corpus
    questions: QuestionSet


def make(folder: Path) -> None:
    write_world(folder / "world", 700, 4, jobs=1)
    make_graph([folder / "world" / "wikidata.json.gz"], folder / "graph", jobs=1)
    make_corpus([folder / "world" / "pages.xml.bz2"], folder / "corpus", graph=folder / "graph", jobs=1)
    question_set(folder).save(folder / "set")


def opened(folder: Path) -> Made:
    graph, corpus = Graph.open(folder / "graph"), Corpus.open(folder / "corpus")
    return Made(folder, graph, corpus, QuestionSet.open(folder / "set"))
