"""Work that leads to more work: a qualification test, wordings that others verify, and taking them back."""

from pathlib import Path

import pytest
from sqlalchemy import select

from rollcall import RollcallError
from rollcall.studio.database.engine import Database
from rollcall.studio.database.tables import ItemRow, Member, Project
from rollcall.studio.work import loop
from rollcall.studio.work.assigning import AssignedItem
from rollcall.studio.work.people import BARRED
from rollcall.studio.work.settling import stop
from studio_project import saved_set, small_project

NOW = 1_800_000_000.0
TEXT = "Name every picture that was made under the direction of this very person"


class Team:
    """A project in which people write questions, with steps that the tests take."""

    def __init__(self, folder: Path, **options: object):
        place = folder / "studio.sqlite"
        self.database: Database
        self.project: Project
        self.database, self.project, self.members = small_project(
            place, saved_set(folder / "films"), ["wes", "ann", "ben"], task="write", **options
        )

    def current(self, who: int) -> AssignedItem | None:
        return loop.current(self.database, self.project, self.fresh(who), NOW)

    def say(self, who: int, **fields: str) -> AssignedItem:
        taken = self.current(who)
        assert taken is not None
        form = {name: [value] for name, value in fields.items()}
        loop.judge(self.database, self.project, self.fresh(who), taken.form_key, form, NOW)
        return taken

    def fresh(self, who: int) -> Member:
        with self.database.read() as session:
            return session.get_one(Member, self.members[who].id)

    def items(self, stage: str) -> list[ItemRow]:
        with self.database.read() as session:
            return list(session.scalars(select(ItemRow).where(ItemRow.stage == stage).order_by(ItemRow.id)))


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return Team(tmp_path, qualify=0, verifiers=2)


def test_what_one_writes_two_others_verify_and_nobody_their_own(team: Team) -> None:
    written = team.say(0, choice="written", text=f"{TEXT}, wes?")
    (verify,) = team.items("verify")
    assert verify.after == written.item.key
    with team.database.write() as session:  # nothing but the wording is left
        for item in session.scalars(select(ItemRow).where(ItemRow.stage == "judge")):
            for slot in session.scalars(select(loop.Slot).where(loop.Slot.item_id == item.id)):
                slot.state = "closed" if slot.state == "free" else slot.state
    loop.pass_over(team.database, team.project, team.fresh(0), (team.current(0) or written).form_key, "", NOW)
    assert team.current(0) is None, "the writer is not asked about it"
    for who in (1, 2):
        assert team.say(who, choice="matches").item.key == verify.key
    assert team.items("verify")[0].state == "accepted"


def test_nobody_gets_their_own_wording_by_asking_for_what_they_skipped(team: Team) -> None:
    team.say(0, choice="written", text=f"{TEXT}, wes?")
    while (taken := team.current(0)) is not None:
        loop.pass_over(team.database, team.project, team.fresh(0), taken.form_key, BARRED, NOW)
    loop.show_skipped_again(team.database, team.project, team.fresh(0))
    stages = set()
    while (taken := team.current(0)) is not None:
        stages.add(taken.item.stage)
        loop.pass_over(team.database, team.project, team.fresh(0), taken.form_key, "", NOW)
    assert stages == {"judge"}


def test_a_wording_can_be_taken_back_until_others_work_on_it(team: Team) -> None:
    team.say(0, choice="written", text=f"{TEXT}, wes?")
    loop.take_back(team.database, team.project, team.fresh(0), NOW)
    assert team.items("verify") == []
    again = team.current(0)
    assert again is not None
    assert again.draft["text"] == [f"{TEXT}, wes?"]
    team.say(0, choice="written", text=f"{TEXT}, wes?")
    (verify,) = team.items("verify")
    with team.database.write() as session:
        slot = session.scalars(select(loop.Slot).where(loop.Slot.item_id == verify.id)).first()
        assert slot is not None
        slot.state, slot.person_id = "leased", team.members[1].person_id
    with pytest.raises(RollcallError, match="others already work"):
        loop.take_back(team.database, team.project, team.fresh(0), NOW)


def test_wordings_of_somebody_who_is_stopped_are_withdrawn(team: Team) -> None:
    written = team.say(0, choice="written", text=f"{TEXT}, wes?")
    loop.in_turn(
        team.database,
        team.members[0],
        lambda session, member: stop(session, team.project, member, "hasty", NOW),
    )
    assert team.items("verify") == []
    (item,) = [one for one in team.items("judge") if one.key == written.item.key]
    assert item.state == "open"


@pytest.mark.parametrize("right", [True, False])
def test_who_passes_the_test_may_work_and_who_fails_may_not(tmp_path: Path, right: bool) -> None:
    team = Team(tmp_path, qualify=4, verifiers=2)
    assert team.fresh(0).state == "qualifying"
    for _ in range(4):
        taken = team.current(0)
        assert taken is not None
        assert taken.item.stage == "qualify"
        expected = taken.item.hidden["expected"]
        wrong = next(choice for choice in ("matches", "differs") if choice not in expected)
        team.say(0, choice=expected[0] if right else wrong)
    member = team.fresh(0)
    assert member.state == ("working" if right else "stopped")
    following = team.current(0)
    assert (following is not None and following.item.stage == "judge") == right
    assert team.fresh(1).state == "qualifying", "everybody takes the test alone"
