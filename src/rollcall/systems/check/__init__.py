"""Checks of answers against further passages. Each registers itself in its own file."""

from rollcall._core.registry import Registry, lacks_method
from rollcall.systems.interfaces import AnswerCheck

CHECKS: Registry[type[AnswerCheck] | AnswerCheck] = Registry(
    "answer check",
    "checks",
    "rollcall.systems.check",
    lambda check: lacks_method(check, AnswerCheck, "supports", "supports(question, answer, passages)"),
)
