"""Where the corpus has the keys of names: every sentence is read once for all of them.

Input: `known_keys.npy` and a corpus. Output: files of `name_places` and `page_keys`. Pages are numbers here,
because the engine joins those faster than their ids. Blocks of sentences and links stream
through worker processes; the result does not depend on how they are cut.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rollcall.evidence.mentions.name_keys import link_key
from rollcall.evidence.mentions.word_keys import KnownKeys, beginnings
from rollcall.progress import Progress
from rollcall.tables.corpus import Links, Sentences
from rollcall.tables.evidence import NamePlaces, PageKeys
from rollcall.tables.reader import batches, count
from rollcall.tables.table import schema
from rollcall.tables.writer import write_scratch

if TYPE_CHECKING:
    from rollcall.evidence.mentions.word_keys import Keys
    from rollcall.tables.engine import Engine

_ROWS = 1 << 14


class SomeText(NamedTuple):
    """Some sentences, or some links, of a corpus."""

    number: int
    rows: pa.RecordBatch


def find_places(folder: Path, corpus: Path, engine: "Engine") -> None:
    """Write the places of all known keys to `folder/name_places`, and their pages to `folder/page_keys`."""
    for name in ("name_places", "page_keys"):
        (folder / name).mkdir()
    total = count(Sentences, corpus / "sentences.parquet") + count(Links, corpus / "links.parquet")
    with Progress("finding names", total) as progress:
        for rows in engine.map_blocks(_find, _blocks(corpus), partial(_open, folder)):
            progress.advance(rows)


def _blocks(corpus: Path) -> Iterator[SomeText]:
    sentences = batches(
        Sentences, corpus / "sentences.parquet", ["page", "number", "start", "text"], rows=_ROWS
    )
    links = batches(Links, corpus / "links.parquet", ["page", "sentence", "start", "entity"], rows=4 * _ROWS)
    number = 0
    for part in (sentences, links):
        for batch in part:
            yield SomeText(number, batch)
            number += 1


def _open(folder: Path) -> tuple[KnownKeys, Path]:
    return KnownKeys(folder), folder


def _find(prepared: tuple[KnownKeys, Path], block: SomeText) -> int:
    """Write the places in a block; returns the number of its sentences and links."""
    known, folder = prepared
    of_sentences = "text" in block.rows.schema.names
    found = _in_sentences(known, block.rows) if of_sentences else _in_links(known, block.rows)
    if found.num_rows:
        write_scratch(found, folder / "name_places" / f"{block.number:06d}.parquet")
    pages = block.rows["page"].unique()
    numbers = {"key": pa.array(_numbers(pages).view(np.int64)), "page": pages}
    write_scratch(pa.table(numbers, schema(PageKeys)), folder / "page_keys" / f"{block.number:06d}.parquet")
    return block.rows.num_rows


def _in_sentences(known: KnownKeys, sentences: pa.RecordBatch) -> pa.Table:
    texts: Any = sentences["text"]
    found = known.find(texts)
    rows = sentences.select(["page", "number", "start"]).take(found.rows)
    places = pa.array(rows["start"].to_numpy() + found.places)
    return _table(rows["page"], rows["number"], places, found.keys)


def _in_links(known: KnownKeys, links: pa.RecordBatch) -> pa.Table:
    """Links to known entities, in sentences."""
    placed = links.filter(pc.and_(pc.is_valid(links["sentence"]), pc.is_valid(links["entity"])))
    different: Any = placed["entity"].dictionary_encode()
    keys = np.fromiter(map(link_key, different.dictionary.to_pylist()), np.uint64)
    keys = keys[different.indices.to_numpy()] if len(keys) else keys
    is_known = known.contains(keys)
    rows = placed.filter(pa.array(is_known))
    return _table(rows["page"], rows["sentence"], rows["start"], keys[is_known])


def _table(pages: Any, sentences: Any, places: Any, keys: "Keys") -> pa.Table:
    encoded = pages.dictionary_encode()
    numbers = _numbers(encoded.dictionary)[encoded.indices.to_numpy()]
    arrays = [pa.array(numbers.view(np.int64)), sentences, places, pa.array(keys.view(np.int64))]
    return pa.Table.from_arrays(arrays, schema=schema(NamePlaces))


def _numbers(pages: Any) -> "Keys":
    return np.array([beginnings((page,))[0] for page in pages.to_pylist()], np.uint64)
