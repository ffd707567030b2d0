"""`rollcall ask` as a user calls it: names, formats, forms, and mistakes."""

import json
import subprocess
import sys

import pytest

from rollcall.cli.main import main
from rollcall.graph import EntityRecord, write_graph
from rollcall.query import Query, parse_value


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    return write_graph(
        tmp_path_factory.mktemp("ask") / "graph",
        facts=[("Q1", "P57", "Q9"), ("Q2", "P57", "Q9"), ("Q2", "P162", "Q9"), ("Q3", "P57", "Q8")],
        values=[("Q1", "P577", parse_value("@1970")), ("Q2", "P577", parse_value("@1985-03-02"))],
        types=[("Q1", "Q11424"), ("Q2", "Q11424")],
        subclasses=[("Q11424", "Q100")],
        entities=[
            EntityRecord("Q1", "The Glass Orchard", aliases=("Glass Orchard",)),
            EntityRecord("Q2", "Nine Lanterns"),
            EntityRecord("Q3", "Homecoming"),
            EntityRecord("Q8", "Orla Venn", "film director"),
            EntityRecord("Q9", "Orla Venn", "film director and producer", aliases=("O. Venn",)),
            EntityRecord("Q11424", "film"),
        ],
        relations={"P57": "director", "P162": "producer", "P577": "publication date"},
    )


def ask(graph, capsys, *words):
    """Run the command in this process; its exit code and output."""
    with pytest.raises(SystemExit) as ended:
        main(["ask", str(graph), *words])
    output = capsys.readouterr()
    return ended.value.code, output.out, output.err


def test_answers_come_one_a_line_with_label_and_id(graph, capsys):
    assert ask(graph, capsys, "?x director [O. Venn]") == (
        0,
        "Nine Lanterns\tQ2\nThe Glass Orchard\tQ1\n",
        "",
    )


def test_aliases_are_shown_when_asked_for(graph, capsys):
    _, out, _ = ask(graph, capsys, "?x P577 < @1980", "--aliases")
    assert out == "The Glass Orchard\tQ1\tGlass Orchard\n"


def test_values_are_shown_for_people_and_in_canonical_form(graph, capsys):
    assert (
        ask(graph, capsys, "max {?f director Q9; ?f [publication date] ?x}")[1]
        == "2 March 1985\t@1985-03-02\n"
    )
    assert ask(graph, capsys, "count {?x director Q9}")[1] == "2\t2\n"


def test_json(graph, capsys):
    _, out, _ = ask(graph, capsys, "?x director Q9; not ?x producer Q9", "--json")
    assert json.loads(out) == {
        "query": "{?x P57 Q9; not ?x P162 Q9}",
        "id": Query.parse("?x P57 Q9; not ?x P162 Q9").id,
        "answers": [{"id": "Q1", "label": "The Glass Orchard", "aliases": ["Glass Orchard"]}],
    }


def test_no_answer_is_no_line(graph, capsys):
    assert ask(graph, capsys, "?x producer Q8") == (0, "", "")


def test_other_forms(graph, capsys):
    assert (
        ask(graph, capsys, "?x a film; ?x director Q9", "--lambda")[1]
        == "λx.type(x, Film) ∧ director(x, OrlaVenn)\n"
    )
    assert "?x wdt:P57 wd:Q9 ." in ask(graph, capsys, "?x director Q9", "--sparql")[1]
    assert (
        "<urn:rollcall:P57> <urn:rollcall:Q9>"
        in ask(graph, capsys, "?x director Q9", "--sparql", "--dialect", "plain")[1]
    )


def test_explain_shows_the_forms_the_steps_and_the_answers(graph, capsys):
    _, out, _ = ask(graph, capsys, "?x a film; ?x director Q9", "--explain")
    lines = out.splitlines()
    assert lines[0] == "# query   {?x a Q11424; ?x P57 Q9}"
    assert "# P57: director" in lines
    assert any(line.startswith("# step 2") and "2 left after" in line for line in lines)
    assert lines[-1] == "The Glass Orchard\tQ1"


def test_json_carries_the_other_forms_too(graph, capsys):
    _, out, _ = ask(graph, capsys, "?x a film; ?x director Q9", "--json", "--explain", "--lambda", "--sparql")
    record = json.loads(out)
    assert len(record["answers"]) == 2
    assert record["lambda"].startswith("λx.")
    assert "SELECT" in record["sparql"]
    assert record["explain"]["steps"][-1]["left"] == 2


def test_a_comparison_that_cannot_hold_is_explained(graph, capsys):
    code, out, err = ask(graph, capsys, "?x [publication date] < 1980")
    assert (code, out) == (0, "")
    assert "1980 is of the kind number, but the values of 'publication date' are of the kind date" in err


def test_a_picture_is_drawn(graph, capsys, tmp_path):
    ask(graph, capsys, "?x director Q9", "--picture", str(tmp_path / "query.svg"))
    assert ">director<" in (tmp_path / "query.svg").read_text()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            ["?x director [Orla Venn]"],
            "'Orla Venn' names 2 entities, use an id: Orla Venn (Q8): film director;",
        ),
        (["?x directer Q9"], "no relation is called 'directer'; did you mean director (P57)?"),
        (["?x a flim"], "no class is called 'flim'"),
        (["?x date Q9"], "no relation is called 'date'; did you mean publication date (P577)?"),
        (["?x director Q9", "--dialect", "plain"], "give it with --sparql"),
        (["?x director Q777"], "no entity is called 'Q777'"),
        (["?x director"], "query, character 12: expected an entity"),
        (["?x director Q9", "--sparql", "--dialect", "klingon"], "'klingon' is not a SPARQL dialect"),
        (["?x director Q9", "--nonsense"], "No such option"),
        ([], "Missing argument"),
    ],
)
def test_a_mistake_gives_one_line_and_exit_code_2(graph, capsys, words, complaint):
    code, out, err = ask(graph, capsys, *words)
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1


def test_a_missing_graph_is_explained_and_debug_shows_the_traceback(tmp_path):
    command = [sys.executable, "-m", "rollcall.cli.main", "ask", str(tmp_path / "none"), "?x a film"]
    plain = subprocess.run(command, capture_output=True, text=True)
    assert plain.returncode == 2
    assert "no such folder; make a graph with" in plain.stderr
    assert "Traceback" not in plain.stderr
    debug = subprocess.run([*command, "--debug"], capture_output=True, text=True)
    assert "Traceback" in debug.stderr


def test_a_closed_pipe_is_no_error(graph):
    command = f"{sys.executable} -m rollcall.cli.main ask {graph} '?x director ?y' | head -n 0"
    ended = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True)
    assert ended.stderr == ""


@pytest.mark.parametrize("command", [[], ["world"], ["graph"], ["ask"], ["demo"]])
def test_help_reads_well(command, capsys):
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    output = capsys.readouterr().out
    assert ended.value.code == 0
    assert "Usage: rollcall" in output
    assert "Traceback" not in output


def test_a_question_in_english_is_answered_with_what_was_understood(graph, capsys):
    code, out, err = ask(graph, capsys, "Which films did O. Venn direct but not produce?")
    assert (code, err) == (0, "")
    *understood, answer = out.splitlines()
    assert answer == "The Glass Orchard\tQ1"
    assert all(line.startswith("#") for line in understood)
    assert "# query  {?x a Q11424; ?x P57 Q9; not ?x P162 Q9}" in understood
    assert "#   ├─ director → Orla Venn" in understood
    assert any(line.startswith("# sure ") for line in understood)


def test_a_question_as_json(graph, capsys):
    _, out, _ = ask(graph, capsys, "who directed nine lanterns", "--json")
    record = json.loads(out)
    assert record["query"] == "{Q2 P57 ?x}"
    assert record["words"] == "Who directed Nine Lanterns?"
    assert record["score"] > 0.5
    assert record["not_understood"] == []
    assert [(one["id"], one["label"]) for one in record["answers"]] == [("Q9", "Orla Venn")]


def test_words_that_were_not_understood_are_a_warning(graph, capsys):
    code, out, err = ask(graph, capsys, "who flurbed nine lanterns")
    assert code == 1
    assert out.startswith("# ")
    assert "not understood: flurbed" in err


def test_a_question_without_a_known_name_is_an_error_that_names_its_words(graph, capsys):
    code, out, err = ask(graph, capsys, "who is zorbax")
    assert (code, out) == (2, "")
    assert "not understood: zorbax" in err
