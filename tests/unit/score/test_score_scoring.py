"""Scoring as a whole: what did not match, breakdowns, robustness, more answers, more names."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rollcall import RollcallError
from rollcall.questions import Answer, EntityAnswer, Passage, Prediction, Question, QuestionSet, Run
from rollcall.score import Measure, compare, expand, open_profile, score
from rollcall.score.breakdown import cluster_robustness, pearson
from rollcall.score.expansion import newly_right, positive_passages

A, B = Answer("A"), Answer("B")


def test_everything_unmatched_is_listed() -> None:
    questions = [Question(name, answers=[A]) for name in ("1", "2", "3", "4", "1")]
    run = [
        Prediction("1", ["A"]),
        Prediction("1", ["x"]),
        Prediction("2", ["A"], failure="out of memory"),
        Prediction("9", ["A"]),
        Prediction("3", ["A"]),
    ]
    report = score(questions, run, measures="R", confidence=None)
    assert report.unmatched.as_json() == {
        "missing": ["4"],
        "unknown": ["9"],
        "duplicate": ["1"],
        "duplicate_gold": ["1"],
        "failed": {"2": "out of memory"},
    }
    assert (report.n, report["R"].value) == (4, 0.5)  # the failed and the missing count as unanswered
    assert score(questions, run, measures="R", missing="skip", confidence=None)["R"].value == pytest.approx(
        2 / 3
    )


NAMED = [
    Answer("Alpha"), Answer("Beta"), Answer("Gamma", aliases=["C. G."]), Answer("Trinidad and Tobago"),
    Answer("Paris, Texas"), Answer("Apollo 11"), Answer("X-Men: Days of Future Past"),
]  # fmt: skip


@pytest.mark.parametrize(
    "said",
    [
        "Alpha, Beta, Gamma", "Alpha, Beta and Gamma", "Alpha, Beta, and Gamma.", "Alpha and Beta",
        "alpha AND beta", "Alpha; Beta", "Alpha or Beta", "Alpha & Beta", "Alpha / Beta",
        "Alpha + Beta", "Alpha und Beta",
        "Alpha\nBeta", "- Alpha\n- Beta", "* Alpha\n* Beta", "• Alpha • Beta", "1. Alpha\n2. Beta",
        "1) Alpha 2) Beta", "(1) Alpha, (2) C. G.", "Alpha – Beta", "Answers: Alpha, Beta",
        "Trinidad and Tobago and Alpha", "Alpha, Paris, Texas and Apollo 11", "Alpha, Nobody and Beta",
        "Beta | X-Men: Days of Future Past", "Alpha\tBeta", "Alpha、Beta", "Alpha as well as Beta",
        "**Alpha** and **Beta**", "**Alpha** **Beta**", "Both Alpha and Beta", "Alpha (1990), Beta [1991]",
    ],
)  # fmt: skip
def test_lists_in_one_string_are_noticed_however_they_are_written(said: str) -> None:
    told = "answers of 1 question hold several gold names in one string (q); give a list"
    assert told in score([Question("q", answers=NAMED)], {"q": [said]}).warnings
    assert told in score([Question("q", answers=NAMED)], {"q": said}).warnings


@pytest.mark.parametrize(
    "said",
    [
        ["Trinidad and Tobago"], ["Paris, Texas"], ["Alpha and Omega"], ["Apollo 11"],
        ["Alphabet, Beta-Blocker"], ["X-Men: Days of Future Past"], ["Alpha, Alpha"], [""],
        ["Alpha", "Beta", "Trinidad and Tobago"], ["Alpha", "Beta", "Alpha and Beta"],
    ],
)  # fmt: skip
def test_names_with_and_and_commas_are_no_lists(said: list[str]) -> None:
    assert not any(
        "give a list" in one for one in score([Question("q", answers=NAMED)], {"q": said}).warnings
    )


def test_the_rest_of_a_list_in_one_string_is_noticed_too() -> None:
    (warning,) = score([Question("q", answers=NAMED)], {"q": ["Alpha", "Beta and Gamma"]}).warnings
    assert "hold several gold names in one string (q)" in warning


def test_one_string_with_several_gold_names_is_one_answer_with_a_warning() -> None:
    several = [Answer("Ann Lee"), Answer("Bo", aliases=["Robert"]), Answer("Paris, Texas"), Answer("Texas")]
    questions = [Question(id_, answers=several) for id_ in "1234567"]
    run = [
        Prediction("1", ["ann lee, Robert"]),
        Prediction("2", ["Bo; Cy; Ann Lee"]),
        Prediction("3", ["Ann Lee", "Bo"]),
        Prediction("4", ["Ann Lee, of Bo"]),
        Prediction("5", ["Paris, Texas"]),
        Prediction("6", [EntityAnswer("Q1", "Ann Lee, Bo")]),
        Prediction("7", ["Ann Lee, Bo"], failure="cut"),
    ]
    report = score(questions, run, measures="R", confidence=None)
    told = "answers of 2 questions hold several gold names in one string (1, 2); give a list"
    assert report.warnings == [told]
    assert report["R"].value == pytest.approx((2 + 1) / 4 / 7)
    assert not score(questions[2:], run[2:], measures="R", confidence=None).warnings


class CountedId(str):
    """An id that counts how often it is compared."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        CountedId.compared += 1
        return str.__eq__(self, other)


def test_repeated_ids_are_compared_a_few_times_each() -> None:
    ids = [str(n) for n in range(500)]
    questions = [Question(CountedId(one), answers=[A]) for one in ids * 3]
    run = [Prediction(CountedId(one), ["A"]) for one in ids * 3]
    CountedId.compared = 0
    report = score(questions, run, measures="R", confidence=None)
    assert report.unmatched.duplicate == report.unmatched.duplicate_gold == ids
    assert CountedId.compared < 30 * len(ids)


def test_numbers_that_look_alike_are_groups_of_their_own() -> None:
    near = [0.3, 0.1 + 0.2, 1_000_001, 1_000_002, "0.3", 10**400]
    questions = [
        Question(str(n), answers=[A], characteristics={"number": value}) for n, value in enumerate(near)
    ]
    groups = score(questions, {"0": ["A"]}, measures="R", by=["number"]).by["number"]
    assert {name: group.n for name, group in groups.items()} == {
        "0.3": 2,  # a number and a text that read the same are one group
        "0.30000000000000004": 1,
        "1000001.0": 1,
        "1000002.0": 1,
        str(10**400): 1,
    }


def test_two_entities_of_one_name_turn_right_by_themselves() -> None:
    before = [Question("q", answers=[Answer("X", "Q1"), Answer("Y")])]
    after = [Question("q", answers=[Answer("X", "Q1"), Answer("X", "Q2"), Answer("Y")])]
    run = Run([Prediction("q", [EntityAnswer("Q1", "X"), EntityAnswer("Q2", "X")])])
    found = newly_right(QuestionSet(before), QuestionSet(after), run, open_profile("entity"))
    assert [one.prediction for one in found] == ["X"]


def of_splits() -> list[Question]:
    return [Question(str(n), answers=[A], split="test" if n % 2 else "dev") for n in range(12)]


def run_named(name: str, ids: list[str]) -> Run:
    return Run([Prediction(one, ["A"]) for one in ids], name)


def test_a_run_without_any_id_of_the_set_is_refused() -> None:
    told = (
        "far.jsonl: none of its 2 ids is in the set, which has ids like '0', not 'x1'; it looks like a run "
        "of another set: give the set whose questions it answers"
    )
    far = run_named("far.jsonl", ["x1", "x2"])
    for check in (lambda: score(of_splits(), far), lambda: compare(of_splits(), [{"1": ["A"]}, far])):
        with pytest.raises(RollcallError) as refused:
            check()
        assert str(refused.value) == told


def test_a_run_of_another_set_gets_no_advice_about_splits() -> None:
    run = run_named("far.jsonl", ["1", "3", *(f"x{n}" for n in range(8))])
    told = (
        "far.jsonl: only 2 of its 10 ids are in the set; it looks like a run of another set: give the "
        "set whose questions it answers"
    )
    for missing in ("count", "skip"):
        warnings = score(of_splits(), run, missing=missing).warnings
        assert told in warnings
        assert not any("--split" in line for line in warnings)
    assert told in score(of_splits(), run, split="test").warnings
    with pytest.raises(RollcallError, match=told):
        score(of_splits(), run, split="dev")


def test_a_run_of_a_larger_set_is_none_of_another_set() -> None:
    run = run_named("all.jsonl", [str(n) for n in range(100)])
    assert not any("another set" in line for line in score(of_splits(), run).warnings)


def test_a_run_of_another_split_is_told_its_own() -> None:
    run = run_named("test.jsonl", ["1", "3", "5"])
    with pytest.raises(RollcallError) as refused:
        score(of_splits(), run, split="dev")
    assert str(refused.value) == (
        "test.jsonl: answers questions of the set, but none of the split that was chosen; give --split test"
    )


def characterised() -> tuple[list[Question], dict[str, list[str]]]:
    questions = [
        Question(
            str(n),
            kind="simple" if n % 2 else "composition",
            cluster=str(n // 4),
            characteristics={
                "edges": n % 3 + 1,
                "function": ["none", "count", "argmax", "<="][n % 4],
                "commonness": -5.0 * n,
                "relation": ["r1", "r2"] if n % 2 else ["r1"],
                "constraints": n % 4,
                "odd": bool(n % 2),
                "many": n * 1.5,
            },
            answers=[Answer(f"a{m}") for m in range(n % 4 + 1)],
        )
        for n in range(16)
    ]
    return questions, {question.id: ["a0"] for question in questions}


def test_breakdown_by_every_characteristic() -> None:
    questions, said = characterised()
    report = score(questions, said, measures="R min(R)", by=["all"])
    sizes = {name: {key: group.n for key, group in groups.items()} for name, groups in report.by.items()}
    assert sizes["kind"] == {"composition": 8, "simple": 8}
    assert sizes["edges"] == {"1": 6, "2": 5, "3": 5}
    assert sizes["function"] == {"none": 4, "count": 4, "superlative": 4, "comparative": 4}
    assert sizes["commonness"]["[-20, -10)"] == 2  # -15 and -20; the next bin begins below -20
    assert list(sizes["commonness"])[-1] == "[0, 10)"
    assert sizes["relation"] == {"r1": 16, "r2": 8}
    assert sizes["answers"] == {"1": 4, "2–4": 12}
    assert sizes["cardinality"] == {"1": 4, ">1": 12}
    assert sizes["paraphrase-rank"] == dict.fromkeys("1234", 4)
    assert sizes["many"] == {"[0, 6)": 4, "[6, 12)": 4, "[12, 18)": 4, "[18, 22.5]": 4}
    assert sizes["odd"] == {"False": 8, "True": 8}
    one = report.by["cardinality"]["1"].figures[Measure("R")]
    assert one.value == 1.0
    assert one.interval[0] < 0.5  # four clusters that are all right may be so by chance
    assert one.interval[1] == 1.0
    ranks = report.by["paraphrase-rank"]
    assert [group.figures[Measure("R")].value for group in ranks.values()] == pytest.approx(
        [1, 1 / 2, 1 / 3, 1 / 4]
    )


def test_an_unknown_characteristic_is_refused_with_those_there_are() -> None:
    questions, said = characterised()
    with pytest.raises(RollcallError, match="'colour'; these questions have kind, edges, function"):
        score(questions, said, by=["colour"])


def test_robustness_finds_what_the_score_goes_with() -> None:
    questions, said = characterised()
    found = cluster_robustness(score(questions, said, measures="F1", confidence=None))
    trend = found.trends["answers"]
    wanted = pearson([(n, 2 / (n + 1)) for n in range(1, 5)])
    assert (trend.with_score, trend.with_drop) == pytest.approx((wanted, wanted))
    assert trend.with_score < -0.9
    assert [point.n for point in trend.points] == [4, 4, 4, 4]
    assert trend.points[0].drop > 0 > trend.points[-1].drop
    assert found.worst == pytest.approx(2 / 5)
    assert "odd" not in found.trends


def test_robustness_goes_by_the_answers_that_are_scored_whatever_the_questions_say_of_them() -> None:
    questions, said = characterised()
    plain = cluster_robustness(score(questions, said, measures="F1"))
    for question in questions:
        question.characteristics["answers"] = int(question.id)
    assert (
        cluster_robustness(score(questions, said, measures="F1")).trends["answers"] == plain.trends["answers"]
    )


def test_robustness_needs_clusters() -> None:
    with pytest.raises(RollcallError, match="no two questions"):
        cluster_robustness(score([Question("1", answers=[A])], {"1": ["A"]}, measures="F1"))


def test_extended_answer_set() -> None:
    gold = [Question("1", answers=[A]), Question("2", answers=[A]), Question("3", answers=[A])]
    wider = [Question("1", answers=[A, B]), Question("2", answers=[A])]
    said = {"1": ["A", "B"], "2": ["A"], "3": []}
    [found] = score(gold, said, measures="P R", confidence=None, extended=wider).variants
    values = {name: [figure.value for figure in row.values()] for name, row in found.rows.items()}
    assert values == {"without": [0.75, 1.0], "with": [1.0, 1.0]}
    assert (found.n, found.counts["answers added per question"]) == (2, 0.5)


def test_extended_answers_are_scored_on_the_questions_that_were_searched() -> None:
    gold = [
        Question("1", answers=[A], extended=[B], searched=True),
        Question("2", answers=[A], searched=True),  # nothing more was found
        Question("3", answers=[A]),
        Question("4", answers=[A]),
    ]
    said = {"1": ["A", "B"], "2": ["A", "x"], "3": [], "4": ["x"]}
    report = score(gold, said, measures="P R")
    [found] = report.variants
    values = {name: [figure.value for figure in row.values()] for name, row in found.rows.items()}
    assert values == {"without": [0.5, 1.0], "with": [0.75, 1.0]}
    assert (found.n, found.counts["answers added per question"]) == (2, 0.5)
    for shown in (report.to_markdown(), report.to_latex(), report.to_html()):
        assert "2 of 4 questions" in shown
    assert report.as_json()["extended"]["n"] == 2
    [other] = score([Question(one.id, answers=one.answers) for one in gold], said, extended=gold).variants
    assert (other.n, other.title) == (found.n, found.title)
    assert not any("searched" in warning for warning in report.warnings)


def test_an_older_set_does_not_say_which_questions_were_searched() -> None:
    gold = [Question("1", answers=[A], extended=[B]), Question("2", answers=[A])]
    report = score(gold, {"1": ["A", "B"]}, measures="P")
    assert report.variants[0].n == 1
    assert any("are means over the questions that have some, and too high" in one for one in report.warnings)


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """A graph's folder with its two tables of names."""
    folder = tmp_path / "graph"
    folder.mkdir()
    entities = [
        ("Q1", "Sun Life Stadium", "a stadium", "Hard Rock Stadium"),
        ("Q2", "Tim Cook", "an executive", "Tim Cook"),
        ("Q3", "Tim Cook", "a historian", "Tim Cook (historian)"),
    ]
    aliases = [
        ("Q1", "Dolphins Stadium", "alias", 0),
        ("Q1", "Joe Robbie Stadium", "redirect", 12),
        ("Q2", "Timothy Donald Cook", "alias", 0),
        ("Q2", "Tim Apple", "anchor", 2),
        ("Q2", "Tim Cook", "anchor", 90),
        ("Q3", "Timothy Cook", "alias", 0),
        ("Q3", "Tim Cook", "anchor", 5),
    ]
    pq.write_table(
        pa.table(
            dict(zip(("id", "label", "description", "title"), zip(*entities, strict=True), strict=True))
        ),
        folder / "entities.parquet",
    )
    pq.write_table(
        pa.table(dict(zip(("entity", "text", "source", "count"), zip(*aliases, strict=True), strict=True))),
        folder / "aliases.parquet",
    )
    return folder


GOLD = [
    Question("1", "Where do they play?", answers=[Answer("Sun Life Stadium")]),
    Question("2", "Who runs it?", answers=[Answer("Tim Cook")]),
    Question("3", "Who runs it?", answers=[Answer("nobody")]),
]


def added(questions: QuestionSet, place: int) -> dict[str, str]:
    return {alias.text: alias.source for alias in questions.questions[place].answers[0].added}


def test_expansion_keeps_provenance(graph: Path) -> None:
    expanded = expand(GOLD, graph)
    stadium = expanded.questions[0].answers[0]
    assert stadium.aliases == ["Hard Rock Stadium", "Dolphins Stadium", "Joe Robbie Stadium"]
    assert added(expanded, 0) == {
        "Hard Rock Stadium": "title",
        "Dolphins Stadium": "alias",
        "Joe Robbie Stadium": "redirect",
    }
    assert {alias.entity for alias in stadium.added} == {"Q1"}
    assert GOLD[0].answers[0].aliases == []  # the gold itself is not touched
    rows = expanded.rows()
    assert rows["original answers per question"] == 1
    assert rows["matched answers (%)"] == pytest.approx(200 / 3)
    assert rows["answers with homonyms"] == 1


@pytest.mark.parametrize(
    ("homonyms", "names"),
    [
        ("all", {"Timothy Donald Cook", "Tim Apple", "Tim Cook (historian)", "Timothy Cook"}),
        ("commonest", {"Timothy Donald Cook", "Tim Apple"}),
        ("skip", set()),
    ],
)
def test_homonyms(graph: Path, homonyms: Any, names: set[str]) -> None:
    assert set(added(expand(GOLD, graph, homonyms=homonyms), 1)) == names


def test_an_id_settles_who_is_meant(graph: Path) -> None:
    expanded = expand([Question("2", answers=[Answer("Tim Cook", "Q3")])], graph, homonyms="skip")
    assert set(added(expanded, 0)) == {"Tim Cook (historian)", "Timothy Cook"}
    assert expanded.counts.homonyms == 0


def test_lookup_sources_and_uses(graph: Path) -> None:
    gold = [Question("1", answers=[Answer("the SUN LIFE stadium")])]
    assert not added(expand(gold, graph), 0)
    assert "Dolphins Stadium" in added(expand(gold, graph, lookup="normalised"), 0)
    assert set(added(expand(GOLD, graph, sources=["redirect"]), 0)) == {"Joe Robbie Stadium"}
    assert "Tim Apple" not in added(expand(GOLD, graph, least=3), 1)
    with pytest.raises(RollcallError, match="no source 'rumour'"):
        expand(GOLD, graph, sources=["rumour"])


def test_single_and_expanded_side_by_side(graph: Path, tmp_path: Path) -> None:
    file = tmp_path / "newly_right.jsonl"
    said = {"1": ["Dolphins Stadium"], "2": ["Tim Cook"], "3": ["somebody"]}
    [found] = score(GOLD, said, profile="nq", confidence=None, expand=graph, newly_right=file).variants
    assert [row[Measure("EM")].value for row in found.rows.values()] == pytest.approx([1 / 3, 2 / 3])
    line = json.loads(file.read_text())
    assert (line["id"], line["prediction"], line["answer"]) == ("1", "Dolphins Stadium", "Sun Life Stadium")
    assert line["alias"] == {"text": "Dolphins Stadium", "entity": "Q1", "source": "alias"}
    line["judgement"] = "correct"
    file.write_text(json.dumps(line) + "\n")
    [again] = score(GOLD, said, profile="nq", confidence=None, expand=graph, newly_right=file).variants
    assert again.counts["judged"] == "correct 1"
    assert json.loads(file.read_text())["judgement"] == "correct"


def test_which_passages_become_positive(graph: Path) -> None:
    expanded = expand(GOLD, graph)
    run = Run(
        [
            Prediction(
                "1",
                retrieved=[
                    Passage("p1", text="At Dolphins Stadium."),
                    Passage("p2", text="Sun Life Stadium, Miami"),
                    Passage("p3", text="Sun Lifestadium"),
                ],
            ),
            Prediction("2", retrieved=[Passage("p4", text="Tim Apple spoke.")]),
            Prediction("3", retrieved=[Passage("p5", text="Nobody knows.")]),
        ]
    )
    found, counts = positive_passages(expanded, run)
    assert [(one.id, one.passage, one.added) for one in found] == [
        ("1", "p1", True),
        ("1", "p2", False),
        ("2", "p4", True),
        ("3", "p5", False),
    ]
    assert (counts.questions_before, counts.questions_after) == (2, 3)
    assert (counts.passages_before, counts.passages_after) == (2, 4)


def test_not_a_graph(tmp_path: Path) -> None:
    with pytest.raises(RollcallError, match="not a graph"):
        expand(GOLD, tmp_path)
    (tmp_path / "entities.parquet").write_text("x")
    with pytest.raises(RollcallError, match="cannot be read as Parquet"):
        expand(GOLD, tmp_path)
