"""`rollcall demo`: all steps in one command, from a generated world to a report on two systems."""

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from rollcall._core.console import Screen, remark, say
from rollcall._core.errors import RollcallError
from rollcall._core.options import LARGEST_SEED
from rollcall.cli.options import writing
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.build.runner import Finished
    from rollcall.questions import Question, QuestionSet

_SHOWN = ("simple", "intersection", "composition")
_FEW = 6
"""Questions with at most this number of answers are shown, if there are any, so that they fit on a screen."""
_FIRST_LOOK = (
    "relations.simple=[P57,P162,P69,P106]",
    "relations.composition=[P57,P162,P69,P106]",
    "answers.least=3",
    "tables.use=false",
    "simple.per_relation=4",
    "intersection.per_pair=3",
    "composition.per_pair=3",
    "split.per_relation=2",
    *(f"split.quotas.{kind}=6" for kind in _SHOWN),
)
"""What makes a build of seconds: films, who made them, and what they learned."""
_FIRST_WORLD = 500
"""The entities of the world of the first look: most of the time is then what any build takes."""


@writing("out")
def demo(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder for all files.")] = Path(
        "demo"
    ),
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
    Three questions of a much smaller world are shown first, after some seconds.
    """
    from rollcall.build.make import Build
    from rollcall.corpus import make_corpus
    from rollcall.graph.make import make_graph
    from rollcall.questions import QuestionSet
    from rollcall.world import write_world

    _first_look(seed)
    world, graph, corpus, questions = (out / name for name in ("world", "graph", "corpus", "questions"))
    _say(1, f"a fictional world of {entities:,} entities, as dump files", world)
    write_world(world, entities=entities, seed=seed)
    _say(2, "its Wikidata dump, read into a graph", graph)
    make_graph([world / "wikidata.json.gz"], graph)
    _say(3, "its pages, read into a corpus", corpus)
    make_corpus([world / "pages.xml.bz2"], corpus, graph=graph)
    _say(4, "questions with answers proved by text, by the recipe `qampari`", questions)
    changes = _changes(seed)
    Build("qampari", graph=graph, corpus=corpus, out=questions, changes=changes).run(None, _tell)
    built = QuestionSet.open(questions)
    say(f"   {counted(len(built), 'question')}; three of them:")
    say()
    _show_some(built)
    _say(5, "two systems answer its development questions", out / "runs")
    runs = [_run(out, tune) for tune in (False, True)]
    report = out / "report.html"
    _compare([question for question in built if question.split == "dev"], runs, report)
    say()
    say(f"the report: {report}")
    say(f"more questions: rollcall show {questions}; their figures: rollcall stats {questions}")
    say(f"ask your own: rollcall ask {graph} '?x a film; ?x [cast member] ?y'")


def _say(number: int, what: str, where: Path) -> None:
    say(f"{number}. {what}: {where}", flush=True)


def _changes(seed: int) -> list[str]:
    """What differs from the recipe: `contrast` takes less time than `learned`, and gives the same scores on
    every machine.
    """
    return [f"seed={seed}", "evidence.verifier=contrast"]


def _first_look(seed: int) -> None:
    """Print three questions of a small world, which takes seconds, before the whole way is gone."""
    from rollcall.build.make import Build
    from rollcall.corpus import make_corpus
    from rollcall.graph.make import make_graph
    from rollcall.questions import QuestionSet
    from rollcall.world import write_world

    say(
        f"a first look: three questions of a world of {_FIRST_WORLD} entities, which takes some seconds",
        flush=True,
    )
    with TemporaryDirectory() as folder, suppress(RollcallError):  # a small world may have none
        world, graph, corpus, questions = (
            Path(folder) / name for name in ("world", "graph", "corpus", "questions")
        )
        remark("   its dumps are written …", error=True, flush=True)
        write_world(world, entities=_FIRST_WORLD, seed=seed, jobs=1)
        remark("   read into a graph and a corpus …", error=True, flush=True)
        make_graph([world / "wikidata.json.gz"], graph, jobs=1)
        make_corpus([world / "pages.xml.bz2"], corpus, graph=graph, jobs=1)
        few = [*_changes(seed), *_FIRST_LOOK]
        Build("qampari", graph=graph, corpus=corpus, out=questions, changes=few, jobs=1).run(None, _tell)
        say()
        _show_some(QuestionSet.open(questions))
        say("now the whole way, with a larger world, which takes a minute or more")
        say(flush=True)


def _tell(stage: str, finished: "Finished | None") -> None:
    """Say on standard error what is being done."""
    if finished is None:
        remark(f"   {stage.replace('-', ' ')} …", error=True, flush=True)


def _show_some(question_set: "QuestionSet") -> None:
    """Print three questions of different kinds, with few answers and many names."""
    from rollcall.cli.shown import print_question

    console = Screen(soft_wrap=True)
    for kind in _SHOWN:
        of_kind = [question for question in question_set if question.kind == kind]
        least = min((len(question.answers) for question in of_kind), default=0)
        with_few = [question for question in of_kind if len(question.answers) <= max(least, _FEW)]
        if with_few:
            print_question(console, max(with_few, key=_example_rank), whole=False)


def _example_rank(question: "Question") -> tuple[int, str]:
    """How suitable a question is as an example: answers with several names are better."""
    return sum(bool(answer.aliases) for answer in question.answers), question.id


def _run(out: Path, tune: bool) -> Path:
    from rollcall.cli.system_options import made_by
    from rollcall.systems.verbs import run

    path, questions = out / "runs" / ("tuned.jsonl" if tune else "mentions.jsonl"), out / "questions"
    asked_at = (questions / "questions.jsonl").stat().st_mtime_ns
    for old in path.parent.glob(f"{path.name}*"):  # answers to the questions of an earlier version
        if old.stat().st_mtime_ns < asked_at:
            old.unlink()
    done = run(
        questions,
        corpus=out / "corpus",
        graph=out / "graph",
        out=path,
        split="dev",
        options={"tune": tune},
    )
    say(f"   {path}: {made_by(done)}")
    return path


def _compare(asked: "list[Question]", runs: list[Path], report: Path) -> None:
    from rollcall._core.files import replacing
    from rollcall.report.terminal import show
    from rollcall.score import compare

    comparison = compare(asked, runs, by=["kind"])
    show(comparison)
    with replacing(report) as partial:
        partial.write_text(comparison.to_html(), encoding="utf-8")
