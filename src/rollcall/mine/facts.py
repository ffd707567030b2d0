"""Collects the facts that proofs need.

Input: tables of `proofs`. Output: the table `facts`, with each fact once. Evidence is searched for these
facts.
"""

from collections.abc import Sequence
from pathlib import Path

from rollcall.mine.mining import mining_bench
from rollcall.tables.engine import Engine
from rollcall.tables.mining import Proofs, ProvableFacts
from rollcall.tables.table import Rows, columns, shaped, unbound


def write_facts(proofs: Sequence[Path], out: Path, engine: Engine, *, known: Sequence[Path] = ()) -> int:
    """Write `facts`, each fact of the proofs once, without those of earlier files; returns the number."""
    with mining_bench(engine, out) as bench:
        bench.read(Proofs, proofs)
        bench.read(ProvableFacts, known, "known")
        return bench.write(ProvableFacts, _new_facts, out / "facts.parquet")


def _new_facts() -> Rows[ProvableFacts]:
    return needed_facts().distinct().anti_join(unbound(ProvableFacts, "known"), list(columns(ProvableFacts)))


def needed_facts(proofs: str = "proofs") -> Rows[ProvableFacts]:
    """The facts in the table of proofs that an engine knows by a name."""
    return shaped(ProvableFacts, unbound(Proofs, proofs).drop("literal").rename(literal="object_literal"))
