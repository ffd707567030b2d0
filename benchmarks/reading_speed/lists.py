"""Systems that write whole lists: learning, and reading with writing."""

import argparse
from typing import Any

import torch

from reading_speed.encoders import training
from reading_speed.model_flops import lengths_read
from reading_speed.networks import random_base
from reading_speed.passages import examples
from reading_speed.timing import Bench, Timing
from rollcall.systems.train.lists import ClosedBook, Fid, Seq2Seq, list_answers

KINDS = {"fid": Fid, "seq2seq": Seq2Seq, "closed-book": ClosedBook}
_PASSAGES = {"fid": 20, "seq2seq": 4, "closed-book": 0}
"""Read for each question: as many as fit the length that `seq2seq` reads."""


def lists(bench: Bench, given: argparse.Namespace, name: str, device: torch.device) -> None:
    """Training, then reading all questions; of what is written the first pass over the passages counts."""
    number = _PASSAGES[name]
    learned = examples(max(given.passages // max(number, 1), 2), given.length, max(number, 1))
    base = random_base("causal", given.tiny, device)
    kind: Any = KINDS[name]
    options = kind.Options(
        batch=max(given.batch // max(number, 1), 2),
        tokens=given.training_tokens,
        passages=number,
        output_tokens=given.written,
    )
    system = kind.start(options, base)
    network = system.generator.network.to(device)
    if "training" in given.phases:
        with training(system, options, learned) as work:
            count = len(lengths_read(network, work))
            bench.measure(Timing(f"{name} training, {number} passages each", work, network, count, 3))
    network.eval().to(torch.bfloat16 if device.type == "cuda" else torch.float32)
    if "reading" in given.phases:
        questions = [one.question for one in learned]
        passages = [[each.passage for each in one.passages] for one in learned]

        def work() -> object:
            return list_answers(
                system.generator, questions, passages, system.reading, 4 * given.training_tokens
            )

        count = len(lengths_read(network, work))
        what = f"{name} reading and writing {given.written} tokens"
        bench.measure(Timing(what, work, network, count, 1))
