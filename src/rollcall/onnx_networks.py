"""Networks of onnxruntime and tokenizers, opened the same way wherever packaged models are used.

One thread for each process gives the same bits for any number of processes.
"""

from pathlib import Path
from typing import Any

from rollcall.errors import RollcallError

_MISSING = "onnxruntime and tokenizers: pip install rollcall-models"


def open_network(source: Path | bytes, folder: Path, of: str) -> Any:
    """The session of a network in a file or in memory; `of` says whose it is."""
    try:
        import onnxruntime
    except ImportError:
        raise RollcallError(f"{of} needs {_MISSING}") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    given = source if isinstance(source, bytes) else str(source)
    try:
        return onnxruntime.InferenceSession(given, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the library raises errors of its own, without a common base
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise RollcallError(f"{folder}: its model cannot be loaded: {first}") from None


def open_tokenizer(file: Path, of: str) -> Any:
    """The tokenizer in a file."""
    try:
        import tokenizers
    except ImportError:
        raise RollcallError(f"{of} needs {_MISSING}") from None
    try:
        return tokenizers.Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises nothing more precise
        raise RollcallError(f"{file}: cannot be read: {error}") from None
