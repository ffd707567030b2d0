"""The names inside a graph folder, and the version of its format."""

from rollcall.input_files.folder import Kind
from rollcall.tables.graph import GRAPH_TABLES
from rollcall.tables.table import declaration

FORMAT_VERSION = 2
MANIFEST = "graph.json"
FIRST_LITERAL = 1 << 40
"""While a graph is assembled, literals are numbered from here: the number of entities is not known yet."""
SHARD_FOLDERS = "*/*/*[0-9]"
"""The folders of shards: source, thousand of blocks, block. Folders of unfinished blocks do not match."""
TABLES = tuple(declaration(table).name for table in GRAPH_TABLES)
_INDEX_STRINGS = (
    "entity_ids", "entity_labels", "entity_descriptions", "entity_titles", "aliases", "names", "literals",
    "relation_ids", "relation_labels", "class_ids", "class_labels",
    "relation_aliases",
)  # fmt: skip
_INDEX_ARRAYS = (
    "alias_offsets", "name_offsets", "name_entities", "literal_kind", "literal_dimension", "literal_low",
    "literal_high", "relation_offsets", "forward_subjects", "forward_objects", "backward_subjects",
    "backward_objects", "type_forward_entities", "type_forward_classes", "type_backward_entities",
    "type_backward_classes", "direct_types", "direct_type_offsets",
    "relation_alias_offsets",
)  # fmt: skip
_FILES = frozenset(
    [
        *(f"{table}.parquet" for table in TABLES),
        "index/index.json",
        *(f"index/{name}.{part}.npy" for name in _INDEX_STRINGS for part in ("offsets", "bytes")),
        *(f"index/{name}.npy" for name in _INDEX_ARRAYS),
    ]
)
GRAPH_FOLDER = Kind("graph", MANIFEST, FORMAT_VERSION, "rollcall graph SOURCE", _FILES)
