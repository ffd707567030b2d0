"""The names inside a graph folder, and the version of its format."""

from rollcall.reading.folder import Kind

FORMAT_VERSION = 2
MANIFEST = "graph.json"
GRAPH_FOLDER = Kind("graph", MANIFEST, FORMAT_VERSION, "rollcall graph SOURCE")
FIRST_LITERAL = 1 << 40
"""While a graph is assembled, literals are numbered from here: the entities are not counted yet."""
SHARD_FOLDERS = "*/*/*[0-9]"
"""Where shards are: source, thousand of blocks, block. That of a block that was cut off ends otherwise."""
TABLES = ("entities", "aliases", "types", "classes", "relations", "facts", "values")
