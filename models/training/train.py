"""Trains the base model of the learned verifier; needs torch and transformers, and a GPU for a few minutes.

    python models/training/train.py pretrain --on real w11 --layers 6 --model MINILM --out pre6.pt
    python models/training/train.py teach --start pre6.pt --fold 0 --seed 1 --model MINILM --out teacher.pt
    python models/training/train.py distil --on real w11 --start pre3.pt --teachers a.pt b.pt --fold 0 \\
        --model MINILM --out student.pt
    python models/training/train.py direct --on real w11 --start student.pt --fold 0 --model MINILM --out s.pt

`pretrain` learns from collections that are not labelled by people, `teach` then from the labelled one, and
`distil` trains a smaller model on the labels and on what teachers say about text of all collections. `direct`
then teaches it which end is which: with the ends exchanged a sentence does not state a relation. With
`--fold` the pages of one fifth are left out, by a hash of their titles; without it all are used. At the end
the model judges the test triples of the pages left out, or all; their logits are written beside it (`.npz`).
"""

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from fitting import Logits, fit, logits_of
from network import LAYERS, Net, load
from records import FOLDS, JudgedTriple, exchange, fold_of, judged_triples, sentences
from tokens import DEVICE, Example, Reader

_NAMED, _NOT_NAMED, _UNSTATED = 1.0, 0.6, 0.7
"""Weights of examples: sentences that name both ends, that do not, and that do not state what holds."""
_ASKED = 0.6
"""The share of sentences without labels about which the teachers are asked further relations …"""
_ASKED_RELATIONS = 16
"""… and how many."""
_LABEL = 0.4
"""How much a label counts where the teachers judge the same example."""
_SYMMETRIC = 0.1
"""A relation of which more facts than this share also hold the other way round is symmetric."""
_CLEAR = 0.03
"""What teachers find less likely is used less often."""


class Pool:
    """The sentences of some collections, as sources of examples."""

    def __init__(self, examples: Path, names: Sequence[str], reader: Reader, fold: int | None) -> None:
        self._reader = reader
        self.sentences = [
            one
            for name in names
            for one in sentences(examples / f"{name}.jsonl.gz")
            if fold is None or fold_of(one["page"]) != fold
        ]
        self.first = reader.add([one["sentence"] for one in self.sentences])

    def examples(self, rng: random.Random, wrong: int, silent: bool) -> list[Example]:
        """The held relations of each sentence and some wrong ones.

        Sentences without held relations give examples only with `silent`.
        """
        relation = self._reader.relation
        found: list[Example] = []
        for number, one in enumerate(self.sentences, self.first):
            sure = _NAMED if one["named"] else _NOT_NAMED
            found += [Example(number, relation(words), 1.0, sure) for words in one["held"]]
            found += [Example(number, relation(words), 0.0, _UNSTATED) for words in one["unstated"]]
            if one["wrong"] and (one["held"] or silent):
                drawn = rng.sample(one["wrong"], min(wrong if one["held"] else 2, len(one["wrong"])))
                found += [Example(number, relation(words), 0.0) for words in dict.fromkeys(drawn)]
        return found

    def exchanged(self) -> list[Example]:
        """Sentences with their ends exchanged, and relations that they do not state then.

        Relations that often hold both ways are left out.
        """
        held = {one["sentence"]: set(one["held"]) for one in self.sentences}
        turned = [(exchange(one["sentence"]), one) for one in self.sentences if one["held"] and one["named"]]
        both, every = Counter[str](), Counter[str]()
        for sentence, one in turned:
            every.update(one["held"])
            both.update(held.get(sentence, set()) & set(one["held"]))
        first = self._reader.add([sentence for sentence, _one in turned])
        return [
            Example(number, self._reader.relation(words), 0.0)
            for number, (sentence, one) in enumerate(turned, first)
            for words in one["held"]
            if both[words] <= _SYMMETRIC * every[words] and words not in held.get(sentence, ())
        ]

    def held(self) -> list[str]:
        """The words of all relations that some sentence states."""
        return sorted({words for one in self.sentences for words in one["held"]})


def pretrain(given: argparse.Namespace, reader: Reader) -> Net:
    """Learn from collections that are not labelled by people."""
    pool = Pool(given.examples, given.on, reader, None)
    rng = random.Random(given.seed)
    net = Net(given.model, given.layers, reader.marks)
    net.to(DEVICE)
    fit(net, reader, lambda _: pool.examples(rng, 4, False), epochs=3, rate=3e-4, size=256, seed=given.seed)
    return net


def teach(given: argparse.Namespace, reader: Reader) -> Net:
    """Learn from the labels."""
    pool = Pool(given.examples, ["labelled"], reader, given.fold)
    rng = random.Random(given.seed)
    net = load(given.start, given.model, reader.marks)
    fit(net, reader, lambda _: pool.examples(rng, 5, True), epochs=6, rate=1.5e-4, size=128, seed=given.seed)
    return net


def distil(given: argparse.Namespace, reader: Reader) -> Net:
    """Learn from the labels, and from what the teachers say about sentences without labels."""
    own = Pool(given.examples, ["labelled"], reader, given.fold)
    other = Pool(given.examples, given.on, reader, None)
    rng = random.Random(given.seed)
    labelled = [*own.examples(rng, 6, True), *own.examples(rng, 6, True)]
    asked = [*other.examples(rng, 3, False), *_further(other, own.held(), reader, rng)]
    said = _said(given, reader, [*labelled, *asked])
    known = [
        one._replace(answer=_LABEL * one.answer + (1 - _LABEL) * chance)
        for one, chance in zip(labelled, said[: len(labelled)], strict=True)
    ]
    taught = [
        Example(one.sentence, one.relation, chance)
        for one, chance in zip(asked, said[len(labelled) :], strict=True)
    ]
    doubtful = [one for one in taught if one.answer > _CLEAR]
    clear = [one for one in taught if one.answer <= _CLEAR]
    print(
        f"{len(known)} labelled; of others {len(doubtful)} held or doubtful, {len(clear)} clear", flush=True
    )

    def draw(epoch: int) -> list[Example]:
        half = known[epoch % 2 :: 2]
        some = rng.sample(doubtful, min(len(doubtful), len(half)))
        return half + some + rng.sample(clear, min(len(clear), len(half) // 2))

    net = load(given.start, given.model, reader.marks)
    fit(net, reader, draw, epochs=10, rate=3e-4, size=256, seed=given.seed)
    return net


def direct(given: argparse.Namespace, reader: Reader) -> Net:
    """Learn that exchanged ends are not stated, and otherwise what the model knows already."""
    own = Pool(given.examples, ["labelled"], reader, given.fold)
    other = Pool(given.examples, given.on, reader, None)
    rng = random.Random(given.seed)
    known = [*own.examples(rng, 6, True), *own.examples(rng, 6, True), *other.examples(rng, 3, False)]
    given.teachers = [given.start]
    said = [
        one._replace(answer=_LABEL * one.answer + (1 - _LABEL) * chance)
        for one, chance in zip(known, _said(given, reader, known), strict=True)
    ]
    turned = [*own.exchanged(), *own.exchanged(), *other.exchanged()]
    print(f"{len(known)} as they are, {len(turned)} exchanged", flush=True)

    def draw(_epoch: int) -> list[Example]:
        return rng.sample(said, min(len(said), 100_000)) + rng.sample(turned, min(len(turned), 25_000))

    net = load(given.start, given.model, reader.marks)
    fit(net, reader, draw, epochs=5, rate=1e-4, size=256, seed=given.seed)
    return net


def _further(pool: Pool, relations: Sequence[str], reader: Reader, rng: random.Random) -> list[Example]:
    """Sentences with relations of the labelled collection, about which only the teachers know anything."""
    found: list[Example] = []
    for number in range(pool.first, pool.first + len(pool.sentences)):
        if rng.random() < _ASKED:
            drawn = rng.sample(relations, min(_ASKED_RELATIONS, len(relations)))
            found += [Example(number, reader.relation(words), 0.0) for words in drawn]
    return found


def _said(given: argparse.Namespace, reader: Reader, examples: Sequence[Example]) -> list[float]:
    """The probabilities that the teachers, by the mean of their logits, give to examples."""
    logits = np.zeros(len(examples), np.float32)
    for path in given.teachers:
        logits += logits_of(load(path, given.model, reader.marks), reader, examples) / len(given.teachers)
    chances: list[float] = (1 / (1 + np.exp(-logits))).tolist()
    return chances


def measure(net: Net, reader: Reader, given: argparse.Namespace) -> None:
    """Judge the test triples of the pages that were left out."""
    triples = [
        one
        for one in judged_triples(given.examples / "test.jsonl.gz")
        if given.fold is None or fold_of(one["page"]) == given.fold
    ]
    first = reader.add([one["sentence"] for one in triples])
    asked = [Example(first + n, reader.relation(one["relation"]), 0.0) for n, one in enumerate(triples)]
    logits = logits_of(net, reader, asked)
    np.savez(given.out.with_suffix(".npz"), logits=logits)
    print(f"{given.out.name}: {_removed(logits, triples)}", flush=True)
    true = [number for number, one in enumerate(triples) if one["kind"] == "true"]
    turned = reader.add([exchange(triples[number]["sentence"]) for number in true])
    asked = [
        Example(turned + n, reader.relation(triples[number]["relation"]), 0.0)
        for n, number in enumerate(true)
    ]
    higher = float(np.mean(logits[true] > logits_of(net, reader, asked)))
    print(f"{given.out.name}: {higher:.1%} of true ones score higher than with exchanged ends", flush=True)


def _removed(logits: Logits, triples: Sequence[JudgedTriple]) -> str:
    """The shares of wrong triples and decoys that are removed where some share of true ones is lost."""
    kinds = np.array([one["kind"] for one in triples])
    true = np.sort(logits[kinds == "true"])
    found = []
    for lost in (0.05, 0.075):
        least = true[int(lost * len(true))]
        removed = [f"{kind} {np.mean(logits[kinds == kind] < least):.3f}" for kind in ("wrong", "decoy")]
        found.append(f"{lost:.1%} lost: {', '.join(removed)}")
    return "; ".join(found)


STAGES = {"pretrain": pretrain, "teach": teach, "distil": distil, "direct": direct}


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.set_defaults(fold=None)
    stages = parser.add_subparsers(dest="stage", required=True)
    for name in STAGES:
        stage = stages.add_parser(name)
        stage.add_argument("--examples", type=Path, default=Path("examples"), help="what examples.py wrote")
        stage.add_argument("--model", type=Path, required=True, help="the folder of a small BERT encoder")
        stage.add_argument("--seed", type=int, default=0)
        stage.add_argument("--out", type=Path, required=True)
        if name != "teach":
            stage.add_argument("--on", nargs="+", required=True, help="collections without labels of people")
        if name == "pretrain":
            stage.add_argument("--layers", type=int, required=True, choices=sorted(LAYERS))
        else:
            stage.add_argument("--start", type=Path, required=True, help="weights to begin with")
            stage.add_argument("--fold", type=int, choices=range(FOLDS), help="the fifth to leave out")
        if name == "distil":
            stage.add_argument("--teachers", type=Path, nargs="+", required=True, help="what teach wrote")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one stage, write the model, and measure it."""
    given = _arguments(arguments)
    torch.manual_seed(given.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    reader = Reader(given.model)
    net = STAGES[given.stage](given, reader)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(net.trained(), given.out)
    measure(net, reader, given)


if __name__ == "__main__":
    main()
