"""The papers' result tables with systems that are trained here, beside the papers' own figures.

    python benchmarks/systems_tables.py all WORK              # tiny random models, on a CPU, in minutes
    python benchmarks/systems_tables.py prepare WORK --profile small --set SET --graph GRAPH --corpus CORPUS
    python benchmarks/systems_tables.py learn WORK --generator SMOLLM2.gguf --pack OUT
    python benchmarks/systems_tables.py show WORK --unpack OUT --peak-tflops 989

`prepare` makes the data: worlds, or the sets of a user. `learn` needs WORK/prepared alone and may run on
another machine, in pieces. `show` scores all runs and writes WORK/tables.md. docs/figures.md says what
each table shows.

For a machine with a GPU that is at hand for a short time only, everything that needs no GPU is done before,
and carried as one file. `--stop-after` leaves time to end what has begun and to pack it; the same command
goes on with what is missing.

    # before, where the corpora are: 20 to 30 MB each
    python benchmarks/systems_tables.py prepare REAL --profile small --set SET --graph GRAPH --corpus CORPUS \
        --carry real.tar.xz
    python benchmarks/systems_tables.py prepare WORLD --profile small --worlds 2 --seed 41 --asked 200 \
        --carry world.tar.xz
    # where the GPU is; several processes compute at the same time if NVIDIA's server for that is started
    nvidia-cuda-mps-control -d
    python benchmarks/systems_tables.py learn REAL --carried real.tar.xz --encoder MINILM \
        --generator SMOLLM2.gguf --processes 6 --test-only --stop-after 420 --pack OUT
    # afterwards, where the corpora are
    python benchmarks/systems_tables.py show REAL --unpack OUT --peak-tflops 989

Weights stay there: a row whose run is not packed has to be learned again. Dev questions are asked only if
time is left, by the same command without `--test-only`.
"""

import sys
import tempfile
from argparse import Namespace
from pathlib import Path

from _harness import Arguments, Figures, needs, run_benchmark
from rollcall._core.errors import RollcallError
from rollcall.papers.tables.declared import SIZES


def main(given: Namespace, figures: Figures) -> None:
    needs("torch", "accelerate", "lightgbm", pip="'rollcall-qa[neural]'")
    from rollcall.papers.tables.data import WorkFolder

    with tempfile.TemporaryDirectory() as temporary:
        work = WorkFolder(given.work or Path(temporary))
        if given.stage in ("prepare", "all"):
            prepare(work, given)
        if given.stage in ("learn", "all") and not learn(work, given):
            return
        if given.stage in ("show", "all"):
            show(work, given)


def prepare(work, given: Namespace) -> None:
    from rollcall.papers.tables import data

    sets = {"qampari": given.set, "romqa": given.romqa, "single": given.single}
    if given.graph and given.corpus:
        made = data.of_user(work, given.profile, sets, given.graph, given.corpus)
    elif given.graph or given.corpus or any(sets.values()):
        raise RollcallError("a set needs its graph and its corpus: give --graph and --corpus")
    else:
        made = data.worlds(work, given.profile, given.worlds, given.seed, given.entities)
    data.prepare(work, data.without_seen(work, made, given.asked))
    if given.carry:
        data.pack_prepared(work, given.carry)


def learn(work, given: Namespace) -> bool:
    from rollcall.papers.tables import data
    from rollcall.papers.tables.learning import LearningLimits, RowLearning, learn_together

    if given.carried:
        data.unpack_prepared(work, given.carried)
    bases = {"encoder": given.encoder, "generator": given.generator} if given.generator else {}
    splits = ("test",) if given.test_only else ("test", "dev")
    limits = LearningLimits(given.minutes, given.stop_after, given.only or (), splits)
    if given.processes > 1:
        options = {"--encoder": given.encoder, "--generator": given.generator, "--minutes": given.minutes}
        command = [sys.executable, str(Path(__file__).resolve()), "learn", str(work.folder)]
        command += [str(word) for item in options.items() if item[1] is not None for word in item]
        command += ["--test-only"] if given.test_only else []
        done = learn_together(work, given.processes, limits, command)
    else:
        done = RowLearning(work, bases, limits).run()
    if given.pack:
        print(*data.pack(work, given.pack), sep="\n")
    if not done:
        print("not everything is learned yet; run the same command again")
    return done


def show(work, given: Namespace) -> None:
    from rollcall.papers.tables import data
    from rollcall.papers.tables.scoring import tables

    if given.unpack:
        data.unpack(work, given.unpack)
    text = tables(work, given.llm, given.llm_model, given.peak_tflops)
    (work.folder / "tables.md").write_text(text, encoding="utf-8")
    print(text)


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("stage", nargs="?", choices=("prepare", "learn", "show", "all"), default="all")
    parser.add_argument("work", type=Path, nargs="?", help="the folder for everything that is made")
    parser.add_argument("--profile", choices=sorted(SIZES), default="tiny")
    data = parser.add_argument_group("prepare")
    data.add_argument("--worlds", type=int, default=1, help="worlds to learn from")
    data.add_argument("--seed", type=int, default=1, help="of the first world")
    data.add_argument("--entities", type=int, help="of each world")
    data.add_argument("--asked", type=int, help="about so many test and dev questions of each set, not all")
    data.add_argument("--set", help="a set with the splits train, dev and test, as qampari builds one")
    data.add_argument("--romqa", help="a set with clusters and candidates; otherwise it is built")
    data.add_argument("--single", help="a set with single answers; otherwise it is built")
    data.add_argument("--graph")
    data.add_argument("--corpus")
    data.add_argument("--carry", type=Path, help="a file for all that `learn` needs, to carry it")
    learning = parser.add_argument_group("learn")
    learning.add_argument("--carried", type=Path, help="a file that --carry wrote")
    learning.add_argument("--encoder", default="minilm", help="a checkpoint")
    learning.add_argument("--generator", help="a checkpoint, such as SmolLM2 as a GGUF file")
    learning.add_argument("--minutes", type=float, help="of each training")
    learning.add_argument("--only", action="append", help="a row or a training; may be given several times")
    learning.add_argument("--stop-after", type=float, help="seconds after which no row is started")
    learning.add_argument("--processes", type=int, default=1, help="rows that are learned at a time")
    learning.add_argument("--test-only", action="store_true", help="ask no dev questions in this call")
    learning.add_argument("--pack", type=Path, help="a folder for the results, to carry them")
    showing = parser.add_argument_group("show")
    showing.add_argument("--unpack", type=Path, help="a folder that --pack wrote")
    showing.add_argument("--llm", help="the address of a language model's server, for its rows")
    showing.add_argument("--llm-model", help="the name of the model there")
    showing.add_argument("--peak-tflops", type=float, help="of the device that learned, such as 989")
    return parser


if __name__ == "__main__":
    run_benchmark(arguments(), main)
