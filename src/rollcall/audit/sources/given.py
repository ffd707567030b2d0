"""What runs give: for each question, the gold answers that systems found and whatever else they gave.

Names are compared as the profile `entity` compares them. An answer that names no gold answer keeps its
name, so that equal answers of several systems meet; where it names an entity that another source found for
the same question, it is that entity.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rollcall.questions.record import Answer, Question
from rollcall.questions.run import EntityAnswer, Run
from rollcall.score.name_keys import name_keys


class RunSize(NamedTuple):
    """How a run stands to the gold: how many gold answers it gave, and how many other ones."""

    right: int
    errors: int
    asked: int
    """The gold answers of the questions that it answered."""


def key_of(answer: Answer) -> str:
    """What identifies an answer among those of a question: the entity, or the name of a value."""
    return answer.id if answer.id is not None else named(answer.label)


def named(name: str) -> str:
    """The key of an answer that is known by its name alone; no entity's id has a tab."""
    return "\t" + name_keys([name])[0].decode(errors="surrogateescape")


class Names:
    """The names of a question's known answers, each leading to the key of its answer."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._keys: dict[bytes, str] = {}
        self._ids: set[str] = set()
        self.add(answers)

    def add(self, answers: Iterable[Answer]) -> None:
        """Know further answers; names that are known already keep their meaning."""
        for answer in answers:
            key = key_of(answer)
            if answer.id is not None:
                self._ids.add(answer.id)
            for name in name_keys([answer.label, *answer.aliases]):
                if name:
                    self._keys.setdefault(name, key)

    def keys(self, answers: Sequence[str | EntityAnswer]) -> dict[str, str]:
        """The keys of given answers, each with the words by which it was given first."""
        texts = [one if isinstance(one, str) else one.label or one.id for one in answers]
        found: dict[str, str] = {}
        for one, text, name in zip(answers, texts, name_keys(texts), strict=True):
            if not name:
                continue
            if isinstance(one, EntityAnswer):
                key = one.id
            elif text in self._ids:
                key = text
            else:
                key = self._keys.get(name) or "\t" + name.decode(errors="surrogateescape")
            found.setdefault(key, text)
        return found


def by_question(runs: Sequence[Run]) -> dict[str, dict[str, Sequence[str | EntityAnswer]]]:
    """For each question, the answers of each run that has it; of two predictions the first counts."""
    found: dict[str, dict[str, Sequence[str | EntityAnswer]]] = {}
    for place, run in enumerate(runs):
        name = run_name(runs, place)
        for prediction in run:
            if prediction.failure is None:
                found.setdefault(prediction.id, {}).setdefault(name, prediction.answers)
    return found


def run_name(runs: Sequence[Run], place: int) -> str:
    """The name of a run among others; one without a name, or with that of another, is numbered."""
    name = runs[place].name or f"run {place + 1}"
    earlier = [one.name or f"run {number + 1}" for number, one in enumerate(runs[:place])]
    return f"{name} ({place + 1})" if name in earlier else name


def sizes(
    questions: Iterable[Question], given: Mapping[str, Mapping[str, Sequence[str | EntityAnswer]]]
) -> dict[str, RunSize]:
    """How each run stands to the gold."""
    counted: dict[str, list[int]] = {}
    for question in questions:
        runs = given.get(question.id)
        if not runs:
            continue
        names = Names(question.answers)
        gold = {key_of(answer) for answer in question.answers}
        for run, answers in runs.items():
            keys = names.keys(answers).keys()
            right = len(gold & keys)
            total = counted.setdefault(run, [0, 0, 0])
            total[0] += right
            total[1] += len(keys) - right
            total[2] += len(gold)
    return {run: RunSize(*numbers) for run, numbers in counted.items()}
