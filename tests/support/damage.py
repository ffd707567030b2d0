"""Damage to files that commands read: what must hold of every command in the table, whatever happened.

A command either does exactly what it does with whole inputs, or it refuses in one line that names the damaged
file. Two things may be edited by hand and are only warned of: a question set, and a run.
"""

import atexit
import contextlib
import io
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from command_table import COMMANDS, Command, prepare
from rollcall import RollcallError
from rollcall.cli.main import main
from rollcall.graph import Graph
from rollcall.query import Query

KINDS = ("flip", "cut", "empty", "delete", "grow", "zero")
ROWS = {str(row): row for row in COMMANDS}
UNCERTAIN = ("index",)
"""Outputs whose bytes are not fixed: the names of an inverted index's files are drawn at random."""


class Result(NamedTuple):
    """What came of a command."""

    code: int
    out: str
    err: str
    files: dict[str, bytes]


@dataclass(frozen=True)
class Damage:
    """What happens to a file; `place` is where in it, from 0 to 1."""

    kind: str
    place: float
    bit: int = 0

    def applied(self, content: bytes) -> bytes | None:
        """The content afterwards; nothing where the file is gone."""
        at = int(self.place * len(content))
        match self.kind:
            case "delete":
                return None
            case "empty":
                return b""
            case "cut":
                return content[:at]
            case "grow":
                return content + content[at : at + 16] + b"\0"
            case "zero":
                return content[:at] + bytes(len(content[at : at + 512])) + content[at + 512 :]
        if not content:
            return b"\1"
        changed = bytearray(content)
        changed[at] ^= 1 << self.bit
        return bytes(changed)


def files_in(folder: Path) -> list[str]:
    """The files below a folder, or the file itself, by their path from its parent."""
    if folder.is_file():
        return [folder.name]
    return sorted(path.relative_to(folder.parent).as_posix() for path in folder.rglob("*") if path.is_file())


@contextmanager
def damaged(path: Path, damage: Damage) -> Iterator[None]:
    """Put a damaged file in the place of a whole one, which is not touched: it may be mapped into memory."""
    aside = Path(tempfile.mkdtemp(prefix="rollcall-aside-")) / "whole"
    content = path.read_bytes()
    shutil.move(path, aside)
    try:
        after = damage.applied(content)
        if after is not None:
            path.write_bytes(after)
        yield
    finally:
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(aside, path)
        aside.parent.rmdir()


def _kept_folder() -> Path:
    """A folder for as long as this process lives."""
    folder = Path(tempfile.mkdtemp(prefix="rollcall-damage-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def inputs() -> Path:
    """The inputs of all commands, made once for this process."""
    from rollcall.corpus import make_corpus
    from rollcall.graph import make_graph
    from rollcall.world import write_world

    folder = _kept_folder()
    write_world(folder / "world", entities=500, seed=1, jobs=1)
    make_graph([folder / "world" / "wikidata.json.gz"], folder / "graph", jobs=1)
    make_corpus([folder / "world" / "pages.xml.bz2"], folder / "corpus", graph=folder / "graph", jobs=1)
    prepare(folder)
    return folder


def call(row: Command, given: Path, out: Path) -> Result:
    """Run a command in this process."""
    told, said = io.StringIO(), io.StringIO()
    code = 0
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(said), warnings.catch_warnings():
        try:
            main(row.words(given, out))
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
    names = [name for name in row.writes if name not in UNCERTAIN]
    files = {
        path: (out / path).read_bytes()
        for name in names
        if (out / name).exists()
        for path in files_in(out / name)
    }
    # Where something was written is not what was written.
    return Result(code, told.getvalue().replace(str(out), "OUT"), said.getvalue(), files)


@cache
def undamaged(name: str) -> Result:
    """What a command does with whole inputs."""
    out = Path(tempfile.mkdtemp(prefix="rollcall-out-"))
    try:
        result = call(ROWS[name], inputs(), out)
        assert result.code == 0, result.err
        return result
    finally:
        shutil.rmtree(out)


def same(one: Result, other: Result) -> bool:
    return (one.code, one.out, one.files) == (other.code, other.out, other.files)


def check_input(name: str, file: str, damage: Damage) -> None:
    """Hold a command with one damaged input against the same command with whole ones."""
    if (inputs() / file).is_file():
        judge(called(name, file, damage), undamaged(name), file)


def called(name: str, file: str, damage: Damage) -> Result:
    """What a command does where one input is damaged."""
    out = Path(tempfile.mkdtemp(prefix="rollcall-out-"))
    try:
        with damaged(inputs() / file, damage):
            return call(ROWS[name], inputs(), out)
    finally:
        shutil.rmtree(out)


def judge(found: Result, whole: Result, file: str) -> None:
    """A command may do with a damaged file what it ever does, refuse it in one line, or warn of an edit."""
    if same(found, whole):
        return
    lines = found.err.strip().splitlines()
    told = " ".join(lines)
    if found.code == 2:
        refusal = [line for line in lines if line.startswith("rollcall: ")]
        assert len(refusal) == 1, found.err
        assert Path(file).name in told or Path(file).parent.name in told, f"{file} is not named: {told}"
        return
    assert found.code == 0, f"exit {found.code}: {told}"
    assert may_be_edited(file), f"{file}: another output, and no word of it: {told}"
    assert not is_known(file) or "was it edited?" in told, f"{file}: another output without a warning"


def may_be_edited(file: str) -> bool:
    """Whether people edit such a file, or write it themselves."""
    return file.split("/")[0] in ("set", "world", "documents") or file.endswith(".jsonl")


def is_known(file: str) -> bool:
    """Whether a manifest tells what is in a file."""
    return file == "set/questions.jsonl"


@cache
def finished(name: str) -> Path:
    """The output folder of a command that is done, for its next call."""
    out = _kept_folder() / "out"
    out.mkdir()
    assert call(ROWS[name], inputs(), out).code == 0
    return out


def check_work(name: str, file: str, damage: Damage) -> None:
    """Damage what a command left, and call it again: all is as it was, or the file is refused."""
    row, done = ROWS[name], finished(name)
    place = Path(tempfile.mkdtemp(prefix="rollcall-again-"))
    out = place / "out"
    try:
        shutil.copytree(done, out)
        whole = call(row, inputs(), out)
        if not (place / file).is_file():
            return
        with damaged(place / file, damage):
            found = call(row, inputs(), out)
            # What was made again is good from now on; what was refused stays as it is.
            if found.code == 0:
                assert same(call(row, inputs(), out), whole), "what was made again does not hold"
    finally:
        shutil.rmtree(place)
    if found.code == 0:
        assert found.files == whole.files, f"{file}: other files than before, and no word of it"
    else:
        judge(found, whole, file)


@cache
def queries() -> list[Query]:
    """Some queries that look at facts, values, types and names of the graph."""
    folder = inputs() / "graph"
    with Graph.open(folder) as graph:
        relations = list(graph.index.relation_ids)[:12]
    return [Query.parse(f"?x [{relation}] ?y") for relation in relations]


def _told(graph: Graph) -> object:
    entities = list(graph.index.entity_ids)
    answers = [sorted(map(str, graph.answers(query))) for query in queries()]
    described = [graph.entity(entity) for entity in entities[::17]]
    tables = {
        name: getattr(graph.tables, name).count().to_pyarrow().as_py()
        for name in ("facts", "values", "aliases")
    }
    return answers, described, tables, graph.manifest


@cache
def answered() -> object:
    with Graph.open(inputs() / "graph") as graph:
        return _told(graph)


def check_answers(file: str, damage: Damage) -> None:
    """Open a graph of which one file is damaged, and ask it: the same answers, or one clear error."""
    whole, path = answered(), inputs() / file
    if not path.is_file():
        return
    with damaged(path, damage):
        try:
            with Graph.open(inputs() / "graph") as graph:
                found = _told(graph)
        except RollcallError as error:
            found = str(error)
    if isinstance(found, str):
        assert path.name in found or "graph" in found, f"{file} is not named: {found}"
        assert "\n" not in found, found
    else:
        assert found == whole, f"{file}: other answers, and no word of it"
