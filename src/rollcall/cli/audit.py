"""`rollcall audit`: the quality card of a question set."""

from pathlib import Path
from typing import Annotated

import typer

from rollcall.cli import options
from rollcall.cli.outputs import writing
from rollcall.cli.system_options import Option, Set
from rollcall.errors import RollcallError
from rollcall.garbage import collection_paused


@writing("out", reads=["graph", "corpus", "closed_book", "one_passage"], asks=["questions"])
@collection_paused()
def audit(
    questions: Set,
    graph: Annotated[
        Path | None,
        typer.Option(
            "--graph", "-g", metavar="DIR", help="The graph the set was made from.", show_default=False
        ),
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option(
            "--corpus", "-c", metavar="DIR", help="The corpus its evidence is from.", show_default=False
        ),
    ] = None,
    closed_book: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="A run of a system that saw no text.", show_default=False),
    ] = None,
    one_passage: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="A run of a system that saw one passage.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            help="Write index.html, audit.json and quality.json here.",
            show_default=False,
        ),
    ] = None,
    checks: Annotated[
        str | None,
        typer.Option(
            help="Only these checks, separated by commas; `rollcall plugins` lists them, or module:name.",
            show_default="all",
        ),
    ] = None,
    fail_above: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CHECK=SHARE",
            help="Fail if a check finds a larger share: leaked-wordings=0.01; may be repeated.",
            show_default=False,
        ),
    ] = None,
    examples: Annotated[int, typer.Option(min=0, help="Examples of each sort of fault that are kept.")] = 5,
    verifier: Annotated[
        str | None,
        typer.Option(
            help="Ask this verifier about evidence, instead of taking the stored scores.", show_default=False
        ),
    ] = None,
    verified: Annotated[
        int,
        typer.Option(min=1, help="How many pieces of evidence the verifier is asked about, drawn at random."),
    ] = 1000,
    option: Option = None,
    split: options.Split = None,
    answers: options.Answers = None,
    file_format: options.Format = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Look for what is wrong, doubtful or lopsided in a question set, built or imported.

    With --graph, answers are compared with the denotations of their queries; with --corpus, evidence with the
    text. Exits with 2 if a check finds more than --fail-above allows, after everything was printed and
    written.
    """
    from rollcall.audit.output.terminal import print_audit
    from rollcall.audit.verbs import audit as make_audit
    from rollcall.cli.system_options import given_options
    from rollcall.screen import Screen
    from rollcall.terminal import say, say_json

    if option and verifier is None:
        raise RollcallError("--option is for the verifier; name one with --verifier")
    made = make_audit(
        questions,
        graph=graph,
        corpus=corpus,
        closed_book=closed_book,
        one_passage=one_passage,
        checks=None if checks is None else options.listed(checks),
        fail_above=dict(map(_threshold, fail_above or ())),
        examples=examples,
        verifier=verifier,
        verifier_options=given_options(option, {}),
        verified=verified,
        split=split,
        out=out,
        answers=answers,
        file_format=file_format,
    )
    if as_json:
        say_json(made.as_json())
    else:
        print_audit(made, Screen())
    if out is not None:
        say(f"wrote {out}: open {out / 'index.html'} in a browser", error=True)
    if made.failures:
        raise RollcallError(f"{questions} fails its audit: {'; '.join(made.failures)}")


def _threshold(given: str) -> tuple[str, float]:
    name, separator, share = given.rpartition("=")
    try:
        return name.strip(), float(share if separator else "")
    except ValueError:
        raise RollcallError(
            f"--fail-above {given}: write check=share, such as leaked-wordings=0.01"
        ) from None
