"""A browser that works in the studio as people do: by keys alone, at any width, in light and dark."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
NEEDS_BROWSER = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="needs chromium and chromium-driver to look at the pages"
)
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
)
_AXE_PLACES = ("node_modules/axe-core/axe.min.js", ".ci/node_modules/axe-core/axe.min.js")
PASSWORD = "a long password"  # noqa: S105


def axe_script() -> str:
    """The source of axe-core, which CI installs; tests that need it are skipped without it."""
    root = Path(__file__).parents[2]
    named = os.environ.get("ROLLCALL_AXE")
    places = [Path(named)] if named else [root / place for place in _AXE_PLACES]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        pytest.skip("needs axe-core: npm install --prefix .ci axe-core, or ROLLCALL_AXE=axe.min.js")
    return found.read_text(encoding="utf-8")


@contextmanager
def started() -> Iterator[Any]:
    """A browser with a window of a desktop."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for flag in _FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.set_capability("unhandledPromptBehavior", "ignore")  # an alert must not go unseen
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    try:
        window(driver, 1200, 860)
        yield driver
    finally:
        driver.quit()


def window(browser: Any, width: int, height: int, scheme: str = "light") -> None:
    """Give the browser another size and scheme of colours."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    features = [
        {"name": "prefers-color-scheme", "value": scheme},
        {"name": "prefers-reduced-motion", "value": "reduce"},  # nothing is looked at half way
    ]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def press(browser: Any, *keys: str) -> None:
    """Press keys, wherever the focus is."""
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(browser).send_keys(*keys).perform()


def chord(browser: Any, held: str, key: str) -> None:
    """Press a key while another is held."""
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(browser).key_down(held).send_keys(key).key_up(held).perform()


def after(browser: Any, *keys: str) -> None:
    """Press keys that lead to another page, and wait for it."""
    from selenium.webdriver.support.ui import WebDriverWait

    browser.execute_script("window.left = true")
    press(browser, *keys)
    WebDriverWait(browser, 20).until(_is_new)


def after_chord(browser: Any, held: str, key: str) -> None:
    """The same with a held key."""
    from selenium.webdriver.support.ui import WebDriverWait

    browser.execute_script("window.left = true")
    chord(browser, held, key)
    WebDriverWait(browser, 20).until(_is_new)


def click(browser: Any, element: Any) -> None:
    """Click what leads to another page, and wait for it."""
    from selenium.webdriver.support.ui import WebDriverWait

    browser.execute_script("window.left = true")
    element.click()
    WebDriverWait(browser, 20).until(_is_new)


def click_without_scripts(browser: Any, selector: str) -> None:
    """The same where the page may run no scripts: another page is there when the element is gone."""
    from selenium.webdriver.support.expected_conditions import staleness_of
    from selenium.webdriver.support.ui import WebDriverWait

    element = WebDriverWait(browser, 20).until(lambda it: it.find_element("css selector", selector))
    element.click()
    WebDriverWait(browser, 20).until(staleness_of(element))


def found_in_time(browser: Any, is_found: Callable[[], bool], seconds: int = 20) -> bool:
    """Whether something comes to hold while the browser loads a page."""
    from selenium.webdriver.support.ui import WebDriverWait

    return bool(WebDriverWait(browser, seconds).until(lambda _: is_found()))


def _is_new(browser: Any) -> bool:
    return bool(browser.execute_script("return !window.left && document.readyState == 'complete'"))


def join(browser: Any, address: str, name: str) -> None:
    """Accept an invitation as a new person, by keys alone."""
    from selenium.webdriver.common.keys import Keys

    browser.delete_all_cookies()
    browser.get(address)
    after(browser, name, Keys.TAB, PASSWORD, Keys.TAB, PASSWORD, Keys.ENTER)


def sign_in(browser: Any, address: str, name: str) -> None:
    """Sign in by keys alone."""
    from selenium.webdriver.common.keys import Keys

    browser.delete_all_cookies()
    browser.get(f"{address}/sign-in")
    after(browser, name, Keys.TAB, PASSWORD, Keys.ENTER)


def text(browser: Any, selector: str) -> str:
    """The text of the first element that fits."""
    return str(browser.find_element("css selector", selector).text)


def heading(browser: Any) -> str:
    """The page's first heading that is seen."""
    return str(browser.execute_script("return document.querySelector('main h1')?.innerText ?? ''"))


def faults(browser: Any, axe: str) -> list[str]:
    """What axe finds against WCAG 2.2 AA, serious or critical, each in one line."""
    browser.execute_script(axe)
    found = browser.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']})"
        ".then((result) => done(result.violations));"
    )
    return [
        f"{one['id']}: {node['html'][:160]} ({node['failureSummary'][:200]})"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


def complaints(browser: Any) -> list[str]:
    """What the browser itself complains of: scripts that failed, content that the policy stopped."""
    return [line["message"] for line in browser.get_log("browser") if line["level"] == "SEVERE"]
