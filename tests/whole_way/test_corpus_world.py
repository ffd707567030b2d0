"""A generated world read back: every told sentence, every cell, for any number of jobs and after a kill."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from rollcall._core.checksums import sealed
from rollcall.corpus import Corpus, make_corpus
from rollcall.graph import make_graph
from rollcall.world import write_world

pytestmark = pytest.mark.slow

BLOCK_BYTES = 1 << 17


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("world")
    write_world(folder, 800, 3, jobs=1)
    make_graph([folder / "wikidata.json.gz"], folder / "graph", jobs=1)
    return folder


@pytest.fixture(scope="module")
def corpus(world):
    source = world / "pages.xml.bz2"
    return make_corpus([source], world / "corpus", graph=world / "graph", jobs=1, block_bytes=BLOCK_BYTES)


@pytest.fixture(scope="module")
def truth(world):
    return pq.read_table(world / "truth.parquet").to_pylist()


def folder_bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_every_told_sentence_is_found_again_as_one_sentence(corpus, truth):
    title_of = {
        page["id"]: page["title"] for page in pq.read_table(corpus.folder / "pages.parquet").to_pylist()
    }
    sentences = pq.read_table(corpus.folder / "sentences.parquet").to_pylist()
    found = {(title_of[row["page"]], row["section"], row["text"]) for row in sentences}
    told = [row for row in truth if row["sentence"] is not None]
    missing = [row["sentence"] for row in told if (row["page"], row["section"], row["sentence"]) not in found]
    assert len(told) > 5000
    assert len(missing) <= 0.005 * len(told), missing[:5]


def test_every_cell_of_every_list_is_right(corpus, truth):
    page_of = {
        page["title"]: page["id"] for page in pq.read_table(corpus.folder / "pages.parquet").to_pylist()
    }
    cells = [row for row in truth if row["kind"] == "cell"]
    assert len(cells) > 500
    tables = {}
    for cell in cells:
        page = page_of[cell["page"]]
        if page not in tables:
            tables[page] = corpus.page_tables(page)
        table = tables[page][cell["table"]]
        if cell["row"] == 0:
            assert table.header[cell["column"]] == cell["text"]
            continue
        found = table.rows[cell["row"] - 1][cell["column"]]
        assert found.text == cell["text"]
        if cell["column"] == 0 and cell["subject"] and found.entities:
            assert cell["subject"] in found.entities


def test_every_article_is_tied_to_its_entity(corpus, truth):
    tied = {row["title"]: row["entity"] for row in pq.read_table(corpus.folder / "pages.parquet").to_pylist()}
    about = {
        (row["page"], row["subject"]) for row in truth if row["kind"] == "fact" and row["relation"] == "P31"
    }
    named = {(page, subject) for page, subject in about if page}
    assert named
    assert all(tied[page] == subject for page, subject in named)


def test_names_linked_in_the_text_are_known_to_the_graph(corpus, world):
    """Anchors are drawn from labels and aliases, so nearly every kept anchor must be one of its entity's."""
    from rollcall.graph import Graph

    with Graph.open(world / "graph") as graph:
        rows = [
            row
            for row in pq.read_table(corpus.folder / "aliases.parquet").to_pylist()
            if row["source"] == "anchor"
        ]
        known = 0
        for row in rows:
            entity = graph.entity(row["entity"])
            known += row["text"] in (entity.label, *entity.aliases)
    assert len(rows) > 500
    assert known >= 0.9 * len(rows)


def test_the_number_of_jobs_does_not_show(corpus, world, tmp_path):
    source = world / "pages.xml.bz2"
    made = make_corpus([source], tmp_path / "two", graph=world / "graph", jobs=2, block_bytes=BLOCK_BYTES)
    assert folder_bytes(made.folder) == folder_bytes(corpus.folder)


def test_a_killed_run_is_taken_up(corpus, world, tmp_path):
    out = tmp_path / "corpus"
    command = [sys.executable, "-m", "rollcall.cli.main", "corpus", str(world / "pages.xml.bz2")]
    command += [
        "--graph",
        str(world / "graph"),
        "--out",
        str(out),
        "--jobs",
        "2",
        "--block-bytes",
        str(BLOCK_BYTES),
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True) as process:
        finished = wait_for(out / ".partial", process)
        os.killpg(process.pid, signal.SIGKILL)  # the workers, too, as when a machine fails
    assert not (out / "corpus.json").exists()
    shutil.copytree(out, marked := tmp_path / "marked")
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=120)
    assert folder_bytes(out) == folder_bytes(corpus.folder)
    # What was read before the kill is not read again: a mark put there comes through.
    mark = marked / finished[0].relative_to(out)
    record = json.loads(mark.read_bytes())
    record["found"]["dropped_sentences"] = 7
    mark.write_text(json.dumps(sealed(record)))
    source = world / "pages.xml.bz2"
    made = make_corpus([source], marked, graph=world / "graph", jobs=1, block_bytes=BLOCK_BYTES)
    assert made.manifest["dropped_sentences"] == 7


def wait_for(partial: Path, process: "subprocess.Popen[bytes]") -> list[Path]:
    for _ in range(6000):
        found = list(partial.glob("shards/*/*/*[0-9]/piece.json"))
        if found:
            return found
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.005)
    raise AssertionError("nothing was read within 30 s")


def test_other_options_give_another_corpus_in_the_same_folder(world, tmp_path):
    source, out = world / "pages.xml.bz2", tmp_path / "out"
    from rollcall.corpus import Chunking

    made = make_corpus([source], out, graph=world / "graph", jobs=1, chunking=Chunking(words=40))
    shorter = made.manifest["counts"]["passages"]
    made = make_corpus([source], out, graph=world / "graph", jobs=1, chunking=Chunking("qampari"))
    assert made.manifest["counts"]["passages"] < shorter
    assert Corpus.open(out).manifest["options"]["chunking"]["mode"] == "qampari"
