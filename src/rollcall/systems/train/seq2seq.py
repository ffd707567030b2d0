"""`seq2seq` and `closed-book`: learn to write all answers from one text, with retrieved passages or without.

These are RoMQA's open systems and QAMPARI's closed-book one.
"""

from typing import ClassVar

from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.generate.list_trainable import ListOptions, ListTrainable
from rollcall.systems.train.generate.lists import Layout
from rollcall.systems.train.options import Positive


class Seq2SeqOptions(ListOptions, frozen=True, kw_only=True):
    """How `seq2seq` is trained."""

    input_tokens: Positive = 1024
    """The greatest length of a question with all its passages; what is longer is not read to its end."""


class ClosedBookOptions(ListOptions, frozen=True, kw_only=True):
    """How `closed-book` is trained."""

    passages: int = 0
    """It reads none."""


@TRAINABLES.register("seq2seq")
class Seq2Seq(ListTrainable):
    """Reads the question and its passages as one text and writes all answers (RoMQA's open system)."""

    Options = Seq2SeqOptions
    layout: ClassVar[Layout] = "joined"
    presets: ClassVar = {
        "romqa": {
            "learning_rate": 5e-6,
            "batch": 2,
            "passages": 20,
            "input_tokens": 1024,
            "output_tokens": 128,
            "beams": 3,
        },
    }


@TRAINABLES.register("closed-book")
class ClosedBook(ListTrainable):
    """Writes all answers to a question without reading any passage."""

    Options = ClosedBookOptions
    uses_passages = False
    layout: ClassVar[Layout] = "none"
    presets: ClassVar = {
        "qampari": {"learning_rate": 1e-4, "steps": 95_000, "output_tokens": 100},
        "romqa": {"learning_rate": 5e-6, "batch": 2, "output_tokens": 128, "beams": 3},
    }
