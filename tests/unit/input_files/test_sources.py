"""Graph and text sources: found by name, read by worker processes, and read again when their code changed."""

import subprocess
import sys
from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall._core.registry import ALL, Registry
from rollcall.cli.main import main
from rollcall.graph import Graph, make_graph
from rollcall.input_files import FileHead
from rollcall.input_files.file_source import FileSource, recognise
from rollcall.input_files.input_file import InputFile

PAIRS = '''
from rollcall.graph.source import LineSource

class Pairs(LineSource):
    """Two ids a line."""

    def read_line(self, line, shard, tally):
        left, right = line.decode().split()
        shard.fact(left, "RELATION", right)
'''


@pytest.fixture
def pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder where somebody works, with a source of their own and 2,000 lines for it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))  # before the folders of other tests
    (tmp_path / "my_pairs.py").write_text(PAIRS.replace("RELATION", "knows"))
    (tmp_path / "all.txt").write_text("".join(f"e{n} e{n * 7 % 300}\n" for n in range(2000)) + "one\n")
    yield tmp_path
    sys.modules.pop("my_pairs", None)


def test_a_source_of_ones_own_is_read_by_worker_processes(pairs: Path) -> None:
    made = subprocess.run(
        [
            *(sys.executable, "-m", "rollcall.cli.main", "graph", "all.txt", "--format", "my_pairs:Pairs"),
            *("--out", "graph", "--jobs", "2", "--block-bytes", "4000"),
        ],
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    graph = Graph.open(pairs / "graph")
    assert graph.manifest["counts"]["facts"] == 2000
    (source,) = graph.manifest["sources"]
    assert (source["kind"], source["bad"]) == ("my_pairs:Pairs", {"malformed": 1})
    assert source["bad_examples"][0]["line"] == 2001
    alone = make_graph(["all.txt"], "alone", formats="my_pairs:Pairs", jobs=1)
    assert alone.manifest["files"]["facts.parquet"] == graph.manifest["files"]["facts.parquet"]


def test_what_was_read_is_read_again_when_the_source_has_changed(
    pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*given: object, **more: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("rollcall.graph.assemble.finish.finish_graph", stop)
        with pytest.raises(KeyboardInterrupt):
            make_graph(["all.txt"], "graph", formats="my_pairs:Pairs", jobs=1)
    (pairs / "my_pairs.py").write_text(PAIRS.replace("RELATION", "likes it"))
    del sys.modules["my_pairs"]
    graph = make_graph(["all.txt"], "graph", formats="my_pairs:Pairs", jobs=1)
    assert [one["id"] for one in graph.tables.relations.execute().to_dict("records")] == ["likes it"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--format", "wikidta"], "'wikidta' is not a graph source; did you mean wikidata?"),
        (["--format", "my_pairs:Pears"], "my_pairs has no Pears; did you mean Pairs?"),
        (["--format", "my_pairs:LineSource"], "it has no method read_line(line, shard, tally)"),
        (["--format", "tsv", "--format", "csv"], "2 formats for 1 files"),
        (
            ["--format", "my_pairs:Pairs", "--option", "x=1"],
            "there is no option x of the graph source my_pairs",
        ),
        ([], "all.txt: is text, not a table or graph file; rollcall corpus reads text; --format"),
    ],
)
def test_mistakes_say_what_is_near(
    pairs: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["graph", "all.txt", "--out", "graph", *words])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err
    assert not (pairs / "graph").exists()


def test_files_of_several_formats_are_read_together(pairs: Path) -> None:
    (pairs / "names.data").write_text("id\tlabel\ne1\tOne\n")
    (pairs / "more.data").write_text("e1 e9\n")
    formats = ["auto", "my_pairs:Pairs"]
    graph = make_graph(["names.data", "more.data"], "graph", formats=formats, jobs=1)
    assert [source["kind"] for source in graph.manifest["sources"]] == ["tsv", "my_pairs:Pairs"]
    assert (graph.label("e1"), graph.manifest["counts"]["facts"]) == ("One", 1)


def test_an_option_that_no_file_can_take_is_refused(pairs: Path) -> None:
    (pairs / "facts.tsv").write_text("subject\trelation\tobject\na\tr\tb\n")
    with pytest.raises(RollcallError, match="there is no option identifiers of the graph source tsv"):
        make_graph(["facts.tsv"], "graph", source_options={"identifiers": True}, jobs=1)


def test_where_two_sources_claim_a_file_nothing_is_guessed() -> None:
    class One(FileSource):
        suffixes = (".one", ".both")

        @classmethod
        def recognises(cls, head: FileHead) -> bool:
            return b"x" in head.content

    class Two(One):
        suffixes = (".both",)

    kinds: Registry[type[FileSource]] = Registry("thing", "things", "rollcall.llm")
    kinds.register("one")(One)
    kinds.register("two")(Two)
    try:
        assert recognise(FileHead(InputFile("a.one.gz"), b"anything"), kinds) == "one"
        with pytest.raises(RollcallError, match="may be one or two; say which with --format"):
            recognise(FileHead(InputFile("a.both"), b"x"), kinds)
        with pytest.raises(RollcallError, match="neither one nor two"):
            recognise(FileHead(InputFile("a.both"), b"y"), kinds)
    finally:
        del ALL["things"]


def test_a_source_of_another_distribution_is_recognised_without_being_named(pairs: Path) -> None:
    info = pairs / "pairs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pairs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[rollcall.graph_sources]\npairs = my_pairs:Pairs\n")
    own = PAIRS.replace("RELATION", "knows").replace(
        'a line."""\n', 'a line."""\n\n    suffixes = (".pairs",)\n'
    )
    (pairs / "my_pairs.py").write_text(own)
    (pairs / "all.txt").rename(pairs / "all.pairs")
    source = Path(sys.modules["rollcall"].__file__ or "").parents[1]
    made = subprocess.run(
        [
            *(sys.executable, "-m", "rollcall.cli.main", "graph", "all.pairs", "--out", "graph"),
            *("--jobs", "2", "--block-bytes", "4000"),
        ],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{pairs}:{source}", "PATH": "/usr/bin:/bin"},
    )
    assert made.returncode == 0, made.stderr
    graph = Graph.open(pairs / "graph")
    assert (graph.manifest["sources"][0]["kind"], graph.manifest["counts"]["facts"]) == ("pairs", 2000)


def test_a_class_will_do_in_python(pairs: Path) -> None:
    from my_pairs import Pairs

    graph = make_graph(["all.txt"], "graph", formats=Pairs, jobs=1)
    assert graph.manifest["sources"][0]["kind"] == "my_pairs:Pairs"
