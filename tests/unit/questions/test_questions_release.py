"""Sets are written whole, described by a card, and go out and come back in the forms other tools read."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall import RollcallError
from rollcall.cli.main import main
from rollcall.query import parse_value
from rollcall.questions import Answer, Evidence, QueryRecord, Question, QuestionSet, read_questions
from rollcall.questions.exporting import export
from rollcall.questions.formats.tables import flatten, restore
from rollcall.questions.opening import import_set
from rollcall.questions.record import value_names
from rollcall.questions.release import save_set
from rollcall.questions.statistics import Statistics


def question(number: int, kind: str = "simple", split: str = "test", answers: int = 5) -> Question:
    return Question(
        id=f"q{number}",
        question=f"Which films did person {number} direct?",
        wordings=["What films are there?"],
        kind=kind,
        query=QueryRecord("{?x P57 Q1}", {"nodes": [{"nid": 0}], "edges": []}),
        characteristics={"edges": 1, "relations": ["P57"], "answer_type": "film", "commonness": -2.5},
        split=split,
        answers=[
            Answer(
                f"Film {n}",
                f"Q{n}",
                [f"F. {n}"],
                [
                    Evidence(
                        f"Film {n} is by Person.",
                        f"p__{n}",
                        "Page",
                        start=0,
                        end=20,
                        score=0.9,
                        fact="Q1 P57 Q2",
                    )
                ],
            )
            for n in range(answers)
        ],
        provenance={"recipe": "qampari", "entities": ["Person"]},
    )


@pytest.fixture
def some() -> list[Question]:
    made = [
        question(n, kind, split) for n, (kind, split) in enumerate([("simple", "train"), ("simple", "dev")])
    ]
    return [*made, question(2, "composition", "test", 12), question(3, "intersection", "test", 60)]


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    return int(ended.value.code or 0)


# -- the figures and the card ------------------------------------------------------------------------


def test_the_papers_figures(some: list[Question]) -> None:
    statistics = Statistics(some)
    assert statistics.kinds == ["simple", "intersection", "composition"]
    assert statistics.splits == ["train", "dev", "test"]
    held = statistics.figures(None, ["dev", "test"])
    assert held is not None
    assert (held.questions, held.median_answers, held.mean_words) == (3, 12.0, 6.0)
    assert statistics.figures("composition", ["train"]) is None
    assert statistics.bins(["dev", "test"]) == [
        ("5–7", 1), ("8–10", 0), ("11–15", 1), ("16–20", 0), ("21–50", 0), ("51–100", 1),
    ]  # fmt: skip


def test_the_card_says_which_answers_there_are(some: list[Question]) -> None:
    from rollcall.questions.release import card

    assert "has a list of answers, with" in card({}, Statistics(some), [])
    made = {"recipe": {"name": "some"}}
    assert "has all answers that the graph has, with" in card(made, Statistics(some), [])
    for question in some:
        question.provenance["answers_in_graph"] = 2 * len(question.answers)
    told = card(made, Statistics(some), [])
    assert "the answers that text proves (50.0 % of those in the graph" in told
    assert "complete" not in told


def test_a_set_has_a_manifest_with_counts_and_a_card(some: list[Question], tmp_path: Path) -> None:
    stages = {"simple": {"rows": 9, "removed": {"fewer than 5 answers": 1234}}}
    manifest = {"recipe": {"name": "qampari"}, "seed": 3, "version": "1", "stages": stages}
    save_set(tmp_path / "set", some, manifest)
    written = json.loads((tmp_path / "set" / "manifest.json").read_text())
    assert written["counts"]["kinds"]["simple"] == {"train": 1, "dev": 1}
    assert written["stages"]["simple"]["removed"] == {"fewer than 5 answers": 1234}
    card = (tmp_path / "set" / "README.md").read_text()
    assert "| questions | train | 1 | 1 | – | – |" in card
    assert "|  | dev + test | 3 | 1 | 1 | 1 |" in card
    assert "1,234 fewer than 5 answers" in card
    assert "Which films did person 2 direct?" in card
    assert "Film 0 is by Person. (Page)" in card
    assert list(QuestionSet.open(tmp_path / "set")) == some


# -- out and back ------------------------------------------------------------------------------------


def test_qampari_goes_out_and_comes_back(some: list[Question], tmp_path: Path) -> None:
    written = export(some, "qampari", tmp_path / "out")
    assert [(path.name, count) for path, count in written] == [
        ("dev_data.jsonl", 1), ("test_data.jsonl", 2), ("train_data.jsonl", 1),
    ]  # fmt: skip
    record = json.loads((tmp_path / "out" / "test_data.jsonl").read_text().splitlines()[0])
    assert record["qid"] == "q2__wikidata_comp__test"
    assert record["entities"] == ["Person"]
    assert record["answer_list"][1]["aid"] == "q2__wikidata_comp__test__1"
    assert record["answer_list"][1]["aliases"] == ["Film 1", "F. 1"]
    assert record["answer_list"][1]["proof"][0]["pid"] == "q2__wikidata_comp__test__1__0"
    back = import_set([path for path, _ in written], tmp_path / "set")
    assert (back.questions, back.format) == (4, "qampari")
    questions = {one.id: one for one in QuestionSet.open(tmp_path / "set")}
    assert questions["q2__wikidata_comp__test"].kind == "composition"
    assert questions["q2__wikidata_comp__test"].split == "test"
    again = export(questions.values(), "qampari", tmp_path / "again")
    for (first, _), (second, _) in zip(written, again, strict=True):
        assert first.read_text() == second.read_text()


PUBLISHED: dict[str, Any] = {
    "qid": "7__wikidata_comp__dev",
    "question_text": "Who?",
    "entities": [{"entity_text": "Ann"}],
    "answer_list": [
        {
            "answer_text": "Ann",
            "aliases": ["A."],
            "aid": "7__wikidata_comp__dev__0",
            "answer_url": "https://en.wikipedia.org/wiki/Ann",
            "proof": [{"proof_text": "Ann did.", "pid": "7__wikidata_comp__dev__0__0", "found_in_url": "u"}],
        }
    ],
}


def test_a_published_file_comes_out_as_it_went_in(tmp_path: Path) -> None:
    (tmp_path / "dev_data.jsonl").write_text(json.dumps(PUBLISHED) + "\n")
    assert run("import", tmp_path / "dev_data.jsonl", "--out", tmp_path / "set") == 0
    assert run("export", tmp_path / "set", "--format", "qampari", "--out", tmp_path / "out") == 0
    assert json.loads((tmp_path / "out" / "dev_data.jsonl").read_text()) == PUBLISHED


def test_export_asks_before_it_replaces(
    some: list[Question], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    QuestionSet(some).save(tmp_path / "set")
    out = tmp_path / "all.csv"
    out.write_text("precious")
    words = ["export", tmp_path / "set", "--format", "csv", "--out", out]
    assert run(*words) == 2
    assert f"{out}: exists with other content; name another place, or replace it with --force" in (
        capsys.readouterr().err
    )
    assert out.read_text() == "precious"
    assert run(*words, "--force") == 0
    assert run(*words) == 0
    assert out.read_text() != "precious"


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_flat_rows_lose_nothing(form: str, some: list[Question], tmp_path: Path) -> None:
    [(path, count)] = export(some, form, tmp_path / f"all.{form}")
    assert count == 4
    assert list(read_questions(path)) == some


text = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


@given(
    st.builds(
        Question,
        id=text,
        question=text,
        kind=st.none() | st.just("simple"),
        characteristics=st.dictionaries(text, st.integers(-5, 5) | st.lists(text, max_size=2), max_size=2),
        answers=st.lists(
            st.builds(
                Answer,
                label=text,
                id=st.none() | text.filter(bool),
                aliases=st.lists(text, max_size=2),
                evidence=st.lists(
                    st.builds(Evidence, text=text, score=st.none() | st.floats(0, 1)), max_size=2
                ),
            ),
            max_size=3,
        ),
        provenance=st.dictionaries(text, text, max_size=2),
    )
)
def test_a_row_gives_its_question_back(one: Question) -> None:
    assert restore(flatten(one)) == one


def test_the_jsonl_loads_as_a_dataset(some: list[Question], tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="the datasets library is not installed")
    export(some, "jsonl", tmp_path / "out")
    files = {split: str(tmp_path / "out" / f"{split}.jsonl") for split in ("train", "dev", "test")}
    loaded = datasets.load_dataset("json", data_files=files, cache_dir=str(tmp_path / "cache"))
    assert loaded["test"].num_rows == 2
    assert loaded["test"][0]["answers"][0]["evidence"][0]["score"] == 0.9


def test_the_sets_own_file_loads_as_a_dataset(small_set: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="the datasets library is not installed")
    file = str(small_set / "questions.jsonl")
    loaded = datasets.load_dataset("json", data_files=file, cache_dir=str(tmp_path / "cache"))["train"]
    assert loaded.num_rows == len(QuestionSet.open(small_set))
    assert loaded[0]["answers"][0]["evidence"][0]["text"]


# -- what is refused ---------------------------------------------------------------------------------


def test_what_cannot_be_written_or_read_is_refused(some: list[Question], tmp_path: Path) -> None:
    with pytest.raises(RollcallError, match=r"writes .parquet files; name it so, or name a folder"):
        export(some, "parquet", tmp_path / "x.jsonl")
    [(path, _)] = export(some, "jsonl", tmp_path / "x.jsonl")
    with pytest.raises(RollcallError, match=r"4 ids occur twice, the first is 'q0'"):
        import_set([path, tmp_path / "." / "y.jsonl"], _copied(path, tmp_path))
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "letter.txt").write_text("dear")
    with pytest.raises(RollcallError, match=r"holds letter.txt, which Rollcall did not write there"):
        import_set([path], tmp_path / "taken")
    import_set([path], tmp_path / "new")
    with pytest.raises(RollcallError, match=r"already holds a question set; name a new folder.*--force"):
        import_set([path], tmp_path / "new")
    assert import_set([path], tmp_path / "new", force=True).questions == 4
    (tmp_path / "bad.parquet").write_bytes(b"nothing")
    with pytest.raises(RollcallError, match="neither JSON, JSON lines, Parquet, CSV nor a table"):
        read_questions(tmp_path / "bad.parquet")


def _copied(path: Path, folder: Path) -> Path:
    (folder / "y.jsonl").write_bytes(path.read_bytes())
    return folder / "set"


def test_a_split_that_is_not_there_is_named(
    some: list[Question], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_set(tmp_path / "set", some, {})
    assert run("export", tmp_path / "set", "--split", "final", "--out", tmp_path / "out") == 2
    assert "no question is of the split final; there are: dev, test, train" in capsys.readouterr().err


# -- values ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("@1960-05-17", ["17 May 1960", "May 17, 1960", "1960-05-17"]),
        ("@1960", ["1960"]),
        ("12345", ["12,345", "12345"]),
        ("8848[Q11573]", ["8,848 m", "8,848 metre", "8848 metre"]),
        ('"On the Sea"@en', ["On the Sea"]),
    ],
)
def test_a_value_has_the_names_people_write(value: str, names: list[str]) -> None:
    assert value_names(parse_value(value))[: len(names)] == names


def test_a_unit_of_the_graph_is_named_and_not_shown_as_its_id() -> None:
    names = value_names(parse_value("13200000[Q4917]"), "United States dollar")
    assert names[:2] == ["13,200,000 United States dollars", "13200000 United States dollars"]
    assert {"13,200,000 United States dollar", "13,200,000", "13200000"} <= set(names)
    assert not any("Q4917" in name for name in names)


def test_stats_says_that_a_set_was_edited_by_hand(some: list[Question], tmp_path: Path, capsys: Any) -> None:
    [(path, _)] = export(some, "jsonl", tmp_path / "x.jsonl")
    import_set([path], tmp_path / "set")
    assert run("stats", tmp_path / "set") == 0
    assert "edited" not in capsys.readouterr().err
    lines = (tmp_path / "set" / "questions.jsonl").read_text().splitlines()
    (tmp_path / "set" / "questions.jsonl").write_text("\n".join(lines[1:]) + "\n")
    assert run("stats", tmp_path / "set") == 0
    assert "differs from the checksum in its manifest; was it edited?" in capsys.readouterr().err
