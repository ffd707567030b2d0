"""Folders are replaced in one step, and only where they hold nothing but what their writer wrote."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall._core import folders
from rollcall._core.files import replacing
from rollcall._core.folders import check_apart, exchange, put_in_place, replacing_folder
from rollcall._core.locks import sole_writer
from rollcall.build import Build, build
from rollcall.graph import Graph, write_graph
from rollcall.graph.index import GRAPH_FOLDER
from rollcall.questions import Answer, Question, QuestionSet
from rollcall.questions.release import save_set

NAMES = ("one", "deep/two")


def known(folder: Path) -> tuple[str, ...]:
    return NAMES


def write(folder: Path, content: str) -> None:
    with replacing_folder(folder, known) as partial:
        (partial / "deep").mkdir()
        for name in NAMES:
            (partial / name).write_text(content)


def read(folder: Path) -> set[str]:
    return {(folder / name).read_text() for name in NAMES}


def in_a_fork(work: Callable[[], None]) -> int:
    """Do something in a process of its own; its exit code, negative for a signal."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    try:
        work()
    finally:
        os._exit(0)


def test_a_folder_takes_its_place_only_when_it_is_whole(tmp_path: Path) -> None:
    place = tmp_path / "above" / "place"
    write(place, "old")
    with pytest.raises(ZeroDivisionError), replacing_folder(place, known) as partial:
        (partial / "one").write_text("half")
        _ = 1 / 0
    assert read(place) == {"old"}
    write(place, "new")
    assert read(place) == {"new"}
    assert os.listdir(place.parent) == ["place"], "nothing is left beside it"


def test_what_is_refused_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    with pytest.raises(RollcallError, match="is a file"):
        write(tmp_path / "file", "new")
    with pytest.raises(RollcallError, match="is a file"):
        write(tmp_path / "file" / "in it", "new")
    with pytest.raises(ZeroDivisionError), replacing(tmp_path / "a" / "b" / "file"):
        _ = 1 / 0
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("name", ["three", "deep/three", "other/one", ".git/config", "one.bak"])
def test_a_folder_with_anything_else_in_it_is_refused(tmp_path: Path, name: str) -> None:
    place = tmp_path / "place"
    write(place, "old")
    (place / name).parent.mkdir(exist_ok=True)
    (place / name).write_text("mine")
    with pytest.raises(RollcallError, match=f"holds {name}, which Rollcall did not write there"):
        write(place, "new")
    assert read(place) == {"old"}
    assert (place / name).read_text() == "mine"


def test_the_work_of_a_build_is_called_that(tmp_path: Path) -> None:
    place = tmp_path / "place"
    write(place, "old")
    (place / ".build" / "mine").mkdir(parents=True)
    (place / ".build" / "mine" / "queries.parquet").write_text("work")
    with pytest.raises(
        RollcallError, match=r"holds \.build, the work of `rollcall build`; name another folder"
    ):
        write(place, "new")
    assert (place / ".build" / "mine" / "queries.parquet").read_text() == "work"


def test_what_comes_into_the_folder_while_it_is_replaced_is_not_lost(tmp_path: Path) -> None:
    place = tmp_path / "place"
    write(place, "old")
    with (
        pytest.raises(RollcallError, match="holds late, which came there while"),
        replacing_folder(place, known) as partial,
    ):
        (partial / "one").write_text("new")
        (place / "late").write_text("mine")
    assert read(place) == {"old"}
    assert (place / "late").read_text() == "mine"
    assert os.listdir(tmp_path) == ["place"]


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    for link, target in (("folder", "disk/folder"), ("file", "disk/file")):
        (tmp_path / link).symlink_to(tmp_path / target)
    for content in ("old", "new"):
        write(tmp_path / "folder", content)
        with replacing(tmp_path / "file") as partial:
            partial.write_text(content)
    assert read(tmp_path / "disk" / "folder") == {"new"}
    assert (tmp_path / "disk" / "file").read_text() == "new"
    assert all((tmp_path / link).is_symlink() for link in ("folder", "file"))
    # A link in the folder is a name of its own: what it leads to is another's.
    (tmp_path / "disk" / "big").write_text("mine")
    (tmp_path / "folder" / "one").unlink()
    (tmp_path / "folder" / "one").symlink_to(tmp_path / "disk" / "big")
    write(tmp_path / "folder", "newer")
    assert (tmp_path / "disk" / "big").read_text() == "mine"
    assert not (tmp_path / "folder" / "one").is_symlink()


def test_a_file_does_not_replace_what_is_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name, message in (("pipe", "is a device or a pipe"), ("folder", "is a folder; name a file")):
        with pytest.raises(RollcallError, match=message), replacing(tmp_path / name) as partial:
            partial.write_text("new")
    assert sorted(os.listdir(tmp_path)) == ["folder", "pipe"]
    assert (tmp_path / "pipe").is_fifo()


def test_the_folder_one_is_in_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "place", "old")
    for inside in ("", "deep"):
        monkeypatch.chdir(tmp_path / "place" / inside)
        with pytest.raises(RollcallError, match="is the folder you are in"):
            write(tmp_path / "place", "new")


def test_an_output_is_no_input(tmp_path: Path) -> None:
    (tmp_path / "graph" / "index").mkdir(parents=True)
    graph = tmp_path / "graph"
    (tmp_path / "link").symlink_to(graph)
    for out, message in (
        (graph, "is an input as well as the output"),
        (tmp_path / "link", "is an input as well"),
        (tmp_path / "graph" / ".." / "graph", "is an input as well"),
        (tmp_path, "holds the input"),
        (graph / "index", "lies in the input"),
        (graph / "new" / "set", "lies in the input"),
    ):
        with pytest.raises(RollcallError, match=message):
            check_apart(out, [graph])
    check_apart(tmp_path / "graph2", [graph])
    check_apart(graph / "run.jsonl", [graph], shared=[graph])


# -- kills and file systems ---------------------------------------------------------------------------


@pytest.mark.parametrize("supported", [True, False], ids=["exchanged", "in two steps"])
def test_a_kill_at_any_step_leaves_old_or_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, supported: bool
) -> None:
    """Without an exchange the old folder may stand beside its place, until the next writer puts it back."""
    steps = ["rename", "exchange", "rename", "rename", "rmtree"]
    place = tmp_path / "place"

    def replace_and_die(step: int) -> None:
        seen = 0

        def count(*_: object) -> None:
            nonlocal seen
            seen += 1
            if seen == step:
                os.kill(os.getpid(), signal.SIGKILL)

        real_rename, real_remove = Path.rename, folders.remove
        monkeypatch.setattr(Path, "rename", lambda self, to: (count(), real_rename(self, to))[1])
        monkeypatch.setattr(folders, "remove", lambda path: (count(), real_remove(path))[1])
        monkeypatch.setattr(
            folders, "exchange", lambda one, two: (count(), supported and exchange(one, two))[1]
        )
        write(place, "new")

    died = 0
    for step in range(1, len(steps) + 2):
        write(place, "old")
        ended = in_a_fork(lambda step=step: replace_and_die(step))  # type: ignore[misc]
        died += ended == -signal.SIGKILL
        if supported:
            assert read(place) in ({"old"}, {"new"})
        # Whoever writes next first puts right what is left; a refusal shows what stands then.
        with pytest.raises(ZeroDivisionError), replacing_folder(place, known):
            assert read(place) in ({"old"}, {"new"})
            _ = 1 / 0
        assert os.listdir(tmp_path) == ["place"]
    assert died >= 3


def test_work_in_a_folder_outlives_a_kill_in_the_middle_of_publishing(tmp_path: Path) -> None:
    place, new = tmp_path / "place", tmp_path / "new"
    write(place, "old")
    (place / ".work").mkdir()
    (place / ".work" / "hours").touch()
    write(new, "new")

    def publish_and_die() -> None:
        folders._bring_back = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[assignment]
        put_in_place(new, place, known, kept={".work"})

    assert in_a_fork(publish_and_die) == -signal.SIGKILL
    assert read(place) == {"new"}
    assert not (place / ".work").exists()
    with folders.writing_folder(place, known, kept={".work"}):
        assert (place / ".work" / "hours").exists()
    assert os.listdir(tmp_path) == ["place"]


# -- the folders of the project -----------------------------------------------------------------------


def some_set() -> QuestionSet:
    return QuestionSet([Question("q", "Who?", answers=[Answer("Ann", "Q1")])], {"name": "some"})


def test_a_set_replaces_a_set_and_nothing_else(tmp_path: Path) -> None:
    place = tmp_path / "set"
    save_set(place, some_set(), {})
    some_set().save(place)
    assert sorted(os.listdir(place)) == ["manifest.json", "questions.jsonl"]
    (place / "README.md").write_text("# How I made this set\n")
    for save in (some_set().save, lambda to: save_set(to, some_set(), {})):
        with pytest.raises(RollcallError, match=r"holds README\.md"):
            save(place)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "questions.jsonl").write_text("my own questions\n")
    with pytest.raises(RollcallError, match=r"holds questions\.jsonl"):
        some_set().save(tmp_path / "mine")


def test_a_graph_is_known_by_its_files(tmp_path: Path) -> None:
    graph = tmp_path / "graph"
    write_graph(graph, facts=[("a", "r", "b")])
    files = {path.relative_to(graph).as_posix() for path in graph.rglob("*") if path.is_file()}
    assert files == GRAPH_FOLDER.files | {"graph.json"}
    write_graph(graph, facts=[("a", "r", "c")])
    (graph / "index" / "notes.npy").write_text("mine")
    with pytest.raises(RollcallError, match=r"holds index/notes\.npy"):
        write_graph(graph, facts=[("a", "r", "d")])
    assert Graph.open(graph).manifest["counts"]["facts"] == 1


def test_a_corpus_is_known_by_its_files(small_world: Path) -> None:
    from rollcall.corpus.corpus import CORPUS_FOLDER

    assert {path.name for path in (small_world / "corpus").iterdir()} == CORPUS_FOLDER.files | {"corpus.json"}


def test_a_build_does_not_go_where_its_inputs_are(small_world: Path) -> None:
    before = sorted(small_world.rglob("*"))
    for out in ("graph", "corpus", ".", "graph/set"):
        with pytest.raises(RollcallError, match="input"):
            build(
                "qampari",
                graph=small_world / "graph",
                corpus=small_world / "corpus",
                out=small_world / out,
            )
    assert sorted(small_world.rglob("*")) == before


def test_a_writer_at_work_inside_a_folder_keeps_it_from_being_replaced(tmp_path: Path) -> None:
    place = tmp_path / "place"
    write(place, "old")
    with (
        sole_writer(place / "run.jsonl"),
        pytest.raises(RollcallError, match=rf"run\.jsonl: process {os.getpid()} \(.*\) is writing this"),
    ):
        write(place, "new")
    assert read(place) == {"old"}
    (place / ".run.jsonl.rollcall-lock").write_text("process 1, which was killed")
    (place / f".run.jsonl.{os.getppid()}.rollcall-partial").write_text(
        "of a process whose number another has"
    )
    write(place, "new")
    assert read(place) == {"new"}


def test_a_second_build_is_told_who_is_at_work_and_a_killed_one_is_continued(
    small_world: Path, tmp_path: Path
) -> None:
    """A build holds a lock inside its output, too."""
    out = tmp_path / "set"
    out.mkdir()
    inputs = {"graph": small_world / "graph", "corpus": small_world / "corpus", "out": out}
    with (
        sole_writer(out / ".build"),
        pytest.raises(RollcallError, match=rf"process {os.getpid()} \(.*\) is writing this; wait"),
    ):
        Build("qampari", **inputs)
    (out / "..build.rollcall-lock").write_text("process 1, which was killed")
    assert Build("qampari", **inputs).plan()[0].why == "not done yet"


def names_of_ours(tmp_path: Path) -> list[tuple[str, dict[str, str]]]:
    """By command: files of somebody's that are called as Rollcall's are, and whose loss would be silent."""
    return [
        ("world", {"wikidata.json.gz": "a download", "pages.xml.bz2": "another"}),
        ("graph", {"facts.parquet": "mine", "entities.parquet": "mine"}),
        ("graph", {"graph.json": '{"name": "a chart"}', "facts.parquet": "mine"}),
        ("graph", {"facts.parquet/thesis.txt": "years of work"}),
        ("graph", {".partial/download.part": "half a download"}),
        ("expand", {"manifest.json": '{"name": "a web application"}'}),
        ("expand", {"manifest.json": '{"files": ["questions.jsonl"]}', "questions.jsonl": "mine"}),
    ]


@pytest.mark.parametrize("number", range(7))
def test_what_is_merely_called_as_a_file_of_ours_is_kept(
    tmp_path: Path, number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    from rollcall.cli.main import main

    command, files = names_of_ours(tmp_path)[number]
    out = tmp_path / "out"
    for name, text in files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(text)
    (tmp_path / "facts.tsv").write_text("subject\trelation\tobject\na\tr\tb\n")
    (tmp_path / "gold.jsonl").write_text('{"id": "1", "question": "Who?", "answers": [{"label": "A"}]}\n')
    write_graph(tmp_path / "g", facts=[("a", "r", "b")])
    arguments = {
        "world": ["world", out, "--entities", "500"],
        "graph": ["graph", tmp_path / "facts.tsv", "--out", out, "--jobs", "1"],
        "expand": ["expand", tmp_path / "gold.jsonl", tmp_path / "g", "--out", out],
    }[command]
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in arguments])
    assert ended.value.code == 2
    assert "which Rollcall did not write there" in capsys.readouterr().err
    assert {
        path.relative_to(out).as_posix(): path.read_text() for path in out.rglob("*") if path.is_file()
    } == files
