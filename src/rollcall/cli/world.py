"""`rollcall world`: write a fictional world as dump files."""

from pathlib import Path
from typing import Annotated

import typer

from rollcall._core.console import remark, say_json
from rollcall._core.options import LARGEST_SEED
from rollcall.cli.options import AsJson, Only, with_options
from rollcall.tables.engine import WorkOptions


@with_options
def world(
    folder: Annotated[
        Path | None, typer.Argument(metavar="OUT", help="The folder to write to.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="The same.", show_default=False)
    ] = None,
    entities: Annotated[int, typer.Option(help="How many entities the world has.")] = 3000,
    seed: Annotated[
        int, typer.Option(min=0, max=LARGEST_SEED, help="The same seed gives the same bytes.")
    ] = 1,
    untold: Annotated[float, typer.Option(help="The share of facts that no page states.")] = 0.15,
    decoys: Annotated[
        float,
        typer.Option(help="The share of facts with a sentence that names both entities and states nothing."),
    ] = 0.15,
    unknown: Annotated[float, typer.Option(help="The share of facts that the dump leaves out.")] = 0.0,
    unlisted: Annotated[float, typer.Option(help="The share of rows that list pages leave out.")] = 0.0,
    ages: Annotated[
        int,
        typer.Option(help="How many dumps of the world to write, each later than the one before.", max=8),
    ] = 1,
    *,
    work: Annotated[WorkOptions, Only("engine", "master", "jobs")],
    as_json: AsJson = False,
) -> None:
    """Write a fictional world as dump files.

    OUT receives `wikidata.json.gz` (Wikidata's JSON dump), `pages.xml.bz2` (a MediaWiki export) and
    `truth.parquet` (which sentence states which fact). With `--ages 2`, the same files of a later dump of the
    same world are in OUT/age-2, and `changes.parquet` has what changed from one age to the next.
    """
    from rollcall._core.errors import RollcallError
    from rollcall.world import write_world

    target = folder or out
    if target is None or (folder and out):
        raise RollcallError("name one folder to write the world to: rollcall world OUT")
    written = write_world(
        target,
        entities,
        seed,
        untold,
        decoys,
        work.jobs or None,
        unknown=unknown,
        unlisted=unlisted,
        ages=ages,
        engine=work.engine,
        master=work.master,
    )
    files = [path for age in (written, *written.later) for path in (age.wikidata, age.pages, age.truth)]
    files += [written.changes] if written.later else []
    if as_json:
        sizes = {str(path): path.stat().st_size for path in files}
        say_json({"out": str(target), "entities": written.entities, "seed": seed, "files": sizes})
        return
    for path in files:
        remark(f"{path}\t{path.stat().st_size:,} bytes")
    remark(f"{written.entities:,} entities, seed {seed}")
