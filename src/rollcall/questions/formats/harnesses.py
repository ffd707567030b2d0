"""Questions as prompts, for harnesses that ask a model, and as samples for ragas.

The prompts are those of the reader `llm`. With a run, its retrieved passages are shown with each question.
The whole record goes with the prompt, so that a harness's scorer can match as `rollcall score` does.

- `prompted`: the prompts of some questions, for inspect_ai, too.
- `Promptfoo`, `LmEvalTask`: the folders that two of the harnesses need.
- `Ragas`: samples with the gold answers and the passages that prove them.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.llm.prompts import LIST_SYSTEM, PASSAGES_SYSTEM, closed_book, listed, over_texts
from rollcall.questions.formats import FORMATS, QuestionFormat
from rollcall.questions.formats.source import (
    UNSPLIT,
    ExportedFile,
    ExportSource,
    split_files,
    text_file,
    write_lines,
)
from rollcall.questions.judgment import evidence_passages, relevant_passages
from rollcall.questions.question_set import yaml_word
from rollcall.questions.record import Question
from rollcall.questions.run import Prediction, answer_text

SHOWN_PASSAGES = 15
"""The most passages that are shown with a question, as by the reader `llm`."""
NO_KIND = "other"
"""The group of questions without a kind, for harnesses that report by kind."""


class Prompted(NamedTuple):
    """A question with the prompt for a model."""

    question: Question
    system: str
    prompt: str

    @property
    def target(self) -> str:
        """The gold answers in the form that is asked for."""
        return listed([answer.label for answer in self.question.answers])

    @property
    def record(self) -> str:
        """The whole question as JSON."""
        return msgspec.json.encode(self.question).decode()

    @property
    def groups(self) -> dict[str, str]:
        """The group for figures by kind, and the cluster for standard errors."""
        question = self.question
        return {
            "kind": question.kind or NO_KIND,
            "cluster": question.cluster or question.id,
            "split": question.split or "",
        }


def prompted(material: ExportSource, questions: Sequence[Question]) -> list[Prompted]:
    """The prompts of some questions of an export."""
    if material.run is None:
        return [Prompted(question, LIST_SYSTEM, closed_book(question.question)) for question in questions]
    retrieved = {prediction.id: prediction.retrieved for prediction in material.run}
    if not any(retrieved.values()):
        raise RollcallError(
            "--run: its retrieved passages are shown with the questions, and it has none; "
            "`rollcall retrieve` makes such a run"
        )
    prompts = []
    for question in questions:
        texts = [
            f"{passage.title}: {passage.text}" if passage.title else passage.text
            for passage in retrieved.get(question.id, [])[:SHOWN_PASSAGES]
            if passage.text
        ]
        prompt = over_texts(question.question, texts) if texts else closed_book(question.question)
        prompts.append(Prompted(question, PASSAGES_SYSTEM if texts else LIST_SYSTEM, prompt))
    return prompts


# A folder for promptfoo: its configuration, the questions as tests, and an assertion that scores replies.
# `promptfoo eval -c FOLDER/promptfooconfig.yaml -r PROVIDER` asks any of its providers. The assertion is a
# module of two lines that fetches Rollcall's scorer; a test passes if F1 is at least a half. The questions'
# records lie in a file of their own, because promptfoo takes braces in variables for templates.


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
_ASSERTION = '''\
"""Rollcall's scorer for these tests; needs `pip install rollcall-qa` in promptfoo's Python."""

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
            text_file("rollcall_assert.py", _ASSERTION),
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


# A task folder for lm-evaluation-harness: `lm_eval run --include_path FOLDER --tasks NAME`. It has the
# task's YAML, the documents, and a module of two lines that fetches Rollcall's scorer
# (`rollcall.harness.lm_eval_task`), so that P, R and F1 are those of `rollcall score`. The documents lie
# beside the module, so the folder may be moved.


_SCORER = '''"""Rollcall's scorer for this task; needs `pip install rollcall-qa`."""

from pathlib import Path

from rollcall.harness.lm_eval_task import documents, process_results  # noqa: F401


def load(**_):
    """The documents that lie beside this file, by split."""
    return documents(Path(__file__).parent)
'''
_MEASURES = ("P", "R", "F1")


@FORMATS.register("lm-eval")
class LmEvalTask(QuestionFormat):
    """A task folder for lm-evaluation-harness; with --run, its passages are shown with the questions."""

    has_card = False
    keeps_neutral = True
    takes = ("run",)

    @classmethod
    def files(cls, material: ExportSource) -> list[ExportedFile]:
        asked = {split: prompted(material, members) for split, members in material.splits.items()}
        name = task_name(material.name)
        return [
            text_file(f"{name}.yaml", "\n".join(_yaml(name, material, asked)) + "\n"),
            text_file("rollcall_scorer.py", _SCORER),
            *(_documents(material.split_names[split], members) for split, members in asked.items()),
        ]


def task_name(name: str) -> str:
    """The name of a task, of letters, digits and underscores."""
    return f"rollcall_{re.sub(r'[^0-9a-z]+', '_', name.lower()).strip('_') or 'questions'}"


def _documents(split: str, members: Sequence[Prompted]) -> ExportedFile:
    rows = [
        {
            "id": member.question.id,
            "prompt": member.prompt,
            "target": member.target,
            **member.groups,
            "record": member.record,
        }
        for member in members
    ]
    return ExportedFile(f"documents/{split}.jsonl", lambda path: write_lines(rows, path), len(rows))


def _yaml(name: str, material: ExportSource, asked: dict[str, list[Prompted]]) -> list[str]:
    names = material.split_names
    held = next((split for split in ("test", UNSPLIT, "dev", "validation") if split in names), None)
    if held is None:
        held = next((split for split in names if split != "train"), "train")
    systems = {member.system for members in asked.values() for member in members}
    if not systems:
        raise RollcallError("there are no questions, so there is no task")
    lines = [
        f"task: {name}",
        "custom_dataset: !function rollcall_scorer.load",
        f"test_split: {yaml_word(names[held])}",
    ]
    if "train" in names and held != "train":
        lines += ["training_split: train", "fewshot_split: train"]
    lines += [
        "output_type: generate_until",
        f"description: {json.dumps(max(systems, key=len) + chr(10) * 2)}",
        'doc_to_text: "{{prompt}}"',
        'doc_to_target: "{{target}}"',
        "process_results: !function rollcall_scorer.process_results",
        "generation_kwargs:",
        "  until:",
        '  - "\\nQuestion:"',
        "  do_sample: false",
        "  temperature: 0.0",
        "  max_gen_toks: 1024",
        "metric_list:",
    ]
    for measure in _MEASURES:
        lines += [f"- metric: {measure}", "  aggregation: mean", "  higher_is_better: true"]
    return [*lines, "metadata:", "  version: 1.0"]


# ragas's samples: the question, the gold answers as its reference, and the passages that prove them.
#
# With a run, each sample has the run's answers and retrieved passages, so that ragas can evaluate them. ragas
# knows one reference text, not sets: for P, R and F1 use `rollcall score`.

_BETWEEN = "; "


@FORMATS.register("ragas")
class Ragas(QuestionFormat):
    """Samples of a ragas EvaluationDataset; with --run, its answers and passages are to be evaluated."""

    has_card = False
    takes = ("run",)

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        write_lines([_sample(question, None) for question in questions], path)

    @classmethod
    def files(cls, material: ExportSource) -> list[ExportedFile]:
        predictions = {prediction.id: prediction for prediction in material.run or ()}

        def write(members: Sequence[Question], path: Path) -> None:
            samples = [
                _sample(
                    question,
                    None if material.run is None else predictions.get(question.id, Prediction(question.id)),
                )
                for question in members
            ]
            write_lines(samples, path)

        return split_files(material, cls.ending, write)


def _sample(question: Question, prediction: Prediction | None) -> dict[str, object]:
    passages = evidence_passages([question])
    known = [id_ for id_ in relevant_passages(question) if id_ in passages]
    sample: dict[str, object] = {
        "user_input": question.question,
        "reference": _BETWEEN.join(answer.label for answer in question.answers),
        "reference_contexts": [passages[id_][1] for id_ in known],
        "reference_context_ids": known,
    }
    if prediction is not None:
        sample["response"] = _BETWEEN.join(map(answer_text, prediction.answers))
        sample["retrieved_contexts"] = [passage.text for passage in prediction.retrieved]
        sample["retrieved_context_ids"] = [passage.id for passage in prediction.retrieved]
    return sample
