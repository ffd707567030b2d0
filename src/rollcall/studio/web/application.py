"""The web application: every request passes the guard before it reaches the handler of its route.

- **Forms** are read with a bounded size (`read_form`).
- **The guard** asks who it is, whether they may, and whether they meant it (`Guarded`). Nothing is allowed
  unless the route's declaration allows it. What a person may not see is answered like what does not exist, so
  that the names of projects are not revealed.
- **The application**: all routes, with safe headers (`make_application`).
"""

import hashlib
import hmac
import secrets
from typing import NamedTuple
from urllib.parse import parse_qs, quote, unquote, urlsplit

from anyio import to_thread
from sqlalchemy import exists, select
from sqlalchemy.orm import Session
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rollcall._core.errors import RollcallError, complete_types
from rollcall.studio.database.engine import DatabaseAwayError, for_visitors
from rollcall.studio.database.tables import Member
from rollcall.studio.tasks import TASKS
from rollcall.studio.web import deciding, exploring, managing, people, signing_in, working  # noqa: F401
from rollcall.studio.web.sessions import find_session, needs_touch, touch
from rollcall.studio.web.studio import STATIC, Studio, cookie_name, plain_page
from rollcall.studio.web.visit import ROUTES, Access, Declared, NotFoundError, Visit

# Reads the body of a request: plain forms of a bounded size, and nothing else, so there are no uploads.

LARGEST = 256 * 1024
_MOST_FIELDS = 500
_PLAIN_FORM = "application/x-www-form-urlencoded"


class FormRefusedError(RollcallError):
    """A body that is not a plain form, or too large."""


async def read_form(request: Request) -> dict[str, list[str]]:
    """The fields of a plain form."""
    kind = request.headers.get("content-type", _PLAIN_FORM).partition(";")[0].strip().lower()
    if kind != _PLAIN_FORM:
        raise FormRefusedError("only plain forms are taken here")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST:
            raise FormRefusedError(f"the form is larger than {LARGEST // 1024} kB; send less")
    try:
        fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise FormRefusedError("the form cannot be read; send it again") from None
    # No keyboard types a NUL, and PostgreSQL stores none.
    return {
        name.replace("\0", ""): [value.replace("\0", "") for value in values]
        for name, values in fields.items()
    }


_VISITOR = "rollcall_visitor"
_VISITOR_SECONDS = 24 * 3600
_AWAY = (
    "Please wait",
    "The studio cannot reach its database just now. Keep the page with your work open, and send it again in "
    "a minute; what is sent twice is stored once.",
)
_FULL = (
    "Please wait",
    "The studio has no room left to store anything. Tell whoever runs it, keep the page with your work open, "
    "and send it again later; what is sent twice is stored once.",
)
_PORTS = {"http": 80, "https": 443}
_FOREIGN_FORM = (
    "the form came from another address than the studio's; open the studio by its own address and send it "
    "again (whoever runs it: --public-url must be the address that people type, with its port)"
)
_LARGEST_NUMBER = 2**31 - 1
"""What a column of numbers holds; nothing has a larger one."""


class Guarded:
    """The endpoint of a declared route."""

    def __init__(self, declared: Declared, studio: Studio):
        self.declared = declared
        self._studio = studio

    async def endpoint(self, request: Request) -> Response:
        """Answer a request; the work is done in a thread, since the database is waited for."""
        try:
            form = await read_form(request) if request.method == "POST" else {}
        except FormRefusedError as error:
            return plain_page("Not done", str(error), 413)
        except ClientDisconnect:
            return Response(status_code=400)  # which is not read by anyone
        limiter = self._studio.hashing if self.declared.hashes else self._studio.limiter
        return await to_thread.run_sync(self._answer, request, form, limiter=limiter)

    def _answer(self, request: Request, form: dict[str, list[str]]) -> Response:
        try:
            with for_visitors():
                response = self._answer_visit(request, form)
        except DatabaseAwayError as error:
            self._studio.note_away(error)
            page = plain_page(*_FULL, 507) if error.full else plain_page(*_AWAY, 503)
            page.headers["retry-after"] = "10"
            return page
        if request.method == "POST" and response.status_code < 400:
            self._studio.note_back()
        return response

    def _answer_visit(self, request: Request, form: dict[str, list[str]]) -> Response:
        if not _can_be_asked(request):
            return plain_page("Not found", "There is no such page.", 404)
        visit = self._visit(request, form)
        response = self._respond(request, visit)
        self._set_cookies(visit, request, response)
        return response

    def _respond(self, request: Request, visit: Visit) -> Response:
        try:
            if self.declared.access is not Access.ANYBODY and visit.person is None:
                return RedirectResponse(f"/sign-in?next={quote(_return_to(request))}", 303)
            if not self._allowed(visit):
                visit.project = visit.member = None  # the page that refuses must not name it
                raise NotFoundError
            if request.method == "POST" and not is_own_form(request, self._studio.public_url):
                return visit.refuse(403, _FOREIGN_FORM)
            if request.method == "POST" and not _has_token(request, visit):
                return visit.refuse(403, "the page was too old; go back, load it again and send it again")
            if visit.signed_in and needs_touch(visit.signed_in, visit.at):
                with self._studio.database.write() as session:
                    touch(session, visit.signed_in, visit.at)
            return self.declared.handler(visit)
        except NotFoundError:
            return visit.refuse(404, "there is no such page")
        except RollcallError as error:
            return visit.refuse(400, str(error))

    def _visit(self, request: Request, form: dict[str, list[str]]) -> Visit:
        studio, at = self._studio, self._studio.clock()
        visitor = request.cookies.get(_VISITOR) or secrets.token_urlsafe(24)
        visit = Visit(
            studio=studio,
            path=request.url.path,
            params=request.path_params,
            query=request.query_params,
            form=form,
            address=request.client.host if request.client else "",
            at=at,
            csrf=_visitor_csrf(studio, visitor),
            base_url=studio.public_url or str(request.base_url).rstrip("/"),
            notice=unquote(request.cookies.get("notice", ""))[:300] if request.method == "GET" else "",
        )
        if _VISITOR not in request.cookies:
            visit.cookies.append((_VISITOR, visitor, _VISITOR_SECONDS))
        token = request.cookies.get(cookie_name(studio), "")
        with studio.database.read() as session:
            signed_in = (
                find_session(session, token, request.path_params.get("project"), at) if token else None
            )
            if signed_in is not None:
                visit.signed_in, visit.person, visit.project, visit.member = signed_in
                visit.csrf = signed_in.session.csrf
                if self.declared.access is Access.MANAGING:
                    visit.manages_any = _manages_any(session, visit)
        return visit

    def _allowed(self, visit: Visit) -> bool:
        access, person, member = self.declared.access, visit.person, visit.member
        if access is Access.ANYBODY:
            return True
        if person is None:
            return False
        if access is Access.SIGNED_IN:
            return True
        if access is Access.OWNER:
            return person.owner
        if access is Access.MANAGING:
            return person.owner or visit.manages_any
        if visit.project is None:
            return False
        if access is Access.MANAGER:
            return visit.manages
        if access is Access.ANNOTATOR:
            return member is not None and member.role == "annotator"
        return access is Access.MEMBER and (member is not None or visit.manages)

    def _set_cookies(self, visit: Visit, request: Request, response: Response) -> None:
        secure = self._studio.secure
        if visit.notice:
            response.delete_cookie("notice")
        for name, value, seconds in visit.cookies:
            response.set_cookie(name, quote(value), seconds, httponly=True, samesite="lax", secure=secure)


def is_own_form(request: Request, public_url: str = "") -> bool:
    """Whether no other site sent a form, as far as the browser tells.

    The origin must be the address that people type, or the host that was asked: a proxy may pass on another
    host than browsers see, for example without the port.
    """
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    if "origin" not in request.headers:
        return True
    origin = _origin(request.headers["origin"])
    if origin is None:
        return False
    asked = f"{origin.scheme}://{request.headers.get('host', '')}"
    return origin in (_origin(public_url), _origin(asked))


def _can_be_asked(request: Request) -> bool:
    """Whether an address can name anything: databases take no NUL in texts and no number of any length."""
    texts = [*request.path_params.values(), *request.query_params.keys(), *request.query_params.values()]
    return not any(
        value > _LARGEST_NUMBER if isinstance(value, int) else "\x00" in str(value) for value in texts
    )


def _manages_any(session: Session, visit: Visit) -> bool:
    managing_any = exists().where(Member.person_id == visit.user.id, Member.role == "manager")
    return bool(session.scalar(select(managing_any)))


def _visitor_csrf(studio: Studio, visitor: str) -> str:
    """The token of a visitor who is not signed in yet: bound to a cookie by the installation's secret."""
    return hmac.new(studio.secret.encode(), f"visitor\x1f{visitor}".encode(), hashlib.sha256).hexdigest()


def _has_token(request: Request, visit: Visit) -> bool:
    """Whether a form has the token that our pages give to this visitor."""
    if visit.person is None and not request.cookies.get(_VISITOR):
        return False
    token = request.headers.get("x-csrf-token") or visit.field("csrf")
    return hmac.compare_digest(token.encode(), visit.csrf.encode())


class _Origin(NamedTuple):
    scheme: str
    host: str
    port: int | None


def _origin(address: str) -> _Origin | None:
    """The origin of an address; None where it names no host, as `null` does, or cannot be read."""
    try:
        parts = urlsplit(address)
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return None
    return _Origin(parts.scheme, parts.hostname, port) if parts.hostname else None


def _return_to(request: Request) -> str:
    """Where to go after signing in: to the page, or to the item whose form came when the session was over."""
    if request.method == "GET":
        return request.url.path
    at_work = request.url.path.startswith("/work/") and "project" in request.path_params
    return f"/work/{request.path_params['project']}" if at_work else "/"


# Headers of every answer: nothing inline runs, nothing is framed, nothing is cached but static files.

POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_FOR_EVER = "public, max-age=31536000, immutable"


class SafeHeaders:
    """Adds the headers to whatever the application answers."""

    def __init__(self, app: ASGIApp, secure: bool = False):
        self._app = app
        self._headers = dict(HEADERS)
        if secure:
            self._headers["strict-transport-security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_static = scope["path"].startswith("/static/")

        async def send_with(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers[name] = value
                kept = is_static and message["status"] in (200, 304)
                headers["cache-control"] = _FOR_EVER if kept else "no-store"
            await send(message)

        await self._app(scope, receive, send_with)


def make_application(studio: Studio) -> Starlette:
    """The application of a studio; an error where a route has no declaration."""
    list(TASKS)  # loads their settings, too
    complete_types()
    routes: list[BaseRoute] = [
        Route(declared.path, Guarded(declared, studio).endpoint, methods=[declared.method])
        for declared in sorted(ROUTES, key=_order)
    ]
    routes.append(Mount("/static", StaticFiles(directory=STATIC), name="static"))
    middleware = [Middleware(SafeHeaders, secure=studio.secure)]
    if studio.hosts:
        middleware.append(Middleware(TrustedHostMiddleware, allowed_hosts=list(studio.hosts)))
    application = Starlette(
        routes=routes,
        middleware=middleware,
        exception_handlers={404: _not_found, 405: _not_found, 500: _broken},
    )
    check_declared(application)
    return application


def _order(declared: Declared) -> list[tuple[bool, str]]:
    """Words before placeholders, so that `/manage/new` is not taken for a project."""
    return [(part.startswith("{"), part) for part in declared.path.split("/")]


def check_declared(application: Starlette) -> None:
    """Raise where a route could be reached past the guard."""
    for route in application.routes:
        is_static = isinstance(route, Mount) and isinstance(route.app, StaticFiles)
        endpoint = route.endpoint if isinstance(route, Route) else None
        if not is_static and not isinstance(getattr(endpoint, "__self__", None), Guarded):
            raise TypeError(f"{route}: this route does not say who may call it")


async def _not_found(request: Request, error: Exception) -> Response:
    return plain_page("Not found", "There is no such page.", 404)


async def _broken(request: Request, error: Exception) -> Response:
    # This is outside all middleware, so the headers are given here.
    page = plain_page(
        "Not done", "Something broke; the server's log says what. What you sent before is kept.", 500
    )
    page.headers.update({**HEADERS, "cache-control": "no-store"})
    return page
