"""Pages that are one file: a package has their parts, which take the places of marks like `<!--TITLE-->`."""

from collections.abc import Mapping
from importlib import resources

from rollcall import __version__


def page_file(package: str, name: str) -> str:
    """A file of the folder `page` of a package."""
    return (resources.files(package) / "page" / name).read_text("utf-8")


def filled(page: str, parts: Mapping[str, str]) -> str:
    """A page with its parts, and with the version that wrote it; parts must be escaped already."""
    page = page.replace("VERSION", __version__, 1)
    for name, content in parts.items():
        before, _, after = page.partition(f"<!--{name}-->")
        page = before + content + after
    return page
