"""The function `diff`, for scripts and the command line; its result `Drift`, as data, tables and notes."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.audit.drift.causes import Explainer, Side, denotation
from rollcall.audit.drift.changes import (
    CAME,
    CAUSES,
    NAMES,
    NEUTRAL,
    NOT_NEUTRAL,
    RENAMED,
    WENT,
    AnswerChange,
    AnswerKind,
    Cause,
    ChangePart,
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
from rollcall.audit.drift.projection import Projection, answer_changes, neutral_changes, rescored
from rollcall.audit.material import query_of, recipe_verifier
from rollcall.corpus import Corpus
from rollcall.graph import Graph
from rollcall.questions.given import Predictions, Questions, given_questions, given_run
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Evidence, Question
from rollcall.questions.run import Run
from rollcall.questions.splits import TABLES
from rollcall.report import Display, Heading, Measured, Note, Rendered, Table
from rollcall.report.values import Cell, Medium, Part, Tone, warnings
from rollcall.score.rules import GivenMeasures, GivenProfile
from rollcall.text.nouns import counted

_SIGNS = {CAME: "+", WENT: "−", RENAMED: "~", NAMES: "~", NEUTRAL: "◦", NOT_NEUTRAL: "◦"}
_TONES: dict[str, Tone] = {"+": "good", "−": "bad", "~": "doubtful", "◦": "dim"}

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
        counted_kinds = Counter(answer.kind for answer in self.answer_changes)
        order: tuple[AnswerKind, ...] = (CAME, WENT, RENAMED, NAMES, NEUTRAL, NOT_NEUTRAL)
        return {kind: counted_kinds[kind] for kind in order if counted_kinds[kind]}

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
        return drift_display(self, self.shown if medium in ("terminal", "notebook") else None)

    def records(self) -> Table:
        """A row for each change of a question or of one of its answers."""
        return drift_records(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({summary(self)})"

    def causes(self) -> dict[str, int]:
        """How many answers changed, by what did it."""
        counted_causes = Counter(answer.cause for answer in self.answer_changes)
        return {cause: counted_causes[cause] for cause in CAUSES if counted_causes[cause]}


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
            stack.enter_context(Graph.open(given)) if isinstance(given, str | Path) else given
            for given in (old_graph, graph)
        ]
        corpora = [None if given is None else _folder(given) for given in (old_corpus, corpus)]
        notes: list[str] = []
        if new is not None:
            others = given_questions(new, "the new set")
        else:
            questions = chosen
            others, notes = _projected(questions, graphs, corpora[1], verifier, jobs)
        matches = _of_splits(match(questions.questions, others.questions), split)
        sides = _sides(graphs, corpora, matches)
        drift = compared(matches, Explainer(*sides), projected=new is None)
        drift.old = len(matches.both) + len(matches.gone)
        drift.new, drift.notes = len(matches.both) + len(matches.added), notes
        _say_why_gone(drift, matches, graphs[1])
    if dump is not None:
        name_withdrawals(drift.answer_changes, Path(dump))
    if rescore is not None:
        loaded = [given_run(run) for run in _runs(rescore)]
        drift.rescored = [rescored(run, matches.both, drift, profile, measures, confidence) for run in loaded]
    return drift


def _of_splits(matches: Matches, split: str | Sequence[str] | None) -> Matches:
    """The questions of some splits of the old set; a question that changed its split is still the same."""
    if not split:
        return matches
    splits = [split] if isinstance(split, str) else split
    return Matches(
        [pair for pair in matches.both if pair[0].split in splits],
        [question for question in matches.added if question.split in splits],
        [question for question in matches.gone if question.split in splits],
    )


def compared(matches: Matches, explainer: Explainer, *, projected: bool = False) -> Drift:
    """The difference between matched questions; a projected question without answers is gone."""
    drift = Drift()
    for before, after in matches.both:
        if projected and before.answers and not after.answers:
            drift.gone.append(record(before, "no answer is left"))
            continue
        changes = answer_changes(before.answers, after.answers) + neutral_changes(before, after)
        reworded = before.question != after.question
        if not changes and not reworded:
            drift.same += 1
            continue
        explainer.explain(before, after, changes)
        drift.changed.append(
            QuestionChange(
                before.id,
                before.question,
                after.id if after.id != before.id else None,
                before.kind,
                Reworded(before.question, after.question) if reworded else None,
                changes,
            )
        )
    drift.added = [record(question) for question in matches.added]
    drift.gone += [record(question) for question in matches.gone]
    return drift


def record(question: Question, why: str = "") -> QuestionRecord:
    """A question that only one side has."""
    return QuestionRecord(question.id, question.question, question.kind, why)


def _runs(given: Predictions | Sequence[Predictions]) -> list[Predictions]:
    """One run or several; a list of records is one run."""
    if isinstance(given, list | tuple) and given and all(isinstance(run, str | Path | Run) for run in given):
        return list(given)
    return [given]


def _folder(corpus: Corpus | Path | str) -> Path:
    if isinstance(corpus, Corpus):
        return corpus.folder
    Corpus.open(corpus).close()  # raises an error if it is not a corpus
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

    projected = Projection(newer, older, corpus, find).project(questions)
    return projected.questions, projected.notes


def _sides(
    graphs: Sequence[Graph | None], corpora: Sequence[Path | None], matches: Matches
) -> tuple[Side, Side]:
    positions = {
        place_of(piece)
        for pair in matches.both
        for question in pair
        for answer in question.answers
        for piece in answer.evidence
    }
    sides = []
    for graph, corpus in zip(graphs, corpora, strict=True):
        in_corpus = None if corpus is None else sentences_in(corpus, positions)
        sides.append(Side(graph, None if in_corpus is None else in_corpus.__contains__))
    return sides[0], sides[1]


def _say_why_gone(drift: Drift, matches: Matches, graph: Graph | None) -> None:
    """Say of questions that are gone what the newer graph answers to them."""
    if graph is None:
        return
    gone = {question.id: question for question in matches.gone}
    for gone_question in drift.gone:
        question = gone.get(gone_question.id)
        query = None if question is None else query_of(question)
        if question is None or query is None or question.kind in TABLES:
            continue
        left, had = denotation(graph.index, query), len(question.answers)
        still = sum(answer.id in left for answer in question.answers)
        gone_question.why = (
            "the graph has no answer to it any more"
            if not left
            else f"the graph has {len(left):,} answers to it, {still:,} of its {had:,}"
        )


# The difference as notes and tables: what changed, what did it, and how scores change with the gold.


def drift_display(drift: Drift, most: int | None = None) -> Display:
    """What changed, with at most `most` questions of each sort."""
    parts: list[Part] = [Note(summary(drift), tone="strong")]
    if drift.answer_changes:
        words = {NAMES: "known by other names"}
        counts = (f"{count:,} {words.get(kind, kind)}" for kind, count in drift.counts().items())
        parts.append(Note(", ".join(counts), "answers"))
        headings = (Heading("cause"), Heading("answers", "count"))
        parts.append(Table("", headings, list(drift.causes().items()), label="causes"))
    parts += [_question(change) for change in drift.changed[:most]]
    parts += _more(len(drift.changed), most, "changed")
    for label, questions in (("gone", drift.gone), ("added", drift.added)):
        parts += [_record(label, question) for question in questions[:most]]
        parts += _more(len(questions), most, label)
    parts += [_rescored(run) for run in drift.rescored]
    return Display("What changed", (*parts, *warnings(drift.notes, "note")), summary(drift))


def summary(drift: Drift) -> str:
    """What changed, in one line."""
    if drift.is_empty:
        return f"nothing changed: {counted(drift.same, 'question is', 'questions are')} the same"
    reworded = sum(change.reworded is not None for change in drift.changed)
    parts = [
        f"{counted(drift.same, 'question is', 'questions are')} the same",
        f"{len(drift.changed):,} changed",
    ]
    if reworded:
        parts[-1] += f" ({reworded:,} reworded)"
    return ", ".join([*parts, f"{len(drift.gone):,} gone", f"{len(drift.added):,} added"])


def _question(question: QuestionChange) -> Note:
    """A question, its new words, and each change of its answers with the causes."""
    lines = [Note(question.reworded.after, "now")] if question.reworded is not None else []
    for change in question.answers:
        sign = _SIGNS[change.kind]
        causes = [line for cause in change.causes for line in _cause_lines(cause)]
        lines.append(Note(_answer(change), sign, _TONES[sign], lines=tuple(causes)))
    return Note(question.question, tone="strong", detail=question.id, lines=tuple(lines))


def _answer(change: AnswerChange) -> str:
    """An answer and what happened to it."""
    id_ = f" ({change.id})" if change.id else ""
    if change.kind == RENAMED:
        return f"{change.before} is {change.label} now{id_}"
    notes = {NAMES: ", known by other names", NEUTRAL: ", neutral now", NOT_NEUTRAL: ", no longer neutral"}
    return f"{change.label}{id_}{notes.get(change.kind, '')}"


def _cause_lines(cause: Cause) -> Iterator[Note]:
    """What changed an answer, and the sentence that says so."""
    yield Note(_cause(cause))
    if cause.text:
        yield Note(f"“{cause.text}”", tone="dim")


def _cause(cause: Cause) -> str:
    return f"{cause.kind}: {cause.said or cause.fact}" if cause.said or cause.fact else cause.kind


def _record(label: str, question: QuestionRecord) -> Note:
    why = f" ({question.why})" if question.why else ""
    return Note(question.question, label, "strong", f"{question.id}{why}")


def _more(count: int, most: int | None, label: str) -> Sequence[Note]:
    if most is None or count <= most:
        return ()
    return [Note(f"… and {count - most:,} more {label}; --most shows more, --json and --html have all")]


def _rescored(run: Rescored) -> Table:
    """How much the score of a run changes with the gold, and the part of each cause."""
    rows: list[tuple[Cell, ...]] = []
    for measure, change in run.figures.items():
        rows.append((measure, Measured(change.before), Measured(change.after), _points(change.drift)))
        rows += [(f"  {cause}", "", "", _points(part)) for cause, part in change.by_cause.items()]
    headings = (
        Heading(""),
        Heading("old gold", "number"),
        Heading("new gold", "number"),
        Heading("drift of the gold", "number"),
    )
    questions = counted(run.unanswered, "question")
    notes = (f"without an answer of the run, and counted as wrong: {questions}",) if run.unanswered else ()
    title = f"{run.run or 'the run'}, {counted(run.questions, 'question')}"
    return Table(title, headings, rows, notes, "drift")


def _points(part: ChangePart) -> str:
    """A part of a change in percentage points, with its interval."""
    shown = f"{100 * part.value:+.2f}"
    if part.interval is None:
        return shown
    low, high = part.interval
    return f"{shown} [{100 * low:+.2f}, {100 * high:+.2f}]"


def drift_records(drift: Drift) -> Table:
    """A row for each change of a question or of one of its answers."""
    names = ("id", "question", "change", "answer", "answer_id", "before", "causes")
    rows: list[tuple[Cell, ...]] = []
    for question in drift.changed:
        about = (question.id, question.question)
        if question.reworded is not None:
            rows.append((*about, "reworded", None, None, question.reworded.before, None))
        for change in question.answers:
            causes = "; ".join(map(_cause, change.causes))
            rows.append((*about, change.kind, change.label, change.id, change.before, causes))
    for kind, questions in (("gone", drift.gone), ("added", drift.added)):
        rows += [
            (question.id, question.question, kind, None, None, None, question.why) for question in questions
        ]
    return Table("", tuple(map(Heading, names)), rows)
