"""QAMPARI's published JSONL: each answer with its text, aliases, page and proofs.

If the file gives an answer's page, the page identifies the answer, because the set repeats answers. The
aliases are kept unchanged, because QAMPARI's own scorer matches only them.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.source import Source, write_lines
from rollcall.questions.record import Answer, Evidence, Question
from rollcall.questions.run import Prediction

# Writes QAMPARI's published JSONL, so that code made for that set can read any other set. A published
# question's id contains its kind and split; ids of Rollcall are extended to that form. QAMPARI's scorer
# matches only aliases, so the label is put before them, except for questions read from a file of
# QAMPARI.

NAME = "qampari"
NO_KIND, NO_SPLIT = "unknown", "none"
"""What an id says of a question that has no kind, or no split."""
KINDS = {
    "wikidata_simple": "simple",
    "wikidata_comp": "composition",
    "wikidata_intersection": "intersection",
    "wikitables_simple": "table-simple",
    "wikitables_composition": "table-composition",
}

_TYPES = {kind: name for name, kind in KINDS.items()}


def qid(question: Question) -> str:
    """The id in the published form `{n}__{type}__{split}`."""
    if question.provenance.get("format") == NAME:
        return question.id
    kind = _TYPES.get(question.kind or "", question.kind or NO_KIND)
    return f"{question.id}__{kind}__{question.split or NO_SPLIT}"


def record(question: Question) -> dict[str, object]:
    """A question as one record of the published file."""
    id_ = qid(question)
    published = question.provenance.get("format") == NAME
    return {
        "qid": id_,
        "question_text": question.question,
        "entities": question.provenance.get("entities", []),
        "answer_list": [
            _written_answer(answer, f"{id_}__{number}", published)
            for number, answer in enumerate(question.answers)
        ],
    }


def _written_answer(answer: Answer, aid: str, published: bool) -> dict[str, object]:
    aliases = answer.aliases if published else list(dict.fromkeys([answer.label, *answer.aliases]))
    return {
        "answer_text": answer.label,
        "aliases": aliases,
        "aid": aid,
        "answer_url": answer.id,
        "proof": [
            {
                "proof_text": piece.text,
                "pid": f"{aid}__{number}",
                "found_in_url": piece.url or piece.title,
            }
            for number, piece in enumerate(answer.evidence)
        ],
    }


class QampariProof(msgspec.Struct):
    proof_text: str = ""
    pid: str | None = None
    found_in_url: str | None = None


class ListedAnswer(msgspec.Struct):
    answer_text: str = ""
    aliases: list[str | None] | None = None
    answer_url: str | None = None
    proof: list[QampariProof] = []


class QampariRecord(msgspec.Struct):
    qid: str | int = ""
    question_text: str = ""
    entities: list[Any] = []
    answer_list: list[ListedAnswer] = []


class Predicted(msgspec.Struct):
    qid: str | int
    predictions: list[Any] | None = None


@FORMATS.register(NAME)
class Qampari(QuestionFormat):
    """QAMPARI: each answer with its text, aliases, page and proofs."""

    ending = "_data.jsonl"
    text_key = "question_text"

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return "answer_list" in source.record

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        return map(_question, source.records(QampariRecord))

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        write_lines(map(record, questions), path)


def read_predictions(source: Source) -> list[Prediction]:
    """The examples that have `predictions`; the others count as missing."""
    from rollcall.questions.formats.predictions import as_answers

    predictions: list[Prediction] = []
    for example in source.records(Predicted):
        if example.predictions is not None:
            try:
                predictions.append(Prediction(str(example.qid), as_answers(example.predictions)))
            except TypeError as error:
                raise RollcallError(f"{source.where}: {example.qid}: {error}") from None
    return predictions


def _question(example: QampariRecord) -> Question:
    kind, split = (*str(example.qid).rsplit("__", 2)[1:], "", "")[:2]
    return Question(
        id=str(example.qid) if example.qid != "" else example.question_text,
        question=example.question_text,
        kind=None if kind in ("", NO_KIND) else KINDS.get(kind, kind),
        split=None if split in ("", NO_SPLIT) else split,
        answers=[_answer(listed) for listed in example.answer_list],
        provenance={"format": NAME, **({"entities": example.entities} if example.entities else {})},
    )


def _answer(listed: ListedAnswer) -> Answer:
    aliases = [listed.answer_text] if listed.aliases is None else listed.aliases
    if None in aliases:
        aliases = [alias for alias in aliases if alias is not None]
    answer = Answer(listed.answer_text, listed.answer_url, cast(list[str], aliases))
    if listed.proof:
        answer.evidence = [_evidence(proof) for proof in listed.proof]
    return answer


def _evidence(proof: QampariProof) -> Evidence:
    return Evidence(text=proof.proof_text, passage=proof.pid, url=proof.found_in_url)
