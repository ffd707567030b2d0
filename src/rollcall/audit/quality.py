"""The quality card: every check that was made, with what it examined and found, and the thresholds it broke.

A check whose needs are not met is on the card, too, with what it would need. Thresholds are shares, by check;
a set that is above one fails, after everything was examined and written.
"""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from rollcall.audit.check import NEEDS, QualityCheck
from rollcall.audit.checks import QUALITY_CHECKS
from rollcall.audit.findings import CheckResult, Findings, skipped
from rollcall.audit.material import Material
from rollcall.errors import RollcallError
from rollcall.registry import Entry, plugin_failures

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
            f"{one.check}: {one.found:,} of {one.examined:,} {one.unit} ({_percent(one.share)}), "
            f"above {_percent(self.thresholds[one.check])}"
            for one in self.results
            if one.check in self.thresholds and (one.share or 0.0) > self.thresholds[one.check]
        ]

    def of(self, check: str) -> CheckResult:
        """The result of a check by its name."""
        return next(one for one in self.results if one.check == check)

    def alarms(self) -> list[CheckResult]:
        """The errors and warnings with something found, errors first."""
        found = [one for one in self.results if one.found and one.severity != "note"]
        return sorted(found, key=lambda one: _ORDER.index(one.severity))


def chosen_checks(names: Sequence[str] | None, thresholds: Mapping[str, float]) -> list[NamedCheck]:
    """The checks of these names, or all; those with a threshold are among them."""
    entries: dict[str, Entry[type[QualityCheck]]] = {}
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
    return "needs " + " and ".join(f"{one.what} ({one.option})" for one in missing) if missing else ""


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
    results.sort(key=lambda one: _ORDER.index(one.severity))
    return QualityCard(len(material.questions), results, dict(sorted(thresholds.items())))


def meaning(kind: type[QualityCheck]) -> str:
    """What a check finds, in one line."""
    return (kind.__doc__ or "").strip().partition("\n")[0].rstrip(".")


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.4g} %"
