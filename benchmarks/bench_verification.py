"""What the contrast verifier does to a world's sentences, of which the truth is known.

Prints how many true sentences it loses, how many decoys it removes, how much of the evidence it keeps really
states its fact, the same at fixed thresholds, and how well its probabilities are calibrated.

    python benchmarks/bench_verification.py [--entities 3000] [--world DIR] [--jobs 2]
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


def made_world(folder: Path, entities: int) -> Path:
    from rollcall.corpus import make_corpus
    from rollcall.graph.make import make_graph
    from rollcall.world import write_world

    write_world(folder, entities, 1)
    make_graph([folder / "wikidata.json.gz"], folder / "graph")
    make_corpus([folder / "pages.xml.bz2"], folder / "corpus", graph=folder / "graph")
    return folder


def write_facts(world: Path, out: Path) -> None:
    facts = pq.read_table(world / "graph" / "facts.parquet", columns=["subject", "relation", "object"])
    values = pq.read_table(world / "graph" / "values.parquet", columns=["subject", "relation", "value"])
    values = values.rename_columns(["subject", "relation", "object"])
    parts = [
        part.append_column("literal", pa.array([literal] * part.num_rows))
        for part, literal in ((facts, False), (values, True))
    ]
    pq.write_table(pa.concat_tables(parts), out)


def main() -> None:
    from rollcall.corpus import Corpus
    from rollcall.evidence import find_evidence
    from rollcall.evidence.labelled.world_truth import STATES, WorldTruth, verification
    from rollcall.evidence.verifiers.contrast.verifier import draw_lessons, learn_contrast
    from rollcall.tables.engine import opened

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--entities", type=int, default=3000)
    parser.add_argument(
        "--world", type=Path, help="a folder with world/, graph/ and corpus/, instead of a new one"
    )
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        world = options.world or made_world(work / "world", options.entities)
        truth = world / "world" / "truth.parquet" if options.world else world / "truth.parquet"
        write_facts(world, work / "facts.parquet")
        start = time.perf_counter()
        with opened(jobs=options.jobs) as engine:
            lessons = draw_lessons(world / "graph", world / "corpus", engine=engine)
            verifier = learn_contrast(lessons, engine=engine)
        print(f"learned in {time.perf_counter() - start:.0f} s")
        start = time.perf_counter()
        summary = find_evidence(
            world / "graph", world / "corpus", work / "facts.parquet", work / "evidence.parquet",
            verifier=verifier, per_fact=1000, jobs=options.jobs,
        )  # fmt: skip
        print(f"searched and judged in {time.perf_counter() - start:.0f} s: {summary}")
        rows = pq.read_table(work / "evidence.parquet")
    columns = [rows[name].to_pylist() for name in ("subject", "relation", "object", "page", "text")]
    known = WorldTruth(truth, Corpus.open(world / "corpus"))
    states = np.array([known.state(*row) for row in zip(*columns, strict=True)])
    numbers: dict[tuple[str, ...], int] = {}
    facts = np.array([numbers.setdefault(row, len(numbers)) for row in zip(*columns[:3], strict=True)])
    scores, accepted = np.array(rows["score"].to_pylist()), np.array(rows["validated"].to_pylist())
    print_figures("by relation", verification(states, scores, accepted, facts))
    for threshold in (0.3, 0.5, 0.7):
        print_figures(f"from {threshold}", verification(states, scores, scores >= threshold, facts))
    print("calibration (mean score: share that is true):")
    for low in np.arange(0, 1, 0.2):
        within = (scores >= low) & (scores < low + 0.2 + 1e-9)
        if within.any():
            print(
                f"  {scores[within].mean():.2f}: {(states[within] == STATES).mean():.2f} of {within.sum():,}"
            )


def print_figures(name: str, figures: object) -> None:
    shares = ("true_lost", "decoys_removed", "others_removed", "kept_true", "evidence_true")
    print(f"{name:<12}", *(f"{share.replace('_', ' ')} {getattr(figures, share):.1%} " for share in shares))


if __name__ == "__main__":
    main()
