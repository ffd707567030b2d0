"""`dpr`: an encoder learns to bring a question near the passages that prove its answers.

Positives are passages that prove an answer or a part of it, negatives the passages of the other questions of
a step and retrieved passages that name no answer. The result is opened by the retriever `dense`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rollcall.errors import RollcallError
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.base import MINILM, Base, load_base
from rollcall.systems.train.dpr.encoders import SIDES, Encoders, Side, plain
from rollcall.systems.train.dpr.evaluation import mean_figures, pool_of, proofs_of, provable
from rollcall.systems.train.dpr.examples import (
    PairExample,
    PassageExample,
    answer_keys,
    draw,
    key_of,
    left_out,
    text_of,
)
from rollcall.systems.train.dpr.folder import save_encoder
from rollcall.systems.train.dpr.options import DprOptions
from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.options import TrainingOptions
from rollcall.systems.train.order import parts
from rollcall.systems.train.trainable import Trainable

if TYPE_CHECKING:
    import torch


@TRAINABLES.register("dpr")
class Dpr(Trainable[PairExample]):
    """A dense retriever with in-batch and hard negatives; its folder is an encoder for `dense`."""

    Options = DprOptions
    bases = ("encoder",)
    default_base = MINILM
    measure = "MAP"
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {
        # QAMPARI states one positive and one negative from the ten best of BM25; the rest is DPR's own.
        "qampari": {
            "shared": False,
            "pooling": "cls",
            "similarity": "dot",
            "temperature": 1.0,
            "positives": 1,
            "negatives": 1,
            "depth": 10,
            "batch": 128,
            "learning_rate": 2e-5,
            "epochs": 40,
            "weight_decay": 0.0,
            "clip": 2.0,
        }
    }

    def __init__(self, options: DprOptions, base: Base) -> None:
        self._options, self._tokeniser = options, base.tokeniser
        longest = getattr(base.network.config, "max_position_embeddings", options.length)
        self._length = min(options.length, longest)
        networks = [plain(base.network)]
        if options.passage_base is not None:
            if options.shared:
                raise RollcallError("dpr: a passage_base is for two encoders; give --option shared=false")
            networks.append(plain(load_base(options.passage_base, self.bases, "dpr").network))
        self._encoders = Encoders(networks, base.tokeniser.pad_token_id or 0, options)
        self.network = self._encoders.network

    @classmethod
    def start(cls, options: TrainingOptions, base: Base) -> "Dpr":
        assert isinstance(options, DprOptions)
        return cls(options, base)

    def examples(self, exercises: Sequence[Exercise], seed: int) -> list[PairExample]:
        drawn = draw(exercises, self._options, seed)
        questions = self._encoded([one.exercise.question for one in drawn])
        passages = iter(self._encoded([text_of(one) for each in drawn for one in each.passages]))
        found = []
        for question, one in zip(questions, drawn, strict=True):
            keys = answer_keys(one.exercise)
            encoded = [
                PassageExample(
                    key_of(passage),
                    next(passages),
                    frozenset(keys[place] for place in (*passage.names, *passage.proves)),
                )
                for passage in one.passages
            ]
            found.append(PairExample(question, encoded, one.right, frozenset(keys)))
        return found

    def size(self, example: PairExample) -> int:
        longest = max(len(one.tokens) for one in example.passages)
        return len(example.question) + len(example.passages) * longest

    def backward(self, examples: Sequence[PairExample], parts: Sequence[Sequence[int]]) -> "torch.Tensor":
        # Rows are the questions, then the passages of the first one, of the second one, and so on.
        first = [len(examples)]
        for example in examples:
            first.append(first[-1] + len(example.passages))
        texts = [example.question for example in examples]
        texts += [passage.tokens for example in examples for passage in example.passages]
        own = [[*part, *(row for one in part for row in range(first[one], first[one + 1]))] for part in parts]

        def encode(rows: Sequence[int]) -> "torch.Tensor":
            import torch

            asked = [texts[row] for row in rows if row < len(examples)]
            read = [texts[row] for row in rows if row >= len(examples)]
            return torch.cat(
                [self._encoders.encode("question", asked), self._encoders.encode("passage", read)]
            )

        loss = self._encoders.backward(own, first[-1], encode, lambda vectors: self._loss(vectors, examples))
        return loss * sum(map(len, parts)) / len(examples)

    def _loss(self, vectors: "torch.Tensor", examples: Sequence[PairExample]) -> "torch.Tensor":
        """How unlikely each question's positive is among all passages of the step."""
        import torch

        questions, passages = vectors[: len(examples)], vectors[len(examples) :]
        with torch.autocast(vectors.device.type, enabled=False):
            scores = questions @ passages.T / self._options.temperature
        if hidden := left_out(examples):
            rows, columns = zip(*hidden, strict=True)
            scores[list(rows), list(columns)] = -torch.inf
        targets, number = [], 0
        for example in examples:
            targets.append(number)
            number += len(example.passages)
        loss: torch.Tensor = torch.nn.functional.cross_entropy(
            scores, torch.tensor(targets, device=scores.device)
        )
        return loss

    def evaluate(self, exercises: Sequence[Exercise]) -> dict[str, float]:
        asked = provable(exercises)
        pool = pool_of(asked, self._options.pool)
        places = {key: place for place, key in enumerate(pool)}
        passages = self._vectors("passage", [text_of(one) for one in pool.values()])
        questions = self._vectors("question", [one.question for one in asked])
        ranks = []
        for exercise, question in zip(asked, questions, strict=True):
            # Not a product of matrices, which mixed precision would round.
            scores = (passages * question).sum(1)
            proofs = list(proofs_of(exercise))
            own = scores[[places[key] for key in proofs]]
            better = (scores.unsqueeze(0) > own.unsqueeze(1)).sum(1).tolist()
            ranks.append({key: 1 + count for key, count in zip(proofs, better, strict=True)})
        return mean_figures(asked, ranks)

    def save(self, folder: Path, exercises: Sequence[Exercise]) -> None:
        places: list[tuple[Side, Path]] = [("passage", folder)]
        if not self._options.shared:
            places = [(side, folder / side) for side in SIDES]
        for side, place in places:
            save_encoder(place, self._encoders.of(side), self._tokeniser, self._length, self._options)

    def _encoded(self, texts: Sequence[str]) -> list[list[int]]:
        if not texts:
            return []
        numbers: list[list[int]] = self._tokeniser(list(texts), truncation=True, max_length=self._length)[
            "input_ids"
        ]
        return numbers

    def _vectors(self, side: Side, texts: Sequence[str]) -> "torch.Tensor":
        """Vectors of many texts, encoded in parts of similar length."""
        import torch

        encoded = self._encoded(texts)
        cut = parts([len(one) for one in encoded], self._options.tokens)
        vectors: Any = torch.zeros((len(encoded), self._encoders.dimension), device=self._encoders.device)
        for part in cut:
            vectors[part] = self._encoders.encode(side, [encoded[one] for one in part])
        found: torch.Tensor = vectors
        return found
