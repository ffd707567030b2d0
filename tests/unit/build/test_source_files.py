"""The code of a stage is every file that its function can reach, and no other."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rollcall import RollcallError
from rollcall.build.fingerprint import SourceFiles


def modules(function: Callable[..., Any]) -> set[str]:
    return {name.rpartition(".")[2] for name in SourceFiles().of(function)}


def test_code_that_is_handed_to_a_function_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions bound beforehand, modules named by strings, imports in functions, data beside a module."""
    kitchen = tmp_path / "kitchen_for_code"
    (kitchen / "spices").mkdir(parents=True)
    files = {
        "__init__.py": "from kitchen_for_code.pots import boil\nfrom kitchen_for_code.pans import fry\n",
        "pots.py": "def boil(): ...\n",
        "pans.py": "def fry(): ...\n",
        "oven.py": "from pathlib import Path\nSPICES = Path(__file__).parent / 'spices'\n",
        "knives.py": "def cut(): ...\n",
        "late.py": "",
        "cook.py": (
            "from typing import TYPE_CHECKING\nfrom kitchen_for_code import boil\n"
            "if TYPE_CHECKING:\n    from kitchen_for_code.knives import cut\n"
            "OVEN = 'kitchen_for_code.oven:bake'\n"
            "def soup(work):\n    stir()\n"
            "def stir():\n    import kitchen_for_code.late\n"
            "def steak(work):\n    from kitchen_for_code import fry\n"
        ),
        "spices/salt.txt": "salt",
    }
    for name, text in files.items():
        (kitchen / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    from kitchen_for_code import cook as cooking  # type: ignore[import-not-found]
    from kitchen_for_code.knives import cut  # type: ignore[import-not-found]

    assert modules(cooking.soup) == {"kitchen_for_code", "cook", "pots", "oven", "late"}
    assert modules(cooking.steak) == {"kitchen_for_code", "cook", "pots", "oven", "pans"}
    assert modules(partial(cooking.soup, cut)) == modules(cooking.soup) | {"knives"}
    assert kitchen / "spices" / "salt.txt" in SourceFiles().of(cooking.soup)["kitchen_for_code.oven"]


def test_a_function_without_a_file_is_refused() -> None:
    def work() -> None: ...

    work.__module__ = "nowhere_to_be_found"
    with pytest.raises(RollcallError, match="nowhere_to_be_found: has no source file"):
        SourceFiles().of(work)


@pytest.mark.parametrize(
    ("definition", "reached"),
    [
        ("def stage():\n    helper()\n", True),
        ("def stage():\n    helper = 1\n    return helper\n", False),
        ("def stage(helper):\n    return helper\n", False),
        ("def stage():\n    return [helper for helper in range(3)]\n", False),
        ("def stage(helper):\n    def inner():\n        return helper\n    return inner\n", False),
        ("def stage():\n    def inner(helper):\n        return helper\n    return inner(helper)\n", True),
        ("def stage(given=helper):\n    helper = given\n", True),
        ("@helper\ndef stage():\n    helper = 1\n", True),
        ("def stage():\n    global helper\n    helper = helper()\n", True),
        ("class stage:\n    helper = helper\n", True),
        ("class stage:\n    def helper(self):\n        return helper()\n", True),
        ("class stage:\n    def run(self, helper):\n        return helper()\n", False),
    ],
)
def test_a_local_name_hides_the_definition_of_that_name(
    definition: str, reached: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each reaches `helper`, which imports a module, or a name of its own that only looks like it."""
    package = tmp_path / "hiding_for_code"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "other.py").touch()
    helper = "def helper(given=None):\n    import hiding_for_code.other\n    return given\n\n\n"
    (package / "stages.py").write_text(helper + definition)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("hiding_for_code.stages", "hiding_for_code"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    from hiding_for_code import stages  # type: ignore[import-not-found]

    assert ("other" in modules(stages.stage)) is reached
