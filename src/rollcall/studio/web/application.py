"""The web application: declared routes, each behind its guard, and static files."""

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rollcall._core.errors import complete_types
from rollcall.studio.tasks import TASKS
from rollcall.studio.web import pages
from rollcall.studio.web.guard import Guarded
from rollcall.studio.web.studio import STATIC, Studio, plain_page
from rollcall.studio.web.visit import ROUTES, Declared

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
    pages.load()
    list(TASKS)  # loads their settings, too
    complete_types()
    routes: list[BaseRoute] = [
        Route(one.path, Guarded(one, studio).endpoint, methods=[one.method])
        for one in sorted(ROUTES, key=_order)
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
