"""Every command, from the one table of commands: none is forgotten, and what holds for one holds for all.

The same bytes come out for every hash seed and number of processes, after a kill, and beside a second writer;
of old and new output one always stands; and no file is removed that the command did not write.
"""

import fnmatch
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from command_server import Ended, Server
from command_table import COMMANDS, Command, prepare
from rollcall.cli.main import app

WRITING = [row for row in COMMANDS if row.writes]
HEAVY = {"world", "graph", "corpus", "extract", "build"}
"""Commands that take a second or more: in the shorter rounds they are called less often."""
ALWAYS = {"graph", "import", "run", "score"}
"""Commands that the shorter rounds kill and run twice, too: they write a folder, a set, lines and a file."""
DISTURBED = [
    row for row in WRITING if not (row.name == "build" and row.variant in {"qampari", "romqa", "mixed"})
]
"""What is killed and called twice at once: of the recipes one, and an update, since all go the same way (and
`test_build_killed` kills every stage).
"""
WORK = (".partial", ".build")
Snapshot = dict[str, bytes]


def short_and_long(rows: list[Command], also: Callable[[Command], bool] = lambda row: True) -> object:
    """Rows as parameters of a test: those that are slow, or not `also`, are for the longer rounds."""
    marks = [() if also(row) and not row.slow else (pytest.mark.slow,) for row in rows]
    return pytest.mark.parametrize(
        "row", [pytest.param(row, id=str(row), marks=m) for row, m in zip(rows, marks, strict=True)]
    )


def test_every_registered_command_is_in_the_table() -> None:
    assert {row.name for row in COMMANDS} == {command.name for command in app.registered_commands}
    assert len({str(row) for row in COMMANDS}) == len(COMMANDS), "rows can be told apart"


# -- how commands are called -------------------------------------------------------------------------


class Kitchen:
    """Inputs, two servers with other hash seeds, and what each row writes when nothing disturbs it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.inputs = folder / "inputs"
        self.servers = [Server(1), Server(2)]
        self._undisturbed: dict[str, tuple[Snapshot, Ended]] = {}

    def out(self, row: Command) -> Path:
        """The empty output folder of a row; always the same, so that what is printed can be compared."""
        out = self.folder / "out" / str(row)
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        return out

    def run(self, row: Command, out: Path, **moment: int | bool) -> Ended:
        return self.servers[0].run(row.words(self.inputs, out), **moment)  # type: ignore[arg-type]

    def undisturbed(self, row: Command) -> tuple[Snapshot, Ended]:
        if str(row) not in self._undisturbed:
            out = self.out(row)
            ended = self.run(row, out)
            assert ended.code == 0, ended.error
            left = snapshot(out, row.keeps)
            assert {name.partition("/")[0] for name in left} == set(row.writes), "it writes what is told"
            self._undisturbed[str(row)] = left, ended
        return self._undisturbed[str(row)]


@pytest.fixture(scope="session")
def kitchen(small_world: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kitchen]:
    made = Kitchen(tmp_path_factory.mktemp("commands"))
    for name in ("world", "graph", "corpus"):
        shutil.copytree(small_world / name, made.inputs / name)
    prepare(made.inputs)
    yield made
    for server in made.servers:
        server.close()


def snapshot(folder: Path, leave_out: tuple[str, ...] = ()) -> Snapshot:
    """All files below a folder but those of hidden work."""
    return {
        name: path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        for name in [path.relative_to(folder).as_posix()]
        if not any(fnmatch.fnmatch(name, f"{pattern}*") for pattern in leave_out)
    }


def units(row: Command, files: Snapshot) -> dict[str, Snapshot]:
    """What of an output is replaced as a whole: a folder, or where the folder is shared, a file."""
    found: dict[str, Snapshot] = {}
    for name, content in files.items():
        top, _, inside = name.partition("/")
        hidden = any(part in WORK or part.endswith("-lock") for part in Path(inside).parts)
        if top in row.writes and not hidden:
            found.setdefault(name if row.foreign else top, {})[name] = content
    return found


# -- the same bytes ----------------------------------------------------------------------------------


@short_and_long(list(COMMANDS), also=lambda row: row.name in ALWAYS)
def test_a_second_writer_is_told_who_is_at_work_and_another_hash_seed_changes_nothing(
    row: Command, kitchen: Kitchen
) -> None:
    expected, first = kitchen.undisturbed(row)
    locked = [
        number for number, what in enumerate(first.moments, 1) if re.match(r"open .*rollcall-lock$", what)
    ]
    assert locked or not row.writes, "who writes takes a lock"
    for moment in dict.fromkeys([*locked[:1], *locked[-1:]]) or [None]:  # with its first lock, and with all
        out, (one, other) = kitchen.out(row), kitchen.servers
        if moment is None:
            again = other.run(row.words(kitchen.inputs, out))
        else:
            held = other.run(row.words(kitchen.inputs, out), moment=moment + 1, stop=True)
            assert held.code is None
            second = one.run(row.words(kitchen.inputs, out))
            assert second.code == 2
            writer = rf"process {held.pid} \(rollcall {row.name}, since \d.*\) is writing this"
            assert re.search(writer, second.error)
            assert second.error.count("\n") == 1
            again = other.go_on()
        assert again.code == 0, again.error
        assert snapshot(out, row.keeps) == expected
        if not row.timed:
            assert again.out == first.out


def check_quiet(row: Command, kitchen: Kitchen, out: Path) -> Ended:
    """What is done and was done is not told; results and warnings are."""
    ended = kitchen.servers[0].run([*row.words(kitchen.inputs, out), "--quiet"])
    assert ended.code == 0, ended.error
    assert all(line.startswith("warning: ") for line in ended.error.splitlines()), ended.error
    told = kitchen.undisturbed(row)[1].out
    if not row.timed:
        assert set(ended.out.splitlines()) <= set(told.splitlines())
    assert ended.out or row.writes or not told, "a result is printed"
    return ended


@short_and_long([row for row in COMMANDS if not row.writes])
def test_quiet_leaves_results(row: Command, kitchen: Kitchen) -> None:
    check_quiet(row, kitchen, kitchen.out(row))


@short_and_long([row for row in COMMANDS if row.jobs], also=lambda row: False)
def test_more_processes_change_nothing(row: Command, kitchen: Kitchen) -> None:
    out = kitchen.out(row)
    ended = kitchen.servers[1].run(row.words(kitchen.inputs, out, jobs=2))
    assert ended.code == 0, ended.error
    assert snapshot(out, row.keeps) == kitchen.undisturbed(row)[0]


@short_and_long([row for row in DISTURBED if row.name != "demo"], also=lambda row: False)
def test_two_at_once_leave_what_one_leaves(row: Command, kitchen: Kitchen) -> None:
    """The demo, which takes a minute, is called while another one is at work, above."""
    expected, _ = kitchen.undisturbed(row)
    out = kitchen.out(row)
    for server in kitchen.servers:
        server.start(row.words(kitchen.inputs, out))
    both = [server.ended() for server in kitchen.servers]
    assert sorted(ended.code or 0 for ended in both) in ([0, 0], [0, 2]), [one.error for one in both]
    assert all("is writing this" in ended.error for ended in both if ended.code == 2)
    assert snapshot(out, row.keeps) == expected


# -- folder names ------------------------------------------------------------------------------------


HOSTILE_FOLDER = Path("~", "c[d]*?", "id=1")
"""Names that shells, engines and libraries have other meanings for: a home folder, patterns, a partition."""


@short_and_long(list(COMMANDS), also=lambda row: row.name in {*ALWAYS, "corpus"})
def test_a_folder_of_any_name_is_only_a_folder(row: Command, kitchen: Kitchen) -> None:
    hostile = kitchen.folder / HOSTILE_FOLDER
    if not hostile.exists():
        shutil.copytree(kitchen.inputs, hostile / "inputs")
    out = HOSTILE_FOLDER / "out" / str(row)
    (kitchen.folder / out).mkdir(parents=True)
    words = row.words(HOSTILE_FOLDER / "inputs", out)
    ended = kitchen.servers[0].run(words, folder=kitchen.folder)
    assert ended.code == 0, ended.error
    left = snapshot(kitchen.folder / out, row.keeps)
    assert left.keys() == kitchen.undisturbed(row)[0].keys()
    tables = [name for name in left if name.endswith(".parquet")]
    assert all(left[name] == kitchen.undisturbed(row)[0][name] for name in tables)


# -- kills -------------------------------------------------------------------------------------------


def with_older(row: Command, kitchen: Kitchen) -> Path:
    """An output folder with something older in it."""
    out = kitchen.out(row)
    if row.older is not None:
        ended = kitchen.servers[0].run(row.words(kitchen.inputs, out, older=True))
        assert ended.code == 0, ended.error
    elif not row.grows:
        for name in row.writes:
            if "." in name:
                (out / name).touch()
    return out


def check_kills(row: Command, kitchen: Kitchen, most: int) -> None:
    expected, _ = kitchen.undisturbed(row)
    template = kitchen.folder / "older" / str(row)
    shutil.copytree(with_older(row, kitchen), template, dirs_exist_ok=True)
    old, new = units(row, snapshot(template, row.keeps)), units(row, expected)
    assert row.older is None or old != new, "the older output is another one"

    def again() -> Path:
        out = kitchen.out(row)
        shutil.copytree(template, out, dirs_exist_ok=True)
        return out

    moments = check_quiet(row, kitchen, again()).moments
    for moment in decisive(moments, most):
        out = again()
        killed = kitchen.run(row, out, moment=moment)
        assert killed.code == -9, killed
        if not row.grows:
            stands = units(row, snapshot(out, row.keeps))
            for unit in old | new:
                assert stands.get(unit) in (old.get(unit), new.get(unit)), (moments[moment - 1], unit)
        ended = kitchen.run(row, out)
        assert ended.code == 0, (moments[moment - 1], ended.error)
        assert snapshot(out, row.keeps) == expected, moments[moment - 1]
    shutil.rmtree(template)


def decisive(moments: list[str], most: int) -> list[int]:
    """The moments around the last exchange or rename first, then others, evenly spread."""
    turning = [
        number
        for number, what in enumerate(moments, 1)
        if what.startswith(("rollcall._core.folders", "os.rename"))
    ]
    chosen = dict.fromkeys(near for number in reversed(turning) for near in (number + 1, number))
    spread = range(1, len(moments) + 1, max(1, len(moments) // most))
    return [number for number in [*chosen, *spread] if number <= len(moments)][:most]


@pytest.mark.parametrize(
    "row", [row for row in WRITING if row.name in ALWAYS and row.name not in HEAVY], ids=str
)
def test_a_kill_leaves_old_or_new_and_the_next_call_mends_it(row: Command, kitchen: Kitchen) -> None:
    """In the longer rounds every command is killed, at more moments."""
    check_kills(row, kitchen, most=1)


@short_and_long(DISTURBED, also=lambda row: False)
def test_kills_at_many_moments(row: Command, kitchen: Kitchen) -> None:
    check_kills(row, kitchen, most=1 if row.slow else 2 if row.name in HEAVY else 4)


# -- what is not ours --------------------------------------------------------------------------------


@short_and_long([row for row in WRITING if any("." not in name for name in row.writes)])
def test_no_foreign_file_is_removed(row: Command, kitchen: Kitchen) -> None:
    (folder,) = [name for name in row.writes if "." not in name]
    beside = kitchen.undisturbed(row)[0] if row.name not in HEAVY else {}
    for place in ("notes.txt", "deep/er/notes.txt", ".hidden", "README.md", "index/notes.npy"):
        out = kitchen.out(row)
        for name, content in {**beside, f"{folder}/{place}": b"mine"}.items():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_bytes(content)
        before = snapshot(out)
        ended = kitchen.run(row, out)
        assert (out / folder / place).read_bytes() == b"mine"
        if not row.foreign:
            assert ended.code == 2
            assert f"holds {place}" in ended.error
            assert snapshot(out) == before
        else:
            assert ended.code == 0
            break
