"""Options of verbs are declared once: Python takes them as keywords or as a record, commands as options."""

import inspect
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

import rollcall
from rollcall import RollcallError
from rollcall._core.options import PYTHON_ONLY, OnCommandLine, Options, chosen_options
from rollcall.cli.options import Only, with_options
from rollcall.score import ScoreOptions

GOLD = [{"id": "1", "question": "Who?", "answers": ["A", "B"], "kind": "simple"}]
RUN = {"1": ["A"]}


class Common(Options, frozen=True, kw_only=True):
    """What two verbs share."""

    size: Annotated[int, OnCommandLine(least=1)] = 3
    """How large it is."""
    names: Annotated[str | tuple[str, ...], OnCommandLine(list[str])] = ()
    """What it is called."""


class Own(Common, frozen=True, kw_only=True):
    """What one verb adds."""

    loud: Annotated[bool, OnCommandLine(after="size")] = False
    """Whether it is loud."""
    place: Annotated[Path | None, OnCommandLine(names=("--in", "-i"), metavar="DIR")] = None
    """Where it is."""
    jobs: Annotated[int | None, OnCommandLine(int, default=0)] = None
    size: int = 5
    secret: Annotated[object, PYTHON_ONLY] = None


def called(*words: str, only: tuple[str, ...] = ()) -> tuple[str, list[object]]:
    """What a command prints, and the record that it is called with."""
    seen: list[object] = []
    app = typer.Typer()

    if only:

        @app.command()
        @with_options
        def few(options: Annotated[Own, Only(*only)]) -> None:
            seen.append(options)
    else:

        @app.command()
        @with_options
        def every(options: Own) -> None:
            seen.append(options)

    result = CliRunner().invoke(app, list(words), env={"COLUMNS": "120", "NO_COLOR": "1"})
    return result.output, seen


def test_a_command_has_the_fields_of_its_record() -> None:
    assert called()[1] == [Own(jobs=0)]
    assert called("--size", "2", "--names", "a", "--names", "b", "--loud", "-i", "x", "--jobs", "4")[1] == [
        Own(size=2, names=["a", "b"], loud=True, place=Path("x"), jobs=4)  # type: ignore[arg-type]
    ]
    assert "0 is not in the range" in called("--size", "0")[0]
    assert "No such option" in called("--secret", "x")[0]


def test_the_help_of_a_command_is_what_the_fields_say() -> None:
    text = called("--help")[0]
    places = [text.index(name) for name in ("--size", "--loud", "--in ", "--jobs", "--names")]
    assert places == sorted(places), "fields are listed where they say"
    assert all(shown in text for shown in ("How large it is.", "[default: 5]", "DIR"))
    assert not any(hidden in text for hidden in ("--no-loud", "--secret"))


def test_a_command_may_have_some_fields_of_a_record() -> None:
    text, _ = called("--help", only=("place",))
    assert "--in" in text
    assert "--size" not in text
    assert called("--in", "x", only=("place",))[1] == [Own(place=Path("x"))]


def test_keywords_and_records_are_the_same() -> None:
    by_keywords = rollcall.score(GOLD, RUN, measures="F1,P", by="kind", confidence=None)
    record = ScoreOptions(measures="F1", by="kind", confidence=None)
    assert rollcall.score(GOLD, RUN, record, measures="F1,P").as_json() == by_keywords.as_json()
    assert list(rollcall.score(GOLD, RUN, record).figures) == list(by_keywords.figures)[:1]


@pytest.mark.parametrize(
    ("keywords", "line"),
    [
        ({"profil": "entity"}, "score has no option profil; did you mean profile?"),
        ({"missing": "skp"}, "missing: 'skp' is not one of count, skip"),
        ({"drop_empty": "yes"}, "drop_empty: must be true or false, and is text"),
        (
            {"options": {"by": "kind"}},
            "score: give its options as keywords or as ScoreOptions, not {'by': 'kind'}",
        ),
    ],
)
def test_a_wrong_option_is_one_clear_line(keywords: dict[str, object], line: str) -> None:
    with pytest.raises(RollcallError) as error:
        rollcall.score(GOLD, RUN, **keywords)  # type: ignore[arg-type]
    assert str(error.value) == line


def test_a_number_has_its_bound_in_python_too() -> None:
    assert chosen_options(Own, None, {"size": 1}, "it").size == 1
    with pytest.raises(RollcallError, match="size: must be a whole number of at least 1"):
        chosen_options(Own, None, {"size": 0}, "it")
    with pytest.raises(RollcallError, match="jobs: must be a whole number or null, and is text"):
        Own(jobs="all")  # type: ignore[arg-type]


def test_the_signature_of_a_record_can_be_shown_without_its_types() -> None:
    parameters = inspect.signature(ScoreOptions).parameters
    assert parameters["profile"].default == "entity"
    assert len(inspect.signature(rollcall.score).parameters) == 4
