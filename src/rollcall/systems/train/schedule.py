"""The learning rate over a training: it rises, then falls, and has always finished falling at the end.

Progress is the share of the training that is done, by steps or by time, whichever is further. A limit of time
therefore sets the length of the schedule, and does not cut it off.
"""

import math
from typing import Literal

Schedule = Literal["linear", "cosine", "constant"]


def factor(progress: float, warmup: float, schedule: Schedule) -> float:
    """The learning rate as a share of its greatest value."""
    progress = min(max(progress, 0.0), 1.0)
    if progress < warmup:
        return progress / warmup
    if schedule == "constant":
        return 1.0
    rest = (progress - warmup) / (1.0 - warmup) if warmup < 1.0 else 1.0
    return 1.0 - rest if schedule == "linear" else 0.5 * (1.0 + math.cos(math.pi * rest))
