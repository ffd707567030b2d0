"""Things are found by name, by `module:name` and through entry points; mistakes say what is near."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall._core.registry import ALL, Registry


@pytest.fixture
def zoo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Registry[type]":
    """A registry of animals whose package has two modules, each with one that registers itself."""
    package = tmp_path / "zoo_for_tests"
    package.mkdir()
    (package / "__init__.py").write_text("")
    for name, sound in (("cat", "meow"), ("owl", "hoot")):
        (package / f"{name}s.py").write_text(
            "from rollcall._core.registry import ALL\n\n\n"
            f"@ALL['animals'].register('{name}')\n"
            f'class Animal:\n    """It says {sound}.\n\n    More about it."""\n\n    sound = "{sound}"\n'
        )
    (tmp_path / "farm_for_tests.py").write_text(
        'class Cow:\n    """A cow of one\'s own."""\n\n    sound = "moo"\n\n\nclass Stone:\n    pass\n'
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield Registry(
        "animal",
        "animals",
        "zoo_for_tests",
        lambda thing: None if hasattr(thing, "sound") else "it has no sound",
    )
    del ALL["animals"]
    for name in [name for name in sys.modules if name.startswith(("zoo_for", "farm_for"))]:
        del sys.modules[name]


def test_threads_that_come_while_it_loads_wait_for_it(zoo: "Registry[type]", tmp_path: Path) -> None:
    """As the requests of a web application do, right after its start."""
    slow = "import time\n\ntime.sleep(0.2)\n"
    (tmp_path / "zoo_for_tests" / "aardvarks.py").write_text(slow)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: zoo.find("owl").sound, range(4)))
    assert found == ["hoot"] * 4


def test_what_stands_in_the_package_is_found_by_name(zoo: "Registry[type]") -> None:
    assert zoo.find("owl").sound == "hoot"
    assert [(entry.name, entry.summary, entry.origin) for entry in zoo] == [
        ("cat", "It says meow.", "zoo_for_tests.cats"),
        ("owl", "It says hoot.", "zoo_for_tests.owls"),
    ]


def test_an_unknown_name_says_which_are_near_and_which_are_there(zoo: "Registry[type]") -> None:
    with pytest.raises(RollcallError) as refused:
        zoo.find("cta")
    assert str(refused.value) == (
        "'cta' is not an animal; did you mean cat? choose one of cat, owl, or give one of your own as "
        "module:name"
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("farm_for_tests:Cwo", "farm_for_tests:Cwo: farm_for_tests has no Cwo; did you mean Cow?"),
        ("barn_for_tests:Cow", "barn_for_tests:Cow: no module barn_for_tests here or on PYTHONPATH"),
        (
            "farm_for_tests:Stone",
            "farm_for_tests:Stone: is not an animal: it has no sound; docs/extending.md shows one",
        ),
    ],
)
def test_a_wrong_module_or_name_is_one_clear_line(zoo: "Registry[type]", given: str, message: str) -> None:
    with pytest.raises(RollcallError) as refused:
        zoo.find(given)
    assert str(refused.value) == message


def test_one_of_a_users_own_comes_from_a_module(zoo: "Registry[type]") -> None:
    entry = zoo.entry("farm_for_tests:Cow")
    assert entry.thing.sound == "moo"
    assert entry.summary == "A cow of one's own."
    assert zoo.names == ["cat", "owl"], "what was given once is not there for others"


def test_two_of_one_name_are_refused(zoo: "Registry[type]") -> None:
    assert zoo.names
    with pytest.raises(RollcallError, match=r"two animals are called 'cat', of zoo_for_tests\.cats and of "):

        @zoo.register("cat")
        class OtherCat:
            sound = "purr"


def test_another_distribution_brings_its_own(tmp_path: Path) -> None:
    """Installed as any distribution is, by its metadata; in a process of its own, where it is on the path."""
    info = tmp_path / "menagerie-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: menagerie\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[rollcall.animals]\ndog = menagerie_for_tests:Dog\n"
        "[rollcall.plants]\nrose = menagerie_for_tests:Rose\n"
    )
    (tmp_path / "menagerie_for_tests.py").write_text('class Dog:\n    """It says woof."""\n')
    (tmp_path / "empty_for_tests").mkdir()
    (tmp_path / "empty_for_tests" / "__init__.py").write_text("")
    program = (
        "from rollcall._core.registry import Registry\n"
        "from rollcall._core.errors import RollcallError\n"
        "animals = Registry('animal', 'animals', 'empty_for_tests')\n"
        "print(*[(entry.name, entry.summary, entry.origin) for entry in animals])\n"
        "plants = Registry('plant', 'plants', 'empty_for_tests')\n"
        "print(plants.names, list(plants))\n"
        "try:\n    plants.find('rose')\n"
        "except RollcallError as error:\n    print(error)\n"
    )
    source = Path(sys.modules["rollcall"].__file__ or "").parents[1]
    ended = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": f"{tmp_path}:{source}"},
    )
    dog, plants, rose = ended.stdout.splitlines()
    assert dog == "('dog', 'It says woof.', 'menagerie')"
    assert plants == "['rose'] []", "a broken one stops nobody who does not ask for it"
    assert rose.startswith("the plant 'rose' of menagerie_for_tests:Rose cannot be loaded (AttributeError")


def test_the_group_of_entry_points_is_an_identifier() -> None:
    with pytest.raises(ValueError, match="'tame animals': is part of the name of a group of entry points"):
        Registry("tame animal", "tame animals", "zoo_for_tests")
    assert "tame animals" not in ALL
