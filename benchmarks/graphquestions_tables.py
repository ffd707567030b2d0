"""The tables of the GraphQuestions paper, for systems that answer from a graph alone, beside its own figures.

    python benchmarks/graphquestions_tables.py [WORK] [--entities 6000] [--facts DIR] [--jacana FILE]

A set of the recipe `graphquestions` is built from a generated world, and with `--facts` from a folder of real
facts (facts.tsv.gz, values.tsv.gz, entities.jsonl.gz, relations.tsv). Each is asked twice: questions whose
relations no system has seen in training, and questions about known relations in words that no training
question has. `--jacana` is the published result file of JACANA, and `--llm`
with `--llm-model` adds a language model that writes queries. WORK keeps what is made (a temporary folder
unless it is given); WORK/tables.md has what is printed.
"""

import tempfile
from argparse import Namespace
from pathlib import Path

from _harness import Arguments, Figures, run_benchmark
from rollcall._core.errors import RollcallError
from rollcall.papers.tables.graphquestions import SYSTEMS, answered, of_facts, of_world, tables


def main(given: Namespace, figures: Figures) -> None:
    if bool(given.llm) != bool(given.llm_model):
        raise RollcallError("a language model needs --llm and --llm-model")
    with tempfile.TemporaryDirectory() as temporary:
        work = given.work or Path(temporary)
        work.mkdir(parents=True, exist_ok=True)
        sources = [of_world(work, given.entities, given.queries)]
        if given.facts:
            sources.append(of_facts(work, given.facts, given.queries))
        model = (given.llm, given.llm_model) if given.llm else None
        systems = [*given.systems.split(","), *(["ask-llm"] if model else [])]
        runs = [(source, answered(source, systems, given.limit, model)) for source in sources]
        text = tables(runs, given.jacana)
        (work / "tables.md").write_text(text, encoding="utf-8")
        print(text)


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("work", type=Path, nargs="?", help="the folder for everything that is made")
    parser.add_argument("--entities", type=int, default=6000, smoke=600, help="of the world")
    parser.add_argument(
        "--queries", type=int, default=1500, smoke=80, help="of each set, before wording and splitting"
    )
    parser.add_argument(
        "--limit", type=int, default=500, smoke=2, help="the most test questions of each kind"
    )
    parser.add_argument(
        "--systems", default=",".join(SYSTEMS), smoke="ask", help="the readers that are asked"
    )
    parser.add_argument("--facts", type=Path, help="a folder of real facts")
    parser.add_argument("--jacana", type=Path, help="JACANA's published result file")
    parser.add_argument("--llm", help="the address of a language model's server")
    parser.add_argument("--llm-model", help="the name of the model there")
    return parser


if __name__ == "__main__":
    run_benchmark(arguments(), main)
