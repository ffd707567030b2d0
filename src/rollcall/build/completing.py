"""The stage between proving and wording: searches the corpus for answers that the graph lacks.

Input: the drawn queries with their proved answers. Output: `chosen` (the queries without open ones),
`validated` (their proved answers, and the further ones that count), `further` (all further answers), with
`proofs` and `further_evidence`.

The conditions of a query are its relations to one entity. Whatever sentences name together with that entity
may be a further end of the relation (`rollcall.audit.sources.stated`), and the verifier of the build reads
these sentences. A regression then says how likely each fact is true (`rollcall.audit.sources.likely`), and
lists add what their columns say. An answer needs all facts of its query, from text, lists or the graph. It
counts if it is very likely and text states all of them; it is neutral if it is likely.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rollcall._core.errors import Filter
from rollcall._core.files import remove
from rollcall.audit.sources.evaluate import (
    AllFacts,
    Evaluator,
    Fact,
    GraphFacts,
    RelationCondition,
    SomeFacts,
    conditions,
)
from rollcall.audit.sources.likely import LikelyFacts, write_likely
from rollcall.audit.sources.stated import KnownPairs, NamedPairs, facts_of, find_pairs
from rollcall.build.lexicon import build_lexicon
from rollcall.build.stage import Inputs, Outcome, Work, filtered, no_questions
from rollcall.evidence.find import relations_of, score_all
from rollcall.evidence.search.run import find_candidates
from rollcall.evidence.verifiers.verifier import Verifier, VerifierKind
from rollcall.graph import Graph
from rollcall.query import QUESTION, Query
from rollcall.score.match import name_keys
from rollcall.tables.build import (
    ChosenQueries,
    EvidenceRows,
    FurtherAnswers,
    FurtherEvidence,
    Proofs,
    ProvableFacts,
    RelatedFacts,
    ValidatedAnswers,
)
from rollcall.tables.files import TableWriter, batches, records, write_records
from rollcall.tables.table import DeclaredTable, Rows, arrow, file_name, shaped, unbound
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rollcall.evidence.candidate import CandidateSentence

_BY_LIST = 0.9
"""How likely a fact is true that a list states: lists are believed as `rollcall.audit` believes them."""
_TOO_MANY = Filter("more possible answers in text than can be judged", "most")
_OPEN = Filter("open: most of the answers that seem right do not count", "open")
_LARGE = Filter("too many answers with those of text", "answers")
_KEYS = {"most": "completion.most", "open": "completion.open", "answers": "answers.most"}


class SearchedStages(NamedTuple):
    """The stages that the search builds on."""

    validated: Sequence[str]
    """Those that validated answers."""
    evidence: Sequence[str]
    """Those that found evidence."""
    learned: Sequence[str]
    """Those whose verifiers learned the relations of their facts."""
    lists: str | None
    """The one that read lists, if there is one."""


def complete(
    parameters: Any, inputs: Inputs, kind: type[VerifierKind], sources: SearchedStages, work: Work
) -> Outcome:
    """Search the corpus for further answers of the drawn queries, and leave out open queries."""
    scratch = work.folder / ".search"
    remove(scratch)
    scratch.mkdir()
    try:
        rows = list(records(ChosenQueries, work.table("sample", "chosen")))
        with Graph.open(inputs.graph) as graph:
            return _completed(parameters, inputs, kind, sources, work, graph, rows, scratch)
    finally:
        remove(scratch)


def _completed(
    parameters: Any,
    inputs: Inputs,
    kind: type[VerifierKind],
    sources: SearchedStages,
    work: Work,
    graph: Graph,
    rows: Sequence[dict[str, Any]],
    scratch: Path,
) -> Outcome:
    keys = parameters.completion
    queries = {row["key"]: Query.parse(row["query"]) for row in rows}
    asked = {key: _conditions(query, graph) for key, query in queries.items()}
    wide: set[str] = set()
    judged, notes, listed = 0, list[str](), set[Fact]()
    wanted = {condition for own in asked.values() for condition in own}
    if not kind.has_scores:
        name = parameters.evidence.verifier
        notes.append(f"no further answers were searched for: the verifier {name} gives no scores")
    elif wanted:
        known, named = find_pairs(scratch, inputs.graph, inputs.corpus, sorted(wanted), work.engine)
        wide = _wide(asked, named, keys.most)
        narrow = {condition for key, own in asked.items() if key not in wide for condition in own}
        judged = _judge(parameters, inputs, kind, sources, work, scratch, (known, named), narrow)
        listed = _listed(inputs, sources, work, scratch, graph, narrow)
    new = _NewFacts(scratch / file_name(LikelyFacts), listed)
    further = list(_further_answers(graph, queries, new, wide))
    proved = _proved(further, sources, work)
    answers = [_status(answer, new, proved, keys) for answer in further]
    sizes = _Sizes(answers, _counted(work, sources, queries))
    removed: dict[Filter, int] = dict.fromkeys((_TOO_MANY, _OPEN, _LARGE), 0)
    kept = []
    for row in rows:
        reason = _TOO_MANY if row["key"] in wide else sizes.reason(row, parameters)
        if reason is None:
            kept.append(row)
        else:
            removed[reason] += 1
    if not kept:
        raise no_questions({**work.outcomes, "complete": filtered(0, removed, _KEYS)})
    left = {row["key"] for row in kept}
    answers = [answer for answer in answers if answer.key in left]
    _write(kept, answers, new, sources, work)
    counting = sum(answer.counts for answer in answers)
    counts = {
        "further answers that count": counting,
        "further neutral answers": len(answers) - counting,
        "facts judged": judged,
    }
    if kind.has_scores:
        notes.append(
            f"{counted(len(answers), 'further answer')} from text and lists: {counting:,} count, "
            f"{len(answers) - counting:,} neutral; {counted(judged, 'possible fact')} in text"
        )
    return filtered(len(kept), removed, _KEYS, notes=notes, counts=counts)


def _conditions(query: Query, graph: Graph) -> list[RelationCondition]:
    """The conditions of a query that the graph answers with entities; none of lists and counts."""
    if query.aggregate is not None or any(
        graph.index.relation_number(relation) is None for relation in query.relations
    ):
        return []
    return conditions(query, graph)


def _wide(asked: Mapping[str, Sequence[RelationCondition]], named: Path, most: int) -> set[str]:
    """The queries with a condition that too many entities may meet."""
    counts: dict[RelationCondition, int] = {}
    for batch in batches(NamedPairs, named, ["relation", "entity", "sought"]):
        for row in batch.to_pylist():
            condition = _condition(row)
            counts[condition] = counts.get(condition, 0) + 1
    return {key for key, own in asked.items() if any(counts.get(condition, 0) > most for condition in own)}


def _condition(row: Mapping[str, str]) -> RelationCondition:
    return RelationCondition(row["relation"], row["entity"], row["sought"])


# The judgment: sentences are searched and read as for any other fact.


def _judge(
    parameters: Any,
    inputs: Inputs,
    kind: type[VerifierKind],
    sources: SearchedStages,
    work: Work,
    scratch: Path,
    pairs: tuple[Path, Path],
    narrow: Collection[RelationCondition],
) -> int:
    """Find and read sentences for known and new facts, and write the likely new ones; returns how many new
    facts a sentence may state.
    """
    facts, searched = scratch / "judged_facts.parquet", scratch / "searched"
    searched.mkdir()
    with TableWriter(ProvableFacts, scratch / "sides.parquet") as file:
        for table, path in zip((KnownPairs, NamedPairs), pairs, strict=True):
            for batch in batches(table, path):
                rows = [row for row in batch.to_pylist() if _condition(row) in narrow]
                own = [Fact(*fact) for fact in facts_of(rows)]
                if own:
                    file.append(*map(list, zip(*own, strict=True)), [False] * len(own))
    with work.engine.workbench(scratch / "spill") as bench:
        bench.read(ProvableFacts, scratch / "sides.parquet")
        bench.write(ProvableFacts, lambda: unbound(ProvableFacts).distinct(), facts)
    find_candidates(
        searched, inputs.graph, inputs.corpus, facts, work.engine, name="searching for further answers"
    )
    score_all(searched, _verifier(parameters, inputs, kind, sources, work), work.engine)
    likely = scratch / file_name(LikelyFacts)
    return write_likely(
        searched, inputs.graph, inputs.corpus, parameters.completion.neutral, likely, work.engine
    )


class _ByRelation(Verifier):
    """Asks the verifier that has learned the relation of a candidate."""

    def __init__(self, verifiers: Sequence[Verifier], relations: Mapping[str, int]) -> None:
        self._verifiers, self._relations = verifiers, relations
        self.name, self.prior = verifiers[0].name, verifiers[0].prior
        self.parallel = all(verifier.parallel for verifier in verifiers)

    def scores(self, candidates: "Sequence[CandidateSentence]") -> "NDArray[np.float64]":
        number = np.array([self._relations.get(candidate.relation, 0) for candidate in candidates])
        scores = np.zeros(len(candidates))
        for position, verifier in enumerate(self._verifiers):
            own = np.flatnonzero(number == position)
            if len(own):
                scores[own] = verifier.scores([candidates[row] for row in own.tolist()])
        return scores


def _verifier(
    parameters: Any, inputs: Inputs, kind: type[VerifierKind], sources: SearchedStages, work: Work
) -> Verifier:
    """The verifier of the build."""
    from rollcall.build.chosen_verifier import chosen_verifier
    from rollcall.build.proving import VERIFIER

    if not kind.learns:
        return chosen_verifier(kind, parameters.evidence, parameters.wording, inputs, work)
    lexicon = build_lexicon(parameters.wording)
    relations: dict[str, int] = {}
    for number, source in enumerate(sources.learned):
        for relation in sorted(relations_of(work.table(source, "facts"))):
            relations.setdefault(relation, number)
    files = [work.before[f"{source}-verifier"] / VERIFIER for source in sources.learned]
    return _ByRelation([kind.load(file, lexicon) for file in files], relations)


# New facts: what text states, with its sentence, and what lists say.


class _NewFacts:
    """Likely facts that the graph lacks. Only these are in memory, not those that were judged."""

    def __init__(self, likely: Path, listed: Collection[Fact]) -> None:
        self.sentences: dict[Fact, dict[str, Any]] = {}
        if likely.exists():
            self.sentences = {_fact(row): row for row in records(LikelyFacts, likely)}
        self._listed = listed

    def __contains__(self, fact: Fact) -> bool:
        return fact in self.sentences or fact in self._listed

    def facts(self) -> list[Fact]:
        return sorted({*self.sentences, *self._listed})

    def chance(self, fact: Fact) -> float:
        """How likely a fact is true; a list and text are taken to be right independently."""
        by_text = self.sentences[fact]["chance"] if fact in self.sentences else 0.0
        return 1 - (1 - by_text) * (1 - (_BY_LIST if fact in self._listed else 0.0))


def _fact(row: Mapping[str, Any]) -> Fact:
    return Fact(row["subject"], row["relation"], row["object"])


def _listed(
    inputs: Inputs,
    sources: SearchedStages,
    work: Work,
    scratch: Path,
    graph: Graph,
    wanted: Collection[RelationCondition],
) -> set[Fact]:
    """The facts of lists that are about the conditions and that the graph lacks."""
    from rollcall.mine.lists.mine import relate_lists

    if sources.lists is None:
        return set()
    folder = scratch / "lists"
    folder.mkdir()
    relate_lists(inputs.graph, work.table(sources.lists, "list_facts"), None, folder, work.engine)
    held = GraphFacts(graph)
    listed = set()
    for row in records(RelatedFacts, folder / file_name(RelatedFacts)):
        fact = Fact(row["of_subject"], row["of_relation"], row["of_object"])
        if (
            not row["of_literal"]
            and any(condition in wanted for condition in _conditions_of(fact))
            and fact.object not in held.objects(fact.subject, fact.relation)
        ):
            listed.add(fact)
    return listed


def _conditions_of(fact: Fact) -> tuple[RelationCondition, RelationCondition]:
    return (
        RelationCondition(fact.relation, fact.object, "subject"),
        RelationCondition(fact.relation, fact.subject, "object"),
    )


# Answers: the graph's facts and the new ones together answer each query.


class _LackingAnswer(NamedTuple):
    """An answer that the graph does not give, with the facts it needs."""

    key: str
    answer: str
    facts: tuple[Fact, ...]
    typed: bool
    """Whether the graph says that it is of the class that is asked for, where one is."""


class _Judged(NamedTuple):
    """An answer with its status."""

    key: str
    answer: str
    facts: tuple[Fact, ...]
    source: str
    chance: float
    counts: bool
    stated: bool


def _further_answers(
    graph: Graph, queries: Mapping[str, Query], new: _NewFacts, left_out: Collection[str]
) -> Iterator[_LackingAnswer]:
    """The further answers of queries, each by its most likely facts."""
    facts = new.facts()
    known, further = GraphFacts(graph), SomeFacts(facts)
    touched = {condition for fact in facts for condition in _conditions_of(fact)}
    evaluator, relations = Evaluator(graph), {fact.relation for fact in facts}
    names = _NamesOfEntities(graph)
    for key, query in queries.items():
        own = () if relations.isdisjoint(query.relations) else _conditions(query, graph)
        if key in left_out or touched.isdisjoint(own):
            continue
        in_graph = {answer for answer in graph.answers(query) if isinstance(answer, str)}
        taken = {*in_graph, *query.entities}
        best: dict[str, tuple[float, tuple[Fact, ...]]] = {}
        for derived in evaluator.derive(query, AllFacts(known, further)):
            if derived.answer not in taken:
                chance = float(np.prod([new.chance(fact) for fact in derived.facts if fact in new]))
                if derived.answer not in best or (-chance, derived.facts) < best[derived.answer]:
                    best[derived.answer] = (-chance, derived.facts)
        used = {name for answer in sorted(taken) for name in names.of(answer)} if best else set()
        for answer, (_chance, needed) in sorted(best.items()):
            # One thing that the graph has under two ids is no further answer.
            if (typed := _typed(evaluator, query, answer)) is not False and used.isdisjoint(names.of(answer)):
                yield _LackingAnswer(key, answer, needed, typed is not None or not _asks_for_class(query))


class _NamesOfEntities:
    """The names of entities, as scores compare them."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._names: dict[str, frozenset[bytes]] = {}

    def of(self, entity: str) -> frozenset[bytes]:
        if entity not in self._names:
            names = [entity]
            if self._graph.index.entity_number(entity) is not None:
                record = self._graph.entity(entity)
                names = [record.label or entity, *record.aliases]
            self._names[entity] = frozenset(name_keys(names))
        return self._names[entity]


def _asks_for_class(query: Query) -> bool:
    return any(typing.node == QUESTION for pattern in query.patterns for typing in pattern.typings)


def _typed(evaluator: Evaluator, query: Query, answer: str) -> bool | None:
    """Whether an answer is of the classes that a query asks for; None if nothing is asked or known."""
    verdicts = [
        evaluator.is_of(answer, typing.class_id)
        for pattern in query.patterns
        for typing in pattern.typings
        if typing.node == QUESTION and not typing.negated
    ]
    if False in verdicts:
        return False
    return None if not verdicts or None in verdicts else True


def _proved(answers: Iterable[_LackingAnswer], sources: SearchedStages, work: Work) -> set[Fact]:
    """Those facts of answers that the stages before have proved."""
    needed = {fact for answer in answers for fact in answer.facts}
    proved: set[Fact] = set()
    if needed:
        for stage in sources.evidence:
            names = [*Fact._fields, "validated"]
            for batch in batches(EvidenceRows, work.table(stage, "evidence"), names):
                *ends, validated = (column.to_pylist() for column in batch.columns)
                for fact, is_proved in zip(map(Fact, *ends), validated, strict=True):
                    if is_proved and fact in needed:
                        proved.add(fact)
    return proved


def _status(answer: _LackingAnswer, new: _NewFacts, proved: Collection[Fact], keys: Any) -> _Judged:
    further = [fact for fact in answer.facts if fact in new]
    chance = round(float(np.prod([new.chance(fact) for fact in further])), 6)
    in_text = all(fact in new.sentences for fact in further)
    stated = all(fact in proved for fact in answer.facts if fact not in new)
    return _Judged(
        answer.key,
        answer.answer,
        answer.facts,
        "text" if in_text else "list",
        chance,
        chance >= keys.counts and in_text and stated and answer.typed,
        stated,
    )


class _Sizes:
    """How many answers of each query count, and how many seem right."""

    def __init__(self, answers: Iterable[_Judged], proved: Mapping[str, int]) -> None:
        self._proved = proved
        self._counting: dict[str, int] = {}
        self._neutral: dict[str, float] = {}
        for answer in answers:
            if answer.counts:
                self._counting[answer.key] = self._counting.get(answer.key, 0) + 1
            else:
                self._neutral[answer.key] = self._neutral.get(answer.key, 0.0) + answer.chance

    def reason(self, row: Mapping[str, Any], parameters: Any) -> Filter | None:
        """Why a query is left out, if it is: it is open, or has too many answers with those of text."""
        proved, further = self._proved.get(row["key"], 0), self._counting.get(row["key"], 0)
        everything = max(row["answers"], proved) + further + self._neutral.get(row["key"], 0.0)
        if proved + further < parameters.completion.open * everything:
            return _OPEN
        most = parameters.answers_of(row["kind"]).most
        return _LARGE if further and proved + further > most else None


def _counted(work: Work, sources: SearchedStages, keys: Collection[str]) -> dict[str, int]:
    """How many proved answers the graph has for each query."""
    counts: dict[str, int] = {}
    for stage in sources.validated:
        for batch in batches(ValidatedAnswers, work.table(stage, "validated"), ["key"]):
            for key in map(str, batch.column(0).to_pylist()):
                if key in keys:
                    counts[key] = counts.get(key, 0) + 1
    return counts


# The output.


class KeptKeys(DeclaredTable):
    """A query that is kept."""

    key = ChosenQueries.key


def _write(
    kept: Sequence[dict[str, Any]],
    answers: Sequence[_Judged],
    new: _NewFacts,
    sources: SearchedStages,
    work: Work,
) -> None:
    write_records(ChosenQueries, work.out("chosen"), kept)
    rows = [{**answer._asdict(), "literal": False} for answer in answers]
    write_records(FurtherAnswers, work.out("further"), rows)
    needed = {fact for answer in answers for fact in answer.facts if fact in new.sentences}
    counted = {fact for answer in answers if answer.counts for fact in answer.facts}
    write_records(Proofs, work.out("proofs"), (proof for answer in answers for proof in _proofs(answer)))
    write_records(
        FurtherEvidence,
        work.out("further_evidence"),
        ({**new.sentences[fact], "validated": fact in counted} for fact in needed),
    )
    counting = [row for row in rows if row["counts"]]
    write_records(ValidatedAnswers, work.folder / ".counting.parquet", counting)
    with work.engine.workbench(work.folder / ".spill") as bench:
        bench.give(KeptKeys, arrow(KeptKeys, {"key": [row["key"] for row in kept]}))
        bench.read(ValidatedAnswers, [work.table(stage, "validated") for stage in sources.validated])
        bench.read(ValidatedAnswers, work.folder / ".counting.parquet", "counting")
        bench.write(ValidatedAnswers, _all_validated, work.out("validated"))
    remove(work.folder / ".counting.parquet")


def _all_validated() -> Rows[ValidatedAnswers]:
    kept = unbound(ValidatedAnswers).semi_join(unbound(KeptKeys), "key")
    return shaped(ValidatedAnswers, kept.union(unbound(ValidatedAnswers, "counting")).distinct())


def _proofs(answer: _Judged) -> Iterator[dict[str, Any]]:
    for fact in answer.facts:
        yield {
            **fact._asdict(),
            "key": answer.key,
            "answer": answer.answer,
            "literal": False,
            "via": "",
            "object_literal": False,
        }
