"""The screenshots of docs/annotating.md, taken in Chromium from the world of `rollcall demo`.

rollcall demo --out /tmp/demo && python benchmarks/studio_screenshots.py /tmp/demo docs/studio
"""

import random
import sys
import time
from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from _harness import PROJECT, Arguments, Figures, run_benchmark

sys.path.insert(0, str(PROJECT / "tests" / "support"))

from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer
from rollcall.questions.run import Prediction, Run
from rollcall.score import expand
from rollcall.studio.projects import find_project, open_database
from rollcall.studio.verbs import invite, project
from rollcall.studio.work import loop
from studio_browser import after, join, press, sign_in, started, window
from studio_project import join as add_people
from studio_server import running

ENTER = "\ue007"
DESKTOP, PHONE = (1200, 800), (390, 780)
TASKS = {
    "validate": (DESKTOP, "light"),
    "write": (DESKTOP, "light"),
    "verify": (DESKTOP, "dark"),
    "naturalness": (PHONE, "light"),
    "extend": (DESKTOP, "light"),
    "equivalence": (PHONE, "light"),
    "screen": (PHONE, "dark"),
}
SPLIT = {"splits": ["dev"], "seed": 5}


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("demo", type=Path)
    parser.add_argument("out", type=Path)
    return parser


def main(given: Namespace, figures: Figures) -> None:
    given.out.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, started() as browser:
        place = Path(folder) / "studio.sqlite"
        make_projects(given.demo, place, Path(folder))
        with running(place) as address:
            managers(browser, place, address, given.out)
            annotators(browser, place, address, given.out)


def make_projects(demo: Path, place: Path, folder: Path) -> None:
    """One project of each task."""
    files = {"corpus": demo / "corpus", "graph": demo / "graph"}
    runs = sorted((demo / "runs").glob("*.jsonl"))
    questions = QuestionSet.open(demo / "questions")
    other_names(questions).save(folder / "aliases.jsonl")
    expand(without_aliases(questions), demo / "graph", out=folder / "expanded")
    settings: dict[str, dict[str, object]] = {
        "validate": {"questions": 60, "overlap": 2},
        "write": {"questions": 60, "qualify": 0},
        "verify": {"questions": 60},
        "naturalness": {"questions": 60},
        "extend": {"questions": 60},
        "judge-pooled": {"questions": 60},
        "equivalence": {"sample": 50},
        "screen": {"questions": 60},
    }
    for task, options in settings.items():
        expanded = task == "equivalence"
        project(
            place,
            folder / "expanded" if expanded else demo / "questions",
            task,
            name=task,
            title="A fictional world",
            options={**SPLIT, **options},
            runs=[folder / "aliases.jsonl"] if expanded else list(runs) if task == "judge-pooled" else None,
            hourly_rate=12.5,
            currency="USD",
            **files,
        )


def other_names(questions: QuestionSet) -> Run:
    """A system that calls every answer by another of its names."""
    return Run(
        [
            Prediction(one.id, [name for answer in one.answers for name in answer.aliases[:1]])
            for one in questions
        ]
    )


def without_aliases(questions: QuestionSet) -> QuestionSet:
    """The questions with one name for each answer."""
    for question in questions:
        question.answers = [Answer(one.label, evidence=one.evidence) for one in question.answers]
    return questions


def annotators(browser: Any, place: Path, address: str, out: Path) -> None:
    """A screen of each task, some on a phone."""
    for number, task in enumerate(TASKS):
        (link,) = invite(place, task, public_url=address)
        join(browser, link, f"ana{number}")
        _warm_up(browser, f"{address}/work/{task}", task)
        size, scheme = TASKS[task]
        shoot(browser, out / f"{task}.png", size, scheme)


def _warm_up(browser: Any, address: str, task: str) -> None:
    """Judge a little, so that the page has something to tell."""
    window(browser, *DESKTOP)
    browser.get(address)
    for _ in range(9 if task in ("validate", "verify", "screen", "equivalence", "judge-pooled") else 0):
        after(browser, "1")
    if task == "write":
        press(browser, "Where were the people born who")
    if task == "naturalness":
        press(browser, "4")
    if task == "extend":
        asked = browser.find_element("css selector", ".question-text").text
        press(browser, "/")
        after(browser, asked, ENTER)


def managers(browser: Any, place: Path, address: str, out: Path) -> None:
    """The manager's page of a project in which three people work."""
    simulate(place)
    (link,) = invite(place, None, role="owner", public_url=address)
    join(browser, link, "maya")
    sign_in(browser, address, "maya")
    browser.get(f"{address}/manage/validate")
    shoot(browser, out / "manager.png", (1200, 1150))
    browser.get(f"{address}/explore")
    browser.find_element("link text", "questions").click()
    browser.find_element("css selector", "tbody th a").click()
    browser.execute_script("document.querySelector('.answers details').open = true")
    shoot(browser, out / "explorer.png", DESKTOP)


def simulate(place: Path) -> None:
    """Let people judge for some hours, of whom one reads little."""
    database = open_database(place)
    numbers = random.Random(7)
    people = {"bo": 0.97, "cem": 0.95, "dina": 0.98, "erik": 0.3}
    _, members = add_people(database, list(people), name="validate")
    with database.read() as session:
        found = find_project(session, "validate")
    start = time.time() - 5 * 3600
    for member, careful in zip(members, people.values(), strict=True):
        at = start + numbers.uniform(0, 900)
        for _ in range(330):
            given = loop.current(database, found, member, at)
            if given is None:
                break
            seconds = numbers.uniform(15, 55) * (0.3 if careful < 0.5 else 1)
            at += seconds + 2
            reads = numbers.random() < careful
            wrong = given.item.injected if reads else numbers.random() < 0.02
            choice = "not-stated" if wrong or numbers.random() < 0.025 else "stated"
            fields = {"choice": [choice], "seconds": [f"{seconds:.1f}"]}
            loop.judge(database, found, member, given.form_key, fields, at)
    database.close()


def shoot(browser: Any, path: Path, size: tuple[int, int], scheme: str = "light") -> None:
    """Take a picture of what is seen."""
    window(browser, *size, scheme)
    browser.execute_script("scrollTo(0, 0)")
    path.write_bytes(browser.get_screenshot_as_png())
    window(browser, *DESKTOP)


if __name__ == "__main__":
    run_benchmark(arguments(), main)
