"""A build with few questions says which changes would give more, and how many."""

import json
import re
from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall.build import Build
from rollcall.cli.main import main
from rollcall.corpus import make_corpus
from rollcall.graph import Graph, make_graph
from rollcall.questions import QuestionSet

TOWNS, PUMPS = 6, 4
CHANGES = ["evidence.verifier=none", "tables.use=false"]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Towns that each make some pumps, and four farms that each run six; text states all of it."""
    folder = tmp_path_factory.mktemp("inputs")
    names = [f"Falcon{town}{number}" for town in range(TOWNS) for number in range(PUMPS)]
    made = {name: f"Harrow{name[-2]}" for name in names}
    runs = {f"Orchard{farm}": names[farm * 6 : farm * 6 + 6] for farm in range(4)}
    (folder / "pumps.csv").write_text(
        "pump,kind,made in\n" + "".join(f"{name},pump,{town}\n" for name, town in made.items())
    )
    (folder / "farms.csv").write_text(
        "farm,kind,runs\n" + "".join(f"{farm},farm,{'|'.join(pumps)}\n" for farm, pumps in runs.items())
    )
    columns = "pumps.csv: id=pump,types=kind,object=made in\nfarms.csv: id=farm,types=kind,object=runs"
    graph = make_graph(
        [folder / "pumps.csv", folder / "farms.csv"],
        folder / "graph",
        source_options={"columns": columns},
        jobs=1,
    )
    pages = [{"title": name, "text": f"{name} is made in {town}."} for name, town in made.items()]
    pages += [{"title": farm, "text": f"{farm} runs {', '.join(pumps)}."} for farm, pumps in runs.items()]
    (folder / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages))
    make_corpus([folder / "pages.jsonl"], folder / "corpus", graph=graph.folder, jobs=1)
    assert isinstance(graph, Graph)
    return {"graph": folder / "graph", "corpus": folder / "corpus"}


def simple_questions(inputs: dict[str, Path], out: Path, *changes: str) -> tuple[Build, int]:
    made = Build("qampari", **inputs, out=out, changes=[*CHANGES, *changes], jobs=1)
    made.run()
    return made, sum(question.kind == "simple" for question in QuestionSet.open(out))


def test_the_changes_that_are_suggested_give_what_they_promise(
    inputs: dict[str, Path], tmp_path: Path
) -> None:
    made, now = simple_questions(inputs, tmp_path / "set")
    assert now == len(range(4))  # which pumps each farm runs; each town has four
    advised = made.advice()
    assert advised.startswith("these would give more simple questions, instead of 4: ")
    promised = re.findall(r"--set answers\.least=3 about (\d+)", advised)
    _, given = simple_questions(inputs, tmp_path / "more", "answers.least=3")
    assert promised == [str(given)] == ["10"]


def test_the_other_end_is_suggested_where_it_is_not_asked_for(
    inputs: dict[str, Path], tmp_path: Path
) -> None:
    changes = ("answers.least=4", "simple.directions=[subject]")
    made, now = simple_questions(inputs, tmp_path / "set", *changes)
    assert now == TOWNS
    assert "--set 'simple.directions=[subject, object]' about 10" in made.advice()


def test_a_build_without_questions_suggests_too(inputs: dict[str, Path], tmp_path: Path) -> None:
    changes = ("answers.least=7", "simple.directions=[object]")
    with pytest.raises(
        RollcallError, match=r"no question is left: .*; these would .* --set answers\.least=3 at most 4"
    ):
        simple_questions(inputs, tmp_path / "set", *changes)


def test_the_command_prints_suggestions(
    inputs: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [f"--{name}={folder}" for name, folder in inputs.items()]
    options = [word for change in CHANGES for word in ("--set", change)]
    with pytest.raises(SystemExit):
        main(["build", "qampari", *given, "--out", str(tmp_path / "set"), *options, "--jobs", "1"])
    assert (
        "few questions: these would give more simple questions, instead of 4: --set"
        in capsys.readouterr().out
    )
