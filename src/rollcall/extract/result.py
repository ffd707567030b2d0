"""What an extraction made, and what it left out on the way."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from rollcall.corpus import Corpus
from rollcall.extract.schema import Schema
from rollcall.graph import Graph


@dataclass
class Extraction:
    """The graph, the corpus tied to it, and the account of how they were made."""

    graph: Graph
    corpus: Corpus
    statements: Path
    """A file of JSON lines: every fact with each sentence that was said to state it, and the verdict."""
    schema: Schema | None
    """None where no model read the text."""
    pages: int
    found: int
    """Different facts and values that were read, before they were checked."""
    kept: int
    unstated: int
    """Facts of which the verifier accepts no sentence."""
    verifier: str
    unusable: list[str] = field(default_factory=list)
    """The blocks of text to which the model gave no usable reply, with the reason."""
    asked_again: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    """What replies said that could not be used, by reason."""
