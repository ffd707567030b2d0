"""The kernel that gates as it multiplies: on a GPU, or else by Triton's interpreter."""

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

from places import ROOT

torch = pytest.importorskip("torch", reason="training needs the extra `neural`")
HAS_ENGINE = torch.cuda.is_available() and torch.cuda.get_device_capability()[0] >= 9


def test_it_computes_what_is_computed_step_by_step():
    if HAS_ENGINE:
        import gated_product_cases

        gated_product_cases.check()
        return
    # Without a GPU nothing brings Triton along, so that it may be in a place of its own.
    apart = os.environ.get("ROLLCALL_TRITON", "")
    if not apart and find_spec("triton") is None:
        pytest.skip("the kernel is written for Triton: pip install triton")
    paths = os.pathsep.join(one for one in (os.environ.get("PYTHONPATH"), apart) if one)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", ROOT / "tests" / "support" / "gated_product_cases.py"],
        env={**os.environ, "TRITON_INTERPRET": "1", "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
