"""The quality card: every check that was made, with what it examined and found, and the thresholds it broke.

A check whose needs are not met is on the card, too, with what it would need. Thresholds are shares, by check;
a set that is above one fails, after everything was examined and written.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rollcall._core import checksums
from rollcall._core.errors import UNREADABLE, RollcallError
from rollcall._core.files import PARTIAL, beside, remove
from rollcall._core.folders import put_in_place, writing_folder
from rollcall._core.registry import RegistryEntry, plugin_failures
from rollcall.audit.checks import QUALITY_CHECKS
from rollcall.audit.findings import NEEDS, CheckResult, Findings, QualityCheck, skipped
from rollcall.audit.lacking import lines_to_judge
from rollcall.audit.material import Material
from rollcall.audit.missing import CANDIDATES, write_candidates
from rollcall.questions.judgment import COMPLETENESS, JUDGMENTS, Judgment, read_judgments, write_judgments

if TYPE_CHECKING:
    from rollcall.audit.result import Audit


NamedCheck = tuple[str, type[QualityCheck]]
"""A check, and the name by which it was chosen."""
_ORDER = ("error", "warning", "note")


class QualityCard(msgspec.Struct, frozen=True):
    """The results of all checks, and the thresholds that were set."""

    questions: int
    results: list[CheckResult]
    thresholds: dict[str, float] = {}

    @property
    def failures(self) -> list[str]:
        """One line for each check above its threshold."""
        return [
            f"{result.check}: {result.found:,} of {result.examined:,} {result.unit} "
            f"({_percent(result.share)}), above {_percent(self.thresholds[result.check])}"
            for result in self.results
            if result.check in self.thresholds and (result.share or 0.0) > self.thresholds[result.check]
        ]

    def of(self, check: str) -> CheckResult:
        """The result of a check by its name."""
        return next(result for result in self.results if result.check == check)

    def alarms(self) -> list[CheckResult]:
        """The errors and warnings with something found, errors first."""
        results = [result for result in self.results if result.found and result.severity != "note"]
        return sorted(results, key=lambda result: _ORDER.index(result.severity))


def chosen_checks(names: str | Sequence[str] | None, thresholds: Mapping[str, float]) -> list[NamedCheck]:
    """The checks of these names, or all; those with a threshold are among them."""
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",") if name.strip()]
    entries: dict[str, RegistryEntry[type[QualityCheck]]] = {}
    listed = [*(QUALITY_CHECKS.names if names is None else names), *thresholds]
    for name in dict.fromkeys(listed):
        entries[name] = QUALITY_CHECKS.entry(name)
    if not entries:
        raise RollcallError("checks: none is named; `rollcall plugins --kind quality_checks` lists them")
    for name, share in thresholds.items():
        if not 0 <= share <= 1:
            raise RollcallError(f"the threshold of {name} is {share:g}; it is a share between 0 and 1")
    return [(entry.name, entry.thing) for entry in entries.values()]


def missing_needs(kind: type[QualityCheck], has: Callable[[str], bool]) -> str:
    """What a check needs and was not given; empty if it can be made."""
    missing = [NEEDS[need] for need in kind.needs if not has(need)]
    return (
        "needs " + " and ".join(f"{requirement.what} ({requirement.option})" for requirement in missing)
        if missing
        else ""
    )


def check_thresholds(
    checks: Sequence[NamedCheck], thresholds: Mapping[str, float], has: Callable[[str], bool]
) -> None:
    """Refuse a threshold for a check that cannot be made."""
    for name, kind in checks:
        if name in thresholds and (lacking := missing_needs(kind, has)):
            raise RollcallError(f"the check {name} has a threshold, but it {lacking}")


def quality_card(
    material: Material,
    checks: Sequence[NamedCheck],
    thresholds: Mapping[str, float],
    examples: int = 5,
    tell: Callable[[str], None] = lambda name: None,
) -> QualityCard:
    """Make all checks; `tell` is called with the name of each before it is made."""
    check_thresholds(checks, thresholds, material.has)
    results = []
    for name, kind in checks:
        tell(name)
        about = name, meaning(kind), kind.severity, kind.unit
        if lacking := missing_needs(kind, material.has):
            results.append(skipped(*about, lacking))
            continue
        findings = Findings(examples)
        with plugin_failures(f"the quality check {name}", kind):
            kind().examine(material, findings)
        results.append(findings.result(*about))
    results.sort(key=lambda result: _ORDER.index(result.severity))
    return QualityCard(len(material.questions), results, dict(sorted(thresholds.items())))


def meaning(kind: type[QualityCheck]) -> str:
    """What a check finds, in one line."""
    return (kind.__doc__ or "").strip().partition("\n")[0].rstrip(".")


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.4g} %"


# The folder of an audit: its figures as JSON, what is to be judged, and one page for people.
# `audit.json` has everything and is the manifest: it records the other files and is sealed. Judgments
# are written by people and models after the audit, so a new audit of the same folder keeps them; what a
# model says in an audit replaces what it said before.

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
        written = {path.name for path in partial.iterdir()}
        put_in_place(partial, folder, own_files, kept=kept - written)
        if audit.lacking is not None and audit.lacking.judged:
            _add_judgments(folder / JUDGMENTS, audit.lacking.judged)


def write_files(audit: "Audit", folder: Path) -> None:
    """Write the files of an audit into a folder, the manifest last."""
    record, written = audit.as_json(), [QUALITY, PAGE]
    _write_json(folder / QUALITY, record["quality"])
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
    _write_json(folder / AUDIT, checksums.sealed({**record, checksums.FILES: files}))


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
    pairs = {(judgment.question, judgment.answer, judgment.by) for judgment in new}
    old = read_judgments(path) if path.is_file() else []
    kept = [judgment for judgment in old if (judgment.question, judgment.answer, judgment.by) not in pairs]
    write_judgments([*kept, *new], path)


def _write_json(path: Path, value: object) -> None:
    path.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")
