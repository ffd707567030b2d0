"""`rollcall stats`: the figures of a question set and, given a world's truth, how much of it is right."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rollcall._core.console import say
from rollcall.cli.options import REPORT_OPTIONS, SourceGraph, reporting, writing
from rollcall.report import BREAK, Display, Figure, Heading, Mark, Note, Rendered, Series, Table
from rollcall.report.values import NOTHING, Cell, Medium, Part
from rollcall.text.nouns import counted, counted_kinds

if TYPE_CHECKING:
    from rollcall.build.truth import Share
    from rollcall.questions import Question, QuestionSet
    from rollcall.questions.statistics import Statistics


# The part of `rollcall stats` for templates and clusters: tables of the GraphQuestions and RoMQA papers.


def kind_figures(questions: "Sequence[Question]", graph: Path | None) -> dict[str, Any]:
    """The figures of those papers whose kinds of questions the set has."""
    by_kind: dict[str, Any] = {}
    templates = [question for question in questions if question.kind == "template"]
    if templates or any("commonness" in question.characteristics for question in questions):
        from rollcall.questions.statistics import template_statistics

        by_kind["graphquestions"] = template_statistics(templates or questions)
    clusters = [question for question in questions if question.kind == "cluster"]
    if clusters:
        from rollcall.questions.statistics import cluster_statistics

        by_kind["romqa"] = cluster_statistics(clusters, _facts(graph) if graph else None)
    return by_kind


def _facts(graph: Path) -> dict[str, int]:
    from rollcall.graph import Graph

    with Graph.open(graph) as opened:
        rows = opened.tables.relations.select("id", "label", "facts").to_pyarrow().to_pylist()
    return {row["label"] or row["id"]: row["facts"] for row in rows}


def kind_lines(figures: dict[str, Any]) -> Iterator[str]:
    """The figures in short, for the terminal."""
    if "graphquestions" in figures:
        section = figures["graphquestions"]
        yield (
            f"templates: {counted(section['queries'], 'query', 'queries')}, "
            f"{counted(section['sentences'], 'sentence')}, "
            f"{counted(section['questions'], 'question')}"
        )
        for name, bins in section["table_1"].items():
            listed = ", ".join(f"{bin_} {counts['queries']:,}" for bin_, counts in bins.items())
            yield f"  {name} (queries): {listed}"
    if "romqa" in figures:
        section = figures["romqa"]
        sizes = ", ".join(f"{size}: {count:,}" for size, count in section["questions_per_cluster"].items())
        asked = counted(section["questions"], "question")
        yield f"clusters: {section['clusters']:,} of {asked}; by size: {sizes}"
        signs = ", ".join(f"{sign}: {count:,}" for sign, count in section["figure_9"].items())
        yield f"  affirmed constraints: {signs}"
        for name in ("words", "evidence", "answers"):
            spread = section["figure_2"][name]
            yield f"  {name} of a question: mean {spread['mean']:.1f}, median {spread['median']:.0f}"


_RELATIONS = 15


@writing(*REPORT_OPTIONS, reads=["truth", "graph"], asks=["source"])
@reporting
def stats(
    source: Annotated[
        Path, typer.Argument(metavar="SET", help="A question set's folder, or a published file.")
    ],
    truth: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The truth.parquet of the world the set was made from."),
    ] = None,
    graph: SourceGraph = None,
) -> "SetFigures":
    """Print how many questions of each kind there are, how many answers they have, and how long they are.

    With `--graph` every answer is looked up in the denotation of its query; with `--truth` every piece of
    evidence is looked up among the sentences that state its fact.
    """
    from rollcall.questions import read_questions
    from rollcall.questions.statistics import Statistics

    questions = read_questions(source)
    return SetFigures(
        source.name,
        Statistics(questions),
        kind_figures(questions.questions, graph),
        _checks(questions, source, graph, truth),
        questions.manifest,
    )


def _checks(
    questions: "QuestionSet", source: Path, graph: Path | None, truth: Path | None
) -> "dict[str, Share]":
    """The comparison with the graph and with the truth, if they are given."""
    from rollcall.build.make import WORK
    from rollcall.build.truth import Share, evidence_states, in_denotation, known_facts, verification

    checks = {}
    if graph is not None:
        checks["answers in their query's denotation"] = in_denotation(questions, graph)
    if truth is not None:
        known = known_facts(questions, truth)
        if known.right * 2 < known.all:
            say(
                f"warning: {truth} knows {known.right:,} of the set's {known.all:,} facts; "
                "is it the truth of another world?",
                error=True,
            )
        stated = evidence_states(questions, truth)
        # Examples of errors are shown with their kinds.
        right = sum(share.right for share in stated.values())
        total = sum(share.all for share in stated.values())
        checks["evidence that states its fact"] = Share(right, total, [])
        for kind, share in stated.items():
            checks[f"evidence that states its fact, {kind}"] = share
        checks.update(verification(source / WORK, truth))
    return checks


class SetFigures(Rendered):
    """The figures of a question set, those of the papers for its kinds, and the comparison with the truth."""

    def __init__(
        self,
        name: str,
        figures: "Statistics",
        by_kind: dict[str, Any],
        checks: "dict[str, Share]",
        manifest: dict[str, Any],
    ):
        self.name = name
        self.figures = figures
        self.by_kind = by_kind
        self.checks = checks
        self.manifest = manifest

    def display(self, medium: Medium = "terminal") -> Display:
        """Questions by kind, the number of answers, and the rest in sentences."""
        figures = self.figures
        bins = tuple(Mark(name, count, count, count) for name, count in figures.bins())
        parts: list[Part] = [_kinds_table(figures)]
        if bins:
            series = (Series("", bins),)
            parts.append(Figure("Number of answers", "histogram", series, "answers", "questions"))
        parts += [Note(line) for line in _lines(figures, self.manifest)]
        for name, share in self.checks.items():
            shown = f"{share.right / share.all:.2%}" if share.all else NOTHING
            examples = tuple(Note(example, "not") for example in share.examples)
            parts.append(Note(f"{name}: {shown} ({share.right:,} of {share.all:,})", lines=examples))
        parts += [Note(line) for line in kind_lines(self.by_kind)]
        return Display(f"Figures of {self.name}", tuple(parts))

    def records(self) -> Table:
        """The figures of each kind and split."""
        rows = _figure_rows(self.figures)
        return Table("", tuple(map(Heading, rows[0] if rows else ())), [list(row.values()) for row in rows])

    def as_json(self) -> dict[str, object]:
        """Everything as plain values."""
        figures = self.figures
        return {
            "questions": _figure_rows(figures),
            "answers_per_question": dict(figures.bins()),
            "answers": figures.answers,
            "values": figures.literal_answers,
            "names": figures.aliases,
            "evidence": figures.evidence,
            "answers_with_evidence": figures.with_evidence,
            "questions_with_the_same_answers": figures.same_answers,
            "neutral": figures.neutral,
            "searched": figures.searched,
            "extended": figures.extended,
            "relations": dict(sorted(figures.relations.items())),
            **self.by_kind,
            "checks": {name: share.record() for name, share in self.checks.items()},
        }


def _figure_rows(figures: "Statistics") -> list[dict[str, Any]]:
    return [
        {"kind": kind or "all", "split": split or "all", **row._asdict()}
        for kind in (None, *figures.kinds)
        for split in (None, *figures.splits)
        if (row := figures.figures(kind, None if split is None else [split])) is not None
    ]


def _kinds_table(figures: "Statistics") -> Table:
    headings = (
        Heading("kind"),
        Heading("split"),
        Heading("questions", "count"),
        Heading("mean answers", "number"),
        Heading("median", "number", 1),
        Heading("mean words", "number"),
    )
    rows: list[tuple[Cell, ...]] = []
    for kind in (*figures.kinds, None):
        rows += [BREAK] if rows else []
        for split in figures.splits:
            row = figures.figures(kind, [split])
            if row is not None:
                rows.append((kind or "all", split, *row))
    return Table("Questions by kind", headings, rows, label="questions by kind")


def _lines(figures: "Statistics", manifest: dict[str, Any]) -> Iterator[str]:
    """The answers, the relations, and what was removed when the set was built."""
    proved = figures.with_evidence / figures.answers if figures.answers else 0.0
    yield (
        f"{counted(figures.answers, 'answer')} ({figures.literal_answers:,} of them values), {proved:.0%} "
        f"with evidence; {counted(figures.aliases, 'name')}; "
        f"{figures.same_answers:,} questions share all answers"
    )
    if figures.neutral:
        yield (
            f"{counted(figures.neutral, 'neutral answer')} in {counted(figures.with_neutral, 'question')}, "
            "neither required nor wrong"
        )
    if figures.searched or figures.extended:
        yield (
            f"{counted(figures.searched, 'question was', 'questions were')} searched for more answers; "
            f"{counted(figures.extended, 'extended answer')} in {counted(figures.with_extended, 'question')}"
        )
    if figures.relations:
        common = figures.relations.most_common(_RELATIONS)
        listed = ", ".join(f"{name} {count:,}" for name, count in common)
        yield f"{counted(len(figures.relations), 'relation')}; most used: {listed}"
    for name, stage in manifest.get("stages", {}).items():
        if stage.get("removed"):
            yield f"removed by {name}: {counted_kinds(stage['removed'], '; ')}"
