"""A small set with evidence, and projects in which made-up people judge it, without database or server."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from rollcall.query import entity
from rollcall.questions import Answer, Evidence, QueryRecord, Question, QuestionSet
from rollcall.studio.records import Collected, Item, JudgmentRecord, PersonRecord, Verdict
from rollcall.studio.tasks import find_task
from rollcall.studio.tasks.task import TaskMaterial

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
Says = Callable[[Item, str], Verdict | None]


def film_set(questions: int = 4, answers: int = 6) -> QuestionSet:
    """Who directed which films, each answer with a sentence."""
    return QuestionSet(
        [
            Question(
                f"q{number}",
                f"Which films did Director {number} direct?",
                kind="simple",
                query=QueryRecord((entity(f"Q{number}") << "P57").text),
                characteristics={"relations": ["P57"], "answers": answers},
                split="test" if number % 2 else "dev",
                answers=[
                    Answer(
                        f"Film {number}-{place}",
                        f"Q{number}{place:03}",
                        [f"The {number}-{place}"],
                        [
                            Evidence(
                                f"Film {number}-{place} was directed by Director {number}.",
                                f"p{number}-{place}",
                                f"Film {number}-{place}",
                            )
                        ],
                    )
                    for place in range(answers)
                ],
            )
            for number in range(1, questions + 1)
        ],
        {"seed": 1},
    )


def judged_project(
    task: str,
    material: TaskMaterial,
    people: Sequence[str],
    says: Says,
    settings: Mapping[str, object] | None = None,
    managers: Mapping[str, Verdict] | None = None,
) -> Collected:
    """A project in which everybody has judged as `says` says; `managers` decide items by key."""
    found = find_task(task)
    chosen = found.fitted(msgspec.convert(dict(settings or {}), found.Settings), material.questions)
    items = found.items(material, chosen)
    judged: list[JudgmentRecord] = []
    waiting = list(items)
    while waiting:
        item = waiting.pop(0)
        mine = _judge(item, people, says, judged, task, chosen.overlap)
        judged += mine
        following = found.follow_up(item, mine, chosen)
        items += following
        waiting += following
    for item in items:
        if managers is not None and item.key in managers:
            judged.append(_judged(item, "boss", managers[item.key], len(judged), task, "manager"))
    of_item = {item.key: [one for one in judged if one.item == item.key] for item in items}
    return Collected(
        project="films",
        task=task,
        settings=msgspec.to_builtins(chosen),
        items=items,
        judged=judged,
        resolutions={item.key: found.resolve(item, of_item[item.key], chosen) for item in items},
        people=[PersonRecord(name=person) for person in people],
        hourly_rate=12.5,
        currency="USD",
    )


def _judge(
    item: Item, people: Sequence[str], says: Says, before: list[JudgmentRecord], task: str, overlap: int
) -> list[JudgmentRecord]:
    found: list[JudgmentRecord] = []
    if item.pool:
        return found
    for person in (one for one in people if one not in item.barred):
        verdict = says(item, person) if len(found) < (item.overlap or overlap) else None
        if verdict is not None:
            found.append(_judged(item, person, verdict, len(before) + len(found), task))
    return found


def _judged(
    item: Item, person: str, verdict: Verdict, place: int, task: str, role: str = "annotator"
) -> JudgmentRecord:
    return JudgmentRecord(
        item=item.key,
        question=item.question,
        person=person,
        choice=verdict.choice,
        values=verdict.values,
        comment=verdict.comment,
        seconds=20.0 + place % 7,
        at=(START + timedelta(seconds=30 * place)).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        injected=item.injected,
        missed=find_task(task).at(item.stage).missed(item, verdict),
        role=role,  # type: ignore[arg-type]
        stage=item.stage,
    )
