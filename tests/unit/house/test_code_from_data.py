"""Nothing we read can run code: no module or call that could is in the sources that read anything."""

import ast
import io
import pickle
from pathlib import Path

import numpy as np
import pytest

import rollcall
from rollcall import RollcallError
from rollcall.evidence.verifiers.contrast.verifier import ContrastVerifier

HOME = Path(rollcall.__file__).parent
OWN_PROCESSES = {HOME / name for name in ("_core/workers.py", "tables/engine.py", "tables/spark_sessions.py")}
"""What the processes of one command send each other; nothing of it is ever read from a file."""
SOURCES = sorted({*HOME.rglob("*.py")} - OWN_PROCESSES)
MODULES = {"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}
CALLS = {"eval", "exec", "compile", "__import__"}
LOADERS = {"yaml.load", "yaml.unsafe_load", "yaml.full_load"}
ALLOWING = {"allow_pickle", "trust_remote_code"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_source_can_run_what_it_reads(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not MODULES & {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert (node.module or "").partition(".")[0] not in MODULES
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in CALLS | LOADERS, f"{path}:{node.lineno}"
            assert not called.startswith(tuple(f"{name}." for name in MODULES)), f"{path}:{node.lineno}"
            if called == "torch.load":
                safe = {ast.unparse(one) for one in node.keywords}
                assert "weights_only=True" in safe, f"{path}:{node.lineno}"
            for given in node.keywords:
                allowed = not (isinstance(given.value, ast.Constant) and given.value.value is False)
                assert not (given.arg in ALLOWING and allowed), f"{path}:{node.lineno}"


class Crafted:
    """What a pickle made by somebody else may do."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> object:
        return (Path.touch, (self.mark,))


def test_a_crafted_verifier_runs_nothing(tmp_path: Path) -> None:
    mark, path = tmp_path / "ran", tmp_path / "verifier.model"
    objects = io.BytesIO()
    np.savez(objects, content=np.array([Crafted(mark)], dtype=object))
    mark.unlink(missing_ok=True)
    for content in (pickle.dumps(Crafted(mark)), objects.getvalue()):
        path.write_bytes(content)
        with pytest.raises(RollcallError, match="is not a contrast verifier that was saved"):
            ContrastVerifier.load(path)
        assert not mark.exists()
