"""The options of `make_corpus`, for Python and the command line."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rollcall._core.options import PYTHON_ONLY, OnCommandLine
from rollcall.input_files.options import FilesOptions

if TYPE_CHECKING:
    from rollcall.corpus.shard import Chunking


class CorpusOptions(FilesOptions, frozen=True, kw_only=True):
    """How files are read into a corpus, and where the work runs."""

    graph: Annotated[
        Path | str | None, OnCommandLine(Path, names=("--graph", "-g"), metavar="DIR", after="")
    ] = None
    """The graph whose entities the pages are about. Without it, the corpus serves retrieval and imported
    questions."""
    alias_share: Annotated[float, OnCommandLine(least=0, most=1, after="source_options")] = 0.5
    """A name is an alias if at least this share of its uses means the entity."""
    chunking: Annotated["Chunking | None", PYTHON_ONLY] = None
    """How passages are cut; by default whole sentences up to 100 words."""
    memory: str = "300MB"
