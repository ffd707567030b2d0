"""The weights of Rollcall's learned verifier, of its reader `rollcall`, of its retriever `learned`
and of `ask`, as files.

This package has no code that runs a model, so that weights and code can be released at different times:
Rollcall asks it where the files are, and reads them itself.
"""

from pathlib import Path

from rollcall_models.version import __version__

__all__ = ["__version__", "ask_model", "reader_model", "retriever_model", "statement_model"]


def ask_model() -> Path:
    """The folder of the cross-encoder by which `ask` ranks the queries that a question may ask for.

    It contains `model.onnx` (the network in int8, which takes the embeddings and the tokens of
    `statement_model`) and `ask.json` (the fitted weights of features and network, and of the surety).
    """
    return Path(__file__).parent / "ask"


def statement_model() -> Path:
    """The folder of the model that judges whether a sentence states a fact.

    It contains `model.onnx` (the network in int8), `embeddings.bin` (the embeddings of words, to which it
    refers), `layers.npz` (the trained layers, from which Rollcall adapts the model to a graph),
    `tokenizer.json`, and `card.json` (what the model was trained on and how well it does).
    """
    return Path(__file__).parent / "statement"


def reader_model() -> Path:
    """The folder of the trees with which the reader `rollcall` weighs possible answers.

    It contains `things.txt.gz`, `first.txt.gz` and `second.txt.gz` (trees in LightGBM's text form),
    `statements.json.gz` (which words state what a question asks for), and `rollcall.json` (what they were
    fitted to).
    """
    return Path(__file__).parent / "reader"


def retriever_model() -> Path:
    """The folder of the encoder by which the retriever `learned` finds passages.

    It contains `model.onnx` (the network in int8, which takes the embeddings and the tokens of
    `statement_model`) and `retriever.json` (how many tokens of a text it reads).
    """
    return Path(__file__).parent / "retriever"
