"""Tuning a set in a real browser: by keys and on a phone, with axe; a build gives what was shown."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from rollcall import build
from rollcall.studio.serving import bound_socket, make_server
from rollcall.tables.engine import WorkOptions
from rollcall.tuning.session import Session
from rollcall.tuning.web import Tuning, make_application
from studio_browser import NEEDS_BROWSER, axe_script, complaints, faults, found_in_time, started, window
from tuned_pumps import RECIPE, write_pumps

pytestmark = [pytest.mark.slow, NEEDS_BROWSER]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with started() as driver:
        yield driver


@pytest.fixture(scope="module")
def pumps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pumps")
    write_pumps(folder)
    return folder


@contextmanager
def running(session: Session) -> Iterator[str]:
    """A server of a session in a thread; gives the address to open."""
    tuning, bound = Tuning(session), bound_socket("127.0.0.1", 0)
    server = make_server(make_application(tuning))
    thread = Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    session.start()
    try:
        yield f"http://127.0.0.1:{bound.getsockname()[1]}/open/{tuning.key}"
    finally:
        session.close()
        server.should_exit = True
        thread.join(30)


@pytest.fixture
def address(pumps: Path, tmp_path: Path) -> Iterator[str]:
    (tmp_path / "mine.yaml").write_text(RECIPE)
    with running(
        Session(
            pumps / "graph",
            pumps / "corpus",
            str(tmp_path / "mine.yaml"),
            pumps / "cache",
            WorkOptions(jobs=1),
        )
    ) as opened:
        yield opened


def asked(browser: Any) -> list[str]:
    script = "return [...document.querySelectorAll('.asked .text')].map((node) => node.innerText)"
    return list(browser.execute_script(script))


def comes(browser: Any, is_found: Callable[[], bool]) -> bool:
    """Whether something is shown after mining, proving or building."""
    return found_in_time(browser, is_found, 240)


def text(browser: Any, selector: str) -> str:
    """The text of an element, which may be replaced at any time."""
    return str(browser.execute_script(f"return document.querySelector({selector!r}).innerText"))


def phase(browser: Any) -> str:
    return str(browser.execute_script("return document.getElementById('state').className"))


def put(browser: Any, selector: str, value: str) -> None:
    """Type something instead of what a field has."""
    from selenium.webdriver.common.keys import Keys

    field = browser.find_element("css selector", selector)
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", field)
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(value)


def open_relation(browser: Any, label: str) -> str:
    """Open a relation by its name with the Enter key; returns how it is selected."""
    for details in browser.find_elements("css selector", "details.relation"):
        summary = details.find_element("css selector", "summary")
        if summary.text.startswith(label) or label in summary.text:
            summary.send_keys("\ue007")
            return f"#{details.get_attribute('id')}"
    raise AssertionError(f"no relation {label}")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_set_is_tuned_saved_and_built(
    browser: Any, pumps: Path, tmp_path: Path, address: str, width: int
) -> None:
    window(browser, width, 844)
    browser.get("about:blank")  # the page of an earlier test misses its server
    complaints(browser)
    browser.get(address)
    assert comes(browser, lambda: "Which pumps run at Norrbay?" in asked(browser))
    put(browser, "#answers-least", "4")
    relation = open_relation(browser, "maker")
    put(browser, f"{relation} input[name=forward]", "was cast by {object}")
    assert comes(browser, lambda: "Which pumps were cast by Arden Works?" in asked(browser))
    assert comes(browser, lambda: "Which pumps were cast by" in text(browser, f"{relation} .reads"))
    assert browser.execute_script("return document.activeElement.name") == "forward"
    other = open_relation(browser, "runs at")
    browser.find_element("css selector", f"{other} input[name=asked]").send_keys(" ")
    assert comes(browser, lambda: not any("run" in question for question in asked(browser)))
    assert comes(browser, lambda: "built" in phase(browser))
    shown = set(asked(browser))
    browser.find_element("css selector", ".save button").send_keys("\ue007")
    assert comes(browser, lambda: "rollcall build" in text(browser, "#saved"))
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert complaints(browser) == []
    made = build(
        str(tmp_path / "mine.yaml"),
        graph=pumps / "graph",
        corpus=pumps / "corpus",
        out=tmp_path / "set",
        options=WorkOptions(jobs=1),
    )
    assert {question.question for question in made} == shown


def test_a_slider_moves_by_keys_and_changes_the_questions(browser: Any, address: str) -> None:
    from selenium.webdriver.common.keys import Keys

    window(browser, 1280, 900)
    browser.get(address)
    assert comes(browser, lambda: bool(asked(browser)))
    before = asked(browser)
    slider = browser.find_element("css selector", "input[type=range][data-of=answers-least]")
    slider.send_keys(Keys.ARROW_RIGHT * 3)
    number = browser.find_element("id", "answers-least")
    assert number.get_attribute("value") == "6"
    assert comes(browser, lambda: 0 < len(asked(browser)) < len(before))
    assert browser.switch_to.active_element == slider


def test_what_is_wrong_is_said_beside_it(browser: Any, address: str) -> None:
    window(browser, 1280, 900)
    browser.get(address)
    assert comes(browser, lambda: bool(asked(browser)))
    relation = open_relation(browser, "maker")
    put(browser, f"{relation} input[name=forward]", "is made")
    reads = f"{relation} .reads"
    assert comes(browser, lambda: "other end exactly once" in text(browser, reads))
    assert asked(browser)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(browser: Any, address: str, width: int, scheme: str) -> None:
    script = axe_script()
    window(browser, width, 844, scheme)
    browser.get(address)
    assert comes(browser, lambda: bool(asked(browser)))
    open_relation(browser, "maker")
    browser.execute_script(
        "document.querySelectorAll('.asked details').forEach((node) => { node.open = true })"
    )
    assert faults(browser, script) == []
