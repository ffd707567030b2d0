"""An encoder with heads on the states of its tokens: what all systems on an encoder train, save and load.

A head is a small network from some states to numbers. The encoder is saved as transformers does it, so that
other tools can read it; the heads stand beside it, in the same format.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

import numpy as np

from rollcall.errors import RollcallError
from rollcall.systems.train.base import Base, required_transformers
from rollcall.systems.train.model_folder import check_weights
from rollcall.systems.train.order import parts
from rollcall.systems.train.passage_tokens import KeptPassages
from rollcall.systems.train.token_inputs import TokenInput, TokenInputs

if TYPE_CHECKING:
    import torch

HEADS = "heads.safetensors"
_TOKENS_ON_GPU, _TOKENS_ON_CPU = 1 << 18, 1 << 13
"""How many tokens are read at once, padding included."""

Item = TypeVar("Item")


class HeadShape(NamedTuple):
    """What a head takes and gives."""

    states: int
    """The number of token states that it takes side by side."""
    outputs: int = 1
    hidden: bool = True
    """Whether there is a layer in between."""


class EncoderNetwork:
    """An encoder, its tokeniser, and heads by name."""

    def __init__(self, encoder: Any, tokeniser: Any, heads: Mapping[str, HeadShape], tokens: int) -> None:
        import torch

        width = encoder.config.hidden_size
        self.module = torch.nn.ModuleDict(
            {
                "encoder": encoder,
                "heads": torch.nn.ModuleDict({name: _head(width, one) for name, one in heads.items()}),
            }
        )
        self._typed = getattr(encoder.config, "type_vocab_size", 0) > 1
        self._tokeniser = tokeniser
        self.decodes: bool = getattr(encoder.config, "is_encoder_decoder", False)
        """Whether a decoder reads the input again, so that the state of the last token has seen all."""
        self._first_written: int = getattr(encoder.config, "decoder_start_token_id", None) or 0
        self.inputs = TokenInputs(tokeniser, min(tokens, _longest(encoder.config)))
        self.passages = KeptPassages(self.inputs)

    @classmethod
    def start(cls, base: Base, heads: Mapping[str, HeadShape], tokens: int, seed: int) -> Self:
        """The network before training; the seed decides the first weights of the heads."""
        import torch

        torch.manual_seed(seed)
        return cls(base.network, base.tokeniser, heads, tokens)

    @classmethod
    def load(cls, folder: Path | str, heads: Mapping[str, HeadShape], tokens: int) -> Self:
        """A trained network, ready to read: on the GPU in bf16 if there is one."""
        import torch

        transformers = required_transformers()
        check_weights(folder)
        encoder = transformers.AutoModel.from_pretrained(folder)
        network = cls(encoder, transformers.AutoTokenizer.from_pretrained(folder), heads, tokens)
        from safetensors.torch import load_file

        network.module["heads"].load_state_dict(load_file(Path(folder) / HEADS))
        network.module.eval()
        if torch.cuda.is_available():
            network.module.to("cuda", torch.bfloat16)
        return network

    def save(self, folder: Path) -> None:
        from safetensors.torch import save_file

        encoder: Any = self.module["encoder"]
        encoder.save_pretrained(folder)
        self._tokeniser.save_pretrained(folder)
        weights = {name: one.contiguous().cpu() for name, one in self.module["heads"].state_dict().items()}
        save_file(weights, folder / HEADS)

    def freeze_words(self) -> None:
        """Train everything but the embeddings of words."""
        encoder: Any = self.module["encoder"]
        encoder.get_input_embeddings().weight.requires_grad = False

    @property
    def device(self) -> "torch.device":
        return next(self.module.parameters()).device

    def states(self, inputs: Sequence[TokenInput]) -> "torch.Tensor":
        """The states of all tokens: input × token × width; those of padding mean nothing."""
        import torch

        longest = max(len(one.ids) for one in inputs)
        ids = np.full((len(inputs), longest), self._tokeniser.pad_token_id or 0, np.int32)
        lengths = np.array([len(one.ids) for one in inputs])
        for row, one in enumerate(inputs):
            ids[row, : len(one.ids)] = one.ids
        places = np.arange(longest)[None, :]
        given = {
            "input_ids": ids.astype(np.int64),
            "attention_mask": (places < lengths[:, None]).astype(np.int64),
        }
        if self._typed:
            second = np.array([one.second for one in inputs])[:, None]
            given["token_type_ids"] = ((places >= second) & (places < lengths[:, None])).astype(np.int64)
        if self.decodes:
            given["decoder_input_ids"] = np.roll(given["input_ids"], 1, axis=1)
            given["decoder_input_ids"][:, 0] = self._first_written
            given["decoder_attention_mask"] = given["attention_mask"]
        tensors = {name: torch.from_numpy(one).to(self.device) for name, one in given.items()}
        found: torch.Tensor = self.module["encoder"](**tensors).last_hidden_state
        return found

    def head(self, name: str, states: "torch.Tensor") -> "torch.Tensor":
        """The numbers that a head gives for states; without the last dimension where it gives one."""
        heads: Any = self.module["heads"]
        found: torch.Tensor = heads[name](states).float()
        return found.squeeze(-1) if found.shape[-1] == 1 else found

    def read(
        self,
        items: Sequence[Item],
        tokens: Callable[[Item], int],
        values: Callable[[Item], int],
        compute: Callable[[Sequence[Item]], "torch.Tensor"],
    ) -> list[list[float]]:
        """What `compute` gives for each item, computed for many items of similar size at once.

        `compute` gives the values of all items one after the other; `tokens` and `values` are their numbers.
        """
        import torch

        budget = _TOKENS_ON_GPU if self.device.type == "cuda" else _TOKENS_ON_CPU
        order: list[int] = []
        found: list[torch.Tensor] = []
        self.module.eval()
        with torch.inference_mode():
            for part in parts([tokens(one) for one in items], budget):
                order += part
                found.append(compute([items[place] for place in part]))
            # One transfer for all, since each one waits for the GPU.
            every: list[float] = torch.cat(found).float().cpu().tolist() if found else []
        results: list[list[float]] = [[] for _ in items]
        start = 0
        for place in order:
            end = start + values(items[place])
            results[place] = every[start:end]
            start = end
        return results


def _head(width: int, shape: HeadShape) -> "torch.nn.Module":
    import torch

    taken = shape.states * width
    if not shape.hidden:
        return torch.nn.Linear(taken, shape.outputs)
    return torch.nn.Sequential(
        torch.nn.Linear(taken, width),
        torch.nn.GELU(),
        torch.nn.Dropout(0.1),
        torch.nn.Linear(width, shape.outputs),
    )


def _longest(config: Any) -> int:
    """The longest input of an encoder; those of the RoBERTa kind lose two positions to padding."""
    positions = getattr(config, "max_position_embeddings", None)
    if positions is None:
        return 1 << 30
    lost = 2 if "roberta" in getattr(config, "model_type", "") else 0
    if positions - lost < 8:
        raise RollcallError(f"the encoder takes inputs of {positions} tokens, which is too few")
    return int(positions) - lost
