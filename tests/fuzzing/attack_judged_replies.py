"""Replies of judges and responses with tables, broken: figures between 0 and 1, and never an exception.

A judge's reply and a system's response are text that nobody vouches for: cut, doubled, without its marks,
with huge numbers or other brackets.
"""

import random
from typing import Any

from fuzzing.published_samples import GOLD
from fuzzing.target import Target
from rollcall.questions import Prediction, Question
from rollcall.questions.formats.source import rows_source
from rollcall.questions.opening import set_of
from rollcall.score import Resolution, score
from rollcall.score.profiles.deepsearchqa import DeepSearchQaProfile, read_grade
from rollcall.score.profiles.monaco import MonacoProfile, read_several, read_single
from rollcall.score.profiles.widesearch import fenced_object
from rollcall.score.wide import written_alike

GRADE = (
    '```json\n{"Answer Correctness": {"Explanation": "x", "Correctness Details": {"Ann": true, "Bo": false}, '
    '"Excessive Answers": ["Cy"]}}\n```'
)
SINGLE = "extracted_final_answer: 3\nreasoning: near\nfinal precision: 0.75\n"
SEVERAL = "reasoning: x\nfinal answer length: 3\noverlapping answers: Ann###Bo###"
SCORES = '```json\n{"idx_0": 1, "idx_1": 0}\n```'
TABLE = (
    "```markdown\n| Name | Founded | Site |\n|:--|--|--|\n| Ann | 1990 | https://a.example/x |\n"
    "| Bo | | x |\n```"
)
PIECES = [
    "", "|", "||", '"', "\n", "```", "```json", "```markdown", "###", "NULL", "None", "final answer length:",
    "overlapping_answers:", "final_precision:", "nan", "inf", "-1", "1e999", "9" * 400, "{", "}", "[", "]",
    "true", "null", "\x00", "\ud800", "007", "1,000", "50%", "N/A", " | ", "|---|", "https://[", "…",
    "| Ann | 1 | 2 | 3 | 4 |", "[" * 2000,
]  # fmt: skip
CELLS = ["", "N/A", "1", "007", "-0", "3.5", "1e5", "inf", "True", "FALSE", "x", "9" * 30, "1_0", "٣", "nan "]


def draw(chance: random.Random) -> Any:
    return {
        "grade": _broken(chance, GRADE),
        "single": _broken(chance, SINGLE),
        "several": _broken(chance, SEVERAL),
        "scores": _broken(chance, SCORES),
        "response": _broken(chance, TABLE),
        "cells": [[chance.choice(CELLS) for _ in range(chance.randint(0, 4))] for _ in range(2)],
    }


def _broken(chance: random.Random, text: str) -> str:
    for _ in range(chance.choice([0, 1, 1, 2, 4])):
        start = chance.randrange(len(text) + 1)
        end = start + chance.choice([0, 0, 1, 5, 50])
        text = text[:start] + chance.choice(PIECES) + text[end:]
    return text


def check(case: Any) -> None:
    graded = read_grade(case["grade"])
    if graded is not None:
        details, excessive = graded
        assert all(isinstance(hit, bool) for hit in details.values())
        assert all(isinstance(one, str) for one in excessive)
    _sound(MonacoProfile(), read_single(case["single"], ["3"]))
    _sound(MonacoProfile(), read_several(case["several"], ["Ann", "Bo", "Cy"]))
    _sound(DeepSearchQaProfile(), Resolution([], [], [], []))
    assert isinstance(fenced_object(case["scores"]), dict | None)
    report = score(
        _tasks(), [Prediction("1", [case["response"]])], profile="widesearch-match", confidence=None
    )
    for figure in report.figures.values():
        assert figure.value is not None
        assert 0 <= figure.value <= 1
    written = written_alike(*case["cells"])
    assert [len(column) for column in written] == [len(cells) for cells in case["cells"]]


def _sound(profile: MonacoProfile | DeepSearchQaProfile, resolution: Resolution | None) -> None:
    if resolution is not None:
        match = profile.rate(resolution)
        assert 0 <= match.precision <= 1
        assert 0 <= match.recall <= 1
        assert match.found <= match.gold
        assert len(resolution.owners) == len(resolution.predictions)


def _tasks() -> list[Question]:
    return set_of(rows_source(GOLD["widesearch"][1], "tasks")).questions


TARGETS = [Target("judged-replies", draw, check, share=150)]
