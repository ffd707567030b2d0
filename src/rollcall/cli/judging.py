"""The options of judges: language models for profiles that ask one."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rollcall.cli.system_options import ASKING
from rollcall.errors import RollcallError

if TYPE_CHECKING:
    from rollcall.llm import Client
    from rollcall.llm.asking_limits import AskingLimits
    from rollcall.score import Judge

Judges = Annotated[
    list[str] | None,
    typer.Option(
        "--judge",
        metavar="MODEL",
        help="A model that judges, for profiles that ask one; MODEL@ADDRESS for another server. A second one "
        "shows how far they agree.",
        show_default=False,
        rich_help_panel=ASKING,
    ),
]
Prompts = Annotated[
    Path | None,
    typer.Option(
        "--judge-prompts",
        metavar="FILE",
        help="YAML with other prompts by name, as the set's authors published them.",
        show_default=False,
        rich_help_panel=ASKING,
    ),
]
Cache = Annotated[
    Path | None,
    typer.Option(help="File that stores the replies.", show_default="PRED.judged", rich_help_panel=ASKING),
]


@contextmanager
def opened_judges(
    names: Sequence[str] | None,
    base_url: str | None,
    prompts: Path | None,
    limits: "AskingLimits",
    *,
    cache: Path | None,
    judged: Path,
) -> Iterator[list["Judge"]]:
    """The judges by name, with one client for each server; what they cost is said at the end.

    Replies are kept in `cache`, or else beside the predictions that are judged.
    """
    from rollcall.llm.opening import check_no_limits, opened_client
    from rollcall.score.judging.judge import Judge, read_prompts
    from rollcall.terminal import remark

    if not names:
        if base_url is not None or prompts is not None or cache is not None:
            raise RollcallError(
                "--base-url, --judge-prompts and --cache are for a model that judges: give --judge MODEL"
            )
        check_no_limits(limits, "--judge MODEL")
        yield []
        return
    wording = read_prompts(prompts) if prompts is not None else None
    kept = cache or Path(f"{judged}.judged")
    clients: dict[str, Client] = {}
    with ExitStack() as opened:
        judges = []
        for name in names:
            model, _, other = name.partition("@http")
            address = f"http{other}" if other else base_url
            if address is None:
                raise RollcallError(f"--judge {model}: give the address of its server as --base-url ADDRESS")
            if address not in clients:
                client = opened.enter_context(opened_client(address, limits, cache=kept))
                assert client is not None
                clients[address] = client
            judges.append(Judge(clients[address], model, wording))
        try:
            yield judges
        finally:
            for address, client in clients.items():
                at = f" at {address}" if len(clients) > 1 else ""
                remark(f"language model{at}: {client.spending}", error=True)
