"""How often does a sentence that names both ends of a fact state it? Measured on annotated text.

    python benchmarks/bench_stated.py [TRIPLES.jsonl[.gz]]

The file has one object a line with `label` (true or false: does the sentence state the fact?) and `kind`;
the kind `wrong` marks facts that do not hold, which are left out. The recipe `qampari` takes its
`evidence.stated` from this figure on Re-DocRED's development part, which is the file by default. Where it is
not beside the project, the sentences of a generated world are counted.
"""

import gzip
import json
import tempfile
from argparse import Namespace
from pathlib import Path

from _harness import Arguments, Figures, made_world, real_data, run_benchmark


def labels_of(triples: Path) -> list[bool]:
    data = gzip.decompress(triples.read_bytes()) if triples.suffix == ".gz" else triples.read_bytes()
    return [row["label"] for row in map(json.loads, data.splitlines()) if row.get("kind") != "wrong"]


def labels_of_a_world(entities: int) -> list[bool]:
    from bench_trust import all_candidates
    from rollcall.corpus import Corpus
    from rollcall.evidence.labelled import STATES, WorldTruth
    from rollcall.tables.engine import opened

    with tempfile.TemporaryDirectory() as name, opened(jobs=1) as engine:
        folder = made_world(Path(name), entities)
        candidates = all_candidates(folder / "graph", folder / "corpus", folder, engine)
        truth = WorldTruth(folder / "world" / "truth.parquet", Corpus.open(folder / "corpus"))
        return [bool(state == STATES) for state in truth.states(candidates)]


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    docred = real_data("docred", "triples.jsonl.gz")
    parser.add_argument("triples", type=Path, nargs="?", default=docred, smoke=None)
    parser.add_argument("--entities", type=int, default=2000, smoke=500, help="of a world, without TRIPLES")
    return parser


def main(options: Namespace, figures: Figures) -> None:
    print(options.triples or f"a generated world of {options.entities:,} entities")
    labels = labels_of(options.triples) if options.triples else labels_of_a_world(options.entities)
    figures["stated"] = share = sum(labels) / len(labels)
    print(f"{sum(labels):,} of {len(labels):,} sentences that name a fact state it: {share:.1%}")


if __name__ == "__main__":
    run_benchmark(arguments(), main)
