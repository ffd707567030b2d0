"""Assembles questions: worded queries with complete answers, candidates, evidence and names.

Input: `worded`, and the tables `answers`, `candidates` and `proofs` of the mining stages, with `evidence`.
Output: `questions.jsonl`. A template becomes one question for each of its paraphrases, with ids as in the
published set; they share a cluster, which is the number of the query. Questions of clusters have the
candidates of the closed setting.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import ibis
import msgspec
from ibis import _

from rollcall._core.errors import Filter
from rollcall.build.assembling import Namer
from rollcall.build.ends import relation_ends
from rollcall.build.lexicon import build_lexicon
from rollcall.build.sampling import whole_clusters
from rollcall.build.stage import Inputs, Outcome, Work, filtered
from rollcall.graph import Graph
from rollcall.query import Edge, Entity, Literal, Query, Value, number, parse_value
from rollcall.questions.formats.graphquestions import published_id
from rollcall.questions.query_characteristics import query_characteristics
from rollcall.questions.question_set import QUESTIONS
from rollcall.questions.record import Answer, Candidate, Characteristic, Evidence, QueryRecord, Question
from rollcall.tables.build import (
    AnswerEvidence,
    Answers,
    CandidateEvidence,
    CandidateFacts,
    OfferedCandidates,
    Proofs,
    QueryAnswers,
    WordedQueries,
)
from rollcall.tables.build import Evidence as EvidenceProved
from rollcall.tables.corpus import Pages, TextAliases
from rollcall.tables.files import batches, read, records
from rollcall.tables.table import Rows, Table, columns, file_name, shaped, unbound

if TYPE_CHECKING:
    from rollcall.mine.templates.paraphrase import Paraphraser


# Joins evidence with answers and candidates, sorted by question. Input: `proofs`, `candidate_facts` and
# `evidence`. Output: `answer_evidence` and `candidate_evidence`. Each is one file in the order of the
# queries' keys, so assembling needs only one question at a time in memory. If an answer has several
# derivations, the one with the best evidence is used.

_FACT = ["subject", "relation", "object", "object_literal"]
_DERIVATION = [*columns(Answers), "via"]


class Pieces(Table):
    """A sentence that states a fact."""

    subject = AnswerEvidence.subject
    relation = AnswerEvidence.relation
    object = AnswerEvidence.object
    object_literal = AnswerEvidence.object_literal
    rank = EvidenceProved.rank
    text = AnswerEvidence.text
    passage = AnswerEvidence.passage
    title = AnswerEvidence.title
    start = AnswerEvidence.start
    end = AnswerEvidence.end
    score = AnswerEvidence.score


class BestDerivations(Answers):
    """The derivation of an answer that has the best evidence."""

    via = Proofs.via


def write_evidence(
    sources: Sequence[str], clusters: Sequence[str], per_fact: int, corpus: Path, work: Work
) -> None:
    """Write `answer_evidence` and `candidate_evidence`, sorted by key, into the stage's folder."""
    with work.engine.workbench(work.folder / ".spill") as bench:
        bench.read(EvidenceProved, work.table("evidence", "evidence"))
        bench.read_folder("corpus", corpus, Pages)
        bench.read(Proofs, [work.table(source, "proofs") for source in sources])
        bench.keep(Pieces, lambda: _pieces(per_fact))
        bench.keep(BestDerivations, _derivations)
        bench.write(AnswerEvidence, _answer_evidence, work.out("answer_evidence"))
        if clusters:
            bench.read(CandidateFacts, [work.table(source, "candidate_facts") for source in clusters])
            bench.write(CandidateEvidence, _candidate_evidence, work.out("candidate_evidence"))


def _pieces(per_fact: int) -> Rows[Pieces]:
    """The sentences that state facts, with the titles of their pages."""
    rows = unbound(EvidenceProved)
    sound = rows.filter(rows.validated & (rows["rank"] <= per_fact)).rename(object_literal="literal")
    titles = unbound(Pages, "corpus_pages").select("title", page="id")
    return shaped(Pieces, sound.join(titles, "page"))


def _derivations() -> Rows[BestDerivations]:
    """For every proved answer, the derivation with the best evidence."""
    best = unbound(Pieces).filter(_["rank"] == 1).select(*_FACT, "score")
    facts = unbound(Proofs).left_join(best, _FACT)
    derivations = facts.group_by(_DERIVATION).agg(facts=_.count(), found=_.score.count(), worst=_.score.min())
    whole = derivations.filter(_.facts == _.found)
    order = ibis.window(group_by=list(columns(Answers)), order_by=[ibis.desc(_.worst), _.via])
    first = whole.mutate(place=ibis.row_number().over(order)).filter(_.place == 0)
    return shaped(BestDerivations, first)


def _answer_evidence() -> Rows[AnswerEvidence]:
    shown = unbound(Proofs).semi_join(unbound(BestDerivations), _DERIVATION)
    return shaped(AnswerEvidence, shown.join(unbound(Pieces), _FACT))


def _candidate_evidence() -> Rows[CandidateEvidence]:
    held = unbound(CandidateFacts).mutate(object_literal=ibis.literal(False))
    held = held.select("key", "candidate", *_FACT).distinct()
    return shaped(CandidateEvidence, held.join(unbound(Pieces), _FACT))


def by_key(table: type[Table], path: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The rows of a file sorted by key, question by question; nothing if there is no such file."""
    if path.exists():
        for key, members in groupby(records(table, path), lambda row: str(row["key"])):
            yield key, list(members)


class Merged:
    """Groups of rows by key, which must be requested in the order of the keys."""

    def __init__(self, table: type[Table], path: Path) -> None:
        self._groups = by_key(table, path)
        self._next = next(self._groups, None)

    def of(self, key: str) -> list[dict[str, Any]]:
        """The rows of a key; keys before it cannot be requested any more."""
        while self._next is not None and self._next[0] < key:
            self._next = next(self._groups, None)
        if self._next is None or self._next[0] != key:
            return []
        rows = self._next[1]
        self._next = next(self._groups, None)
        return rows


QuestionRows = list[dict[str, Any]]


class _Files(NamedTuple):
    """The rows of the queries of one stage, in the order of their keys."""

    answers: Merged
    candidates: Merged


class _Maker(NamedTuple):
    """The data needed to make a question."""

    graph: Graph
    namer: Namer
    recipe: str
    parameters: Any
    paraphraser: "Paraphraser"
    variants: frozenset[str]


def assemble(
    parameters: Any,
    inputs: Inputs,
    recipe: str,
    sources: Sequence[str],
    variants: Sequence[str],
    work: Work,
) -> Outcome:
    """Write `questions.jsonl`, sorted by the keys of the queries.

    Every wording of a query of the kinds `variants` becomes a question.
    """
    rows = list(records(WordedQueries, work.table("word", "worded")))
    if parameters.evidence.use:
        clusters = [
            source for source in sources if (work.before[source] / "candidate_facts.parquet").exists()
        ]
        write_evidence(sources, clusters, parameters.evidence.per_fact, inputs.corpus, work)
    kept = _proved_rows(parameters, rows, sources, work)
    dropped, rows = len(rows) - len(kept), kept
    files = {source: _files(source, work) for source in sources}
    proved = Merged(AnswerEvidence, work.out("answer_evidence"))
    shown = Merged(CandidateEvidence, work.out("candidate_evidence"))
    encoder, written = msgspec.json.Encoder(), 0
    with Graph.open(inputs.graph) as graph, (work.folder / QUESTIONS).open("wb") as stream:
        maker = _maker(parameters, inputs, recipe, graph, rows, sources, variants, work)
        for place, row in enumerate(rows, start=1):
            own = files[row["source"]]
            key = row["key"]
            made = _Known(own.answers.of(key), own.candidates.of(key), proved.of(key), shown.of(key))
            for question in _questions(maker, place, row, made):
                stream.write(encoder.encode(question) + b"\n")
                written += 1
    few = Filter(f"less than {parameters.evidence.validated:.0%} of the answers validated", "validated")
    return filtered(written, {few: dropped}, {"validated": "evidence.validated"})


def _proved_rows(parameters: Any, rows: QuestionRows, sources: Sequence[str], work: Work) -> QuestionRows:
    """The rows of whose answers text proves enough, without clusters that would keep too few questions."""
    least = parameters.evidence.validated
    if not parameters.evidence.use or not least:
        return rows
    files = {source: _files(source, work) for source in sources}
    proved = Merged(AnswerEvidence, work.out("answer_evidence"))
    kept = {}
    for row in rows:
        made = _Known(files[row["source"]].answers.of(row["key"]), [], proved.of(row["key"]), [])
        if made.share >= least:
            kept[row["key"]] = row
    return list(whole_clusters(kept, parameters.clusters.least_questions).values())


def _files(source: str, work: Work) -> _Files:
    return _Files(
        Merged(QueryAnswers, work.table(source, "answers")),
        Merged(OfferedCandidates, work.table(source, "candidates")),
    )


class _Known:
    """The rows about one query."""

    def __init__(
        self, answers: QuestionRows, candidates: QuestionRows, proved: QuestionRows, shown: QuestionRows
    ) -> None:
        self.answers = answers
        self.candidates = candidates
        self.evidence: dict[tuple[str, bool], list[Evidence]] = {}
        for row in proved:
            self.evidence.setdefault((row["answer"], row["literal"]), []).append(_evidence(row))
        self.shown: dict[str, list[Evidence]] = {}
        for row in shown:
            self.shown.setdefault(row["candidate"], []).append(_evidence(row))

    @property
    def share(self) -> float:
        """The share of the answers that is proved."""
        return len(self.evidence) / len(self.answers) if self.answers else 0.0


def _maker(
    parameters: Any,
    inputs: Inputs,
    recipe: str,
    graph: Graph,
    rows: QuestionRows,
    sources: Sequence[str],
    variants: Sequence[str],
    work: Work,
) -> _Maker:
    from rollcall.corpus import Corpus
    from rollcall.mine.templates.paraphrase import Form, Paraphraser, lexical_forms

    names: dict[str, list[str]] = {}
    forms: dict[str, list[Form]] = {}
    templates = [Query.parse(row["query"]) for row in rows if row["kind"] in variants]
    if inputs.given_corpus is not None:
        names = _text_names(inputs.corpus, sources, work)
        topics = {entity for query in templates for entity in query.entities}
        if parameters.wording.variants > 1 and topics:
            with Corpus.open(inputs.corpus) as corpus:
                forms = lexical_forms(corpus, topics)
    namer = Namer(graph, names)
    lexicon, most = build_lexicon(parameters.wording), parameters.wording.variants
    asked = sorted({edge.relation for query in templates for edge in query.edges}) if forms else []
    ends = relation_ends(graph, lexicon, asked, inputs, work)
    paraphraser = Paraphraser(graph, lexicon, forms, most, ends)
    return _Maker(graph, namer, recipe, parameters, paraphraser, frozenset(variants))


def _text_names(corpus: Path, sources: Sequence[str], work: Work) -> dict[str, list[str]]:
    """The names that the text uses for answers and candidates, the most frequent first."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted: list[Any] = []
    for source in sources:
        for table, column in ((QueryAnswers, "answer"), (OfferedCandidates, "candidate")):
            path = work.before[source] / file_name(table)
            if path.exists():
                wanted.append(read(table, path, [column])[column])
    known = pc.unique(pa.chunked_array([chunk for column in wanted for chunk in column.chunks], pa.string()))
    names: dict[str, dict[str, int]] = {}
    for batch in batches(TextAliases, corpus / file_name(TextAliases)):
        for row in batch.filter(pc.is_in(batch.column("entity"), value_set=known)).to_pylist():
            counts = names.setdefault(row["entity"], {})
            counts[row["text"]] = max(counts.get(row["text"], 0), row["count"])
    return {e: sorted(counts, key=lambda text: (-counts[text], text)) for e, counts in names.items()}


def _questions(maker: _Maker, place: int, row: dict[str, Any], known: _Known) -> Iterator[Question]:
    question = _question(maker, row, known)
    if row["kind"] not in maker.variants:
        yield question
        return
    sentences = [row["question"], *row["wordings"]]
    found = maker.paraphraser.variants(Query.parse(row["query"]), sentences)
    for sentence, variants in enumerate(found):
        for variant, said in enumerate(variants):
            id_ = str(published_id(place, sentence, variant))
            yield msgspec.structs.replace(question, id=id_, question=said, wordings=[], cluster=str(place))


def _question(maker: _Maker, row: dict[str, Any], known: _Known) -> Question:
    query = Query.parse(row["query"])
    answers = _answers(maker, query, known)
    provenance: dict[str, Any] = {
        "recipe": maker.recipe,
        "key": row["key"],
        "entities": [maker.namer.label(entity) for entity in query.entities],
    }
    if row["same_answers"]:
        provenance["same_answers"] = row["same_answers"]
    return Question(
        id=query.id,
        question=row["question"],
        wordings=row["wordings"],
        kind=row["kind"],
        query=QueryRecord(query.text, query.to_graph_json(maker.namer.label), query.to_sparql()),
        characteristics=_characteristics(maker, query, row, answers),
        cluster=row["cluster"],
        split=row["split"],
        answers=answers,
        candidates=[_candidate(maker, candidate, known) for candidate in known.candidates],
        provenance=provenance,
    )


def _answers(maker: _Maker, query: Query, known: _Known) -> list[Answer]:
    if query.aggregate == "count":
        counted = maker.namer.answer(number(len(known.answers)).text, literal=True)
        counted.evidence = [piece for pieces in known.evidence.values() for piece in pieces]
        return [counted]
    found = []
    for row in known.answers:
        answer = maker.namer.answer(row["answer"], row["literal"])
        answer.evidence = known.evidence.get((row["answer"], row["literal"]), [])
        found.append(answer)
    return sorted(found, key=lambda answer: (answer.label.casefold(), answer.label, answer.id or ""))


def _candidate(maker: _Maker, row: dict[str, Any], known: _Known) -> Candidate:
    named = maker.namer.answer(row["candidate"], literal=False)
    evidence = known.shown.get(row["candidate"], [])
    return Candidate(named.label, named.id, named.aliases, evidence, is_answer=row["is_answer"])


def _characteristics(
    maker: _Maker, query: Query, row: dict[str, Any], answers: list[Answer]
) -> dict[str, Characteristic]:
    said = query_characteristics(query, len(answers))
    said["classes"] = [maker.namer.label(class_id) for class_id in query.classes]
    for name in ("commonness", "operation"):
        if row[name] is not None:
            said[name] = round(row[name], 4) if name == "commonness" else row[name]
    if row["redundant"]:
        said["redundant"] = True
    return said


def _evidence(row: dict[str, Any]) -> Evidence:
    value: Value | None = parse_value(row["object"]) if row["object_literal"] else None
    object_ = Entity(row["object"]) if value is None else Literal(value)
    fact = Edge(Entity(row["subject"]), row["relation"], object_).text
    pieces = {name: row[name] for name in ("text", "passage", "title", "start", "end", "score")}
    return Evidence(**pieces, fact=fact)
