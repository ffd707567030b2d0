"""The files that a corpus is read from: those that are named, and what is in the folders that are named.

Documents of one folder are one source, so that they are read in parallel; files of rows and dumps in a folder
are sources of their own. A folder of BEIR is its corpus, and one of a Hugging Face dataset its tables.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from rollcall.checksums import sha256
from rollcall.corpus.documents.formats import FORMATS
from rollcall.corpus.ingest.blocks import Block
from rollcall.errors import RollcallError
from rollcall.input_files.input_file import InputFile, input_file, size_of

_TABLES = (".parquet", ".arrow")
_OTHER_SOURCES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".xml", *_TABLES)
_COMPRESSIONS = (".gz", ".bz2", ".zst")
_DATASET_NOTES = frozenset(["dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json"])
_FILES_A_BLOCK, _BYTES_A_BLOCK = 100, 4 << 20


def text_files(
    sources: Sequence[Path | str],
    *,
    recognise: bool = True,
    holds_pages: Callable[[InputFile], bool] = lambda file: True,
) -> list[InputFile]:
    """The files of all sources; documents are grouped by folder unless their format is given.

    JSON files among documents are sources only if they hold pages: settings and the like are often there.
    """
    found: list[InputFile] = []
    for source in sources:
        folder = Path(source)
        if folder.is_dir():
            found += _of_folder(folder, recognise, holds_pages)
        elif recognise and folder.suffix.lower() in FORMATS and folder.is_file():
            found.append(InputFile(str(folder.parent), members=(folder.name,)))
        else:
            found.append(input_file(source, "file or folder"))
    return _grouped(found)


def _of_folder(folder: Path, recognise: bool, holds_pages: Callable[[InputFile], bool]) -> list[InputFile]:
    files = sorted(_files_in(folder))
    if not files:
        raise RollcallError(f"{folder}: there is no file in this folder")
    if not recognise:
        return [input_file(folder / name) for name in files]
    corpora = [name for name in files if name in ("corpus.jsonl", "corpus.jsonl.gz")]
    if corpora and any(name.startswith("queries.jsonl") for name in files):
        return [input_file(folder / name) for name in corpora]
    if tables := [name for name in files if Path(name).suffix in _TABLES]:
        return [input_file(folder / name) for name in tables]
    sources = [name for name in files if _is_source(name)]
    if any(Path(name).suffix.lower() in FORMATS for name in files):
        sources = [
            name
            for name in sources
            if Path(name).suffix.lower() != ".json" or holds_pages(input_file(folder / name))
        ]
    documents = tuple(name for name in files if name not in sources and Path(name).name not in _DATASET_NOTES)
    if not sources and not any(Path(name).suffix.lower() in FORMATS for name in documents):
        kinds = ", ".join(sorted({Path(name).suffix or name for name in files})[:8])
        raise RollcallError(
            f"{folder}: there is nothing to read in this folder but {kinds}; documents are "
            f"{' '.join(FORMATS)}"
        )
    grouped = [InputFile(str(folder), members=documents)] if documents else []
    return [*grouped, *(input_file(folder / name) for name in sources)]


def _files_in(folder: Path) -> Iterator[str]:
    """The paths of all files in a folder but hidden ones, also of those that cannot be read."""

    def refuse(error: OSError) -> None:
        raise error

    for place, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if not name.startswith("."):
                yield Path(place, name).relative_to(folder).as_posix()


def _is_source(name: str) -> bool:
    path = Path(name)
    suffix = path.with_suffix("").suffix if path.suffix in _COMPRESSIONS else path.suffix
    return (suffix.lower() in _OTHER_SOURCES or suffix == ".tar") and path.name not in _DATASET_NOTES


def _grouped(files: list[InputFile]) -> list[InputFile]:
    """Single documents of one folder as one source, at the place of the first."""
    members: dict[str, list[str]] = {}
    for file in files:
        if file.members:
            members.setdefault(file.address, []).extend(file.members)
    grouped: dict[str, InputFile] = {}
    for file in files:
        if file.members:
            names = tuple(dict.fromkeys(members[file.address]))
            file = msgspec.structs.replace(file, members=names)
        grouped.setdefault(f"{file.address}\n{len(file.members)}", file)
    return list(grouped.values())


def document_blocks(file: InputFile) -> Iterator[tuple[Block, int]]:
    """The documents of a folder in blocks of some files, each file a line with its hash; and their size."""
    lines, size = list[bytes](), 0
    for name in file.members:
        path = Path(file.address) / name
        known = path.suffix.lower() in FORMATS
        told = {"name": name, "path": str(path.absolute()), "sha256": _digest(path) if known else ""}
        lines.append(msgspec.json.encode(told))
        size += size_of(path)
        if len(lines) >= _FILES_A_BLOCK or size >= _BYTES_A_BLOCK:
            yield Block(b"\n".join(lines) + b"\n"), size
            lines, size = [], 0
    if lines:
        yield Block(b"\n".join(lines) + b"\n"), size


def _digest(document: Path) -> str:
    """The hash of a document; empty for one that cannot be read, which is told when it is read."""
    try:
        return sha256(document) if document.is_file() else ""
    except OSError:
        return ""
