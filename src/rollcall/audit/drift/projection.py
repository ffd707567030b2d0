"""What the questions of a set would be with a newer graph and corpus: the same queries, answered again.

An answer stays if the graph still has it and text still states what it rests on; an answer comes if the newer
graph has it, the older one had not, and text states it. Only what changed is looked for in the corpus: a
sentence that is still there states what it stated. What lists say is in no graph, so questions about lists
stay as they are, and so do questions without a query.
"""

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec

from rollcall.audit.drift.causes import Derivation, answer_text, denotation, derivations, holds, written
from rollcall.audit.drift.changes import (
    CAME,
    NAMES,
    NEUTRAL,
    NOT_NEUTRAL,
    RENAMED,
    WENT,
    AnswerChange,
    AnswerKind,
    ChangePart,
    Fact,
    FigureChange,
    Place,
    Rescored,
    fact_in,
    fact_of,
    place_of,
    sentences_in,
)
from rollcall.audit.material import query_of
from rollcall.graph import Graph
from rollcall.query import Query, Value, number, parse_value
from rollcall.query.statements import Edge
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Evidence, NeutralAnswer, Question, name_order, value_names
from rollcall.questions.run import Run
from rollcall.questions.splits import TABLES
from rollcall.score.figures import MeasureColumn, Ratio, clustered, ratio, spread, t_quantile
from rollcall.score.options import ScoringOptions
from rollcall.score.report import Report
from rollcall.score.rules import GivenMeasures, GivenProfile, check_scoring, chosen_profile
from rollcall.score.scoring import score_records
from rollcall.text.nouns import counted
from rollcall.text.words import fold

if TYPE_CHECKING:
    from rollcall.audit.drift.verbs import Drift


AnyAnswer = TypeVar("AnyAnswer", bound=Answer)
IN_GRAPH = "answers_in_graph"
"""The key under which a question's provenance says how many answers its graph had, proved or not."""


Find = Callable[[Collection[Fact]], dict[Fact, Evidence]]
"""Finds the sentences that state facts."""


class Projected(NamedTuple):
    """The questions as they would be, and what could not be looked into."""

    questions: QuestionSet
    notes: list[str]


class _AnswerableQuestion(NamedTuple):
    """A question that a graph can answer."""

    question: Question
    query: Query
    kept: list[Answer]
    doubtful: dict[str, list[Derivation]]
    """Answers whose text must be looked for, with their derivations in the newer graph."""


class Projection:
    """Answers the questions of a set again."""

    def __init__(
        self,
        graph: Graph,
        old_graph: Graph | None,
        corpus: Path | None,
        find: Find,
        *,
        prove_all: bool = False,
    ):
        """`find` finds the sentences that state facts. With `prove_all`, every answer of the graph may come
        that text proves, also one that the older graph had; then `old_graph` need not be known.
        """
        self.graph, self.old_graph, self.corpus = graph, old_graph, corpus
        self.find, self.prove_all = find, prove_all
        self.keeps_neutral = False
        self.untouched = self.undecided = 0

    def project(self, questions: QuestionSet, *, keep_neutral: bool | None = None) -> Projected:
        """The questions as they would be with the newer graph and corpus.

        `keep_neutral` says whether answers of the graph that no text proves are neutral; by default they are
        if the set has any.
        """
        has_neutral = any(question.neutral for question in questions)
        self.keeps_neutral = has_neutral if keep_neutral is None else keep_neutral
        proved = self.corpus is not None and are_proved(questions)
        still_there = self._sentences(questions) if proved else None
        asked = {question.id: self._ask(question, still_there) for question in questions}
        wanted = {
            fact_of(edge)
            for answerable in asked.values()
            if answerable is not None
            for fact_derivations in answerable.doubtful.values()
            for derivation in fact_derivations
            for edge in derivation
            if isinstance(edge, Edge)
        }
        stated = self._stated(wanted, questions, still_there) if proved else None
        answered = [
            question if (answerable := asked[question.id]) is None else self._answered(answerable, stated)
            for question in questions
        ]
        return Projected(QuestionSet(answered, questions.manifest), self._notes())

    def _sentences(self, questions: Iterable[Question]) -> set[Place]:
        assert self.corpus is not None
        return sentences_in(
            self.corpus,
            {
                place_of(piece)
                for question in questions
                for answer in question.answers
                for piece in answer.evidence
            },
        )

    def _ask(self, question: Question, still_there: set[Place] | None) -> _AnswerableQuestion | None:
        """The answers that surely stay, and those that text must decide about."""
        query = query_of(question)
        unknown = query is None or any(
            self.graph.index.relation_number(relation) is None for relation in query.relations
        )
        if query is None or question.kind in TABLES or unknown:
            self.untouched += 1
            return None
        now = denotation(self.graph.index, query)
        if query.aggregate == "count":
            return _AnswerableQuestion(question, query, [self._count(question, len(now))], {})
        gold = {self._text(query, answer): answer for answer in question.answers}
        staying = {text: answer for text, answer in gold.items() if text in now}
        sure = [text for text, answer in staying.items() if self._still_stated(answer, still_there)]
        coming = now - set(gold) - self._known_before(question, query, now)
        if still_there is None:
            sure, unsure = [*sure, *sorted(coming)], []
        else:
            unsure = sorted({*coming, *staying} - set(sure))
        kept = [self._renamed(gold[text]) if text in gold else self._named(text) for text in sure]
        return _AnswerableQuestion(
            question, query, kept, derivations(self.graph.index, query, unsure) if unsure else {}
        )

    def _known_before(self, question: Question, query: Query, now: set[str]) -> set[str]:
        """Answers of the graph that are not gold because no text proved them."""
        if self.prove_all:
            return set()
        neutral = {self._text(query, answer) for answer in question.neutral}
        if question.provenance.get(IN_GRAPH) == len(question.answers) + len(question.neutral):
            return neutral
        if self.old_graph is not None:
            return denotation(self.old_graph.index, query)
        if question.provenance.get(IN_GRAPH, len(question.answers)) == len(question.answers):
            return neutral
        self.undecided += 1
        return now

    def _still_stated(self, answer: Answer, still_there: set[Place] | None) -> bool:
        """Whether all that proved an answer is still there; without a corpus, what the graph has counts."""
        if still_there is None or not answer.evidence:
            return True
        return all(
            place_of(piece) in still_there
            and (edge := fact_in(piece)) is not None
            and holds(self.graph.index, edge)
            for piece in answer.evidence
        )

    def _stated(
        self, wanted: Collection[Fact], questions: Iterable[Question], still_there: set[Place] | None
    ) -> dict[Fact, Evidence]:
        """The sentence that states each fact: one of the set that is still there, or the best found."""
        known: dict[Fact, Evidence] = {}
        for question in questions:
            for answer in question.answers:
                for piece in answer.evidence:
                    edge = fact_in(piece)
                    if edge is not None and still_there is not None and place_of(piece) in still_there:
                        known.setdefault(fact_of(edge), piece)
        return known | self.find(set(wanted) - set(known))

    def _answered(self, asked: _AnswerableQuestion, stated: dict[Fact, Evidence] | None) -> Question:
        gold = {self._text(asked.query, answer): answer for answer in asked.question.answers}
        answers = list(asked.kept)
        for text, fact_derivations in asked.doubtful.items():
            evidence = next(
                filter(None, (_proof(derivation, stated or {}) for derivation in fact_derivations)), None
            )
            if evidence is not None:
                answer = self._renamed(gold[text]) if text in gold else self._named(text)
                answers.append(msgspec.structs.replace(answer, evidence=evidence))
        answers.sort(key=name_order)
        return msgspec.structs.replace(
            asked.question,
            question=self._reworded(asked.question, asked.query),
            answers=answers,
            neutral=self._neutral(asked, answers) if self.keeps_neutral else [],
        )

    def _neutral(self, asked: _AnswerableQuestion, answers: Sequence[Answer]) -> list[NeutralAnswer]:
        """The answers of the graph that are not gold; what text lacks is known of those that were neutral."""
        if asked.query.aggregate == "count":
            return []
        proved = {self._text(asked.query, answer) for answer in answers}
        before = {self._text(asked.query, answer): answer for answer in asked.question.neutral}
        gold = {self._text(asked.query, answer): answer for answer in asked.question.answers}
        neutral = []
        for text in denotation(self.graph.index, asked.query) - proved:
            if text in before:
                neutral.append(self._renamed(before[text]))
                continue
            answer = self._renamed(gold[text]) if text in gold else self._named(text)
            neutral.append(NeutralAnswer(answer.label, answer.id, answer.aliases, sources=["graph"]))
        return sorted(neutral, key=name_order)

    def _reworded(self, question: Question, query: Query) -> str:
        """The wording with the new names of what it asks about."""
        text, known = question.question, question.provenance.get("entities", ())
        named = known if isinstance(known, list) and len(known) == len(query.entities) else ()
        for entity, before in zip(query.entities, named, strict=False):
            after = self.graph.label(entity)
            if after not in (before, entity) and isinstance(before, str):
                text = text.replace(before, after)
        return text

    def _text(self, query: Query, answer: Answer) -> str:
        """An answer as graphs write it."""
        graphs = filter(None, (self.graph, self.old_graph))
        texts = (answer_text(graph, query, answer) for graph in graphs)
        return next(filter(None, texts), answer.label)

    def _named(self, text: str) -> Answer:
        if self.graph.index.entity_number(text) is None:
            return self._value(parse_value(text))
        record = self.graph.entity(text)
        return Answer(record.label or text, text, list(record.aliases))

    def _value(self, value: Value) -> Answer:
        label, *others = written(self.graph, value)
        return Answer(label, None, others)

    def _count(self, question: Question, count: int) -> Answer:
        label, *others = value_names(number(count))
        before = question.answers[0] if question.answers else None
        is_same = before is not None and label in (before.label, *before.aliases)
        return before if is_same and before is not None else Answer(label, None, others)

    def _renamed(self, answer: AnyAnswer) -> AnyAnswer:
        """An answer with the graph's label; the one that it had is another name of it."""
        if answer.id is None or self.graph.index.entity_number(answer.id) is None:
            return answer
        label = self.graph.label(answer.id)
        if label in (answer.label, answer.id):
            return answer
        others = [name for name in (*answer.aliases, answer.label) if name != label]
        return msgspec.structs.replace(answer, label=label, aliases=others)

    def _notes(self) -> list[str]:
        notes = []
        if self.untouched:
            notes.append(
                "unchanged, since they have no query or ask what lists say: "
                f"{counted(self.untouched, 'question')}"
            )
        if self.undecided:
            notes.append(
                f"{self.undecided:,} questions have answers in the graph that no text proved; which of its "
                "answers are new, only the older graph tells (--old-graph)"
            )
        return notes


def are_proved(questions: Iterable[Question]) -> bool:
    """Whether a set has only answers that text proves; in other sets, what the graph has is an answer."""
    evidence = [bool(answer.evidence) for question in questions for answer in question.answers]
    return bool(evidence) and all(evidence)


def _proof(derivation: Derivation, stated: dict[Fact, Evidence]) -> list[Evidence] | None:
    """Evidence for all facts of a derivation; None if one is not stated."""
    edges = [statement for statement in derivation if isinstance(statement, Edge)]
    if any(fact_of(edge) not in stated for edge in edges):
        return None
    return [stated[fact_of(edge)] for edge in edges]


# Compares the answers of one question in both sets: which came, went, or have other names now. Answers
# are the same by their ids; those without an id by a name that they share.


def answer_changes(old: Sequence[Answer], new: Sequence[Answer]) -> list[AnswerChange]:
    """What changed, in the order of the old answers, then of the new ones; causes are not known yet."""
    partners = _partners(old, new)
    changes = []
    for index, answer in enumerate(old):
        now = partners.get(index)
        if now is None:
            changes.append(AnswerChange(WENT, answer.label, answer.id))
            continue
        after = new[now]
        if after.label != answer.label:
            changes.append(AnswerChange(RENAMED, after.label, after.id or answer.id, answer.label))
        elif _names(after) != _names(answer):
            changes.append(AnswerChange(NAMES, after.label, after.id or answer.id))
    known = set(partners.values())
    changes += [
        AnswerChange(CAME, answer.label, answer.id) for index, answer in enumerate(new) if index not in known
    ]
    return changes


def neutral_changes(old: Question, new: Question) -> list[AnswerChange]:
    """The answers that count on neither side, and are neutral on one."""
    sides: tuple[tuple[AnswerKind, Question, Question], ...] = (
        (NOT_NEUTRAL, old, new),
        (NEUTRAL, new, old),
    )
    changes = []
    for kind, question, other in sides:
        shared = {**_partners(question.neutral, other.neutral), **_partners(question.neutral, other.answers)}
        changes += [
            AnswerChange(kind, answer.label, answer.id)
            for index, answer in enumerate(question.neutral)
            if index not in shared
        ]
    return changes


def _names(answer: Answer) -> set[str]:
    return {answer.label, *answer.aliases}


def _partners(old: Sequence[Answer], new: Sequence[Answer]) -> dict[int, int]:
    """For places in the old answers, the place of the same answer in the new ones."""
    by_id = {answer.id: index for index, answer in enumerate(new) if answer.id is not None}
    partners = {
        index: by_id[answer.id]
        for index, answer in enumerate(old)
        if answer.id is not None and answer.id in by_id
    }
    taken = set(partners.values())
    by_label: dict[str, list[int]] = {}
    by_name: dict[str, list[int]] = {}
    for index, answer in enumerate(new):
        if index not in taken:
            by_label.setdefault(fold(answer.label), []).append(index)
            for name in _names(answer):
                by_name.setdefault(fold(name), []).append(index)
    for table, all_names in ((by_label, False), (by_name, True)):
        for index, answer in enumerate(old):
            if index in partners:
                continue
            names = sorted(_names(answer)) if all_names else [answer.label]
            options = (
                other
                for name in names
                for other in table.get(fold(name), ())
                if other not in taken and None in (answer.id, new[other].id)
            )
            partner = next(options, None)
            if partner is not None:
                partners[index] = partner
                taken.add(partner)
    return partners


# How much of a change in a run's score is drift of the gold: the same answers, scored on both golds. The
# difference is divided among its causes question by question, by Shapley's values: the mean gain of a
# cause over all orders in which the causes could have come. So the parts add up to the difference
# exactly, and none depends on a chosen order. Their intervals are those of means over
# questions (or clusters of them), as everywhere in scoring.

_MOST_CAUSES = 6
"""Causes are divided exactly up to this number; the rarer ones are taken together."""
OTHER = "other causes"

Pairs = Sequence[tuple[Question, Question]]


def rescored(
    run: Run,
    pairs: Pairs,
    drift: "Drift",
    profile: GivenProfile,
    measures: GivenMeasures,
    confidence: float | None,
) -> Rescored:
    """Score a run on the old and the new gold, and divide the difference among the causes."""
    options = ScoringOptions(profile=profile, measures=measures, confidence=None)
    check_scoring(options)
    matching = chosen_profile(options)
    asked = {before.id for before, _ in pairs}
    kept = Run([prediction for prediction in run if prediction.id in asked], run.name, run.warnings)
    golds = _Golds(pairs, drift)
    full_report = score_records(QuestionSet(before for before, _ in pairs), kept, options)
    measured = [column.measure for column in full_report.columns]
    chosen = [measure for measure in measured if measure.is_share and not measure.worst]
    scored = ScoringOptions(profile=matching, measures=chosen, confidence=None)
    reports = {
        causes: score_records(QuestionSet(golds.with_(causes)), kept, scored) for causes in golds.subsets()
    }
    answered = {prediction.id for prediction in kept}
    record = Rescored(run.name, len(pairs), matching.name, {}, len(asked - answered))
    for column, measure in enumerate(chosen):
        columns = {causes: report.columns[column] for causes, report in reports.items()}
        change = _figure(columns, golds.causes, reports[frozenset()], confidence)
        if change is not None:
            record.figures[str(measure)] = change
    return record


class _Golds:
    """The gold of every question with some of the causes at work."""

    def __init__(self, pairs: Pairs, drift: "Drift"):
        self.pairs = pairs
        self._changes = {question.id: question.answers for question in drift.changed}
        counts: dict[str, int] = {}
        for change in drift.answer_changes:
            counts[change.cause] = counts.get(change.cause, 0) + 1
        common = sorted(counts, key=lambda cause: (-counts[cause], cause))
        own = common if len(common) <= _MOST_CAUSES else common[: _MOST_CAUSES - 1]
        self._group = {cause: cause if cause in own else OTHER for cause in common}
        self.causes = list(dict.fromkeys(self._group[cause] for cause in common))

    def subsets(self) -> list[frozenset[str]]:
        sizes = range(len(self.causes) + 1)
        return [frozenset(some) for size in sizes for some in combinations(self.causes, size)]

    def with_(self, causes: frozenset[str]) -> list[Question]:
        """The old questions after the changes that these causes made."""
        return [
            self._changed(before, after, causes) if before.id in self._changes else before
            for before, after in self.pairs
        ]

    def _changed(self, before: Question, after: Question, causes: frozenset[str]) -> Question:
        at_work = [change for change in self._changes[before.id] if self._group[change.cause] in causes]
        answers = [now for answer in before.answers if (now := _after(answer, after, at_work)) is not None]
        came = [change for change in at_work if change.kind == CAME]
        answers += [answer for answer in after.answers if any(_is(answer, change) for change in came)]
        neutral = [answer for answer in before.neutral if not _has(at_work, answer, (CAME, NOT_NEUTRAL))]
        neutral += [answer for answer in after.neutral if _has(at_work, answer, (WENT, NEUTRAL))]
        return msgspec.structs.replace(before, answers=answers, neutral=neutral)


def _has(changes: Sequence[AnswerChange], answer: Answer, kinds: Collection[str]) -> bool:
    """Whether an answer has a change of these kinds."""
    return any(change.kind in kinds and _is(answer, change) for change in changes)


def _after(answer: Answer, after: Question, changes: Sequence[AnswerChange]) -> Answer | None:
    """An old answer after the changes: gone, with its new names, or as it was."""
    for change in changes:
        if change.kind not in (WENT, RENAMED, NAMES) or not _was(answer, change):
            continue
        if change.kind == WENT:
            return None
        return next((candidate for candidate in after.answers if _is(candidate, change)), answer)
    return answer


def _is(answer: Answer, change: AnswerChange) -> bool:
    if change.id is not None and answer.id is not None:
        return answer.id == change.id
    return answer.label == change.label


def _was(answer: Answer, change: AnswerChange) -> bool:
    if change.id is not None and answer.id is not None:
        return answer.id == change.id
    return answer.label == (change.before or change.label)


def _figure(
    columns: dict[frozenset[str], MeasureColumn],
    causes: Sequence[str],
    report: Report,
    confidence: float | None,
) -> FigureChange | None:
    """One figure on both golds, and the part of each cause."""
    clusters = clustered(
        (index, question.id, question.cluster) for index, (question, _) in enumerate(report.pairs)
    )
    before, after = columns[frozenset()], columns[frozenset(causes)]
    first, last = ratio(before, clusters).value, ratio(after, clusters).value
    if first is None or last is None:
        return None
    parts = {cause: _part(before, _gains(columns, causes, cause), clusters, confidence) for cause in causes}
    gains = [new - old for old, new in zip(before.values, after.values, strict=True)]
    return FigureChange(first, last, _part(before, gains, clusters, confidence), parts)


def _gains(columns: dict[frozenset[str], MeasureColumn], causes: Sequence[str], cause: str) -> list[float]:
    """Shapley's value of a cause for every question."""
    others = [other_cause for other_cause in causes if other_cause != cause]
    total = [0.0] * len(columns[frozenset()].values)
    for size in range(len(others) + 1):
        weight = 1 / (len(causes) * math.comb(len(others), size))
        for some in map(frozenset, combinations(others, size)):
            without, with_ = columns[some].values, columns[some | {cause}].values
            total = [
                sum_ + weight * (new - old) for sum_, old, new in zip(total, without, with_, strict=True)
            ]
    return total


def _part(
    column: MeasureColumn, gains: Sequence[float], clusters: list[list[int]], confidence: float | None
) -> ChangePart:
    """The mean of gains over all questions, and its interval."""
    pulled = ratio(MeasureColumn(column.measure, list(gains), column.counts), clusters)
    value = pulled.value or 0.0
    return ChangePart(value, None if confidence is None else _interval(pulled, value, confidence))


def _interval(estimate: Ratio, value: float, confidence: float) -> tuple[float, float] | None:
    """The interval of a difference, which may be negative, so that no bounds of shares apply."""
    known = spread(estimate)
    if known is None:
        return None
    reach = t_quantile(confidence, known.freedom) * math.sqrt(known.variance)
    return value - reach, value + reach
