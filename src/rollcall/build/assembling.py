"""Assembles questions: worded queries with their answers, the names and the evidence of these, candidates.

Input: `worded`, the tables of answers, `proofs` and `evidence`, and the `candidates` of clusters. Output:
`questions.jsonl`. The engine joins the tables in the order of the questions, so only one question at a time
and the names of the answers are in memory. If an answer has several derivations (through different
intermediate entities), the one with the best evidence is shown. What becomes of answers that no text proves,
the recipe says (`answers.unproved`); a neutral one keeps the fact that it lacks and the nearest sentence.

- `assemble`: the stage. `Sources`: the stages it reads.
- `Namer`: names entities and values, as the graph and the text do.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import ibis
import msgspec
from ibis import _

from rollcall._core.errors import Filter, RollcallError
from rollcall.build.ends import relation_ends
from rollcall.build.keys import UnprovedAnswersAre
from rollcall.build.lexicon import build_lexicon
from rollcall.build.sampling import whole_clusters
from rollcall.build.stage import Inputs, Outcome, Work, filtered
from rollcall.corpus.lists import is_list_relation
from rollcall.graph import Graph
from rollcall.query import Edge, Entity, Literal, Query, Value, number, parse_value
from rollcall.query.query import without_distinct
from rollcall.query.statements import QUESTION
from rollcall.query.values import Date, Number, Point
from rollcall.questions.formats.graphquestions import published_id, query_characteristics
from rollcall.questions.question_set import QUESTIONS
from rollcall.questions.record import (
    Answer,
    AnswerProvenance,
    AnswerSource,
    Candidate,
    Characteristic,
    Evidence,
    NeutralAnswer,
    QueryRecord,
    Question,
    name_order,
    value_names,
)
from rollcall.tables.build import (
    AnswerEvidence,
    CandidateEvidence,
    CandidateFacts,
    EvidenceRows,
    FurtherAnswers,
    OfferedCandidates,
    Proofs,
    SetAnswers,
    UnprovedAnswers,
    ValidatedAnswers,
    WordedQueries,
)
from rollcall.tables.corpus import Pages, TextAliases
from rollcall.tables.files import batches, read, records
from rollcall.tables.table import DeclaredTable, Rows, arrow, columns, file_name, shaped, unbound
from rollcall.wording.naming import entity_label

if TYPE_CHECKING:
    from rollcall.mine.templates.paraphrase import Paraphraser


# The names of the entities and values of a set: those of the graph, and those that the text uses.


class Namer:
    """Names answers; each entity is looked up once, even if it answers many questions."""

    def __init__(self, graph: Graph, text_names: dict[str, list[str]]):
        self._graph = graph
        self._text_names = text_names
        self._answer_names: dict[tuple[str, bool], tuple[str, list[str]]] = {}
        self._classes: dict[str, tuple[str, ...]] = {}

    def answer(self, answer: str, literal: bool) -> Answer:
        """An answer with its label and all other names, without evidence yet."""
        label, aliases = self._names(answer, literal)
        return Answer(label, None if literal else answer, list(aliases))

    def label(self, id_: str) -> str:
        """The text to show for the id of an entity, a class or a relation."""
        for look in (self._graph.label, self._graph.class_label, self._graph.relation_label):
            if (label := look(id_)) != id_:
                return label
        return entity_label(self._graph, id_)

    def type_of(self, answers: Iterable[tuple[str, bool]]) -> str | None:
        """The most frequent direct class of the answers, or the most frequent kind of value."""
        counts: Counter[str] = Counter()
        for answer, literal in answers:
            if literal:
                counts[_kind(answer)] += 1
            else:
                counts.update(self._graph.class_label(class_) for class_ in self._types(answer))
        return min(counts, key=lambda name: (-counts[name], name)) if counts else None

    def _types(self, entity: str) -> tuple[str, ...]:
        if entity not in self._classes:
            try:
                self._classes[entity] = self._graph.entity(entity).types
            except RollcallError:  # a page on a list need not be an entity of the graph
                self._classes[entity] = ()
        return self._classes[entity]

    def _names(self, answer: str, literal: bool) -> tuple[str, list[str]]:
        if (answer, literal) not in self._answer_names:
            self._answer_names[answer, literal] = (
                self._value_names(answer) if literal else self._entity_names(answer)
            )
        return self._answer_names[answer, literal]

    def _value_names(self, text: str) -> tuple[str, list[str]]:
        value = parse_value(text)
        unit = value.unit if isinstance(value, Number) else None
        unit_name = self.label(unit) if unit is not None else unit
        label, *aliases = value_names(value, unit_name if unit_name is not None and unit_name != unit else "")
        return label, aliases

    def _entity_names(self, entity: str) -> tuple[str, list[str]]:
        label, aliases = entity, []
        if self._graph.index.entity_number(entity) is not None:
            record = self._graph.entity(entity)
            label, aliases = entity_label(self._graph, entity), list(record.aliases)
        names = dict.fromkeys([*aliases, *self._text_names.get(entity, ())])
        return label, [name for name in names if name != label]


def _kind(text: str) -> str:
    value: Any = parse_value(text)
    if isinstance(value, Number):
        return "number" if value.unit is None else "quantity"
    return "date" if isinstance(value, Date) else "point" if isinstance(value, Point) else "text"


class JoinedStages(NamedTuple):
    """The stages whose tables are joined."""

    answers: Sequence[tuple[str, str]]
    """The stages and the names of their tables of answers."""
    mined: Sequence[str]
    """The stages that mined queries."""
    evidence: Sequence[str]
    """The stages that found evidence."""
    proved: bool = False
    """Whether the answers are those that text proves, not those of the graph."""
    further: str | None = None
    """The stage that searched text for answers that the graph lacks, if there is one."""
    variants: Sequence[str] = ()
    """The kinds of which every wording becomes a question of its own."""
    worded: str = "word"
    """The stage that wrote the wordings."""


QuestionRows = list[dict[str, Any]]


class _Maker(NamedTuple):
    """The data needed to make a question."""

    graph: Graph
    namer: Namer
    recipe: str
    sources: JoinedStages
    unproved: UnprovedAnswersAre
    paraphraser: "Paraphraser | None"


def assemble(parameters: Any, inputs: Inputs, recipe: str, sources: JoinedStages, work: Work) -> Outcome:
    """Write `questions.jsonl`: proved questions by their ids, others by the keys of their queries.

    A template becomes one question for each of its paraphrases, with ids as in the published set; they share
    a cluster, which is the number of the query. Questions of clusters have the candidates of the closed
    setting, without those that are neutral.
    """
    rows = list(records(WordedQueries, work.table(sources.worded, "worded")))
    rows.sort(key=itemgetter("id" if sources.proved else "key"))
    for position, row in enumerate(rows):
        row["position"] = position
    _write_joined(rows, inputs, sources, parameters.evidence.per_fact, work)
    enough_rows, kept_rows = (rows, rows) if sources.proved else _kept_rows(parameters, rows, work)
    offered = {
        source: RowGroups(OfferedCandidates, work.table(source, "candidates"), "key")
        for source in sources.mined
    }
    joined = _JoinedTables(work)
    encoder, question_count = msgspec.json.Encoder(), 0
    with Graph.open(inputs.graph) as graph, (work.folder / QUESTIONS).open("wb") as stream:
        maker = _maker(parameters, inputs, recipe, graph, kept_rows, sources, work)
        for query_number, row in enumerate(kept_rows, start=1):
            candidates = offered[row["source"]].of(row["key"]) if row["cluster"] is not None else []
            for question in _questions(maker, query_number, row, joined.of(row["position"], candidates)):
                stream.write(encoder.encode(question) + b"\n")
                question_count += 1
    if sources.proved:
        return Outcome(question_count)
    least, share = parameters.answers.least, parameters.evidence.validated
    removed = {
        Filter(f"fewer than {least} answers that count", "least"): len(rows) - len(enough_rows),
        Filter(f"less than {share:.0%} of the answers validated", "validated"): (
            len(enough_rows) - len(kept_rows)
        ),
    }
    return filtered(
        question_count,
        removed,
        {"validated": "evidence.validated", "least": "answers.least, answers.unproved"},
    )


def _kept_rows(parameters: Any, rows: QuestionRows, work: Work) -> tuple[QuestionRows, QuestionRows]:
    """The rows with enough answers that count, and those of them of whose answers text proves enough.

    Clusters that would keep too few questions are left out whole.
    """
    least, share = parameters.answers.least, parameters.evidence.validated
    joined, enough_rows, kept_rows = _JoinedTables(work), {}, {}
    for row in rows:
        query_rows = joined.of(row["position"])
        if query_rows.counting(_is_count(row), parameters.answers.unproved) >= least:
            enough_rows[row["key"]] = row
            if not parameters.evidence.use or query_rows.share >= share:
                kept_rows[row["key"]] = row
    least_questions = parameters.clusters.least_questions
    return (
        list(whole_clusters(enough_rows, least_questions).values()),
        list(whole_clusters(kept_rows, least_questions).values()),
    )


def _is_count(row: dict[str, Any]) -> bool:
    return Query.parse(row["query"]).aggregate == "count"


# Joins answers with their evidence. Output: `set_answers`, `answer_evidence`, `unproved_answers` and
# `candidate_evidence`, each one file in the order of the questions.

_FACT = ["subject", "relation", "object", "object_literal"]
_ANSWER = list(columns(ValidatedAnswers))
_DERIVATION = [*_ANSWER, "via"]


class Positions(DeclaredTable):
    """A question."""

    key = WordedQueries.key
    position = SetAnswers.position


class Pieces(DeclaredTable):
    """A sentence that states a fact."""

    subject = AnswerEvidence.subject
    relation = AnswerEvidence.relation
    object = AnswerEvidence.object
    object_literal = AnswerEvidence.object_literal
    rank = EvidenceRows.rank
    text = AnswerEvidence.text
    passage = AnswerEvidence.passage
    title = AnswerEvidence.title
    start = AnswerEvidence.start
    end = AnswerEvidence.end
    score = AnswerEvidence.score


class AssembledAnswers(ValidatedAnswers):
    """An answer of a question."""

    position = SetAnswers.position


class PlacedFurther(FurtherAnswers, name="placed_further", sorted_by=("position", "answer", "literal")):
    """An answer of a question that the graph lacks."""

    position = SetAnswers.position


class BestDerivations(ValidatedAnswers):
    """The derivation of an answer that has the best evidence."""

    via = Proofs.via


class LackingFacts(Proofs):
    """A fact that an unproved answer needs and no sentence states, with the score of the nearest sentence."""

    score = AnswerEvidence.score


_UNPROVED, _NEAREST = "unproved", "nearest"


def _write_joined(
    rows: QuestionRows, inputs: Inputs, sources: JoinedStages, per_fact: int, work: Work
) -> None:
    offering = [stage for stage in sources.mined if work.table(stage, "candidate_facts").exists()]
    with work.engine.workbench(work.folder / ".spill") as bench:
        bench.give(
            Positions, arrow(Positions, {name: [row[name] for row in rows] for name in columns(Positions)})
        )
        bench.read(ValidatedAnswers, [work.table(stage, name) for stage, name in sources.answers])
        bench.keep(AssembledAnswers, _assembled)
        bench.write(
            SetAnswers, lambda: shaped(SetAnswers, unbound(AssembledAnswers)), work.out("set_answers")
        )
        if not sources.evidence:
            return
        evidence = [work.table(stage, "evidence") for stage in sources.evidence]
        if sources.further is not None:
            evidence.append(work.table(sources.further, "further_evidence"))
            bench.read(FurtherAnswers, work.table(sources.further, "further"))
            bench.write(PlacedFurther, _placed_further, work.out("placed_further"))
        bench.read(EvidenceRows, evidence)
        bench.read_folder("corpus", inputs.corpus, Pages)
        bench.read(Proofs, [work.table(stage, "proofs") for stage in sources.mined])
        bench.keep(Pieces, lambda: _pieces(per_fact))
        bench.keep(BestDerivations, _derivations)
        bench.write(AnswerEvidence, lambda: _answer_evidence(sources.proved), work.out("answer_evidence"))
        bench.keep(ValidatedAnswers, lambda: _unproved_answers(sources.proved), _UNPROVED)
        bench.keep(Pieces, _nearest_pieces, _NEAREST)
        bench.keep(LackingFacts, _lacking_facts)
        bench.write(UnprovedAnswers, _with_nearest, work.out("unproved_answers"))
        if offering:
            bench.read(CandidateFacts, [work.table(stage, "candidate_facts") for stage in offering])
            bench.write(CandidateEvidence, _candidate_evidence, work.out("candidate_evidence"))


def _placed_further() -> Rows[PlacedFurther]:
    return shaped(PlacedFurther, unbound(FurtherAnswers).join(unbound(Positions), "key"))


def _assembled() -> Rows[AssembledAnswers]:
    return shaped(AssembledAnswers, unbound(ValidatedAnswers).distinct().join(unbound(Positions), "key"))


def _pieces(per_fact: int) -> Rows[Pieces]:
    """The sentences that state facts according to the verifier, with the titles of their pages."""
    rows = unbound(EvidenceRows)
    sound = rows.filter(rows.validated & (rows["rank"] <= per_fact)).rename(object_literal="literal")
    titles = unbound(Pages, "corpus_pages").select("title", page="id")
    return shaped(Pieces, sound.join(titles, "page"))


def _proofs() -> Rows[Proofs]:
    return unbound(Proofs).semi_join(unbound(AssembledAnswers), _ANSWER)


def _derivations() -> Rows[BestDerivations]:
    """For every proved answer, the derivation with the best evidence."""
    best = unbound(Pieces).filter(_["rank"] == 1).select(*_FACT, "rank", "score")
    facts = _proofs().left_join(best, _FACT)
    # Evidence that is not verified has no score, so all of it counts as sure.
    worst = _.score.fill_null(1.0).min()
    derivations = facts.group_by(_DERIVATION).agg(facts=_.count(), stated=_["rank"].count(), worst=worst)
    complete = derivations.filter(_.facts == _.stated)
    order = ibis.window(group_by=_ANSWER, order_by=[ibis.desc(_.worst), _.via])
    first = complete.mutate(position=ibis.row_number().over(order)).filter(_.position == 0)
    return shaped(BestDerivations, first)


def _answer_evidence(hops_in_order: bool) -> Rows[AnswerEvidence]:
    """The evidence of the answers; with `hops_in_order`, the hop to the answer comes last."""
    pieces = _proofs().semi_join(unbound(BestDerivations), _DERIVATION).join(unbound(Pieces), _FACT)
    names_answer = (pieces.answer == pieces.subject) | (pieces.answer == pieces.object)
    pieces = pieces.mutate(last=names_answer if hops_in_order else ibis.literal(False))
    return shaped(AnswerEvidence, pieces.join(unbound(AssembledAnswers), _ANSWER).distinct())


def _unproved_answers(proved: bool) -> Rows[ValidatedAnswers]:
    """The answers of the graph, or of lists, that no text proves; `proved` as in `JoinedStages`."""
    if not proved:
        return shaped(
            ValidatedAnswers, unbound(AssembledAnswers).anti_join(unbound(BestDerivations), _ANSWER)
        )
    of_set = unbound(Proofs).semi_join(unbound(Positions), "key").select(*_ANSWER).distinct()
    return shaped(ValidatedAnswers, of_set.anti_join(unbound(AssembledAnswers), _ANSWER))


def _nearest_pieces() -> Rows[Pieces]:
    """For every fact that no sentence states, the sentence with the best score."""
    rows = unbound(EvidenceRows)
    rejected = rows.filter(~rows.validated & (rows["rank"] == 1)).rename(object_literal="literal")
    titles = unbound(Pages, "corpus_pages").select("title", page="id")
    return shaped(Pieces, rejected.join(titles, "page"))


def _lacking_facts() -> Rows[LackingFacts]:
    stated = unbound(Pieces).select(*_FACT).distinct()
    facts = unbound(Proofs).semi_join(unbound(ValidatedAnswers, _UNPROVED), _ANSWER).anti_join(stated, _FACT)
    scores = unbound(Pieces, _NEAREST).group_by(_FACT).agg(score=_.score.max())
    return shaped(LackingFacts, facts.left_join(scores, _FACT))


def _with_nearest() -> Rows[UnprovedAnswers]:
    """The unproved answers, each with one fact that it lacks: the weakest of its best derivation."""
    lacking = unbound(LackingFacts).mutate(known=_.score.fill_null(-1.0))
    derivations = lacking.group_by(_DERIVATION).agg(facts=_.count(), worst=_.known.min())
    order = [_.facts, ibis.desc(_.worst), _.via, _.known, *_FACT]
    placed = lacking.join(derivations, _DERIVATION).mutate(
        position=ibis.row_number().over(ibis.window(group_by=_ANSWER, order_by=order))
    )
    weakest = placed.filter(_.position == 0).select(*_ANSWER, *_FACT)
    pieces = unbound(Pieces, _NEAREST).select(*_FACT, "text", "passage", "title", "start", "end", "score")
    weakest = weakest.left_join(pieces, _FACT)
    answers = unbound(ValidatedAnswers, _UNPROVED).join(unbound(Positions), "key")
    return shaped(UnprovedAnswers, answers.left_join(weakest, _ANSWER))


def _candidate_evidence() -> Rows[CandidateEvidence]:
    facts = unbound(CandidateFacts).mutate(object_literal=ibis.literal(False))
    facts = facts.select("key", "candidate", *_FACT).distinct().join(unbound(Positions), "key")
    return shaped(CandidateEvidence, facts.join(unbound(Pieces), _FACT))


class RowGroups:
    """Groups of rows of a sorted file, which must be requested in order; none if there is no such file."""

    def __init__(self, table: type[DeclaredTable], path: Path, by: str = "position") -> None:
        rows: Iterable[dict[str, Any]] = records(table, path) if path.exists() else ()
        self._groups = ((key, list(members)) for key, members in groupby(rows, itemgetter(by)))
        self._next = next(self._groups, None)

    def of(self, key: Any) -> QuestionRows:
        """The rows of a group; earlier groups cannot be requested any more."""
        while self._next is not None and self._next[0] < key:
            self._next = next(self._groups, None)
        if self._next is None or self._next[0] != key:
            return []
        rows = self._next[1]
        self._next = next(self._groups, None)
        return rows


class _JoinedTables:
    """The joined tables, question by question."""

    def __init__(self, work: Work) -> None:
        self._answers = RowGroups(SetAnswers, work.out("set_answers"))
        self._proved = RowGroups(AnswerEvidence, work.out("answer_evidence"))
        self._unproved = RowGroups(UnprovedAnswers, work.out("unproved_answers"))
        self._shown = RowGroups(CandidateEvidence, work.out("candidate_evidence"))
        self._further = RowGroups(PlacedFurther, work.out("placed_further"))

    def of(self, position: int, candidates: QuestionRows | None = None) -> "_QueryRows":
        return _QueryRows(
            self._answers.of(position),
            candidates or [],
            self._proved.of(position),
            self._unproved.of(position),
            self._shown.of(position),
            self._further.of(position),
        )


class _QueryRows:
    """The rows about one query."""

    def __init__(
        self,
        answers: QuestionRows,
        candidates: QuestionRows,
        proved: QuestionRows,
        unproved: QuestionRows,
        shown: QuestionRows,
        further: QuestionRows,
    ) -> None:
        self.candidates = candidates
        self.evidence: dict[tuple[str, bool], list[Evidence]] = {}
        for row in proved:
            self.evidence.setdefault((row["answer"], row["literal"]), []).append(_evidence(row))
        self.further = {(row["answer"], row["literal"]): row for row in further}
        """The answers that the graph lacks."""
        lacking = {(row["answer"], row["literal"]): row for row in unproved}
        self.unproved = {key: row for key, row in lacking.items() if key not in self.further}
        """The answers of the graph, or of lists, that need a proof and lack it."""
        self.likely = {key: row for key, row in lacking.items() if key in self.further}
        """The answers that the graph lacks and that do not count."""
        self.answers = [row for row in answers if (row["answer"], row["literal"]) not in lacking]
        """The answers without those that need a proof and lack it."""
        self.shown: dict[str, list[Evidence]] = {}
        for row in shown:
            self.shown.setdefault(row["candidate"], []).append(_evidence(row))

    @property
    def all_answers(self) -> QuestionRows:
        """The answers, those that lack a proof last."""
        return [*self.answers, *self.unproved.values()]

    @property
    def share(self) -> float:
        """The share of the answers that is proved."""
        return len(self.evidence) / len(self.all_answers) if self.all_answers else 0.0

    def counting(self, is_count: bool, unproved: UnprovedAnswersAre) -> int:
        """How many answers count; a count is one answer, which is proved if all that it counts are."""
        if unproved == "count":
            return 1 if is_count else len(self.all_answers)
        return int(not self.unproved) if is_count else len(self.answers)


def _maker(
    parameters: Any,
    inputs: Inputs,
    recipe: str,
    graph: Graph,
    rows: QuestionRows,
    sources: JoinedStages,
    work: Work,
) -> _Maker:
    names = {} if inputs.given_corpus is None else _text_names(inputs.corpus, sources, work)
    varied = [Query.parse(row["query"]) for row in rows if row["kind"] in sources.variants]
    paraphraser = _paraphraser(parameters, inputs, graph, varied, work) if varied else None
    return _Maker(graph, Namer(graph, names), recipe, sources, parameters.answers.unproved, paraphraser)


def _paraphraser(
    parameters: Any, inputs: Inputs, graph: Graph, queries: Sequence[Query], work: Work
) -> "Paraphraser":
    from rollcall.corpus import Corpus
    from rollcall.mine.templates.paraphrase import LexicalForm, Paraphraser, lexical_forms

    forms: dict[str, list[LexicalForm]] = {}
    topics = {entity for query in queries for entity in query.entities}
    lexicon, most = build_lexicon(parameters.wording), parameters.wording.variants
    if inputs.given_corpus is not None and most > 1 and topics:
        with Corpus.open(inputs.corpus) as corpus:
            forms = lexical_forms(corpus, topics)
    relations = sorted({edge.relation for query in queries for edge in query.edges}) if forms else []
    ends = relation_ends(graph, lexicon, relations, inputs, work)
    return Paraphraser(graph, lexicon, forms, most, ends)


def _text_names(corpus: Path, sources: JoinedStages, work: Work) -> dict[str, list[str]]:
    """The names that the text uses for answers and candidates, the most frequent first."""
    import pyarrow as pa
    import pyarrow.compute as pc

    answer_columns: list[Any] = [read(SetAnswers, work.out("set_answers"), ["answer"])["answer"]]
    if (unproved := work.out("unproved_answers")).exists():
        answer_columns.append(read(UnprovedAnswers, unproved, ["answer"])["answer"])
    for source in sources.mined:
        path = work.table(source, "candidates")
        if path.exists():
            answer_columns.append(read(OfferedCandidates, path, ["candidate"])["candidate"])
    entities = pc.unique(
        pa.chunked_array([chunk for column in answer_columns for chunk in column.chunks], pa.string())
    )
    names: dict[str, dict[str, int]] = {}
    for batch in batches(TextAliases, corpus / file_name(TextAliases)):
        for row in batch.filter(pc.is_in(batch.column("entity"), value_set=entities)).to_pylist():
            counts = names.setdefault(row["entity"], {})
            counts[row["text"]] = max(counts.get(row["text"], 0), row["count"])
    return {
        entity: sorted(counts, key=lambda text: (-counts[text], text)) for entity, counts in names.items()
    }


def _questions(
    maker: _Maker, query_number: int, row: dict[str, Any], query_rows: _QueryRows
) -> Iterator[Question]:
    question = _question(maker, row, query_rows)
    if row["kind"] not in maker.sources.variants:
        yield question
        return
    sentences = [row["question"], *row["wordings"]]
    assert maker.paraphraser is not None
    variants_by_wording = maker.paraphraser.variants(Query.parse(row["query"]), sentences)
    for sentence, texts in enumerate(variants_by_wording):
        for variant, text in enumerate(texts):
            id_ = str(published_id(query_number, sentence, variant))
            yield msgspec.structs.replace(
                question, id=id_, question=text, wordings=[], cluster=str(query_number)
            )


def _question(maker: _Maker, row: dict[str, Any], query_rows: _QueryRows) -> Question:
    query = Query.parse(row["query"])
    answers = _answers(maker, query, query_rows)
    provenance: dict[str, Any] = {
        "recipe": maker.recipe,
        "key": row["key"],
        "entities": [maker.namer.label(entity) for entity in query.entities],
    }
    if maker.sources.proved:
        provenance["answers_in_graph"] = row["answers"]
    if row["same_answers"]:
        provenance["same_answers"] = row["same_answers"]
    sparql = None if maker.sources.proved else query.to_sparql()
    return Question(
        id=query.id,
        question=row["question"],
        wordings=row["wordings"],
        kind=row["kind"],
        query=QueryRecord(query.text, query.to_graph_json(maker.namer.label), sparql),
        characteristics=_characteristics(maker, query, row, query_rows, answers),
        cluster=row["cluster"],
        split=row["split"],
        answers=answers,
        neutral=_neutral_answers(maker, query, query_rows) if query.aggregate != "count" else [],
        candidates=[
            _candidate(maker, candidate, query_rows)
            for candidate in query_rows.candidates
            if maker.unproved == "count" or (candidate["candidate"], False) not in query_rows.unproved
        ],
        provenance=provenance,
    )


def _answers(maker: _Maker, query: Query, query_rows: _QueryRows) -> list[Answer]:
    """The answers that count."""
    rows = query_rows.all_answers if maker.unproved == "count" else query_rows.answers
    if query.aggregate == "count":
        total = maker.namer.answer(number(len(rows)).text, literal=True)
        total.evidence = [piece for pieces in query_rows.evidence.values() for piece in pieces]
        total.sources = _sources(query, bool(rows) and len(query_rows.evidence) == len(rows))
        return [total]
    answers = []
    for row in rows:
        answer = maker.namer.answer(row["answer"], row["literal"])
        answer.evidence = query_rows.evidence.get((row["answer"], row["literal"]), [])
        further = query_rows.further.get((row["answer"], row["literal"]))
        answer.sources = [further["source"]] if further else _sources(query, bool(answer.evidence))
        answers.append(answer)
    return sorted(answers, key=name_order)


_ELSEWHERE = AnswerProvenance("graph", note="the question has it in another place")


def _neutral_answers(maker: _Maker, query: Query, query_rows: _QueryRows) -> list[NeutralAnswer]:
    """Those that text or lists give beyond the graph, and those of the graph that no text proves."""
    answers = []
    for key, row in query_rows.likely.items():
        named = maker.namer.answer(*key)
        answers.append(_further_answer(named, query_rows.further[key], _piece(row)))
    for row in query_rows.unproved.values() if maker.unproved == "neutral" else ():
        named = maker.namer.answer(row["answer"], row["literal"])
        piece = _piece(row)
        answers.append(
            NeutralAnswer(
                named.label,
                named.id,
                named.aliases,
                sources=_sources(query, proved=False),
                unproved="" if piece is None else piece.fact or "",
                nearest=None if piece is None or piece.text is None else piece,
            )
        )
    if maker.unproved == "neutral":
        others = _elsewhere_in_query(maker, query)
        answers += [answer for answer in others if (answer.id, False) not in query_rows.further]
    return sorted(answers, key=name_order)


def _elsewhere_in_query(maker: _Maker, query: Query) -> Iterator[NeutralAnswer]:
    """Entities that are no answers only because they are on another node, such as one that is named.

    Few would say so: the director of a film may have produced it, too.
    """
    plain = without_distinct(query)
    if query.aggregate or plain == query:
        return
    for entity in maker.graph.answers(plain) - maker.graph.answers(query):
        if isinstance(entity, str):
            named = maker.namer.answer(entity, literal=False)
            yield NeutralAnswer(
                named.label, named.id, named.aliases, sources=["graph"], provenance=_ELSEWHERE
            )


def _piece(row: dict[str, Any]) -> Evidence | None:
    """The fact that an answer lacks, with the nearest sentence; None if no fact is known to be missing."""
    return None if row["relation"] is None else _evidence(row)


def _further_answer(named: Answer, row: dict[str, Any], piece: Evidence | None) -> NeutralAnswer:
    """A neutral answer that the graph lacks, with the sentence that speaks for it, or the unproved fact."""
    sentence = piece if piece is not None and piece.text is not None else None
    return NeutralAnswer(
        named.label,
        named.id,
        named.aliases,
        evidence=[sentence] if sentence is not None and row["stated"] else [],
        sources=[row["source"]],
        unproved="" if piece is None or row["stated"] else piece.fact or "",
        nearest=None if row["stated"] else sentence,
    )


def _sources(query: Query, proved: bool) -> list[AnswerSource]:
    """What says that the answers of a query are right."""
    origin: AnswerSource = "list" if any(map(is_list_relation, query.relations)) else "graph"
    return [origin, "text"] if proved else [origin]


def _candidate(maker: _Maker, row: dict[str, Any], query_rows: _QueryRows) -> Candidate:
    answer = maker.namer.answer(row["candidate"], literal=False)
    evidence = query_rows.shown.get(row["candidate"], [])
    return Candidate(answer.label, answer.id, answer.aliases, evidence, is_answer=row["is_answer"])


def _characteristics(
    maker: _Maker, query: Query, row: dict[str, Any], query_rows: _QueryRows, answers: list[Answer]
) -> dict[str, Characteristic]:
    if maker.sources.proved:
        return {
            "edges": len(query.edges),
            "constraints": sum(QUESTION in edge.nodes for edge in query.edges),
            "function": query.function or "none",
            "answers": len(answers),
            "answer_type": maker.namer.type_of(
                (answer_row["answer"], answer_row["literal"]) for answer_row in query_rows.answers
            ),
            "relations": list(query.relations),
        }
    characteristics = query_characteristics(query, len(answers))
    characteristics["classes"] = [maker.namer.label(class_id) for class_id in query.classes]
    for name in ("commonness", "operation"):
        if row[name] is not None:
            characteristics[name] = round(row[name], 4) if name == "commonness" else row[name]
    if row["redundant"]:
        characteristics["redundant"] = True
    return characteristics


def _evidence(row: dict[str, Any]) -> Evidence:
    value: Value | None = parse_value(row["object"]) if row["object_literal"] else None
    object_ = Entity(row["object"]) if value is None else Literal(value)
    fact = Edge(Entity(row["subject"]), row["relation"], object_).text
    pieces = {name: row[name] for name in ("text", "passage", "title", "start", "end", "score")}
    return Evidence(**pieces, fact=fact)
