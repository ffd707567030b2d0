"""200 annotators at once, over HTTP, against the real server, which is killed ten times while they work.

How fast it is, also undisturbed, `benchmarks/bench_studio.py` measures; here nothing may be lost, doubled or
judged too often.
"""

from pathlib import Path

import pytest

from postgres_server import postgres_server, programs
from studio_load import Server, account, prepare, work_together

pytestmark = pytest.mark.slow
PEOPLE, OVERLAP, KILLS = 200, 3, 10


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_no_judgment_is_lost_doubled_or_one_too_many(kind: str, tmp_path: Path) -> None:
    if kind == "sqlite":
        judge_it(str(tmp_path / "studio.sqlite"), tmp_path)
    elif programs() is None:
        pytest.skip("PostgreSQL is not installed")
    else:
        with postgres_server(durable=True) as running:
            judge_it(running.new_database(), tmp_path)


def judge_it(place: str, folder: Path) -> None:
    """Fewer judgments are wanted than would be given, so that people compete for the last items."""
    prepared = prepare(place, folder / "films", PEOPLE, questions=40, answers=10, overlap=OVERLAP)
    server = Server(place)
    server.start()
    try:
        load = work_together(server, prepared, seconds=600, think=4.0, kills=KILLS)
    finally:
        server.stop()
    found = account(prepared, load)
    assert set(load.statuses) <= {200, 303}, load.refusals[:1]
    assert (found.lost, found.doubled, found.too_often, found.slots_without_judgment) == (0, 0, 0, 0)
    assert found.stored == 40 * 10 * OVERLAP, "all that was asked for is judged"
    assert len(load.at_kills) == KILLS
    assert 0 < load.at_kills[0] < load.at_kills[-1] < found.stored, "it was killed while people worked"
