"""The folder of a graph or a corpus: whether it may be replaced, and whether it can be opened.

Unfinished work is in a hidden folder inside it, where the next call finds it. The finished folder replaces
the whole folder, including that work.
"""

import json
import shlex
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from rollcall import checksums
from rollcall.errors import RollcallError
from rollcall.files import PARTIAL as BESIDE
from rollcall.files import beside, remove
from rollcall.folders import check_apart, put_in_place, writing_folder

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
        wanted = {name: recorded for name, recorded in files.items() if name.startswith(below)}
        checksums.refuse_damaged(folder, wanted, self._again)

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
            known = {str(source["name"]) for source in manifest.get("sources", [])}
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return  # there is none, or it is damaged and of no use
        if not known or not known <= set(sources):
            listed = sorted(known)
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
