"""Dense search in all passages of a corpus on a machine that has neither the corpus nor FAISS.

It is exact: the vectors of all passages are one matrix, on the GPU if there is one.
"""

import lzma
from collections.abc import Sequence
from pathlib import Path

import msgspec
import torch

from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Asked, Retriever
from rollcall.systems.retrieve.encoder import Encoder, both_encoders

_BATCH = 512


def read_passages(file: Path) -> list[Passage]:
    """The passages that `prepare` wrote."""
    return msgspec.json.Decoder(Passage).decode_lines(lzma.decompress(file.read_bytes()))


class DenseSearch(Retriever):
    """The nearest passages by inner product."""

    name = "dense-search"

    def __init__(self, model: str, passages: Sequence[Passage]) -> None:
        questions, texts = both_encoders(model)
        self._encoder = Encoder(questions, batch=_BATCH)
        encoder = self._encoder if texts == questions else Encoder(texts, batch=_BATCH)
        self._passages = passages
        device = "cuda" if torch.cuda.is_available() else "cpu"
        vectors = encoder.encode([f"{one.title} {one.text}" for one in passages])
        self._vectors = torch.from_numpy(vectors).to(device)

    def retrieve(self, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        asked = torch.from_numpy(self._encoder.encode([one.question for one in questions]))
        scores = asked.to(self._vectors.device) @ self._vectors.T
        best = torch.topk(scores, min(k, len(self._passages)), dim=1)
        return [
            [
                msgspec.structs.replace(self._passages[place], score=score)
                for place, score in zip(places, values, strict=True)
            ]
            for places, values in zip(best.indices.tolist(), best.values.tolist(), strict=True)
        ]
