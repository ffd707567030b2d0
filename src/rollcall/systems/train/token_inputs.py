"""Texts as the tokens of an encoder: several parts in one input, and the places of characters among them.

Each text is tokenised once and kept, because a passage is read for many questions and in many epochs. The
last part is cut where the input would be too long.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[np.int32]

_MOST_KEPT = 1_000_000


class Tokens(NamedTuple):
    """The tokens of one text, and the characters where each begins and ends."""

    ids: Numbers
    begins: Numbers
    ends: Numbers

    def spans(self, starts: Sequence[int], ends: Sequence[int]) -> tuple[Numbers, Numbers]:
        """The first and the last token of each span of characters."""
        first = np.searchsorted(self.ends, np.asarray(starts, np.int32), side="right")
        last = np.searchsorted(self.begins, np.asarray(ends, np.int32), side="left") - 1
        return first.astype(np.int32), np.maximum(last, first).astype(np.int32)


class TokenInput(NamedTuple):
    """An input of an encoder: its tokens, and where each of its parts begins."""

    ids: Numbers
    places: tuple[int, ...]

    @property
    def second(self) -> int:
        """Where the second part begins, whose tokens have the other type."""
        return self.places[1] if len(self.places) > 1 else len(self.ids)


class TokenInputs:
    """Makes inputs with the tokeniser of an encoder."""

    def __init__(self, tokeniser: Any, tokens: int) -> None:
        """An input has at most this number of tokens."""
        self._tokeniser, self.tokens = tokeniser, tokens
        self.begin, self.end = _marks(tokeniser)
        self._known: dict[str, Tokens] = {}

    def prepare(self, texts: Iterable[str]) -> None:
        """Tokenise many texts at once."""
        if len(self._known) > _MOST_KEPT:
            self._known.clear()
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if not new:
            return
        found = self._tokeniser(
            new,
            add_special_tokens=False,
            return_offsets_mapping=True,
            return_attention_mask=False,
            return_token_type_ids=False,
            truncation=True,
            max_length=self.tokens,
            padding=False,
        )
        for text, ids, offsets in zip(new, found["input_ids"], found["offset_mapping"], strict=True):
            places = np.array(offsets, np.int32).reshape(-1, 2)
            self._known[text] = Tokens(np.array(ids, np.int32), places[:, 0], places[:, 1])

    def of(self, text: str) -> Tokens:
        """The tokens of a text."""
        if text not in self._known:
            self.prepare([text])
        return self._known[text]

    def joined(self, *texts: str) -> TokenInput:
        """The texts in one input, in their order, with the tokeniser's marks around each.

        Each part but the last has at most its share of half the input, so that there is room for the last.
        """
        room, most = self.tokens - len(self.begin), self.tokens // (2 * max(len(texts) - 1, 1))
        pieces, places, length = [self.begin], [], len(self.begin)
        for number, text in enumerate(texts):
            last = number == len(texts) - 1
            ids = self.of(text).ids[: max(room - 1 if last else min(most, room - 1), 0)]
            places.append(length)
            pieces += [ids, self.end]
            length += len(ids) + 1
            room -= len(ids) + 1
        return TokenInput(np.concatenate(pieces), tuple(places))


def _marks(tokeniser: Any) -> tuple[Numbers, Numbers]:
    """The tokens before the first part, and after each part."""
    begin = tokeniser.cls_token_id if tokeniser.cls_token_id is not None else tokeniser.bos_token_id
    end = tokeniser.sep_token_id if tokeniser.sep_token_id is not None else tokeniser.eos_token_id
    return np.array([] if begin is None else [begin], np.int32), np.array([end], np.int32)
