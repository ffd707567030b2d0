"""Writes QAMPARI's published JSONL, so that code made for that set can read any other set.

A published question's id contains its kind and split; ids of Rollcall are extended to that form. QAMPARI's
scorer matches only aliases, so the label is put before them, except for questions read from a file of
QAMPARI.
"""

from rollcall.questions.record import Answer, Question

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
            _answer(answer, f"{id_}__{number}", published) for number, answer in enumerate(question.answers)
        ],
    }


def _answer(answer: Answer, aid: str, published: bool) -> dict[str, object]:
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
