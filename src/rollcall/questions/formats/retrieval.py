"""Formats for retrieval: relevance judgments, ranked runs, and folders with passages. A passage is relevant
if it proves an answer.

- `Trec`: TREC's judgments (qrels) and topics, with a run, too.
- `Beir`: a folder with `corpus.jsonl`, `queries.jsonl` and `qrels/SPLIT.tsv`.
- `read_ranking`, `read_ranx`, `write_run`: ranked runs, as TREC, MS MARCO, Pyserini and ranx write them.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError, RollcallWarning, why
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.source import (
    ExportedFile,
    ExportSource,
    Source,
    split_files,
    text_file,
    write_lines,
)
from rollcall.questions.judgment import by_answer, evidence_passages, relevant_passages
from rollcall.questions.question_set import CARD, card_head_of, hub_splits
from rollcall.questions.record import Answer, Evidence, Question
from rollcall.questions.run import Passage, Prediction, Run
from rollcall.text.nouns import counted

# TREC's files: relevance judgments (qrels), topics, and ranked runs, for trec_eval, ir_measures and
# ranx. A passage is relevant if it proves an answer. A second file of judgments has each answer as a
# subtopic, for measures such as `StRecall`. Judgments can be read, too: then the relevant documents are
# the answers.

_JUDGMENT = 4
"""The columns of a line of judgments: topic, iteration, document, relevance."""


@FORMATS.register("trec")
class Trec(QuestionFormat):
    """TREC's qrels and topics, and with --run a ranked run; the passages that prove answers are relevant."""

    ending = ".qrels"
    has_card = False
    takes = ("run",)

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return is_qrels(source)

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        judged: dict[str, dict[str, None]] = {}
        for number, (topic, _, document, relevance) in columns_of(source, _JUDGMENT):
            try:
                relevant = int(relevance) > 0
            except ValueError:
                raise RollcallError(
                    f"{source.where}:{number}: {relevance!r:.40} is not a relevance"
                ) from None
            documents = judged.setdefault(topic, {})
            if relevant:
                documents[document] = None
        notes.lists_as("set")
        for topic, documents in judged.items():
            answers = [
                Answer(document, document, evidence=[Evidence(passage=document)]) for document in documents
            ]
            yield Question(id=topic, answers=answers)

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        check_relevance(questions)
        with path.open("w", encoding="utf-8") as stream:
            for question in questions:
                for passage in relevant_passages(question):
                    stream.write(f"{word(question.id)} 0 {word(passage)} 1\n")

    @classmethod
    def files(cls, material: ExportSource) -> list[ExportedFile]:
        check_relevance(material.questions)
        files = split_files(material, ".qrels", cls.write)
        files += split_files(material, ".subtopics.qrels", write_subtopics)
        files += split_files(material, ".topics.tsv", write_topics)
        if material.run is not None:
            run = material.run
            asked = [prediction for prediction in run if prediction.retrieved]
            name = f"{Path(run.name or 'run').name.partition('.')[0]}.run"
            files.append(ExportedFile(name, lambda path: write_run(run, path), len(asked), "rankings"))
        return files


def check_relevance(questions: Sequence[Question]) -> None:
    """Refuse questions without evidence: no passage would be relevant."""
    if not any(relevant_passages(question) for question in questions):
        raise RollcallError(
            "no answer has evidence, so no passage is relevant; retrieval can be measured with sets that "
            "have evidence"
        )


def write_subtopics(questions: Sequence[Question], path: Path) -> None:
    """Judgments in which each answer of a question is a subtopic, numbered from 1."""
    with path.open("w", encoding="utf-8") as stream:
        for question in questions:
            for number, passages in enumerate(by_answer(question), 1):
                stream.writelines(f"{word(question.id)} {number} {word(passage)} 1\n" for passage in passages)


def write_topics(questions: Sequence[Question], path: Path) -> None:
    """The texts of the questions, as Pyserini and others read them."""
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(
            f"{word(question.id)}\t{' '.join(question.question.split())}\n" for question in questions
        )


def is_qrels(source: Source) -> bool:
    """Whether a file has TREC's judgments, by its first line."""
    columns = str(source.first).split() if source.shape == "table" else []
    return len(columns) == _JUDGMENT and columns[3].lstrip("-").isdecimal() and columns[1].isalnum()


# BEIR's folder. The judgments are there as lines, too, for dataset libraries, and so for MTEB. With a corpus,
# all its passages are written. Without one, only the sentences that prove answers are known, and retrieval
# among them alone is easier than it should be.


@FORMATS.register("beir")
class Beir(QuestionFormat):
    """Retrieval as BEIR and MTEB read it: a corpus, queries, and the passages that prove answers as qrels."""

    has_card = False
    takes = ("corpus",)

    @classmethod
    def files(cls, material: ExportSource) -> list[ExportedFile]:
        questions = material.questions
        check_relevance(questions)
        passages = _of_corpus(material) or _of_evidence(questions)
        queries = [
            {"_id": word(question.id), "text": question.question, "metadata": _metadata(question)}
            for question in questions
        ]
        judged = split_files(material, ".tsv", write_qrels)
        listed = split_files(material, ".jsonl", write_listed)
        return [
            ExportedFile("corpus.jsonl", lambda path: write_lines(passages(), path)),
            ExportedFile("queries.jsonl", lambda path: write_lines(queries, path), len(queries)),
            *(file._replace(name=f"qrels/{file.name}") for file in (*judged, *listed)),
            text_file(CARD, _card(listed)),
        ]


def write_qrels(questions: Sequence[Question], path: Path) -> None:
    """Judgments with a head and tabs, as BEIR has them."""
    with path.open("w", encoding="utf-8") as stream:
        stream.write("query-id\tcorpus-id\tscore\n")
        for question in questions:
            stream.writelines(
                f"{word(question.id)}\t{passage}\t1\n" for passage in relevant_passages(question)
            )


def write_listed(questions: Sequence[Question], path: Path) -> None:
    """The same judgments as lines, because dataset libraries want one kind of file in one dataset."""
    write_lines(
        (
            {"query-id": question.id, "corpus-id": passage, "score": 1}
            for question in questions
            for passage in relevant_passages(question)
        ),
        path,
    )


def _of_corpus(material: ExportSource) -> Callable[[], Iterator[dict[str, object]]] | None:
    corpus = material.corpus
    if corpus is None:
        return None
    wanted = {passage for question in material.questions for passage in relevant_passages(question)}

    def passages() -> Iterator[dict[str, object]]:
        unseen = set(wanted)
        for passage, title in corpus.titled_passages():
            unseen.discard(passage.id)
            yield {"_id": passage.id, "title": title, "text": passage.text}
        if unseen:
            warning = f"{len(unseen):,} passages with evidence are not in the corpus; is it another one?"
            warnings.warn(RollcallWarning(warning), stacklevel=2)

    return passages


def _of_evidence(questions: Sequence[Question]) -> Callable[[], Iterator[dict[str, object]]]:
    warning = (
        "no corpus was given: corpus.jsonl has only the sentences that prove answers, among which retrieval "
        "is easy; give --corpus for all passages"
    )
    warnings.warn(RollcallWarning(warning), stacklevel=2)
    passages = evidence_passages(questions)
    return lambda: ({"_id": id_, "title": title, "text": text} for id_, (title, text) in passages.items())


def _metadata(question: Question) -> dict[str, object]:
    fields = {"kind": question.kind, "cluster": question.cluster, "split": question.split}
    return {key: value or "" for key, value in fields.items()}


def _card(judged: Sequence[ExportedFile]) -> str:
    """A page that tells dataset libraries, and so MTEB, which file is what."""
    shown = hub_splits(file.split for file in judged)
    configs = {
        "corpus": {"corpus": "corpus.jsonl"},
        "queries": {"queries": "queries.jsonl"},
        "default": {shown[file.split]: f"qrels/{file.name}" for file in judged},
    }
    head = card_head_of("en", configs, task="text-retrieval")
    page = [
        "# Retrieval of the passages that prove answers",
        "",
        "`corpus.jsonl`, `queries.jsonl` and `qrels`,",
    ]
    return "\n".join(
        [*head, *page, "as BEIR and MTEB read them: a passage is relevant if it proves an answer.", ""]
    )


# Rankings: the retrieved documents of each question, as TREC, MS MARCO, Pyserini and ranx write them.
#
# Tools sort documents by score and break ties by id, the last first, as trec_eval does; they are read here in
# the same order. Ours are written with scores that keep their order in these tools.

_TREC = 6
"""The columns of a line of a TREC run: topic, Q0, document, rank, score, tag."""
_MARCO = 3
"""The columns of a line of an MS MARCO run: topic, document, rank."""


class _RanxRow(msgspec.Struct):
    """A row of ranx's tables."""

    q_id: str
    doc_id: str
    score: float


def write_run(run: Run, path: Path) -> None:
    """The retrieved passages of a run as a ranking."""
    tag = word(Path(run.name or "rollcall").name.partition(".")[0] or "rollcall")
    with path.open("w", encoding="utf-8") as stream:
        for prediction in run:
            for rank, (passage, score) in enumerate(ranked(prediction.retrieved), 1):
                line = f"{word(prediction.id)} Q0 {word(passage)} {rank} {score!r} {tag}"
                stream.write(f"{line}\n")


def ranked(passages: Sequence[Passage]) -> list[tuple[str, float]]:
    """The ids of passages with scores that keep their order.

    Tools sort by score and break ties by id, so scores that do not fall at every rank would change the
    ranking; the ranks are then written as scores. A passage that comes twice counts once.
    """
    scores: dict[str, float | None] = {}
    for passage in passages:
        if passage.id:
            scores.setdefault(passage.id, passage.score)
    given_scores = [score for score in scores.values() if score is not None]
    falls = all(score > next_ for score, next_ in pairwise(given_scores))
    if len(given_scores) == len(scores) and falls:
        return list(zip(scores, given_scores, strict=True))
    return [(id_, float(len(scores) - rank)) for rank, id_ in enumerate(scores)]


def word(text: str) -> str:
    """An id as one word, because the columns are separated by white space."""
    if not text or any(sign.isspace() for sign in text):
        raise RollcallError(f"{text!r:.80}: TREC's files cannot have an id with white space, or an empty one")
    return text


def is_ranking(source: Source) -> bool:
    """Whether a file is a ranked run of TREC's form or of MS MARCO's, by its first line."""
    if source.shape != "table":
        return False
    columns = str(source.first).split()
    if len(columns) == _TREC:
        return columns[1].upper() == "Q0" and columns[3].isdecimal()
    return len(columns) == _MARCO and columns[2].isdecimal()


def read_ranking(source: Source) -> Run:
    """A ranked run: topics with their documents, best first, as trec_eval sorts them."""
    rankings: dict[str, list[tuple[float, str]]] = {}
    width = len(str(source.first).split())
    for number, columns in columns_of(source, width):
        topic, document = (columns[0], columns[2]) if width == _TREC else (columns[0], columns[1])
        try:
            score = float(columns[4]) if width == _TREC else -float(columns[2])
        except ValueError:
            raise RollcallError(f"{source.where}:{number}: the score is not a number") from None
        rankings.setdefault(topic, []).append((score, document))
    return ranking_run(rankings, source.where, scored=width == _TREC)


def ranking_run(rankings: dict[str, list[tuple[float, str]]], where: str, *, scored: bool = True) -> Run:
    """A run of scored documents; ties go by id, the last one first, as trec_eval sorts them."""
    predictions = [
        Prediction(
            topic,
            retrieved=[
                Passage(document, score=score if scored else None)
                for score, document in sorted(documents, reverse=True)
            ],
        )
        for topic, documents in rankings.items()
    ]
    return Run(predictions, Path(where).name)


def columns_of(source: Source, width: int) -> Iterator[tuple[int, list[str]]]:
    text = source.data.decode("utf-8", "replace")
    for number, line in enumerate(text.split("\n"), 1):
        columns = line.split()
        if columns and len(columns) != width:
            raise RollcallError(
                f"{source.where}:{number}: has {counted(len(columns), 'column')}, not {width}"
            )
        if columns:
            yield number, columns


def is_ranx(source: Source) -> bool:
    """Whether a file is a run of ranx: an object of scores by question and document, or a table of them."""
    if source.record.keys() >= {"q_id", "doc_id", "score"}:
        return True
    if source.shape != "object" or not isinstance(source.first, dict) or not source.first:
        return False
    ranked_ = next(iter(source.first.values()))
    return isinstance(ranked_, dict) and bool(ranked_) and all(map(_is_number, ranked_.values()))


def read_ranx(source: Source) -> Run:
    """A run of ranx."""
    rankings: dict[str, list[tuple[float, str]]] = {}
    if source.shape != "object":
        for row in source.records(_RanxRow):
            rankings.setdefault(row.q_id, []).append((row.score, row.doc_id))
        return ranking_run(rankings, source.where)
    try:
        decoded = msgspec.json.decode(source.data, type=dict[str, dict[str, float]])
    except UNREADABLE as error:
        raise RollcallError(f"{source.where}: is not a run of ranx ({why(error)})") from None
    for topic, scores in decoded.items():
        rankings[topic] = [(score, document) for document, score in scores.items()]
    return ranking_run(rankings, source.where)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
