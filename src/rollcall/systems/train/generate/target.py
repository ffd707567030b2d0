"""Lists of answers as tokens: no name can break the list, and no list at all is a list too.

Answers are separated by a token that the vocabulary did not have, and that no text is encoded as: a name that
contains the words of the token is encoded letter by letter. The list ends with the end token; an empty list
is the end token alone. So what is written is read back exactly, whatever commas or signs the names contain.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rollcall.errors import RollcallError

SEPARATOR = "<|next answer|>"


class Written(NamedTuple):
    """Tokens that a network wrote, and the probability that it gave to each."""

    tokens: list[int]
    chances: list[float]


class WrittenAnswer(NamedTuple):
    """An answer in what was written, with the mean probability of its tokens."""

    name: str
    chance: float


class Targets:
    """Turns lists of answers into tokens, and back."""

    def __init__(self, tokeniser: Any, network: Any) -> None:
        """Adds the separator to the vocabulary, unless the checkpoint was trained with it."""
        if tokeniser.eos_token_id is None:
            raise RollcallError("the checkpoint's vocabulary has no token for the end of a text (eos_token)")
        self._tokeniser = tokeniser
        self._names: dict[str, list[int]] = {}
        self._add_separator(network)
        self.separator: int = tokeniser.convert_tokens_to_ids(SEPARATOR)
        self.end: int = tokeniser.eos_token_id

    def encode(self, names: Sequence[str], limit: int) -> list[int]:
        """The tokens of a list.

        If the list has more than `limit` tokens, it has as many whole answers as fit and no end: a system is
        never taught that a list is complete when it is not.
        """
        tokens, number = self._whole(names, limit)
        rest = [name for name in names[number:] if name.strip()]
        if not rest:
            return [*tokens, self.end]
        return tokens or self._encode_name(rest[0])[:limit]

    def fitting(self, names: Sequence[str], limit: int) -> int:
        """How many of some names a list of at most `limit` tokens holds whole."""
        return self._whole(names, limit)[1]

    def _whole(self, names: Sequence[str], limit: int) -> tuple[list[int], int]:
        """The tokens of as many names as fit, with room for the end, and the number of these names."""
        tokens: list[int] = []
        for number, name in enumerate(names):
            more = self._encode_name(name) if name.strip() else []
            more = [self.separator, *more] if tokens and more else more
            if len(tokens) + len(more) + 1 > limit:
                return tokens, number
            tokens += more
        return tokens, len(names)

    def decode(self, written: Written) -> list[WrittenAnswer]:
        """The answers in what was written; one that the limit cut off counts as it stands."""
        found: list[WrittenAnswer] = []
        tokens: list[int] = []
        chances: list[float] = []
        for token, chance in zip([*written.tokens, self.end], [*written.chances, 1.0], strict=True):
            if token not in (self.separator, self.end):
                tokens.append(token)
                chances.append(chance)
                continue
            if name := self._text(tokens):
                found.append(WrittenAnswer(name, sum(chances) / len(chances)))
            if token == self.end:
                break
            tokens, chances = [], []
        return found

    def encode_text(
        self, texts: Iterable[str], special: bool = True, limit: int | None = None
    ) -> list[list[int]]:
        """Texts as tokens; what looks like a special token in a text is encoded letter by letter."""
        every = list(texts)
        if not every:
            return []
        cut = {"truncation": True, "max_length": limit} if limit is not None else {}
        encoded = self._tokeniser(
            every,
            add_special_tokens=special,
            split_special_tokens=True,
            return_attention_mask=False,
            **cut,
        )
        return [list(one) for one in encoded["input_ids"]]

    def _encode_name(self, name: str) -> list[int]:
        if name not in self._names:
            self._names[name] = self.encode_text([f" {name.strip()}"], special=False)[0]
        return self._names[name]

    def _text(self, tokens: Sequence[int]) -> str:
        text: str = self._tokeniser.decode(
            tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return text.strip()

    def _add_separator(self, network: Any) -> None:
        import torch
        from transformers import AddedToken

        if SEPARATOR in self._tokeniser.get_vocab():
            return
        self._tokeniser.add_tokens(
            [AddedToken(SEPARATOR, special=True, normalized=False)], special_tokens=True
        )
        rows = network.get_input_embeddings().weight.shape[0]
        if len(self._tokeniser) <= rows:  # some checkpoints have more rows than tokens
            return
        network.resize_token_embeddings(len(self._tokeniser), mean_resizing=False)
        with torch.no_grad():  # no random numbers: the same start each time
            for embeddings in (network.get_input_embeddings(), network.get_output_embeddings()):
                if embeddings is not None:
                    embeddings.weight[rows:] = embeddings.weight[:rows].mean(0)
