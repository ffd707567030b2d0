"""docs/notebooks/NAME.md: each notebook with its outputs, as a page.

The site's generator reads Markdown alone. The notebook stays the source; its page has the cells, the code,
and what the code printed or showed when the notebook was saved.
"""

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

from places import ROOT

FOLDER = ROOT / "docs" / "notebooks"
_STYLES = re.compile(r"<(style|script)\b.*?</\1>", re.DOTALL)


def pages() -> dict[str, partial[str]]:
    """The function that makes each page, by the name of its file in docs."""
    return {f"notebooks/{path.stem}.md": partial(rendered, path) for path in sorted(FOLDER.glob("*.ipynb"))}


def rendered(path: Path) -> str:
    """The page of one notebook."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    parts = [_cell(cell) for cell in notebook["cells"]]
    source = f"*This page is the notebook [{path.name}]({path.name}).*"
    return "\n\n".join([parts[0], source, *parts[1:]]).rstrip() + "\n"


def _cell(cell: dict[str, Any]) -> str:
    text = _text(cell["source"]).strip()
    if cell["cell_type"] != "code":
        return text
    shown = [_output(output) for output in cell.get("outputs", ())]
    return "\n\n".join([f"```python\n{text}\n```", *(one for one in shown if one)])


def _output(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    if markup := data.get("text/html") or data.get("image/svg+xml"):
        plain = re.sub(r"\n\s*\n", "\n", _STYLES.sub("", _text(markup)))
        return f'<div class="notebook-output">\n{plain.strip()}\n</div>'
    text = _text(output.get("text") or data.get("text/plain") or "").rstrip()
    return f"```text\n{text}\n```" if text else ""


def _text(lines: list[str] | str) -> str:
    return lines if isinstance(lines, str) else "".join(lines)
