"""The last stage: writes the finished set with its manifest and its card.

Input: `questions.jsonl` of the stage `assemble` or `update`, and the outcomes of all stages. Output: the
files of a question set.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from rollcall import __version__
from rollcall._core.errors import RollcallError
from rollcall.audit.findings import QualityCheck
from rollcall.audit.quality import AUDIT, PAGE, NamedCheck, check_thresholds, chosen_checks, write_files
from rollcall.audit.verbs import audited
from rollcall.build.fingerprint import of_input
from rollcall.build.keys import SECTION, AuditKeys
from rollcall.build.stage import Inputs, Outcome, Stage, Work
from rollcall.questions.question_set import QUESTIONS, QuestionSet
from rollcall.questions.record import Question
from rollcall.questions.release import write_set

UPDATE = "update"
"""The stage that carries an older set forward."""


def release(inputs: Inputs, recipe: Mapping[str, Any], work: Work) -> Outcome:
    """Write the finished set; the questions are those of the stage `update`, or else of `assemble`."""
    previous = work.before.get(UPDATE, work.before["assemble"])
    manifest = {
        "version": __version__,
        "recipe": dict(recipe),
        "seed": recipe.get("seed"),
        "inputs": {name.removeprefix("the "): _input(path) for name, path in inputs.named().items()},
        "stages": {name: outcome_record(outcome) for name, outcome in work.outcomes.items()},
        "notes": [note for outcome in work.outcomes.values() for note in outcome.notes],
    }
    statistics = write_set(work.folder, _questions(previous / QUESTIONS), manifest)
    total = statistics.figures()
    kinds = {kind: statistics.figures(kind) for kind in statistics.kinds}
    counts = {kind: figures.questions for kind, figures in kinds.items() if figures is not None}
    return Outcome(total.questions if total else 0, counts=counts)


def outcome_record(outcome: Outcome) -> dict[str, Any]:
    """What the manifest says about a stage."""
    record: dict[str, Any] = {"rows": outcome.rows}
    if outcome.removed:
        record["removed"] = outcome.removed
    if outcome.counts:
        record["counts"] = outcome.counts
    if outcome.figures:
        record["figures"] = outcome.figures
    return record


def _input(folder: Path) -> dict[str, Any]:
    """What is known about an input: its fingerprint, its counts, and the files from which it was made."""
    for name in ("graph.json", "corpus.json"):
        if (folder / name).is_file():
            manifest = json.loads((folder / name).read_bytes())
            sources = manifest.get("sources", [])
            return {
                "fingerprint": of_input(folder),
                "counts": manifest.get("counts", {}),
                "sources": [source["name"] for source in sources],
                "sha256": {source["name"]: source.get("sha256") for source in sources},
            }
    return {"fingerprint": of_input(folder)}


def _questions(path: Path) -> Iterator[Question]:
    decoder = msgspec.json.Decoder(Question)
    with path.open("rb") as stream:
        for line in stream:
            yield decoder.decode(line)


# The stage after the last: audits the finished set, and says which thresholds it breaks. A failed
# audit is a finding, not a failure of the stage, so its files are kept, the set is published, and the
# next call says the same without auditing again.


def audit_stage(keys: AuditKeys, inputs: Inputs, released: str, name: str) -> Stage:
    """The stage that audits the set of the stage `released`; checks of users are part of its code."""
    checks = chosen_checks(keys.checks, keys.fail_above)
    available = {"graph": True, "corpus": inputs.given_corpus is not None}
    check_thresholds(checks, keys.fail_above, lambda need: available.get(need, False))
    make_checks = partial(
        _named_checks, [check for check, _kind in checks], *(kind for _check, kind in checks)
    )
    return Stage(
        SECTION,
        partial(_audit, keys, inputs, released, name, make_checks),
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


def _named_checks(names: Sequence[str], *kinds: type[QualityCheck]) -> list[NamedCheck]:
    return list(zip(names, kinds, strict=True))


def _audit(
    keys: AuditKeys,
    inputs: Inputs,
    released: str,
    name: str,
    checks: Callable[[], list[NamedCheck]],
    work: Work,
) -> Outcome:
    result = audited(
        QuestionSet.open(work.before[released]),
        checks(),
        keys.fail_above,
        graph=inputs.graph,
        corpus=inputs.given_corpus,
        examples=keys.examples,
        name=name,
        show_progress=work.show_progress,
    )
    write_files(result, work.folder)
    alarms = {alarm.check: alarm.found for alarm in result.quality.alarms()}
    notes = [f"{count:,} found by {check}" for check, count in alarms.items()]
    return Outcome(result.quality.questions, notes=notes, counts=alarms)
