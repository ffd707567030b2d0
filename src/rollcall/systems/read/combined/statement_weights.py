"""Which words state what a question asks for: "was awarded" for "received", and not "was nominated for".

A weight belongs to a word of the question's phrase and a token of a sentence. Those of `EVERY` belong to any
phrase. `models/training/statements.py` fits them to questions whose evidence is known: once to those of
worlds, once to those of real pages, since the two are written differently; the trees decide whom to believe.
"""

import gzip
import math
from collections.abc import Mapping
from pathlib import Path

import msgspec

from rollcall.decompression import DamagedFileError
from rollcall.errors import RollcallError
from rollcall.files import open_compressed
from rollcall.nesting import UNREADABLE, why

FILE = "statements.json.gz"
EVERY = "*"


class StatementWeights(msgspec.Struct, frozen=True):
    """A logistic regression: how likely a sentence states what a phrase asks for."""

    bias: float = 0.0
    weights: dict[str, dict[str, float]] = {}
    """By word of the phrase, then by token of the sentence."""

    def merged(self, phrase: frozenset[str]) -> "PhraseWeights":
        """The weights of a whole phrase: each of its words counts alike."""
        found = dict(self.weights.get(EVERY, {}))
        for word in sorted(phrase):
            for token, weight in self.weights.get(word, {}).items():
                found[token] = found.get(token, 0.0) + weight / len(phrase)
        return PhraseWeights(self.bias, found)

    def known(self, phrase: frozenset[str]) -> float:
        """The share of a phrase's words that have weights of their own."""
        return sum(word in self.weights for word in phrase) / len(phrase) if phrase else 0.0


class PhraseWeights:
    """The weights of one phrase, by token."""

    def __init__(self, bias: float, weights: Mapping[str, float]) -> None:
        self._bias, self._weights = bias, weights

    def chance(self, tokens: frozenset[str]) -> float:
        """The probability that a sentence with these tokens states what the phrase asks for."""
        weights = self._weights
        total = self._bias + math.fsum(weights[token] for token in tokens if token in weights)
        return 1.0 / (1.0 + math.exp(-max(min(total, 30.0), -30.0)))


class Statements(msgspec.Struct, frozen=True):
    """The weights of both kinds of text."""

    worlds: StatementWeights = StatementWeights()
    pages: StatementWeights = StatementWeights()

    @property
    def all(self) -> tuple[StatementWeights, ...]:
        return self.worlds, self.pages

    def write(self, folder: Path) -> None:
        content = msgspec.json.encode(self, order="sorted")
        (folder / FILE).write_bytes(gzip.compress(content, 9, mtime=0))

    @classmethod
    def open(cls, folder: Path) -> "Statements":
        file = folder / FILE
        if not file.is_file():
            raise RollcallError(f"{folder}: has no {FILE}; train it again")
        try:
            with open_compressed(file) as stream:
                return msgspec.json.decode(stream.read(), type=cls)
        except DamagedFileError as error:
            raise RollcallError(f"{file}: {error.reason}; train it again") from None
        except UNREADABLE as error:
            raise RollcallError(f"{file}: cannot be read ({why(error)}); train it again") from None


NO_STATEMENTS = Statements()
"""Without weights: every sentence is as likely as any other."""
