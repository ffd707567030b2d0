"""What annotators can learn: nothing that tells an injected item, and nothing that others said."""

import re
from pathlib import Path

from sqlalchemy import select

from rollcall.studio.database.tables import ItemRow
from studio_client import Visitor, studio_of
from studio_project import saved_set, small_project


def test_pages_of_injected_and_other_items_differ_in_what_is_shown_alone(tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films", questions=4, answers=6)
    options = {"injected": 0.3, "minimum": 0, "check_rejected": 0}
    database, _, _ = small_project(tmp_path / "studio.sqlite", folder, ["ann"], **options)
    visitor = Visitor(studio_of(database))
    visitor.sign_in("ann")
    with database.read() as session:
        items = session.scalars(select(ItemRow).order_by(ItemRow.place, ItemRow.id)).all()
    assert any(item.injected for item in items)
    shapes = set()
    for item in items:
        shown = visitor.get("/work/films")
        for secret in (item.key, "injected", "expected"):
            assert secret not in shown.text, secret
        shapes.add((item.injected, frozenset(shown.headers) - {"content-length"}, _tags(shown.text)))
        answer = visitor.post("/work/films", {"form_key": shown.form_key, "choice": "stated"})
        assert (answer.status, answer.text, answer.to) == (303, "", "/work/films")
    assert {shape[1:] for shape in shapes if shape[0]} <= {shape[1:] for shape in shapes if not shape[0]}


def _tags(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"<[/\w]+(?: class=\"[^\"]*\")?", text))


def test_the_numbers_of_rows_follow_the_queue_and_tell_nothing(tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films", questions=6, answers=6)
    database, _, _ = small_project(tmp_path / "studio.sqlite", folder, ["ann"], injected=0.3)
    with database.read() as session:
        items = session.scalars(select(ItemRow).order_by(ItemRow.id)).all()
    assert [item.place for item in items] == sorted(item.place for item in items)
    injected = [place for place, item in enumerate(items) if item.injected]
    assert injected != list(range(len(injected)))
    assert injected != list(range(len(items) - len(injected), len(items)))


def test_nobody_sees_what_others_said(tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films", questions=2, answers=6)
    options = {"overlap": 2, "injected": 0, "minimum": 0, "check_rejected": 0}
    database, _, _ = small_project(tmp_path / "studio.sqlite", folder, ["ann", "ben"], **options)
    studio = studio_of(database)
    ann, ben = Visitor(studio), Visitor(studio)
    ann.sign_in("ann")
    ben.sign_in("ben")
    for _ in range(12):
        ann.judge("films", "not-stated", comment="seen-by-ann-alone")
    for _ in range(5):
        ben.judge("films", "stated")
    for path in ("/work/films", "/work/films/record", "/", "/work/films/instructions"):
        text = ben.get(path).text
        assert "seen-by-ann-alone" not in text
        assert "ann<" not in text
        assert "agree with others" not in text, "between reviews this would tell single verdicts"
