"""The folder of an audit: its figures as JSON, and one page for people.

`audit.json` has everything and is the manifest: it records the other files and is sealed. Judgments are
written by people and models after the audit, so a new audit of the same folder keeps them.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rollcall import checksums
from rollcall.files import PARTIAL, beside, remove
from rollcall.folders import put_in_place, writing_folder
from rollcall.nesting import UNREADABLE

if TYPE_CHECKING:
    from rollcall.audit.result import Audit

AUDIT, QUALITY, PAGE = "audit.json", "quality.json", "index.html"
JUDGMENTS = "judgments.jsonl"


def write_audit(audit: "Audit", folder: Path) -> None:
    """Write the folder as a whole, in place of an older audit."""
    with writing_folder(folder, own_files, kept={JUDGMENTS}):
        partial = beside(folder.resolve(), PARTIAL)
        partial.mkdir(parents=True)
        try:
            write_files(audit, partial)
        except BaseException:
            remove(partial)
            raise
        put_in_place(partial, folder, own_files, kept={JUDGMENTS})


def write_files(audit: "Audit", folder: Path) -> None:
    """Write the files of an audit into a folder, the manifest last."""
    whole = audit.as_json()
    _write_json(folder / QUALITY, whole["quality"])
    (folder / PAGE).write_text(audit.to_html(), encoding="utf-8")
    files = {
        name: ((folder / name).stat().st_size, checksums.sha256(folder / name)) for name in (QUALITY, PAGE)
    }
    _write_json(folder / AUDIT, checksums.sealed({**whole, checksums.FILES: files}))


def own_files(folder: Path) -> set[str]:
    """The files of a folder that belong to an audit, and may be replaced with it."""
    try:
        manifest = msgspec.json.decode((folder / AUDIT).read_bytes(), type=dict[str, object])
    except (OSError, *UNREADABLE):
        return set()
    return {AUDIT, *checksums.files_of(manifest)} if "quality" in manifest else set()


def _write_json(path: Path, value: object) -> None:
    path.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")
