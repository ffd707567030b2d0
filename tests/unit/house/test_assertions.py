"""Tests can fail: each asserts something, and none ends before it does."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from places import ROOT

Function = ast.FunctionDef | ast.AsyncFunctionDef
EXPECTING = re.compile(r"pytest\.(raises|warns|fail)|.*\.assert_\w+|target\.attack")
"""Calls that fail where something is not as it should be; `attack` is that of `tests/fuzzing`."""
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "tests").rglob("*.py")}
MODULES = {path.stem for path in TREES}


def functions(tree: ast.Module) -> list[Function]:
    return [node for node in ast.walk(tree) if isinstance(node, Function)]


def called_names(function: Function) -> set[str]:
    """The functions that are called: `check` of `check(…)`, and of `damage.check(…)` for our own modules."""
    called = (
        ast.unparse(part.func).rpartition(".")
        for statement in function.body
        for part in ast.walk(statement)
        if isinstance(part, ast.Call)
    )
    return {name for owner, _, name in called if not owner or owner in MODULES}


def asserts(function: Function) -> bool:
    """Whether it asserts by itself: by a statement, by `pytest.raises`, or by `assert_close` and the like."""
    return any(
        isinstance(node, ast.Assert)
        or (isinstance(node, ast.Raise) and "AssertionError" in ast.unparse(node))
        or (isinstance(node, ast.Call) and EXPECTING.fullmatch(ast.unparse(node.func)))
        for node in ast.walk(function)
    )


def asserting_names(trees: list[ast.Module]) -> set[str]:
    """The names of all functions that assert something, by themselves or by what they call."""
    every = [function for tree in trees for function in functions(tree)]
    names = {function.name for function in every if asserts(function)}
    while more := {one.name for one in every if called_names(one) & names} - names:
        names |= more
    return names


def own_nodes(function: Function) -> Iterator[ast.AST]:
    """The parts of a function, without those of functions within it."""
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def faults(tree: ast.Module, asserting: set[str]) -> Iterator[str]:
    """What lets tests of a module pass whatever the code does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "allow_module_level":
            yield f"{node.lineno}: skips a whole module; use pytest.importorskip or pytest.mark.skipif"
    for test in (function for function in functions(tree) if function.name.startswith("test_")):
        if not asserts(test) and not called_names(test) & asserting:
            yield f"{test.lineno}: {test.name} asserts nothing"
        for node in own_nodes(test):
            if isinstance(node, ast.Return):
                yield f"{node.lineno}: {test.name} ends early; choose its cases where they are listed"
            elif isinstance(node, ast.ExceptHandler) and isinstance(node.body[-1], ast.Pass):
                yield f"{node.lineno}: {test.name} passes over an error; expect it by pytest.raises"
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress"):
                yield f"{node.lineno}: {test.name} suppresses an error; expect it by pytest.raises"
            elif isinstance(node, ast.Assert) and always_true(node.test):
                yield f"{node.lineno}: {test.name} asserts what is always true"


def always_true(test: ast.expr) -> bool:
    if isinstance(test, ast.BoolOp):
        return (any if isinstance(test.op, ast.Or) else all)(map(always_true, test.values))
    return isinstance(test, ast.Constant | ast.JoinedStr) or (
        isinstance(test, ast.Tuple | ast.List) and len(test.elts) > 0
    )


def test_every_test_can_fail() -> None:
    asserting = asserting_names([*TREES.values()])
    wrong = [
        f"{path.relative_to(ROOT)}:{fault}"
        for path, tree in TREES.items()
        if path.name.startswith("test_")
        for fault in faults(tree, asserting)
    ]
    assert not wrong


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("read()", "asserts nothing"),
        ("if broken:\n        return\n    assert value", "ends early"),
        ("assert value or True", "asserts what is always true"),
        ("assert (value, 'a message')", "asserts what is always true"),
        (
            "try:\n        read()\n    except ValueError:\n        pass\n    assert value",
            "passes over an error",
        ),
        ("with contextlib.suppress(ValueError):\n        assert read()", "suppresses an error"),
        ("pytest.skip('no GPU', allow_module_level=True)\n    assert value", "skips a whole module"),
    ],
)
def test_a_test_that_cannot_fail_is_noticed(body: str, fault: str) -> None:
    found = list(faults(ast.parse(f"def test_it():\n    {body}\n"), set()))
    assert len(found) == 1
    assert fault in found[0]


@pytest.mark.parametrize(
    "body",
    [
        "assert value",
        "check(value)",
        "with pytest.raises(ValueError):\n        read()",
        "def given():\n        return 1\n    assert given()",
        "torch.testing.assert_close(value, 1)",
    ],
)
def test_a_test_that_can_fail_has_no_fault(body: str) -> None:
    checks = ast.parse("def check(value):\n    assert value\n")
    assert not list(faults(ast.parse(f"def test_it():\n    {body}\n"), asserting_names([checks])))


def test_the_tests_of_this_project_are_looked_at() -> None:
    assert len([path for path in TREES if path.name.startswith("test_")]) > 200
    assert Path(__file__) in TREES
