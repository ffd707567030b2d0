"""Tiny models are computed on one thread: several would wait for one another more than they compute."""

import pytest


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    torch = pytest.importorskip("torch", reason="training needs the extra `neural`")
    torch.set_num_threads(1)
