"""The pages of docs/reference and of notebooks, made from code: nothing on them is written by hand.

`make pages` writes them anew, with the other pages that are made from the code; a test fails where one is
stale.
"""

from collections.abc import Callable

from reference_pages import commands, measures, notebooks, plugins, python, recipes

PAGES: dict[str, Callable[[], str]] = {
    "reference/commands.md": commands.rendered,
    "reference/measures.md": measures.rendered,
    "reference/plugins.md": plugins.rendered,
    "reference/python.md": python.rendered,
    "reference/recipes.md": recipes.rendered,
    **notebooks.pages(),
}
"""Each page by the name of its file in docs."""
