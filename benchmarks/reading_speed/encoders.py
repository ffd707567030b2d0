"""Systems on an encoder: one epoch's steps of training, and reading."""

import argparse
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from reading_speed.model_flops import lengths_read
from reading_speed.networks import random_base
from reading_speed.passages import examples
from reading_speed.timing import Bench, Timing
from rollcall.systems.train.base import BaseCheckpoint
from rollcall.systems.train.classifier import Classifier
from rollcall.systems.train.dpr import Dpr, DprOptions, Encoders
from rollcall.systems.train.encoder_network import SpanReading
from rollcall.systems.train.extractive import Extractive
from rollcall.systems.train.loop import Training, batches, parts
from rollcall.systems.train.scorers import CandidateScorer, MentionScorer
from rollcall.systems.train.token_inputs import readings_of
from rollcall.systems.train.trainable import Trainable, TrainingOptions
from rollcall.systems.train.training_example import TrainingExample

KINDS = {
    "mention-scorer": MentionScorer,
    "candidate-scorer": CandidateScorer,
    "extractive": Extractive,
    "classifier": Classifier,
    "dpr": Dpr,
}


def encoder(bench: Bench, given: argparse.Namespace, name: str, device: torch.device) -> None:
    """A system on an encoder: training, then reading."""
    times = 8 if name == "candidate-scorer" else 1  # it reads a passage for each candidate
    learned = examples(max(given.passages // 24 // times, 2), given.length)
    base = random_base("encoder", given.tiny, device)
    few = {"extractive": 24, "classifier": 24, "dpr": 2}.get(name, 1)
    options: Any = {"batch": max(given.batch // few, 2), "tokens": given.training_tokens, "length": 384}
    kind: Any = KINDS[name]
    chosen = kind.Options(**options, **({"negatives": 1} if name == "dpr" else {}))
    system = kind.start(chosen, base)
    if "training" in given.phases:
        with training(system, chosen, learned) as work:
            count = len(lengths_read(base.network, work))
            what = f"{name} training, {given.batch} passages a step"
            bench.measure(Timing(what, work, base.network, count, 3))
    system.network.to(device).eval()
    if device.type == "cuda":
        system.network.to(torch.bfloat16)
    if "reading" in given.phases:
        work = reading(name, system, base, learned)
        with torch.inference_mode():
            count = len(lengths_read(base.network, work))
            bench.measure(Timing(f"{name} reading", work, base.network, count, 1))


@contextmanager
def training(
    system: Trainable[Any], options: TrainingOptions, learned: Sequence[TrainingExample]
) -> Iterator[Callable[[], object]]:
    """One epoch's steps of a training."""
    with tempfile.TemporaryDirectory() as folder:
        trainer = Training(system, options, learned, (), Path(folder), "", show=False)
        items = system.encode_examples(learned, 0)
        order = batches([system.size(one) for one in items], options.batch, 0)
        whole = [one for one in order if len(one) == options.batch] or order

        def work() -> None:
            for batch in whole[:8]:
                trainer.step([items[one] for one in batch])

        yield work


def reading(
    name: str, system: Any, base: BaseCheckpoint, learned: Sequence[TrainingExample]
) -> Callable[[], object]:
    """What a system computes for all passages of training examples."""
    readings = readings_of(learned)
    if name == "dpr":
        texts = base.tokeniser([one.text for one in readings], truncation=True, max_length=256)["input_ids"]
        encoders = Encoders([base.network], base.tokeniser.pad_token_id, DprOptions())
        cut = parts([len(one) for one in texts], 1 << 18)
        return lambda: [encoders.encode("passage", [texts[one] for one in part]) for part in cut]
    if name == "extractive":
        spans = [SpanReading(one.question, one.title, one.text) for one in readings]
        return lambda: system._encoder.scores(spans, 10)
    if name == "classifier":
        return lambda: system._scores(learned)
    return lambda: system.scores(readings)
