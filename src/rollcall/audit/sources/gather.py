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

from rollcall.audit.completeness.captures import Captures
from rollcall.audit.sources.assembly import Assembly, FoundAnswer, Known
from rollcall.audit.sources.conditions import Condition, conditions, growing_query
from rollcall.audit.sources.evaluate import Fact
from rollcall.audit.sources.given import RunSize, by_question, sizes
from rollcall.audit.sources.judged import Judged
from rollcall.audit.sources.listed import ListEntry, find_listed
from rollcall.audit.sources.searched import Searched, SearchLimits, search
from rollcall.audit.sources.stated import StatedFacts
from rollcall.corpus import Corpus
from rollcall.english.counting import counted
from rollcall.evidence.verifiers import make_verifier
from rollcall.evidence.verifiers.verifier import Verifier
from rollcall.graph import Graph
from rollcall.progress import Progress
from rollcall.query import Query
from rollcall.questions.judgment import Judgment
from rollcall.questions.record import Question
from rollcall.questions.run import Run
from rollcall.tables.engine import Engine, opened


class Sources(NamedTuple):
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
) -> Sources:
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
        asked: dict[str, list[Condition]] = {}
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
        known = Known(
            opened_graph,
            queries,
            asked,
            listed,
            searched.questions,
            searched.stated,
            by_question(runs),
            Judged(judgments, {question.id: question for question in questions}),
        )
        assembly = Assembly(known)
        with Progress("collecting answers", len(questions)) as progress:
            captures = assembly.captures(_counted(questions, progress))
        notes = [*_notes(questions, queries, opened_graph, corpus, searched), *_about_runs(assembly, known)]
        return Sources(
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


def _about_runs(assembly: Assembly, known: Known) -> list[str]:
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
    found: dict[str, Query] = {}
    if graph is None:
        return found
    for question in questions:
        query = growing_query(question)
        if query is not None and all(graph.index.relation_number(one) is not None for one in query.relations):
            found[question.id] = query
    return found


def _conditions(queries: Mapping[str, Query], graph: Graph) -> dict[str, list[Condition]]:
    return {id_: conditions(query, graph) for id_, query in queries.items()}


def _verifier(
    given: Verifier | str, graph: Path, corpus: Path, engine: Engine, folder: Path
) -> Callable[[set[str]], Verifier]:
    if isinstance(given, Verifier):
        return lambda relations: given
    return lambda relations: make_verifier(
        given, graph=graph, corpus=corpus, relations=relations, engine=engine, work=folder / "verifier"
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
