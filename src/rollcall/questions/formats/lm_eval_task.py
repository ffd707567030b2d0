"""A task folder for lm-evaluation-harness: `lm_eval run --include_path FOLDER --tasks NAME`.

It has the task's YAML, the documents, and a module of two lines that fetches Rollcall's scorer
(`rollcall.harness.lm_eval_task`), so that P, R and F1 are those of `rollcall score`. The documents lie beside
the module, so the folder may be moved.
"""

import json
import re
from collections.abc import Sequence

from rollcall._core.errors import RollcallError
from rollcall.questions.formats import FORMATS, QuestionFormat
from rollcall.questions.formats.prompted import Prompted, prompted
from rollcall.questions.formats.source import UNSPLIT, ExportedFile, ExportSource, text_file, write_lines
from rollcall.questions.question_set import yaml_word

_MODULE = '''"""Rollcall's scorer for this task; needs `pip install rollcall-qa`."""

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
            text_file("rollcall_scorer.py", _MODULE),
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
