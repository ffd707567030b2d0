"""The names inside a graph folder, and the version of its format."""

FORMAT_VERSION = 1
MANIFEST = "graph.json"
PARTIAL = ".partial"
TABLES = ("entities", "aliases", "types", "classes", "relations", "facts", "values")
