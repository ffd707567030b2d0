"""The report's page in a real browser: it draws, sorts, filters, works by keyboard, and fetches nothing."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rollcall.questions import (
    Answer,
    EntityAnswer,
    Evidence,
    Passage,
    Prediction,
    QueryRecord,
    Question,
    QuestionSet,
)
from rollcall.score import compare, score
from rollcall.score.breakdown import cluster_robustness
from rollcall.score.viewing import page_server, view

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None or DRIVER is None, reason="needs chromium and chromium-driver to look at the page"
    ),
]
EVIL = "</script><script>document.title='taken'</script><img src=x onerror=alert(1)>"


QUERY = {
    "text": "{?x a Q1; ?x P2 Q3}",
    "graph": {
        "nodes": [{"id": "Q1", "friendly_name": "film"}, {"id": "Q3", "friendly_name": "Ann Example"}],
        "edges": [{"relation": "P2", "friendly_name": "director"}],
    },
}


def made_questions() -> tuple[list[Question], list[Prediction]]:
    questions = [
        Question(
            f"q{n:04}",
            f"Question {n}?",
            kind="simple" if n % 2 else "composition",
            cluster=str(n // 3),
            characteristics={"edges": n % 3, "constraints": n % 3},
            answers=[Answer(f"answer {n}-{m}") for m in range(n % 20 + 1)],
        )
        for n in range(120)
    ]
    questions[7].question = EVIL
    run = [
        Prediction(
            one.id, [answer.label.upper() for answer in one.answers[: n % 5]] + ["wrong one"] * (n % 2)
        )
        for n, one in enumerate(questions)
        if n != 11
    ]
    run[3] = Prediction(run[3].id, failure="out of memory")
    return questions, run


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    questions, run = made_questions()
    report = score(questions, run, by=["all"])
    report.robustness = cluster_robustness(report)
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(report.to_html(), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for flag in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--window-size=1300,900",
    ):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def opened(browser: Any, page: Path) -> Any:
    return open_page(browser, page)


def open_page(browser: Any, page: Path) -> Any:
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get(page.as_uri())
    WebDriverWait(browser, 60).until(lambda driver: rows(driver))
    return browser


def rows(browser: Any) -> list[str]:
    return [row.text for row in browser.find_elements("css selector", "#rows tr")]


def test_it_draws_everything_and_fetches_nothing(opened: Any) -> None:
    charts = opened.find_elements("css selector", ".chart svg")
    figures = opened.find_elements("css selector", "figure")
    assert len(charts) == len(figures) >= 8
    assert len(rows(opened)) == 50
    assert opened.find_element("id", "count").text == "120 of 120 questions"
    assert [line for line in opened.get_log("browser") if line["level"] == "SEVERE"] == []
    schemes = {url.split(":")[0] for url in requested(opened)}
    assert "file" in schemes
    assert not {"http", "https"} & schemes
    assert opened.title != "taken"


def requested(browser: Any) -> list[str]:
    import json

    events = [json.loads(line["message"])["message"] for line in browser.get_log("performance")]
    return [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]


def test_each_question_shows_found_missed_and_wrong(opened: Any) -> None:
    opened.find_element("id", "search").send_keys("q0103")
    assert len(rows(opened)) == 1
    found = [chip.text for chip in opened.find_elements("css selector", "#rows .found .chip")]
    wrong = [chip.text for chip in opened.find_elements("css selector", "#rows .wrong .chip")]
    assert found == [f"answer 103-{m} ← ANSWER 103-{m}" for m in range(3)]
    assert wrong == ["wrong one"]
    assert len(opened.find_elements("css selector", "#rows .missed .chip")) == 1


def test_markup_in_a_question_is_only_text(opened: Any) -> None:
    opened.find_element("id", "search").send_keys("q0007")
    assert EVIL in rows(opened)[0]


def test_filters(opened: Any) -> None:
    from selenium.webdriver.support.ui import Select

    Select(opened.find_element("id", "state")).select_by_value("failed")
    assert opened.find_element("id", "count").text == "2 of 120 questions"
    text = " ".join(rows(opened))
    assert "failed: out of memory" in text
    assert "no prediction" in text
    Select(opened.find_element("id", "kind")).select_by_value("composition")
    opened.find_element("id", "search").send_keys("nothing like this")
    assert rows(opened) == ["No question fits these filters."]


def test_sorting_and_pages_by_keyboard_alone(opened: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    header = opened.find_element("css selector", "#head th:nth-child(4) button")
    header.send_keys(Keys.ENTER)
    assert (
        opened.find_element("css selector", "#head th:nth-child(4)").get_attribute("aria-sort")
        == "descending"
    )
    best = [float(cell.text) for cell in opened.find_elements("css selector", "#rows td:nth-child(4)")]
    assert best == sorted(best, reverse=True)
    assert best[0] > best[-1]
    opened.find_element("id", "last").send_keys(Keys.SPACE)
    assert len(rows(opened)) == 20
    assert not opened.find_element("id", "next").is_enabled()
    opened.find_element("id", "search").send_keys(Keys.TAB)
    assert opened.switch_to.active_element.get_attribute("id") == "where"


def test_long_lists_open_on_request(opened: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    opened.find_element("id", "search").send_keys("q0119")
    before = len(opened.find_elements("css selector", "#rows .missed .chip"))
    opened.find_element("css selector", "#rows .more").send_keys(Keys.ENTER)
    assert (before, len(opened.find_elements("css selector", "#rows .missed .chip"))) == (12, 16)


def contrast(one: str, other: str) -> float:
    """WCAG's contrast ratio of two CSS rgb() colours."""

    def light(colour: str) -> float:
        parts = [int(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_readable_in_light_and_dark(browser: Any, opened: Any, scheme: str) -> None:
    feature = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": feature})
    script = (
        "const css = (e, p) => getComputedStyle(e)[p];"
        "return ['.found .chip', '.missed .chip', '.wrong .chip'].map(s => document.querySelector(s))"
        ".map(e => [css(e, 'color'), css(e, 'backgroundColor')])"
        ".concat([[css(document.body, 'color'), css(document.body, 'backgroundColor')]])"
    )
    pairs = browser.execute_script(script)
    assert all(contrast(text, ground) >= 4.5 for text, ground in pairs)
    ground = pairs[-1][1]
    assert (contrast(ground, "rgb(255, 255, 255)") < 1.1) == (scheme == "light")


def test_a_comparison_shows_every_run_and_its_answers(browser: Any, tmp_path: Path) -> None:
    from selenium.webdriver.support.ui import Select

    questions, run = made_questions()
    silent = [Prediction(one.id) for one in questions]
    found = compare(questions, [run, silent], names=["talker", EVIL], by=["kind"], resamples=50)
    path = tmp_path / "report.html"
    path.write_text(found.to_html(), encoding="utf-8")
    opened = open_page(browser, path)
    systems = [row.text for row in opened.find_elements("css selector", ".comparison tbody tr")]
    assert len(systems) == 2
    assert systems[0].startswith("a talker")
    assert EVIL in systems[1]
    assert len(opened.find_elements("css selector", ".chart svg")) == 2
    assert "answer 1-0" in rows(opened)[1].lower().split("missed")[0], "the first run found it"
    Select(opened.find_element("id", "run")).select_by_index(1)
    assert "answer 1-0" in rows(opened)[1].lower().split("missed")[1], "the silent one missed it"
    assert opened.title != "taken"


def explored() -> tuple[list[Question], list[list[Prediction]]]:
    """One question with all that can be known, another, and two systems, each right about one."""
    proofs = [Evidence("Ann made One.", "p1", "One"), Evidence("Two is by Ann.", "p2", "Two")]
    answers = [Answer("One", "Q10", ["The One"], proofs[:1]), Answer("one", "Q11", [], proofs[1:])]
    first = Question(
        *("q1", "Which films did Ann direct?"),
        wordings=["Films by Ann?"],
        kind="simple",
        query=QueryRecord(QUERY["text"], QUERY["graph"]),
        split="test",
        answers=answers,
    )
    second = Question("q2", "Which towns?", kind="composition", answers=[Answer("Rome")])
    passages = [Passage("p1", "One", "A long text about One."), Passage("p9", "Nine", "Of nothing.")]
    right = EntityAnswer("Q10"), EntityAnswer("Q11")
    runs = [
        [Prediction("q1", list(right), passages, seconds=3.0), Prediction("q2", ["Paris"], seconds=1.0)],
        [Prediction("q1", ["Zero"]), Prediction("q2", ["Rome"])],
    ]
    return [first, second], runs


def open_first(browser: Any) -> str:
    """The text of the first question's details."""
    from selenium.webdriver.support.ui import WebDriverWait

    browser.find_element("css selector", ".opener").click()
    WebDriverWait(browser, 20).until(lambda driver: driver.find_elements("css selector", ".detail h3"))
    return str(browser.find_element("css selector", ".detail").text)


def written(tmp_path: Path, page: str) -> Path:
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    return tmp_path / "page.html"


def test_a_question_opens_to_all_that_is_known_of_it(browser: Any, tmp_path: Path) -> None:
    questions, runs = explored()
    opened = open_page(browser, written(tmp_path, compare(questions, runs, names=["ann", "bob"]).to_html()))
    text = open_first(opened)
    for told in ("?x director Ann Example", "Films by Ann?", "Two is by Ann.", "Zero", "seconds 3"):
        assert told in text, told
    assert "Q10" in text, "names that are alike are told apart by their ids"
    assert "ann: 2 passages" in text
    drawing = opened.find_element("css selector", ".drawing img")
    assert drawing.get_property("naturalWidth") > 100
    assert "One" in [one.text for one in opened.find_elements("css selector", ".evidence mark")]
    assert opened.find_element("css selector", ".scores").text.split()[:2] == ["F1", "a"]
    hits = opened.find_elements("css selector", ".side .hit")
    misses = opened.find_elements("css selector", ".side .miss")
    assert (len(hits), len(misses)) == (2, 2)
    opened.find_element("css selector", ".opener").click()
    assert not opened.find_elements("css selector", ".detail")


def test_an_address_leads_to_a_question(browser: Any, tmp_path: Path) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    questions = QuestionSet(
        [
            Question(f"a/b %{number}", f"Who is {number}?", answers=[Answer(f"N{number}")])
            for number in range(120)
        ]
    )
    path = written(tmp_path, view(questions))
    browser.get(f"{path.as_uri()}#a%2Fb%20%25117")
    WebDriverWait(browser, 20).until(lambda driver: driver.find_elements("css selector", ".detail h3"))
    assert browser.find_element("css selector", "[aria-expanded=true]").text == "Who is 117?"
    assert browser.find_element("id", "page").text == "page 3 of 3"
    browser.find_element("css selector", ".opener").click()
    assert browser.current_url.endswith("#a%2Fb%20%25100")


def test_questions_that_one_system_has_right_and_another_wrong(browser: Any, tmp_path: Path) -> None:
    from selenium.webdriver.support.ui import Select

    questions, runs = explored()
    opened = open_page(browser, written(tmp_path, compare(questions, runs, names=["ann", "bob"]).to_html()))
    first, second = opened.find_elements("css selector", "#systems select")
    Select(first).select_by_value("perfect")
    Select(second).select_by_value("imperfect")
    assert [one.text for one in opened.find_elements("css selector", ".opener")] == [
        "Which films did Ann direct?"
    ]
    Select(first).select_by_value("imperfect")
    assert opened.find_element("id", "count").text == "0 of 2 questions"
    Select(second).select_by_value("perfect")
    assert [one.text for one in opened.find_elements("css selector", ".opener")] == ["Which towns?"]
    Select(first).select_by_value("")
    Select(second).select_by_value("")
    opened.find_element("id", "least").send_keys("2")
    assert opened.find_element("id", "count").text == "1 of 2 questions"
    opened.find_element("id", "least").clear()
    Select(opened.find_element("id", "where")).select_by_value("missed")
    opened.find_element("id", "search").send_keys("rome")
    assert [one.text for one in opened.find_elements("css selector", ".opener")] == ["Which towns?"]


def test_a_system_has_one_colour_everywhere(browser: Any, tmp_path: Path) -> None:
    questions, runs = explored()
    opened = open_page(browser, written(tmp_path, compare(questions, runs, names=["ann", "bob"]).to_html()))
    colours = """
        const style = (one, part) => getComputedStyle(one, part);
        const all = (where) => [...document.querySelectorAll(where)];
        return [
          all(".chart rect").slice(0, 2).map((one) => style(one).fill),
          all(".comparison tbody th").map((one) => style(one, "::before").backgroundColor),
          all("#systems .badge").map((one) => style(one).backgroundColor),
          all("#rows tr:first-child .score i").map((one) => style(one).backgroundColor),
        ];
    """
    found = opened.execute_script(colours)
    assert len({tuple(one) for one in found}) == 1
    assert len(set(found[0])) == 2


@pytest.mark.parametrize("width", [390, 1400])
def test_nothing_is_wider_than_the_screen(browser: Any, tmp_path: Path, width: int) -> None:
    questions, runs = explored()
    path = written(tmp_path, compare(questions, runs, names=["ann", "b" * 60], by=["kind"]).to_html())
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        opened = open_page(browser, path)
        open_first(opened)
        wide, screen = opened.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
        assert wide <= screen
        cut, edges = opened.execute_script(
            "const cut = [...document.querySelectorAll('main > section > table')]"
            "  .filter(one => one.scrollWidth > one.clientWidth);"
            "return [cut.length, cut.map(one => getComputedStyle(one).backgroundAttachment)]"
        )
        assert cut or width > 600
        assert set(edges) <= {"local, local, scroll, scroll"}  # a shadow where a table goes on
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_set_is_looked_at_on_the_loopback_address_alone(browser: Any, tmp_path: Path) -> None:
    import http.client
    import threading

    questions, _ = explored()
    with page_server(view(questions)) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        port = server.server_address[1]
        assert server.server_address[0] == "127.0.0.1"
        browser.get(f"http://127.0.0.1:{port}/")
        assert "Two is by Ann." in open_first(browser)
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/", headers={"Host": f"evil.example:{port}"})
        reply = connection.getresponse()
        assert (reply.status, reply.read()) == (404, b"")
        connection.close()
        server.shutdown()
