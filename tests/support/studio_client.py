"""A browser without a screen: sends forms with the tokens that the last page gave."""

import re
from collections.abc import Mapping

from starlette.testclient import TestClient

from rollcall.studio.database.engine import Database
from rollcall.studio.web.application import make_application
from rollcall.studio.web.studio import Studio
from studio_project import PASSWORD, QUICK

FORM_KEY = re.compile(r'name="form_key" value="([^"]+)"')
CSRF = re.compile(r'name="csrf" value="([^"]+)"')


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

    def post(self, path: str, fields: Mapping[str, str] | None = None, csrf: str | None = None) -> "Answer":
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
