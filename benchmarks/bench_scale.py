"""Time and memory of every step, from a dump to a question set, at several sizes, and how fast they grow.

    python benchmarks/bench_scale.py [--sizes 10000 100000] [--worlds DIR] [--set KEY=VALUE]...
    python benchmarks/bench_scale.py --sizes 10000 100000 1000000      # what docs/figures.md shows
    python benchmarks/bench_scale.py --sizes --facts 20000000          # mining of a generated graph, no text
    python benchmarks/bench_scale.py --sizes --wikidata DIR            # mining of real facts, no text

Worlds are made in a temporary folder, or found as DIR/SIZE. A step's memory is the largest sum of what all
its processes held at one time. The growth is the exponent of the core time of all processes, between the last
two sizes: 1 where twice the input takes twice the time.
`--wikidata` takes a folder with facts.tsv.gz, values.tsv.gz, entities.jsonl.gz and relations.tsv. Where there
is no text, every fact counts as proved, so that compositions and intersections are mined from everything.
"""

import math
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from _harness import Arguments, Cost, Figures, Watch, measured_command, rollcall_command, run_benchmark
from bench_queries import synthetic_sources

Costs = dict[str, Cost]


def run_build(graph: str, corpus: str, out: str, engine: str, memory: str, *changes: str) -> None:
    """Build, and print the name of each stage as it begins."""
    from rollcall.build import Build

    def report(stage: str, finished: object | None) -> None:
        if finished is None:
            print(stage, flush=True)

    # The figures of docs/figures.md are those of `contrast`, which needs no models.
    given = ("evidence.verifier=contrast", *changes)
    build = Build("qampari", graph=graph, corpus=corpus, out=out, changes=given, memory=memory, engine=engine)
    build.run(report=report)


def run_mining(folder: str, memory: str, *sources: str) -> None:
    """Make a graph and mine it, and print the name of each step as it begins, and what it found."""
    from rollcall.evidence.validation import validate
    from rollcall.graph import Graph, make_graph
    from rollcall.mine.composition import CompositionOptions, mine_composition
    from rollcall.mine.intersection import IntersectionOptions, mine_intersection
    from rollcall.mine.kinds import Proved
    from rollcall.mine.simple import SimpleOptions, mine_simple
    from rollcall.tables.build import EvidenceRows, Proofs
    from rollcall.tables.engine import opened

    def say(step: str, found: int | None = None) -> None:
        print(step if found is None else f"# {found}", flush=True)

    out, graph = Path(folder), Path(folder) / "graph"
    simple, proofs, kept = out / "simple", out / "simple" / "proofs.parquet", out / "simple" / "kept.parquet"
    say("graph")
    make_graph(sources, graph, memory=memory)
    with Graph.open(graph) as made:
        relations = list(made.index.relation_ids)  # also those without a label
    with opened(memory=memory) as engine:
        say("simple")
        say("simple", mine_simple(graph, simple, SimpleOptions(relations=relations), engine=engine).queries)
        say("validation")
        evidence = out / "evidence.parquet"
        with engine.workbench(out / "spill") as bench:
            bench.read(Proofs, proofs)
            bench.write(EvidenceRows, everything_proved, evidence)
        valid = validate(simple / "queries.parquet", proofs, evidence, simple, engine=engine)
        say("validation", valid.queries)
        proved = Proved(
            queries=kept,
            answers=simple / "validated.parquet",
            groups=[simple / "groups.parquet"],
            proofs=[proofs],
            facts=simple / "facts.parquet",
        )
        say("composition")
        composed = mine_composition(
            graph, proved, out / "composition", CompositionOptions(relations=relations), engine=engine
        )
        say("composition", composed.queries)
        say("intersection")
        met = mine_intersection(graph, proved, out / "intersection", IntersectionOptions(), engine=engine)
        say("intersection", met.queries)


def everything_proved():
    """Evidence for every fact that the queries need."""
    import ibis

    from rollcall.tables.build import EvidenceRows, Proofs
    from rollcall.tables.table import declaration, shaped, unbound

    facts = unbound(Proofs).select("subject", "relation", "object", literal="object_literal").distinct()
    missing = {
        name: ibis.literal(None, column.type)
        for name, column in declaration(EvidenceRows).columns.items()
        if name not in facts.columns
    }
    return shaped(EvidenceRows, facts.mutate(**missing | {"validated": ibis.literal(True)}))


STEPS = {"run_build": run_build, "run_mining": run_mining}


def itself(steps: str, *given: object) -> list[str]:
    """This program, as one that runs some steps."""
    return [sys.executable, __file__, steps, *map(str, given)]


def watched(command: list[str]) -> Costs:
    """Run a program that prints the name of each step as it begins; `# N` says what the last one found."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    costs: Costs = {}
    step, started, used = "start", time.perf_counter(), 0.0
    with Watch(process.pid) as watch:

        def end() -> None:
            watch.look()
            costs[step] = Cost(time.perf_counter() - started, watch.core_seconds - used, watch.peak)

        for line in process.stdout:
            word = line.strip()
            if word.startswith("#"):
                print(f"    {step}: {int(word[1:]):,} found", flush=True)
            else:
                end()
                step, started, used, watch.peak = word, time.perf_counter(), watch.core_seconds, 0
                print(f"    {word}", flush=True)
        process.wait()
        end()
    if process.returncode:
        raise SystemExit(f"{' '.join(command[:4])} ended with {process.returncode}")
    return costs


def all_costs(folder: Path, size: int, options: Namespace) -> Costs:
    """Make a world of a size with its graph and corpus, build, and measure every step."""
    world, graph, corpus = folder / "world", folder / "graph", folder / "corpus"
    memory = ["--memory", options.memory]
    costs: Costs = {}
    for name, words in {
        "world": ["world", world, "--entities", size],
        "graph": ["graph", world / "wikidata.json.gz", "--out", graph, *memory],
        "corpus": ["corpus", world / "pages.xml.bz2", "--graph", graph, "--out", corpus, *memory],
    }.items():
        finished = folder / name / ("truth.parquet" if name == "world" else f"{name}.json")
        if not finished.exists():
            costs[name] = measured_command(rollcall_command(*words))
    given = (graph, corpus, folder / "set", options.engine, options.memory, *options.set)
    return costs | watched(itself("run_build", *given))


def growth(costs: list[Cost], sizes: list[int]) -> str:
    """The exponent between the last two sizes."""
    if len(costs) < 2 or costs[-2].core_seconds < 1:
        return ""
    exponent = math.log(costs[-1].core_seconds / costs[-2].core_seconds) / math.log(sizes[-1] / sizes[-2])
    return f"{exponent:.2f}"


def whole(steps: Sequence[Cost]) -> Cost:
    """What steps took one after another."""
    return Cost(
        sum(cost.seconds for cost in steps),
        sum(cost.core_seconds for cost in steps),
        max(cost.peak for cost in steps),
    )


def print_table(columns: list[str], tables: list[Costs], sizes: list[int]) -> None:
    print("| step | " + " | ".join(f"{name}: s | core s | MB" for name in columns) + " | growth |")
    print("|---|" + "--:|--:|--:|" * len(columns) + "--:|")
    for name in dict.fromkeys(step for costs in tables for step in costs):
        print_row(name, [costs.get(name) for costs in tables], sizes)
    every = [whole(list(costs.values())) for costs in tables]
    print_row("all", every, sizes)


def print_row(name: str, costs: Sequence[Cost | None], sizes: list[int]) -> None:
    cells = " | ".join(
        f"{cost.seconds:.1f} | {cost.core_seconds:.1f} | {cost.peak / 1e6:.0f}" if cost else "– | – | –"
        for cost in costs
    )
    print(f"| {name} | {cells} | {growth([cost for cost in costs if cost], sizes)} |", flush=True)


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000], smoke=[500])
    parser.add_argument("--worlds", type=Path, metavar="DIR")
    parser.add_argument("--facts", type=int, help="of a generated graph", smoke=2000)
    parser.add_argument("--wikidata", type=Path, metavar="DIR", help="a folder of real facts")
    parser.add_argument("--memory", default="1GB")
    parser.add_argument("--engine", default="duckdb")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    return parser


def main(options: Namespace, figures: Figures) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        if options.sizes:
            tables = []
            for size in options.sizes:
                folder = (options.worlds or Path(temporary)) / str(size)
                folder.mkdir(parents=True, exist_ok=True)
                print(f"{size:,} entities", flush=True)
                tables.append(all_costs(folder, size, options))
                figures[f"{size} entities"] = tables[-1]
            print_table([f"{size:,}" for size in options.sizes], tables, options.sizes)
        if options.facts:
            folder = Path(temporary) / "generated"
            folder.mkdir()
            sources = synthetic_sources(folder, options.facts, 1)
            mined(f"{options.facts:,} facts", folder, sources, options, figures)
        if options.wikidata:
            folder = Path(temporary) / "wikidata"
            folder.mkdir()
            names = ("facts.tsv.gz", "values.tsv.gz", "entities.jsonl.gz", "relations.tsv")
            sources = [options.wikidata / name for name in names]
            mined("Wikidata facts", folder, sources, options, figures)


def mined(name: str, folder: Path, sources: list[Path], options: Namespace, figures: Figures) -> None:
    """Mine a graph of facts without text."""
    figures[name] = watched(itself("run_mining", folder, options.memory, *sources))
    print_table([name], [figures[name]], [])


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in STEPS:
        STEPS[sys.argv[1]](*sys.argv[2:])
    else:
        run_benchmark(arguments(), main)
