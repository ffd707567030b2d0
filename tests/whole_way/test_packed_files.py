"""Packed files, damaged anywhere or made to exhaust memory: what is in them, or one line that names them."""

import io
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from packed_files import check_damaged, eval_log, packed_files, word_document
from rollcall import RollcallError
from rollcall.cli.main import main
from rollcall.corpus.documents import missing_library, read_document
from rollcall.questions import read_run

_PLACES = 400
_CHANGES = (0x01, 0x80, 0xFF)


@pytest.mark.parametrize("kind", packed_files())
def test_a_changed_byte_is_harmless_or_refused_in_one_line(tmp_path: Path, kind: str) -> None:
    content = packed_files()[kind].content
    refused = 0
    for place in range(0, len(content), max(1, len(content) // _PLACES)):
        change = _CHANGES[place % len(_CHANGES)]
        damaged = content[:place] + bytes([content[place] ^ change]) + content[place + 1 :]
        refused += check_damaged(kind, damaged, tmp_path)
    assert refused


@pytest.mark.parametrize("kind", packed_files())
def test_a_file_that_is_cut_off_is_refused_in_one_line(tmp_path: Path, kind: str) -> None:
    content = packed_files()[kind].content
    for length in range(1, len(content), max(1, len(content) // 50)):
        check_damaged(kind, content[:length], tmp_path)
    assert check_damaged(kind, content[: len(content) // 2], tmp_path) or kind == "pdf"


@pytest.mark.parametrize("kind", ["eval", "run"])
def test_a_command_names_a_damaged_file_and_what_to_do(
    tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, said = packed_files()["questions gzip"], packed_files()[kind]
    (tmp_path / gold.name).write_bytes(gold.content)
    middle = len(said.content) // 3
    (tmp_path / said.name).write_bytes(said.content[:middle] + b"!" + said.content[middle + 1 :])
    with pytest.raises(SystemExit) as ended:
        main(["score", str(tmp_path / gold.name), str(tmp_path / said.name)])
    assert ended.value.code == 2
    [line] = capsys.readouterr().err.strip().splitlines()
    assert str(tmp_path / said.name) in line
    assert line.endswith("; copy or download it again")


def test_members_with_wrong_names_or_numbers_are_not_left_out(tmp_path: Path) -> None:
    """The directory of an archive has no checksum: one changed letter there would hide a sample."""
    content = eval_log(samples=3)
    at = content.rindex(b"samples/q1")
    (tmp_path / "renamed.eval").write_bytes(content[:at] + b"simples/q1" + content[at + 10 :])
    at = content.rindex(b"PK\5\6")
    fewer = bytearray(content)
    fewer[at + 10] -= 1
    (tmp_path / "fewer.eval").write_bytes(fewer)
    for name in ("renamed.eval", "fewer.eval"):
        with pytest.raises(RollcallError, match="directory"):
            read_run(tmp_path / name)


def test_an_archive_with_too_many_members_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "log.eval").write_bytes(eval_log(samples=30))
    assert len(read_run(tmp_path / "log.eval")) == 30
    monkeypatch.setattr("rollcall._core.files._MOST_MEMBERS", 30)
    with pytest.raises(RollcallError, match="more than 30 members; split it"):
        read_run(tmp_path / "log.eval")


def test_a_word_document_with_more_xml_than_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("docx")
    assert "Ann" in read_document(".docx", word_document()).html
    monkeypatch.setattr("rollcall.corpus.documents._MOST_XML", 500)
    with pytest.raises(RollcallError, match=r"its XML has more than .* split it"):
        read_document(".docx", word_document())


def zeros(count: int) -> bytes:
    """The deflated form of a gigabyte and more, made without that much memory."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    start = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return start + block * (count - 1) + packer.flush()


def zip_of(name: str, packed: bytes, size: int) -> bytes:
    """An archive with one member that says it has this size."""
    about = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 0, 0, len(packed), size, len(name), 0)
    local = b"PK\3\4" + about + name.encode() + packed
    entry = b"PK\1\2" + struct.pack("<H", 20) + about + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name.encode()
    return local + entry + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry), len(local), 0)


def pdf_of(packed: bytes, pages: int) -> bytes:
    """A PDF whose pages all have this deflated content."""
    kids = " ".join(f"{3 + number} 0 R" for number in range(pages))
    content = 3 + pages
    root = f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>"
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", root.encode()]
    page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents %d 0 R >>"
    objects += [(page % (content + number)).encode() for number in range(pages)]
    stream = b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(packed), packed)
    objects += [stream] * pages
    written, places = b"%PDF-1.4\n", []
    for number, content_ in enumerate(objects, 1):
        places.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, content_)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    trailer = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(written))
    return written + end + trailer


def zlib_zeros(count: int) -> bytes:
    return b"\x78\x9c" + zeros(count) + b"\0\0\0\0"


def laughs() -> bytes:
    """XML entities that stand for a billion words."""
    names = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    head = f'<!DOCTYPE x [<!ENTITY e0 "ha">{names}]>'
    return word_document("<w:p><w:r><w:t>&e9;</w:t></w:r></w:p>", head)


def parquet_of_equal_rows(count: int) -> bytes:
    stream = io.BytesIO()
    ids = pa.DictionaryArray.from_arrays(np.zeros(count, np.int32), pa.array(["Ann"]))
    pq.write_table(pa.table({"id": ids}), stream)
    return stream.getvalue()


def parquet_of_a_shared_value() -> bytes:
    """Rows with the same long text, which the file has once."""
    stream = io.BytesIO()
    texts = pa.DictionaryArray.from_arrays(np.zeros(5000, np.int32), pa.array(["a" * (4 << 20)]))
    ids = pa.array([str(number) for number in range(5000)])
    pq.write_table(pa.table({"id": ids, "text": texts}), stream, store_schema=False)
    return stream.getvalue()


def parquet_of_zeros() -> bytes:
    stream = io.BytesIO()
    zeros_ = pa.array(np.zeros(50 << 20, np.int64))
    pq.write_table(pa.table({"id": zeros_}), stream, compression="zstd", use_dictionary=False)
    return stream.getvalue()


def arrow_of_zeros(stored_as: Any = pa.ipc.new_file) -> bytes:
    stream = io.BytesIO()
    table = pa.table({"id": np.zeros(600 << 20, np.int8)})
    with stored_as(stream, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(table)
    return stream.getvalue()


def arrow_of_a_shared_value() -> bytes:
    stream = io.BytesIO()
    texts = pa.DictionaryArray.from_arrays(np.zeros(5000, np.int32), pa.array(["a" * (3 << 20)]))
    with pa.ipc.new_file(stream, pa.schema({"text": texts.type})) as writer:
        writer.write_table(pa.table({"text": texts}))
    return stream.getvalue()


_GIGABYTE = 1 << 10
BOMBS = {
    "an eval log": (
        "x.eval", lambda: zip_of("samples/1.json", zeros(3 * _GIGABYTE), 3 << 30), "times larger"
    ),
    "an eval log with a false size": (
        "x.eval", lambda: zip_of("samples/1.json", zeros(_GIGABYTE), 1 << 20), "damaged"
    ),
    "a Word document": (
        "x.docx", lambda: zip_of("word/document.xml", zeros(3 * _GIGABYTE), 3 << 30), "times larger"
    ),
    "a Word document with a false size": (
        "x.docx", lambda: zip_of("word/document.xml", zeros(_GIGABYTE), 1 << 20), "damaged"
    ),
    "a Word document of many tags": ("x.docx", lambda: word_document("<w:p/>" * 5_000_000), "tags; split it"),
    "a Word document of entities": ("x.docx", laughs, "document type"),
    "a page of a PDF": ("x.pdf", lambda: pdf_of(zlib_zeros(2 * _GIGABYTE), 1), "decompressing"),
    "many pages of a PDF": ("x.pdf", lambda: pdf_of(zlib_zeros(10), 100), "far larger than the file"),
    "a Parquet file of equal rows": (
        "x.parquet", lambda: parquet_of_equal_rows(20_000_000), "rows, far more"
    ),
    "a Parquet file of zeros": ("x.parquet", parquet_of_zeros, "times larger"),
    "a Parquet file whose rows share a text": ("x.parquet", parquet_of_a_shared_value, "times larger"),
    "pages in Parquet that are zeros": ("pages.parquet", parquet_of_zeros, "times larger"),
    "pages in Parquet that share a text": ("pages.parquet", parquet_of_a_shared_value, "times larger"),
    "equal pages in Parquet": (
        "pages.parquet", lambda: parquet_of_equal_rows(20_000_000), "rows, far more"
    ),
    "pages in Arrow": ("pages.arrow", arrow_of_zeros, "times larger"),
    "pages in a stream of Arrow": (
        "pages.arrow", lambda: arrow_of_zeros(pa.ipc.new_stream), "times larger"
    ),
    "pages in Arrow that share a text": ("pages.arrow", arrow_of_a_shared_value, "times larger"),
}  # fmt: skip
_CHILD = """
import resource, sys
from pathlib import Path
from rollcall.corpus.documents import read_document
from rollcall._core.errors import RollcallError
from rollcall.input_files.arrow_file import batches
from rollcall.questions import read_run
import pyarrow.compute, pyarrow.parquet
path = Path(sys.argv[1])
if path.suffix == ".docx":
    import docx
elif path.suffix == ".pdf":
    import pypdf
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (400 << 20),) * 2)
try:
    if path.suffix in (".docx", ".pdf"):
        read_document(path.suffix, path.read_bytes())
    elif path.stem == "pages":
        for batch in batches(path, path, 1000):
            batch.to_pylist()
    else:
        read_run(path)
except RollcallError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the limit on memory is that of Linux")
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_small_file_cannot_use_much_memory(tmp_path: Path, bomb: str) -> None:
    name, make, problem = BOMBS[bomb]
    if missing_library(Path(name).suffix):
        pytest.skip(f"{name} needs the extra `documents`")
    (tmp_path / name).write_bytes(make())
    assert (tmp_path / name).stat().st_size < 4 << 20
    child = subprocess.run(
        [sys.executable, "-c", _CHILD, str(tmp_path / name)], capture_output=True, text=True, check=False
    )
    assert child.returncode == 0, child.stderr
    assert problem in child.stdout
    assert child.stdout.count("\n") == 1
