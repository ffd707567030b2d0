"""Which passages prove the answers of a question: what retrieval is measured by, here and in other tools.

A passage is relevant if it proves an answer. Each answer is a subtopic of its question, as TREC's diversity
tracks have them: a retriever should find a passage for each. Evidence without the id of a passage gets an id
from its text, so that it is not lost.
"""

import hashlib
from collections.abc import Iterable, Sequence

from rollcall.questions.record import Answer, Evidence, Question


def passage_id(evidence: Evidence) -> str | None:
    """The id of the passage of a piece of evidence; None if it has neither an id nor text."""
    if evidence.passage:
        return evidence.passage
    if not evidence.text:
        return None
    return f"text-{hashlib.sha256(evidence.text.encode()).hexdigest()[:16]}"


def proving(answers: Iterable[Answer]) -> list[str]:
    """The ids of the passages that prove any of these answers, in order and each once."""
    ids = (passage_id(piece) for answer in answers for piece in answer.evidence)
    return list(dict.fromkeys(id_ for id_ in ids if id_ is not None))


def relevant_passages(question: Question) -> list[str]:
    """The ids of the passages that prove an answer of a question."""
    return proving(question.answers)


def by_answer(question: Question) -> list[list[str]]:
    """For each answer that has evidence, the ids of the passages that prove it."""
    return [found for answer in question.answers if (found := proving([answer]))]


def evidence_passages(questions: Sequence[Question]) -> dict[str, tuple[str, str]]:
    """The title and text of every passage that is known from evidence alone: its proving sentences, in order.

    This is not the whole passage; a corpus has that.
    """
    pieces: dict[str, dict[tuple[int, str], str]] = {}
    titles: dict[str, str] = {}
    for question in questions:
        for answer in question.answers:
            for piece in answer.evidence:
                id_ = passage_id(piece)
                if id_ is not None and piece.text:
                    pieces.setdefault(id_, {})[piece.start or 0, piece.text] = piece.text
                    titles.setdefault(id_, piece.title or "")
    return {
        id_: (titles[id_], " ".join(dict.fromkeys(dict(sorted(pieces[id_].items())).values())))
        for id_ in pieces
    }
