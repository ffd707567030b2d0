"""The prompts that ask for a list of answers, for Rollcall's readers and for what harnesses are given.

Answers are requested as a JSON list, so that commas inside names do not split them.
"""

import json
from collections.abc import Sequence

LIST_SYSTEM = (
    "You answer questions that have many answers. Give every answer you can, each by its full name and only "
    'once. Reply with a JSON object and nothing else: {"answers": ["first answer", "second answer"]}. If '
    'there is no answer, reply {"answers": []}.'
)
PASSAGES_SYSTEM = f"{LIST_SYSTEM} Use only what the passages say."


def listed(answers: Sequence[str]) -> str:
    """Answers in the requested form."""
    return json.dumps({"answers": list(answers)}, ensure_ascii=False)


def closed_book(question: str) -> str:
    return f"Question: {question}"


def over_texts(question: str, texts: Sequence[str]) -> str:
    """A question with the texts that should answer it."""
    told = "\n\n".join(f"[{number}] {text}" for number, text in enumerate(texts, 1))
    return f"Passages:\n\n{told}\n\nQuestion: {question}"
