"""A simulated team with known error rates, which works through a real project in a real database.

`SimulatedPerson` says what one person does with an item; `SimulatedTeam` lets people take turns as a server
would, with managers who check and adjudicate. Where the truth is known, as in a generated world, this shows
what a rule finds and how good an export is.
"""

import random
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from rollcall.studio.database.engine import Database
from rollcall.studio.database.tables import Member, Project
from rollcall.studio.projects import find_project
from rollcall.studio.records import Collected, Item
from rollcall.studio.tasks.validate import NOT_STATED, STATED
from rollcall.studio.work.deciding import ADJUDICATE, CHECK, decide, waiting
from rollcall.studio.work.loop import current, judge
from rollcall.studio.work.people import add_member, add_person
from rollcall.studio.work.rows import collected, item_of

# Simulated people: how often each misses a wrong answer, rejects a right one, and how fast they are.
# A tired person starts carefully and ends by clicking; a clicking person says yes to everything; a
# guessing person chooses at random. Each has random numbers of their own, so that adding a person does not
# change the others.

Kind = Literal["careful", "hasty", "clicking", "guessing", "tired"]
CARELESS: tuple[Kind, ...] = ("clicking", "guessing", "tired")


class Habit(NamedTuple):
    """How often a person errs, and how long a judgment takes them."""

    misses: float
    """How often they take a wrong answer for right."""
    rejects: float
    """How often they take a right answer for wrong."""
    seconds: float


HABITS: dict[Kind, Habit] = {
    "careful": Habit(0.03, 0.01, 35.0),
    "hasty": Habit(0.10, 0.03, 20.0),
    "clicking": Habit(1.0, 0.0, 3.0),
    "guessing": Habit(0.5, 0.5, 4.0),
    "tired": Habit(0.03, 0.01, 30.0),
}
TIRED = Habit(0.8, 0.05, 6.0)


class SimulatedPerson:
    """A person who judges by their habit."""

    def __init__(self, name: str, kind: Kind, seed: int, tired_after: int = 100) -> None:
        self.name, self.kind, self.tired_after = name, kind, tired_after
        self.judged = 0
        self._numbers = random.Random(f"{seed}\x1f{name}")

    @property
    def is_careless(self) -> bool:
        """Whether the rule should have found this person by now."""
        return self.kind in CARELESS and (self.kind != "tired" or self.judged > self.tired_after)

    def judges(self, right: bool) -> tuple[bool, float]:
        """What they say of an answer that is right or wrong, and after how many seconds."""
        self.judged += 1
        habit = TIRED if self.kind == "tired" and self.judged > self.tired_after else HABITS[self.kind]
        errs = self._numbers.random() < (habit.rejects if right else habit.misses)
        return right != errs, habit.seconds * self._numbers.lognormvariate(0.0, 0.4)


def team(careful: int, hasty: int, careless: Sequence[Kind], seed: int) -> list[SimulatedPerson]:
    """A team of careful, hasty and careless people."""
    kinds: list[Kind] = [*["careful"] * careful, *["hasty"] * hasty, *careless]  # type: ignore[list-item]
    return [SimulatedPerson(f"{kind}-{number}", kind, seed) for number, kind in enumerate(kinds, 1)]


# Lets simulated people work through a validation, each in turn, through the same calls as the pages
# make. Managers check what the project asks them to and decide what people differ about; they err too,
# rarely. A person who is stopped does not come back, and the others get their work.

Truth = Callable[[Item], bool]
"""Whether the text of an item states its answer."""
START = 1_767_603_600.0
"""Monday, 5 January 2026, nine o'clock, UTC."""


class Workplace(NamedTuple):
    """Where a simulated person works."""

    person: SimulatedPerson
    member: Member


class Managed(NamedTuple):
    """What managers had to do."""

    checked: int
    adjudicated: int


class SimulatedTeam:
    """People and a manager in one project."""

    def __init__(
        self,
        database: Database,
        project: str,
        people: Sequence[SimulatedPerson],
        truth: Truth,
        *,
        manager_errs: float = 0.01,
        seed: int = 0,
    ) -> None:
        self._database, self._truth, self._manager_errs = database, truth, manager_errs
        self._numbers = random.Random(seed)
        self._at = START
        with database.write() as session:
            self._project: Project = find_project(session, project)
            self._workplaces = [
                Workplace(
                    person,
                    add_member(session, self._project, add_person(session, person.name, None, START), START),
                )
                for person in people
            ]
            self._manager = add_person(session, "manager", None, START).id

    def work(self) -> Managed:
        """Judge, check and adjudicate until nothing is left."""
        checked = adjudicated = 0
        while True:
            judged = self._judge_all()
            done = self._decide_all(CHECK)
            settled = self._decide_all(ADJUDICATE)
            checked, adjudicated = checked + done, adjudicated + settled
            if not judged + done + settled:
                return Managed(checked, adjudicated)

    def collected(self) -> Collected:
        """All that the project has."""
        with self._database.read() as session:
            return collected(session, find_project(session, self._project.name))

    def _judge_all(self) -> int:
        count, active = 0, list(self._workplaces)
        while active:
            self._numbers.shuffle(active)
            active = [workplace for workplace in active if self._judge_one(workplace)]
            count += len(active)
        return count

    def _judge_one(self, workplace: Workplace) -> bool:
        """Let a person judge one item; False if there is none for them."""
        assigned = current(self._database, self._project, self._fresh(workplace.member), self._at)
        if assigned is None:
            return False
        stated, seconds = workplace.person.judges(self._truth(item_of(assigned.item)))
        self._at += seconds / len(self._workplaces)
        fields = {"choice": [STATED if stated else NOT_STATED], "seconds": [f"{seconds:.1f}"]}
        judge(self._database, self._project, workplace.member, assigned.form_key, fields, self._at + seconds)
        return True

    def _fresh(self, member: Member) -> Member:
        """The member as the database has them: they may have been stopped."""
        with self._database.read() as session:
            return session.get_one(Member, member.id)

    def _decide_all(self, kind: str) -> int:
        count = 0
        while True:
            with self._database.write() as session:
                project = find_project(session, self._project.name)
                item, _ = waiting(session, project, kind)
                if item is None:
                    return count
                right = self._truth(item_of(item)) != (self._numbers.random() < self._manager_errs)
                fields = {"choice": [STATED if right else NOT_STATED]}
                decide(session, project, kind, item.key, self._manager, fields, self._at)
            count += 1
