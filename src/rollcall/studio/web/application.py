"""The web application: declared routes, each behind its guard, and static files."""

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from rollcall.shared_types import complete_types
from rollcall.studio.tasks import TASKS
from rollcall.studio.web import pages
from rollcall.studio.web.guard import Guarded
from rollcall.studio.web.headers import HEADERS, SafeHeaders
from rollcall.studio.web.rendering import STATIC, plain_page
from rollcall.studio.web.routes import ROUTES, Declared
from rollcall.studio.web.studio import Studio


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
