"""`view`: a question set, alone or as systems answered it, as a page or on the loopback address.

The page is that of the report, which needs no other file; the server only spares the user a file, and answers
only requests from this machine.
"""

from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from rollcall._core.errors import RollcallError
from rollcall.questions.given import Predictions, Questions, given_questions
from rollcall.score.rules import GivenProfile
from rollcall.score.verbs import compare, score

HOST = "127.0.0.1"
_OWN_NAMES = (HOST, "localhost")


def view(
    questions: Questions,
    runs: Sequence[Predictions] = (),
    *,
    split: str | Sequence[str] | None = None,
    profile: GivenProfile = "entity",
) -> str:
    """The page of a question set; with runs, of what each system answered."""
    if len(runs) > 1:
        return compare(questions, runs, split=split, profile=profile).to_html()
    if runs:
        return score(questions, runs[0], split=split, profile=profile).to_html()
    from rollcall.score._page import set_html

    chosen = given_questions(questions, "the questions").of_splits(split)
    if not len(chosen):
        raise RollcallError("there is no question to look at")
    name = Path(questions).name if isinstance(questions, str | Path) else "questions"
    return set_html(chosen, name)


def page_server(page: str, port: int = 0) -> ThreadingHTTPServer:
    """A server that gives the page to this machine alone; port 0 takes any that is free."""
    content = page.encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            # A page of another site may lead a name of its own to this address, and so would read the set.
            asked = self.headers.get("Host", "").rpartition(":")[0] or self.headers.get("Host", "")
            is_page = asked in _OWN_NAMES and self.path == "/"
            self.send_response(200 if is_page else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(content) if is_page else 0))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            if is_page:
                self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class's name)
            """Requests are not printed."""

    try:
        return ThreadingHTTPServer((HOST, port), Handler)
    except (OSError, OverflowError) as error:
        raise RollcallError(f"--port {port}: cannot be used ({error}); name another, or 0 for any") from None
