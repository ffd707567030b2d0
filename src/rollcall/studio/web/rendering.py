"""Renders templates: everything is escaped, nothing undefined is passed over, static files carry their
hash.
"""

import hashlib
from functools import cache
from html import escape
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from starlette.responses import HTMLResponse, Response

from rollcall.studio.tasks.extend import answer_rows
from rollcall.studio.tasks.pictures import query_picture
from rollcall.studio.tasks.task import label_of, labelled

HERE = Path(__file__).parent.parent
STATIC = HERE / "static"
TEMPLATES = HERE / "templates"
_PLAIN = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Rollcall</title><link rel="stylesheet" href="{style}"></head>
<body><main class="narrow"><h1>{title}</h1><p>{text}</p>
<a class="button" href="/">Your projects</a></main></body></html>
"""


def environment() -> Environment:
    """The environment in which all pages are rendered."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["static"] = static
    made.filters["query_picture"] = query_picture
    made.filters["answer_rows"] = answer_rows
    made.filters["values_of"] = _values_of
    made.filters["label_in"] = lambda choice, task: label_of(task, choice)
    made.filters["why_in"] = lambda why, task: labelled(task, why)
    return made


@cache
def static(name: str) -> str:
    """The address of a static file; it changes with the content, so browsers may keep it for ever."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?{digest}"


def plain_page(title: str, text: str, code: int) -> Response:
    """A page that needs neither a template nor the database."""
    return HTMLResponse(
        _PLAIN.format(title=escape(title), text=escape(text), style=static("studio.css")), code
    )


def _values_of(one: object) -> object:
    """The `values` of a record or of a mapping, which Jinja would take for its method."""
    return one["values"] if isinstance(one, dict) else getattr(one, "values", {})
