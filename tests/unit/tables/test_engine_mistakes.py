"""What is wrong with an engine or its master is one line, before any work; none of this needs Java."""

import importlib.util
import shutil
import socket
from collections.abc import Iterator

import pytest

from rollcall import RollcallError
from rollcall._core.workers import in_bytes
from rollcall.tables.engine import opened


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if everything were installed."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    monkeypatch.setenv("JAVA_HOME", "/java")


@pytest.fixture
def free_port() -> Iterator[int]:
    """A port at which nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


def refused(engine: str, **options: str) -> str:
    with pytest.raises(RollcallError) as raised, opened(engine, **options):  # type: ignore[arg-type]
        pass
    message = str(raised.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("engine", ["spark", "sail"])
def test_a_missing_extra_is_named(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert f"pip install 'rollcall-qa[{engine}]'" in refused(engine)


@pytest.mark.usefixtures("installed")
def test_missing_java_is_named_with_what_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    message = refused("spark")
    assert "Java 17" in message
    assert "--engine sail" in message


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(("engine", "scheme"), [("spark", "spark"), ("spark", "sc"), ("sail", "sc")])
def test_a_master_that_cannot_be_reached_is_named(engine: str, scheme: str, free_port: int) -> None:
    master = f"{scheme}://127.0.0.1:{free_port}"
    assert refused(engine, master=master).startswith(f"--master {master}: cannot be reached")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("master", ["localhost:7077", "http://here", "", "local[x]"])
def test_what_is_no_master_is_refused(master: str) -> None:
    assert "spark://HOST:PORT" in refused("spark", master=master)


@pytest.mark.usefixtures("installed")
def test_other_engines_have_other_masters() -> None:
    assert "sc://HOST:PORT" in refused("sail", master="spark://here:7077")
    assert "--engine spark" in refused("duckdb", master="spark://here:7077")


def test_a_similar_name_is_proposed() -> None:
    assert "did you mean spark?" in refused("sparc")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("engine", ["duckdb", "spark", "sail"])
@pytest.mark.parametrize("memory", ["much", "-1GB", "1 XB", "GB"])
def test_an_amount_of_memory_that_is_none_is_refused(engine: str, memory: str) -> None:
    assert (
        refused(engine, memory=memory)
        == f"{memory!r} is not an amount of memory (--memory); write 600MB or 2GB"
    )


@pytest.mark.parametrize(
    ("written", "bytes_"), [("600MB", 600_000_000), ("2GB", 2 * 10**9), ("1.5 GiB", 3 << 29), ("1g", 10**9)]
)
def test_amounts_of_memory_are_read(written: str, bytes_: int) -> None:
    assert in_bytes(written) == bytes_
