"""Files made to break a reader: one bad entry costs itself alone, and nothing takes all time or memory."""

import bz2
import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from rollcall import RollcallError
from rollcall._core.files import open_compressed
from rollcall.corpus import Chunking, CorpusShard, PageRecord, SourceFindings
from rollcall.corpus.html import parse_html
from rollcall.corpus.sources.mediawiki import MediaWiki
from rollcall.corpus.wikitext import parse
from rollcall.evidence.values import ValueMatcher
from rollcall.graph import Graph, make_graph
from rollcall.graph.ingest.cells import read_cell
from rollcall.input_files.input_file import open_intact
from rollcall.llm import parse_list
from rollcall.query import Text, parse_value
from rollcall.questions import read_questions, read_run
from rollcall.systems.read.combined.looks import Tempering
from rollcall.systems.train.example_folder import ExampleFolder
from rollcall.systems.train.model_folder import read_about

DEEP = "[" * 3000 + "]" * 3000


def test_deep_json_among_the_entries_of_a_graph_is_a_bad_entry(tmp_path: Path) -> None:
    lines = [
        '{"subject": "A", "relation": "r", "object": "B"}',
        f'{{"subject": "C", "relation": "r", "object": {DEEP}}}',
    ]
    (tmp_path / "facts.jsonl").write_text("\n".join([lines[0], lines[1], lines[0].replace("A", "D")]) + "\n")
    graph = make_graph([tmp_path / "facts.jsonl"], tmp_path / "g", jobs=1, show_progress=False)
    source = graph.manifest["sources"][0]
    assert source["bad"] == {"malformed": 1}
    assert source["bad_examples"][0]["line"] == 2
    assert graph.manifest["counts"]["facts"] == 2


def test_a_file_that_begins_with_deep_json_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(DEEP)
    (tmp_path / "y.json").write_text('{"a":' * 3000)
    for name in ("x.json", "y.json"):
        with pytest.raises(RollcallError):
            make_graph([tmp_path / name], tmp_path / "g", jobs=1, show_progress=False)


@pytest.mark.parametrize(
    "content",
    [
        DEEP,
        f'{{"q1": {DEEP}}}',
        '{"id": "a", "question": "q", "answers": [{"label": "x"}]}\n'
        f'{{"id": "b", "answers": [{{"label": "x"}}], "provenance": {{"x": {DEEP}}}}}',
        f'{{"id": "a", "answers": ["x"]}}\n{{"id": "b", "answers": ["x", {DEEP}]}}',
        f'[{{"question": "q", "answer": {DEEP}}}]',
        f"q\t{DEEP}",
    ],
)
def test_deep_json_in_gold_and_predictions_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "x").write_text(content)
    for read in (read_questions, read_run):
        try:
            read(tmp_path / "x")
        except RollcallError as error:
            line = str(error)
        else:
            line = ""
        assert "\n" not in line
    with pytest.raises(RollcallError):
        read_questions(tmp_path / "x")


def test_deep_json_in_files_that_rollcall_wrote_is_refused_in_one_line(tmp_path: Path) -> None:
    deep = '{"system": "rollcall", "x": ' + "[" * 3000 + "]" * 3000 + "}"
    for name in ("rollcall.json", "exercises.json", "tempering.json", "graph.json"):
        (tmp_path / name).write_text(deep)
    for read in (
        lambda: read_about(tmp_path, "rollcall"),
        lambda: Tempering.open(tmp_path),
        lambda: ExampleFolder(tmp_path).about(),
        lambda: Graph.open(tmp_path),
    ):
        with pytest.raises(RollcallError) as caught:
            read()
        assert str(caught.value).startswith(str(tmp_path))
        assert "\n" not in str(caught.value)


WRONG_TYPES = [
    '{"title": "T", "paragraphs": 5}',
    '{"title": "T", "paragraphs": [{"qas": "x"}]}',
    '{"title": "T", "paragraphs": [{"context": "c"}]}',
    '{"paragraphs": [{"qas": [{"id": {}, "question": "q", "answers": []}]}]}',
    '{"paragraphs": [{"qas": [{"id": "1", "question": "q", "answers": [{"text": {"a": 1}}]}]}]}',
    '{"question": "q", "answer": {"value": ["a"]}}',
    '{"question": "q", "answer": [["a"], [{}]]}',
    '{"qid": "1", "graph_query": 5}',
    '{"qid": "1", "graph_query": {}, "answer": [[]]}',
    '{"id": "1", "query_text": "", "answers": [{"id": 1}]}',
    '{"id": 1, "complete_answer": [], "constraints": [{"prop": 5}]}',
    '{"id": "1", "annotations": [{"qaPairs": 5}]}',
]


@pytest.mark.parametrize("content", WRONG_TYPES)
@pytest.mark.parametrize("shape", ["%s\n%s\n", "[%s, %s]", '{"data": [%s, %s]}'])
def test_wrong_types_inside_a_published_file_are_refused_in_one_line(
    tmp_path: Path, content: str, shape: str
) -> None:
    (tmp_path / "x").write_text(shape % (content, content))
    with pytest.raises(RollcallError) as error:
        read_questions(tmp_path / "x")
    assert str(error.value).startswith(str(tmp_path / "x"))


@pytest.mark.parametrize(
    "graph", [{"edges": 5}, {"edges": [5]}, {"nodes": [{"nid": []}], "edges": []}, {"union": 5}]
)
def test_an_entry_whose_graph_query_is_none_is_skipped_and_counted(tmp_path: Path, graph: object) -> None:
    good = {"qid": "7000001", "question": "q", "answer": ["a"], "graph_query": None}
    bad = {**good, "qid": "8000001", "graph_query": graph}
    (tmp_path / "x").write_text(json.dumps([good, bad, bad]))
    read = read_questions(tmp_path / "x")
    assert [question.id for question in read] == ["7000001"]
    [warning] = read.manifest["warnings"]
    assert "x: skipped 2 of 3 entries whose graph_query is invalid; the first is record 2 (qid 8" in warning
    (tmp_path / "y").write_text(json.dumps([bad]))
    with pytest.raises(RollcallError, match="y: skipped 1 of 1 entries"):
        read_questions(tmp_path / "y")


@pytest.mark.parametrize(
    "cell",
    [
        "(" * 700 + "5 m" + ")" * 700,
        "5 m " + "(5 m " * 700 + ")" * 700,
        "9" * 60_000,
        "(1 m" * 20_000,
        "*" * 60_000 + "x",
    ],
)
def test_a_cell_that_is_no_value_is_a_text(cell: str) -> None:
    assert read_cell(cell) == Text(cell)


def test_a_conversion_inside_a_conversion_is_still_read() -> None:
    assert read_cell("5 ft (60 in (152.4 cm))").text == read_cell("5 ft").text


def test_instructions_and_deep_headings_in_html_are_read() -> None:
    assert parse_html("<p>a<?php echo 1 ?>b</p>").text == "ab"
    content = parse_html("<h1><div>" * 400 + "words" + "</div></h1>" * 400)
    assert "words" in content.text + " ".join(section.heading for section in content.sections)
    assert "nested too deeply" in content.problems
    assert parse_html("<div>" * 100_000 + "words").text == "words"


def test_templates_in_templates_are_rendered_once_each() -> None:
    """Each level asks for its argument twice; rendered anew each time, that is 2^39 renderings."""
    page = "{{circa|1|" * 39 + "x" + "}}" * 39
    assert parse(page).text.startswith("c. 1 – c. 1 – ")


def test_a_table_that_is_never_closed_ends_in_time() -> None:
    assert parse("{|\n" + "\n " * 200_000 + "|x").tables[0].rows[0][0].text == "x"


def test_spans_do_not_blow_a_table_up() -> None:
    table = parse("{|\n| colspan=256 rowspan=60000 | x\n" + "|-\n| y\n" * 5_000 + "|}").tables[0]
    assert sum(len(row) for row in table.rows) < 150_000


def test_one_page_that_cannot_be_read_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    page = "<page><title>%s</title><ns>0</ns><id>%d</id><revision><text>Words.</text></revision></page>\n"
    add_page = CorpusShard._add_links

    def broken(self: CorpusShard, page: PageRecord, spans: list[tuple[int, int]]) -> None:
        if page.title == "B":
            raise RecursionError
        add_page(self, page, spans)

    monkeypatch.setattr(CorpusShard, "_add_links", broken)
    shard, findings = CorpusShard(0, Chunking()), SourceFindings()
    block = "".join(page % (title, number) for number, title in enumerate("ABC")).encode()
    MediaWiki("").read(block, shard, findings)
    assert [row[2] for row in shard.rows["pages"]] == ["A", "C"]
    assert len(shard.rows["sentences"]) == 2, "nothing of a bad page is kept"
    assert findings.tally.bad == {"unreadable page": 1}
    assert findings.tally.examples[0].line == 2


def most_at_once(path: Path) -> tuple[int, int, str | None]:
    """How much was given at once and in all, and how the file ended."""
    most = total = 0
    with open_intact(path) as stream:
        while chunk := stream.read1(1 << 20):
            most, total = max(most, len(chunk)), total + len(chunk)
        return most, total, stream.damage


@pytest.mark.parametrize(
    ("suffix", "compress"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".zst", zstandard.compress)]
)
def test_a_small_file_does_not_become_a_large_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, compress: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr("rollcall._core.files._SMALL", 1 << 20)
    path = tmp_path / f"x.jsonl{suffix}"
    path.write_bytes(compress(bytes(8 << 20)))
    _, total, damage = most_at_once(path)
    assert total < 6 << 20
    assert damage is not None
    assert "times larger" in damage
    with pytest.raises(RollcallError):
        read_questions(path)


def test_what_zstandard_gives_at_once_is_bounded() -> None:
    from rollcall._core.files import _zstd

    bomb = zstandard.ZstdCompressor(level=3).compress(bytes(1 << 27))
    assert len(_zstd().decompress(bomb, 1 << 20)) <= 1 << 20


def test_a_window_beyond_all_bounds_is_refused_with_what_to_do(tmp_path: Path) -> None:
    parameters = zstandard.ZstdCompressionParameters.from_level(3, window_log=28)
    made = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    (tmp_path / "x.zst").write_bytes(made.compress(b"words " * 1000) + made.flush())
    with (
        open_compressed(tmp_path / "x.zst") as stream,
        pytest.raises(RollcallError, match=r"window .* 128 MiB .*--long=27"),
    ):
        stream.read()


def test_a_line_of_a_csv_file_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollcall.input_files.rows.LONGEST_FIELD", 1000)
    content = "subject,relation,object\nA,r,B\nC,r," + "x" * 5000 + "\nD,r,E\n"
    (tmp_path / "x.csv").write_text(content)
    limit = csv.field_size_limit()  # of the whole process
    try:
        graph = make_graph([tmp_path / "x.csv"], tmp_path / "g", jobs=1, show_progress=False)
    finally:
        csv.field_size_limit(limit)
    assert graph.manifest["counts"]["facts"] == 2
    assert graph.manifest["sources"][0]["bad"] == {"overlong": 1}


def test_a_reply_of_brackets_and_a_sentence_of_figures_end_in_time() -> None:
    assert parse_list("[" * 100_000) is None
    matcher = ValueMatcher()
    matcher.add(parse_value("5"), 0)
    assert matcher.find("1 000" * 20_000) == []
    assert matcher.find("It has 5 parts.")
