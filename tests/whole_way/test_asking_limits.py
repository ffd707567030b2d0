"""Every command that asks a language model hands all its limits to the client."""

from pathlib import Path
from typing import NoReturn

import pytest
from msgspec.structs import asdict

from rollcall import RollcallError
from rollcall.cli.main import main
from rollcall.llm.opening import AskingOptions

GIVEN = "--concurrency 3 --per-minute 30 --timeout 5 --budget-tokens 1000 --budget-money 0.5 --price 2,4"
SERVER = "http://127.0.0.1:9/v1"
ASKING = AskingOptions(
    base_url=SERVER,
    concurrency=3,
    per_minute=30.0,
    timeout=5.0,
    budget_tokens=1000,
    budget_money=0.5,
    price="2,4",
)

pytest.importorskip("openai", reason="the extra `llm` is not installed")


@pytest.mark.parametrize(
    "words",
    [
        "run set --out OUT/run.jsonl --reader llm --model m",
        "extract corpus --out OUT/graph --model m",
        "audit set --out OUT/audit --judge m",
        "score set run.jsonl --judge m",
        "compare set run.jsonl other.jsonl --judge m",
    ],
)
def test_limits_reach_the_client(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def opened(asking: AskingOptions, *, cache: Path) -> NoReturn:
        seen.append({name: getattr(asking, name) for name in AskingOptions.__struct_fields__})
        raise RollcallError("that is enough")

    monkeypatch.setattr("rollcall.llm.opening.opened_client", opened)
    with pytest.raises(SystemExit, match="2"):
        main(f"{words} --base-url {SERVER} {GIVEN}".replace("OUT", str(tmp_path)).split())
    assert seen == [asdict(ASKING)]


def test_limits_are_those_of_the_client() -> None:
    from rollcall.llm import Budget, Prices
    from rollcall.llm.opening import opened_client

    with opened_client(ASKING) as client:
        assert client is not None
        assert client.concurrency == 3
        assert (client.spending.budget, client.spending.prices) == (Budget(1000, 0.5), Prices(2.0, 4.0))


def test_an_address_that_is_refused_leaves_no_file(tmp_path: Path) -> None:
    from rollcall.llm.opening import opened_client

    with (
        pytest.raises(RollcallError, match="with a password or a key in it"),
        opened_client(AskingOptions(base_url="http://me:secret@127.0.0.1:9/v1"), cache=tmp_path / "replies"),
    ):
        pass
    assert not (tmp_path / "replies").exists()
