"""Published sets whose questions have lists of answers, each with one answer as several names.

- `AmbigQa`: open questions that mean several things.
- `Loft`: questions over a corpus that fits into a prompt.
- `Quest`: set operations over Wikipedia's categories.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.predictions import QUEST_KEYS
from rollcall.questions.formats.source import Source, write_array, write_lines
from rollcall.questions.record import Answer, Evidence, Question

# AmbigQA's JSON: each annotator gives one answer or several question–answer pairs.
#
# Every annotation is a complete answer set of its own. The first becomes the question's answers, the others
# its alternatives, and a prediction is scored against the one that fits best. The kind says whether every
# annotator gave several answers, which is the published "multi only" subset. What the file says besides is
# kept, so that it can be written again.

_AMBIGQA = "ambigqa"
SINGLE, SEVERAL = "singleAnswer", "multipleQAs"
MULTI, ALONE = "multiple answers", "single answer"


class AmbigqaPair(msgspec.Struct):
    answer: list[str] | str
    question: str = ""


class Annotation(msgspec.Struct):
    type: str = ""
    answer: list[str] | str = []
    qaPairs: list[AmbigqaPair] = []  # noqa: N815 (the published key)


class AmbigqaRecord(msgspec.Struct):
    id: str | int
    question: str = ""
    annotations: list[Annotation] = []
    viewed_doc_titles: Any = None
    used_queries: Any = None
    nq_answer: Any = None
    nq_doc_title: Any = None


_KEPT = ("viewed_doc_titles", "used_queries", "nq_answer", "nq_doc_title")


@FORMATS.register(_AMBIGQA)
class AmbigQa(QuestionFormat):
    """AmbigQA: every annotator gives a complete answer set, each answer with its names."""

    ending = ".json"

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return "annotations" in source.record

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        return map(_question, source.records(AmbigqaRecord))

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        write_array([_record(question) for question in questions], path)


def _question(example: AmbigqaRecord) -> Question:
    sets = [_answers(annotation) for annotation in example.annotations]
    several = not any(annotation.type == SINGLE for annotation in example.annotations)
    asked = [[pair.question for pair in annotation.qaPairs] for annotation in example.annotations]
    known = {name: getattr(example, name) for name in _KEPT}
    return Question(
        id=str(example.id),
        question=example.question,
        kind=MULTI if several else ALONE,
        answers=sets[0] if sets else [],
        alternatives=sets[1:],
        provenance={
            "format": _AMBIGQA,
            **({"types": [annotation.type for annotation in example.annotations]} if sets else {}),
            **({"questions": asked} if any(map(any, asked)) else {}),
            **{name: value for name, value in known.items() if value is not None},
        },
    )


def _answers(annotation: Annotation) -> list[Answer]:
    if annotation.type == SEVERAL:
        return [_answer(pair.answer) for pair in annotation.qaPairs]
    return [_answer(annotation.answer)]


def _answer(names: list[str] | str) -> Answer:
    listed = [names] if isinstance(names, str) else names
    return Answer(label=listed[0] if listed else "", aliases=listed[1:])


def _record(question: Question) -> dict[str, object]:
    """A question as one record of the published file."""
    ours = question.provenance if question.provenance.get("format") == _AMBIGQA else {}
    types = _listed(ours.get("types"))
    asked = _listed(ours.get("questions"))
    annotations = []
    answer_sets = [question.answers, *question.alternatives]
    for index, answers in enumerate(answer_sets if types or any(answer_sets) else []):
        several = types[index] == SEVERAL if index < len(types) else len(answers) != 1
        wordings = _listed(asked[index]) if index < len(asked) else []
        annotations.append(_annotation(question, answers, several, wordings))
    return {
        "id": question.id,
        "question": question.question,
        "annotations": annotations,
        **{name: ours[name] for name in _KEPT if name in ours},
    }


def _annotation(
    question: Question, answers: Sequence[Answer], several: bool, wordings: Sequence[object]
) -> dict[str, object]:
    names = [[answer.label, *answer.aliases] for answer in answers]
    if not several:
        return {"type": SINGLE, "answer": names[0] if names else []}
    texts = [*wordings, *[question.question] * (len(names) - len(wordings))]
    pairs = [
        {"question": text, "answer": answer_names} for text, answer_names in zip(texts, names, strict=False)
    ]
    return {"type": SEVERAL, "qaPairs": pairs}


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


# LOFT's JSONL: a query with the strings that answer it, or with the passages that are relevant.
#
# An answer of its retrieval tasks is a passage's id with a grade; the id becomes the answer. Conversations of
# several turns are refused, because an answer set belongs to one question here.

_LOFT = "loft"
Graded = list[str | int | float]


class LoftRecord(msgspec.Struct):
    qid: str | int
    query_text: str | list[str]
    answers: list[str | int | float | Graded]
    metadata: dict[str, Any] | None = None


@FORMATS.register(_LOFT)
class Loft(QuestionFormat):
    """LOFT: a set of strings for each query, or the ids of its relevant passages."""

    text_key = "query_text"

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return {"qid", "query_text", "answers"} <= source.record.keys()

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterator[Question]:
        for number, example in enumerate(source.records(LoftRecord), 1):
            if not isinstance(example.query_text, str):
                raise RollcallError(
                    f"{source.where}: query {example.qid!r:.80} is a conversation of several turns; only "
                    "single questions can be read"
                )
            try:
                answers = [_graded_answer(answer) for answer in example.answers]
            except ValueError as error:
                raise RollcallError(f"{source.where}: record {number}: {error}") from None
            yield Question(
                id=str(example.qid),
                question=example.query_text,
                answers=answers,
                provenance={"format": _LOFT, **({"metadata": example.metadata} if example.metadata else {})},
            )

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        write_lines(map(_loft_record, questions), path)


def _graded_answer(answer: str | int | float | Graded) -> Answer:
    """A string, or the id in a pair such as `["doc7", 1]`."""
    if not isinstance(answer, list):
        return Answer(str(answer))
    if len(answer) != 2 or not isinstance(answer[0], str) or isinstance(answer[1], str):
        raise ValueError(f"an answer is neither a string nor a passage with its grade: {answer!r:.80}")
    return Answer(answer[0])


def _loft_record(question: Question) -> dict[str, object]:
    metadata = question.provenance.get("metadata") if question.provenance.get("format") == _LOFT else None
    return {
        "qid": question.id,
        "query_text": question.question,
        "metadata": metadata or {},
        "answers": [answer.label for answer in question.answers],
    }


# QUEST's JSONL: a query with implicit set operations, and the titles of the documents that answer it.
#
# The query itself is the id, as its scorer joins by it; predictions have the same form as the gold. What
# annotators marked in a document becomes the evidence of that answer.

_QUEST = "quest"


class Metadata(msgspec.Struct):
    template: str | None = None
    domain: str | None = None
    attributions: dict[str, list[dict[str, str] | None] | None] | None = None
    relevance_ratings: dict[str, Any] | None = None
    evidence_ratings: dict[str, Any] | None = None
    fluency: list[bool | None] | None = None
    meaning: list[bool | None] | None = None
    naturalness: list[bool | None] | None = None


class QuestRecord(msgspec.Struct):
    query: str
    docs: list[str]
    original_query: str | None = None
    metadata: Metadata | None = None


@FORMATS.register(_QUEST)
class Quest(QuestionFormat):
    """QUEST: queries with implicit set operations, answered by the titles of documents."""

    text_key = "query"

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return source.record.keys() >= QUEST_KEYS

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        return map(_quest_question, source.records(QuestRecord))

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        write_lines(map(_quest_record, questions), path)


def _quest_question(example: QuestRecord) -> Question:
    about = example.metadata or Metadata()
    attributions = about.attributions or {}
    kept = {
        name: value
        for name, value in msgspec.structs.asdict(about).items()
        if value is not None and name not in ("template", "domain")
    }
    return Question(
        id=example.query,
        question=example.query,
        kind=about.template,
        characteristics={} if about.domain is None else {"domain": about.domain},
        answers=[Answer(title, evidence=_evidence(title, attributions.get(title))) for title in example.docs],
        provenance={
            "format": _QUEST,
            **({} if example.original_query is None else {"original_query": example.original_query}),
            **({"metadata": kept} if kept else {}),
        },
    )


def _evidence(title: str, marked: list[dict[str, str] | None] | None) -> list[Evidence]:
    """The parts of a document that annotators marked, each once."""
    texts = dict.fromkeys(text for marks in marked or [] for text in (marks or {}).values() if text)
    return [Evidence(text=text, title=title) for text in texts]


def _quest_record(question: Question) -> dict[str, object]:
    """A question as one line of the published file."""
    kept = question.provenance.get("metadata")
    marked = {
        answer.label: [{piece.fact or "": piece.text} for piece in answer.evidence]
        for answer in question.answers
        if answer.evidence
    }
    return {
        "query": question.question or question.id,
        "docs": [answer.label for answer in question.answers],
        "original_query": question.provenance.get("original_query"),
        "scores": None,
        "metadata": {
            "template": question.kind,
            "domain": question.characteristics.get("domain"),
            **({"attributions": marked} if marked else {}),
            **(kept if isinstance(kept, dict) else {}),
        },
    }
