# ruff: noqa: S106
"""Tiny checkpoints with random weights, saved as transformers saves them, for tests of training."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

SHAPE = {
    "hidden_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 128,
}
TinyKind = Literal["t5", "bart", "llama"]
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def word_tokeniser(texts: Iterable[str]) -> Any:
    """A tokeniser with one token for each word of the texts, in lower case."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    splits = pre_tokenizers.BertPreTokenizer()
    words = sorted({word for text in texts for word, _ in splits.pre_tokenize_str(text.lower())})
    vocabulary = {word: number for number, word in enumerate([*SPECIAL, *words])}
    tokeniser = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokeniser.normalizer = normalizers.Lowercase()
    tokeniser.pre_tokenizer = splits
    tokeniser.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return PreTrainedTokenizerFast(
        tokenizer_object=tokeniser,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
    )


def tiny_encoder(folder: Path, texts: Iterable[str], seed: int = 1) -> str:
    """A BERT that knows the words of the texts; returns its folder."""
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(seed)
    tokeniser = word_tokeniser(texts)
    tokeniser.save_pretrained(folder)
    BertModel(BertConfig(vocab_size=len(tokeniser), **SHAPE)).save_pretrained(folder)
    return str(folder)


def piece_tokeniser(texts: Iterable[str]) -> Any:
    """A tokeniser with pieces of words, learned from the texts; every text can be encoded."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    tokeniser = Tokenizer(models.BPE())
    tokeniser.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokeniser.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=["<pad>", "<s>", "</s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokeniser.train_from_iterator(texts, trainer)
    tokeniser.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", 1), ("</s>", 2)]
    )
    special = {"pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>"}
    return PreTrainedTokenizerFast(tokenizer_object=tokeniser, **special)


def tiny_generator(folder: Path, kind: TinyKind, texts: Iterable[str], width: int = 32) -> str:
    """A network of this kind that writes text; returns its folder."""
    import torch
    import transformers

    torch.manual_seed(0)
    tokeniser = piece_tokeniser(texts)
    vocabulary = {"vocab_size": len(tokeniser), "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    network: Any
    if kind == "llama":
        network = transformers.LlamaForCausalLM(
            transformers.LlamaConfig(
                hidden_size=width,
                intermediate_size=2 * width,
                num_hidden_layers=2,
                num_attention_heads=4,
                num_key_value_heads=2,
                max_position_embeddings=512,
                initializer_range=0.1,
                **vocabulary,
            )
        )
    elif kind == "t5":
        network = transformers.T5ForConditionalGeneration(
            transformers.T5Config(
                d_model=width,
                d_ff=2 * width,
                d_kv=width // 4,
                num_layers=2,
                num_heads=4,
                dropout_rate=0.0,
                decoder_start_token_id=0,
                **vocabulary,
            )
        )
    else:
        network = transformers.BartForConditionalGeneration(
            transformers.BartConfig(
                d_model=width,
                encoder_ffn_dim=2 * width,
                decoder_ffn_dim=2 * width,
                encoder_layers=2,
                decoder_layers=2,
                encoder_attention_heads=4,
                decoder_attention_heads=4,
                dropout=0.0,
                init_std=0.1,
                max_position_embeddings=512,
                decoder_start_token_id=2,
                forced_eos_token_id=None,
                **vocabulary,
            )
        )
    network.save_pretrained(folder)
    tokeniser.save_pretrained(folder)
    return str(folder)
