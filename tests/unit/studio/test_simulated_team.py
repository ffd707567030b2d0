"""A simulated team in a real database: the careless one is stopped, and the export is right."""

from pathlib import Path

import pytest

from studio_records import film_set

pytest.importorskip("sqlalchemy", reason="the studio's libraries are not installed")

from rollcall.questions import QuestionSet
from rollcall.studio.export.version import ExportOptions, judgments_of_set, new_version
from rollcall.studio.projects import NewProject, make_project, materials_at, open_database
from rollcall.studio.records import Item
from simulated_team import SimulatedPerson, SimulatedTeam

WRONG = ("Film 1-0", "Film 5-2", "Film 9-4")


def truth(item: Item) -> bool:
    return not item.injected and item.shown["answer"] not in WRONG


def test_the_careless_one_is_stopped_and_the_export_is_right(tmp_path: Path) -> None:
    film_set(10).save(tmp_path / "set")
    database = open_database(tmp_path / "team.sqlite")
    options = {"overlap": 1, "injected": 0.5, "seed": 2}
    materials = materials_at(tmp_path / "set", None, None, None, None)
    project = make_project(
        database, NewProject(task="validate", materials=materials, options=options, name="films")
    )
    people = [SimulatedPerson("anna", "careful", 1), SimulatedPerson("carl", "clicking", 1)]
    team = SimulatedTeam(database, project, people, truth, manager_errs=0.0, seed=3)
    managed = team.work()
    collected = team.collected()
    database.close()
    states = {person.name: person.state for person in collected.people}
    assert states["carl"] == "stopped"
    assert states["anna"] == "working"
    assert managed.checked >= len(WRONG)
    assert all(one.state != "open" for one in collected.resolutions.values())
    assert any(one.person == "carl" and not one.counted for one in collected.judged)
    exported = new_version(
        QuestionSet.open(tmp_path / "set"), collected, ExportOptions(undecided="leave-out")
    )
    left = {answer.label for question in exported.questions for answer in question.answers}
    assert left.isdisjoint(WRONG)
    assert len(left) >= 10 * 6 - len(WRONG) - 2
    assert len(judgments_of_set(exported.questions, "films")) == len(collected.judged)
