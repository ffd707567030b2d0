"""What is exported for other tools: nothing is lost on the way, and what makes no sense is refused."""

import csv
import json
from pathlib import Path

import msgspec
import pytest

import tool_questions
from rollcall import RollcallError
from rollcall._core.errors import RollcallWarning
from rollcall.questions import (
    Answer,
    Passage,
    Prediction,
    Question,
    QuestionSet,
    Run,
    read_questions,
    read_run,
)
from rollcall.questions.exporting import export, written_formats
from rollcall.score import score

TOOLS = {
    "beir",
    "croissant",
    "csv",
    "huggingface",
    "inspect",
    "lm-eval",
    "markdown",
    "promptfoo",
    "ragas",
    "trec",
}


@pytest.fixture
def asked() -> QuestionSet:
    return tool_questions.questions()


def test_the_tools_people_use_are_among_the_formats():
    assert set(written_formats()) >= TOOLS


def test_a_table_can_be_read_again_and_is_safe_in_a_spreadsheet(asked: QuestionSet, tmp_path: Path):
    odd = Question("=id", "+1 is what?", answers=[Answer("=1+1", None, ["two", "; three"])])
    export([*asked, odd], "csv", tmp_path / "all.csv")
    rows = list(csv.DictReader((tmp_path / "all.csv").open(newline="")))
    assert [row["answers"] for row in rows][-1] == "'=1+1"
    assert not any(cell.startswith(("=", "+")) for row in rows for cell in row.values())
    again = read_questions(tmp_path / "all.csv")
    assert [(one.id, one.question, one.kind, one.cluster, one.split) for one in again] == [
        (one.id, one.question, one.kind, one.cluster, one.split) for one in [*asked, odd]
    ]
    assert [[(a.id, a.label, a.aliases) for a in one.answers] for one in again] == [
        [(a.id, a.label, a.aliases) for a in one.answers] for one in [*asked, odd]
    ]


def test_samples_of_inspect_can_be_read_again(asked: QuestionSet, tmp_path: Path):
    export(asked, "inspect", tmp_path / "samples.jsonl")
    assert read_questions(tmp_path / "samples.jsonl").questions == asked.questions


def test_passages_of_a_run_are_shown_with_the_question(asked: QuestionSet, tmp_path: Path):
    run = tool_questions.run(asked)
    export(asked, "inspect", tmp_path / "samples", run=run)
    line = json.loads((tmp_path / "samples" / "dev.jsonl").read_text().splitlines()[0])
    shown = next(one for one in run if one.id == line["id"]).retrieved[0]
    assert f"[1] {shown.title}: {shown.text}" in line["input"][-1]["content"]
    with pytest.raises(RollcallError, match="it has none"):
        export(asked, "inspect", tmp_path / "other", run=Run([Prediction("q1", ["a"])]))


def test_a_ranking_keeps_its_order_although_scores_are_equal(asked: QuestionSet, tmp_path: Path):
    run = tool_questions.run(asked)
    export(asked, "trec", tmp_path / "trec", run=run)
    again = {
        one.id: [passage.id for passage in one.retrieved] for one in read_run(tmp_path / "trec" / "mine.run")
    }
    assert again == {one.id: [passage.id for passage in one.retrieved] for one in run}


def test_judgments_can_be_read_as_questions(asked: QuestionSet, tmp_path: Path):
    export(asked, "trec", tmp_path / "all.qrels")
    judged = read_questions(tmp_path / "all.qrels")
    run = tool_questions.run(asked)
    measures = "PRecall@3,nDCG@5,RR"
    ours, theirs = (score(gold, run, measures=measures) for gold in (asked, judged))
    assert {str(m): f.value for m, f in theirs.figures.items()} == {
        str(m): f.value for m, f in ours.figures.items()
    }


@pytest.mark.parametrize(
    "text",
    [
        "q1 Q0 d2 1 3.5 me\nq1 Q0 d1 2 1.5 me\n",  # TREC, Pyserini
        "q1\td2\t1\nq1\td1\t2\n",  # MS MARCO
        '{"q1": {"d1": 1.5, "d2": 3.5}}',  # ranx
    ],
)
def test_rankings_of_other_tools_are_runs(text: str, tmp_path: Path):
    (tmp_path / "run.any").write_text(text)
    found = read_run(tmp_path / "run.any")
    assert [(one.id, [passage.id for passage in one.retrieved]) for one in found] == [("q1", ["d2", "d1"])]


def test_a_broken_ranking_is_refused_by_its_line(tmp_path: Path):
    (tmp_path / "run.trec").write_text("q1 Q0 d2 1 3.5 me\nq1 Q0 d1 2\n")
    with pytest.raises(RollcallError, match=r"run\.trec:2: has 4 columns, not 6"):
        read_run(tmp_path / "run.trec")


def test_retrieval_measures_on_a_ranking_worked_out_by_hand():
    answers = [Answer("a", evidence=tool_questions.questions(4).questions[3].answers[0].evidence)]
    asked = Question("q", "Who?", answers=answers)
    retrieved = [Passage("x"), Passage("x"), Passage("p3.0")]
    found = score(
        [asked], Run([Prediction("q", [], retrieved)]), measures="PRecall@1,PRecall@2,RR,RR@1,nDCG,StRecall@2"
    )
    values = [figure.value for figure in found.figures.values()]
    assert values[:4] == [0.0, 1.0, 0.5, 0.0], "a passage that comes twice counts once"
    assert values[4] == pytest.approx(1 / 1.584962500721156)
    assert values[5] == 1.0


def test_what_a_format_has_no_place_for_is_refused(asked: QuestionSet, tmp_path: Path):
    with pytest.raises(RollcallError, match=r"--run: --format csv has no place for it; .*ragas.* have one"):
        export(asked, "csv", tmp_path / "out", run=Run([]))
    with pytest.raises(RollcallError, match="writes a folder of several files"):
        export(asked, "lm-eval", tmp_path / "out.json")
    with pytest.raises(RollcallError, match="no answer has evidence"):
        export([Question("q", "Who?", answers=[Answer("a")])], "beir", tmp_path / "out")
    with pytest.raises(RollcallError, match="cannot have an id with white space"):
        odd = tool_questions.questions(1).questions[0]
        odd.id = "q 1"
        export([odd], "trec", tmp_path / "out")


def test_retrieval_without_a_corpus_is_said_to_be_easy(asked: QuestionSet, tmp_path: Path):
    with pytest.warns(RollcallWarning, match="give --corpus"):
        export(asked, "beir", tmp_path / "beir")
    rows = [json.loads(line) for line in (tmp_path / "beir" / "corpus.jsonl").read_text().splitlines()]
    assert {one["_id"] for one in rows} == {
        piece.passage for one in asked for answer in one.answers for piece in answer.evidence
    }


def test_a_page_of_ones_own_is_left_alone(asked: QuestionSet, tmp_path: Path):
    (tmp_path / "README.md").write_text("mine")
    export(asked, "huggingface", tmp_path)
    assert (tmp_path / "README.md").read_text() == "mine"


@pytest.mark.parametrize("place", ["all.jsonl", "folder"])
def test_a_file_with_other_content_is_replaced_only_if_that_is_wanted(
    place: str, asked: QuestionSet, tmp_path: Path
):
    [(first, _), *_] = export(asked, "jsonl", tmp_path / place)
    written = first.read_bytes()
    export(asked, "jsonl", tmp_path / place)  # the same again is no loss
    first.write_text("precious")
    with pytest.raises(RollcallError, match=f"{first.name}: exists with other content; .* with --force"):
        export(asked, "jsonl", tmp_path / place)
    assert first.read_text() == "precious"
    assert not list(tmp_path.rglob("*partial*"))
    export(asked, "jsonl", tmp_path / place, force=True)
    assert first.read_bytes() == written


def test_if_one_file_of_a_folder_is_refused_none_is_replaced(asked: QuestionSet, tmp_path: Path):
    *_, (last, _) = written = export(asked, "jsonl", tmp_path)
    assert len(written) > 1
    last.write_text("precious")
    changed = [msgspec.structs.replace(one, question=f"{one.question} Again?") for one in asked]
    before = {path: path.read_bytes() for path, _ in written}
    with pytest.raises(RollcallError, match="exists with other content"):
        export(changed, "jsonl", tmp_path)
    assert {path: path.read_bytes() for path, _ in written} == before


def test_templates_in_questions_do_not_reach_promptfoo(tmp_path: Path):
    export(
        [Question("q", "What is {{secret}} {% raw %}?", answers=[Answer("a")])], "promptfoo", tmp_path / "p"
    )
    prompt = json.loads((tmp_path / "p" / "tests.jsonl").read_text())["vars"]["prompt"]
    assert "{{" not in prompt
    assert "{%" not in prompt
