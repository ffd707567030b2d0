"""The studio in a real browser: every task from the invitation to the export, by keys alone; phones; axe."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rollcall.questions import QuestionSet
from rollcall.studio.records import Collected
from rollcall.studio.verbs import collect, export, invite
from studio_browser import (
    NEEDS_BROWSER,
    PASSWORD,
    after,
    after_chord,
    axe_script,
    click,
    click_without_scripts,
    complaints,
    faults,
    found_in_time,
    heading,
    join,
    press,
    started,
    text,
    window,
)
from studio_server import project_of, running

pytestmark = [pytest.mark.slow, NEEDS_BROWSER]

CTRL, ENTER, TAB, ESCAPE, DOWN = "\ue009", "\ue007", "\ue004", "\ue00c", "\ue015"
PHONE = ("validate", "naturalness", "equivalence", "screen")
DONE = "Done, thank you"
SAID = {"born": "born", "died": "ended", "studied": "courses"}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with started() as driver:
        yield driver


def written(browser: Any) -> str:
    """A question that nobody wrote before."""
    moment = browser.execute_script("return Math.round(performance.timeOrigin + performance.now())")
    return f"Whom would one have to name if asked at {moment}?"


def write(browser: Any) -> None:
    press(browser, written(browser))
    after_chord(browser, CTRL, ENTER)


def rate(browser: Any) -> None:
    press(browser, "4")
    press(browser, "2")
    after(browser, ENTER)


def extend(browser: Any) -> None:
    press(browser, "/")
    after(browser, "Nr007", ENTER)
    label = browser.find_element("css selector", ".result input[name=label]")
    while browser.switch_to.active_element != label:
        press(browser, TAB)
    press(browser, "Somebody New", TAB, DOWN)
    after_chord(browser, CTRL, ENTER)


def validate(browser: Any) -> None:
    """Say what the marked text says."""
    asked = text(browser, ".question-text")
    told = " ".join(mark.text for mark in browser.find_elements("css selector", "mark"))
    verb = next(verb for verb in SAID if verb in asked.split())
    stated = SAID[verb] in told and asked.split()[-1].rstrip("?") in told
    after(browser, "1" if stated else "2")


PLAYED: dict[str, Callable[[Any], None]] = {
    "validate": validate,
    "verify": lambda browser: after(browser, "1"),
    "judge-pooled": lambda browser: after(browser, "1"),
    "equivalence": lambda browser: after(browser, "5"),
    "screen": lambda browser: after(browser, "2"),
    "naturalness": rate,
    "write": write,
    "paraphrase": write,
    "extend": extend,
}


def work_through(browser: Any, task: str, most: int = 60) -> int:
    """Give verdicts by keys until nothing is left; returns how many."""
    for count in range(most):
        if not browser.find_elements("id", "judgment"):
            return count
        stage = browser.find_elements("css selector", ".work-state .tag")
        PLAYED["verify" if stage and stage[0].text == "Verify" else task](browser)
    raise AssertionError("there was always one more item")


@pytest.mark.parametrize("task", list(PLAYED))
def test_each_task_from_the_invitation_to_the_export_by_keys_alone(
    browser: Any, tmp_path: Path, task: str
) -> None:
    place = tmp_path / "studio.sqlite"
    window(browser, 1200, 860)
    name = project_of(
        task, tmp_path / "files", place, **({"qualify": 0} if task in ("write", "paraphrase") else {})
    )
    with running(place) as address:
        people = ("ana", "bo", "cem") if task in ("write", "paraphrase") else ("ana",)
        for person in people:
            (link,) = invite(place, name, public_url=address)
            join(browser, link, person)
            browser.get(f"{address}/work/{name}")
            work_through(browser, task)
            assert heading(browser) in (DONE, "Nothing just now"), browser.page_source[-1500:]
        assert complaints(browser) == []
    told = collect(place, name)
    assert told.judged
    assert all(one.seconds >= 0 for one in told.judged)
    assert not [item for item in told.items if told.resolutions[item.key].state == "open" and not item.pool]
    export(place, name, tmp_path / "out")
    check_export(task, told, QuestionSet.open(tmp_path / "out" / "set"))


def check_export(task: str, told: Collected, exported: QuestionSet) -> None:
    """What the exported set has of what was said."""
    judged = {item.question for item in told.items}
    questions = [question for question in exported if question.id in judged]
    assert questions
    if task in ("write", "paraphrase"):
        texts = [one.values["text"] for one in told.judged if one.values.get("text")]
        wordings = [text for question in questions for text in (question.question, *question.wordings)]
        assert texts
        assert set(texts) <= set(wordings)
    if task == "extend":
        assert {one.label for question in questions for one in question.extended} == {"Somebody New"}
        assert {question.id for question in exported if question.searched} == judged
    if task == "judge-pooled":
        assert {"Zoe", "Yan"} <= {one.label for question in questions for one in question.extended}
    if task == "validate":
        labels = {answer.label for question in questions for answer in question.answers}
        assert [one.missed for one in told.judged if one.injected].count(False) >= 3
        assert labels == {item.shown["answer"] for item in told.items if not item.injected}


@contextmanager
def at_work(browser: Any, folder: Path, task: str = "paraphrase") -> Iterator[tuple[str, str]]:
    """Somebody at their first item; gives the address of the studio and the project's name."""
    place = folder / "studio.sqlite"
    window(browser, 1200, 860)
    name = project_of(task, folder / "files", place, qualify=0)
    with running(place) as address:
        (link,) = invite(place, name, public_url=address)
        join(browser, link, "ana")
        browser.get(f"{address}/work/{name}")
        yield address, name


def test_a_draft_survives_closing_the_page_and_undo_brings_a_verdict_back(
    browser: Any, tmp_path: Path
) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    with at_work(browser, tmp_path) as (address, name):
        press(browser, "Half a sentence")
        WebDriverWait(browser, 10).until(lambda page: text(page, "[data-draft-state]") == "Draft saved")
        press(browser, " more")  # left before it was saved: the page sends it as it goes
        browser.get(f"{address}/")
        browser.get(f"{address}/work/{name}")
        assert browser.find_element("id", "text").get_property("value") == "Half a sentence more"
        asked = text(browser, ".question-text")
        write(browser)
        assert text(browser, ".question-text") != asked
        assert "1 by you" in text(browser, ".work-state")
        press(browser, ESCAPE)
        after(browser, "u")
        assert text(browser, ".question-text") == asked
        assert "0 by you" in text(browser, ".work-state")
        press(browser, ESCAPE)
        after(browser, "s")
        assert text(browser, ".question-text") != asked
        press(browser, ESCAPE)
        press(browser, "c")
        assert browser.switch_to.active_element.get_attribute("id") == "comment"


def test_what_is_typed_while_the_server_is_gone_comes_back(browser: Any, tmp_path: Path) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    conditions = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    with at_work(browser, tmp_path) as (address, name):
        press(browser, "Half a sentence")
        WebDriverWait(browser, 10).until(lambda page: text(page, "[data-draft-state]") == "Draft saved")
        browser.execute_cdp_cmd("Network.enable", {})
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True, **conditions})
        press(browser, " more")
        WebDriverWait(browser, 10).until(
            lambda page: text(page, "[data-draft-state]") == "Draft not saved: no connection"
        )
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": False, **conditions})
        WebDriverWait(browser, 10).until(lambda page: text(page, "[data-draft-state]") == "Draft saved")
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True, **conditions})
        press(browser, " at the end")
        after_chord(browser, CTRL, ENTER)  # the browser's own page: no connection
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": False, **conditions})
        browser.get(f"{address}/work/{name}")
        assert browser.find_element("id", "text").get_property("value") == "Half a sentence more at the end"
        after_chord(browser, CTRL, ENTER)
        assert browser.find_element("id", "text").get_property("value") == "", "the next item begins empty"
    told = collect(tmp_path / "studio.sqlite", name)
    assert [one.values["text"] for one in told.judged] == ["Half a sentence more at the end"]
    browser.get_log("browser")  # what the browser said of the connection is no complaint of the next test


def test_a_session_that_ends_while_one_writes_costs_nothing(browser: Any, tmp_path: Path) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    with at_work(browser, tmp_path):
        browser.delete_all_cookies()
        press(browser, "A whole sentence")
        WebDriverWait(browser, 10).until(
            lambda page: text(page, "[data-draft-state]") == "Draft not saved: please sign in again"
        )
        after_chord(browser, CTRL, ENTER)
        assert heading(browser) == "Sign in"
        after(browser, "ana", TAB, PASSWORD, ENTER)
        assert browser.find_element("id", "text").get_property("value") == "A whole sentence"


def test_a_trivial_paraphrase_is_refused_and_nothing_typed_is_lost(browser: Any, tmp_path: Path) -> None:
    with at_work(browser, tmp_path) as (_, name):
        asked = text(browser, ".question-text")
        press(browser, asked.lower())
        after_chord(browser, CTRL, ENTER)
        assert "almost the same" in text(browser, "[role=alert]")
        assert browser.find_element("id", "text").get_property("value") == asked.lower()
    assert collect(tmp_path / "studio.sqlite", name).judged == []


def test_the_key_for_searching_replaces_what_was_searched_for(browser: Any, tmp_path: Path) -> None:
    with at_work(browser, tmp_path, "extend"):
        for words in ("born in", "Kessen"):
            press(browser, ESCAPE)
            press(browser, "/")
            after(browser, words, ENTER)
            field = browser.find_element("css selector", "[data-key='/']")
            assert field.get_property("value") == words


def test_an_answer_needs_its_sentence_which_nobody_chose_before(browser: Any, tmp_path: Path) -> None:
    with at_work(browser, tmp_path, "extend") as (_, name):
        press(browser, "/")
        after(browser, "Nr007", ENTER)
        browser.find_element("css selector", ".result input[name=label]").send_keys("Somebody New")
        after_chord(browser, CTRL, ENTER)
        assert "“Somebody New” has no evidence" in text(browser, "[role=alert]")
        listed = browser.find_element("css selector", ".result.found")
        assert listed.find_element("name", "label").get_property("value") == "Somebody New"
        sentence = listed.find_element("name", "quote")
        assert sentence.get_property("value") == ""
        sentence.send_keys(DOWN)
        told = sentence.get_property("value")
        after_chord(browser, CTRL, ENTER)
    (said,) = collect(tmp_path / "studio.sqlite", name).judged
    assert [one["evidence"]["text"] for one in said.values["answers"]] == [told]
    browser.get_log("browser")  # that the form was refused is no complaint of the next test


def test_enter_in_a_checkbox_gives_no_verdict(browser: Any, tmp_path: Path) -> None:
    with at_work(browser, tmp_path, "screen") as (_, name):
        browser.find_element("name", "marked").click()
        press(browser, ENTER)
        after(browser, "4")
    assert [one.choice for one in collect(tmp_path / "studio.sqlite", name).judged] == ["wrong-answer"]


def test_the_timer_pauses(browser: Any, tmp_path: Path) -> None:
    place = tmp_path / "studio.sqlite"
    name = project_of("screen", tmp_path / "files", place)
    with running(place) as address:
        (link,) = invite(place, name, public_url=address)
        join(browser, link, "ana")
        browser.get(f"{address}/work/{name}")
        assert text(browser, "[data-pause]") == "Pause"
        press(browser, "p")
        assert text(browser, "[data-pause]") == "Go on"
        assert browser.find_element("css selector", ".timer").get_attribute("data-state") == "paused"
        browser.execute_script(
            "Object.defineProperty(performance, 'now', {value: ((real) => () => real() + 100000)"
            "(performance.now.bind(performance))})"
        )
        press(browser, "p")
        after(browser, "1")
    assert collect(place, name).judged[0].seconds < 60


def test_keys_do_nothing_once_they_are_switched_off(browser: Any, tmp_path: Path) -> None:
    place = tmp_path / "studio.sqlite"
    name = project_of("screen", tmp_path / "files", place)
    with running(place) as address:
        (link,) = invite(place, name, public_url=address)
        join(browser, link, "ana")
        browser.get(f"{address}/work/{name}")
        press(browser, "?")
        browser.execute_script("document.querySelector('[data-keys-switch]').click()")
        before = text(browser, ".question-text")
        browser.execute_script("document.activeElement.blur(); window.left = true")
        press(browser, "1")
        assert browser.execute_script("return window.left") is True
        assert text(browser, ".question-text") == before
        browser.execute_script("localStorage.clear()")


def test_everything_works_without_scripts(browser: Any, tmp_path: Path) -> None:
    place = tmp_path / "studio.sqlite"
    name = project_of("equivalence", tmp_path / "files", place)
    with running(place) as address:
        (link,) = invite(place, name, public_url=address)
        join(browser, link, "ana")
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            browser.get(f"{address}/work/{name}")
            for _ in range(3):
                click_without_scripts(browser, "button[value='wrong:wrong-alias']")
            assert found_in_time(browser, lambda: DONE in browser.page_source)
        finally:
            browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert [one.values for one in collect(place, name).judged] == [{"why": "wrong-alias"}] * 3


@pytest.mark.parametrize("task", PHONE)
def test_tasks_for_phones_fit_a_phone(browser: Any, tmp_path: Path, task: str) -> None:
    place = tmp_path / "studio.sqlite"
    name = project_of(task, tmp_path / "files", place)
    with running(place) as address:
        (link,) = invite(place, name, public_url=address)
        window(browser, 390, 800)
        join(browser, link, "ana")
        browser.get(f"{address}/work/{name}")
        wide = browser.execute_script("return document.documentElement.scrollWidth")
        assert wide <= 390
        buttons = browser.find_elements("css selector", ".choices button")
        for button in buttons:
            box = button.rect
            assert box["height"] >= 44
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390
        if task == "naturalness":
            for scale in ("self", "other"):
                browser.find_element("css selector", f"input[name={scale}][value='4']").click()
        click(browser, buttons[0])
        assert "1 by you" in text(browser, ".work-state")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("task", list(PLAYED))
def test_axe_finds_nothing_serious_on_any_task(browser: Any, tmp_path: Path, task: str, scheme: str) -> None:
    axe = axe_script()
    place = tmp_path / "studio.sqlite"
    name = project_of(
        task, tmp_path / "files", place, **({"qualify": 0} if task in ("write", "paraphrase") else {})
    )
    with running(place) as address:
        (link,) = invite(place, name, public_url=address)
        window(browser, 1200, 860, scheme)
        join(browser, link, "ana")
        browser.get(f"{address}/work/{name}")
        if task == "extend":
            press(browser, "/")
            after(browser, "Nr007", ENTER)
        assert faults(browser, axe) == []
        press(browser, ESCAPE)
        press(browser, "?")
        window(browser, 390, 800, scheme)
        assert faults(browser, axe) == []
