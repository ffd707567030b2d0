"""How fast a system learns and reads, and which share of a device's peak that is.

Model FLOPs are 2 × weights × tokens for reading and three times that for learning, where embeddings do not
count, nor does attention, nor what is written: the share is a lower bound.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from paper_tables.place import DEPTH
from rollcall.systems.train.model_folder import ModelDescription
from rollcall.systems.train.training_example import TrainingExample

_NO_PRODUCT = ("embed", "lm_head", "shared.weight")
_SAMPLE = 200


class Speed(msgspec.Struct):
    """What was measured of a row."""

    weights: int = 0
    """Without embeddings."""
    training_tokens: float | None = None
    """A second."""
    inputs: float | None = None
    """A second: passages, candidates of a classifier, or questions without passages."""
    input_tokens: float = 0.0
    """The mean length of a question with a passage."""
    seconds: float = 0.0
    """All of the training, and of asking the test questions."""
    trained_seconds: float = 0.0

    def shares(self, peak: float | None) -> tuple[float | None, float | None]:
        """The shares of a peak, given in TFLOP/s, that learning and reading reach."""
        if not peak:
            return None, None
        learning = None if self.training_tokens is None else 6 * self.weights * self.training_tokens
        reading = None if self.inputs is None else 2 * self.weights * self.inputs * self.input_tokens
        return tuple(None if one is None else one / peak / 1e12 for one in (learning, reading))


def measured(
    model: Path, about: ModelDescription, examples: Sequence[TrainingExample], seconds: float
) -> Speed:
    """The speed of a trained system that answered training examples in so many seconds."""
    number = sum(_inputs(one, about) for one in examples)
    return Speed(
        weights=_weights(model),
        training_tokens=about.tokens / about.seconds if about.seconds else None,
        inputs=number / seconds if seconds else None,
        input_tokens=_length(model, examples),
        seconds=round(about.seconds + seconds, 1),
        trained_seconds=about.seconds,
    )


def _inputs(example: TrainingExample, about: ModelDescription) -> int:
    if about.system == "classifier":
        return len(example.candidates)
    most = int(about.options.get("passages", DEPTH))
    return min(len(example.passages), most) or 1


def _weights(model: Path) -> int:
    """The weights that every token meets, by the headers of the files."""
    from safetensors import safe_open

    total = 0
    for file in model.glob("*.safetensors"):
        with safe_open(file, "numpy") as content:
            for name in content.keys():  # noqa: SIM118 (it is no mapping)
                if not any(word in name for word in _NO_PRODUCT):
                    size = 1
                    for length in content.get_slice(name).get_shape():
                        size *= length
                    total += size
    return total


def _length(model: Path, examples: Sequence[TrainingExample]) -> float:
    from transformers import AutoTokenizer

    tokeniser = AutoTokenizer.from_pretrained(model)
    texts = [f"{one.question} {each.title} {each.text}" for one in examples for each in one.passages[:5]]
    some = texts[:: max(len(texts) // _SAMPLE, 1)] or [one.question for one in examples[:_SAMPLE]]
    return sum(map(len, tokeniser(some)["input_ids"])) / max(len(some), 1)
