"""What annotators can learn: nothing that tells an injected or a gold item, and nothing that others said."""

import re
from itertools import count, pairwise
from pathlib import Path

from sqlalchemy import select

from rollcall.studio.database.tables import ItemRow, Slot
from studio_client import Visitor, studio_of
from studio_project import join, saved_set, small_project


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


def test_gold_looks_like_all_other_items_and_moves_no_count(tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films", questions=6, answers=6)
    options = {"injected": 0.2, "minimum": 0, "check_rejected": 0, "gold": 0.3}
    database, _, _ = small_project(tmp_path / "studio.sqlite", folder, ["ann", "ben", "cid"], **options)
    join(database, ["vera"], "manager")
    clock = count(0, 20)  # counts are made anew every ten seconds
    studio = studio_of(database, clock=lambda: float(next(clock)))
    ann, ben, manager = (Visitor(studio) for _ in range(3))
    for visitor, name in ((ann, "ann"), (ben, "ben"), (manager, "vera")):
        visitor.sign_in(name)
    with database.read() as session:
        plain = select(ItemRow.key).where(ItemRow.injected.is_(False)).order_by(ItemRow.place)
        judged, ahead = session.scalars(plain).all()[:6], session.scalars(plain).all()[-3:]
    for _ in range(9):
        ann.judge("films", "stated")
    for key in (*judged, *ahead):
        manager.get(f"/manage/films/items/{key}")
        sent = manager.post(f"/manage/films/items/{key}/gold", {"choice": "not-stated", "gold": "yes"})
        assert sent.status == 303
    shapes, counts, gold = set(), [], 0
    while (shown := ben.get("/work/films")).form_key:
        with database.read() as session:
            slot = session.scalars(select(Slot).where(Slot.form_key == shown.form_key)).one()
            item = session.get_one(ItemRow, slot.item_id)
            before = session.scalars(select(Slot).where(Slot.state == "judged").order_by(Slot.id)).all()
        for secret in (item.key, "injected", "expected", "gold", "vera"):
            assert secret not in shown.text.lower(), secret
        gold += item.gold
        shapes.add((item.gold, frozenset(shown.headers) - {"content-length"}, _tags(shown.text)))
        counts.append((len(before), *re.findall(r"([\d,]+) of ([\d,]+)</span>", shown.text)[0]))
        answer = ben.post("/work/films", {"form_key": shown.form_key, "choice": "stated"})
        assert (answer.status, answer.text, answer.to) == (303, "", "/work/films")
    assert gold >= 5
    assert {shape[1:] for shape in shapes if shape[0]} <= {shape[1:] for shape in shapes if not shape[0]}
    assert [str(judged_now) for judged_now, _, _ in counts] == [done for _, done, _ in counts]
    assert len({total for _, _, total in counts}) == 1, "nothing is added when gold is shown"
    for path in ("/work/films/record", "/", "/work/films/instructions"):
        assert "gold" not in ben.get(path).text.lower(), path


def test_gold_never_stands_between_answers_of_one_question(tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films", questions=6, answers=6)
    database, _, _ = small_project(
        tmp_path / "studio.sqlite", folder, ["ann", "ben"], injected=0, minimum=0, gold=0.3
    )
    join(database, ["max"], "manager")
    ann, manager = Visitor(studio_of(database)), Visitor(studio_of(database))
    ann.sign_in("ann")
    manager.sign_in("max")
    with database.read() as session:
        keys = session.scalars(select(ItemRow.key).order_by(ItemRow.place).limit(6)).all()
    for key in keys:
        ann.judge("films", "stated")
        manager.get("/account")
        manager.post(f"/manage/films/items/{key}/gold", {"choice": "stated", "gold": "yes"})
    with database.read() as session:
        queue = session.execute(
            select(ItemRow.question, ItemRow.gold)
            .join(Slot, Slot.item_id == ItemRow.id)
            .where(Slot.state == "free")
            .order_by(Slot.place, Slot.id)
        ).all()
    assert sum(gold for _, gold in queue) >= 5
    plain = [(place, question) for place, (question, gold) in enumerate(queue) if not gold]
    for (place, question), (later, following) in pairwise(plain):
        assert later == place + 1 or question != following


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
