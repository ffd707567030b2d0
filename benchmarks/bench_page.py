"""How quick the report's page is with 60,000 questions and two systems, in a real browser.

Prints the size of the page, the time until its table is there, and how long a search, a filter and a sort
take; each is also a ratio to the time that the browser needs to parse the page's data alone.
"""

import random
import shutil
import tempfile
from argparse import Namespace
from pathlib import Path

import rollcall
from _harness import Arguments, Figures, Skipped, measured, needs, run_benchmark
from rollcall.questions import Answer, Evidence, Prediction, Question, Run
from rollcall.questions.run import Passage

ACTIONS = {
    "search": "byId('search').value = 'film 59'; select()",
    "filter": "byId('search').value = ''; "
    "document.querySelector('#systems select').value = 'perfect'; select()",
    "sort": "document.querySelectorAll('#head button')[3].click()",
}
PARSE = "JSON.parse(document.getElementById('data').textContent)"


def questions(count: int) -> list[Question]:
    return [
        Question(
            f"q{n}",
            f"Which films of the year {n} did Ann Example direct and produce?",
            kind=f"kind {n % 7}",
            answers=[_answer(f"{n}.{m}") for m in range(1 + n % 12)],
        )
        for n in range(count)
    ]


def _answer(name: str) -> Answer:
    proof = Evidence(f"Ann Example directed The Film {name}.", f"p{name}", f"The Film {name}")
    return Answer(f"The Film {name}", f"Q{name}", [f"Film {name}"], [proof])


def run(asked: list[Question], share: float) -> Run:
    chance = random.Random(1)
    passages = [Passage(f"p{rank}", f"Title {rank}", "Some words of a passage. " * 8) for rank in range(5)]
    return Run(
        Prediction(one.id, [answer.label for answer in one.answers if chance.random() < share], passages)
        for one in asked
    )


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--questions", type=int, default=60_000, smoke=200)
    return parser


def main(given: Namespace, figures: Figures) -> None:
    needs("selenium")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        raise Skipped("Chromium and its driver are not installed (apt install chromium chromium-driver)")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.support.ui import WebDriverWait

    asked = questions(given.questions)
    report = rollcall.compare(asked, [run(asked, 0.8), run(asked, 0.5)], measures="P,R,F1", resamples=100)
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(flag)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(report.to_html(), encoding="utf-8")
        figures["megabytes"] = page.stat().st_size / 1e6
        print(f"{given.questions:,} questions, 2 systems: {figures['megabytes']:.0f} MB")
        with webdriver.Chrome(options=options, service=Service(driver)) as browser:

            def opened() -> None:
                browser.get(page.as_uri())
                WebDriverWait(browser, 120).until(lambda one: one.find_elements("css selector", "#rows tr"))

            figures["open, seconds"] = measured(opened)[0].seconds
            print(f"open: {figures['open, seconds']:.1f} s")
            timed = "const begun = performance.now(); {}; return performance.now() - begun"
            parse = browser.execute_script(timed.format(PARSE))
            for name, action in ACTIONS.items():
                took = figures[f"{name}, milliseconds"] = browser.execute_script(timed.format(action))
                print(f"{name}: {took:.0f} ms, {took / parse:.2f} of parsing the data ({parse:.0f} ms)")


if __name__ == "__main__":
    run_benchmark(arguments(), main)
