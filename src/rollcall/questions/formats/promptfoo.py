"""A folder for promptfoo: its configuration, the questions as tests, and an assertion that scores replies.

`promptfoo eval -c FOLDER/promptfooconfig.yaml -r PROVIDER` asks any of its providers. The assertion is a
module of two lines that fetches Rollcall's scorer, so that P, R and F1 are those of `rollcall score`; a test
passes if F1 is at least a half. The questions' records lie in a file of their own, because promptfoo takes
braces in variables for templates.
"""

from rollcall.questions.formats import FORMATS, QuestionFormat
from rollcall.questions.formats.prompted import Prompted, prompted
from rollcall.questions.formats.source import ExportedFile, ExportSource, text_file, write_lines

RECORDS = "questions.jsonl"
_CONFIG = """\
description: Questions whose answers are sets
prompts:
- file://prompt.json
providers:
- openai:chat:gpt-4o-mini
defaultTest:
  assert:
  - type: python
    value: file://rollcall_assert.py
tests: file://tests.jsonl
"""
_PROMPT = """\
[
 {"role": "system", "content": "{{system}}"},
 {"role": "user", "content": "{{prompt}}"}
]
"""
_MODULE = '''"""Rollcall's scorer for these tests; needs `pip install rollcall-qa` in promptfoo's Python."""

from pathlib import Path

from rollcall.harness.promptfoo_assert import grading_result


def get_assert(output, context):
    """The scores of one reply."""
    return grading_result(output, context, Path(__file__).parent)
'''


@FORMATS.register("promptfoo")
class Promptfoo(QuestionFormat):
    """A folder for promptfoo, with a scorer of P, R and F1; with --run, its passages are shown."""

    has_card = False
    keeps_neutral = True
    takes = ("run",)

    @classmethod
    def files(cls, material: ExportSource) -> list[ExportedFile]:
        asked = prompted(material, material.questions)
        tests = [_test(question) for question in asked]
        return [
            text_file("promptfooconfig.yaml", _CONFIG),
            text_file("prompt.json", _PROMPT),
            text_file("rollcall_assert.py", _MODULE),
            ExportedFile("tests.jsonl", lambda path: write_lines(tests, path), len(tests)),
            ExportedFile(RECORDS, lambda path: write_lines(material.questions, path), len(tests)),
        ]


def _test(asked: Prompted) -> dict[str, object]:
    variables = {"id": asked.question.id, "system": _literal(asked.system), "prompt": _literal(asked.prompt)}
    return {"description": asked.question.question, "vars": variables, "metadata": asked.groups}


def _literal(text: str) -> str:
    """A text in which promptfoo finds no template."""
    for sign in ("{{", "{%", "{#"):
        text = text.replace(sign, f"{sign[0]} {sign[1]}")
    return text
