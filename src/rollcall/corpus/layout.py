"""The names inside a corpus folder, the columns of its tables, and the version of its format."""

from typing import TYPE_CHECKING

from rollcall.input_files.folder import Kind

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT_VERSION = 2
MANIFEST = "corpus.json"

TABLES: dict[str, dict[str, str]] = {
    "pages": {
        "id": "string",
        "title": "string",
        "entity": "string",
        "tie": "string",
        "disambiguation": "bool",
        "characters": "int64",
        "sentences": "int32",
        "tables": "int32",
    },
    "sentences": {
        "page": "string",
        "number": "int32",
        "section": "string",
        "text": "string",
        "start": "int64",
        "end": "int64",
        "after": "string",
    },
    "passages": {
        "id": "string",
        "page": "string",
        "number": "int32",
        "first": "int32",
        "last": "int32",
        "words": "int32",
        "text": "string",
    },
    "links": {
        "page": "string",
        "number": "int32",
        "sentence": "int32",
        "start": "int64",
        "end": "int64",
        "anchor": "string",
        "target": "string",
        "entity": "string",
    },
    "tables": {
        "page": "string",
        "number": "int32",
        "section": "string",
        "caption": "string",
        "header": "strings",
        "rows": "int32",
        "columns": "int32",
    },
    "cells": {
        "page": "string",
        "table": "int32",
        "row": "int32",
        "column": "int32",
        "header": "bool",
        "text": "string",
        "links": "strings",
        "entities": "strings",
    },
    "redirects": {"title": "string", "target": "string"},
    "ties": {"entity": "string", "page": "string", "tie": "string"},
    "mentions": {"entity": "string", "mentions": "int64", "pages": "int64"},
    "forms": {"entity": "string", "text": "string", "source": "string", "count": "int64", "share": "float64"},
    "aliases": {"entity": "string", "text": "string", "source": "string", "count": "int64"},
    "relations": {"relation": "string", "facts": "int64", "together": "int64", "cooccurrences": "int64"},
}
"""The tables of a finished corpus, each sorted by its first columns.

`after` is the white space after a sentence: sentences joined with it are the page's text. Rows of a table are
counted from 1; its header is in `tables`. `entities` are those that `links` refer to, null where unknown.
"""

CORPUS_FOLDER = Kind(
    "corpus",
    MANIFEST,
    FORMAT_VERSION,
    "rollcall corpus SOURCE --graph DIR",
    frozenset(f"{table}.parquet" for table in TABLES),
)

SHARD_TABLES: dict[str, dict[str, str]] = {
    "pages": {
        "order": "int64",
        "id": "string",
        "title": "string",
        "item": "string",
        "by_title": "bool",
        "disambiguation": "bool",
        "characters": "int64",
        "sentences": "int32",
    },
    "sentences": {"order": "int64", **TABLES["sentences"]},
    "passages": {"order": "int64", **TABLES["passages"]},
    "links": {"order": "int64", **{name: kind for name, kind in TABLES["links"].items() if name != "entity"}},
    "tables": {"order": "int64", **{name: kind for name, kind in TABLES["tables"].items() if name != "page"}},
    "cells": {
        "order": "int64",
        **{name: kind for name, kind in TABLES["cells"].items() if name not in ("page", "entities")},
    },
    "redirects": {"order": "int64", "title": "string", "target": "string"},
}
"""The tables of one block of a source; `order` numbers all pages that were read, in the order of sources."""


def arrow_schema(columns: dict[str, str]) -> "pa.Schema":
    """The Arrow schema of a table."""
    import pyarrow as pa

    kinds: dict[str, pa.DataType] = {
        "string": pa.string(),
        "strings": pa.list_(pa.string()),
        "bool": pa.bool_(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "float64": pa.float64(),
    }
    return pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
