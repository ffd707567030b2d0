"""Damage is found before it does harm: in graphs, corpora, sources half read, indexes, replies and sets."""

import json
import os
import shutil
import sqlite3
import zlib
from pathlib import Path

import pytest

from damage import KINDS, Damage, damaged, files_in
from rollcall import RollcallError
from rollcall._core import checksums
from rollcall._core.checksums import sealed
from rollcall._core.errors import RollcallWarning
from rollcall.cli.main import main
from rollcall.corpus import Corpus, make_corpus
from rollcall.graph import Graph, make_graph
from rollcall.llm import Reply, ReplyCache, Request
from rollcall.llm.server import Message
from rollcall.questions import QuestionSet
from rollcall.systems.retrieve.bm25 import Bm25
from rollcall.systems.retrieve.store import IndexFolder

DAMAGED = "damaged: its content is not what was written; make the (graph|corpus) again with `rollcall "


@pytest.fixture
def graph(small_world: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small_world / "graph", tmp_path / "graph"))


@pytest.fixture
def corpus(small_world: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small_world / "corpus", tmp_path / "corpus"))


def change(path: Path, at: int | None = None) -> None:
    """Flip a bit in the middle of a file, and keep its size and time."""
    before, content = path.stat(), bytearray(path.read_bytes())
    content[len(content) // 2 if at is None else at] ^= 4
    path.write_bytes(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_the_checksum_is_the_crc_that_others_compute(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(content := bytes(range(256)) * 9000)
    assert checksums.record(tmp_path) == {"file": (len(content), f"{zlib.crc32(content):08x}")}


@pytest.mark.parametrize("kind", KINDS)
def test_a_graph_with_a_damaged_index_is_not_opened(graph: Path, kind: str) -> None:
    files = [name for name in files_in(graph) if "/index/" in name]
    for number, name in enumerate(files):
        path = graph.parent / name
        if not path.stat().st_size:
            continue
        with damaged(path, Damage(kind, 0.5 + number / len(files) / 2)), pytest.raises(RollcallError) as told:
            Graph.open(graph)
        assert str(path) in str(told.value)
    with Graph.open(graph) as whole:
        assert whole.answers  # nothing of it stays behind


def test_tables_are_checked_when_they_are_asked_for(graph: Path) -> None:
    change(graph / "facts.parquet")
    opened = Graph.open(graph)  # its index is whole
    with pytest.raises(RollcallError, match=rf"facts\.parquet: {DAMAGED}graph`"):
        _ = opened.tables
    with Graph.open(graph, check=False) as opened:
        assert opened.tables.relations.count().to_pyarrow().as_py() > 0


def test_without_the_check_a_damaged_index_is_opened(graph: Path) -> None:
    change(graph / "index" / "literal_low.npy")
    with pytest.raises(RollcallError, match=r"literal_low\.npy: damaged"):
        Graph.open(graph)
    Graph.open(graph, check=False).close()


@pytest.mark.parametrize("kind", ["graph", "corpus"])
def test_a_damaged_manifest_is_refused(kind: str, graph: Path, corpus: Path) -> None:
    folder = {"graph": graph, "corpus": corpus}[kind]
    opening = {"graph": Graph.open, "corpus": Corpus.open}[kind]
    path = folder / f"{kind}.json"
    whole = path.read_text(encoding="utf-8")
    for bad in (
        whole[:-9],
        "",
        "[]",
        whole.replace('"counts"', '"countz"'),
        whole.replace("wikidata", "wikidatb"),
    ):
        if bad == whole:
            continue
        path.write_text(bad, encoding="utf-8")
        with pytest.raises(RollcallError, match=rf"{kind}\.json: damaged.* make the {kind} again with"):
            opening(folder)
    older = json.loads(whole)
    older["format"] = 1
    path.write_text(json.dumps(sealed(older)))
    with pytest.raises(
        RollcallError, match=rf"{kind}\.json: is of a {kind} of format 1, not 2; make the {kind}"
    ):
        opening(folder)


def test_a_manifest_may_be_formatted_otherwise(graph: Path) -> None:
    path = graph / "graph.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(manifest))
    with Graph.open(graph) as opened:
        assert opened.manifest["counts"] == manifest["counts"]


def test_a_corpus_is_checked_table_by_table(corpus: Path) -> None:
    change(corpus / "sentences.parquet")
    with Corpus.open(corpus) as opened:
        page = next(iter(opened.pages()))
        with pytest.raises(RollcallError, match=rf"sentences\.parquet: {DAMAGED}corpus`"):
            opened.sentences(page.id)
        with pytest.raises(RollcallError, match=r"sentences\.parquet"):
            _ = opened.tables
    with Corpus.open(corpus, check=False) as opened:
        assert opened.links(page.id) is not None


def test_what_reads_a_table_by_its_file_checks_it_too(
    graph: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from engines import ENGINE
    from rollcall.mine.joins import mining_bench

    change(graph / "facts.parquet")
    damaged = pytest.raises(RollcallError, match=r"facts\.parquet: damaged")
    with damaged, mining_bench(ENGINE, tmp_path / "mined", graph):
        pass
    words = ["build", "setops", "--graph", graph, "--corpus", corpus, "--out", tmp_path / "set", "--dry-run"]
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    assert ended.value.code == 2
    assert "facts.parquet: damaged" in capsys.readouterr().err


# -- sources that are taken up again ---------------------------------------------------------------------

LINES = [f"e{number}\tr{number % 7}\te{number * 3 % 500}" for number in range(4000)]


def stopped(out: Path, source: Path, monkeypatch: pytest.MonkeyPatch, **options: int) -> None:
    """Read a source into a folder, and stop before the tables are made."""
    with monkeypatch.context() as patch:
        patch.setattr("rollcall.graph.assemble.finish.finish_graph", _stop)
        with pytest.raises(KeyboardInterrupt):
            make_graph([source], out, jobs=1, **options)


def _stop(*given: object, **more: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("suffix", [".tsv", ".csv"])
def test_a_source_edited_under_its_size_and_time_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    head, separator = "subject\trelation\tobject", "\t"
    text = "\n".join([head, *LINES]) + "\n"
    if suffix == ".csv":
        text = text.replace(separator, ",")
    source = tmp_path / f"facts{suffix}"
    source.write_text(text)
    stopped(tmp_path / "graph", source, monkeypatch, block_bytes=8000)
    before = source.stat()
    edited = text.replace("e7", "z7", 5)
    source.write_text(edited)
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    made = make_graph([source], tmp_path / "graph", jobs=1, block_bytes=8000)
    fresh = make_graph([source], tmp_path / "fresh", jobs=1, block_bytes=8000)
    assert made.entity("z7")
    assert made.manifest == fresh.manifest
    assert made.manifest["sources"][0]["sha256"] == checksums.sha256(source)


def test_only_what_was_edited_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rollcall.graph import make

    source = tmp_path / "facts.tsv"
    source.write_text("\n".join(["subject\trelation\tobject", *LINES]) + "\n")
    stopped(tmp_path / "graph", source, monkeypatch, block_bytes=8000)
    pieces = sorted((tmp_path / "graph").rglob("piece.json"))
    read: list[int] = []
    reading = make.read_block
    monkeypatch.setattr(
        "rollcall.graph.make.read_block",
        lambda piece, block: read.append(piece.number) or reading(piece, block),
    )
    change(source, at=20_000)  # in the third block
    shutil.copytree(tmp_path / "graph", tmp_path / "shorter")
    shutil.copytree(tmp_path / "graph", tmp_path / "hurt")
    make_graph([source], tmp_path / "graph", jobs=1, block_bytes=8000)
    assert read == [2]
    # A source that has become shorter leaves nothing behind of its end.
    source.write_text("\n".join(["subject\trelation\tobject", *LINES[:700]]) + "\n")
    made = make_graph([source], tmp_path / "shorter", jobs=1, block_bytes=8000)
    assert made.manifest["counts"]["facts"] == 700
    # What was written of a piece is read again when it is no longer whole.
    read.clear()
    shard = next(
        path
        for path in (tmp_path / "hurt").rglob("facts-0.parquet")
        if path.parent == (tmp_path / "hurt" / pieces[0].parent.relative_to(tmp_path / "graph"))
    )
    change(shard)
    make_graph([source], tmp_path / "hurt", jobs=1, block_bytes=8000)
    assert 0 in read


def test_a_corpus_source_edited_under_its_size_and_time_is_read_again(
    small_world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, graph = tmp_path / "pages.jsonl", small_world / "graph"
    pages = [{"id": f"p{n}", "title": f"Page {n}", "text": f"Sentence {n} is here."} for n in range(30)]
    source.write_text("".join(json.dumps(page) + "\n" for page in pages))
    with monkeypatch.context() as patch:
        patch.setattr("rollcall.corpus.make.finish_corpus", _stop)
        with pytest.raises(KeyboardInterrupt):
            make_corpus([source], tmp_path / "corpus", graph=graph, jobs=1)
    before = source.stat()
    source.write_text(source.read_text().replace("Sentence 7 is here", "Sentence 7 is gone"))
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    made = make_corpus([source], tmp_path / "corpus", graph=graph, jobs=1)
    assert [one.text for one in made.sentences("p7")] == ["Sentence 7 is gone."]
    assert made.manifest["sources"][0]["sha256"] == checksums.sha256(source)


# -- indexes, replies, sets ------------------------------------------------------------------------------


def test_a_damaged_index_is_made_again(small_world: Path, tmp_path: Path) -> None:
    def found() -> list[tuple[list[int], list[float]]]:
        with Corpus.open(small_world / "corpus") as corpus:
            indexes = IndexFolder(corpus, tmp_path / "index")
            usual = Bm25(indexes, jobs=1).rank(["Which films were directed by somebody?"], 5)
            return usual + Bm25(indexes, k1=2.0, jobs=1).rank(["Which films were directed by somebody?"], 5)

    whole = found()
    made = {path: path.stat().st_mtime_ns for path in (tmp_path / "index").rglob("made_from.json")}
    assert found() == whole
    assert made == {path: path.stat().st_mtime_ns for path in made}, "a whole index is not made again"
    for name in ("passages/texts.bytes.npy", "postings/counts.npy", "tantivy/meta.json"):
        change(tmp_path / "index" / name)
        assert found() == whole, name
    change(tmp_path / "index" / "tantivy" / "made_from.json")
    with pytest.raises(RollcallError, match=r"made_from\.json: damaged: .* remove .*tantivy, and the index"):
        found()


def test_a_damaged_reply_is_asked_for_again(tmp_path: Path) -> None:
    path, request = tmp_path / "cache.db", Request("model", (Message("user", "prompt"),))
    cache = ReplyCache(path)
    cache.put("key", request, Reply("yes"))
    cache.put("other", request, Reply("no"))
    cache.close()
    with sqlite3.connect(path) as file:
        file.execute("UPDATE replies SET reply = replace(reply, 'yes', 'yez') WHERE key = 'key'")
        file.execute("UPDATE replies SET reply = CAST(reply AS BLOB)")
    file.close()
    cache = ReplyCache(path)
    assert cache.get("key") is None
    kept = cache.get("other")
    assert kept is not None
    assert kept.text == "no"
    cache.put("key", request, Reply("yes"))
    again = cache.get("key")
    assert again is not None
    assert again.text == "yes"
    cache.close()


def test_a_cache_from_before_there_were_checksums_is_still_good(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE replies (key TEXT PRIMARY KEY, request BLOB, reply BLOB)")
        file.execute("INSERT INTO replies VALUES ('key', x'', ?)", (b'{"text":"yes"}',))
    file.close()
    cache = ReplyCache(path)
    kept = cache.get("key")
    assert kept is not None
    assert kept.text == "yes"
    cache.close()


def test_a_damaged_cache_is_told_in_one_line(tmp_path: Path) -> None:
    path, request = tmp_path / "cache.db", Request("model", (Message("user", "prompt"),))
    cache = ReplyCache(path)
    for number in range(400):
        cache.put(f"key {number}", request, Reply("yes " * 40))
    cache.close()
    content = bytearray(path.read_bytes())
    content[8192:40960] = b"\x55" * (40960 - 8192)
    path.write_bytes(content)
    cache = ReplyCache(path)
    with pytest.raises(RollcallError, match=r"cache\.db: the cache of replies is damaged"):
        for number in range(400):
            cache.get(f"key {number}")
    cache.close()


def test_every_command_tells_that_a_set_was_edited(
    small_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edited = Path(shutil.copytree(small_set, tmp_path / "set", ignore=shutil.ignore_patterns(".build")))
    QuestionSet.open(edited)  # without a warning, which would be an error here
    change_text(edited / "questions.jsonl", '"label":"', '"label":"The ')
    for words in (["show", edited], ["stats", edited], ["export", edited, "--out", tmp_path / "out.jsonl"]):
        with pytest.raises(SystemExit) as ended:
            main([str(word) for word in words])
        assert ended.value.code == 0
        assert (
            "questions.jsonl differs from the checksum in its manifest; was it edited?"
            in capsys.readouterr().err
        )
    change_text(edited / "manifest.json", '"seed"', '"seef"')
    with pytest.warns(
        RollcallWarning, match=r"manifest\.json was changed after it was written; was it edited\?"
    ):
        QuestionSet.open(edited)


def change_text(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_an_edited_stage_is_not_published(small_world: Path, small_set: Path, tmp_path: Path) -> None:
    from small_build import run

    shutil.copytree(small_set, tmp_path / "set")
    change_text(tmp_path / "set" / ".build" / "assemble" / "questions.jsonl", "Which", "Whose")
    run(small_world, tmp_path / "set", kills=0)
    for name in ("questions.jsonl", "manifest.json"):
        assert (tmp_path / "set" / name).read_bytes() == (small_set / name).read_bytes()


@pytest.mark.parametrize("at", [0.2, 0.5, 0.8])
def test_a_table_that_stands_by_itself_is_checked_by_its_pages(
    small_world: Path, tmp_path: Path, at: float
) -> None:
    import pyarrow.parquet as pq

    from rollcall.questions import Answer, Question, read_questions
    from rollcall.questions.exporting import export
    from rollcall.tables.files import check_whole

    truth, exported = tmp_path / "truth.parquet", tmp_path / "set.parquet"
    shutil.copy(small_world / "world" / "truth.parquet", truth)
    export(
        [Question(f"q{n}", f"Which {n}?", answers=[Answer(f"A{n}")]) for n in range(300)], "parquet", exported
    )
    check_whole(truth, "")
    assert len(read_questions(exported)) == 300
    for path in (truth, exported):
        footer = pq.read_metadata(path).serialized_size  # which has no checksum
        change(path, at=int((path.stat().st_size - footer) * at))
    with pytest.raises(RollcallError, match=r"truth\.parquet: is not a whole Parquet file"):
        check_whole(truth, "make it again")
    with pytest.raises(
        RollcallError, match=r"set\.parquet: (is not a readable Parquet or Arrow file|record 1: )"
    ):
        read_questions(exported)
