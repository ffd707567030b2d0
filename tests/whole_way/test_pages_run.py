"""Every page is run from top to bottom, as it stands; what cannot be run is listed with its reason.

tests/support/document_setups.py says what the names on each page are.
"""

from pathlib import Path

import pytest

import document_stock
from document_runs import left, reply, run_page
from document_setups import ELSEWHERE, NOT_RUN, SETUPS
from documents import Snippet, pages, snippets
from made_once import made_once
from model_server import ModelServer
from places import ROOT

RUNNABLE: dict[str, list[Snippet]] = {}
for _page in pages():
    for _one in snippets(_page):
        if _one.kind == "python" or (_one.kind == "command" and _one.text.startswith("rollcall ")):
            RUNNABLE.setdefault(_one.page, []).append(_one)


@pytest.fixture(scope="session")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "document_stock", document_stock.make)


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted(RUNNABLE.keys() - ELSEWHERE.keys()))
def test_the_page_runs(page: str, stock: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with ModelServer(reply) as server:
        run_page(RUNNABLE[page], stock, tmp_path, server.url)


def test_every_page_says_what_its_names_are() -> None:
    unknown = RUNNABLE.keys() - SETUPS.keys() - ELSEWHERE.keys()
    assert not unknown, "add them to SETUPS in tests/support/document_setups.py"
    assert not (SETUPS.keys() | ELSEWHERE.keys()) - RUNNABLE.keys()
    for page, sections in SETUPS.items():
        text = (ROOT / page).read_text(encoding="utf-8")
        assert all(not section or f"\n## {section}\n" in text for section in sections), page


def test_what_is_not_run_is_still_there_and_has_a_reason() -> None:
    for one in NOT_RUN:
        assert any(one.means(shown.page, shown.text) for shown in RUNNABLE[one.page]), one
        assert one.reason, one
    everything = [one for shown in RUNNABLE.values() for one in shown]
    assert sum(map(left, everything)) < len(everything) / 4
