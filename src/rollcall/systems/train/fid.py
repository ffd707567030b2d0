"""`fid`: learns to write all answers from many passages, each read by itself and fused while writing.

With an encoder–decoder this is Fusion-in-Decoder. With a causal model the passages are read side by side:
each attends to the question and to itself, and the list to all of them.
"""

from typing import TYPE_CHECKING, ClassVar

from rollcall.errors import RollcallError
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.generate.list_trainable import ListOptions, ListTrainable
from rollcall.systems.train.generate.lists import Layout
from rollcall.systems.train.options import Positive

if TYPE_CHECKING:
    from rollcall.systems.train.base import Base


class FidOptions(ListOptions, frozen=True, kw_only=True):
    """How `fid` is trained."""

    passages: Positive = 50
    """How many passages are read for a question."""
    input_tokens: Positive = 256
    """The greatest length of a question with one passage; the end of a longer passage is not read."""


@TRAINABLES.register("fid")
class Fid(ListTrainable):
    """Reads each passage by itself and writes one list from all of them (Fusion-in-Decoder)."""

    Options = FidOptions
    layout: ClassVar[Layout] = "fused"
    presets: ClassVar = {
        "qampari": {
            "learning_rate": 5e-5,
            "steps": 90_000,
            "batch": 8,
            "passages": 50,
            "input_tokens": 256,
            "output_tokens": 100,
            "proofs": True,
            "most_answers": 100,
        }
    }

    def __init__(self, options: FidOptions, base: "Base") -> None:
        if base.kind == "causal" and options.checkpointing:
            raise RollcallError(
                "fid with a causal model needs the activations of all passages: "
                "give fewer passages or tokens instead of checkpointing=true"
            )
        super().__init__(options, base)
