"""What an exported task of lm-evaluation-harness calls: its documents, and the scores of a reply.

It needs `datasets`, which comes with the harness: `pip install 'rollcall-qa[harness]'`.
"""

from functools import cache
from pathlib import Path
from typing import Any

from rollcall.harness import ReplyScorer


def documents(folder: Path) -> dict[str, Any]:
    """The documents of each split, as the harness wants them."""
    from datasets import Dataset

    paths = sorted((folder / "documents").glob("*.jsonl"))
    return {path.stem: Dataset.from_list(_rows(path)) for path in paths}


def _rows(path: Path) -> list[dict[str, Any]]:
    import msgspec

    return msgspec.json.Decoder(dict[str, Any]).decode_lines(path.read_bytes())


@cache
def _replies() -> ReplyScorer:
    return ReplyScorer()


def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
    """P, R and F1 of the first reply."""
    values = _replies().values(doc["record"], _replies().answers(results[0]))
    return {str(measure): value for measure, value in values.items() if value is not None}
