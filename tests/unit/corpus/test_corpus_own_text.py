"""Text as people have it: documents, tables, arrays, collections of other tools, also without a graph."""

import io
import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pdf_file import pdf
from rollcall import RollcallError
from rollcall.corpus import Corpus, make_corpus
from rollcall.corpus.documents import paragraphs, read_document, without_running_heads
from rollcall.graph import EntityRecord, make_graph, write_graph

PAGES = [
    {"id": "1", "title": "Falcon Pump", "text": "The Falcon Pump is made by Nordwerk. It has a seal."},
    {"id": "2", "title": "Osprey Pump", "text": "The Osprey Pump, too, is made by Nordwerk."},
]


def read(folder: Path, *sources: Path, **options: object) -> Corpus:
    return make_corpus(list(sources), folder / "corpus", jobs=1, **options)  # type: ignore[arg-type]


def pages(corpus: Corpus) -> list[tuple[str, str, str]]:
    found = [
        (id_, corpus.page(id_).title, "".join(s.text + s.after for s in corpus.sentences(id_)))
        for id_ in corpus.tables.pages.id.to_pyarrow().to_pylist()
    ]
    return sorted(found)


EXPECTED = [(page["id"], page["title"], page["text"]) for page in PAGES]


def csv(separator: str) -> str:
    rows = [("Number", "Headline", "Body"), *((p["id"], p["title"], f'"{p["text"]}"') for p in PAGES)]
    return "".join(separator.join(row) + "\n" for row in rows)


def lines(**keys: str) -> str:
    return "".join(json.dumps({keys[key]: page[key] for key in keys}) + "\n" for page in PAGES)


@pytest.mark.parametrize(
    ("name", "content", "columns"),
    [
        ("a.csv", csv(",").replace("Number,Headline,Body", "id,title,text"), ""),
        ("a.csv", csv(";"), "id=number,title=headline,text=body"),
        ("a.tsv", csv("\t"), "id=Number"),
        ("a.json", json.dumps(PAGES), ""),
        ("a.json", json.dumps(PAGES, indent=2), ""),
        ("a.jsonl", lines(id="_id", title="title", text="text"), ""),
        ("a.jsonl", lines(id="docid", title="headline", text="contents"), ""),
        ("a.jsonl", lines(id="no", title="called", text="said"), "id=no,title=called,text=said"),
    ],
)
def test_pages_in_the_forms_of_other_tools(tmp_path: Path, name: str, content: str, columns: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    options = {"source_options": {"columns": columns}} if columns else {}
    if "said" in content:
        options["formats"] = "pages"  # type: ignore[assignment]
    corpus = read(tmp_path, tmp_path / name, **options)
    assert pages(corpus) == EXPECTED
    assert corpus.manifest["sources"][0]["bad"] == {}


def test_pyserini_has_the_title_in_the_first_line(tmp_path: Path) -> None:
    records = [{"id": p["id"], "contents": f"{p['title']}\n{p['text']}"} for p in PAGES]
    records.append({"id": "3", "contents": "No title here, only a sentence."})
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    third = ("3", "3", "No title here, only a sentence.")
    assert pages(read(tmp_path, tmp_path / "a.jsonl")) == [*EXPECTED, third]


def test_beir_keeps_passages_of_one_title_and_those_without(tmp_path: Path) -> None:
    folder = tmp_path / "scifact"
    folder.mkdir()
    records = [{"_id": str(n), "title": "" if n == 2 else "Pumps", "text": f"Pump {n}.", "metadata": {}}
               for n in range(3)]  # fmt: skip
    (folder / "corpus.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "Which pump?"}\n')
    assert pages(read(tmp_path, folder)) == [
        ("0", "Pumps", "Pump 0."), ("1", "Pumps", "Pump 1."), ("2", "2", "Pump 2.")
    ]  # fmt: skip


def test_files_of_hugging_face_datasets(tmp_path: Path) -> None:
    table = pa.Table.from_pylist([{**page, "score": 0.5} for page in PAGES])
    (tmp_path / "hub" / "data").mkdir(parents=True)
    pq.write_table(table, tmp_path / "hub" / "data" / "train-00000-of-00001.parquet")
    (tmp_path / "hub" / "README.md").write_text("# A card")
    assert pages(read(tmp_path, tmp_path / "hub")) == EXPECTED
    saved = tmp_path / "saved"
    saved.mkdir()
    with (
        pa.OSFile(str(saved / "data-00000-of-00001.arrow"), "wb") as sink,
        pa.ipc.new_stream(sink, table.schema) as writer,
    ):
        writer.write_table(table)
    (saved / "state.json").write_text("{}")
    assert pages(read(tmp_path / "hub", saved)) == EXPECTED


def test_texts_without_id_and_title_are_known_by_their_content(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": ["One pump.", "Another pump."]}), tmp_path / "a.parquet")
    found = pages(read(tmp_path, tmp_path / "a.parquet"))
    assert sorted((title, text) for _, title, text in found) == [
        ("Another pump.", "Another pump."), ("One pump.", "One pump.")
    ]  # fmt: skip


def test_a_table_without_a_text_says_how_to_name_it(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("wer,was\nich,du\n")
    with pytest.raises(RollcallError, match="has wer, was, of which none is known to hold the text"):
        read(tmp_path, tmp_path / "a.csv")
    with pytest.raises(RollcallError, match="has no column body"):
        read(tmp_path, tmp_path / "a.csv", source_options={"columns": "text=body"})


def test_rows_that_cannot_be_read_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,title,text\n1,Falcon Pump,A pump.\n2,only two\n3,Osprey Pump,Too.\n")
    corpus = read(tmp_path, tmp_path / "a.csv")
    assert corpus.manifest["counts"]["pages"] == 2
    (example,) = corpus.manifest["sources"][0]["bad_examples"]
    assert (example["line"], example["reason"]) == (3, "2 columns, not 3")


def documents(folder: Path) -> Path:
    docx = pytest.importorskip("docx")
    place = folder / "manuals"
    (place / "firms").mkdir(parents=True)
    (place / "falcon.txt").write_text("Falcon Pump\n\nThe Falcon Pump is made\nby Nordwerk.\n")
    (place / "osprey.md").write_text(
        "# Osprey Pump\n\nThe **Osprey Pump** is made by [the firm](firms/nordwerk.html).\n\n## Parts\n\n"
        "It has a valve.\n\n| part | supplier |\n|---|---|\n| Brass Valve | Kestrel |\n"
    )
    (place / "firms" / "nordwerk.html").write_text(
        "<html><head><title>Home</title></head><body><h1>Nordwerk</h1><p>Nordwerk is in Malm\u00f6.</p>",
        encoding="latin-1",
    )
    word = docx.Document()
    word.add_heading("Rotor Seal", 0)
    word.add_paragraph("The Rotor Seal is supplied by Kestrel.")
    word.add_table(1, 2).cell(0, 1).text = "Kestrel"
    word.save(str(place / "seal.docx"))
    (place / "Brass_Valve.pdf").write_bytes(
        pdf(["Manual 7", "The valve is sup-", "plied by Kestrel."], ["Manual 7", "It is red."], ["Manual 7"])
    )
    (place / "logo.png").write_bytes(b"\x89PNG")
    (place / ".hidden.txt").write_text("nothing")
    return place


def test_a_folder_of_documents(tmp_path: Path) -> None:
    names = ("Falcon Pump", "Osprey Pump", "Nordwerk", "Rotor Seal", "Brass Valve")
    graph = write_graph(
        tmp_path / "graph",
        facts=[("Falcon Pump", "maker", "Nordwerk")],
        entities=[EntityRecord(name, name) for name in names],
    )
    corpus = read(tmp_path, documents(tmp_path), graph=graph)
    assert pages(corpus) == [
        ("Brass_Valve.pdf", "Brass Valve", "The valve is supplied by Kestrel. It is red."),
        ("falcon.txt", "Falcon Pump", "The Falcon Pump is made by Nordwerk."),
        ("firms/nordwerk.html", "Nordwerk", "Nordwerk is in Malm\u00f6."),
        ("osprey.md", "Osprey Pump", "The Osprey Pump is made by the firm.\nIt has a valve."),
        ("seal.docx", "Rotor Seal", "The Rotor Seal is supplied by Kestrel."),
    ]
    assert {corpus.page(id_).entity for id_, _, _ in pages(corpus)} == set(names)
    (link,) = corpus.links("osprey.md")
    assert (link.anchor, link.target, link.entity) == ("the firm", "firms/nordwerk.html", "Nordwerk")
    (table,) = corpus.page_tables("osprey.md")
    assert list(table.header) == ["part", "supplier"]
    assert corpus.sentences("osprey.md")[1].section == "Osprey Pump -- Parts"
    (source,) = corpus.manifest["sources"]
    assert source["skipped"] == {"files of other kinds (.png)": 1}
    assert source["mended"] == {"not UTF-8, read as latin-1": 1}
    assert source["bad"] == {}


def test_json_files_without_pages_are_left_out_among_documents(tmp_path: Path) -> None:
    place = tmp_path / "texts"
    place.mkdir()
    (place / "falcon.txt").write_text("Falcon Pump\n\nThe Falcon Pump is red.\n")
    (place / "settings.json").write_text('{"colour": "red"}')
    (place / "numbers.json").write_text("[1, 2]")
    (place / "prices.json").write_text('[{"sku": 7, "price": 3}]')
    (place / "more.json").write_text('[{"title": "Osprey Pump", "text": "The Osprey Pump is blue."}]')
    corpus = read(tmp_path, place)
    assert [title for _, title, _ in pages(corpus)] == ["Osprey Pump", "Falcon Pump"]
    assert corpus.manifest["sources"][0]["skipped"] == {"files of other kinds (.json)": 3}
    with pytest.raises(RollcallError, match=r"settings\.json: cannot tell what this is"):
        read(tmp_path / "other", place / "settings.json")


def test_a_source_that_is_not_there_may_be_meant_as_a_folder(tmp_path: Path) -> None:
    with pytest.raises(RollcallError, match=r"nodocs: no such file or folder$"):
        read(tmp_path, tmp_path / "nodocs")


def test_documents_named_one_by_one_are_the_same_pages(tmp_path: Path) -> None:
    folder = documents(tmp_path)
    corpus = read(tmp_path, folder / "falcon.txt", folder / "seal.docx")
    assert [(id_, title) for id_, title, _ in pages(corpus)] == [
        ("falcon.txt", "Falcon Pump"), ("seal.docx", "Rotor Seal")
    ]  # fmt: skip


def test_a_changed_document_is_read_again_by_the_same_command(tmp_path: Path) -> None:
    folder = documents(tmp_path)
    before = read(tmp_path, folder).manifest["sources"][0]["sha256"]
    (folder / "falcon.txt").write_text("Falcon Pump\n\nIt is blue.\n")
    corpus = read(tmp_path, folder)
    assert ("falcon.txt", "Falcon Pump", "It is blue.") in pages(corpus)
    assert corpus.manifest["sources"][0]["sha256"] != before


def test_folders_with_nothing_to_read_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(RollcallError, match="there is no file in this folder"):
        read(tmp_path, tmp_path / "empty")
    (tmp_path / "empty" / "a.png").write_bytes(b"x")
    with pytest.raises(RollcallError, match=r"nothing to read in this folder but \.png"):
        read(tmp_path, tmp_path / "empty")


def test_a_damaged_document_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    folder = documents(tmp_path)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    (folder / "broken.docx").write_bytes(b"PK nothing")
    corpus = read(tmp_path, folder)
    assert corpus.manifest["counts"]["pages"] == 5
    reasons = {one["reason"].partition(":")[0] for one in corpus.manifest["sources"][0]["bad_examples"]}
    assert reasons == {"broken.pdf", "broken.docx"}


def test_documents_that_cannot_be_opened_are_named_and_the_others_are_read(tmp_path: Path) -> None:
    folder = documents(tmp_path)
    (folder / "gone.md").symlink_to("nowhere.md")
    (folder / "loop.md").symlink_to("loop.md")
    os.mkfifo(folder / "pipe.txt")
    expected = ["gone.md: No such file", "loop.md: Too many levels", "pipe.txt: is a pipe or a device"]
    if Path("/proc/self/mem").exists():
        (folder / "torn.txt").symlink_to("/proc/self/mem")  # a file whose reading fails
        expected.append("torn.txt: Input/output error")
    corpus = read(tmp_path, folder)
    assert len(pages(corpus)) == 5
    (source,) = corpus.manifest["sources"]
    assert source["bad"] == {"unreadable document": len(expected)}
    for example, document in zip(source["bad_examples"], expected, strict=True):
        assert example["reason"].startswith(document)


def test_the_current_folder_is_called_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = documents(tmp_path)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    monkeypatch.chdir(folder)
    for sources in ([Path()], [Path("broken.pdf"), Path("osprey.md")]):
        (source,) = read(tmp_path, *sources, force=True).manifest["sources"]
        assert source["name"] == folder.name
        (example,) = source["bad_examples"]
        assert example["source"] == folder.name
        assert example["reason"].startswith("broken.pdf: ")


@pytest.mark.parametrize("make", [make_graph, make_corpus])
def test_a_pipe_is_refused_as_a_source(tmp_path: Path, make: Callable[..., object]) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    with pytest.raises(
        RollcallError, match=r"pipe\.jsonl: is a pipe or a device, .*; write its content to a"
    ):
        make([tmp_path / "pipe.jsonl"], tmp_path / "out")


@pytest.mark.parametrize("place", [0, 3, 150])
def test_a_damaged_member_of_a_tar_archive_is_reported(tmp_path: Path, place: int) -> None:
    """Python's library takes a damaged header for the end of the archive, and says nothing."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name in ("a.jsonl", "b.jsonl"):
            content = json.dumps({"title": name, "text": "Words here."}).encode()
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    content_ = bytearray(stream.getvalue())
    assert content_[1024:1031] == b"b.jsonl"
    content_[1024 + place] ^= 0xFF
    (tmp_path / "pages.tar").write_bytes(content_)
    corpus = read(tmp_path, tmp_path / "pages.tar", max_bad=1.0)
    assert corpus.manifest["counts"]["pages"] == 1
    assert corpus.manifest["sources"][0]["bad"] == {"damaged": 1}


def test_what_a_document_needs_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollcall.corpus.documents.find_spec", lambda name: None)
    (tmp_path / "a.pdf").write_bytes(b"%PDF")
    with pytest.raises(RollcallError, match=r"pip install 'rollcall-qa\[documents\]'"):
        read(tmp_path, tmp_path / "a.pdf")


def test_a_corpus_without_a_graph_serves_retrieval_and_no_build(tmp_path: Path) -> None:
    from rollcall import retrieve
    from rollcall.build import build

    (tmp_path / "a.jsonl").write_text(lines(id="id", title="title", text="text"))
    corpus = read(tmp_path, tmp_path / "a.jsonl")
    assert corpus.manifest["graph"] == ""
    asked = [{"id": "q", "question": "Which pump has a seal?", "answers": ["Falcon Pump"]}]
    run = retrieve(asked, corpus=corpus, k=1)
    assert [passage.id for passage in run.predictions[0].retrieved] == ["1__0"]
    graph = write_graph(tmp_path / "graph", facts=[("a", "r", "b")])
    with pytest.raises(RollcallError, match="was made without a graph"):
        build("qampari", graph=graph, corpus=corpus, out=tmp_path / "set")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One long line that was broken\nat a width, and goes on here\nto its end.\nA new one.",
         ["One long line that was broken at a width, and goes on here to its end.", "A new one."]),
        ("a line\n\nanother", ["a line", "another"]),
        ("- first thing\n- second thing", ["- first thing", "- second thing"]),
        ("x" * 200 + "\nshort\n", ["x" * 200, "short"]),
    ],
)  # fmt: skip
def test_lines_broken_at_a_width_are_joined(text: str, expected: list[str]) -> None:
    assert paragraphs(text) == expected


def test_running_heads_and_numbers_of_pages_are_left_out() -> None:
    given = [f"Manual, page {n}\nText {n}.\n{n}" for n in range(4)]
    assert list(without_running_heads(given)) == [f"Text {n}." for n in range(4)]


def test_titles_of_documents() -> None:
    assert read_document(".md", b"---\ntitle: 'A pump'\n---\nText.").title == "A pump"
    assert read_document(".txt", b"A pump\n======\nText.").title == "A pump"
    assert read_document(".txt", b"A pump is here.\n\nText.").title == ""
    assert read_document(".html", b"<title>A &amp; B</title><p>Text.").title == "A & B"
