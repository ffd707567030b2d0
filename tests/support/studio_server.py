"""A studio that runs in a thread of the test, for browsers; and one project of every task on a small set."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rollcall import make_corpus, write_graph
from rollcall.questions import AddedAlias, Answer, Prediction, Question, QuestionSet, Run
from rollcall.studio.projects import open_database
from rollcall.studio.serving import bound_socket, make_server
from rollcall.studio.tasks import find_task
from rollcall.studio.verbs import project
from rollcall.studio.web.application import make_application
from rollcall.studio.web.studio import Studio
from studio_lives import life_pages, lives
from studio_project import QUICK


@contextmanager
def running(place: Path, sets: Path | None = None, **more: object) -> Iterator[str]:
    """A server of the studio at a database; gives its address."""
    database = open_database(place)
    bound = bound_socket("127.0.0.1", 0)
    studio = Studio(database, sets=sets, passwords=QUICK, **more)  # type: ignore[arg-type]
    server = make_server(make_application(studio))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)
        database.close()


def project_of(task: str, folder: Path, place: Path, **options: object) -> str:
    """A project of a task on three questions about lives, with whatever the task needs; returns its name."""
    folder.mkdir(exist_ok=True)
    given: dict[str, object] = {"questions": 3, "overlap": 1, **options}
    questions = lives(60)
    if task == "validate":
        given = {"minimum": 1, "injected": 0.2, **given}
    if task == "equivalence":
        questions = expanded()
        given = {"overlap": 1, **options}
    QuestionSet(questions).save(folder / "lives")
    files: dict[str, object] = {}
    needs = find_task(task).needs
    if "corpus" in needs:
        files["corpus"] = life_corpus(folder)
    if "graph" in needs:
        files["graph"] = folder / "graph"
        if not (folder / "graph").exists():
            write_graph(folder / "graph", facts=[("Kessen", "near", "Orim")])
    if "others" in needs:
        QuestionSet(questions).save(folder / "others")
        files["beside"] = [folder / "others"]
    if "runs" in needs:
        answers = [["A. B.", "Nobody"] if task == "equivalence" else ["Zoe", "Yan"] for _ in questions]
        Run(
            [Prediction(one.id, said) for one, said in zip(questions, answers, strict=True)],
            "first",  # type: ignore[arg-type]
        ).save(folder / "first.jsonl")
        files["runs"] = [folder / "first.jsonl"]
    return project(place, folder / "lives", task, name=task, title=f"Lives: {task}", options=given, **files)  # type: ignore[arg-type]


def life_corpus(folder: Path) -> Path:
    """The pages of everybody in the set, as a corpus."""
    source = folder / "pages.jsonl"
    source.write_text("\n".join(json.dumps(page) for page in life_pages(60)), encoding="utf-8")
    write_graph(folder / "graph", facts=[("Kessen", "near", "Orim")])
    make_corpus([source], folder / "corpus", graph=folder / "graph", jobs=1)
    return folder / "corpus"


def expanded() -> QuestionSet:
    """Questions whose answers got other names by an expansion."""
    added = [AddedAlias("A. B.", "Q1", "graph", "exact")]
    return QuestionSet(
        Question(
            f"q{place}",
            f"Who founded company {place}?",
            answers=[Answer("Ana Brell", "Q1", ["A. B."], added=added)],
        )
        for place in range(3)
    )
