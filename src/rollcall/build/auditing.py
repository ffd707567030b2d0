"""The stage after the last: audits the finished set, and says which thresholds it breaks.

A set that fails is a finding and no failure of the stage, so its files are kept, the set is published, and
the next call says the same without auditing again.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from rollcall.audit.check import QualityCheck
from rollcall.audit.folder import AUDIT, PAGE, write_files
from rollcall.audit.quality import NamedCheck, check_thresholds, chosen_checks
from rollcall.audit.verbs import audited
from rollcall.build.audit_keys import SECTION, AuditKeys
from rollcall.build.inputs import Inputs
from rollcall.build.stage import Outcome, Stage, Work
from rollcall.errors import RollcallError
from rollcall.questions.question_set import QuestionSet


def audit_stage(keys: AuditKeys, inputs: Inputs, released: str, name: str) -> Stage:
    """The stage that audits the set of the stage `released`; checks of users are part of its code."""
    checks = chosen_checks(keys.checks, keys.fail_above)
    given = {"graph": True, "corpus": inputs.given_corpus is not None}
    check_thresholds(checks, keys.fail_above, lambda need: given.get(need, False))
    named = partial(_named, [check for check, _kind in checks], *(kind for _check, kind in checks))
    return Stage(
        SECTION,
        partial(_audit, keys, inputs, released, name, named),
        (released,),
        inputs.named(),
        {SECTION: msgspec.to_builtins(keys)},
    )


def failed_audit(folder: Path, out: Path) -> RollcallError | None:
    """The error about a set that is built and fails its audit, from the folder of the stage."""
    failures = json.loads((folder / AUDIT).read_bytes())["failures"]
    if not failures:
        return None
    return RollcallError(
        f"{out}: the set is built, but fails its audit: {'; '.join(failures)}; {folder / PAGE} has examples"
    )


def _named(names: Sequence[str], *kinds: type[QualityCheck]) -> list[NamedCheck]:
    return list(zip(names, kinds, strict=True))


def _audit(
    keys: AuditKeys,
    inputs: Inputs,
    released: str,
    name: str,
    checks: Callable[[], list[NamedCheck]],
    work: Work,
) -> Outcome:
    made = audited(
        QuestionSet.open(work.before[released]),
        checks(),
        keys.fail_above,
        graph=inputs.graph,
        corpus=inputs.given_corpus,
        examples=keys.examples,
        name=name,
        show_progress=work.show_progress,
    )
    write_files(made, work.folder)
    alarms = {one.check: one.found for one in made.quality.alarms()}
    notes = [f"{count:,} found by {check}" for check, count in alarms.items()]
    return Outcome(made.quality.questions, notes=notes, counts=alarms)
