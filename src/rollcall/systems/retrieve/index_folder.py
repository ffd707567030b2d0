"""Where indexes of a corpus lie: a folder beside it, with one part for each retriever.

Each part names the corpus and the parameters it was made from; a part of another corpus, or of other
parameters, is made anew. Who finds that another process is making a part waits for it, and uses it.
"""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rollcall.corpus.corpus import Corpus
from rollcall.corpus.layout import MANIFEST as CORPUS_MANIFEST
from rollcall.folders import check_apart, replacing_folder
from rollcall.locks import sole_writer

_MANIFEST = "made_from.json"
_FILES = "files"


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
        if is_made_from(place, made_from):
            return place
        check_apart(place, [self.corpus.folder])
        with sole_writer(place, wait=True):
            if not is_made_from(place, made_from):
                with replacing_folder(place, _own_files) as partial:
                    make(partial)
                    files = sorted(one.relative_to(partial).as_posix() for one in partial.rglob("*"))
                    described = {**made_from, _FILES: files}
                    text = json.dumps(described, indent=1, sort_keys=True) + "\n"
                    (partial / _MANIFEST).write_text(text)
        return place


def is_made_from(place: Path, made_from: dict[str, Any]) -> bool:
    """Whether a finished part stands there that was made from just this."""
    try:
        found = json.loads((place / _MANIFEST).read_bytes())
    except (FileNotFoundError, ValueError):
        return False
    return bool(_without_files(found) == json.loads(json.dumps(made_from)))


def _without_files(found: Any) -> Any:
    return {key: value for key, value in found.items() if key != _FILES} if isinstance(found, dict) else found


def _own_files(place: Path) -> set[str]:
    """The files of a part, by its own account."""
    try:
        files = json.loads((place / _MANIFEST).read_bytes())[_FILES]
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    return {_MANIFEST, *map(str, files)}
