"""Sentences that name an answer together with a name of its question: what text shows without a query.

A question of a published set has no relations that a verifier could judge, but its names are known. The
corpus is read once for all names, each a sequence of words; a name in the title of the page counts for
every sentence of it.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from rollcall.evidence.mentions.word_keys import KnownKeys, beginnings, write_keys
from rollcall.evidence.names.forms import WORD, plain
from rollcall.questions.record import Evidence, Question
from rollcall.systems.check.words import question_names
from rollcall.tables.corpus import Pages, Sentences
from rollcall.tables.reader import batches

_ROWS = 1 << 14


class Sought(NamedTuple):
    """An answer of a question, by its name."""

    question: str
    answer: str


def names_in(question: Question) -> list[str]:
    """The names in a question: those that its record gives, else words with capitals."""
    given = question.provenance.get("entities")
    if isinstance(given, list) and given and all(isinstance(one, str) for one in given):
        return list(dict.fromkeys(given))
    return list(dict.fromkeys(question_names(question.question)))


def find_named(
    corpus: Path, sought: Iterable[Sought], names: Mapping[str, Sequence[str]]
) -> dict[Sought, Evidence]:
    """The first sentence of the corpus that names each answer with some name of its question."""
    wanted: dict[int, dict[int, list[Sought]]] = {}
    whole: list[int] = []
    begun: set[int] = set()
    for one in dict.fromkeys(sought):
        answer = _key(one.answer, whole, begun)
        for name in names.get(one.question, ()):
            beside = _key(name, whole, begun)
            if answer is not None and beside is not None and answer != beside:
                wanted.setdefault(answer, {}).setdefault(beside, []).append(one)
    if not wanted:
        return {}
    with TemporaryDirectory(prefix="rollcall-names-") as folder:
        write_keys(Path(folder), [np.array(whole, np.uint64)], [np.array(sorted(begun), np.uint64)])
        return _read(corpus, KnownKeys(Path(folder)), wanted)


def _key(name: str, whole: list[int], begun: set[int]) -> int | None:
    words = WORD.findall(plain(name))
    if not words:
        return None
    *starts, key = beginnings(words)
    whole.append(key)
    begun.update(starts)
    return key


def _read(
    corpus: Path, known: KnownKeys, wanted: Mapping[int, Mapping[int, list[Sought]]]
) -> dict[Sought, Evidence]:
    titles, of_titles = _titles(corpus, known)
    found: dict[Sought, Evidence] = {}
    for batch in batches(
        Sentences, corpus / "sentences.parquet", ("page", "text", "start", "end"), rows=_ROWS
    ):
        texts: Any = batch["text"]
        hits = known.find(texts)
        by_row: dict[int, set[int]] = {}
        for row, key in zip(hits.rows.tolist(), hits.keys.tolist(), strict=True):
            by_row.setdefault(row, set()).add(key)
        for row, keys in by_row.items():
            page = batch["page"][row].as_py()
            every = keys | of_titles.get(page, set())
            for answer in every & wanted.keys():
                for beside in every & wanted[answer].keys():
                    if answer not in keys and beside not in keys:
                        continue  # the title alone says nothing about this sentence
                    for one in wanted[answer][beside]:
                        if one not in found:
                            place = {name: batch[name][row].as_py() for name in ("text", "start", "end")}
                            found[one] = Evidence(title=titles[page], **place)
    return found


def _titles(corpus: Path, known: KnownKeys) -> tuple[dict[str, str], dict[str, set[int]]]:
    """The titles of pages, and the keys of names in them."""
    titles: dict[str, str] = {}
    keys: dict[str, set[int]] = {}
    for batch in batches(Pages, corpus / "pages.parquet", ("id", "title"), rows=_ROWS):
        ids, named = ([str(one) for one in batch[name].to_pylist()] for name in ("id", "title"))
        titles.update(zip(ids, named, strict=True))
        texts: Any = batch["title"]
        hits = known.find(texts)
        for row, key in zip(hits.rows.tolist(), hits.keys.tolist(), strict=True):
            keys.setdefault(ids[row], set()).add(key)
    return titles, keys
