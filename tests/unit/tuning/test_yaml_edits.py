"""Values of YAML files are changed where they are, and everything else stays as it was."""

import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from rollcall import RollcallError
from rollcall.build import recipe
from rollcall.tuning.files import ChangedOnDiskError, EditedFile, with_values

TEXT = """\
# The top.
answers:
  least: 5   # few
  most: 200

relations:
  excluded:   # those
    - P1   # the first
    - P2
  # below

P57: {label: director, noun: ''}
empty:
note: |
  text # no comment
  more
"""


def test_a_value_is_changed_in_its_place() -> None:
    text = with_values(TEXT, {("answers", "least"): 3}, "file")
    assert text == TEXT.replace("least: 5", "least: 3")


def test_comments_inside_an_old_value_are_kept() -> None:
    text = with_values(TEXT, {("relations", "excluded"): ["P3"]}, "file")
    assert yaml.safe_load(text)["relations"] == {"excluded": ["P3"]}
    for comment in ("# those", "# the first", "# below", "# The top."):
        assert comment in text


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("answers", "validated"), 0.5),
        (("split", "quotas", "simple"), 10),
        (("P57", "forward"), "was directed by {object}"),
        (("P57", "noun"), "no"),
        (("empty", "label"), "é: “quoted” # not a comment"),
        (("note",), "one line"),
        (("relations", "excluded"), []),
    ],
)
def test_what_was_written_is_read_again_and_nothing_else_changes(path: tuple[str, ...], value: Any) -> None:
    wanted = yaml.safe_load(TEXT)
    inner = wanted
    for name in path[:-1]:
        inner[name] = inner.get(name) or {}
        inner = inner[name]
    inner[path[-1]] = value
    text = with_values(TEXT, {path: value}, "file")
    assert yaml.safe_load(text) == wanted
    assert sum(line.lstrip().startswith("#") for line in text.splitlines()) >= 2


def test_any_values_of_any_file_can_be_changed() -> None:
    drawn = random.Random(7)
    for _ in range(200):
        values = drawn_mapping(drawn, 0)
        text = yaml.safe_dump(values, default_flow_style=drawn.choice([False, None]), allow_unicode=True)
        commented = "".join(f"{line}  # {n}\n" for n, line in enumerate(text.splitlines()) if line)
        path = [drawn.choice([*values, "new"])]
        inner = values.setdefault(path[0], {})
        while isinstance(inner, dict) and drawn.random() < 0.7:
            path.append(drawn.choice([*inner, "other"]))
            inner = inner.setdefault(path[-1], {})
        value = drawn.choice([3, 0.5, "on", "a: b", [1, "x"], True, None, "{object} #"])
        holder = values
        for name in path[:-1]:
            holder = holder[name]
        holder[path[-1]] = value
        assert yaml.safe_load(with_values(commented, {tuple(path): value}, "file")) == values, commented


def drawn_mapping(drawn: random.Random, depth: int) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name in drawn.sample(["a", "b", "c c", "d-1", "é", "no"], drawn.randint(1, 4)):
        kind = drawn.random()
        made[name] = (
            drawn_mapping(drawn, depth + 1)
            if kind < 0.35 and depth < 3
            else drawn.choice([["x", 2], 1, "text", "", "yes", [], {}, "two words", 1.5])
        )
    return made


@pytest.mark.parametrize("text", ["", "# only a comment\n", "other: 1"])
def test_a_key_is_added_to_files_that_have_little(text: str) -> None:
    assert yaml.safe_load(with_values(text, {("a", "b"): 1}, "file"))["a"] == {"b": 1}


def test_every_packaged_recipe_keeps_its_comments() -> None:
    for name in recipe.names():
        text = recipe.source(name)[0]
        changed = with_values(text, {("seed",): 7}, name)
        assert [line for line in changed.splitlines() if line not in text.splitlines()] == ["seed: 7"]
        assert len(changed.splitlines()) == len(text.splitlines())


def test_a_file_that_is_no_mapping_is_refused() -> None:
    with pytest.raises(RollcallError, match=r"mine\.yaml: must be a mapping"):
        with_values("- a\n", {("a",): 1}, "mine.yaml")


def test_a_change_by_somebody_else_is_noticed_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("a: 1\nb: 2\n")
    file = EditedFile.open(path)
    file.values["a",] = 5
    path.write_text("a: 1\nb: 3   # theirs\n")
    assert file.changed_on_disk
    with pytest.raises(ChangedOnDiskError, match="was changed since it was opened"):
        file.check(path, anyway=False)
    file.check(path, anyway=True)
    file.save(path)
    assert path.read_text() == "a: 5\nb: 3   # theirs\n"
    assert not file.changed_on_disk
    assert not file.values


def test_another_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("a: 1\n")
    with pytest.raises(ChangedOnDiskError, match="already exists"):
        EditedFile(None, "b: 1\n").check(path, anyway=False)
