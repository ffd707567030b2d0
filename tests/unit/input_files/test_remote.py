"""Sources at addresses: the same output as from files, continued after a stop; failures are one line."""

import builtins
import functools
import http.server
import json
import pickle
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fsspec.implementations.memory import MemoryFile, MemoryFileSystem

from corpus_files import compressed, enterprise_lines, export_xml, tar_of, write_graph_sources
from graph_dumps import folder_bytes, item, line_form, write_compressed
from rollcall import RollcallError
from rollcall.cli.main import main
from rollcall.corpus import make_corpus
from rollcall.graph import make, make_graph
from rollcall.input_files.input_file import InputFile, input_file

TSV = "subject\trelation\tobject\n" + "".join(f"Q{n}\tP1\tQ{n * 7 % 300}\n" for n in range(2000))
TURTLE = "@prefix e: <http://e/> .\n" + "".join(f"e:a{n} e:knows e:a{n * 7 % 30} .\n" for n in range(200))


@pytest.fixture(autouse=True)
def empty_memory() -> Iterator[None]:
    MemoryFileSystem.store.clear()
    yield
    MemoryFileSystem.store.clear()


def put(path: Path) -> str:
    """The address in memory of a copy of a file."""
    address = f"memory://bucket/{path.name}"
    with fsspec.open(address, "wb") as copy:
        copy.write(path.read_bytes())
    return address


def graph_file(folder: Path, name: str) -> Path:
    path = folder / name
    if ".json" in name:
        lines = [item(f"Q{n}", f"Entity {n}") for n in range(1, 400)]
        return write_compressed(path, line_form([*lines, b"broken"]))
    if name.endswith(".parquet"):
        pq.write_table(pa.table({"id": ["Q1", "Q2"], "label": ["One", "Two"]}), path)
        return path
    return write_compressed(
        path, (TURTLE if ".ttl" in name else TSV.replace("\t", ",") if ".csv" in name else TSV).encode()
    )


def long_file(folder: Path, name: str, text: str) -> Path:
    """A file that is longer than the beginning by which it is recognised."""
    header, _, lines = text.partition("\n")
    (folder / name).write_text(f"{header}\n" + lines * (150_000 // len(lines) + 1))
    return folder / name


def same_but_names(one: Path, other: Path, manifest: str) -> None:
    """Check that two folders differ only in how their manifests name the sources."""
    left, right = folder_bytes(one), folder_bytes(other)
    texts = [json.loads(files.pop(manifest)) for files in (left, right)]
    assert left == right
    for text in texts:
        del text["checksum"]
        for source in text["sources"]:
            del source["name"]
            for example in source["bad_examples"] + source.get("mended_examples", []):
                del example["source"]
    assert texts[0] == texts[1]


GRAPH_FILES = [
    "d.json.gz",
    "d.json.bz2",
    "d.json.zst",
    "d.json",
    "f.tsv",
    "f.csv.gz",
    "e.parquet",
    "t.ttl.bz2",
]


@pytest.mark.parametrize("name", GRAPH_FILES)
def test_a_graph_is_the_same_from_an_address_and_from_a_file(tmp_path: Path, name: str) -> None:
    path = graph_file(tmp_path, name)
    make_graph([path], tmp_path / "here", jobs=1, block_bytes=20_000)
    made = make_graph([put(path)], tmp_path / "there", jobs=1, block_bytes=20_000)
    assert made.manifest["sources"][0]["name"] == f"memory://bucket/{name}"
    same_but_names(tmp_path / "here", tmp_path / "there", "graph.json")
    make_graph([path.as_uri()], tmp_path / "uri", jobs=1, block_bytes=20_000)
    assert folder_bytes(tmp_path / "uri") == folder_bytes(tmp_path / "here")


def test_worker_processes_need_no_access_to_addresses(tmp_path: Path) -> None:
    paths = [graph_file(tmp_path, name) for name in ("f.tsv", "t.ttl.bz2", "e.parquet")]
    make_graph(paths, tmp_path / "here", jobs=1, block_bytes=4000)
    make_graph([put(path) for path in paths], tmp_path / "there", jobs=2, block_bytes=4000)
    same_but_names(tmp_path / "here", tmp_path / "there", "graph.json")


@pytest.mark.parametrize("name", ["p.xml.bz2", "p.xml", "p.jsonl.gz", "p.ndjson.tar.gz"])
def test_a_corpus_is_the_same_from_an_address_and_from_a_file(tmp_path: Path, name: str) -> None:
    make_graph(write_graph_sources(tmp_path), tmp_path / "graph", jobs=1)
    path = tmp_path / name
    if ".tar" in name:
        tar_of(path, {"a.ndjson": enterprise_lines()})
    elif ".xml" in name:
        compressed(path, export_xml().encode())
    else:
        compressed(path, enterprise_lines())
    make_corpus([path], tmp_path / "here", graph=tmp_path / "graph", jobs=1)
    make_corpus([put(path)], tmp_path / "there", graph=tmp_path / "graph", jobs=1)
    same_but_names(tmp_path / "here", tmp_path / "there", "corpus.json")


class Interrupted(MemoryFile):
    """A file whose connection is lost, or whose stream ends, before its end."""

    most = 0
    error: Exception | None = None

    def read(self, size: int = -1) -> bytes:
        chunk = super().read(min(size, 5000, max(0, self.most - self.tell())))
        if not chunk and self.error:
            raise self.error
        return chunk


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, Exception | None], list[int]]:
    """Let reading from memory end after some bytes; returns where files are read from afterwards."""

    original = MemoryFileSystem.open

    def from_now(most: int, error: Exception | None) -> list[int]:
        starts: list[int] = []

        def opened(system: MemoryFileSystem, path: str, mode: str, **more: Any) -> MemoryFile:
            if mode != "rb":
                return original(system, path, mode, **more)
            file = Interrupted(system, path, system.store[path].getvalue())
            file.seek(0)
            file.most, file.error = most, error
            file.seek = lambda to, whence=0: starts.append(to) or MemoryFile.seek(file, to, whence)
            return file

        monkeypatch.setattr(MemoryFileSystem, "open", opened)
        return starts

    return from_now


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ConnectionResetError("peer\nis gone"), "cannot be read (peer is gone); check the connection"),
        (None, "the connection ended after 120,000 of"),
    ],
)
def test_a_connection_lost_midway_is_no_end_of_the_file(
    tmp_path: Path, interrupt: Any, error: Exception | None, message: str
) -> None:
    path = long_file(tmp_path, "f.tsv", TSV)
    address, out = put(path), tmp_path / "graph"
    interrupt(120_000, error)
    with pytest.raises(RollcallError) as raised:
        make_graph([address], out, jobs=1, block_bytes=20_000)
    assert str(raised.value).startswith(f"{address}: {message}")
    assert str(raised.value).endswith("run the same command again to continue")
    finished = len(list(out.rglob("piece.json")))
    assert finished > 2
    interrupt(1 << 40, None)
    numbers: list[int] = []
    read = make.read_block
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            make, "read_block", lambda piece, block: numbers.append(piece.number) or read(piece, block)
        )
        make_graph([address], out, jobs=1, block_bytes=20_000)
    make_graph([path], tmp_path / "here", jobs=1, block_bytes=20_000)
    same_but_names(tmp_path / "here", out, "graph.json")
    assert numbers[0] == finished


def test_a_copy_continues_where_it_stopped_and_is_removed_at_the_end(tmp_path: Path, interrupt: Any) -> None:
    path = long_file(tmp_path, "t.ttl", TURTLE)
    address, out = put(path), tmp_path / "graph"
    interrupt(120_000, OSError("timed out"))
    with pytest.raises(RollcallError, match="cannot be read"):
        make_graph([address], out, jobs=1)
    (part,) = (file for file in (out / ".partial" / "fetched").rglob("*") if file.is_file())
    assert (part.name, part.stat().st_size) == ("t.ttl.part", 120_000)
    starts = interrupt(1 << 40, None)
    make_graph([address], out, jobs=1)
    assert starts == [120_000]
    make_graph([path], tmp_path / "here", jobs=1)
    same_but_names(tmp_path / "here", out, "graph.json")
    assert not (out / ".partial").exists()


def test_a_copy_of_another_version_is_not_continued(tmp_path: Path, interrupt: Any) -> None:
    path, out = long_file(tmp_path, "t.ttl", TURTLE), tmp_path / "graph"
    interrupt(120_000, OSError("timed out"))
    with pytest.raises(RollcallError, match="cannot be read"):
        make_graph([put(path)], out, jobs=1)
    path.write_text(path.read_text().replace("knows", "meets"))
    interrupt(1 << 40, None)
    make_graph([put(path)], out, jobs=1)
    make_graph([path], tmp_path / "here", jobs=1)
    same_but_names(tmp_path / "here", out, "graph.json")


def test_a_file_that_is_replaced_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = put(graph_file(tmp_path, "f.tsv"))
    info, asked = MemoryFileSystem.info, []

    def changing(system: MemoryFileSystem, path: str, **more: Any) -> dict[str, Any]:
        asked.append(path)
        return info(system, path, **more) | {"ETag": len(asked)}

    monkeypatch.setattr(MemoryFileSystem, "info", changing)
    with pytest.raises(RollcallError, match="was changed while it was read; run the same command again"):
        make_graph([address], tmp_path / "graph", jobs=1)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("memory://bucket/none.tsv", "memory://bucket/none.tsv: no such file; check the address"),
        ("memory://bucket", "memory://bucket: is a folder, not a file"),
        ("nosuch://bucket/a.tsv", "fsspec knows no addresses that begin with nosuch://"),
        ("oss://bucket/a.tsv", "oss://bucket/a.tsv: a package for oss:// is not installed: Install ossfs"),
    ],
)
def test_an_address_that_cannot_be_read_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], address: str, message: str
) -> None:
    put(graph_file(tmp_path, "f.tsv"))
    with pytest.raises(SystemExit) as ended:
        main(["graph", address, "--out", str(tmp_path / "graph")])
    assert ended.value.code == 2
    shown = capsys.readouterr().err
    assert message in " ".join(shown.split())
    assert not (tmp_path / "graph").exists()


def test_without_fsspec_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def hidden(name: str, *more: Any) -> Any:
        if name.startswith("fsspec"):
            raise ModuleNotFoundError(name)
        return imported(name, *more)

    monkeypatch.setattr(builtins, "__import__", hidden)
    with pytest.raises(RollcallError, match=r"pip install 'rollcall-qa\[remote\]'"):
        input_file("s3://bucket/dump.json.gz")


class RefusedError(Exception):
    status = 403


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (PermissionError("Access Denied"), "no permission to read it (Access Denied); check your keys"),
        (RefusedError("403, url='SECRET'"), "no permission to read it"),
        (RuntimeError("no credentials for SECRET"), "cannot be read"),
    ],
)
def test_messages_and_manifests_contain_no_passwords(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, message: str
) -> None:
    secret = "memory://ann:hunter2@bucket/f.tsv?Signature=hunter3"  # noqa: S105
    with monkeypatch.context() as patch:
        told = type(error)(str(error).replace("SECRET", f"{secret} Signature=hunter3 hunter2"))
        patch.setattr(MemoryFileSystem, "info", lambda *given, **more: (_ for _ in ()).throw(told))
        with pytest.raises(RollcallError) as raised:
            make_graph([secret], tmp_path / "graph", jobs=1)
    assert str(raised.value).startswith(f"memory://bucket/f.tsv: {message}")
    assert "hunter" not in str(raised.value)
    with fsspec.open(secret, "wb") as copy:
        copy.write(graph_file(tmp_path, "f.tsv").read_bytes() + b"broken\n")
    made = make_graph([secret], tmp_path / "graph", jobs=1)
    assert made.manifest["sources"][0]["name"] == "memory://bucket/f.tsv"
    assert not any(b"hunter" in content for content in folder_bytes(tmp_path / "graph").values())
    assert "hunter" not in repr(input_file(secret))
    assert b"hunter" not in pickle.dumps(input_file(secret))


def test_a_path_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a b%20c.tsv"
    path.write_text("x")
    assert input_file(path) == input_file(str(path)) == input_file(path.as_uri()) == InputFile(str(path))
    with pytest.raises(RollcallError, match="no such file; give an address as text"):
        input_file(Path("s3://bucket/a.tsv"))


class KeyedServer(http.server.SimpleHTTPRequestHandler):
    """A web server that knows one key."""

    def send_head(self) -> Any:
        if not self.path.endswith("?key=secret"):
            return self.send_error(403)
        return super().send_head()

    def log_message(self, *given: object) -> None:
        pass


@pytest.mark.slow
def test_sources_are_read_from_a_web_server(tmp_path: Path) -> None:
    pytest.importorskip("aiohttp")
    served = tmp_path / "served"
    served.mkdir()
    paths = [graph_file(served, name) for name in ("d.json.bz2", "f.tsv", "t.ttl", "e.parquet")]
    handler = functools.partial(KeyedServer, directory=str(served))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_port}"
        make_graph([f"{base}/{path.name}?key=secret" for path in paths], tmp_path / "there", jobs=2)
        with pytest.raises(RollcallError, match=r"none\.tsv: no such file; check the address"):
            make_graph([f"{base}/none.tsv?key=secret"], tmp_path / "none")
        with pytest.raises(RollcallError, match=r"f\.tsv: no permission to read it \(403"):
            make_graph([f"{base}/f.tsv?key=other"], tmp_path / "none")
        server.shutdown()
    with pytest.raises(RollcallError, match=r"f\.tsv: cannot be read \(.*check the connection"):
        make_graph([f"{base}/f.tsv"], tmp_path / "none")
    make_graph(paths, tmp_path / "here", jobs=1)
    same_but_names(tmp_path / "here", tmp_path / "there", "graph.json")
    assert b"secret" not in (tmp_path / "there" / "graph.json").read_bytes()
