"""`rollcall annotate`: people judge a question set in a browser, one on a laptop or a team on a server."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from rollcall._core.console import remark, say, say_json
from rollcall.cli.options import AsJson
from rollcall.cli.system_options import Option, Set, given_options
from rollcall.text.nouns import counted

_ONE = "judge"
_SHOWN = 5


class SetOrCommand(TyperGroup):
    """A group whose first word may also be a question set: then one person judges it here."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("--help", "-h"):
            args = [_ONE, *args]
        parsed: list[str] = super().parse_args(ctx, args)
        return parsed


app = typer.Typer(cls=SetOrCommand, no_args_is_help=True, rich_markup_mode="markdown")

Task = Annotated[str, typer.Option(help="What is judged; `rollcall plugins --kind tasks` lists the tasks.")]
Corpus = Annotated[
    Path | None, typer.Option("--corpus", "-c", metavar="DIR", help="Its corpus.", show_default=False)
]
Graph = Annotated[
    Path | None, typer.Option("--graph", "-g", metavar="DIR", help="Its graph.", show_default=False)
]
Runs = Annotated[
    list[Path] | None, typer.Option("--run", metavar="RUN", help="A run to judge; may be repeated.")
]
Beside = Annotated[
    list[Path] | None,
    typer.Option("--beside", metavar="SET", help="Another set to compare with; may be repeated."),
]
DatabaseUrl = Annotated[
    str,
    typer.Option(
        "--database", "-d", metavar="URL", help="A SQLite file, or postgresql://NAME@HOST/DATABASE."
    ),
]
Project = Annotated[str, typer.Argument(metavar="PROJECT", help="The project's name.", show_default=False)]


@app.callback()
def annotate() -> None:
    """People judge questions, answers and evidence in a browser.

    `rollcall annotate SET --task validate --open` is all that one person needs: it serves the set on this
    machine and opens a browser; the same command goes on later. For a team: `project`, `invite` and `serve`;
    `export` writes the judged set.
    """


@app.command(_ONE)
def judge(
    questions: Set,
    task: Task = "validate",
    option: Option = None,
    corpus: Corpus = None,
    graph: Graph = None,
    run: Runs = None,
    beside: Beside = None,
    database: Annotated[
        Path | None,
        typer.Option(
            "--database", "-d", metavar="FILE", help="Where judgments are kept.", show_default="beside SET"
        ),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for any that is free.")] = 0,
    open_browser: Annotated[bool, typer.Option("--open", help="Open a browser.")] = False,
    as_json: AsJson = False,
) -> None:
    """Judge a set here, alone (this word may be left out); ends with Ctrl-C, and goes on later.

    With `--json`, the address is printed as soon as it can be opened.
    """
    from shlex import quote

    from rollcall.studio.verbs import annotate as judge_set
    from rollcall.studio.verbs import beside_set

    kept_in = database or beside_set(questions, task)
    not_judged: list[str] = []

    def ready(address: str) -> None:
        if as_json:
            told = {"address": address, "database": str(kept_in), "not_judged": not_judged}
            say_json(told, flush=True)
        else:
            for line in not_judged:
                remark(line)
            say(f"judge at {address} (good once); end with Ctrl-C", flush=True)

    collected = judge_set(
        questions,
        task,
        options=given_options(option),
        corpus=corpus,
        graph=graph,
        runs=list(run or []),
        beside=list(beside or []),
        database=database,
        port=port,
        open_browser=open_browser,
        ready=ready,
        not_judged=not_judged.append,
    )
    if not as_json:
        judged = counted(sum(judgment.counted for judgment in collected.judged), "judgment")
        remark(f"kept: {judged} of {counted(len(collected.items), 'item')}; write the judged set with")
        remark(f"  rollcall annotate export {collected.project} --database {quote(str(kept_in))} --out DIR")


@app.command("serve")
def serve(
    database: DatabaseUrl,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for any that is free.")] = 8020,
    sets: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="A folder of question sets that owners may open and explore.",
            show_default=False,
        ),
    ] = None,
    public_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="What people type, where a proxy stands before it.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Serve a studio for a team, until ended."""
    from rollcall.studio.verbs import serve as serve_studio

    serve_studio(
        database,
        host=host,
        port=port,
        sets=sets,
        public_url=public_url,
        ready=lambda address: (
            say_json({"address": address}, flush=True)
            if as_json
            else say(f"the studio is at {address}; end with Ctrl-C", flush=True)
        ),
    )


@app.command("project")
def project(
    questions: Set,
    database: DatabaseUrl,
    task: Task = "validate",
    name: Annotated[
        str, typer.Option(help="Its name in addresses.", show_default="from the set and the task")
    ] = "",
    title: Annotated[str, typer.Option(help="What people see.", show_default="the task and the set")] = "",
    option: Option = None,
    corpus: Corpus = None,
    graph: Graph = None,
    run: Runs = None,
    beside: Beside = None,
    hourly_rate: Annotated[float, typer.Option(min=0, help="What an hour costs, for the account.")] = 0.0,
    currency: Annotated[str, typer.Option(help="In which currency.")] = "",
    blind: Annotated[
        bool, typer.Option("--blind/--no-blind", help="Adjudicators see no names of people.")
    ] = True,
    gold: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Judgments that are right, as JSON lines or CSV: question, answer if any, verdict, or what "
            "`export` writes. Annotators are measured by them, and cannot tell which they are.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a project from a set and a task."""
    from rollcall.studio.verbs import project as make_project
    from rollcall.studio.verbs import project_size

    not_gold: list[str] = []
    not_judged: list[str] = []
    project_name = make_project(
        database,
        questions,
        task,
        name=name,
        title=title,
        options=given_options(option),
        corpus=corpus,
        graph=graph,
        runs=list(run or []),
        beside=list(beside or []),
        hourly_rate=hourly_rate,
        currency=currency,
        blind=blind,
        gold=gold,
        not_gold=not_gold.append,
        not_judged=not_judged.append,
    )
    if as_json:
        told = {"project": project_name, "database": database, "not_judged": not_judged}
        say_json(told if gold is None else {**told, "not_gold": not_gold})
        return
    size = project_size(database, project_name)
    known = f", {size.known:,} of them with known verdicts" if size.known else ""
    remark(
        f"made the project {project_name}: {size.items:,} items{known}; "
        f"{size.judgments:,} judgments are asked for"
    )
    for line in not_judged:
        remark(line)
    for line in not_gold:
        remark(f"not gold: {line}")


@app.command("invite")
def invite(
    database: DatabaseUrl,
    project: Annotated[
        str | None,
        typer.Argument(metavar="[PROJECT]", help="The project; none for an owner.", show_default=False),
    ] = None,
    role: Annotated[str, typer.Option(help="annotator or manager of the project, or owner.")] = "annotator",
    group: Annotated[str, typer.Option(help="Put them into this group.", show_default=False)] = "",
    note: Annotated[str, typer.Option(help="Whom it is for.", show_default=False)] = "",
    days: Annotated[float, typer.Option(min=0.01, max=365, help="How long it is good.")] = 14.0,
    count: Annotated[int, typer.Option(min=1, max=1000, help="How many invitations.")] = 1,
    url: Annotated[
        str, typer.Option("--public-url", metavar="URL", help="The address of the studio.")
    ] = "http://127.0.0.1:8020",
    as_json: AsJson = False,
) -> None:
    """Print invitations, each good for one person; without a project they are for owners."""
    from rollcall.studio.verbs import invite as make_invitations

    links = make_invitations(
        database, project, role=role, group=group, note=note, days=days, count=count, public_url=url
    )
    if as_json:
        say_json({"invitations": links})
    for link in [] if as_json else links:
        say(link)


@app.command("export")
def export(
    project: Project,
    database: DatabaseUrl,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The folder for all that is written.")
    ],
    adjudicate: Annotated[
        float | None,
        typer.Option(
            min=0.5,
            max=1.0,
            help="Decide disputes by Dawid–Skene from this probability on.",
            show_default=False,
        ),
    ] = None,
    undecided: Annotated[
        str, typer.Option(help="What becomes of what nobody decided: keep or leave-out.")
    ] = "keep",
    pseudonyms: Annotated[bool, typer.Option("--pseudonyms", help="Write no names of people.")] = False,
    least_cluster: Annotated[
        int, typer.Option(min=0, help="Drop questions whose cluster keeps fewer than this (RoMQA: 2).")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Write the judged set, the judgments and the figures of a project."""
    from rollcall.studio.verbs import export as write_export

    exported = write_export(
        database,
        project,
        out,
        adjudicate=adjudicate,
        undecided=undecided,
        pseudonyms=pseudonyms,
        least_cluster=least_cluster,
    )
    if as_json:
        files = {str(exported.questions): exported.number, **dict.fromkeys(map(str, exported.files))}
        kept = ("left_out", "dropped", "reserve", "undecided")
        say_json({"out": str(out), "files": files, **{name: getattr(exported, name) for name in kept}})
        return
    remark(f"{exported.questions}: {counted(exported.number, 'question')}")
    for path in exported.files:
        remark(str(path))
    for line in exported.left_out:
        remark(line)
    for question, why in exported.dropped.items():
        remark(f"dropped: question {question}: {why}")
    if exported.reserve:
        remark(f"left out: {counted(len(exported.reserve), 'question')} that nobody was asked about")
    open_ones = []
    if exported.undecided:
        items = counted(sum(exported.undecided.values()), "item")
        open_ones.append(f"{items} that nobody decided ({_named(exported.undecided)})")
    if exported.outside:
        open_ones.append(f"{counted(exported.outside, 'question')} outside the project")
    if open_ones and undecided == "keep":
        remark(f"these stay as they were: {', '.join(open_ones)}; --undecided leave-out leaves them out")


def _named(questions: Mapping[str, int]) -> str:
    """The first questions by name, and how many more there are."""
    more = f" and {len(questions) - _SHOWN:,} more" if len(questions) > _SHOWN else ""
    return f"question{'s' * (len(questions) > 1)} {', '.join(islice(questions, _SHOWN))}{more}"


@app.command("import")
def import_(
    project: Project,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Annotations that Label Studio exported.", show_default=False),
    ],
    database: DatabaseUrl,
    as_json: AsJson = False,
) -> None:
    """Take in annotations that people made in Label Studio from this project's tasks."""
    from rollcall.studio.verbs import import_annotations

    imported = import_annotations(database, project, file)
    if as_json:
        say_json({"project": project, "counts": imported.counts, "not_taken_in": imported.not_taken_in})
        return
    for what, count in imported.counts.items():
        remark(f"{count:,} {what}")
    for task, why in imported.not_taken_in.items():
        say(f"not taken in: task {task}: {why}", error=True)
