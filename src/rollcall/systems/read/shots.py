"""Solved examples for a prompt, drawn from the training split by the hash of their ids.

Long answer lists are cut to ten, as in RoMQA. A question is never its own example.
"""

import hashlib
from collections.abc import Iterable

from rollcall.questions.record import Question
from rollcall.systems.interfaces import Offered
from rollcall.systems.read import prompts

_ANSWERS = 10

Shots = tuple[tuple[str, str], ...]


def drawn(questions: Iterable[Question], count: int, seed: int = 0) -> list[Question]:
    """A given number of training questions."""
    training = [one for one in questions if one.split == "train" and one.answers]
    return sorted(training, key=lambda one: (_hash(seed, one.id), one.id))[:count]


def as_turns(examples: Iterable[Question], but: str = "") -> Shots:
    """Examples as turns of a conversation, without the question with this id."""
    return tuple(
        (prompts.closed_book(one.question), prompts.listed([a.label for a in one.answers[:_ANSWERS]]))
        for one in examples
        if one.id != but
    )


def yes_no_turns(examples: Iterable[Question], but: str = "", seed: int = 0) -> Shots:
    """For each example with candidates, one right and one wrong candidate, in random order."""
    turns = []
    for one in (example for example in examples if example.id != but):
        for is_right in (True, False):
            fitting = [candidate for candidate in one.candidates if candidate.is_answer == is_right]
            if fitting:
                chosen = min(fitting, key=lambda candidate: _hash(seed, f"{one.id}/{candidate.label}"))
                prompt = prompts.is_answer(one.question, Offered(chosen.label), ())
                turns.append((prompt, "Yes" if is_right else "No"))
    return tuple(sorted(turns, key=lambda turn: _hash(seed, turn[0])))


def _hash(seed: int, text: str) -> str:
    return hashlib.md5(f"{seed}/{text}".encode()).hexdigest()
