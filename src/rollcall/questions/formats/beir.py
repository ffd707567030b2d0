"""BEIR's folder for retrieval: `corpus.jsonl`, `queries.jsonl` and `qrels/SPLIT.tsv`.

The judgments are there as lines, too, for dataset libraries, and so for MTEB. A passage is relevant if it
proves an answer. With a corpus, all its passages are written. Without one, only the sentences that prove
answers are known, and retrieval among them alone is easier than it should be.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from rollcall._core.errors import RollcallError, RollcallWarning
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.rankings import columns_of, word, write_run
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
