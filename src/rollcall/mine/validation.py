"""The filter that all kinds share: queries enough of whose answers were validated, and what it removed.

An answer is validated when for some `via` all facts it needs are. Answers that were not stay in the
denominator, so that the share says how much of the truth a question's answers are.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import ibis
from ibis import _

from rollcall.mine.mining import Mining, Outcome, mined_table
from rollcall.mine.options import Threshold

_ANSWER = ["key", "answer", "literal", "via"]
_FACT = ["subject", "relation", "object", "object_literal"]


def validate(
    queries: Path,
    proofs: Path,
    evidence: Path,
    out: Path,
    threshold: Threshold | None = None,
    *,
    memory: str = "1GB",
    threads: int | None = None,
) -> Outcome:
    """Write `kept` (queries with their number of validated answers) and `validated` (their answers)."""
    limits = threshold or Threshold()
    with Mining(out, memory=memory, threads=threads) as mining:
        mining.read("queries", queries)
        mining.read("proofs", proofs)
        mining.read("evidence", evidence)
        mining.keep("validated", _validated)
        mining.keep("counted", _counted)
        removed = {}
        passed = ibis.literal(True)
        for why, passes in _filters(limits):
            removed[why] = mining.count(partial(_lost, passed & ~passes))
            passed = passed & passes
        mining.keep("kept", lambda: _kept_counted().filter(passed))
        mining.write("kept", lambda: mined_table("kept"))
        mining.write("validated", lambda: mined_table("validated").semi_join(mined_table("kept"), "key"))
        return Outcome(mining.count(lambda: mined_table("kept")), removed)


def write_facts(
    proofs: Sequence[Path],
    out: Path,
    *,
    known: Sequence[Path] = (),
    memory: str = "1GB",
    threads: int | None = None,
) -> int:
    """Write `facts`: what the proofs need, each once, less the facts of earlier files; and count them."""
    with Mining(out, memory=memory, threads=threads) as mining:
        for number, path in enumerate(proofs):
            mining.read(f"proofs_{number}", path)
        for number, path in enumerate(known):
            mining.read(f"known_{number}", path)

        def wanted() -> Any:
            needed = [_facts(mined_table("proofs", f"proofs_{number}")) for number in range(len(proofs))]
            facts = ibis.union(*needed, distinct=True) if len(needed) > 1 else needed[0].distinct()
            for number in range(len(known)):
                facts = facts.anti_join(
                    mined_table("facts", f"known_{number}"), ["subject", "relation", "object", "literal"]
                )
            return facts

        return mining.write("facts", wanted)


def _facts(proofs: Any) -> Any:
    return proofs.select("subject", "relation", "object", literal="object_literal")


def _validated() -> Any:
    """Answers with all the facts of some way to them."""
    sound = mined_table("evidence").filter(_.validated)
    sound = sound.select("subject", "relation", "object", object_literal="literal").distinct()
    proofs = mined_table("proofs")
    lacking = proofs.anti_join(sound, _FACT).select(*_ANSWER).distinct()
    ways = proofs.select(*_ANSWER).distinct().anti_join(lacking, _ANSWER)
    return ways.select("key", "answer", "literal").distinct()


def _counted() -> Any:
    counts = mined_table("validated").group_by("key").agg(found=_.count())
    joined = mined_table("queries").left_join(counts, "key").drop("key_right")
    return joined.mutate(validated=_.found.fill_null(0)).drop("found")


def _kept_counted() -> Any:
    return mined_table("kept", "counted")


def _lost(test: Any) -> Any:
    return _kept_counted().filter(test)


def _filters(limits: Threshold) -> list[tuple[str, Any]]:
    return [
        (f"fewer than {limits.least} answers validated", _.validated >= limits.least),
        (f"less than {limits.share:.0%} of answers validated", _.validated >= _.answers * limits.share),
        (f"more than {limits.most} answers validated", _.validated <= limits.most),
    ]
