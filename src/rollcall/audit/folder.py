"""The folder of an audit: its figures as JSON, what is to be judged, and one page for people.

`audit.json` has everything and is the manifest: it records the other files and is sealed. Judgments are
written by people and models after the audit, so a new audit of the same folder keeps them; what a model says
in an audit replaces what it said before.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rollcall import checksums
from rollcall.audit.lacking import lines_to_judge
from rollcall.audit.missing.candidate import CANDIDATES, write_candidates
from rollcall.files import PARTIAL, beside, remove
from rollcall.folders import put_in_place, writing_folder
from rollcall.nesting import UNREADABLE
from rollcall.questions.completeness import COMPLETENESS
from rollcall.questions.judgment import JUDGMENTS, Judgment, read_judgments, write_judgments

if TYPE_CHECKING:
    from rollcall.audit.result import Audit

AUDIT, QUALITY, PAGE = "audit.json", "quality.json", "index.html"
TO_JUDGE = "to_judge.jsonl"
"""What waits for a judgment, as lines of judgments to fill in."""


def write_audit(audit: "Audit", folder: Path) -> None:
    """Write the folder as a whole, in place of an older audit."""
    # What this audit does not make again stays, since judgments and scores may rest on it.
    kept = {JUDGMENTS, CANDIDATES, COMPLETENESS, TO_JUDGE}
    with writing_folder(folder, own_files, kept=kept):
        partial = beside(folder.resolve(), PARTIAL)
        partial.mkdir(parents=True)
        try:
            write_files(audit, partial)
        except BaseException:
            remove(partial)
            raise
        made = {path.name for path in partial.iterdir()}
        put_in_place(partial, folder, own_files, kept=kept - made)
        if audit.lacking is not None and audit.lacking.judged:
            _add_judgments(folder / JUDGMENTS, audit.lacking.judged)


def write_files(audit: "Audit", folder: Path) -> None:
    """Write the files of an audit into a folder, the manifest last."""
    whole, written = audit.as_json(), [QUALITY, PAGE]
    _write_json(folder / QUALITY, whole["quality"])
    (folder / PAGE).write_text(audit.to_html(), encoding="utf-8")
    if audit.lacking is not None:
        write_candidates(audit.lacking.missing, folder / CANDIDATES)
        written.append(CANDIDATES)
        if audit.lacking.report is not None:
            audit.lacking.report.completeness.save(folder / COMPLETENESS)
            written.append(COMPLETENESS)
    waiting = lines_to_judge(audit.lacking, audit.errors)
    if waiting:
        write_judgments(waiting, folder / TO_JUDGE)
        written.append(TO_JUDGE)
    files = {name: ((folder / name).stat().st_size, checksums.sha256(folder / name)) for name in written}
    _write_json(folder / AUDIT, checksums.sealed({**whole, checksums.FILES: files}))


def own_files(folder: Path) -> set[str]:
    """The files of a folder that belong to an audit, and may be replaced with it."""
    try:
        manifest = msgspec.json.decode((folder / AUDIT).read_bytes(), type=dict[str, object])
    except (OSError, *UNREADABLE):
        return set()
    if "quality" not in manifest:
        return set()
    return {AUDIT, CANDIDATES, COMPLETENESS, TO_JUDGE, *checksums.files_of(manifest)}


def _add_judgments(path: Path, new: list[Judgment]) -> None:
    """Add what a model said, in place of what the same model said about the same answers."""
    pairs = {(one.question, one.answer, one.by) for one in new}
    old = read_judgments(path) if path.is_file() else []
    kept = [one for one in old if (one.question, one.answer, one.by) not in pairs]
    write_judgments([*kept, *new], path)


def _write_json(path: Path, value: object) -> None:
    path.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")
