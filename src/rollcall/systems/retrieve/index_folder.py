"""The folder of a corpus's indexes, beside the corpus, with one part for each retriever.

Each part records the corpus and the parameters it was made from. A part of another corpus or of other
parameters, or a damaged one, is made again. If another process is making a part, this one waits and then uses
it.
"""

import hashlib
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from rollcall import checksums
from rollcall.corpus.corpus import Corpus
from rollcall.corpus.layout import MANIFEST as CORPUS_MANIFEST
from rollcall.errors import RollcallError
from rollcall.folders import check_apart, replacing_folder
from rollcall.locks import sole_writer
from rollcall.tables.engine import Engine, opened

_MANIFEST = "made_from.json"


class IndexFolder:
    """The indexes of one corpus."""

    def __init__(
        self,
        corpus: Corpus,
        folder: Path | None = None,
        *,
        engine: Engine | str = "duckdb",
        jobs: int | None = None,
        master: str | None = None,
    ) -> None:
        """The folder is beside the corpus unless one is given.

        `engine` makes what is missing, in `jobs` processes or on the cluster at `master`.
        """
        self.corpus = corpus
        self.folder = folder or corpus.folder.with_name(f"{corpus.folder.resolve().name}.index")
        self.corpus_hash = hashlib.sha256((corpus.folder / CORPUS_MANIFEST).read_bytes()).hexdigest()
        self._engine, self._master = engine, master
        self.jobs = jobs
        """How many processes or threads make what is missing; by default as many as there are cores."""

    def engine(self) -> AbstractContextManager[Engine]:
        """The engine that makes a part, opened only when it is needed."""
        return opened(self._engine, jobs=self.jobs, master=self._master)

    def part(self, name: str, parameters: dict[str, Any], make: Callable[[Path], None]) -> Path:
        """The folder of a part, made by `make(folder)` unless it exists."""
        return made_part(self.folder / name, self._made_from(parameters), self.corpus.folder, make)

    def has(self, name: str, parameters: dict[str, Any]) -> bool:
        """Whether a part exists."""
        return is_made_from(self.folder / name, self._made_from(parameters))

    def _made_from(self, parameters: dict[str, Any]) -> dict[str, Any]:
        return {"corpus": self.corpus_hash, **parameters}


def made_part(place: Path, made_from: dict[str, Any], source: Path, make: Callable[[Path], None]) -> Path:
    """The folder of a part, made by `make(folder)` unless it exists; it may not lie in its source."""
    if is_made_from(place, made_from):
        return place
    check_apart(place, [source])
    with sole_writer(place, wait=True):
        if not is_made_from(place, made_from):
            with replacing_folder(place, _own_files) as partial:
                make(partial)
                described = checksums.sealed({**made_from, checksums.FILES: checksums.record(partial)})
                (partial / _MANIFEST).write_text(json.dumps(described, indent=1) + "\n")
    return place


def is_made_from(place: Path, made_from: dict[str, Any]) -> bool:
    """Whether a complete part exists that was made from exactly this."""
    found = _manifest(place)
    if found is None:
        return False
    known = {key: value for key, value in found.items() if key not in (checksums.FILES, checksums.SEAL)}
    return known == json.loads(json.dumps(made_from)) and not checksums.damaged(
        place, checksums.files_of(found)
    )


def _manifest(place: Path) -> dict[str, Any] | None:
    """The manifest of a part as it was written; None if there is none, or if it was damaged."""
    try:
        found = json.loads((place / _MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return dict(found) if checksums.is_sealed(found) else None


def _own_files(place: Path) -> set[str]:
    """The files of a part, according to its manifest."""
    found = _manifest(place)
    if found is not None:
        return {_MANIFEST, *checksums.files_of(found)}
    if (place / _MANIFEST).exists():
        raise RollcallError(
            f"{place / _MANIFEST}: {checksums.DAMAGED}; remove {place}, and the index is made again"
        )
    return set()
