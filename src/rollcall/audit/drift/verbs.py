"""The function `diff`, for scripts and the command line."""

from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.audit.drift.causes import Explainer, Side, denotation
from rollcall.audit.drift.changes import (
    CAME,
    CAUSES,
    NAMES,
    RENAMED,
    WENT,
    AnswerChange,
    AnswerKind,
    Fact,
    Matches,
    QuestionChange,
    QuestionRecord,
    Rescored,
    Reworded,
    match,
    name_withdrawals,
    place_of,
    sentences_in,
    stated_facts,
)
from rollcall.audit.drift.projection import Projection, answer_changes, rescored
from rollcall.audit.parts import query_of, recipe_verifier
from rollcall.corpus import Corpus
from rollcall.graph import Graph
from rollcall.questions.given import Predictions, Questions, given_questions, given_run
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Evidence, Question
from rollcall.questions.run import Run
from rollcall.questions.splits import TABLES
from rollcall.report import Display, Rendered, Table
from rollcall.report.values import Medium
from rollcall.score.rules import GivenMeasures, GivenProfile

# The result of a difference: all that changed between two sides, and the forms in which it is shown.


class Drift(Rendered, msgspec.Struct, omit_defaults=True):
    """All that changed between two sides, as data."""

    old: int = 0
    """How many questions the old side has."""
    new: int = 0
    same: int = 0
    """How many questions are the same in both, answers and names included."""
    added: list[QuestionRecord] = []
    gone: list[QuestionRecord] = []
    changed: list[QuestionChange] = []
    notes: list[str] = []
    rescored: list[Rescored] = []
    shown: int = 10
    """The most questions of each sort that the terminal shows."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed."""
        return not (self.added or self.gone or self.changed)

    @property
    def answer_changes(self) -> list[AnswerChange]:
        return [answer for question in self.changed for answer in question.answers]

    def counts(self) -> dict[str, int]:
        """How many answers changed, by what happened to them."""
        found = Counter(answer.kind for answer in self.answer_changes)
        order: tuple[AnswerKind, ...] = (CAME, WENT, RENAMED, NAMES)
        return {kind: found[kind] for kind in order if found[kind]}

    def as_json(self) -> dict[str, object]:
        """Everything as plain values."""
        heads = {"old": self.old, "new": self.new, "same": self.same, "changed": len(self.changed)}
        counts = {"gone": len(self.gone), "added": len(self.added)}
        answers = {"answers": self.counts(), "causes": self.causes()}
        record: dict[str, object] = msgspec.to_builtins(self)
        listed = {name: record.get(name, []) for name in ("changed", "gone", "added", "rescored", "notes")}
        return {"drift": {**heads, **counts, **answers}, **listed}

    def display(self, medium: Medium = "terminal") -> Display:
        """The changes and their causes; on the terminal at most `shown` questions of each sort."""
        from rollcall.audit.drift._display import drift_display

        return drift_display(self, self.shown if medium in ("terminal", "notebook") else None)

    def records(self) -> Table:
        """A row for each change of a question or of one of its answers."""
        from rollcall.audit.drift._display import drift_records

        return drift_records(self)

    def __repr__(self) -> str:
        from rollcall.audit.drift._display import summary

        return f"{type(self).__name__}({summary(self)})"

    def causes(self) -> dict[str, int]:
        """How many answers changed, by what did it."""
        found = Counter(answer.cause for answer in self.answer_changes)
        return {cause: found[cause] for cause in CAUSES if found[cause]}


DEFAULT_VERIFIER = "contrast"


def diff(
    old: Questions,
    new: Questions | None = None,
    *,
    graph: Graph | Path | str | None = None,
    corpus: Corpus | Path | str | None = None,
    old_graph: Graph | Path | str | None = None,
    old_corpus: Corpus | Path | str | None = None,
    dump: Path | str | None = None,
    rescore: Predictions | Sequence[Predictions] | None = None,
    split: str | Sequence[str] | None = None,
    profile: GivenProfile = "entity",
    measures: GivenMeasures = None,
    confidence: float | None = 0.95,
    verifier: str | None = None,
    jobs: int | None = None,
) -> Drift:
    """What changed between two question sets, or between a set and a newer graph and corpus.

    With two sets, `graph` and `old_graph`, the graphs they were made from, tell for every answer that came or
    went which statement did it, and the corpora whether a sentence did. With one set, its queries are
    answered again in `graph`, and `corpus` is searched for text that states what is new; `old_graph` tells
    new answers from those that no text proved. `dump`, the newer Wikidata dump, says of statements that are
    gone whether they ended, were deprecated or removed. `rescore` is a run, or several: how much of a change
    in their figures is due to the gold. `verifier` judges text; by default the one of the set's recipe.
    """
    questions = given_questions(old, "the old set")
    chosen = questions.of_splits(split)
    if new is None and graph is None:
        raise RollcallError("a difference needs two sets, or one set and a newer graph (--graph)")
    with ExitStack() as stack:
        graphs = [
            None if one is None else one if isinstance(one, Graph) else stack.enter_context(Graph.open(one))
            for one in (old_graph, graph)
        ]
        corpora = [None if one is None else _folder(one) for one in (old_corpus, corpus)]
        notes: list[str] = []
        if new is not None:
            others = given_questions(new, "the new set")
        else:
            questions = chosen
            others, notes = _projected(questions, graphs, corpora[1], verifier, jobs)
        matches = _of_splits(match(questions.questions, others.questions), split)
        sides = _sides(graphs, corpora, matches)
        found = compared(matches, Explainer(*sides), projected=new is None)
        found.old = len(matches.both) + len(matches.gone)
        found.new, found.notes = len(matches.both) + len(matches.added), notes
        _say_why_gone(found, matches, graphs[1])
    if dump is not None:
        name_withdrawals(found.answer_changes, Path(dump))
    if rescore is not None:
        loaded = [given_run(run) for run in _runs(rescore)]
        found.rescored = [rescored(run, matches.both, found, profile, measures, confidence) for run in loaded]
    return found


def _of_splits(matches: Matches, split: str | Sequence[str] | None) -> Matches:
    """The questions of some splits of the old set; a question that changed its split is still the same."""
    if not split:
        return matches
    splits = [split] if isinstance(split, str) else split
    return Matches(
        [pair for pair in matches.both if pair[0].split in splits],
        [one for one in matches.added if one.split in splits],
        [one for one in matches.gone if one.split in splits],
    )


def compared(matches: Matches, explainer: Explainer, *, projected: bool = False) -> Drift:
    """The difference between matched questions; a projected question without answers is gone."""
    found = Drift()
    for before, after in matches.both:
        if projected and before.answers and not after.answers:
            found.gone.append(record(before, "no answer is left"))
            continue
        changes = answer_changes(before.answers, after.answers)
        reworded = before.question != after.question
        if not changes and not reworded:
            found.same += 1
            continue
        explainer.explain(before, after, changes)
        found.changed.append(
            QuestionChange(
                before.id,
                before.question,
                after.id if after.id != before.id else None,
                before.kind,
                Reworded(before.question, after.question) if reworded else None,
                changes,
            )
        )
    found.added = [record(one) for one in matches.added]
    found.gone += [record(one) for one in matches.gone]
    return found


def record(question: Question, why: str = "") -> QuestionRecord:
    """A question that only one side has."""
    return QuestionRecord(question.id, question.question, question.kind, why)


def _runs(given: Predictions | Sequence[Predictions]) -> list[Predictions]:
    """One run or several; a list of records is one run."""
    if isinstance(given, list | tuple) and given and all(isinstance(one, str | Path | Run) for one in given):
        return list(given)
    return [given]


def _folder(corpus: Corpus | Path | str) -> Path:
    if isinstance(corpus, Corpus):
        return corpus.folder
    Corpus.open(corpus).close()  # refuses what is none
    return Path(corpus)


def _projected(
    questions: QuestionSet,
    graphs: Sequence[Graph | None],
    corpus: Path | None,
    verifier: str | None,
    jobs: int | None,
) -> tuple[QuestionSet, list[str]]:
    older, newer = graphs
    assert newer is not None, "checked before"
    judge = verifier or recipe_verifier(questions) or DEFAULT_VERIFIER

    def find(facts: Collection[Fact]) -> dict[Fact, Evidence]:
        assert corpus is not None, "without a corpus nothing is looked for in text"
        return stated_facts(facts, newer.folder, corpus, judge, jobs)

    made = Projection(newer, older, corpus, find).project(questions)
    return made.questions, made.notes


def _sides(
    graphs: Sequence[Graph | None], corpora: Sequence[Path | None], matches: Matches
) -> tuple[Side, Side]:
    places = {
        place_of(piece)
        for pair in matches.both
        for question in pair
        for answer in question.answers
        for piece in answer.evidence
    }
    sides = []
    for graph, corpus in zip(graphs, corpora, strict=True):
        there = None if corpus is None else sentences_in(corpus, places)
        sides.append(Side(graph, None if there is None else there.__contains__))
    return sides[0], sides[1]


def _say_why_gone(found: Drift, matches: Matches, graph: Graph | None) -> None:
    """Say of questions that are gone what the newer graph answers to them."""
    if graph is None:
        return
    gone = {question.id: question for question in matches.gone}
    for one in found.gone:
        question = gone.get(one.id)
        query = None if question is None else query_of(question)
        if question is None or query is None or question.kind in TABLES:
            continue
        left, had = denotation(graph.index, query), len(question.answers)
        still = sum(answer.id in left for answer in question.answers)
        one.why = (
            "the graph has no answer to it any more"
            if not left
            else f"the graph has {len(left):,} answers to it, {still:,} of its {had:,}"
        )
