"""The options of `make_graph`, for Python and the command line."""

from rollcall.input_files.options import FilesOptions


class GraphOptions(FilesOptions, frozen=True, kw_only=True):
    """How files are read into a graph, and where the work runs."""

    memory: str = "600MB"
