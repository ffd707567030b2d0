"""The rows of the GraphQuestions tables: systems are trained on the split train, and asked both tests."""

from collections.abc import Sequence
from pathlib import Path

import rollcall
from paper_tables.graph_sides import TESTS
from paper_tables.graph_sources import GraphSource
from rollcall import QuestionSet, Run
from rollcall.questions import Question
from rollcall.questions.splits import lot

SYSTEMS = ("sempre", "parasempre", "jacana", "ask")
TRAINED = SYSTEMS[:3]
Runs = dict[str, dict[str, tuple[list[Question], Run]]]
"""By test and system, the questions that were asked and the answers."""


def answered(source: GraphSource, systems: Sequence[str], limit: int, model: tuple[str, str] | None) -> Runs:
    """The runs of all systems; what is there already is not done again."""
    runs = source.folder / "runs"
    runs.mkdir(exist_ok=True)
    found: Runs = {}
    for test in TESTS:
        asked = _drawn(source, test, limit)
        found[test] = {}
        for system in systems:
            out = runs / f"{system}.{test}.jsonl"
            found[test][system] = asked, _run(source, system, asked, out, model)
    return found


def _drawn(source: GraphSource, test: str, limit: int) -> list[Question]:
    """Test questions in a random order, in which all wordings of a query stay together."""
    questions = QuestionSet.open(source.questions).of_splits(test).questions
    order = sorted({one.cluster or one.id for one in questions}, key=lambda key: lot(0, "asked", key))
    place = {key: number for number, key in enumerate(order)}
    return sorted(questions, key=lambda one: (place[one.cluster or one.id], one.id))[:limit]


def _run(
    source: GraphSource, system: str, asked: list[Question], out: Path, model: tuple[str, str] | None
) -> Run:
    options: dict[str, object] = {}
    if system in TRAINED:
        folder = source.folder / "models" / system
        if not folder.exists():
            folder.parent.mkdir(exist_ok=True)
            rollcall.train(system, source.questions, graph=source.graph, out=folder)
        options["model"] = str(folder)
    server = {"client": model[0], "model": model[1]} if system == "ask-llm" and model else {}
    return rollcall.run(
        asked, system, retriever=None, graph=source.graph, out=out, timed=True, options=options, **server
    )
