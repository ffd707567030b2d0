"""Our kernels: on a GPU, or else by Triton's interpreter."""

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

from places import ROOT

torch = pytest.importorskip("torch", reason="training needs the extra `neural`")
OLDEST = {"gated_product": 9, "short_attention": 0}
"""The first generation of GPUs that can run a kernel: the tensor engine came with Hopper."""


def runs_on_this_gpu(kernel):
    return torch.cuda.is_available() and torch.cuda.get_device_capability()[0] >= OLDEST[kernel]


@pytest.mark.parametrize("kernel", OLDEST)
def test_a_kernel_computes_what_is_computed_step_by_step(kernel):
    if runs_on_this_gpu(kernel):
        import kernel_cases

        kernel_cases.CHECKS[kernel]()
    else:
        # Without a GPU nothing brings Triton along, so that it may be in a place of its own.
        apart = os.environ.get("ROLLCALL_TRITON", "")
        if not apart and find_spec("triton") is None:
            pytest.skip("kernels are written for Triton: pip install triton")
        paths = os.pathsep.join(one for one in (os.environ.get("PYTHONPATH"), apart) if one)
        done = subprocess.run(
            [sys.executable, "-W", "ignore", ROOT / "tests" / "support" / "kernel_cases.py", kernel],
            env={**os.environ, "TRITON_INTERPRET": "1", "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
