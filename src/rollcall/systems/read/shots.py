"""Solved examples for a prompt, drawn from the training split by the hash of their ids.

Long answer lists are cut to ten, as in RoMQA. In the closed setting, an example is a question with one of its
candidates, and as many examples are right as wrong. A question is never its own example.
"""

import hashlib
from collections.abc import Iterable

from rollcall.questions.record import Question
from rollcall.systems.interfaces import Offered
from rollcall.systems.read import prompts

_ANSWERS = 10

Shots = tuple[tuple[str, str], ...]


def drawn(questions: Iterable[Question], count: int, seed: int = 0, closed: bool = False) -> list[Question]:
    """A given number of training questions, or fewer if there are not as many.

    They have answers; in the closed setting, a right and a wrong candidate.
    """
    training = [
        one
        for one in questions
        if one.split == "train"
        and (len({candidate.is_answer for candidate in one.candidates}) == 2 if closed else one.answers)
    ]
    return sorted(training, key=lambda one: (_hash(seed, one.id), one.id))[:count]


def as_turns(examples: Iterable[Question], but: str = "") -> Shots:
    """Examples as turns of a conversation, without the question with this id."""
    return tuple(
        (prompts.closed_book(one.question), prompts.listed([a.label for a in one.answers[:_ANSWERS]]))
        for one in examples
        if one.id != but
    )


def yes_no_turns(examples: Iterable[Question], but: str = "", seed: int = 0) -> Shots:
    """A right candidate of the first example, a wrong one of the second, and so on, in random order."""
    turns = []
    for place, one in enumerate(examples):
        is_right = place % 2 == 0
        fitting = [candidate for candidate in one.candidates if candidate.is_answer == is_right]
        if fitting and one.id != but:
            chosen = min(fitting, key=lambda candidate: _hash(seed, f"{one.id}/{candidate.label}"))
            prompt = prompts.is_answer(one.question, Offered(chosen.label), ())
            turns.append((prompt, "Yes" if is_right else "No"))
    return tuple(sorted(turns, key=lambda turn: _hash(seed, turn[0])))


def _hash(seed: int, text: str) -> str:
    return hashlib.md5(f"{seed}/{text}".encode()).hexdigest()
