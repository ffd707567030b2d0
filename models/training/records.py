"""The lines that `examples.py` writes and `train.py` reads: sentences to learn from, triples to measure with.

Both are gzipped JSON lines. This module needs nothing but Python, so that a machine that trains needs torch
and transformers alone.
"""

import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypedDict

FOLDS = 5
_MARK = re.compile(r"\[unused([1-4])\]")
_OTHER = {"1": "3", "2": "4", "3": "1", "4": "2"}


class Sentence(TypedDict):
    """A sentence with two marked ends, and words of relations between them.

    `named` says whether the sentence names both ends itself; `held` are the relations it states, `unstated`
    those that hold without being stated, `wrong` those it does not state, the likelier ones more often.
    """

    page: str
    sentence: str
    named: bool
    held: list[str]
    unstated: list[str]
    wrong: list[str]


class JudgedTriple(TypedDict):
    """A sentence with two marked ends, the words of one relation, and what annotators say about it."""

    page: str
    sentence: str
    relation: str
    kind: str


def fold_of(page: str) -> int:
    """The fifth of all pages to which a page belongs."""
    return hashlib.md5(page.encode()).digest()[0] % FOLDS


def exchange(sentence: str) -> str:
    """A marked sentence with subject and object exchanged."""
    return _MARK.sub(lambda mark: f"[unused{_OTHER[mark[1]]}]", sentence)


def write(path: Path, records: Iterable[Mapping[str, object]]) -> int:
    """Write records as lines, and count them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            count += 1
    return count


def sentences(path: Path) -> Iterator[Sentence]:
    """The sentences of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def judged_triples(path: Path) -> Iterator[JudgedTriple]:
    """The judged triples of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)
