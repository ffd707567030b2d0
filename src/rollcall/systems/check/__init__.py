"""Checks of answers against further passages. Each registers itself in its own file."""

from rollcall.registry import Registry
from rollcall.systems.interfaces import AnswerCheck

CHECKS: Registry[type[AnswerCheck] | AnswerCheck] = Registry(
    "answer check",
    "checks",
    "rollcall.systems.check",
    lambda thing: (
        None if hasattr(thing, "supports") else "it has no method supports(question, answer, passages)"
    ),
)
