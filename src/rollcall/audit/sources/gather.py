"""Collects what every source says about a set: the one entry for estimates and for candidates.

Input: questions and whatever there is of a graph, a corpus, runs and judgments. Output: `Sources`: captures
for estimates, and answers beyond the gold with what speaks for them. What cannot be done without an input
is left out and said in `notes`. The order of questions and the number of processes change nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from rollcall._core.console import Progress
from rollcall.audit.completeness.captures import Capture, Captures
from rollcall.audit.sources.evaluate import (
    AllFacts,
    Derived,
    Evaluator,
    Fact,
    GraphFacts,
    ListEntry,
    Names,
    RelationCondition,
    RunSize,
    SetJudgments,
    SomeFacts,
    by_question,
    conditions,
    find_listed,
    growing_query,
    key_of,
    sizes,
)
from rollcall.audit.sources.stated import Searched, SearchLimits, StatedFacts, search
from rollcall.corpus import Corpus
from rollcall.evidence.verifiers import make_verifier
from rollcall.evidence.verifiers.verifier import Verifier
from rollcall.graph import Graph
from rollcall.query import QUESTION, Query
from rollcall.questions.judgment import Judgment
from rollcall.questions.record import Answer, Question
from rollcall.questions.run import EntityAnswer, Run
from rollcall.tables.engine import Engine, opened
from rollcall.text.nouns import counted
from rollcall.wording.naming import entity_label

# Puts together, question by question, which source gives which answer, and what is found beyond the
# gold. A source gives an answer if the facts that it has suffice for it: text must state all facts of an
# intersection, a list must have them all. Answers beyond the gold may mix: one fact of the graph and one
# that only text has. Only one question is in work at a time; what remains of it are a few numbers, and
# the answers beyond the gold.

GRAPH, GOLD, LISTS, TEXT, RUNS = "graph", "gold", "lists", "text", "runs"
MOST_RUNS = 8
"""More runs than this are one source together."""
_BELIEVED, _OF = 9.0, 10.0
"""Lists are believed as if nine of ten facts of theirs had been found true before."""
_DOUBTED = 0.5
"""What is judged less likely than this is no longer a candidate."""


class GatheredSources(NamedTuple):
    """What the sources say."""

    graph: Graph | None
    queries: Mapping[str, Query]
    conditions: Mapping[str, Sequence[RelationCondition]]
    listed: Mapping[Fact, ListEntry]
    searched: set[str]
    stated: StatedFacts
    given: Mapping[str, Mapping[str, Sequence[str | EntityAnswer]]]
    judged: SetJudgments


class FoundAnswer(NamedTuple):
    """An answer that the gold does not have, and what speaks for it."""

    question: str
    key: str
    label: str
    entity: str | None
    sources: tuple[str, ...]
    runs: tuple[str, ...] = ()
    """The runs that gave it."""
    chance: float | None = None
    """How likely it is right by judgments, or else by graph, lists and text; None if only runs gave it."""
    facts: tuple[Fact, ...] = ()
    """The facts by which it is an answer, those that the graph has among them."""
    typed: bool | None = None
    """Whether it is of the class that the question asks for; None if the graph does not say."""


class Assembly:
    """Collects captures and found answers."""

    def __init__(self, known: GatheredSources) -> None:
        self._known = known
        self._evaluator = None if known.graph is None else Evaluator(known.graph)
        self._of_graph = None if known.graph is None else GraphFacts(known.graph)
        self._listed = SomeFacts(sorted(known.listed))
        stated = sorted(fact for fact, in_text in known.stated.items() if in_text.stated)
        self._stated = SomeFacts(stated)
        self._list_chance = list_chance(known.listed, known.stated)
        new_stated = [fact for fact in stated if not known.stated[fact].known]
        unknown = [fact for fact in known.listed if not self._has(fact)]
        self.new = {*new_stated, *unknown}
        """The facts that text or lists state and the graph lacks."""
        self._new = SomeFacts(sorted(self.new))
        self._touched = {condition for fact in self.new for condition in _conditions_of(fact)}
        self.found: list[FoundAnswer] = []
        self.mistyped = 0
        """How many answers of runs are not of the class that is asked for."""

    @property
    def runs_count(self) -> bool:
        """Whether runs are a source: only if some of what they gave beyond the gold was judged."""
        return bool(self._known.given) and self._known.judged.any_right_or_wrong

    def sources(self) -> list[str]:
        """The sources that have anything to say."""
        known = self._known
        names = [GOLD if known.graph is None else GRAPH]
        names += [LISTS] if known.listed else []
        names += [TEXT] if known.searched else []
        if self.runs_count:
            runs = sorted({run for answers in known.given.values() for run in answers})
            names += runs if len(names) == 1 and len(runs) <= MOST_RUNS else [RUNS]
        return names

    def captures(self, questions: Iterable[Question]) -> Captures:
        """All captures; the answers found beyond the gold are kept on the way."""
        return Captures.of((row for question in questions for row in self._rows(question)), self.sources())

    def _has(self, fact: Fact) -> bool:
        return self._of_graph is not None and fact.object in self._of_graph.objects(
            fact.subject, fact.relation
        )

    def _rows(self, question: Question) -> Iterator[Capture]:
        known, query = self._known, self._known.queries.get(question.id)
        gold = {key_of(answer): answer for answer in question.answers}
        first = GOLD if known.graph is None else GRAPH
        sources_of: dict[str, set[str]] = {key: {first} for key in gold}
        likely: dict[str, float] = dict.fromkeys(gold, 1.0)
        facts: dict[str, tuple[Fact, ...]] = {}
        if query is not None and known.graph is not None and self._evaluator is not None:
            for answer in known.graph.answers(query):
                if isinstance(answer, str):
                    sources_of.setdefault(answer, set()).add(first)
                    likely[answer] = 1.0
            for derived in self._evaluator.derive(query, self._listed):
                sources_of.setdefault(derived.answer, set()).add(LISTS)
                self._believe(derived, likely, facts)
            if question.id in known.searched:
                for derived in self._evaluator.derive(query, self._stated):
                    sources_of.setdefault(derived.answer, set()).add(TEXT)
                    self._believe(derived, likely, facts)
            if not self._touched.isdisjoint(known.conditions.get(question.id, ())):
                for derived in self._evaluator.derive(
                    query, AllFacts(self._of_graph or self._new, self._new)
                ):
                    self._believe(derived, likely, facts)
        held = gold.keys() | {key_of(answer) for answer in question.neutral}
        labels, runs = self._runs(question, gold, sources_of)
        self._keep(question, query, gold, sources_of, likely, facts, labels, runs)
        if not self._counts(question, query):
            return
        for key, sources in sources_of.items():
            verdict = None if key in held else known.judged.chance(question.id, key, labels.get(key))
            chance = verdict if verdict is not None else likely.get(key)
            if chance is None:  # only runs gave it
                chance = known.judged.share if self.runs_count else None
            if chance:
                yield Capture(question.id, key, sources, key in held, chance)

    def _counts(self, question: Question, query: Query | None) -> bool:
        """Whether a question's answers can be given by all sources: else its gold would seem to be alone."""
        if self._known.graph is None:
            return True
        entities = any(answer.id is not None for answer in question.answers)
        return (
            query is not None
            and entities
            and (not self._known.searched or question.id in self._known.searched)
        )

    def _believe(
        self, derived: Derived, likely: dict[str, float], facts: dict[str, tuple[Fact, ...]]
    ) -> None:
        """Keep the likeliest way to an answer; its facts that the graph lacks must all be true."""
        chance = 1.0
        for fact in derived.facts:
            chance *= self._fact_chance(fact)
        if chance > likely.get(derived.answer, 0.0):
            likely[derived.answer] = chance
            facts[derived.answer] = derived.facts
        facts.setdefault(derived.answer, derived.facts)

    def _fact_chance(self, fact: Fact) -> float:
        in_text = self._known.stated.get(fact)
        if (in_text is not None and in_text.known) or (in_text is None and self._has(fact)):
            return 1.0
        doubt = 1.0
        if in_text is not None and in_text.stated:
            doubt *= 1 - in_text.chance
        if fact in self._known.listed:
            doubt *= 1 - self._list_chance
        return 1 - doubt

    def _runs(
        self, question: Question, gold: Mapping[str, Answer], sources_of: dict[str, set[str]]
    ) -> tuple[dict[str, str], dict[str, list[str]]]:
        """Add what runs gave; returns the words by which each answer was given, and who gave it."""
        answered = self._known.given.get(question.id)
        labels: dict[str, str] = {}
        by: dict[str, list[str]] = {}
        if not answered:
            return labels, by
        names = Names(question.answers)
        if self._known.graph is not None:
            names.add(self._named(key) for key in sources_of if key not in gold and "\t" not in key)
        for run, answers in answered.items():
            for key, text in names.keys(answers).items():
                key = self._entity(key, text)
                labels.setdefault(key, text)
                by.setdefault(key, []).append(run)
                sources_of.setdefault(key, set()).update((run, RUNS))
        return labels, by

    def _entity(self, key: str, text: str) -> str:
        """The only entity with this name, or the key of the name."""
        if self._known.graph is None or not key.startswith("\t"):
            return key
        meant = self._known.graph.find(text)
        return meant[0].id if len(meant) == 1 else key

    def _named(self, entity: str) -> Answer:
        graph = self._known.graph
        assert graph is not None
        if graph.index.entity_number(entity) is None:
            return Answer(entity, entity)
        return Answer(entity_label(graph, entity), entity, list(graph.entity(entity).aliases))

    def _keep(
        self,
        question: Question,
        query: Query | None,
        gold: Mapping[str, Answer],
        sources_of: Mapping[str, set[str]],
        likely: Mapping[str, float],
        facts: Mapping[str, tuple[Fact, ...]],
        labels: Mapping[str, str],
        runs: Mapping[str, list[str]],
    ) -> None:
        """Keep what the gold does not have, unless it is of another class or was judged wrong."""
        graph = self._known.graph
        for key in sorted({*sources_of, *facts} - gold.keys()):
            entity = None if key.startswith("\t") else key
            typed = None if entity is None else self._typed(query, entity)
            if typed is False:
                self.mistyped += 1
                continue
            verdict = self._known.judged.chance(question.id, key, labels.get(key))
            if verdict is not None and verdict < _DOUBTED:
                continue
            chance = likely.get(key) if verdict is None else verdict
            named = entity_label(graph, entity) if graph is not None and entity is not None else ""
            sources = self._speaking(sources_of.get(key, set()), facts.get(key, ()))
            label = named if named and named != entity else labels.get(key) or entity or key.strip()
            self.found.append(
                FoundAnswer(
                    question.id,
                    key,
                    label,
                    entity,
                    sources,
                    tuple(runs.get(key, ())),
                    chance,
                    facts.get(key, ()),
                    typed,
                )
            )

    def _speaking(self, givers: set[str], facts: Sequence[Fact]) -> tuple[str, ...]:
        """The sources that speak for an answer: those that give it, and those of the facts that the graph
        lacks.
        """
        new = [fact for fact in facts if not self._has(fact)]
        by_list = LISTS in givers or any(fact in self._known.listed for fact in new)
        by_text = any(self._known.stated[fact].stated for fact in new if fact in self._known.stated)
        named = ((GRAPH, GRAPH in givers), (LISTS, by_list), (TEXT, by_text), (RUNS, RUNS in givers))
        return tuple(name for name, speaks in named if speaks)

    def _typed(self, query: Query | None, entity: str) -> bool | None:
        """Whether an entity is of the classes that a query asks for; None if nothing is asked or known."""
        if query is None or self._evaluator is None:
            return None
        verdicts = [
            self._evaluator.is_of(entity, typing.class_id)
            for pattern in query.patterns
            for typing in pattern.typings
            if typing.node == QUESTION and not typing.negated
        ]
        if not verdicts or None in verdicts:
            return None
        return all(verdicts) if len(query.patterns) == 1 else any(verdicts)


def _conditions_of(fact: Fact) -> tuple[RelationCondition, RelationCondition]:
    return RelationCondition(fact.relation, fact.object, "subject"), RelationCondition(
        fact.relation, fact.subject, "object"
    )


def list_chance(listed: Iterable[Fact], stated: StatedFacts) -> float:
    """How likely a fact is true that a list has and the graph lacks: as likely as text makes those it
    names.
    """
    chances = [
        stated[fact].chance
        for fact in listed
        if fact in stated and not stated[fact].known and stated[fact].stated
    ]
    return (_BELIEVED + sum(chances)) / (_OF + len(chances))


class SourceCaptures(NamedTuple):
    """What graph, lists, text and runs say about the questions of a set."""

    captures: Captures
    found: list[FoundAnswer]
    """Answers beyond the gold, with what speaks for them; in the order of the questions."""
    stated: StatedFacts
    """What text says about facts, of the graph and beyond it."""
    listed: dict[Fact, ListEntry]
    """The facts that lists have."""
    new: set[Fact]
    """The facts that text or lists state and the graph lacks."""
    searched: set[str]
    """The questions whose facts were sought in text."""
    runs: dict[str, RunSize]
    notes: list[str]
    """What was left out, and why."""


def gather(
    questions: Iterable[Question],
    *,
    graph: Graph | Path | str | None = None,
    corpus: Corpus | Path | str | None = None,
    runs: Sequence[Run] = (),
    judgments: Iterable[Judgment] = (),
    verifier: Verifier | str = "contrast",
    limits: SearchLimits | None = None,
    engine: Engine | str = "duckdb",
    memory: str = "1GB",
    jobs: int | None = None,
) -> SourceCaptures:
    """Collect all answers that any source gives to questions.

    Lists and text need a graph and a corpus, and questions with a query. `judgments` say which further
    answers of runs are right; without any, runs only propose. `verifier` is one or its name. With more than
    one of `jobs`, a script must make this call under `if __name__ == "__main__":`.
    """
    questions = list(questions)
    with ExitStack() as stack:
        opened_graph = _graph(graph, stack)
        queries = _queries(questions, opened_graph)
        listed: dict[Fact, ListEntry] = {}
        searched = Searched(set(), {}, 0)
        asked: dict[str, list[RelationCondition]] = {}
        if opened_graph is not None:
            asked = _conditions(queries, opened_graph)
        if opened_graph is not None and corpus is not None and queries:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="rollcall-audit-")))
            running = stack.enter_context(opened(engine, memory=memory, jobs=jobs))
            pages = corpus.folder if isinstance(corpus, Corpus) else Path(corpus)
            listed = find_listed(folder / "lists", opened_graph.folder, pages, running)
            make = _verifier(verifier, opened_graph.folder, pages, running, folder)
            limits = limits or SearchLimits()
            searched = search(folder, opened_graph.folder, pages, asked, make, running, limits)
        known = GatheredSources(
            opened_graph,
            queries,
            asked,
            listed,
            searched.questions,
            searched.stated,
            by_question(runs),
            SetJudgments(judgments, {question.id: question for question in questions}),
        )
        assembly = Assembly(known)
        with Progress("collecting answers", len(questions)) as progress:
            captures = assembly.captures(_counted(questions, progress))
        notes = [*_notes(questions, queries, opened_graph, corpus, searched), *_about_runs(assembly, known)]
        return SourceCaptures(
            captures,
            assembly.found,
            searched.stated,
            listed,
            assembly.new,
            searched.questions,
            sizes(questions, known.given),
            notes,
        )


def _counted(questions: Iterable[Question], progress: Progress) -> Iterator[Question]:
    for question in questions:
        yield question
        progress.advance(1)


def _about_runs(assembly: Assembly, known: GatheredSources) -> list[str]:
    notes = []
    if known.given and not assembly.runs_count:
        notes.append(
            "runs were used for candidates only: nobody judged what they gave beyond the gold, and counted "
            "without that they would say that nothing is missing"
        )
    if assembly.mistyped:
        notes.append(
            f"{counted(assembly.mistyped, 'answer of runs is', 'answers of runs are')} of another "
            "class than the one asked for"
        )
    return notes


def _graph(graph: Graph | Path | str | None, stack: ExitStack) -> Graph | None:
    return graph if graph is None or isinstance(graph, Graph) else stack.enter_context(Graph.open(graph))


def _queries(questions: Sequence[Question], graph: Graph | None) -> dict[str, Query]:
    """The queries that the graph can answer with entities; those about lists have relations of their own."""
    queries: dict[str, Query] = {}
    if graph is None:
        return queries
    for question in questions:
        query = growing_query(question)
        if query is not None and all(
            graph.index.relation_number(relation) is not None for relation in query.relations
        ):
            queries[question.id] = query
    return queries


def _conditions(queries: Mapping[str, Query], graph: Graph) -> dict[str, list[RelationCondition]]:
    return {id_: conditions(query, graph) for id_, query in queries.items()}


def _verifier(
    verifier: Verifier | str, graph: Path, corpus: Path, engine: Engine, folder: Path
) -> Callable[[set[str]], Verifier]:
    if isinstance(verifier, Verifier):
        return lambda relations: verifier
    return lambda relations: make_verifier(
        verifier, graph=graph, corpus=corpus, relations=relations, engine=engine, work=folder / "verifier"
    )


def _notes(
    questions: Sequence[Question],
    queries: Mapping[str, Query],
    graph: Graph | None,
    corpus: object,
    searched: Searched,
) -> list[str]:
    """What could not be done, in words."""
    notes = []
    without = len(questions) - len(queries)
    if graph is None:
        notes.append("no graph was given: gold answers, runs and judgments are the only sources")
    elif without:
        notes.append(
            f"{without:,} of {len(questions):,} questions have no query that the graph answers with "
            "entities (lists, counts, superlatives, published sets): for them only gold answers, runs "
            "and the names in the question are used"
        )
    if graph is not None and corpus is None:
        notes.append("no corpus was given: neither lists nor text were searched")
    elif searched.questions:
        notes.append(f"text was searched for {len(searched.questions):,} of {len(queries):,} questions")
    if searched.wide:
        notes.append(
            f"{counted(searched.wide, 'question has', 'questions have')} too many facts about "
            "one entity to be searched for in text"
        )
    return notes
