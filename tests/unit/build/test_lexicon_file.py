"""`rollcall lexicon` writes the words of a graph's relations; what was corrected is never overwritten."""

from pathlib import Path
from typing import Any

import pytest

from model_server import ModelServer
from rollcall.build.ends import lexicon_note
from rollcall.build.lexicon import LexiconFiles, build_lexicon
from rollcall.build.recipe import load
from rollcall.cli.main import main
from rollcall.graph import Graph, write_graph
from rollcall.query import Query, parse_value
from rollcall.wording import Lexicon, Realiser
from rollcall.wording.ends import EndNouns

FACTS = [
    *((f"e{n}", "worksFor", "acme") for n in range(4)),
    ("acme", "suppliedBy", "zinc"),
    ("acme", "P57", "zinc"),
]
VALUES = [("acme", "numOfEmployees", parse_value("40")), ("zinc", "opened", parse_value("@1950"))]


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return write_graph(tmp_path / "graph", facts=FACTS, values=VALUES)


def lexicon(graph: Path, *more: str) -> str:
    out = graph.parent / "mine.yaml"
    with pytest.raises(SystemExit) as ended:
        main(["lexicon", str(graph), "--out", str(out), *more])
    assert ended.value.code == 0
    return out.read_text(encoding="utf-8")


def test_an_entry_has_examples_and_the_questions_that_it_gives_now(graph: Path) -> None:
    written = lexicon(graph)
    assert "# 1 facts: acme – zinc\n# What is supplied by zinc?\n# Who supplies acme?\n" in written
    assert 'suppliedBy:\n  label: supplied by\n  noun: ""\n  forward: "is supplied by {object}"\n' in written
    assert "P57" not in written  # the packaged lexicon knows it
    assert "P57" in lexicon(graph, "--all", "--replace")


def test_the_file_gives_the_questions_that_it_shows(graph: Path) -> None:
    lexicon(graph)
    mine = Lexicon.load(graph.parent / "mine.yaml")
    queries = ["?x worksFor acme", "e1 worksFor ?x", "?x suppliedBy zinc", "acme suppliedBy ?x"]
    queries += ["acme numOfEmployees ?x", "zinc opened ?x", "?x opened @1950"]
    with Graph.open(graph) as opened:
        for query in map(Query.parse, queries):
            assert not mine.entry(query.relations[0]).generic
            before = Realiser(opened, ends=EndNouns(opened)).word(query).question
            assert Realiser(opened, mine).word(query).question == before


def test_corrections_are_kept_and_new_relations_added(graph: Path) -> None:
    corrected = lexicon(graph).replace("is supplied by {object}", "buys from {object}  # ours")
    (graph.parent / "mine.yaml").write_text(corrected, encoding="utf-8")
    assert lexicon(graph) == corrected
    write_graph(graph, facts=[*FACTS, ("acme", "merged with", "zinc")], values=VALUES)
    again = lexicon(graph)
    assert "buys from {object}  # ours" in again
    assert "merged with {object}" in again
    assert "# ours" not in lexicon(graph, "--replace")


def test_a_file_of_comments_alone_keeps_them(graph: Path) -> None:
    fresh = lexicon(graph)
    for text in ("", "# checked by Ada\n"):
        (graph.parent / "mine.yaml").write_text(text, encoding="utf-8")
        written = lexicon(graph)
        assert written.startswith(text)
        assert lexicon(graph) == written
    (graph.parent / "mine.yaml").write_text("", encoding="utf-8")
    assert lexicon(graph) == fresh


def answer(body: dict[str, Any]) -> Any:
    if "supplied by" in body["messages"][-1]["content"]:
        return {"text": "I do not know."}
    return (
        '```json\n{"noun": "", "forward": "is employed at {object}", "backward": "employs {subject}", '
        '"subjects": "person", "objects": "company"}\n```'
    )


def test_a_model_fills_in_what_nobody_has_changed(graph: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = lexicon(graph).replace("was opened {on object}", "began {on object}")
    (graph.parent / "mine.yaml").write_text(kept, encoding="utf-8")
    with ModelServer(answer) as server:
        given = ("--base-url", server.url, "--model", "small")
        written = lexicon(graph, *given)
        assert "# filled in by a model\nworksFor:" in written
        assert "is employed at {object}" in written
        assert "began {on object}" in written
        assert 'forward: "is supplied by {object}"' in written
        assert "not filled in: suppliedBy" in capsys.readouterr().err
        assert len(server.received) == 3
        lexicon(graph, *given)  # only what is still not filled in is asked for again
        assert len(server.received) == 4
    assert Lexicon.load(graph.parent / "mine.yaml").entry("worksFor").objects == "company"


def test_what_a_model_wrote_is_kept_when_the_server_fails(graph: Path) -> None:
    with ModelServer(answer, script=[None, (401, {}, "no key")]) as server, pytest.raises(AssertionError):
        lexicon(graph, "--base-url", server.url, "--model", "small")  # ends with an error
    assert "is employed at {object}" in (graph.parent / "mine.yaml").read_text()


def test_a_server_without_a_model_is_refused(graph: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["lexicon", str(graph), "--out", str(graph.parent / "a.yaml"), "--model", "small"])
    assert "--base-url and --model belong together" in capsys.readouterr().err


def test_a_recipe_names_one_file_or_several(graph: Path) -> None:
    lexicon(graph)
    mine = str(graph.parent / "mine.yaml")
    for given in (mine, [mine]):
        assert "worksFor" in build_lexicon(LexiconFiles(given))
    assert load("romqa", [f"wording.lexicon={mine}"]).parameters.wording.lexicon == mine


def test_the_summary_of_a_build_says_how_to_correct_words(graph: Path) -> None:
    asked = ["suppliedBy", "P57", "not in the graph"]
    with Graph.open(graph) as opened:
        (note,) = lexicon_note(opened, Lexicon.load(), asked)
        assert note.startswith("relations worded by their labels alone: 1; ")
        assert "rollcall lexicon" in note
        lexicon(graph)
        assert lexicon_note(opened, Lexicon.load(graph.parent / "mine.yaml"), asked) == []
