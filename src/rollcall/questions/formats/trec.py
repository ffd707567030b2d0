"""TREC's files: relevance judgments (qrels), topics, and ranked runs, for trec_eval, ir_measures and ranx.

A passage is relevant if it proves an answer. A second file of judgments has each answer as a subtopic, for
measures such as `StRecall`. Judgments can be read, too: then the relevant documents are the answers.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from rollcall.errors import RollcallError
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.export_files import ExportedFile, Material, split_files
from rollcall.questions.formats.rankings import columns_of, word, write_run
from rollcall.questions.formats.source import Source
from rollcall.questions.record import Answer, Evidence, Question
from rollcall.questions.relevance import by_answer, relevant_passages

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
                raise RollcallError(f"{source.where}:{number}: {relevance!r:.40} is no relevance") from None
            found = judged.setdefault(topic, {})
            if relevant:
                found[document] = None
        notes.lists_as("set")
        for topic, documents in judged.items():
            answers = [Answer(one, one, evidence=[Evidence(passage=one)]) for one in documents]
            yield Question(id=topic, answers=answers)

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        check_relevance(questions)
        with path.open("w", encoding="utf-8") as stream:
            for question in questions:
                for passage in relevant_passages(question):
                    stream.write(f"{word(question.id)} 0 {word(passage)} 1\n")

    @classmethod
    def files(cls, material: Material) -> list[ExportedFile]:
        check_relevance(material.questions)
        files = split_files(material, ".qrels", cls.write)
        files += split_files(material, ".subtopics.qrels", write_subtopics)
        files += split_files(material, ".topics.tsv", write_topics)
        if material.run is not None:
            run = material.run
            asked = [one for one in run if one.retrieved]
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
                stream.writelines(f"{word(question.id)} {number} {word(one)} 1\n" for one in passages)


def write_topics(questions: Sequence[Question], path: Path) -> None:
    """The texts of the questions, as Pyserini and others read them."""
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(f"{word(one.id)}\t{' '.join(one.question.split())}\n" for one in questions)


def is_qrels(source: Source) -> bool:
    """Whether a file has TREC's judgments, by its first line."""
    columns = str(source.first).split() if source.shape == "table" else []
    return len(columns) == _JUDGMENT and columns[3].lstrip("-").isdecimal() and columns[1].isalnum()
