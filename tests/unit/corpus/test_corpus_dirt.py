"""Damaged and odd sources of text: what is good in them is read, what is bad is counted and located."""

import json
import shutil

import pytest

from corpus_files import (
    compressed,
    export_xml,
    page_xml,
)
from rollcall import RollcallError
from rollcall.corpus import Corpus, make_corpus


@pytest.mark.parametrize("suffix", [".xml", ".xml.bz2", ".xml.gz", ".xml.zst"])
def test_a_truncated_archive_gives_what_came_before_and_says_so(graph, tmp_path, suffix):
    pages = [(str(n), f"Page {n}", f"Page {n} is the number {n * 7919}. " * 30) for n in range(400)]
    source = compressed(tmp_path / f"cut{suffix}", export_xml(pages, []).encode())
    source.write_bytes(source.read_bytes()[: source.stat().st_size * 2 // 3])
    made = make_corpus([source], tmp_path / "out", graph=graph, jobs=1, block_bytes=1 << 16)
    assert 0 < made.manifest["counts"]["pages"] < 400
    (report,) = made.manifest["sources"]
    assert set(report["bad"]) <= {"damaged", "unfinished page"}
    assert report["bad"]
    assert all(example["source"] == source.name or example["line"] == 0 for example in report["bad_examples"])


def test_bad_entries_are_counted_and_located(graph, tmp_path):
    good = [json.dumps({"title": f"T{n}", "text": "Fine."}) for n in range(30)]
    lines = [*good[:3], "{broken", '{"title": "x"}', *good[3:], '{"title": 5, "text": "y"}']
    source = tmp_path / "pages.jsonl"
    source.write_text("\n".join(lines), encoding="utf-8")
    made = make_corpus([source], tmp_path / "out", graph=graph, jobs=1)
    assert made.manifest["counts"]["pages"] == 30
    assert [example["line"] for example in made.manifest["sources"][0]["bad_examples"]] == [4, 5, 33]


def test_too_many_bad_entries_stop_the_run(graph, tmp_path):
    source = tmp_path / "pages.jsonl"
    source.write_text('{"title": "a", "text": "b"}\n' + "{\n" * 50, encoding="utf-8")
    with pytest.raises(RollcallError, match="50 of 51 entries are bad"):
        make_corpus([source], tmp_path / "out", graph=graph, jobs=1)


def test_pages_without_title_or_text_and_wrong_bytes_are_borne(graph, tmp_path):
    whole = page_xml("1", "Good", "It is good. Very good.")
    dirty = (
        whole.replace("Good", "Dirty").replace("<id>1<", "<id>2<").encode().replace(b"Very", b"Ver\xff\x00y")
    )
    body = b"<mediawiki>" + whole.encode() + b"<page><id>3</id></page>" + b"<page><title>X</title></page>"
    body += (
        b"<page><title>Y</title><ns>0</ns><id>4</id></page><page><title>Z</title>" + dirty + b"</mediawiki>"
    )
    source = tmp_path / "dirty.xml"
    source.write_bytes(body)
    made = make_corpus([source], tmp_path / "out", graph=graph, jobs=1)
    assert made.text("2") == "It is good. Ver\ufffdy good."
    assert made.manifest["sources"][0]["bad"] == {
        "page without id": 1,
        "page without text": 1,
        "page without title": 1,
        "unfinished page": 1,
    }


def test_pages_with_bad_ids_and_unescaped_or_unended_texts_are_told(graph, tmp_path):
    pages = [page_xml(str(number), f"Page {number}", "It is here. Very much so.") for number in range(1, 30)]
    pages[1] = pages[1].replace("<id>2<", "<id>xx<")
    pages[2] = pages[2].replace("Very", "a <b>very</b>")
    pages[3] = pages[3].replace("</text>", "")
    source = tmp_path / "dirty.xml"
    source.write_text(f"<mediawiki>{''.join(pages)}</mediawiki>", encoding="utf-8")
    made = make_corpus([source], tmp_path / "out", graph=graph, jobs=1)
    assert made.manifest["counts"]["pages"] == 28
    assert made.text("3") == "It is here. a very much so."
    assert made.text("4") == "It is here. Very much so."
    (read,) = made.manifest["sources"]
    assert read["bad"] == {"page without id": 1}
    assert read["mended"] == {"angle bracket in a text that is not escaped": 1, "text without its end": 1}


def test_a_page_longer_than_a_block_is_read_whole(graph, tmp_path):
    long = "A long page has many words. " * 20_000
    pages = [("1", "Short", "Short."), ("2", "Long", long + "\n\nThe end."), ("3", "Last", "Last.")]
    source = tmp_path / "long.xml"
    source.write_text(export_xml(pages, []), encoding="utf-8")
    made = make_corpus([source], tmp_path / "out", graph=graph, jobs=1, block_bytes=1 << 20)
    smaller = make_corpus([source], tmp_path / "small", graph=graph, jobs=1, block_bytes=600_000)
    for corpus in (made, smaller):
        assert len(corpus.sentences("2")) == 20_001
        assert corpus.text("3") == "Last."
    assert (made.folder / "sentences.parquet").read_bytes() == (
        smaller.folder / "sentences.parquet"
    ).read_bytes()


def test_lines_of_any_length_up_to_a_limit_are_read(graph, tmp_path):
    texts = ["Short.", "Long words here. " * 9000, "x" * 700_000, "Short again.", "A last one. " * 3000]
    source = tmp_path / "pages.jsonl"
    lines = [json.dumps({"title": f"T{n}", "text": text}) for n, text in enumerate(texts)]
    source.write_text("\n".join(lines), encoding="utf-8")
    made = make_corpus([source], tmp_path / "out", graph=graph, jobs=1, block_bytes=100_000)
    assert [made.text(page) for page in ("T0", "T1", "T3", "T4")] == [texts[n].strip() for n in (0, 1, 3, 4)]
    assert made.find("T2") == []
    assert made.manifest["sources"][0]["bad"] == {"overlong": 1}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.xml", b"", "is empty"),
        ("a.xml", b"<html></html>", "cannot tell"),
        ("a.jsonl", b'{"a": 1}\n', "begins with '{\"a\": 1}'"),
        ("a.dat", b"plain text", "cannot tell"),
        ("a.xml.bz2", b"not bz2", "the compressed file is damaged"),
        ("a.tar.gz", b"not tar", "the compressed file is cut off"),
        ("a.xml", b"<mediawiki></mediawiki>", "no page was found"),
    ],
)
def test_what_is_no_source_is_refused_in_one_line(graph, tmp_path, name, content, message):
    source = tmp_path / name
    source.write_bytes(content)
    with pytest.raises(RollcallError, match=message) as error:
        make_corpus([source], tmp_path / "out", graph=graph, jobs=1)
    assert "\n" not in str(error.value)


def test_other_folders_are_not_overwritten(graph, tmp_path):
    source = tmp_path / "a.jsonl"
    source.write_text('{"title": "a", "text": "b"}\n', encoding="utf-8")
    with pytest.raises(RollcallError, match="is an input as well as the output"):
        make_corpus([source], graph, graph=graph, jobs=1)
    other = tmp_path / "other"
    shutil.copytree(graph, other)
    with pytest.raises(RollcallError, match="holds what `rollcall graph` made; name another folder"):
        make_corpus([source], other, graph=graph, jobs=1)
    with pytest.raises(RollcallError, match="not a corpus"):
        Corpus.open(graph)
    with pytest.raises(RollcallError, match="no such folder"):
        Corpus.open(tmp_path / "none")
