"""Networks of known shapes with random weights, and a tokeniser for our words."""

from typing import Any

import torch
import transformers

from reading_speed.passages import WORDS
from rollcall.systems.train.base import BaseCheckpoint

SMOLLM2 = {
    "hidden_size": 576,
    "num_hidden_layers": 30,
    "num_attention_heads": 9,
    "num_key_value_heads": 3,
    "intermediate_size": 1536,
    "rope_theta": 100_000.0,
    "tie_word_embeddings": True,
    "max_position_embeddings": 8192,
}
MINILM = {
    "hidden_size": 384,
    "num_hidden_layers": 6,
    "num_attention_heads": 12,
    "intermediate_size": 1536,
    "max_position_embeddings": 512,
}
TINY = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}


def word_tokeniser() -> Any:
    """A tokeniser for which each of our words is one token."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    special = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    vocabulary = {word: number for number, word in enumerate([*special.values(), "[END]", *WORDS])}
    tokeniser = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))  # noqa: S106
    tokeniser.pre_tokenizer = pre_tokenizers.Whitespace()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokeniser, eos_token="[END]", **special)  # noqa: S106


def random_base(kind: str, tiny: bool, device: torch.device) -> BaseCheckpoint:
    """A network of a known shape with random weights."""
    torch.manual_seed(0)
    tokeniser = word_tokeniser()
    with device:  # random numbers are drawn much faster there
        if kind == "causal":
            shape = {**TINY, "num_key_value_heads": 2} if tiny else SMOLLM2
            vocabulary = len(tokeniser) if tiny else 49152
            llama = transformers.LlamaConfig(**shape, vocab_size=vocabulary)
            return BaseCheckpoint("random", "causal", transformers.LlamaForCausalLM(llama), tokeniser)
        bert = transformers.BertConfig(**(TINY if tiny else MINILM), vocab_size=30522)
        return BaseCheckpoint("random", "encoder", transformers.BertModel(bert), tokeniser)
