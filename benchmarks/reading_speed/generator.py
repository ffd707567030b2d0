"""`pig`: one generator that learns, scores passages and writes answers."""

import argparse
import tempfile
from pathlib import Path

import torch

from reading_speed.networks import random_base
from reading_speed.passages import WORDS, prompts
from reading_speed.timing import Bench, Timing
from rollcall.systems.train.base import BaseCheckpoint, load_base
from rollcall.systems.train.generate.generator import Generator, GeneratorItem, Prompt
from rollcall.systems.train.generate.trainable import open_generator
from rollcall.systems.train.lists import Pig
from rollcall.systems.train.loop import Training
from rollcall.systems.train.networks import compile_layers, uncompiled


def pig(bench: Bench, given: argparse.Namespace, device: torch.device) -> None:
    base = (
        load_base(given.model, ("causal", "encoder-decoder"), "this benchmark")
        if given.model
        else random_base("causal", given.tiny, device)
    )
    generator = open_generator(base)
    network = generator.network.to(device)
    every = prompts(generator.tokeniser, given.passages, given.length)
    some = every[: max(len(every) // 8, 1)]

    def scoring(name: str, tokens: int) -> Timing:
        return Timing(
            f"pig scoring, {tokens} tokens at once{name}",
            lambda: generator.end_chances(every, tokens),
            network,
            len(every),
            1,
        )

    if "training" in given.phases:
        pig_training(bench, given, generator, every, base)
    bench.best = None  # the best of scoring is looked at
    network.eval().to(torch.bfloat16 if device.type == "cuda" else torch.float32)
    if "reading" in given.phases:
        sizes = [int(one) for one in given.tokens.split(",")]
        for mode in [] if given.plain else given.modes.split(","):
            compile_layers(network, None if mode == "default" else mode)
            for tokens in sizes:
                bench.measure(scoring(f", {mode}", tokens))
        if given.profile and bench.best is not None:
            bench.profile(bench.best[1])
        with uncompiled():
            bench.measure(scoring("", sizes[0]))
    if "writing" in given.phases:
        what = f"pig writing, {given.written} tokens each"
        bench.measure(
            Timing(
                what,
                lambda: generator.write(some, given.written, 65536, nonempty=True),
                network,
                len(some),
                1,
            )
        )


def pig_training(
    bench: Bench, given: argparse.Namespace, generator: Generator, every: list[Prompt], base: BaseCheckpoint
) -> None:
    if not given.plain:
        compile_layers(generator.network)
    options = Pig.Options(batch=given.batch, tokens=given.training_tokens)
    system = Pig(options, base._replace(network=generator.network))
    target = generator.targets.encode([WORDS[1], f"{WORDS[2]} {WORDS[3]}"], 30)
    items = [GeneratorItem(prompt, target) for prompt in every[: given.batch * 4]]
    with tempfile.TemporaryDirectory() as folder:
        trainer = Training(system, options, (), (), Path(folder), "", show=False)

        def work() -> None:
            for start in range(0, len(items), given.batch):
                trainer.step(items[start : start + given.batch])

        what = f"pig training, {given.batch} passages a step"
        bench.measure(Timing(what, work, generator.network, len(items), 3))
