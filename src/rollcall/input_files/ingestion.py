"""Reading several sources into one folder of shards: work is distributed, counted, and resumed after a stop.

Graph and corpus read different things in the same way. Each source is cut into pieces, and each piece becomes
a folder that is either complete or absent; a later run with the same options finds it. Whether the source has
changed is checked piece by piece, by content.
"""

import hashlib
import json
import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeAlias, TypeVar

import msgspec

from rollcall._core import checksums
from rollcall._core.console import Progress
from rollcall._core.errors import RollcallError
from rollcall._core.files import PARTIAL as BESIDE
from rollcall._core.files import beside, remove
from rollcall._core.folders import check_apart, put_in_place, writing_folder
from rollcall._core.packages import html_table
from rollcall.input_files.file_source import SourceFile
from rollcall.input_files.input_file import Tally
from rollcall.tables.engine import Engine, nothing

BLOCK_BYTES = 8 << 20
_SMALL = 4
"""Sources smaller than this fraction of a block are read faster than worker processes could start."""
_PIECES_A_FOLDER = 1000
"""A full dump has a hundred thousand pieces; subfolders keep every folder small."""


class PieceFindings(Protocol):
    """What a piece, or all pieces of a source together, found."""

    def add(self, block: Self, source: str = "") -> None: ...


Found = TypeVar("Found", bound=PieceFindings)


class SourceReport(msgspec.Struct, Generic[Found]):
    """One source as the manifest describes it."""

    name: str
    kind: str
    size: int
    sha256: str
    found: Found


Work: TypeAlias = tuple[int, Any, bytes]
"""The number of a piece among those of its source, its description, and its content."""
Done: TypeAlias = Callable[[int, Found], None]


@dataclass
class Ending:
    """What is known of a source when all of its blocks have been read."""

    sha256: Callable[[], str] = str
    """The hash of its file; asked for when all of its pieces are done."""
    damage: Tally = field(default_factory=Tally)


class Ingestion(ABC, Generic[Found]):
    """Reads sources piece by piece; graph and corpus define what a piece is and how it is read."""

    format_version: int
    entries = "entries"
    """What the entries of a source are called."""

    def __init__(
        self,
        sources: Sequence[SourceFile],
        shards: Path,
        options: Any,
        *,
        max_bad: float = 0.01,
        block_bytes: int = BLOCK_BYTES,
        show_progress: bool | None = None,
    ) -> None:
        self._sources = sources
        self._shards = shards
        self._options = options
        self._max_bad = max_bad
        self._block_bytes = block_bytes
        self._show = show_progress

    @staticmethod
    @abstractmethod
    def read_piece(prepared: None, work: Work) -> tuple[int, Found]:
        """Read a piece, in any process; returns its number and its account."""

    @abstractmethod
    def _nothing(self) -> Found:
        """The account before anything has been read."""

    @abstractmethod
    def _tally(self, findings: Found) -> Tally:
        """The entries and bad entries of an account."""

    @abstractmethod
    def _pieces(self, source_number: int, done: "Done[Found]", ending: Ending) -> Iterator[Work]:
        """The pieces of a source that must be read; those that an earlier run read are reported as done."""

    def run(self, engine: Engine) -> list[SourceReport[Found]]:
        """Read everything that an earlier run has not; returns a report on each source."""
        self._forget_other_readings()
        total = sum(source.size for source in self._sources)
        self._is_small = total * _SMALL < self._block_bytes
        with Progress("reading", total, show=self._show) as self._progress:
            return [self._read_source(source_number, engine) for source_number in range(len(self._sources))]

    def _folder(self, source_number: int) -> Path:
        """The folder of a source's shards, named by everything except content that determines the shards."""
        source = self._sources[source_number]
        reader = [source.kind, source.options, source.settings]
        key = msgspec.json.encode(
            [self.format_version, reader, source_number, self._options, self._block_bytes]
        )
        return self._shards / hashlib.sha256(key).hexdigest()[:16]

    @staticmethod
    def _piece_folder(folder: Path, number: int) -> str:
        thousand, rest = divmod(number, _PIECES_A_FOLDER)
        return str(folder / f"{thousand:04d}" / f"{rest:03d}")

    def _forget_other_readings(self) -> None:
        current = {self._folder(source_number) for source_number in range(len(self._sources))}
        for folder in self._shards.iterdir() if self._shards.exists() else []:
            if folder not in current:
                remove(folder)

    def _forget_other_pieces(self, source_number: int, pieces: Collection[int]) -> None:
        """Remove pieces that the source no longer has, because it has become shorter."""
        current = {Path(self._piece_folder(self._folder(source_number), number)) for number in pieces}
        for folder in self._folder(source_number).glob("*/*"):
            if folder not in current:
                remove(folder)

    def _read_source(self, source_number: int, engine: Engine) -> SourceReport[Found]:
        source = self._sources[source_number]
        pieces: dict[int, Found] = {}
        running = Tally()

        def done(number: int, findings: Found) -> None:
            pieces[number] = findings
            running.entries += self._tally(findings).entries
            running.bad["all"] = running.bad.get("all", 0) + self._tally(findings).bad_total
            bad = running.bad_total
            self._progress.advance(0, f"{running.entries:,} {self.entries}, {bad:,} bad")
            if bad > 10 * self._max_bad * max(running.entries, 1000):
                self._summed(source, pieces, Tally())

        ending = Ending()
        work, read = self._pieces(source_number, done, ending), type(self).read_piece
        results = (read(None, piece) for piece in work) if self._is_small else None
        for number, findings in results or engine.map_blocks(read, work, nothing):
            done(number, findings)
        self._forget_other_pieces(source_number, pieces)
        return SourceReport(
            source.name,
            source.kind,
            source.size,
            ending.sha256(),
            self._summed(source, pieces, ending.damage),
        )

    def _summed(self, source: SourceFile, pieces: dict[int, Found], damage: Tally) -> Found:
        """The account of all pieces in their order; too many bad entries stop the run here."""
        total = self._nothing()
        self._tally(total).add(damage, source.name)  # first, so that it is among the examples that are shown
        for number in sorted(pieces):
            total.add(pieces[number], source.name)
        self._tally(total).check(source.name, self._max_bad)
        return total


# The folder of a graph or a corpus: whether it may be replaced, and whether it can be opened. Unfinished
# work is in a hidden folder inside it, where the next call finds it. The finished folder replaces the
# whole folder, including that work.

PARTIAL = ".partial"
"""The hidden folder for unfinished work."""
Manifest: TypeAlias = dict[str, Any]
"""The content of a folder's manifest, as JSON."""
FETCHED = "fetched"
"""In it, the folder for copies of files that are elsewhere."""
_SHOWN = 4
_WORK = ("shards", "spill", FETCHED)


class Kind(NamedTuple):
    """A kind of folder: its name, manifest and version, the command that makes it, and the files in it."""

    name: str
    manifest: str
    version: int
    command: str
    files: frozenset[str]
    """All files of a finished folder except its manifest, as relative paths."""
    hint: str = ""
    """What to add to the command for some purposes, in brackets."""

    def open(self, folder: Path) -> Manifest:
        """The manifest of a finished folder; another kind of folder or another version is refused."""
        if folder.is_file():
            raise RollcallError(f"{folder}: {self._made_of(folder)}")
        if not folder.is_dir():
            raise RollcallError(
                f"{folder}: no such folder; make a {self.name} with "
                f"`{self.command} --out {folder}`{self.hint}"
            )
        try:
            manifest: Manifest = json.loads((folder / self.manifest).read_bytes())
            version = manifest["format"]
        except FileNotFoundError:
            raise RollcallError(f"{folder}: {self._why_not(folder)}") from None
        except (ValueError, TypeError, KeyError, RecursionError):
            raise RollcallError(
                f"{folder / self.manifest}: damaged, or not the manifest of a {self.name}; {self._again}"
            ) from None
        if version != self.version:
            raise RollcallError(
                f"{folder / self.manifest}: is of a {self.name} of format {version}, not {self.version}; "
                f"{self._again}"
            )
        if not checksums.is_sealed(manifest):
            raise RollcallError(f"{folder / self.manifest}: {checksums.DAMAGED}; {self._again}")
        return manifest

    def check(self, folder: Path, manifest: Manifest, below: str = "") -> None:
        """Refuse a folder in which a file, among those whose path starts with this prefix, is damaged."""
        files = checksums.files_of(manifest)
        checked_files = {name: recorded for name, recorded in files.items() if name.startswith(below)}
        checksums.refuse_damaged(folder, checked_files, self._again)

    @property
    def _again(self) -> str:
        return checksums.again(checksums.MAKERS[self.manifest])

    def _made_of(self, file: Path) -> str:
        """What to do with a file that was given where its folder belongs."""
        command = self.command.replace("SOURCE", shlex.quote(str(file)))
        out = shlex.quote(f"{file.name.strip('.').partition('.')[0]}-{self.name}")
        return (
            f"is a file, not the folder of a {self.name}; make one of it with `{command} --out {out}`"
            f"{self.hint}"
        )

    def _why_not(self, folder: Path) -> str:
        short = f"`rollcall {self.name}`"
        if (folder / PARTIAL).exists():
            return f"the {self.name} here is unfinished; run the same {short} again to go on"
        if other := self._other_maker(folder):
            return f"is not a {self.name}: it was made by `{other}`; name a folder made by {short}"
        return f"is not a {self.name} (it has no {self.manifest}); make one with {short}"

    def _other_maker(self, folder: Path) -> str | None:
        """The command that made a folder of another kind."""
        makers = checksums.MAKERS.items()
        return next(
            (maker for name, maker in makers if name != self.manifest and (folder / name).is_file()), None
        )

    def writing(self, out: Path, inputs: Iterable[Path] = ()) -> AbstractContextManager[None]:
        """Be the only writer of an output folder. A folder with anything other than finished or unfinished
        files of this kind is refused."""
        inputs = list(inputs)
        check_apart(out, inputs)
        if other := self._other_maker(out):
            raise RollcallError(f"{out}: holds what `{other}` made; name another folder")
        return writing_folder(out, self._known, self._work, inputs)

    def refuse_other(self, out: Path, sources: Iterable[str]) -> None:
        """Refuse to replace a finished folder that was made of other files than these."""
        try:
            manifest = json.loads((out / self.manifest).read_bytes())
            old_sources = {str(source["name"]) for source in manifest.get("sources", [])}
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return  # there is none, or it is damaged
        if not old_sources or not old_sources <= set(sources):
            listed = sorted(old_sources)
            shown = ", ".join(listed[:_SHOWN]) + (", …" if len(listed) > _SHOWN else "")
            made_of = f"made of {shown}" if listed else "not made of files"
            raise RollcallError(
                f"{out}: holds a {self.name} of other content ({made_of}); name another folder, or replace "
                "it with --force (force=True in Python)"
            )

    def install(self, staging: Path, out: Path, manifest: Manifest) -> None:
        """Replace the folder by the new one; its manifest shows that it is complete."""
        files = checksums.record(staging)
        described = checksums.sealed({"format": self.version, **manifest, checksums.FILES: files})
        text = json.dumps(described, ensure_ascii=False, indent=1) + "\n"
        (staging / self.manifest).write_text(text, encoding="utf-8")
        finished = beside(out.resolve(), BESIDE)
        remove(finished)
        staging.rename(finished)
        put_in_place(finished, out, self._known, work=self._work)

    @property
    def _work(self) -> set[str]:
        return {f"{PARTIAL}/{name}" for name in (*_WORK, self.name)}

    def _known(self, folder: Path) -> frozenset[str]:
        """The files that belong to this kind if the folder has such a manifest, else none."""
        try:
            manifest = json.loads((folder / self.manifest).read_bytes())
        except (OSError, ValueError, RecursionError):
            return frozenset()
        ours = isinstance(manifest, dict) and isinstance(manifest.get("format"), int)
        return self.files | {self.manifest} if ours else frozenset()


class OpenFolder:
    """A finished folder that is open: a graph or a corpus."""

    kind: ClassVar[Kind]

    def __init__(self, folder: Path, manifest: Manifest, check: bool = True) -> None:
        self.folder = folder
        self.manifest = manifest
        self._check = check

    @classmethod
    def open(cls, folder: Path | str, *, check: bool = True) -> Self:
        """Open a folder. One of another kind or version, or a damaged one, is refused.

        Without `check`, a folder of any size opens in milliseconds, but damage may give wrong answers.
        """
        folder = Path(folder)
        return cls(folder, cls.kind.open(folder), check)

    def __repr__(self) -> str:
        counts = self.manifest.get("counts", {})
        listed = ", ".join(f"{number:,} {name}" for name, number in counts.items())
        return f"{type(self).__name__}({str(self.folder)!r}{f': {listed}' if listed else ''})"

    def _repr_html_(self) -> str:
        counts = self.manifest.get("counts", {})
        return html_table(f"{type(self).__name__} {self.folder}", ("table", "rows"), counts.items())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the tables if they were opened; an index closes when it is no longer used."""
        tables = self.__dict__.pop("tables", None)
        if tables is not None:
            tables.close()
