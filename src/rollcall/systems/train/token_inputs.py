"""Texts as the tokens of an encoder: several parts in one input, and the positions of characters among them.

Each text is tokenised once and kept, because a passage is read for many questions and in many epochs. The
last part is cut where the input would be too long.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from rollcall.systems.read.linking import LinkedMention
from rollcall.systems.train.training_example import TrainingExample

Numbers: TypeAlias = npt.NDArray[np.int32]

_MOST_KEPT = 1_000_000


class TokenizedText(NamedTuple):
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
    starts: tuple[int, ...]

    @property
    def second(self) -> int:
        """Where the second part begins, whose tokens have the other type."""
        return self.starts[1] if len(self.starts) > 1 else len(self.ids)


class TokenInputs:
    """Makes inputs with the tokeniser of an encoder."""

    def __init__(self, tokeniser: Any, tokens: int) -> None:
        """An input has at most this number of tokens."""
        self._tokeniser, self.tokens = tokeniser, tokens
        self.begin, self.end = _marks(tokeniser)
        self._known: dict[str, TokenizedText] = {}

    def prepare(self, texts: Iterable[str]) -> None:
        """Tokenise many texts at once."""
        if len(self._known) > _MOST_KEPT:
            self._known.clear()
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if not new:
            return
        encoded = self._tokeniser(
            new,
            add_special_tokens=False,
            return_offsets_mapping=True,
            return_attention_mask=False,
            return_token_type_ids=False,
            truncation=True,
            max_length=self.tokens,
            padding=False,
        )
        for text, ids, offsets in zip(new, encoded["input_ids"], encoded["offset_mapping"], strict=True):
            bounds = np.array(offsets, np.int32).reshape(-1, 2)
            self._known[text] = TokenizedText(np.array(ids, np.int32), bounds[:, 0], bounds[:, 1])

    def of(self, text: str) -> TokenizedText:
        """The tokens of a text."""
        if text not in self._known:
            self.prepare([text])
        return self._known[text]

    def joined(self, *texts: str) -> TokenInput:
        """The texts in one input, in their order, with the tokeniser's marks around each.

        Each part but the last has at most its share of half the input, so that there is room for the last.
        """
        room, most = self.tokens - len(self.begin), self.tokens // (2 * max(len(texts) - 1, 1))
        pieces, starts, length = [self.begin], [], len(self.begin)
        for number, text in enumerate(texts):
            last = number == len(texts) - 1
            ids = self.of(text).ids[: max(room - 1 if last else min(most, room - 1), 0)]
            starts.append(length)
            pieces += [ids, self.end]
            length += len(ids) + 1
            room -= len(ids) + 1
        return TokenInput(np.concatenate(pieces), tuple(starts))


def _marks(tokeniser: Any) -> tuple[Numbers, Numbers]:
    """The tokens before the first part, and after each part."""
    begin = tokeniser.cls_token_id if tokeniser.cls_token_id is not None else tokeniser.bos_token_id
    end = tokeniser.sep_token_id if tokeniser.sep_token_id is not None else tokeniser.eos_token_id
    return np.array([] if begin is None else [begin], np.int32), np.array([end], np.int32)


# Passages with linked mentions as tokens: title and text, and the first and last tokens of each mention.
# A passage is prepared once and kept, because it is the same for every question and in every epoch.

_PASSAGE_TOKENS_MOST_KEPT = 200_000


class MentionReading(NamedTuple):
    """A passage that is read for a question, with its mentions."""

    question: str
    title: str
    text: str
    mentions: Sequence[LinkedMention]


class PassageTokens(NamedTuple):
    """The tokens of title and text, with a mark between them, and the first and last tokens of mentions."""

    mentions: Sequence[LinkedMention]
    ids: Numbers
    first: Numbers
    last: Numbers
    indices: Numbers
    """The indices of these mentions among all mentions of the passage."""


class KeptPassages:
    """Prepared passages, by their texts."""

    def __init__(self, inputs: TokenInputs) -> None:
        self._inputs = inputs
        self._known: dict[tuple[str, str], PassageTokens] = {}

    def of(self, reading: MentionReading) -> PassageTokens:
        """The tokens of the passage that is read."""
        key = (reading.title, reading.text)
        known = self._known.get(key)
        if known is None or known.mentions != reading.mentions:
            if len(self._known) > _PASSAGE_TOKENS_MOST_KEPT:
                self._known.clear()
            known = self._known[key] = self._prepared(reading)
        return known

    def _prepared(self, reading: MentionReading) -> PassageTokens:
        title, text = self._inputs.of(reading.title), self._inputs.of(reading.text)
        within = min(len(title.ids), self._inputs.tokens // 4)
        parts = (("title", title, 0, within), ("text", text, within + 1, len(text.ids)))
        first, last, indices = [], [], []
        for where, tokens, shift, end in parts:
            numbers = [number for number, mention in enumerate(reading.mentions) if mention.where == where]
            mentions = [reading.mentions[number] for number in numbers]
            begins, ends = tokens.spans(
                [mention.start for mention in mentions], [mention.end for mention in mentions]
            )
            kept = ends < end
            first.append(begins[kept] + shift)
            last.append(ends[kept] + shift)
            indices.append(np.array(numbers, np.int32)[kept])
        ids = np.concatenate([title.ids[:within], self._inputs.end, text.ids])
        return PassageTokens(
            reading.mentions, ids, np.concatenate(first), np.concatenate(last), np.concatenate(indices)
        )


def readings_of(examples: Sequence[TrainingExample]) -> list[MentionReading]:
    """All retrieved passages of training examples, each read for its question."""
    return [
        MentionReading(example.question, passage.title, passage.text, passage.mentions)
        for example in examples
        for passage in example.passages
    ]
