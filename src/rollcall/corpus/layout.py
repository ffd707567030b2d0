"""The names inside a corpus folder and the version of its format; `rollcall.tables.corpus` has its tables."""

from rollcall.input_files.folder import Kind
from rollcall.tables.corpus import CORPUS_TABLES
from rollcall.tables.table import file_name

FORMAT_VERSION = 2
MANIFEST = "corpus.json"

CORPUS_FOLDER = Kind(
    "corpus",
    MANIFEST,
    FORMAT_VERSION,
    "rollcall corpus SOURCE",
    frozenset(file_name(table) for table in CORPUS_TABLES),
    " (and --graph DIR, to build questions)",
)
