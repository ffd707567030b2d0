"""Fits the weights and the surety of a model that `rollcall train ask` made to training examples.

    python models/training/ask_fit.py made/ask/model --exercises made/ask/exercises_real

Training fits them too; this is for examples that were made anew, and prints what the features alone, the
features with fitted weights, and the cross-encoder give. One half is fitted to and the other counted, and
the other way round; what is written is fitted to all.
"""

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

from rollcall.systems.ask.ranking import NETWORK, SETTINGS, WEIGHTS, RerankerSettings, read_reranker_settings
from rollcall.systems.train.ask import Scored, fitted, ranked
from rollcall.systems.train.encoder_network import PAIR_HEADS, PairNetwork
from rollcall.systems.train.model_folder import read_about, write_about, write_settings
from rollcall.systems.train.training_example import TrainingExample, example_file, read_examples


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("model", type=Path)
    arguments.add_argument("--exercises", type=Path, required=True)
    options = arguments.parse_args()
    length = read_reranker_settings(options.model).length
    network = PairNetwork.load(options.model, PAIR_HEADS, length)
    examples = read_examples(example_file(options.examples, "dev"))
    random.Random(0).shuffle(examples)
    scored = scores(network, examples)
    half = len(scored) // 2
    halves = ((scored[:half], scored[half:]), (scored[half:], scored[:half]))
    by_hand = RerankerSettings(length, {**WEIGHTS, NETWORK: 0.0}, {})
    print(f"weights set by hand   {right([(by_hand, other) for _, other in halves]):5.1f}% right")
    for name, with_network in (("fitted weights", False), ("with cross-encoder", True)):
        found = [(fitted(own, length, network=with_network), other) for own, other in halves]
        print(f"{name:20s}  {right(found):5.1f}% right of {len(scored)}")
    about = read_about(options.model, "ask")
    write_settings(options.model / SETTINGS, fitted(scored, length))
    write_about(options.model, about)


def scores(network: PairNetwork, examples: Sequence[TrainingExample]) -> list[Scored]:
    """The readings of training examples with the scores of the cross-encoder."""
    pairs = [(one.question, one.wording) for example in examples for one in example.readings]
    different = list(dict.fromkeys(pairs))
    known = dict(zip(different, network.scores(different), strict=True))
    return [[(one, known[one.question, one.wording]) for one in each.readings] for each in examples]


def right(measured: Sequence[tuple[RerankerSettings, Sequence[Scored]]]) -> float:
    """The percentage of questions whose first reading is right."""
    found = [
        bool(question) and ranked(settings, question)[0][1].is_right
        for settings, questions in measured
        for question in questions
    ]
    return 100 * sum(found) / len(found)


if __name__ == "__main__":
    main()
