"""Collects the facts that proofs need.

Input: tables of `proofs`. Output: the table `facts`, with each fact once. Evidence is searched for these
facts.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import ibis

from rollcall.mine.layout import TABLES
from rollcall.mine.mining import Mining, mined_table

if TYPE_CHECKING:
    import ibis.expr.types as ir


def write_facts(
    proofs: Sequence[Path],
    out: Path,
    *,
    known: Sequence[Path] = (),
    memory: str = "1GB",
    threads: int | None = None,
) -> int:
    """Write `facts`, each fact of the proofs once, without those of earlier files; returns the number."""
    with Mining(out, memory=memory, threads=threads) as mining:
        for number, path in enumerate(proofs):
            mining.read(f"proofs_{number}", path)
        for number, path in enumerate(known):
            mining.read(f"known_{number}", path)

        def wanted() -> "ir.Table":
            needed = [needed_facts(f"proofs_{number}") for number in range(len(proofs))]
            facts = ibis.union(*needed, distinct=True) if len(needed) > 1 else needed[0].distinct()
            for number in range(len(known)):
                facts = facts.anti_join(mined_table("facts", f"known_{number}"), list(TABLES["facts"]))
            return facts

        return mining.write("facts", wanted)


def needed_facts(proofs: str = "proofs") -> "ir.Table":
    """The facts in the table of proofs that is registered in the engine under a name."""
    rows = mined_table("proofs", proofs)
    return rows.select("subject", "relation", "object", literal="object_literal")
