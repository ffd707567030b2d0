"""`rollcall doctor`: what is installed, what each extra would add, and what this machine has."""

from typing import Annotated

import typer

from rollcall.cli import options
from rollcall.terminal import say_json


def doctor(
    every: Annotated[
        bool, typer.Option("--all", help="Also the extras for the tests and the site of Rollcall.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Print what is installed, what each extra would add, and whether a GPU, Java or a browser is there.

    The core needs none of them: `rollcall demo` runs without any extra.
    """
    from rich.console import Group
    from rich.table import Table

    from rollcall import __version__
    from rollcall.cli.installation import DISTRIBUTION, extras, machine
    from rollcall.screen import Screen, styled

    known = [extra for extra in extras() if every or extra.name not in ("docs", "test")]
    found = machine()
    if as_json:
        say_json(
            {
                "version": __version__,
                "machine": {one.name: {"found": one.found, "told": one.told} for one in found},
                "extras": {one.name: {"adds": one.adds, "missing": list(one.missing)} for one in known},
            }
        )
        return
    console = Screen()
    console.print(styled((f"rollcall {__version__}", "bold")))
    table = Table(show_header=False)
    for one in found:
        table.add_row(one.name, styled(("yes", "green") if one.found else ("no", "yellow")), one.told)
    console.print(table)
    if not known:
        console.print(f"{DISTRIBUTION} is not installed as a distribution, so its extras are not known")
        return
    table = Table("extra", "", "adds", "install")
    for extra in known:
        has = styled(("no", "yellow") if extra.missing else ("yes", "green"))
        lacks = (extra.install, f"(lacks {', '.join(extra.missing)})") if extra.missing else ()
        table.add_row(extra.name, has, extra.adds, Group(*lacks))
    console.print(table)
