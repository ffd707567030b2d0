"""Single checks on questions made by hand: what each takes for a fault, and what it lets pass."""

import numpy as np
import pytest

from rollcall import RollcallError
from rollcall.audit import QUALITY_CHECKS, audit
from rollcall.evidence import Verifier
from rollcall.graph import make_graph
from rollcall.questions import Answer, Evidence, Prediction, QueryRecord, Question, QuestionSet


def found(check: str, *questions: Question, **given: object) -> list[str]:
    """The ids of the questions at fault."""
    made = audit(list(questions), checks=[check], examples=100, **given)
    return [example.question for example in made.quality.of(check).examples]


def asking(text: str, **fields: object) -> Question:
    return Question("q", text, answers=[Answer("Salt", "e1"), Answer("Pier", "e2")], **fields)


@pytest.mark.parametrize(
    ("check", "wrong", "right"),
    [
        ("broken-marks", "Which films (of 1984 did she make?", "Which films (of 1984) did she make?"),
        ("broken-marks", 'Who wrote "Salt?', 'Who wrote "Salt"?'),
        ("broken-marks", "Which films , of 1984, did she make?", "Which films, of 1984, did she make?"),
        ("broken-marks", "Who wrote it??", "Who wrote “It”?"),
        ("doubled-words", "Which films were were shown?", "What did she say that that man had had?"),
        ("doubled-words", "Who is the the king?", "Who lived in Baden Baden?"),
        ("leftovers", "Who directed Q8877?", "Who directed Q and A?"),
        ("leftovers", "Who directed {object}?", "Who directed it?"),
        ("leftovers", "What has the filmDirector Ann?", "Which iPhone did McDonald sell on eBay?"),
        ("leftovers", "Who has place_of_birth Rome?", "Who was born in Rome?"),
        ("leftovers", "Which film.film.director is it?", "Who founded example.com?"),
        ("no-question", "Films directed by Ann Marl?", "Name the films directed by Ann Marl."),
        ("no-question", "Films, directors?", "Is Salt a film by Ann Marl?"),
        ("vague-nouns", "Which things did Ann Marl make?", "Which films did Ann Marl make?"),
        ("wrong-articles", "Who played in a opera?", "Who studied at a university for an hour?"),
        ("wrong-articles", "Who was an painter?", "Who saw an MP and a UFO?"),
        ("too-long", "Which " + "very " * 60 + "long film?", "Which " + "very " * 20 + "long film?"),
    ],
)
def test_signs_of_a_broken_wording(check, wrong, right):
    assert found(check, asking(wrong)) == ["q"]
    assert found(check, asking(right)) == []


def test_what_stands_in_a_name_is_no_fault_of_the_wording():
    graph = {"nodes": [{"node_type": "entity", "id": "e9", "friendly_name": "Things (an film_noir"}]}
    named = asking("Who directed Things (an film_noir?", query=QueryRecord("?x p e9", graph))
    for check in ("vague-nouns", "wrong-articles", "leftovers"):
        assert found(check, named) == []


def test_a_set_without_question_marks_has_its_own_style():
    bare = [asking("who made salt"), Question("b", "who made pier"), Question("c", "Who made it?")]
    made = audit(bare, checks=["no-question-mark"])
    assert made.quality.results[0].skipped
    assert found(
        "no-question-mark", *[Question(f"m{n}", "Who?") for n in range(3)], asking("Who made it")
    ) == ["q"]


def test_answers_that_are_the_same():
    twice = Question("q", "Who?", answers=[Answer("Ann", "e1"), Answer("Ann M.", "e1")])
    same_label = Question("r", "Who?", answers=[Answer("Ann"), Answer("ANN ")])
    homonyms = Question("s", "Who?", answers=[Answer("Ann", "e1"), Answer("Ann", "e2")])
    assert found("repeated-answers", twice, same_label, homonyms) == ["q", "r"]
    assert found("colliding-names", twice, same_label, homonyms) == ["s"]


def test_questions_that_say_the_same_with_the_same_or_other_answers():
    first = Question("a", "Who made Salt?", answers=[Answer("Ann", "e1")])
    again = Question("b", "who made  salt", answers=[Answer("Ann", "e1")])
    other = Question("c", "Who made “Salt”?", answers=[Answer("Jo", "e2")])
    assert found("repeated-questions", first, again, other) == ["b"]
    assert found("contradicting-questions", first, again, other) == ["c"]


def test_paraphrases_of_one_cluster_are_no_repetition():
    def para(id_: str, text: str, cluster: str | None) -> Question:
        return Question(
            id_, text, query=QueryRecord("?x p e1"), cluster=cluster, answers=[Answer("Ann", "e1")]
        )

    assert found("repeated-questions", para("a", "Who made it?", "1"), para("b", "By whom?", "1")) == []
    assert found("repeated-questions", para("a", "Who made it?", "1"), para("b", "By whom?", "2")) == ["b"]
    assert found("repeated-questions", para("a", "Who made it?", None), para("b", "By whom?", None)) == ["b"]


def test_each_split_is_held_against_those_before_it():
    train = Question("a", "Who made Salt?", split="train")
    dev = Question("b", "Who made Salt?", split="dev")
    test = Question("c", "Who made Pier?", split="test")
    assert found("leaked-wordings", test, dev, train) == ["b"]
    single = audit([train], checks=["leaked-wordings"]).quality.results[0]
    assert single.skipped == "the set has only one split"


def test_a_fact_leaks_if_training_has_all_facts_of_an_answer():
    def proved(id_: str, split: str, *facts: str) -> Question:
        evidence = [Evidence("It is so.", fact=fact) for fact in facts]
        return Question(id_, f"{id_}?", split=split, answers=[Answer("Ann", "e1", evidence=evidence)])

    train = proved("a", "train", "e1 p e2", "e2 p e3")
    assert found(
        "leaked-facts", train, proved("b", "test", "e1 p e2"), proved("c", "test", "e1 p e2", "e1 q e2")
    ) == ["b"]


def test_an_answer_is_given_away_by_its_own_name_only():
    def named(text: str, *answers: Answer) -> Question:
        entities = ["Norrow University"]
        return Question("q", text, answers=list(answers), provenance={"entities": entities})

    assert found("given-away", named("Is Ann Marl a painter?", Answer("Ann Marl", "e1"))) == ["q"]
    assert found("given-away", named("Who is like Annie?", Answer("Ann", "e1"))) == []
    assert found("given-away", named("Who was at Norrow University?", Answer("Norrow", "e1"))) == []
    assert found("given-away", named("Which city is Norrow?", Answer("Norrow", "e1"))) == ["q"]
    assert found("given-away", named("Which film is a film?", Answer("film", "e1"))) == []


def test_evidence_must_name_its_ends_in_the_sentence_or_the_title():
    def proved(text: str, title: str = "Salt", about: str = "Ann Marl") -> Question:
        evidence = [Evidence(text, title=title, fact="e1 p e2")]
        graph = {"nodes": [{"node_type": "entity", "id": "e2", "friendly_name": about}]}
        return Question(
            "q", "?", query=QueryRecord("?x p e2", graph), answers=[Answer("Salt", "e1", evidence=evidence)]
        )

    assert found("unnamed-ends", proved("It was directed by Marl.")) == []
    assert found("unnamed-ends", proved("It was directed by Jo Tarn.")) == ["q"]
    assert found("unnamed-ends", proved("It was directed by Marl.", "Pier")) == ["q"]
    assert found("unnamed-ends", proved("It was a Danish film.", about="Denmark")) == []
    assert found("unnamed-ends", proved("It was a Polish film.", about="Denmark")) == ["q"]


class Careful(Verifier):
    """Accepts only what says `directed`."""

    def scores(self, candidates):
        return np.array([0.9 if "directed" in one.text else 0.1 for one in candidates])


def test_a_verifier_judges_a_sample_in_place_of_the_stored_scores():
    def proved(id_: str, text: str, score: float) -> Question:
        evidence = [Evidence(text, fact="e1 p e2", score=score)]
        return Question(id_, "?", answers=[Answer("Salt", "e1", evidence=evidence)])

    two = [proved("a", "Marl directed Salt.", 0.2), proved("b", "Marl saw Salt.", 0.9)]
    assert found("doubted-evidence", *two) == ["a"]
    assert found("doubted-evidence", *two, verifier=Careful()) == ["b"]
    sample = audit(two, checks=["doubted-evidence"], verifier=Careful(), verified=1).quality.results[0]
    assert sample.examined == 1


def with_scores(*scores: float | None) -> list[Question]:
    return [
        Question(f"q{place}", "?", answers=[Answer("Salt", "e1", evidence=[Evidence("Salt.", score=score)])])
        for place, score in enumerate(scores)
    ]


def test_evidence_that_is_not_verified_is_never_passed_as_undoubted():
    def result(questions, **given):
        made = audit(questions, checks=["doubted-evidence"], **given)
        assert "nothing found by" not in repr(made)
        assert "Nothing found" not in made.to_html()
        return made.quality.results[0]

    unverified = result(with_scores(None, None))
    assert unverified.skipped == "2 pieces of evidence not verified; name a --verifier to ask"
    partly = result(with_scores(None, 0.9))
    assert (partly.examined, partly.left_out) == (
        1,
        "1 piece of evidence not verified; name a --verifier to ask",
    )
    older = QuestionSet(with_scores(1.0, 1.0), {"recipe": {"evidence": {"verifier": "none"}}})
    assert result(older).skipped == unverified.skipped
    assert result(with_scores(0.9), verifier="none").skipped.startswith("the verifier none gives no scores")
    assert "nothing found by doubted-evidence" in repr(audit(with_scores(0.9), checks=["doubted-evidence"]))


def test_a_verifier_is_asked_only_about_evidence_that_names_its_ends():
    def proved(id_: str, text: str, title: str | None = None, relation: str = "P57") -> Question:
        graph = {"nodes": [{"node_type": "entity", "id": "e2", "friendly_name": "Ann Marl"}]}
        evidence = [Evidence(text, fact=f"e1 {relation} e2", title=title)]
        query = QueryRecord(f"?x {relation} e2", graph)
        return Question(id_, "?", query=query, answers=[Answer("Salt", "e1", evidence=evidence)])

    named, topic = proved("a", "Ann Marl directed Salt."), proved("b", "Ann Marl directed it.", "Salt (film)")
    other, strange = (
        proved("c", "Jo Tarn directed Salt."),
        proved("d", "Ann Marl directed Salt.", None, "P99999"),
    )
    made = audit([named, topic, other, strange], checks=["doubted-evidence"], verifier=Careful())
    (result,) = made.quality.results
    assert [example.question for example in result.examples] == ["c"]
    assert "the text does not name the object, Ann Marl" in result.examples[0].text
    assert (result.examined, result.left_out) == (
        3,
        "1 piece of evidence whose facts have no names; --graph gives them",
    )


def test_runs_say_which_questions_need_no_text():
    questions = [asking("Which films?")]
    known = [Prediction("q", ["Salt", "Pier"])]
    assert found("closed-book-answered", *questions, closed_book=known) == ["q"]
    assert found("closed-book-answered", *questions, closed_book=[Prediction("q", ["Salt"])]) == []
    assert found("one-passage-answered", *questions, one_passage=known) == ["q"]


def test_traits_are_found_by_the_labels_of_any_graph(tmp_path):
    facts = [("e1", "countryOfOrigin", "north"), ("e2", "nationality", "south"), ("e3", "ally", "north")]
    path = tmp_path / "facts.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in [("subject", "relation", "object"), *facts]))
    make_graph([path], tmp_path / "graph", jobs=1)
    asked = Question("q", "?", answers=[Answer("one", "e1"), Answer("three", "e3")])
    (result,) = audit([asked], graph=tmp_path / "graph", checks=["skew-countries"]).quality.results
    assert (result.examined, result.found) == (1, 0), "half of one answer rounds to none"
    assert [(value.name, value.count, value.expected) for value in result.values] == [
        ("north", 1, 0.5),
        ("south", 0, 0.5),
    ]


def test_every_check_says_what_it_finds_and_needs():
    from rollcall.audit.findings import NEEDS

    for entry in QUALITY_CHECKS:
        assert entry.summary.endswith("."), entry.name
        assert set(entry.thing.needs) <= set(NEEDS), entry.name
        assert entry.thing.severity in ("error", "warning", "note"), entry.name


def test_an_unknown_check_is_refused_with_the_nearest_name():
    with pytest.raises(RollcallError, match="did you mean leaked-facts"):
        audit([asking("Who?")], checks=["leaked-fact"])
