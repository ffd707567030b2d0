"""Systems that learn from a question set. Each registers itself in its own file.

What a system learns from is a `TrainingExample`; how it learns is a `Trainable`; `loop` trains any of them.
"""

from rollcall._core.registry import Registry
from rollcall.systems.train.trainable import Learner

TRAINABLES: Registry[type[Learner]] = Registry(
    "trainable system", "trainable_systems", "rollcall.systems.train", also=("rollcall.papers.systems",)
)
