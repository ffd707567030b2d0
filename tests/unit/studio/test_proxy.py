"""Behind a proxy as docs/studio.md shows it: forms of the public address are taken, others are not."""

import re
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

import pytest

from studio_client import CSRF
from studio_project import PASSWORD, saved_set, small_project
from studio_server import running

DOCUMENTED = (Path(__file__).parents[3] / "docs" / "studio.md").read_text(encoding="utf-8")
PUBLIC = "https://studio.example.org"
VISITOR = "203.0.113.7"


@pytest.fixture(params=[PUBLIC, f"{PUBLIC}:8443"])
def public(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def studio(public: str, tmp_path: Path) -> Iterator[str]:
    database, _, _ = small_project(tmp_path / "studio.sqlite", saved_set(tmp_path / "films"))
    database.close()
    hosts = ("studio.example.org", "127.0.0.1")
    with running(tmp_path / "studio.sqlite", secure=True, hosts=hosts, public_url=public) as address:
        yield address


def passed_on(public: str, block: str) -> dict[str, str]:
    """The headers that nginx adds by the lines of a block, for a browser that asks the public address."""
    parts = urlsplit(public)
    variables = {
        "$http_host": parts.netloc,
        "$host": parts.hostname or "",
        "$proxy_host": "127.0.0.1:8020",
        "$scheme": parts.scheme,
        "$proxy_add_x_forwarded_for": VISITOR,
    }
    lines = re.findall(r"proxy_set_header (\S+) (\S+);", block)
    return {"Host": variables["$proxy_host"], **{name: variables[value] for name, value in lines}}


def sign_in(address: str, headers: dict[str, str], origin: str) -> int:
    """Sign in through the form, as a browser does; the status of the answer."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=30)
    try:
        connection.request("GET", "/sign-in", headers=headers)
        shown = connection.getresponse()
        token = CSRF.search(shown.read().decode())
        cookie = (shown.headers["set-cookie"] or "").partition(";")[0]
        assert token is not None
        fields = {"csrf": token[1], "name": "ann", "password": PASSWORD}
        sent = {
            **headers,
            "Origin": origin,
            "Cookie": cookie,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        connection.request("POST", "/sign-in", urlencode(fields, quote_via=quote), sent)
        return connection.getresponse().status
    finally:
        connection.close()


def test_forms_work_behind_the_documented_proxy(studio: str, public: str) -> None:
    headers = passed_on(public, DOCUMENTED)
    assert headers["Host"] == urlsplit(public).netloc, "browsers send the port with the host"
    assert {"X-Forwarded-For", "X-Forwarded-Proto"} <= headers.keys()
    assert sign_in(studio, headers, public) == 303


@pytest.mark.parametrize("host", ["$host", "$proxy_host"])
def test_forms_work_where_a_proxy_passes_on_another_host(studio: str, public: str, host: str) -> None:
    headers = passed_on(public, f"proxy_set_header Host {host};")
    assert sign_in(studio, headers, public) == 303


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", f"{PUBLIC}:9000", "null", "https://[", "https://studio.example.org.evil"],
)
def test_forms_of_other_addresses_are_refused(studio: str, public: str, origin: str) -> None:
    assert sign_in(studio, passed_on(public, DOCUMENTED), origin) == 403
