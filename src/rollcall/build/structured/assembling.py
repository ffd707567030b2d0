"""Assembles questions: worded queries with complete answers, candidates, evidence and names.

Input: `worded`, and the tables `answers`, `candidates` and `proofs` of the mining stages, with `evidence`.
Output: `questions.jsonl`. A template becomes one question for each of its paraphrases, with ids as in the
published set; they share a cluster, which is the number of the query. Questions of clusters have the
candidates of the closed setting.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from rollcall.build.ends import relation_ends
from rollcall.build.inputs import Inputs
from rollcall.build.lexicon import build_lexicon
from rollcall.build.namer import Namer
from rollcall.build.stage import Outcome, Work, filtered
from rollcall.build.structured.cluster_sizes import whole_clusters
from rollcall.build.structured.parameters import Parameters
from rollcall.build.structured.proved import Merged, write_evidence
from rollcall.filter import Filter
from rollcall.graph import Graph
from rollcall.query import Edge, Entity, Literal, Query, Value, number, parse_value
from rollcall.questions.formats.graphquestions_writing import published_id
from rollcall.questions.query_characteristics import query_characteristics
from rollcall.questions.question_set import QUESTIONS
from rollcall.questions.record import Answer, Candidate, Characteristic, Evidence, QueryRecord, Question
from rollcall.tables.build import AnswerEvidence, CandidateEvidence, WordedStructures
from rollcall.tables.corpus import TextAliases
from rollcall.tables.mining import OfferedCandidates, QueryAnswers
from rollcall.tables.reader import batches, read, records
from rollcall.tables.table import file_name

if TYPE_CHECKING:
    from rollcall.mine.templates.paraphrase import Paraphraser

Rows = list[dict[str, Any]]


class _Files(NamedTuple):
    """The rows of the queries of one stage, in the order of their keys."""

    answers: Merged
    candidates: Merged


class _Maker(NamedTuple):
    """The data needed to make a question."""

    graph: Graph
    namer: Namer
    recipe: str
    parameters: Parameters
    paraphraser: "Paraphraser"


def assemble(
    parameters: Parameters, inputs: Inputs, recipe: str, sources: Sequence[str], work: Work
) -> Outcome:
    """Write `questions.jsonl`, sorted by the keys of the queries."""
    rows = list(records(WordedStructures, work.table("word", "worded")))
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
        maker = _maker(parameters, inputs, recipe, graph, rows, sources, work)
        for place, row in enumerate(rows, start=1):
            own = files[row["source"]]
            key = row["key"]
            made = _Known(own.answers.of(key), own.candidates.of(key), proved.of(key), shown.of(key))
            for question in _questions(maker, place, row, made):
                stream.write(encoder.encode(question) + b"\n")
                written += 1
    few = Filter(f"less than {parameters.evidence.validated:.0%} of the answers validated", "validated")
    return filtered(written, {few: dropped}, {"validated": "evidence.validated"})


def _proved_rows(parameters: Parameters, rows: Rows, sources: Sequence[str], work: Work) -> Rows:
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

    def __init__(self, answers: Rows, candidates: Rows, proved: Rows, shown: Rows) -> None:
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
    parameters: Parameters,
    inputs: Inputs,
    recipe: str,
    graph: Graph,
    rows: Rows,
    sources: Sequence[str],
    work: Work,
) -> _Maker:
    from rollcall.corpus import Corpus
    from rollcall.mine.templates.paraphrase import Form, Paraphraser, lexical_forms

    names: dict[str, list[str]] = {}
    forms: dict[str, list[Form]] = {}
    templates = [Query.parse(row["query"]) for row in rows if row["kind"] == "template"]
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
    return _Maker(graph, namer, recipe, parameters, paraphraser)


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
    if row["kind"] != "template":
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
