"""A browser without a screen: sends forms with the tokens that the last page gave, and follows links."""

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from html import unescape

from selectolax.lexbor import LexborHTMLParser, LexborNode
from starlette.testclient import TestClient

from rollcall.studio.database.engine import Database
from rollcall.studio.web.application import make_application
from rollcall.studio.web.studio import Studio
from rollcall.studio.web.visit import ROUTES, Access, Declared
from studio_project import PASSWORD, QUICK

FORM_KEY = re.compile(r'name="form_key" value="([^"]+)"')
CSRF = re.compile(r'name="csrf" value="([^"]+)"')
MOST_LINKS = 12
"""So many addresses of one route are visited."""
VISITORS = ["nobody", "stranger", "annotator", "manager", "owner"]
"""A stranger works in another project, and manages it too."""
ALLOWED = {
    Access.ANYBODY: set(VISITORS),
    Access.SIGNED_IN: {"stranger", "annotator", "manager", "owner"},
    Access.MEMBER: {"annotator", "manager", "owner"},
    Access.ANNOTATOR: {"annotator"},
    Access.MANAGER: {"manager", "owner"},
    Access.MANAGING: {"stranger", "manager", "owner"},
    Access.OWNER: {"owner"},
}
"""Which of them may call a route."""
_numbers = itertools.count(1)


def studio_of(database: Database, **more: object) -> Studio:
    """A studio on a database, with passwords that cost nothing."""
    return Studio(database, passwords=QUICK, **more)  # type: ignore[arg-type]


class Visitor:
    """Somebody with a browser of their own."""

    def __init__(self, studio: Studio):
        self.client = TestClient(make_application(studio), base_url="http://127.0.0.1:8020")
        self.client.follow_redirects = False
        self.csrf = ""

    def get(self, path: str) -> "Answer":
        """Go to a page, without following where it leads."""
        response = self.client.get(path)
        if found := CSRF.search(response.text):
            self.csrf = found.group(1)
        return Answer(response.status_code, response.text, dict(response.headers), response.content)

    def post(
        self, path: str, fields: Mapping[str, str | list[str]] | None = None, csrf: str | None = None
    ) -> "Answer":
        """Send a form, with the token of the last page unless another is given."""
        token = self.csrf if csrf is None else csrf
        response = self.client.post(path, data={"csrf": token, **(fields or {})})
        return Answer(response.status_code, response.text, dict(response.headers), response.content)

    def sign_in(self, name: str, password: str = PASSWORD) -> "Answer":
        """Sign in by the form."""
        self.get("/sign-in")
        answer = self.post("/sign-in", {"name": name, "password": password, "next": "/account"})
        if answer.status == 303:
            self.get("/account")
        return answer

    def judge(self, project: str, choice: str, **fields: str) -> "Answer":
        """Judge what is shown."""
        shown = self.get(f"/work/{project}")
        return self.post(f"/work/{project}", {"form_key": shown.form_key, "choice": choice, **fields})

    def judge_all(self, path: str, verdict: int = 0, most: int = 200) -> int:
        """Fill in every field of the form of an item, and send it, until none comes; returns how often.

        The possible verdicts are given in turn, from the one with the number `verdict` on.
        """
        for count in range(most):
            shown = self.get(path).text
            fields = filled_form(shown, verdict + count)
            if "search" in fields:
                asked = LexborHTMLParser(shown).css_first(".question-text")
                self.post(f"{path}/search", {**fields, "search": "" if asked is None else asked.text()})
                fields = filled_form(self.get(path).text, verdict + count)
            if not fields:
                return count
            answer = self.post(path, fields)
            assert answer.status == 303, answer.text
        return most

    def crawl(self, seeds: Iterable[str]) -> dict[str, "Answer"]:
        """The pages that can be reached by links from some addresses, by address; some of each route."""
        pages: dict[str, Answer] = {}
        waiting, visited = list(seeds), Counter[Declared | None]()
        while waiting:
            path = waiting.pop(0)
            route = route_of(path)
            if path in pages or visited[route] >= MOST_LINKS:
                continue
            visited[route] += 1
            pages[path] = answer = self.get(path)
            if "text/html" in answer.headers.get("content-type", ""):
                links = LexborHTMLParser(answer.text).css("a[href^='/']")
                waiting += [(link.attributes["href"] or "").partition("#")[0] for link in links]
        return pages


def route_of(path: str) -> Declared | None:
    """The route of a page with this address; None where there is none, such as of static files."""
    plain = path.partition("?")[0]
    fitting = [one for one in ROUTES if one.method == "GET" and _pattern(one.path).fullmatch(plain)]
    return min(fitting, key=lambda one: one.path.count("{"), default=None)


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{\w+(:\w+)?\}", lambda name: ".+" if name[1] == ":path" else "[^/]+", path))


def filled_form(text: str, verdict: int = 0) -> dict[str, str | list[str]]:
    """The form of an item with every field filled in; empty where the page has none."""
    form = LexborHTMLParser(text).css_first("form#judgment")
    fields: dict[str, list[str]] = {}
    for node in [] if form is None else form.css("input, textarea, select"):
        name = node.attributes.get("name")
        value = _typed(node, verdict)
        if name and value is not None and not (node.attributes.get("type") == "radio" and name in fields):
            fields.setdefault(name, []).append(value)
    choices = [] if form is None else form.css("button[name=choice]:not([hidden])")
    if choices:
        fields["choice"] = [choices[verdict % len(choices)].attributes["value"] or ""]
    fields.pop("gold", None)
    return dict(fields)


def _typed(node: LexborNode, verdict: int) -> str | None:
    """What somebody types or chooses in a field."""
    kind, value = node.attributes.get("type"), node.attributes.get("value") or ""
    if node.tag == "select":
        options = [unescape(one.attributes.get("value") or "") for one in node.css("option")]
        return options[-1] if options else None
    if kind == "radio":
        return str(1 + verdict % 5)
    if kind in ("hidden", "checkbox", "search"):
        return value
    return f"Something like number {next(_numbers)} of this kind"


class Answer:
    """What the server answered."""

    def __init__(self, status: int, text: str, headers: dict[str, str], content: bytes):
        self.status = status
        self.text = text
        self.headers = headers
        self.content = content

    @property
    def to(self) -> str:
        """Where a redirect leads."""
        return self.headers.get("location", "")

    @property
    def form_key(self) -> str:
        """The key of the form on the page, empty where there is none."""
        found = FORM_KEY.search(self.text)
        return found.group(1) if found else ""
