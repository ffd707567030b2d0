"""A folder that reading makes, a graph or a corpus: what may be written over, and what can be opened."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from rollcall import checksums
from rollcall.errors import RollcallError
from rollcall.files import remove

_MANIFESTS = {"graph.json", "corpus.json"}
PARTIAL = ".partial"
"""Where everything unfinished stands inside the folder."""


class Kind(NamedTuple):
    """A kind of folder: its name, its manifest, the version of its format, and the command that makes it."""

    name: str
    manifest: str
    version: int
    command: str

    def open(self, folder: Path) -> dict[str, Any]:
        """The manifest of a finished folder; one that is none, or of another version, is refused."""
        if not folder.is_dir():
            raise RollcallError(
                f"{folder}: no such folder; make a {self.name} with `{self.command} --out {folder}`"
            )
        try:
            manifest: dict[str, Any] = json.loads((folder / self.manifest).read_bytes())
            version = manifest["format"]
        except FileNotFoundError:
            raise RollcallError(f"{folder}: {self._why_not(folder)}") from None
        except (ValueError, TypeError, KeyError):
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

    def check(self, folder: Path, manifest: dict[str, Any], below: str = "") -> None:
        """Refuse a folder of which a file, with a path that begins like this, is not as it was written."""
        files = checksums.files_of(manifest)
        wanted = {name: recorded for name, recorded in files.items() if name.startswith(below)}
        checksums.refuse_damaged(folder, wanted, self._again)

    @property
    def _again(self) -> str:
        return checksums.again(checksums.MAKERS[self.manifest])

    def _why_not(self, folder: Path) -> str:
        short = f"`rollcall {self.name}`"
        if (folder / PARTIAL).exists():
            return f"the {self.name} here is unfinished; run the same {short} again to go on"
        return f"is not a {self.name} (it has no {self.manifest}); make one with {short}"

    def check_out(self, out: Path) -> None:
        """Refuse an output folder that holds anything but a folder of this kind or an unfinished one."""
        if out.exists() and not out.is_dir():
            raise RollcallError(f"{out}: is a file; name a folder for the {self.name}")
        if not out.exists() or (out / self.manifest).exists():
            return
        others = {path.name for path in out.iterdir()} - {PARTIAL}
        if others and (not (out / PARTIAL).exists() or others & _MANIFESTS):
            raise RollcallError(
                f"{out}: has other files in it and is not a {self.name}; name a new or empty folder"
            )

    def install(self, staging: Path, out: Path, manifest: dict[str, Any]) -> None:
        """Move what was made into place; the manifest comes last, since it says that the folder is whole."""
        files = checksums.record(staging)
        remove(out / self.manifest)
        for path in sorted(staging.iterdir()):
            remove(out / path.name)
            path.rename(out / path.name)
        partial = out / PARTIAL / self.manifest
        described = checksums.sealed({"format": self.version, **manifest, checksums.FILES: files})
        partial.write_text(json.dumps(described, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        partial.rename(out / self.manifest)
        remove(out / PARTIAL)
