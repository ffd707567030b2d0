"""BEIR's folder for retrieval: `corpus.jsonl`, `queries.jsonl` and `qrels/SPLIT.tsv`.

The judgments are there as lines, too, for dataset libraries, and so for MTEB. A passage is relevant if it
proves an answer. With a corpus, all its passages are written. Without one, only the sentences that prove
answers are known, and retrieval among them alone is easier than it should be.
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rollcall.errors import RollcallWarning
from rollcall.questions.card_head import card_head_of, hub_splits
from rollcall.questions.formats import FORMATS, QuestionFormat
from rollcall.questions.formats.export_files import ExportedFile, Material, split_files, text_file
from rollcall.questions.formats.rankings import word
from rollcall.questions.formats.trec import check_relevance
from rollcall.questions.formats.writing import write_lines
from rollcall.questions.question_set import CARD
from rollcall.questions.record import Question
from rollcall.questions.relevance import evidence_passages, relevant_passages


@FORMATS.register("beir")
class Beir(QuestionFormat):
    """Retrieval as BEIR and MTEB read it: a corpus, queries, and the passages that prove answers as qrels."""

    has_card = False
    takes = ("corpus",)

    @classmethod
    def files(cls, material: Material) -> list[ExportedFile]:
        questions = material.questions
        check_relevance(questions)
        passages = _of_corpus(material) or _of_evidence(questions)
        queries = [
            {"_id": word(one.id), "text": one.question, "metadata": _metadata(one)} for one in questions
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
            stream.writelines(f"{word(question.id)}\t{one}\t1\n" for one in relevant_passages(question))


def write_listed(questions: Sequence[Question], path: Path) -> None:
    """The same judgments as lines, because dataset libraries want one kind of file in one dataset."""
    write_lines(
        (
            {"query-id": question.id, "corpus-id": one, "score": 1}
            for question in questions
            for one in relevant_passages(question)
        ),
        path,
    )


def _of_corpus(material: Material) -> Callable[[], Iterator[dict[str, object]]] | None:
    corpus = material.corpus
    if corpus is None:
        return None
    wanted = {one for question in material.questions for one in relevant_passages(question)}

    def passages() -> Iterator[dict[str, object]]:
        unseen = set(wanted)
        for passage, title in corpus.titled_passages():
            unseen.discard(passage.id)
            yield {"_id": passage.id, "title": title, "text": passage.text}
        if unseen:
            told = f"{len(unseen):,} passages with evidence are not in the corpus; is it another one?"
            warnings.warn(RollcallWarning(told), stacklevel=2)

    return passages


def _of_evidence(questions: Sequence[Question]) -> Callable[[], Iterator[dict[str, object]]]:
    told = (
        "no corpus was given: corpus.jsonl has only the sentences that prove answers, among which retrieval "
        "is easy; give --corpus for all passages"
    )
    warnings.warn(RollcallWarning(told), stacklevel=2)
    found = evidence_passages(questions)
    return lambda: ({"_id": id_, "title": title, "text": text} for id_, (title, text) in found.items())


def _metadata(question: Question) -> dict[str, object]:
    given = {"kind": question.kind, "cluster": question.cluster, "split": question.split}
    return {key: value or "" for key, value in given.items()}


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
