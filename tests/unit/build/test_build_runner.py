"""A build does what must be done, once: what is redone, why, and what a cut-off call leaves."""

import os
from pathlib import Path

import msgspec
import pytest

from rollcall import RollcallError
from rollcall.build import Outcome, Runner, Stage, Work, WorkOptions, fingerprint, runner
from rollcall.build.runner import read


class Kitchen:
    """Three stages that count how often they ran: read a file, double it, add it up."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.source = folder / "numbers.txt"
        self.source.write_text("1 2 3")
        self.ran: list[str] = []
        self.factor = 2
        self.fails = ""
        self.uses_outcomes = False

    def runner(self) -> Runner:
        stages = [
            Stage("read", self.read, inputs={"the numbers": self.source}),
            Stage("double", self.double, needs=("read",), parameters={"by": {"factor": self.factor}}),
            Stage("add", self.add, needs=("double", "read"), uses_outcomes=self.uses_outcomes),
        ]
        return Runner(self.folder / "work", stages, WorkOptions(show_progress=False))

    def run(self, start: str | None = None) -> list[str]:
        """The stages that a call runs."""
        self.ran = []
        self.runner().run(start)
        return self.ran

    def total(self) -> str:
        return (self.folder / "work" / "add" / "total.txt").read_text()

    def read(self, work: Work) -> Outcome:
        # Only even numbers decide what comes after: an odd one more changes nothing there.
        numbers = [int(word) for word in self.source.read_text().split()]
        kept = [number for number in numbers if number % 2 == 0]
        (work.folder / "kept.txt").write_text(" ".join(map(str, kept)))
        return self.done("read", Outcome(len(kept), {"odd": len(numbers) - len(kept)}))

    def double(self, work: Work) -> Outcome:
        numbers = [int(word) for word in (work.before["read"] / "kept.txt").read_text().split()]
        doubled = [number * self.factor for number in numbers]
        (work.folder / "doubled.txt").write_text(" ".join(map(str, doubled)))
        return self.done("double", Outcome(len(doubled)))

    def add(self, work: Work) -> Outcome:
        numbers = (work.before["double"] / "doubled.txt").read_text().split()
        (work.folder / "total.txt").write_text(str(sum(map(int, numbers))))
        assert [outcome.rows for outcome in work.outcomes.values()] == [len(numbers)] * 2 * self.uses_outcomes
        return self.done("add", Outcome(1))

    def done(self, stage: str, outcome: Outcome) -> Outcome:
        self.ran.append(stage)
        if self.fails == stage:
            raise RuntimeError("the cook dropped it")
        return outcome


@pytest.fixture
def kitchen(tmp_path: Path) -> Kitchen:
    return Kitchen(tmp_path)


def test_everything_runs_once(kitchen: Kitchen) -> None:
    assert kitchen.run() == ["read", "double", "add"]
    assert kitchen.total() == "4"
    assert kitchen.run() == []


def test_a_changed_parameter_redoes_its_stage_and_what_follows(kitchen: Kitchen) -> None:
    kitchen.run()
    kitchen.factor = 5
    assert kitchen.run() == ["double", "add"]
    assert kitchen.total() == "10"


def test_a_changed_input_redoes_its_stage_but_no_other_whose_input_came_out_the_same(
    kitchen: Kitchen,
) -> None:
    kitchen.run()
    kitchen.source.write_text("1 2 3 5")
    assert kitchen.run() == ["read"]
    kitchen.source.write_text("1 2 3 6")
    assert kitchen.run() == ["read", "double", "add"]
    assert kitchen.total() == "16"


def test_a_stage_that_uses_outcomes_is_redone_when_only_an_outcome_changes(kitchen: Kitchen) -> None:
    kitchen.uses_outcomes = True
    kitchen.run()
    kitchen.source.write_text("1 2 3 5")
    assert kitchen.run() == ["read", "add"]


def test_from_redoes_a_stage_and_those_after_it(kitchen: Kitchen) -> None:
    kitchen.run()
    assert kitchen.run("double") == ["double", "add"]
    with pytest.raises(RollcallError, match="no such stage; choose one of read, double, add"):
        kitchen.run("dubble")


def test_a_call_that_fails_is_taken_up_where_it_failed(kitchen: Kitchen) -> None:
    kitchen.fails = "double"
    with pytest.raises(RuntimeError):
        kitchen.run()
    kitchen.fails = ""
    assert kitchen.run() == ["double", "add"]
    assert kitchen.total() == "4"


def test_from_is_not_forgotten_by_a_call_that_fails(kitchen: Kitchen) -> None:
    kitchen.run()
    kitchen.fails = "double"
    with pytest.raises(RuntimeError):
        kitchen.run("double")
    kitchen.fails = ""
    assert kitchen.run() == ["double", "add"]


def test_a_stage_that_lost_a_file_is_done_again(kitchen: Kitchen) -> None:
    kitchen.run()
    (kitchen.folder / "work" / "double" / "doubled.txt").unlink()
    assert kitchen.run() == ["double"]
    assert kitchen.total() == "4"


def test_the_plan_says_what_would_run_and_why_and_runs_nothing(kitchen: Kitchen) -> None:
    steps = kitchen.runner().plan()
    assert [(step.stage, step.runs) for step in steps] == [("read", True), ("double", True), ("add", True)]
    assert kitchen.ran == []
    kitchen.run()
    assert [step.why for step in kitchen.runner().plan()] == ["up to date"] * 3
    kitchen.factor = 3
    told = {step.stage: step for step in kitchen.runner().plan()}
    assert not told["read"].runs
    assert told["double"].why == "by.factor is 3, was 2"
    assert told["add"].why == "double runs before it"
    kitchen.factor = 2
    kitchen.source.write_text("2")
    told = {step.stage: step for step in kitchen.runner().plan("add")}
    assert told["read"].why == "the numbers changed"
    assert told["add"].why == "requested by --from"


def test_the_plan_names_the_nearest_stage_that_runs_before(kitchen: Kitchen) -> None:
    """The sum needs both others, and is told to wait for the one that itself waits."""
    kitchen.run()
    kitchen.source.write_text("5")
    assert {step.stage: step.why for step in kitchen.runner().plan()}["add"] == "double runs before it"


def test_what_was_told_is_kept(kitchen: Kitchen) -> None:
    kitchen.run()
    finished = kitchen.runner().run()
    assert [(stage.stage, stage.outcome.rows, stage.done_now) for stage in finished] == [
        ("read", 1, False),
        ("double", 1, False),
        ("add", 1, False),
    ]
    assert finished[0].outcome.removed == {"odd": 2}


def test_stages_that_are_no_more_are_removed(kitchen: Kitchen) -> None:
    kitchen.run()
    Runner(kitchen.folder / "work", kitchen.runner().stages[:2]).run()
    assert not (kitchen.folder / "work" / "add").exists()
    assert read(kitchen.folder / "work" / "double") is not None


def test_two_builds_do_not_share_a_folder(kitchen: Kitchen) -> None:
    import subprocess
    import sys

    work = kitchen.folder / "work"
    work.mkdir()
    program = (
        "import sys\nfrom pathlib import Path\nfrom rollcall._core.locks import sole_writer\n"
        "with sole_writer(Path(sys.argv[1])):\n    print('in', flush=True)\n    sys.stdin.read()\n"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", program, str(work)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert other.stdout is not None
    assert other.stdout.readline().strip() == b"in"
    with pytest.raises(RollcallError, match=f"process {other.pid} .* is writing this"):
        kitchen.run()
    other.communicate()
    assert kitchen.run() == ["read", "double", "add"]


def test_a_folder_is_known_by_all_it_holds(tmp_path: Path) -> None:
    def make(name: str, content: str, more: str = "") -> str:
        folder = tmp_path / name
        (folder / "below").mkdir(parents=True)
        (folder / "below" / "file").write_text(content)
        if more:
            (folder / more).touch()
        return fingerprint.of_input(folder)

    first = make("first", "123")
    assert make("same", "123") == first
    assert make("other", "124") != first
    assert make("more", "123", "further") != first


def test_an_empty_build_names_the_key_behind_each_filter() -> None:
    """By the option that each filter carries, whatever its words are."""
    from rollcall._core.errors import Filter
    from rollcall.build.stage import filtered, no_questions

    removed = {
        Filter("too small, somehow", "min_answers"): 3,
        Filter("of no option"): 2,
        Filter("none"): 0,
    }
    outcome = filtered(0, removed, {"min_answers": "answers.least"})
    kept = msgspec.json.decode(msgspec.json.encode(outcome), type=Outcome)  # as a later call reads it
    said = str(no_questions({"simple": kept}))
    assert "simple removed 3 (too small, somehow: answers.least); simple removed 2 (of no option)." in said


def damage_of(path: Path, content: str) -> None:
    """Change a file, and keep its size and time."""
    before = path.stat()
    assert len(content.encode()) == before.st_size
    path.write_text(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_the_work_of_a_stage_that_was_edited_is_done_again(kitchen: Kitchen) -> None:
    kitchen.run()
    total = kitchen.total()
    damage_of(kitchen.folder / "work" / "add" / "total.txt", "9" * len(total))
    assert [step.why for step in kitchen.runner().plan() if step.runs] == ["its output was edited or damaged"]
    assert kitchen.run() == ["add"]
    assert kitchen.total() == total
    # What stands between two stages, too: it is not taken for the other stage's word.
    damage_of(kitchen.folder / "work" / "read" / "kept.txt", "4")
    assert kitchen.run() == ["read"]
    assert kitchen.total() == total


def test_a_file_put_among_the_work_of_a_stage_is_an_edit(kitchen: Kitchen) -> None:
    kitchen.run()
    added = kitchen.folder / "work" / "double" / "more.parquet"
    added.touch()
    with pytest.raises(RollcallError, match=r"holds more\.parquet, which Rollcall did not write there"):
        kitchen.run()
    added.rename(added.with_name(".DS_Store"))
    assert kitchen.run() == []


def test_a_damaged_record_of_a_stage_is_no_record(kitchen: Kitchen) -> None:
    kitchen.run()
    path = kitchen.folder / "work" / "read" / runner.RECORD
    whole = path.read_text()
    for damaged in (whole.replace('"odd": 2', '"odd": 3'), whole[: len(whole) // 2], "", "[]"):
        assert damaged != whole
        path.write_text(damaged)
        assert kitchen.run() == ["read"]
        assert path.read_text() == whole
