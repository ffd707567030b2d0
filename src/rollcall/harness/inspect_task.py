"""inspect_ai's task `rollcall/questions` and scorer `rollcall/set_scorer`, found by its entry points.

    pip install 'rollcall-qa[harness]'
    inspect eval rollcall/questions -T questions=SET -T split=test --model openai/gpt-4o-mini

Figures come by kind too, and standard errors by cluster: questions of one cluster are not independent.
"""

import math
import site
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, grouped, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate

from rollcall.harness import ReplyScorer
from rollcall.questions.formats.harness_logs import RECORD, sample
from rollcall.questions.formats.harnesses import prompted
from rollcall.questions.formats.source import ExportSource
from rollcall.questions.opening import read_questions, read_run

ANSWERS = "answers"
"""The key of the answers that were read from the reply, in a score's metadata."""


def _registered(name: str) -> str:
    """A name as it must be given, so that inspect_ai registers it with the package's name before it.

    inspect_ai adds that itself, but not for an editable install of a package whose distribution has another
    name.
    """
    site_folders = [*site.getsitepackages(), site.getusersitepackages()]
    return (
        name if any(Path(__file__).is_relative_to(folder) for folder in site_folders) else f"rollcall/{name}"
    )


@task(name=_registered("questions"))
def questions(
    questions: str,
    split: str | None = None,
    run: str | None = None,
    profile: str = "entity",
    measures: str = "P,R,F1",
) -> Task:
    """Questions whose answers are sets, scored by P, R and F1.

    `questions` is a question set or any file of questions that Rollcall reads; `run` is a run whose retrieved
    passages are shown.
    """
    chosen = read_questions(questions).of_splits(split)
    material = ExportSource(chosen.questions, run=None if run is None else read_run(run))
    samples = [Sample(**sample(prompt)) for prompt in prompted(material, material.questions)]
    return Task(
        dataset=MemoryDataset(samples, name=Path(questions).stem),
        solver=generate(),
        scorer=set_scorer(profile, measures),
    )


@scorer(
    name=_registered("set_scorer"),
    metrics={"*": [mean(), stderr(cluster="cluster"), grouped(mean(), "kind", all=False)]},
)
def set_scorer(profile: str = "entity", measures: str = "P,R,F1") -> Scorer:
    """Match the list of answers in a reply with the gold answers, by a profile of Rollcall."""
    replies = ReplyScorer(profile, measures)

    async def score(state: TaskState, target: Target) -> Score:
        answers = replies.answers(state.output.completion)
        values = replies.values(str(state.metadata[RECORD]), answers)
        return Score(
            value={str(measure): math.nan if value is None else value for measure, value in values.items()},
            answer="; ".join(answers),
            metadata={ANSWERS: answers},
        )

    return score
