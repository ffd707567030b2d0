"""The part of `rollcall stats` for templates and clusters: tables of the GraphQuestions and RoMQA papers."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollcall.english.counting import counted

if TYPE_CHECKING:
    from rollcall.questions import Question


def kind_figures(questions: "Sequence[Question]", graph: Path | None) -> dict[str, Any]:
    """The figures of those papers whose kinds of questions the set has."""
    found: dict[str, Any] = {}
    templates = [question for question in questions if question.kind == "template"]
    if templates or any("commonness" in question.characteristics for question in questions):
        from rollcall.questions.template_statistics import template_statistics

        found["graphquestions"] = template_statistics(templates or questions)
    clusters = [question for question in questions if question.kind == "cluster"]
    if clusters:
        from rollcall.questions.cluster_statistics import cluster_statistics

        found["romqa"] = cluster_statistics(clusters, _facts(graph) if graph else None)
    return found


def _facts(graph: Path) -> dict[str, int]:
    from rollcall.graph import Graph

    with Graph.open(graph) as opened:
        rows = opened.tables.relations.select("id", "label", "facts").to_pyarrow().to_pylist()
    return {row["label"] or row["id"]: row["facts"] for row in rows}


def lines(figures: dict[str, Any]) -> Iterator[str]:
    """The figures in short, for the terminal."""
    if "graphquestions" in figures:
        found = figures["graphquestions"]
        yield (
            f"templates: {counted(found['queries'], 'query', 'queries')}, "
            f"{counted(found['sentences'], 'sentence')}, "
            f"{counted(found['questions'], 'question')}"
        )
        for name, bins in found["table_1"].items():
            listed = ", ".join(f"{bin_} {counts['queries']:,}" for bin_, counts in bins.items())
            yield f"  {name} (queries): {listed}"
    if "romqa" in figures:
        found = figures["romqa"]
        sizes = ", ".join(f"{size}: {count:,}" for size, count in found["questions_per_cluster"].items())
        asked = counted(found["questions"], "question")
        yield f"clusters: {found['clusters']:,} of {asked}; by size: {sizes}"
        signs = ", ".join(f"{sign}: {count:,}" for sign, count in found["figure_9"].items())
        yield f"  affirmed constraints: {signs}"
        for name in ("words", "evidence", "answers"):
            spread = found["figure_2"][name]
            yield f"  {name} of a question: mean {spread['mean']:.1f}, median {spread['median']:.0f}"
