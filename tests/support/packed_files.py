"""Small files of every packed kind that Rollcall reads, each with the function that reads it.

A single changed byte may be harmless, as in a time stamp. Otherwise the reader must refuse the file in one
line that names it. Only formats without checksums may give something else.
"""

import bz2
import gzip
import io
import json
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from fuzzing.target import in_one_line
from pdf_file import pdf
from rollcall import RollcallError
from rollcall._core.files import read_arrays
from rollcall.audit.missing import read_candidates
from rollcall.corpus.documents import missing_library, read_document
from rollcall.evidence.labelled import read_triples
from rollcall.input_files.arrow_file import batches, column_names
from rollcall.questions import Completeness, read_questions, read_run
from rollcall.questions.judgment import read_judgments
from rollcall.systems.read.combined.statements import FILE, Statements, StatementWeights
from rollcall.systems.train.training_example import read_examples


class Packed(NamedTuple):
    """A packed file: its name, its content, and what reads it as a comparable value."""

    name: str
    content: bytes
    read: Callable[[Path], Any]
    has_checksum: bool = True


QUESTION = {"id": "q1", "question": "Who?", "answers": [{"label": "Ann"}, {"label": "Bo"}]}
PREDICTION = {"id": "q1", "answers": ["Ann", "Bo"]}
TRIPLE = {"text": "Ann made it.", "subject": "Ann", "relation": "made", "object": "it"}
SAMPLE = {"epoch": 1, "output": {"completion": '["Ann", "Bo"]'}, "model_usage": {"m": {"total_tokens": 3}}}


def lines(*records: object) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return stream.getvalue()


def eval_log(samples: int = 2, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A log of inspect_ai."""
    members = {"header.json": b'{"status": "success"}'}
    for number in range(samples):
        members[f"samples/q{number}_epoch_1.json"] = json.dumps({"id": f"q{number}", **SAMPLE}).encode()
    return zipped(members, method)


def word_document(body: str = "<w:p><w:r><w:t>Ann made it.</w:t></w:r></w:p>", head: str = "") -> bytes:
    """A Word document of the three parts that every document needs."""
    schemas = "http://schemas.openxmlformats.org"
    types = f'<Types xmlns="{schemas}/package/2006/content-types">'
    types += (
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    )
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    types += f'<Override PartName="/word/document.xml" ContentType="{kind}"/></Types>'
    relation = f"{schemas}/officeDocument/2006/relationships/officeDocument"
    relations = f'<Relationships xmlns="{schemas}/package/2006/relationships">'
    relations += f'<Relationship Id="rId1" Type="{relation}" Target="word/document.xml"/></Relationships>'
    document = f'<?xml version="1.0"?>{head}<w:document xmlns:w="{schemas}/wordprocessingml/2006/main">'
    document += f"<w:body>{body}</w:body></w:document>"
    texts = {"[Content_Types].xml": types, "_rels/.rels": relations, "word/document.xml": document}
    return zipped({name: text.encode() for name, text in texts.items()})


def _arrays() -> bytes:
    stream = io.BytesIO()
    np.savez(stream, rows=np.arange(12).reshape(3, 4), weights=np.ones(5, np.float32))
    return stream.getvalue()


def _parquet() -> bytes:
    stream = io.BytesIO()
    table = pa.Table.from_pylist([QUESTION, {**QUESTION, "id": "q2"}])
    pq.write_table(table, stream, write_page_checksum=True)
    return stream.getvalue()


def _arrow() -> bytes:
    stream = io.BytesIO()
    table = pa.table({"title": ["Té", "U"], "text": ["Words here.", None]})
    with pa.ipc.new_file(stream, table.schema) as writer:
        writer.write_table(table)
    return stream.getvalue()


def _rows(path: Path) -> object:
    rows = [row for batch in batches(path, path, 1000) for row in batch.to_pylist()]
    return column_names(path, path), rows


def _questions(path: Path) -> object:
    return msgspec.to_builtins(read_questions(path).questions)


def _predictions(path: Path) -> object:
    return msgspec.to_builtins(read_run(path).predictions)


def _statements(path: Path) -> object:
    return Statements.open(path.parent)


def _read_arrays(path: Path) -> object:
    return {name: array.tolist() for name, array in read_arrays(path).items()}


@cache
def packed_files() -> dict[str, Packed]:
    """The files by the name of their kind; without those whose libraries are not installed."""
    questions, answers = lines(QUESTION, {**QUESTION, "id": "q2"}), lines(PREDICTION)
    weights = msgspec.json.encode(Statements(StatementWeights(0.5, {"*": {"won": 1.0}})))
    judgment = lines({"question": "q1", "answer": "Ann", "right": True, "by": "person"})
    files = {
        "eval": Packed("log.eval", eval_log(), _predictions),
        "eval stored": Packed("log.eval", eval_log(method=zipfile.ZIP_STORED), _predictions),
        "eval bzip2": Packed("log.eval", eval_log(method=zipfile.ZIP_BZIP2), _predictions),
        "questions gzip": Packed("q.jsonl.gz", gzip.compress(questions, mtime=0), _questions),
        "questions bzip2": Packed("q.jsonl.bz2", bz2.compress(questions), _questions),
        "questions zstd": Packed(
            "q.jsonl.zst", zstandard.ZstdCompressor(write_checksum=True).compress(questions), _questions
        ),
        "questions parquet": Packed("q.parquet", _parquet(), _questions, has_checksum=False),
        "rows parquet": Packed("r.parquet", _parquet(), _rows, has_checksum=False),
        "rows arrow": Packed("r.arrow", _arrow(), _rows, has_checksum=False),
        "run": Packed("run.jsonl.gz", gzip.compress(answers, mtime=0), _predictions),
        "judgments": Packed("j.jsonl.gz", gzip.compress(judgment, mtime=0), read_judgments),
        "completeness": Packed("c.json.gz", gzip.compress(b"0.88", mtime=0), Completeness.open),
        "candidates": Packed(
            "m.jsonl.gz",
            gzip.compress(lines({"question": "q1", "asked": "Who?", "answer": "Ann"}), mtime=0),
            read_candidates,
        ),
        "triples": Packed("t.jsonl.gz", gzip.compress(lines(TRIPLE), mtime=0), read_triples),
        "exercises": Packed("train.jsonl.gz", gzip.compress(lines(QUESTION), mtime=0), read_examples),
        "statements": Packed(FILE, gzip.compress(weights, mtime=0), _statements),
        "arrays": Packed("a.npz", _arrays(), _read_arrays),
        "word": Packed("d.docx", word_document(), _document),
        "pdf": Packed("d.pdf", pdf(["Ann made it.", "So it is."]), _document, has_checksum=False),
    }
    return {
        kind: file for kind, file in files.items() if not missing_library(PurePosixPath(file.name).suffix)
    }


def _document(path: Path) -> object:
    """What is in a document; its folder's reader names the file."""
    try:
        return read_document(path.suffix, path.read_bytes())
    except RollcallError as error:
        raise RollcallError(f"{path}: {error}") from None


_WHOLE: dict[str, Any] = {}
"""What is in the undamaged files that were read already."""


def check_damaged(kind: str, content: bytes, folder: Path) -> bool:
    """Hold the reader of a file against other content for it; returns whether it was refused."""
    packed = packed_files()[kind]
    path = folder / packed.name
    if kind not in _WHOLE:
        path.write_bytes(packed.content)
        _WHOLE[kind] = packed.read(path)
    path.write_bytes(content)
    try:
        read = packed.read(path)
    except RollcallError as error:
        in_one_line(error)
        if str(path) not in str(error):
            raise AssertionError(f"the file is not named: {error}") from None
        return True
    assert read == _WHOLE[kind] or not packed.has_checksum, f"{kind} gives something else, and no error"
    return False
