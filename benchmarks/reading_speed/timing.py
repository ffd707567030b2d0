"""Times work within a limit of time, and says which share of a device's peak it reaches."""

import argparse
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from reading_speed.model_flops import flops, lengths_read, weights_of


class Timing(NamedTuple):
    """One thing that is timed."""

    what: str
    work: Callable[[], object]
    network: Any
    passages: int
    passes: int
    """3 for training, whose backward pass counts twice; 1 otherwise."""


class Bench:
    """Times work within a limit, and prints each figure at once."""

    def __init__(self, given: argparse.Namespace, device: torch.device, figures: dict[str, Any]) -> None:
        self._began, self._given, self._device = time.monotonic(), given, device
        self._figures = figures
        self.best: tuple[float, Timing] | None = None

    @property
    def over(self) -> bool:
        return time.monotonic() - self._began > self._given.seconds

    def measure(self, timing: Timing) -> None:
        if self.over:
            print(f"{timing.what:<52} left out: no time", flush=True)
            return
        try:
            began = time.monotonic()
            lengths = lengths_read(timing.network, timing.work)
            for _ in range(2):
                timing.work()
            self._wait()
            ready = time.monotonic() - began
            seconds = self._timed(timing.work)
        except (RuntimeError, ValueError) as error:  # one setting that fails leaves the others
            print(f"{timing.what:<52} failed: {' '.join(str(error).split())[:300]}", flush=True)
            return
        computed = timing.passes * flops(timing.network.config, weights_of(timing.network), lengths)
        self._figures[f"{timing.what}, passages a second"] = timing.passages / seconds
        peak = self._given.peak_tflops
        share = f"{computed / seconds / peak / 1e12:8.1%} of the peak" if peak else ""
        print(
            f"{timing.what:<52}{timing.passages / seconds:11,.0f} passages/s"
            f"{sum(lengths) / seconds:13,.0f} tokens/s{computed / seconds / 1e12:9.2f} TFLOP/s{share}"
            f"   ({ready:.0f} s before)",
            flush=True,
        )
        if self.best is None or computed / seconds > self.best[0]:
            self.best = (computed / seconds, timing)

    def profile(self, timing: Timing) -> None:
        """The kernels that take most of the time."""
        activity = torch.profiler.ProfilerActivity
        kind = activity.CUDA if self._device.type == "cuda" else activity.CPU
        with torch.profiler.profile(activities=[kind]) as found:
            timing.work()
            self._wait()
        there = (
            torch.autograd.DeviceType.CUDA if self._device.type == "cuda" else torch.autograd.DeviceType.CPU
        )
        rows = [
            (one.self_device_time_total or one.self_cpu_time_total, one)
            for one in found.key_averages()
            if one.device_type == there
        ]
        total = sum(spent for spent, _ in rows)
        print(f"{timing.what}: {total / 1e3:.1f} ms in kernels, of which")
        for spent, one in sorted(rows, key=lambda row: -row[0])[:10]:
            print(f"  {spent / total:6.1%}{spent / 1e3:10.2f} ms  ×{one.count:<6}{one.key[:100]}", flush=True)

    def _timed(self, work: Callable[[], object]) -> float:
        """Seconds of one run: the median."""
        found = []
        for _ in range(self._given.repeats):
            began = time.perf_counter()
            work()
            self._wait()
            found.append(time.perf_counter() - began)
        return sorted(found)[len(found) // 2]

    def _wait(self) -> None:
        if self._device.type == "cuda":
            torch.cuda.synchronize()
