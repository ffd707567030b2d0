"""What other tools are given to read: a small set of questions, and a run of it."""

import json
from pathlib import Path

import pytest

import tool_questions
from rollcall.questions import QuestionSet, Run


@pytest.fixture
def asked(tmp_path: Path) -> QuestionSet:
    made = tool_questions.questions()
    made.save(tmp_path / "set")
    return made


@pytest.fixture
def run(asked: QuestionSet, tmp_path: Path) -> Run:
    made = tool_questions.run(asked)
    made.save(tmp_path / "mine.jsonl")
    (tmp_path / "replies.json").write_text(json.dumps(tool_questions.replies(asked, made)))
    return made
