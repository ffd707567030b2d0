"""Where indexes of a corpus lie: a folder beside it, with one part for each retriever.

Each part is written beside its place and renamed, and names the corpus and the parameters it was made from;
a part of another corpus or of other parameters, or one that is no longer what was written, is made anew.
"""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rollcall import checksums
from rollcall.corpus.corpus import Corpus
from rollcall.corpus.layout import MANIFEST as CORPUS_MANIFEST
from rollcall.files import replacing

_MANIFEST = "made_from.json"


class IndexFolder:
    """The indexes of one corpus."""

    def __init__(self, corpus: Corpus, folder: Path | None = None) -> None:
        """Beside the corpus unless a folder is given."""
        self.corpus = corpus
        self.folder = folder or corpus.folder.with_name(f"{corpus.folder.resolve().name}.index")
        self.corpus_hash = hashlib.sha256((corpus.folder / CORPUS_MANIFEST).read_bytes()).hexdigest()

    def part(self, name: str, parameters: dict[str, Any], make: Callable[[Path], None]) -> Path:
        """The folder of a part, made by `make(folder)` unless it is there already."""
        place = self.folder / name
        made_from = {"corpus": self.corpus_hash, **parameters}
        if not is_made_from(place, made_from):
            with replacing(place) as partial:
                partial.mkdir()
                make(partial)
                described = checksums.sealed({**made_from, checksums.FILES: checksums.record(partial)})
                (partial / _MANIFEST).write_text(json.dumps(described, indent=1) + "\n")
        return place


def is_made_from(place: Path, made_from: dict[str, Any]) -> bool:
    """Whether a part stands there, whole, that was made from just this."""
    try:
        found = json.loads((place / _MANIFEST).read_bytes())
    except (OSError, ValueError):
        return False
    if not checksums.is_sealed(found):
        return False
    known = {key: value for key, value in found.items() if key not in (checksums.FILES, checksums.SEAL)}
    return known == json.loads(json.dumps(made_from)) and not checksums.damaged(
        place, checksums.files_of(found)
    )
