"""The page on which a set is tuned, and its server, which answers only this machine.

- `make_application`: the pages. Every request needs the key of the address that the command prints, and every
  form must come from a page of this server.
- `serve`: serves a session until it is interrupted.
"""

import hmac
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from anyio import to_thread
from jinja2 import ChoiceLoader, FileSystemLoader
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from rollcall import __version__
from rollcall._core.errors import RollcallError
from rollcall.query import Query
from rollcall.questions.record import Question
from rollcall.questions.splits import lot
from rollcall.studio.serving import LOCAL_HOSTS, LOOPBACK, bound_socket, make_server
from rollcall.studio.web.application import FormRefusedError, SafeHeaders, is_own_form, read_form
from rollcall.studio.web.studio import STATIC, environment, plain_page
from rollcall.tuning.files import ChangedOnDiskError
from rollcall.tuning.preview import Shown
from rollcall.tuning.session import WORDS, RelationRow, Session, reason

_COOKIE = "rollcall_tuning"
_ON_PAGE = 20
"""Questions on a page."""
_MAIN_WORDS = ("noun", "plural", "forward", "backward", "subjects", "objects")

Form = Mapping[str, str]


class Results(NamedTuple):
    """The questions as the page shows them."""

    shown: Shown | None
    message: str
    """Why there are none."""
    questions: list[Question]
    page: int
    pages: int
    filtered: int
    relation: str
    kind: str
    kinds: list[tuple[str, int]]
    per_relation: Counter[str]


class Tuning:
    """The pages of a session."""

    def __init__(self, session: Session):
        self.session = session
        self.key = secrets.token_urlsafe(24)
        self.csrf = secrets.token_urlsafe(24)
        self._templates = environment()
        own = FileSystemLoader(Path(__file__).with_name("templates"))
        self._templates.loader = ChoiceLoader(
            [own, *([self._templates.loader] if self._templates.loader else [])]
        )

    # The pages.

    def open(self, request: Request, form: Form) -> Response:
        """Let the browser in that was given the address."""
        if not hmac.compare_digest(str(request.path_params["key"]).encode(), self.key.encode()):
            return plain_page("Not found", "There is no such page.", 404)
        response = RedirectResponse("/", 303)
        response.set_cookie(_COOKIE, self.key, httponly=True, samesite="strict")
        return response

    def page(self, request: Request, form: Form, message: str = "", code: int = 200) -> Response:
        """The whole page."""
        session = self.session
        return self._render(
            "tuning.html",
            code,
            controls=session.controls(),
            relations=session.relations(),
            graph=session.inputs.graph,
            corpus=session.inputs.given_corpus,
            message=message,
            **self._results(request, form),
        )

    def limits(self, request: Request, form: Form) -> Response:
        """Take over the form with the limits."""
        return self._changed(request, form, lambda: self.session.set_limits(form), "limits-state")

    def relation(self, request: Request, form: Form) -> Response:
        """Take over the form of a relation."""
        number = int(request.path_params["number"])

        def change() -> None:
            if self.session.can_leave_out:
                self.session.set_left_out(number, "asked" not in form)
            self.session.set_words(number, form)

        return self._changed(request, form, change, f"relation-{number}-state", self.session.row(number))

    def state(self, request: Request, form: Form) -> Response:
        """What is being done, and the questions if other ones are shown now."""
        told, known = self._told(), request.query_params.get("told", "")
        if known == told:
            return Response(status_code=204)
        if known.partition(" ")[0] == told.partition(" ")[0]:
            return self._render("state.html", **self._about_state())
        return self._render("news.html", **self._results(request, form))

    def questions(self, request: Request, form: Form) -> Response:
        """The questions, filtered."""
        if "hx-request" not in request.headers:
            return self.page(request, form)
        return self._render("results.html", **self._results(request, form))

    def save(self, request: Request, form: Form) -> Response:
        """Write the files."""
        try:
            files = self.session.save(form.get("file", "").strip(), anyway=form.get("anyway") == "yes")
        except RollcallError as error:
            offer = isinstance(error, ChangedOnDiskError)
            return self._saved(request, problem=str(error), offer=offer, file=form.get("file", ""))
        return self._saved(request, files=files)

    def reload(self, request: Request, form: Form) -> Response:
        """Read the files again."""
        try:
            self.session.reload()
        except RollcallError as error:
            return self.page(request, form, str(error), 400)
        return RedirectResponse("/", 303)

    # Their parts.

    def _changed(
        self,
        request: Request,
        form: Form,
        change: Callable[[], Any],
        target: str,
        row: RelationRow | None = None,
    ) -> Response:
        """The questions after a change, or what is wrong with it."""
        problem = ""
        try:
            change()
        except RollcallError as error:
            problem = str(error)
        if "hx-request" not in request.headers:
            return self.page(request, {}, problem, 400) if problem else RedirectResponse("/", 303)
        values = self._results(request, form)
        return self._render("parts.html", row=row, problem=problem, target=target, **values)

    def _saved(self, request: Request, **values: Any) -> Response:
        told = {"files": [], "problem": "", "offer": False, "file": "", **values}
        if "hx-request" not in request.headers:
            message = told["problem"] or f"Saved: {', '.join(told['files'])}"
            return self.page(request, {}, message, 400 if told["problem"] else 200)
        return self._render("saved.html", **told, **self._about_state())

    def _results(self, request: Request, form: Form) -> dict[str, Any]:
        """The questions that the address or the form asks for."""
        asked = {**request.query_params, **form}
        relation, kind = asked.get("in_relation", ""), asked.get("in_kind", "")
        shown, message = None, ""
        try:
            shown = self.session.shown()
        except RollcallError as error:
            message = reason(error)
        questions = [] if shown is None else sorted(shown.questions, key=_position)
        of_relations = {question.id: _relations(question) for question in questions}
        per_relation = Counter(name for names in of_relations.values() for name in set(names))
        wanted = [
            question
            for question in questions
            if (not relation or relation in of_relations[question.id]) and (not kind or question.kind == kind)
        ]
        pages = max(1, -(-len(wanted) // _ON_PAGE))
        text = asked.get("page", "1")
        page = min(pages, max(1, int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 1))
        results = Results(
            shown,
            message,
            wanted[(page - 1) * _ON_PAGE : page * _ON_PAGE],
            page,
            pages,
            len(wanted),
            relation,
            kind,
            [] if shown is None else sorted(shown.kinds.items()),
            per_relation,
        )
        return {"results": results, **self._about_state()}

    def _about_state(self) -> dict[str, Any]:
        session = self.session
        return {
            "state": session.state,
            "told": self._told(),
            "changes": session.changes,
            "changed_on_disk": session.changed_on_disk,
        }

    def _told(self) -> str:
        """What the page says about the state, in short; its first word names the questions that are shown."""
        session, state = self.session, self.session.state
        return " ".join(map(str, (state.version, *state, session.changes, *session.changed_on_disk)))

    def _render(self, template: str, code: int = 200, **values: Any) -> Response:
        session = self.session
        page = {
            "title": f"Tune {session.name}",
            "path": "/",
            "csrf": self.csrf,
            "person": None,
            "project": None,
            "notice": "",
            "laptop": True,
            "version": __version__,
        }
        labels = {row.id: row.label for row in session.relations()}
        text = self._templates.get_template(template).render(
            page=page,
            session=session,
            labels=labels,
            words=list(WORDS),
            main_words=_MAIN_WORDS,
            unproved=session.recipe.parameters.answers.unproved,
            **values,
        )
        return HTMLResponse(Markup(text), code)


def _position(question: Question) -> str:
    """The place of a question in the sample, which stays the same when others come and go."""
    return lot(0, "shown", question.id)


def _relations(question: Question) -> tuple[str, ...]:
    return () if question.query is None else Query.parse(question.query.text).relations


# The application: who may ask, and what.


def make_application(tuning: Tuning) -> Starlette:
    """The application of a page for tuning."""
    handlers = [
        ("GET", "/open/{key}", tuning.open),
        ("GET", "/", tuning.page),
        ("GET", "/questions", tuning.questions),
        ("GET", "/state", tuning.state),
        ("POST", "/limits", tuning.limits),
        ("POST", "/relations/{number:int}", tuning.relation),
        ("POST", "/save", tuning.save),
        ("POST", "/reload", tuning.reload),
    ]
    routes: list[BaseRoute] = [
        Route(path, _guarded(tuning, handler, path), methods=[method]) for method, path, handler in handlers
    ]
    routes.append(Mount("/static", StaticFiles(directory=STATIC), name="static"))
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=list(LOCAL_HOSTS))
    return Starlette(routes=routes, middleware=[Middleware(SafeHeaders), hosts])


def _guarded(
    tuning: Tuning, handler: Callable[[Request, Form], Response], path: str
) -> Callable[[Request], Any]:
    """A handler behind its checks: the key of the address, the origin of a form and its token."""

    async def endpoint(request: Request) -> Response:
        cookie = request.cookies.get(_COOKIE, "")
        if not path.startswith("/open/") and not hmac.compare_digest(cookie.encode(), tuning.key.encode()):
            return plain_page("Not allowed", "Open the address that the command printed.", 403)
        try:
            fields = await read_form(request) if request.method == "POST" else {}
        except FormRefusedError as error:
            return plain_page("Not done", str(error), 413)
        except ClientDisconnect:
            return Response(status_code=400)
        form = {name: values[-1] for name, values in fields.items()}
        if request.method == "POST" and not (is_own_form(request) and _has_token(tuning, form)):
            return plain_page("Not done", "The form did not come from this page; load the page again.", 403)
        return await to_thread.run_sync(_answered, handler, request, form)

    return endpoint


def _answered(handler: Callable[[Request, Form], Response], request: Request, form: Form) -> Response:
    try:
        return handler(request, form)
    except RollcallError as error:
        return plain_page("Not done", str(error), 400)


def _has_token(tuning: Tuning, form: Form) -> bool:
    return hmac.compare_digest(form.get("csrf", "").encode(), tuning.csrf.encode())


def serve(session: Session, port: int, ready: Callable[[str], None]) -> None:
    """Serve a session until interrupted; `ready` is called with the address."""
    tuning = Tuning(session)
    bound = bound_socket(LOOPBACK, port)
    server = make_server(make_application(tuning))
    session.start()
    try:
        ready(f"http://{LOOPBACK}:{bound.getsockname()[1]}/open/{tuning.key}")
        with suppress(KeyboardInterrupt):
            server.run(sockets=[bound])
    finally:
        session.close()
