"""How quickly the studio answers 200 annotators at once, on SQLite and on PostgreSQL, and what a kill loses.

Clients are simulated over HTTP on this machine and share its cores with the server. Each shows an item,
thinks for a few seconds, and sends its judgment, which is faster than people are. Times are those of whole
requests as a client sees them. Then the same is done while the server is killed ten times.
"""

import sys
import tempfile
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path

from _harness import PROJECT, Arguments, Figures, run_benchmark

sys.path.insert(0, str(PROJECT / "tests" / "support"))

from postgres_server import postgres_server, programs
from studio_load import Server, account, prepare, work_together

QUESTIONS, ANSWERS, OVERLAP = 300, 10, 3


def measure(place: str, folder: Path, given: Namespace, kills: int, figures: Figures) -> None:
    """One round on one database, printed in a line."""
    prepared = prepare(place, folder / "films", given.people, QUESTIONS, ANSWERS, OVERLAP)
    server = Server(place)
    server.start()
    before = server.processor_seconds()
    try:
        load = work_together(server, prepared, given.seconds, given.think, kills)
        taken = server.processor_seconds() - before
    finally:
        server.stop()
    found = account(prepared, load)
    kind = "PostgreSQL" if place.startswith("postgresql") else "SQLite"
    figures[f"{kind}, {kills} kills"] = {
        "median, ms": load.percentile(0.5),
        "95 %, ms": load.percentile(0.95),
        "lost": found.lost,
        "doubled": found.doubled,
    }
    print(
        f"{kind:<11} {len(load.at_kills):>2} kills {len(load.seconds):>7,} requests "
        f"{len(load.seconds) / load.took:>5.0f}/s  "
        f"median {load.percentile(0.5):>6.1f} ms  95 % {load.percentile(0.95):>6.1f} ms  "
        f"99 % {load.percentile(0.99):>6.1f} ms  {found.stored:,} judgments, {found.lost} lost, "
        f"{found.doubled} doubled, {found.too_often} items too often"
    )
    if not kills:
        each, share = 1000 * taken / len(load.seconds), taken / load.took
        print(f"{'':<11} the server took {each:.1f} ms of a processor for a request, {share:.0%} of one core")


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--people", type=int, default=200, smoke=5)
    parser.add_argument("--think", type=float, default=5.0, smoke=0.2, help="seconds on average")
    parser.add_argument("--seconds", type=float, default=60.0, smoke=2.0)
    parser.add_argument("--kills", type=int, default=10, smoke=0)
    parser.add_argument("--only", choices=["sqlite", "postgresql"], smoke="sqlite")
    return parser


def main(given: Namespace, figures: Figures) -> None:
    """Measure on both databases, without kills and with them."""
    print(f"{given.people} annotators, each thinking {given.think:g} s on average, for {given.seconds:g} s")
    with ExitStack() as stack:
        places = {}
        if given.only != "postgresql":
            places["sqlite"] = None
        if given.only != "sqlite" and programs() is not None:
            places["postgresql"] = stack.enter_context(postgres_server(durable=True))
        elif given.only != "sqlite":
            print("PostgreSQL is not installed, and not measured")
        for server in places.values():
            for kills in dict.fromkeys((0, given.kills)):
                with tempfile.TemporaryDirectory() as folder:
                    place = server.new_database() if server else str(Path(folder) / "studio.sqlite")
                    measure(place, Path(folder), given, kills, figures)


if __name__ == "__main__":
    run_benchmark(arguments(), main)
