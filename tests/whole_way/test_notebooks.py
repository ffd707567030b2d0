"""The notebooks of the site run from top to bottom, and print what they were saved with."""

import json
import re
from pathlib import Path

import pytest

from places import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
_FIGURE = re.compile(r"\d+(?:\.\d+)?")


def printed(notebook: object) -> list[str]:
    """What each cell of code printed, with its figures masked.

    A kernel sends what a cell prints in as many pieces as time allows, so they are joined.
    """
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]  # type: ignore[index]
    texts = ["".join("".join(output.get("text", "")) for output in cell["outputs"]) for cell in cells]
    return [_FIGURE.sub("0", text) for text in texts]


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_runs_as_it_was_saved(path: Path) -> None:
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed (extra test)")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed (extra test)")
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    saved = printed(notebook)
    assert any(saved), "a notebook is saved with what it printed"
    nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    assert printed(notebook) == saved


def test_there_are_notebooks_with_outputs_and_without_paths_of_a_machine() -> None:
    assert len(NOTEBOOKS) >= 3
    for path in NOTEBOOKS:
        text = path.read_text(encoding="utf-8")
        assert any(cell.get("outputs") for cell in json.loads(text)["cells"])
        assert not re.search(r"/(?:home|root|work|tmp)/", text), path.name
