"""Measures and profiles of other modules are computed as they say, and mistakes in them are explained."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rollcall import RollcallError
from rollcall.cli.main import main
from rollcall.questions import Answer, Evidence, Passage, Prediction, Question
from rollcall.score import MEASURES, AnswerMeasure, Match, Measure, MeasureParameters, compare, score
from rollcall.score.profiles.entity import EntityProfile

MODULE = '''
from rollcall.score import AnswerMeasure, MeasureParameters, PassageMeasure, Profile, RecordMeasure
from rollcall.score.profiles.qampari import QampariProfile


class Titles(PassageMeasure):
    """Titles: share of the passages that have a title."""

    def value(self, retrieval):
        shown = retrieval.passages[: self.cut]
        return sum(bool(one.title) for one in shown) / len(shown) if shown else None


class Wordy(RecordMeasure):
    """Wordiness: predictions given."""

    unit = "answers"
    lower_is_better = True

    def value(self, prediction):
        return float(len(prediction.answers))


class TooMuch(AnswerMeasure):
    """Found: answers found, which is no share."""

    def value(self, match):
        return float(match.found) + 1


class Nothing(AnswerMeasure):
    """Nothing: gives no number."""

    def value(self, match):
        return None


class Atleast(AnswerMeasure):
    """Enough: whether k answers are found."""

    parameters = MeasureParameters(cut="never", cap="required", threshold=False, worst=False)

    def value(self, match):
        return float(match.found >= self.cap)


class Divides(AnswerMeasure):
    """Divides: by nothing."""

    def value(self, match):
        return 1 / 0


class Reaches(PassageMeasure):
    """Reaches: for a passage that is not there."""

    def value(self, retrieval):
        return retrieval.passages[99].score


class Unfinished(AnswerMeasure):
    """It has no value."""


class Needy(AnswerMeasure):
    """It needs what no measure may need."""

    needs = ("luck",)

    def value(self, match):
        return 0.0


class Shouted(QampariProfile):
    """As qampari, for those who shout."""

    default_measures = ("F1", "R-2")


class Silent(QampariProfile):
    """It resolves to nothing."""

    def resolve(self, question, gold, predictions):
        return None


class NoProfile(Profile):
    """It resolves nothing."""
'''

QUESTIONS = [
    Question("1", answers=[Answer("A", evidence=[Evidence("Proof.", "p1")]), Answer("B")]),
    Question("2", answers=[Answer("C")]),
]
RUN = [
    Prediction("1", ["A", "x"], [Passage("p0", "Title"), Passage("p1"), Passage("p2", text="A")]),
    Prediction("2", ["C"], [Passage("p4"), Passage("p5", "Title")]),
]


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A module of a user's own beside where they work."""
    (tmp_path / "own_measures.py").write_text(MODULE)
    (tmp_path / "broken_measures.py").write_text("class Half(:\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    for name in ("own_measures", "broken_measures"):
        sys.modules.pop(name, None)


def value(measure: Any, **options: Any) -> float | None:
    (figure,) = score(QUESTIONS, RUN, measures=[measure], confidence=None, **options).figures.values()
    return figure.value


def test_a_new_passage_measure_computes_itself_and_not_evidence_recall() -> None:
    assert value("own_measures:Titles@1") == 0.5
    assert value("own_measures:Titles@2") == 0.5
    assert value("own_measures:Titles") == pytest.approx((1 / 3 + 1 / 2) / 2)
    assert value("own_measures:Titles@2>=0.5") == 1.0
    assert value("ERecall@2") == 1.0


def test_what_a_measure_declares_is_what_the_parser_allows() -> None:
    assert value("own_measures:Atleast-1") == 1.0
    assert value("own_measures:Atleast-2") == 0.0
    for text, about in (
        ("own_measures:Atleast", "as in own_measures:Atleast-5"),
        ("own_measures:Atleast-1@3", "takes no @k"),
        ("own_measures:Atleast-1>=0.5", "takes no threshold"),
        ("min(own_measures:Atleast-1)", "worst case"),
        ("own_measures:Titles-2", "-k"),
    ):
        with pytest.raises(RollcallError, match=about) as error:
            Measure.parse(text)
        assert text in str(error.value)


def test_a_measure_of_another_unit_is_written_with_it_and_may_be_better_when_lower() -> None:
    questions = [Question(str(n), answers=[Answer("A")]) for n in range(20)]
    runs = [{one.id: ["A"] for one in questions}, {one.id: ["A", "b", "c"] for one in questions}]
    found = compare(questions, runs, names=["short", "long"], measures="own_measures:Wordy")
    measure = Measure.parse("own_measures:Wordy")
    assert found.beats(0, measure) == [1]
    assert "3.00 answers" in repr(found)
    assert "3.00 answers" in found.to_latex()
    for text in ("own_measures:Wordy>=0.5", "min(own_measures:Wordy)"):
        with pytest.raises(RollcallError):
            Measure.parse(text)


@pytest.mark.parametrize(
    ("name", "about"),
    [
        ("own_measures:TooMuch", "own_measures:TooMuch of question '1' is 2.0, not a share from 0 to 1"),
        ("own_measures:Nothing", "is None, not a number"),
        ("own_measures:Divides", "own_measures:Divides failed (ZeroDivisionError: division by zero)"),
        ("own_measures:Reaches", "own_measures:Reaches failed (IndexError"),
        ("own_measures:Unfinished", "it has no method value"),
        ("own_measures:Needy", "needs 'luck'; a measure may need answers, passages"),
        ("own_measures:Shouted", "is not a measure"),
        ("own_measures:Title", "did you mean Titles?"),
        ("broken_measures:Half", "broken_measures cannot be imported (SyntaxError"),
        ("no_such_module_here:Half", "no module no_such_module_here"),
        ("ARecal@5", "did you mean ARecall"),
    ],
)
def test_mistakes_in_a_measure_are_explained_in_one_line(name: str, about: str) -> None:
    with pytest.raises(RollcallError) as error:
        value(name)
    assert about in str(error.value)
    assert "\n" not in str(error.value)


class Halved(AnswerMeasure):
    """Half of F1."""

    parameters = MeasureParameters(cut="never")

    def value(self, match: Match) -> float:
        return match.f1 / 2


class Quartered(Halved):
    """A quarter of F1."""

    def value(self, match: Match) -> float:
        return match.f1 / 4


def test_a_class_is_given_as_it_is_and_has_a_name_that_parses(monkeypatch: pytest.MonkeyPatch) -> None:
    MEASURES.find("F1")
    monkeypatch.setattr(MEASURES, "_entries", dict(MEASURES._entries))  # forgotten after this test
    MEASURES.register("halved")(Halved)
    whole = score(QUESTIONS, RUN, measures=["F1", Halved, Quartered, "halved>=0.5"])
    assert [str(one) for one in whole.measures] == ["F1", "halved", f"{__name__}:Quartered", "halved>=0.5"]
    assert whole["halved"].value == whole["F1"].value / 2
    assert whole[f"{__name__}:Quartered"].value == whole["F1"].value / 4

    class Inside(Halved):
        """It has no name."""

    with pytest.raises(RollcallError, match="at the top of its module"):
        score(QUESTIONS, RUN, measures=[Inside])


def test_a_profile_is_found_by_module_and_name_and_names_its_figures(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = score(QUESTIONS, RUN, profile="own_measures:Shouted")
    assert report.profile.name == "own_measures:Shouted"
    assert [str(one) for one in report.measures] == ["F1", "R-2"]
    from own_measures import Shouted

    assert score(QUESTIONS, RUN, profile=Shouted).as_json() == report.as_json()
    assert score(QUESTIONS, RUN, profile=Shouted()).as_json() == report.as_json()
    Path("gold.jsonl").write_text('{"id": "1", "answers": [{"label": "A"}]}\n')
    Path("run.json").write_text('{"1": ["A"]}')
    with pytest.raises(SystemExit) as ended:
        main(["score", "gold.jsonl", "run.json", "--profile", "own_measures:Shouted", "--json"])
    assert ended.value.code == 0
    assert json.loads(capsys.readouterr().out)["profile"] == "own_measures:Shouted"


@pytest.mark.parametrize(
    ("name", "about"),
    [
        ("qampri", "did you mean qampari or qampari-pig?"),
        ("own_measures:NoProfile", "it has no method rate and no method resolve"),
        ("own_measures:Silent", "the profile own_measures:Silent failed (AttributeError"),
        ("own_measures:Titles", "it is not a subclass of rollcall.score.Profile"),
        (":", "write module:name"),
        (5, "give its name or its class"),
    ],
)
def test_mistakes_in_a_profile_are_explained_in_one_line(name: Any, about: str) -> None:
    with pytest.raises(RollcallError) as error:
        score(QUESTIONS, RUN, profile=name)
    assert about in str(error.value)
    assert "\n" not in str(error.value)


def test_a_number_too_large_is_named_as_it_was_given() -> None:
    with pytest.raises(RollcallError) as error:
        Measure.parse("P@99999999999999999999")
    assert "'P@99999999999999999999'" in str(error.value)


def test_what_a_default_measure_needs_and_the_run_lacks_leaves_it_out() -> None:
    class Timed(EntityProfile):
        """With measures of all kinds."""

        default_measures = ("F1", "time", "ARecall@5")

    report = score(QUESTIONS, {"1": ["A"], "2": ["C"]}, profile=Timed, confidence=None)
    assert [str(one) for one in report.measures] == ["F1"]
