"""Tokens of sentences and relations, each computed once, and examples made of their numbers."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoTokenizer

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
MARKS = [f"[unused{number}]" for number in range(1, 5)]
"""Those of `rollcall.evidence.verifiers.learned.verifier`, repeated so that training needs no Rollcall."""
_LONGEST_SENTENCE, _LONGEST_RELATION = 128, 16


class Example(NamedTuple):
    """The number of a sentence, that of a relation, the probability that it is stated, and a weight."""

    sentence: int
    relation: int
    answer: float
    weight: float = 1.0


class Batchable(NamedTuple):
    """The tokens of examples and where their second text begins, on the device, and how long each is."""

    tokens: torch.Tensor
    second: torch.Tensor
    lengths: NDArray[np.int64]


class Reader:
    """The tokenizer of an encoder, and what it has read."""

    def __init__(self, model: Path) -> None:
        self._tokenizer = AutoTokenizer.from_pretrained(model)
        self._tokenizer.add_special_tokens({"additional_special_tokens": MARKS})
        self._sentences: list[list[int]] = []
        self._relations: list[list[int]] = []
        self._numbers: dict[str, int] = {}
        vocabulary = self._tokenizer.get_vocab()
        self.marks = [vocabulary[mark] for mark in MARKS]

    def add(self, sentences: Sequence[str]) -> int:
        """Read sentences; the number of the first one."""
        first = len(self._sentences)
        self._sentences += self._tokenizer(
            list(sentences), add_special_tokens=False, truncation=True, max_length=_LONGEST_SENTENCE
        )["input_ids"]
        return first

    def relation(self, words: str) -> int:
        """The number of a relation."""
        if words not in self._numbers:
            self._numbers[words] = len(self._relations)
            tokens = self._tokenizer(words, add_special_tokens=False)["input_ids"]
            self._relations.append(tokens[:_LONGEST_RELATION])
        return self._numbers[words]

    def tensors(self, examples: Sequence[Example]) -> Batchable:
        """Examples as the model reads them: the relation, then the sentence."""
        start, end = self._tokenizer.cls_token_id, self._tokenizer.sep_token_id
        rows = [
            [start, *self._relations[one.relation], end, *self._sentences[one.sentence], end]
            for one in examples
        ]
        lengths = np.array([len(row) for row in rows], np.int64)
        tokens = np.zeros((len(rows), int(lengths.max())), np.int32)
        for number, row in enumerate(rows):
            tokens[number, : len(row)] = row
        second = [len(self._relations[one.relation]) + 2 for one in examples]
        return Batchable(torch.from_numpy(tokens).to(DEVICE), torch.tensor(second, device=DEVICE), lengths)
