"""`rollcall demo`: all steps in one command, from a generated world to a report on two systems."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rollcall.cli.options import LARGEST_SEED
from rollcall.cli.outputs import writing
from rollcall.terminal import say

if TYPE_CHECKING:
    from rollcall.questions import Question, QuestionSet

_SHOWN = ("simple", "intersection", "composition")
_FEW = 6
"""Only questions with at most this number of answers are shown, so that they fit on a screen."""


@writing("out")
def demo(
    out: Annotated[Path, typer.Option(help="The folder for all files.")] = Path("demo"),
    entities: Annotated[int, typer.Option(min=1000, help="How many entities the world has.")] = 3000,
    seed: Annotated[
        int,
        typer.Option(
            min=0, max=LARGEST_SEED, help="The seed of the world; another seed gives another world."
        ),
    ] = 1,
) -> None:
    """Generate a world, build a question set from its dumps, run two systems on it, and compare them.

    Prints three questions with their answers, aliases and evidence, then a table of the systems, then the
    path of a report. The folder keeps every step: the dumps, the graph, the corpus, the set and the runs.
    """
    from rollcall.build import build
    from rollcall.corpus import make_corpus
    from rollcall.graph.make import make_graph
    from rollcall.world import write_world

    world, graph, corpus, questions = (out / name for name in ("world", "graph", "corpus", "questions"))
    _say(1, f"a fictional world of {entities:,} entities, as dump files", world)
    write_world(world, entities=entities, seed=seed)
    _say(2, "its Wikidata dump, read into a graph", graph)
    make_graph([world / "wikidata.json.gz"], graph)
    _say(3, "its pages, read into a corpus", corpus)
    make_corpus([world / "pages.xml.bz2"], corpus, graph=graph)
    _say(4, "questions with answers proved by text, by the recipe `qampari`", questions)
    # `contrast` takes less time than `learned`, and gives the same scores on every machine.
    changes = [f"seed={seed}", "evidence.verifier=contrast"]
    made = build("qampari", graph=graph, corpus=corpus, out=questions, changes=changes)
    _show_some(made)
    _say(5, "two systems answer its development questions", out / "runs")
    runs = [_run(out, tune) for tune in (False, True)]
    report = out / "report.html"
    _compare([question for question in made if question.split == "dev"], runs, report)
    say(f"\nthe report: {report}")
    say(f"more questions: rollcall show {questions}; their figures: rollcall stats {questions}")
    say(f"ask your own: rollcall ask {graph} '?x a film; ?x [cast member] ?y'")


def _say(number: int, what: str, where: Path) -> None:
    say(f"{number}. {what}: {where}", flush=True)


def _show_some(made: "QuestionSet") -> None:
    """Print three questions of different kinds, with few answers and many names."""
    from rollcall.cli.show_set import print_question
    from rollcall.screen import Screen

    say(f"   {len(made):,} questions; three of them:\n")
    console = Screen(soft_wrap=True)
    for kind in _SHOWN:
        found = [one for one in made if one.kind == kind and len(one.answers) <= _FEW]
        if found:
            print_question(console, max(found, key=_example_rank), whole=False)


def _example_rank(question: "Question") -> tuple[int, str]:
    """How suitable a question is as an example: answers with several names are better."""
    return sum(bool(answer.aliases) for answer in question.answers), question.id


def _run(out: Path, tune: bool) -> Path:
    from rollcall.cli.system_options import made_by
    from rollcall.systems.verbs import run

    path = out / "runs" / ("tuned.jsonl" if tune else "mentions.jsonl")
    done = run(
        out / "questions",
        corpus=out / "corpus",
        graph=out / "graph",
        out=path,
        split="dev",
        options={"tune": tune},
    )
    say(f"   {path}: {made_by(done)}")
    return path


def _compare(asked: "list[Question]", runs: list[Path], report: Path) -> None:
    from rollcall.files import replacing
    from rollcall.score import compare
    from rollcall.score.output.comparison import print_comparison
    from rollcall.score.output.html import comparison_html
    from rollcall.screen import Screen

    comparison = compare(asked, runs, by=["kind"])
    print_comparison(comparison, Screen())
    with replacing(report) as partial:
        partial.write_text(comparison_html(comparison), encoding="utf-8")
