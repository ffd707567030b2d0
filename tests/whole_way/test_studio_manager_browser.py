"""The managers' side of the studio in a real browser, and hostile text in every field of everything."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rollcall.questions import (
    AddedAlias,
    Answer,
    Evidence,
    Passage,
    Prediction,
    QueryRecord,
    Question,
    QuestionSet,
    Run,
)
from rollcall.studio.verbs import collect, invite, project
from studio_browser import (
    NEEDS_BROWSER,
    after,
    after_chord,
    axe_script,
    click,
    complaints,
    faults,
    heading,
    join,
    press,
    sign_in,
    started,
    text,
    window,
)
from studio_server import project_of, running

pytestmark = [pytest.mark.slow, NEEDS_BROWSER]

CTRL, ENTER, TAB = "\ue009", "\ue007", "\ue004"
PAGES = ("", "/people", "/items", "/adjudicate", "/check", "/inspect", "/figures", "/log")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with started() as driver:
        yield driver


def fetched(browser: Any, address: str) -> str:
    """What the browser gets from an address with the session that it has."""
    return str(
        browser.execute_async_script(
            "const done = arguments[1];"
            "fetch(arguments[0])"
            ".then((reply) => reply.text().then((text) => done(reply.status + ' ' + text)))",
            address,
        )
    )


def test_a_manager_invites_watches_adjudicates_and_exports(browser: Any, tmp_path: Path) -> None:
    place = tmp_path / "studio.sqlite"
    window(browser, 1200, 860)
    name = project_of("screen", tmp_path / "files", place, overlap=2)
    with running(place) as address:
        (link,) = invite(place, name, role="manager", public_url=address)
        join(browser, link, "maya")
        browser.get(f"{address}/manage/{name}/people")
        browser.find_element("id", "count").clear()
        browser.find_element("id", "count").send_keys("2")
        click(browser, browser.find_element("css selector", "form[action$='/invite'] button"))
        links = [one.text for one in browser.find_elements("css selector", ".link-once")]
        assert len(links) == 2
        for person, link, key in zip(("ana", "bo"), links, ("1", "3"), strict=True):
            join(browser, link, person)
            browser.get(f"{address}/work/{name}")
            for _ in range(3):
                after(browser, key)
            assert heading(browser) in ("Done, thank you", "Nothing just now")
            assert fetched(browser, f"{address}/manage/{name}").startswith("404")  # a manager's page
        sign_in(browser, address, "maya")
        browser.get(f"{address}/manage/{name}")
        assert "3 to adjudicate" in text(browser, ".waiting")
        browser.get(f"{address}/manage/{name}/adjudicate")
        names = [cell.text for cell in browser.find_elements("css selector", "tbody th")]
        assert not {"ana", "bo"} & set(names)  # blind
        for _ in range(3):
            after(browser, "2")
        assert "Nothing is waiting" in text(browser, "main")
        for file in ("judgments.jsonl", "judgments.csv", "figures.json", "set.zip", "label-studio.json"):
            assert fetched(browser, f"{address}/manage/{name}/export/{file}").startswith("200")
        lines = fetched(browser, f"{address}/manage/{name}/export/judgments.jsonl").removeprefix("200 ")
        said = [json.loads(line) for line in lines.splitlines()]
        assert sorted(one["choice"] for one in said) == ["clumsy"] * 3 + ["fine"] * 3 + ["senseless"] * 3
        table = fetched(browser, f"{address}/manage/{name}/export/judgments.csv").removeprefix("200 ")
        assert len(list(csv.DictReader(io.StringIO(table)))) == 9
        assert [line for line in complaints(browser) if "404" not in line] == []
    told = collect(place, name)
    assert {one.state for one in told.resolutions.values()} == {"rejected"}


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (1200, "dark"), (390, "light")])
def test_axe_finds_nothing_serious_on_the_pages_of_managers(
    browser: Any, tmp_path: Path, width: int, scheme: str
) -> None:
    axe = axe_script()
    place = tmp_path / "studio.sqlite"
    name = project_of("validate", tmp_path / "files", place, overlap=2)
    with running(place, sets=tmp_path / "files") as address:
        (link,) = invite(place, None, role="owner", public_url=address)
        window(browser, width, 860, scheme)
        browser.delete_all_cookies()
        browser.get(link)
        assert faults(browser, axe) == []
        join(browser, link, "maya")
        for person, key in (("ana", "1"), ("bo", "2")):
            (link,) = invite(place, name, public_url=address)
            join(browser, link, person)
            browser.get(f"{address}/work/{name}")
            for _ in range(5):
                after(browser, key)
            for path in ("/", f"/work/{name}/record", f"/work/{name}/instructions", "/account"):
                browser.get(address + path)
                assert faults(browser, axe) == [], path
        browser.delete_all_cookies()
        browser.get(f"{address}/sign-in")
        assert faults(browser, axe) == []
        sign_in(browser, address, "maya")
        pages = [f"/manage/{name}{page}" for page in PAGES]
        browser.get(f"{address}/manage/{name}/items")
        item = browser.find_element("css selector", "tbody th a").get_attribute("href").removeprefix(address)
        pages += [
            item,
            "/",
            "/manage",
            "/manage/new",
            "/manage/new?task=naturalness",
            "/manage/people",
            "/manage/log",
        ]
        pages += ["/explore", "/explore/lives", "/explore/lives/questions/P19-Kessen", "/explore/lives/runs"]
        for path in pages:
            browser.get(address + path)
            assert heading(browser) not in ("Not found", "Not done"), path
            assert faults(browser, axe) == [], path
            wide = browser.execute_script("return document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, path
        assert complaints(browser) == []


def test_long_words_widen_no_page_on_a_phone(browser: Any, tmp_path: Path) -> None:
    place = tmp_path / "studio.sqlite"
    name = project_of("validate", tmp_path / "files", place)
    project(place, tmp_path / "files" / "lives", "screen", name="long", title="t" * 200)
    with running(place, sets=tmp_path / "files") as address:
        window(browser, 390, 800)
        (link,) = invite(place, name, public_url=address, note="n" * 200, group="g" * 100)
        join(browser, link, "w" * 100)
        (link,) = invite(place, role="owner", public_url=address)
        join(browser, link, "maya")
        for path in ("/", "/manage", "/manage/people", "/manage/long", f"/manage/{name}/people"):
            browser.get(address + path)
            wide = browser.execute_script("return document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, path


EVIL = (
    "</textarea></script><script>window.taken = 1</script>"
    '<img src=x onerror="window.taken = 2">"\'><svg onload=window.taken=3>{{ 7 * 7 }}\u202e${7*7}`'
)


def hostile_set() -> QuestionSet:
    """Payloads wherever a set has text."""
    answers = [
        Answer(
            f"{EVIL} {place}",
            f"Q{place}{EVIL}",
            [f"alias {EVIL}"],
            [
                Evidence(
                    f"{EVIL} states {place}",
                    f"{EVIL}__0",
                    f"title {EVIL}",
                    "javascript:window.taken=4",
                    fact=EVIL,
                )
            ],
            [AddedAlias(f"added {EVIL}", EVIL, EVIL)],
        )
        for place in range(6)
    ]
    query = QueryRecord(
        "{?x P1 Q1}",
        {
            "nodes": [{"node_type": "entity", "id": "Q1", "friendly_name": EVIL}],
            "edges": [{"relation": "P1", "friendly_name": EVIL}],
        },
    )
    return QuestionSet(
        Question(
            f"q{place}{EVIL}",
            f"{EVIL} question {place}?",
            [f"wording {EVIL}"],
            kind=EVIL,
            query=query,
            characteristics={EVIL: EVIL, "list": [EVIL]},
            split=EVIL,
            cluster=EVIL,
            answers=[*answers[:5], msgspec.structs.replace(answers[5], aliases=[f"added {EVIL}"])],
            provenance={EVIL: EVIL, "entities": [EVIL]},
        )
        for place in range(3)
    )


def unharmed(browser: Any, where: str) -> None:
    """Nothing of the payloads ran, and no policy had to stop it."""
    assert browser.execute_script("return window.taken") is None, where
    assert browser.execute_script("return document.querySelectorAll('main script, main img').length") == 0, (
        where
    )
    links = browser.execute_script("return [...document.links].map((link) => link.protocol)")
    assert set(links) <= {"http:", "https:"}, where
    assert not [line for line in complaints(browser) if "Security Policy" in line], where


@pytest.mark.parametrize(
    "task",
    ["validate", "verify", "write", "paraphrase", "naturalness", "equivalence", "judge-pooled", "screen"],
)
def test_hostile_text_in_every_field_runs_nothing(browser: Any, tmp_path: Path, task: str) -> None:
    place = tmp_path / "studio.sqlite"
    window(browser, 1200, 860)
    files = tmp_path / "files"
    files.mkdir()
    hostile_set().save(files / "evil")
    passage = Passage(EVIL, EVIL, EVIL)
    Run(
        [Prediction(one.id, [f"added {EVIL}", f"wrong {EVIL}"], [passage]) for one in hostile_set()], EVIL
    ).save(files / "evil.run.jsonl")
    options = (
        {"minimum": 1} if task == "validate" else {"qualify": 0} if task in ("write", "paraphrase") else {}
    )
    runs = [files / "evil.run.jsonl"] if task in ("equivalence", "judge-pooled") else None
    name = project(place, files / "evil", task, name="evil", title=EVIL, options=options, runs=runs)
    with running(place, sets=files) as address:
        (link,) = invite(place, None, role="owner", note=EVIL, public_url=address)
        join(browser, link, "maya")
        (link,) = invite(place, name, note=EVIL, group=EVIL[:40], public_url=address)
        browser.delete_all_cookies()
        browser.get(link)
        unharmed(browser, "the invitation")
        join(browser, link, "<b>ana</b>")
        browser.get(f"{address}/work/{name}")
        for _ in range(2):
            unharmed(browser, "an item")
            judge_with_hostile_words(browser, task)
        unharmed(browser, "after a judgment")
        for path in ("/", f"/work/{name}/record", f"/work/{name}/instructions", "/account"):
            browser.get(address + path)
            unharmed(browser, path)
        sign_in(browser, address, "maya")
        browser.get(f"{address}/manage/{name}/items")
        item = browser.find_element("css selector", "tbody th a").get_attribute("href").removeprefix(address)
        pages = [
            item,
            *(f"/manage/{name}{page}" for page in PAGES),
            "/manage/people",
            "/manage/log",
            "/explore/evil",
        ]
        for path in pages:
            browser.get(address + path)
            assert heading(browser) not in ("Not found",), path
            unharmed(browser, path)
        browser.find_element("css selector", "tbody th a").click()
        unharmed(browser, "a question of the set")
        browser.get(f"{address}/sign-in?next={EVIL}")
        unharmed(browser, "sign-in")
    (first, *_) = collect(place, name).judged
    assert first.comment.startswith("</textarea></script><script>")


def judge_with_hostile_words(browser: Any, task: str) -> None:
    """Give a verdict, with payloads in all that can be typed."""
    if task in ("write", "paraphrase"):
        browser.find_element("id", "text").send_keys(
            f"Some new words {EVIL[:60]} at {browser.execute_script('return performance.now()')}"
        )
    if task == "naturalness":
        press(browser, "1")
        press(browser, "1")
    browser.execute_script("document.querySelector('details.comment').open = true")
    browser.find_element("id", "comment").send_keys(EVIL[:60])
    if task in ("write", "paraphrase"):
        after_chord(browser, CTRL, ENTER)
    else:
        click(browser, browser.find_element("css selector", ".choices button"))
