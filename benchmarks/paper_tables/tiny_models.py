"""Tiny checkpoints with random weights, made on the spot: with them everything runs, little is learned."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rollcall.systems.train.base import required_transformers

_SIZE, _WORDS = 32, 1200
_SHAPE = {
    "hidden_size": _SIZE,
    "intermediate_size": _SIZE,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "vocab_size": _WORDS,
}


def tiny_encoder(folder: Path, texts: Iterable[str]) -> str:
    """A BERT; returns its folder."""
    from transformers import BertConfig, BertModel

    tokeniser = _tokeniser(texts, ("[PAD]", "[CLS]", "[SEP]"))
    config = BertConfig(**_SHAPE, max_position_embeddings=192, pad_token_id=0)
    return _saved(folder, BertModel(config), tokeniser)


def tiny_generator(folder: Path, texts: Iterable[str]) -> str:
    """A causal language model; returns its folder."""
    from transformers import LlamaConfig, LlamaForCausalLM

    tokeniser = _tokeniser(texts, ("<pad>", "<s>", "</s>"))
    config = LlamaConfig(
        **_SHAPE,
        num_key_value_heads=2,
        max_position_embeddings=512,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
    )
    return _saved(folder, LlamaForCausalLM(config), tokeniser)


def _tokeniser(texts: Iterable[str], special: tuple[str, str, str]) -> Any:
    """Pieces of words, learned from the texts; three special tokens come first: padding, begin and end."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    padding, begin, end = special
    tokeniser = Tokenizer(models.BPE())
    tokeniser.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokeniser.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=_WORDS, special_tokens=[*special], initial_alphabet=alphabet, show_progress=False
    )
    tokeniser.train_from_iterator(texts, trainer)
    encodes = begin == "[CLS]"
    tokeniser.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}" if encodes else f"{begin} $A",
        pair=f"{begin} $A {end} $B {end}" if encodes else f"{begin} $A {begin} $B",
        special_tokens=[(begin, 1), (end, 2)],
    )
    named = {"cls_token": begin, "sep_token": end} if encodes else {"bos_token": begin, "eos_token": end}
    return PreTrainedTokenizerFast(tokenizer_object=tokeniser, pad_token=padding, **named)


def _saved(folder: Path, network: Any, tokeniser: Any) -> str:
    required_transformers()  # shows no bars of its own from now on
    network.save_pretrained(folder)
    tokeniser.save_pretrained(folder)
    return str(folder)
