"""The prompts for language models: the questions, and the form of the answers.

Answers are requested as a JSON list, so that commas inside names do not split them.
"""

import json
from collections.abc import Sequence

from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Offered

LIST_SYSTEM = (
    "You answer questions that have many answers. Give every answer you can, each by its full name and only "
    'once. Reply with a JSON object and nothing else: {"answers": ["first answer", "second answer"]}. If '
    'there is no answer, reply {"answers": []}.'
)
PASSAGES_SYSTEM = f"{LIST_SYSTEM} Use only what the passages say."
YES_NO_SYSTEM = "You judge whether something answers a question. Reply with one word: Yes or No."
REMINDER = 'Reply with a JSON object only, like {"answers": ["first answer", "second answer"]}.'


def listed(answers: Sequence[str]) -> str:
    """Answers in the requested form."""
    return json.dumps({"answers": list(answers)}, ensure_ascii=False)


def closed_book(question: str) -> str:
    return f"Question: {question}"


def over_passages(question: str, passages: Sequence[Passage]) -> str:
    told = "\n\n".join(f"[{number}] {shown(passage)}" for number, passage in enumerate(passages, 1))
    return f"Passages:\n\n{told}\n\nQuestion: {question}"


def is_answer(question: str, candidate: Offered, passages: Sequence[Passage]) -> str:
    """The question whether a candidate is an answer, with passages if there are any."""
    asked = f"Question: {question}\nProposed answer: {candidate.label}\nIs the proposed answer right?"
    told = "\n\n".join(shown(passage) for passage in passages)
    return f"Passages:\n\n{told}\n\n{asked}" if told else asked


def shown(passage: Passage) -> str:
    return f"{passage.title}: {passage.text}" if passage.title else passage.text
