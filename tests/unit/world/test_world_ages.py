"""Worlds that age: the first age as ever, later ones as the table of changes tells, word for word."""

import bz2
import gzip
import hashlib
import json
import re
from collections import Counter
from html import unescape
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from rollcall import RollcallError
from rollcall.world import write_world
from rollcall.world.write import CHANGES, FILES
from world_reading import links, plain

_SIZE, _SEED = 700, 7


def _digests(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }


@pytest.fixture(scope="module")
def aged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("aged")
    write_world(folder, _SIZE, seed=_SEED, ages=3, jobs=1)
    return folder


def _items(folder: Path) -> dict[str, dict[str, Any]]:
    lines = gzip.decompress((folder / FILES[0]).read_bytes()).decode().splitlines()[1:-1]
    records = [json.loads(line.rstrip(",")) for line in lines]
    return {record["id"]: record for record in records}


def _pages(folder: Path) -> dict[str, str]:
    text = bz2.decompress((folder / FILES[1]).read_bytes()).decode()
    return dict(re.findall(r"<title>(.*?)</title>.*?<text[^>]*>(.*?)</text>", text, re.DOTALL))


def _rows(path: Path) -> list[dict[str, Any]]:
    return pq.read_table(path).to_pylist()


def _ages(aged: Path) -> list[tuple[int, Path, Path]]:
    return [(2, aged, aged / "age-2"), (3, aged / "age-2", aged / "age-3")]


def _statements(record: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {claim["id"]: claim for claims in record["claims"].values() for claim in claims}


def test_the_first_age_is_the_world_without_ages(aged: Path, tmp_path: Path) -> None:
    write_world(tmp_path / "one", _SIZE, seed=_SEED, jobs=2)
    plain, all_ages = _digests(tmp_path / "one"), _digests(aged)
    assert plain.items() <= all_ages.items()
    assert len(all_ages) == 3 * len(FILES) + 1


def test_the_same_bytes_by_any_number_of_processes_and_whatever_comes_later(
    aged: Path, tmp_path: Path
) -> None:
    write_world(tmp_path / "again", _SIZE, seed=_SEED, ages=2, jobs=2)
    again, three = _digests(tmp_path / "again"), _digests(aged)
    assert {name: three[name] for name in again if name != CHANGES} == {
        name: again[name] for name in again if name != CHANGES
    }
    first = [row for row in _rows(aged / CHANGES) if row["age"] == 2]
    assert _rows(tmp_path / "again" / CHANGES) == first


def test_everything_happens(aged: Path) -> None:
    found = Counter((row["age"], row["kind"]) for row in _rows(aged / CHANGES))
    kinds = ("born", "died", "renamed", "added", "corrected", "removed", "deprecated", "ended")
    missing = [kind for kind in (*kinds, "said", "unsaid") if not found[2, kind] + found[3, kind]]
    assert not missing


def test_the_dumps_differ_by_the_changes_and_by_nothing_else(aged: Path) -> None:
    changes = _rows(aged / CHANGES)
    for age, older, newer in _ages(aged):
        before, after = _items(older), _items(newer)
        told = [row for row in changes if row["age"] == age]
        born = {row["subject"] for row in told if row["kind"] == "born"}
        assert set(after) - set(before) == born
        edited = {row["subject"] for row in told if row["kind"] not in ("born", "said", "unsaid")}
        differing = {id_ for id_ in before if before[id_] != after[id_]}
        assert differing == edited
        for row in told:
            _check_row(row, before.get(row["subject"]), after[row["subject"]])
        for id_ in differing:
            _check_item(id_, before[id_], after[id_], [row for row in told if row["subject"] == id_])


def _check_row(row: dict[str, Any], before: dict[str, Any] | None, after: dict[str, Any]) -> None:
    """What a row tells is what the dumps have."""
    kind, statement = row["kind"], row["statement"]
    if kind == "renamed":
        assert before is not None
        assert row["before"] in {label["value"] for label in before["labels"].values()}
        assert {label["value"] for label in after["labels"].values()} >= {row["after"]}
        assert row["before"] in {alias["value"] for alias in after["aliases"]["en"]}
        return
    now = _statements(after).get(statement)
    was = None if before is None else _statements(before).get(statement)
    assert (was is None) == (kind in ("born", "died", "added"))
    assert (now is None) == (kind == "removed")
    if kind == "deprecated":
        assert was is not None
        assert now is not None
        assert (was["rank"] != "deprecated", now["rank"]) == (True, "deprecated")
    if kind == "ended":
        assert was is not None
        assert now is not None
        assert "P582" not in was["qualifiers"]
        assert "P582" in now["qualifiers"]
    if kind == "corrected":
        assert was is not None
        assert now is not None
        assert was["mainsnak"] != now["mainsnak"]
        assert row["before"] != row["after"]


def _check_item(id_: str, before: dict[str, Any], after: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    """What differs between two records is told; "unknown" and "none" may give way to what is known."""
    was, now = _statements(before), _statements(after)
    known = {row["statement"] for row in rows}
    valued = {key for key, claim in was.items() if claim["mainsnak"]["snaktype"] == "value" or key in now}
    assert {key for key in valued | set(now) if was.get(key) != now.get(key)} <= known
    if before["labels"] != after["labels"]:
        assert any(row["kind"] == "renamed" for row in rows)
    assert after["modified"] > before["modified"]


def test_the_truth_of_an_age_follows_from_the_one_before(aged: Path) -> None:
    changes = _rows(aged / CHANGES)
    for age, older, newer in _ages(aged):
        before, after = (_facts(folder / FILES[2]) for folder in (older, newer))
        told = [row for row in changes if row["age"] == age and row["kind"] != "renamed"]
        for row in told:
            fact = after.get(row["statement"])
            if row["kind"] in ("removed", "deprecated"):
                assert fact is None
                continue
            assert fact is not None
            assert fact["object"] == row["after"]
            assert bool(fact["sentences"]) == row["told_after"]
        known = {row["statement"] for row in told}
        for statement, fact in before.items():
            if statement not in known:
                assert after[statement]["object"] == fact["object"]
                assert bool(after[statement]["sentences"]) == bool(fact["sentences"])


def _facts(truth: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for row in _rows(truth):
        if row["kind"] == "fact":
            fact = found.setdefault(row["statement"], {"object": row["object"], "sentences": []})
            fact["sentences"] += [row["sentence"]] if row["sentence"] is not None else []
    return found


def test_pages_to_which_nothing_happened_stay_word_for_word(aged: Path) -> None:
    before, after = _pages(aged), _pages(aged / "age-2")
    articles = {title for title in before if not title.startswith(("List of", "Talk:"))}
    same = sum(before[title] == after.get(title) for title in articles)
    assert 0.7 * len(articles) < same < len(articles)


def test_what_moved_is_found_under_its_old_title(aged: Path) -> None:
    pages = _pages(aged / "age-2")
    renamed = [row for row in _rows(aged / CHANGES) if row["kind"] == "renamed" and row["age"] == 2]
    assert renamed
    for row in renamed:
        assert pages[row["before"]].startswith(f"#REDIRECT [[{row['after']}]]")
        assert f"(formerly '''{row['before']}''')" in pages[row["after"]]


def test_every_link_leads_to_a_page(aged: Path) -> None:
    pages = {unescape(title): unescape(text) for title, text in _pages(aged / "age-3").items()}
    for title, text in pages.items():
        for target in links(text):
            assert target in pages or target[:1].upper() + target[1:] in pages, (title, target)


def test_sentences_of_the_truth_are_on_their_pages(aged: Path) -> None:
    pages = _pages(aged / "age-3")
    told = [row for row in _rows(aged / "age-3" / FILES[2]) if row["sentence"] is not None]
    texts: dict[str, str] = {}
    for row in told[::7]:
        title = row["page"].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        if title not in texts:
            texts[title] = plain(unescape(pages[title]))
        assert row["sentence"] in texts[title]


@pytest.mark.parametrize("ages", [0, 9])
def test_a_number_of_ages_that_cannot_be_is_refused(tmp_path: Path, ages: int) -> None:
    with pytest.raises(RollcallError, match=f"--ages {ages}: give 1 to 8"):
        write_world(tmp_path / "out", _SIZE, ages=ages)


def test_a_world_with_ages_gives_way_to_another(tmp_path: Path) -> None:
    write_world(tmp_path / "out", 500, ages=2, jobs=1)
    write_world(tmp_path / "out", 500, jobs=1)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(FILES)
    (tmp_path / "out" / "age-2").mkdir()
    (tmp_path / "out" / "age-2" / "mine.txt").write_text("my own")
    with pytest.raises(RollcallError, match=r"holds age-2/mine.txt"):
        write_world(tmp_path / "out", 500, jobs=1)
