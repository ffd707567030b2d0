"""Types are completed before threads decode them: two that did so first, at once, ended the process."""

import subprocess
import sys
from pathlib import Path

import pytest

AT_ONCE = """
import sys, threading, types

import msgspec

from rollcall._core.errors import complete_types

SOURCE = '''
from __future__ import annotations
import msgspec
from typing import Annotated

class Inner(msgspec.Struct):
    share: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    names: list[str] | None = None

class Outer(msgspec.Struct):
    inner: Inner | None = None
    counts: dict[str, list[Annotated[int, msgspec.Meta(ge=0)]]] = {}
    words: tuple[str, ...] = ()

class NeverDecoded(msgspec.Struct):
    unknown: Elsewhere
'''
GIVEN = {"inner": {"share": 1, "names": ["a"]}, "counts": {"b": [1]}, "words": ["c"]}
sys.setswitchinterval(1e-6)
for number in range(100):
    module = types.ModuleType(f"module{number}")
    sys.modules[module.__name__] = module
    exec(SOURCE, module.__dict__)
    complete_types()
    ready = threading.Barrier(4)

    def decode():
        ready.wait()
        assert msgspec.convert(GIVEN, module.Outer).words == ("c",)

    threads = [threading.Thread(target=decode) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
print("alive")
"""


def test_threads_may_decode_a_type_at_once() -> None:
    ended = subprocess.run([sys.executable, "-c", AT_ONCE], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, "alive\n"), ended.stderr


def test_the_studio_completes_the_settings_of_its_tasks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("starlette")
    from rollcall._core import errors
    from rollcall.studio.projects import open_database
    from rollcall.studio.tasks import TASKS
    from rollcall.studio.web.application import make_application
    from rollcall.studio.web.studio import Studio

    completed: set[type] = set()
    monkeypatch.setattr(errors, "_completed", completed)
    database = open_database(str(tmp_path / "studio.sqlite"))
    make_application(Studio(database))
    database.close()
    settings = {entry.thing.Settings for entry in TASKS}
    assert len(settings) > 3
    assert settings <= completed
