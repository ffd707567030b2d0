"""The papers' tables with tiny random models: every stage runs, and every row has its figures."""

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from places import ROOT
from rollcall import RollcallError
from rollcall.questions import Answer, Question, QuestionSet, read_questions

pytest.importorskip("torch", reason="training needs the extra `neural`")
pytest.importorskip("accelerate", reason="training needs the extra `neural`")
pytest.importorskip("lightgbm", reason="the reader rollcall needs the extra `neural`")

SCRIPT = ROOT / "benchmarks" / "systems_tables.py"


def called(*arguments):
    """The output of the benchmark; tiny models are slower on several threads than on one."""
    made = subprocess.run(
        [sys.executable, SCRIPT, *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert made.returncode == 0, made.stderr[-3000:]
    return made.stdout


def content(file):
    return gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()


def section(text, title):
    """The rows of a table, by what they are called, each with its cells."""
    (part,) = (one for one in text.split("\n## ") if one.startswith(title))
    lines = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("| ")]
    return {cells[1]: cells[2:] for cells in lines[2:]}


@pytest.mark.parametrize("content", [None, b"", b"no archive", b"\xfd7zXZ\x00"])
def test_what_cannot_be_unpacked_is_one_line(tmp_path, content):
    from rollcall.papers.tables.data import NAME, WorkFolder, unpack, unpack_prepared

    carried, packed = tmp_path / "carried", tmp_path / f"{NAME}.00"
    if content is not None:
        carried.write_bytes(content)
        packed.write_bytes(content)
    for what, source in ((unpack_prepared, carried), (unpack, tmp_path)):
        with pytest.raises(RollcallError, match=f"^{re.escape(str(source))}: "):
            what(WorkFolder(tmp_path / "work"), source)


def test_a_question_in_the_words_of_a_training_question_is_not_asked(tmp_path):
    from rollcall.papers.tables.data import SourceFolders, TableData, WorkFolder, without_seen

    def saved(name, **splits):
        every = [
            Question(f"{name}-{split}-{text}", text, answers=[Answer("a")], split=split)
            for split, texts in splits.items()
            for text in texts.split()
        ]
        QuestionSet(every).save(tmp_path / name)
        return str(tmp_path / name)

    learned = {"qampari": saved("q0", train="A? B?", dev="C?"), "single": saved("s0", train="D?", dev="E?")}
    tested = {"qampari": saved("q1", train="A?", test="B? D? F?"), "single": saved("s1", test="G?")}
    sources = [SourceFolders("g", "c", one) for one in (learned, tested)]
    found = without_seen(WorkFolder(tmp_path / "work"), TableData("tiny", "worlds", sources, [0], 1, 5))
    assert found.sources[0] == sources[0]
    assert found.sources[1].sets["single"] == tested["single"]
    kept = read_questions(Path(found.sources[1].sets["qampari"]))
    assert [(one.split, one.question) for one in kept] == [("train", "A?"), ("test", "F?")]


def test_of_many_test_questions_some_are_asked_and_of_a_cluster_all_or_none(tmp_path):
    from rollcall.papers.tables.data import SourceFolders, TableData, WorkFolder, without_seen

    every = [
        Question(f"{number}", f"{number}?", answers=[Answer("a")], split=split, cluster=f"c{number // 3}")
        for number, split in enumerate(["train"] * 3 + ["test"] * 30)
    ]
    QuestionSet(every).save(tmp_path / "set")
    data = TableData("tiny", "set", [SourceFolders("g", "c", {"romqa": str(tmp_path / "set")})], [0], 0, 5)
    found = without_seen(WorkFolder(tmp_path / "work"), data, asked=12)
    kept = read_questions(Path(found.sources[0].sets["romqa"]))
    assert [one.split for one in kept].count("train") == 3
    tested = [int(one.id) for one in kept if one.split == "test"]
    assert len(tested) == 12
    assert all({3 * (one // 3), 3 * (one // 3) + 1, 3 * (one // 3) + 2} <= set(tested) for one in tested)
    assert max(tested) > 20  # spread over the whole set


@pytest.mark.slow
def test_every_row_of_every_table_has_its_figures(tmp_path):
    made, work, packed = tmp_path / "made", tmp_path / "work", tmp_path / "packed"
    called("prepare", made, "--carry", tmp_path / "data.tar.xz")
    told = called("learn", work, "--carried", tmp_path / "data.tar.xz", "--stop-after", 0)
    assert "not everything is learned yet" in told
    for one in (made / "prepared").rglob("*"):  # all that is needed was carried
        if one.is_file():
            assert content(work / one.relative_to(made)) == content(one)
    called("learn", work, "--pack", packed)
    for weights in (work / "models").rglob("*.safetensors"):  # results are of use where they are not
        weights.unlink()
    (work / "learned").rename(tmp_path / "elsewhere")
    text = called("show", work, "--unpack", packed)
    assert text == (work / "tables.md").read_text(encoding="utf-8") + "\n"
    assert "Not learned yet" not in text

    from rollcall.papers.tables.declared import BY_KIND, NAMED, TABLES

    figure = re.compile(r"\d+\.\d \[\d+, \d+\]")
    expected = {one.title: [label for name, label in one.rows if "llm" not in name] for one in TABLES}
    expected["QAMPARI, Table 7"] = list(BY_KIND)
    expected["What's in a Name, Table 3"] = [label for _, label in NAMED]
    for title, labels in expected.items():
        rows = section(text, title)
        assert list(rows) == labels, title
        assert all(figure.match(cell) for cells in rows.values() for cell in cells[:-1]), title
    assert section(text, "QAMPARI, Table 4")["pig, bm25, both"][-1] == "47.9 28.2 30.5 31.2 22.3"
    best = section(text, "QAMPARI, Table 4")["rollcall, trained here"][2]
    assert float(best.split()[0]) > 20  # trees need no pretrained model
