"""What changed between sets and graphs: matching, answers, causes, the parts of a run's change."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollcall
from rollcall import RollcallError
from rollcall.audit.drift.changes import AnswerChange, match
from rollcall.audit.drift.projection import answer_changes
from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.query import Query, parse_value
from rollcall.questions import Answer, Evidence, NeutralAnswer, Prediction, QueryRecord, Question, QuestionSet

_RELATIONS = {"P57": "director", "P40": "child", "P2044": "elevation"}


def _graph(folder: Path, facts: str, values: str = "", **labels: str) -> Graph:
    """A graph of `A P57 B` statements separated by commas."""
    triples = [tuple(one.split()) for one in facts.split(",") if one.strip()]
    numbers = [tuple(one.split()) for one in values.split(",") if one.strip()]
    names = sorted({end for one in triples for end in (one[0], one[2])} | {one[0] for one in numbers})
    write_graph(
        folder,
        entities=[EntityRecord(name, labels.get(name, name.lower())) for name in names],
        facts=triples,
        values=[(subject, relation, parse_value(value)) for subject, relation, value in numbers],
        relations=_RELATIONS,
    )
    return Graph.open(folder)


def _question(id_: str, query: str = "", answers: str = "", text: str = "", **more: Any) -> Question:
    return Question(
        id_,
        text or f"question {id_}",
        query=QueryRecord(Query.parse(query).text) if query else None,
        answers=[Answer(one.lower(), one) for one in answers.split()],
        **more,
    )


# -- matching ------------------------------------------------------------------------------------------


def test_questions_are_matched_by_id_then_query_then_wording() -> None:
    old = [
        _question("1", "?x P57 B"),
        _question("2", "?x P57 C"),
        _question("3", text="Who else?"),
        _question("4", "?x P40 B"),
    ]
    new = [
        _question("1", "?x P57 B", text="Other words"),
        _question("9", "?x P57 C"),
        _question("8", text="who  else?"),
        _question("4", "?x P40 C"),
    ]
    found = match(old, new)
    assert [(one.id, two.id) for one, two in found.both] == [("1", "1"), ("2", "9"), ("3", "8")]
    assert [one.id for one in found.gone] == ["4"]
    assert [one.id for one in found.added] == ["4"]


def test_paraphrases_of_one_query_are_matched_one_to_one() -> None:
    old = [_question("1", "?x P57 B", text="a"), _question("2", "?x P57 B", text="b")]
    new = [_question("7", "?x P57 B", text="b"), _question("8", "?x P57 B", text="a")]
    assert [(one.id, two.id) for one, two in match(old, new).both] == [("1", "8"), ("2", "7")]


_SETS = st.lists(
    st.builds(
        lambda id_, query: _question(str(id_), f"?x P57 E{query}" if query else ""),
        st.integers(0, 4),
        st.integers(0, 3),
    ),
    max_size=5,
    unique_by=lambda one: one.id,
)


@given(_SETS, _SETS)
def test_each_question_is_matched_once_or_told_as_added_or_gone(
    old: list[Question], new: list[Question]
) -> None:
    found = match(old, new)
    assert sorted([one.id for one, _ in found.both] + [one.id for one in found.gone]) == sorted(
        one.id for one in old
    )
    assert sorted([two.id for _, two in found.both] + [two.id for two in found.added]) == sorted(
        two.id for two in new
    )
    again = match(old, old)
    assert all(one is two for one, two in again.both)
    assert not again.gone


# -- answers -------------------------------------------------------------------------------------------


def test_answers_are_the_same_by_id_or_by_a_shared_name() -> None:
    old = [Answer("Ann", "Q1"), Answer("Bob", None, ["Robert"]), Answer("Eve", "Q5"), Answer("Gus", "Q6")]
    new = [Answer("Anna", "Q1"), Answer("Robert", None), Answer("Eve", "Q7"), Answer("Gus", "Q6", ["G."])]
    found = [(one.kind, one.before, one.label) for one in answer_changes(old, new)]
    assert found == [
        ("renamed", "Ann", "Anna"),
        ("renamed", "Bob", "Robert"),
        ("went", None, "Eve"),
        ("names", None, "Gus"),
        ("came", None, "Eve"),
    ]


_ANSWERS = st.lists(
    st.builds(Answer, st.sampled_from("abcd"), st.sampled_from(["Q1", "Q2", "Q3", None])),
    max_size=4,
    unique_by=lambda one: (one.id, one.label if one.id is None else ""),
)


@given(_ANSWERS, _ANSWERS)
def test_changes_of_answers_balance(old: list[Answer], new: list[Answer]) -> None:
    kinds = [one.kind for one in answer_changes(old, new)]
    assert len(old) - kinds.count("went") == len(new) - kinds.count("came")
    assert answer_changes(old, old) == []


# -- causes --------------------------------------------------------------------------------------------


def _causes(
    folder: Path, old: str, new: str, query: str, before: str, after: str, **more: str
) -> dict[str, list[tuple[str, str]]]:
    """The causes of every changed answer of one question between two graphs."""
    graphs = [
        _graph(folder / "old", old, more.get("old_values", "")),
        _graph(folder / "new", new, more.get("new_values", "")),
    ]
    found = rollcall.diff(
        [_question("1", query, before)],
        [_question("1", query, after)],
        old_graph=graphs[0],
        graph=graphs[1],
    )
    return {
        f"{change.kind} {change.id}": [(cause.kind, cause.fact) for cause in change.causes]
        for question in found.changed
        for change in question.answers
    }


def test_a_statement_that_came_or_went_is_named(tmp_path: Path) -> None:
    found = _causes(tmp_path, "F P57 A, G P57 A", "F P57 A, H P57 A, G P57 B", "?x P57 A", "F G", "F H")
    assert found == {
        "went G": [("statement gone", "G P57 A")],
        "came H": [("statement added", "H P57 A")],
    }


def test_of_two_derivations_the_one_that_lacks_least_is_told(tmp_path: Path) -> None:
    old = "F P57 A, F P57 B, A P40 C, B P40 C, B P40 D"
    found = _causes(tmp_path, old, "F P57 A, A P40 E, B P40 D, C P40 C", "F P57 ?1; ?1 P40 ?x", "C D", "E")
    assert found["went C"] == [("statement gone", "A P40 C")]
    assert found["went D"] == [("statement gone", "F P57 B")]
    assert found["came E"] == [("statement added", "A P40 E")]


def test_what_a_query_denies_can_be_the_cause(tmp_path: Path) -> None:
    query = "?x P57 A; not ?x P40 B"
    found = _causes(tmp_path, "F P57 A, G P57 A, G P40 B", "F P57 A, G P57 A, F P40 B", query, "F", "G")
    assert found == {
        "went F": [("statement added", "F P40 B")],
        "came G": [("statement gone", "G P40 B")],
    }


def test_an_extreme_goes_because_another_overtakes_it(tmp_path: Path) -> None:
    facts = "F P57 A, G P57 A"
    found = _causes(
        tmp_path,
        facts,
        facts,
        "argmax ?v {?x P57 A; ?x P2044 ?v}",
        "F",
        "G",
        old_values="F P2044 200, G P2044 100",
        new_values="F P2044 200, G P2044 300",
    )
    assert found == {
        "went F": [("statement added", "G P2044 300")],
        "came G": [("statement added", "G P2044 300")],
    }


def test_the_text_is_the_cause_where_the_statements_stay(tmp_path: Path) -> None:
    graph = _graph(tmp_path / "graph", "F P57 A, G P57 A")
    proof = [Evidence("G is by A.", fact="G P57 A")]
    old = QuestionSet(
        [Question("1", "?", query=QueryRecord("?x P57 A"), answers=[Answer("g", "G", evidence=proof)])]
    )
    new = QuestionSet([_question("1", "?x P57 A", "F")])
    (question,) = rollcall.diff(old, new, graph=graph, old_graph=graph).changed
    went = question.answers[0]
    assert (went.kind, went.cause, went.causes[0].text) == ("went", "evidence gone", "G is by A.")


def test_without_graphs_or_queries_sets_are_compared_and_nothing_is_guessed() -> None:
    old = [{"id": "1", "question": "Who?", "answers": ["Ann", "Bob"]}, {"id": "2", "question": "And?"}]
    new = [{"id": "7", "question": "who?", "answers": ["Bob", "Eve"]}, {"id": "3", "question": "Else?"}]
    found = rollcall.diff(old, new)
    assert [(one.kind, one.label, one.cause) for one in found.answer_changes] == [
        ("went", "Ann", "unknown"),
        ("came", "Eve", "unknown"),
    ]
    assert [one.id for one in found.gone] == ["2"]
    assert [one.id for one in found.added] == ["3"]
    assert found.changed[0].new_id == "7"
    assert found.changed[0].reworded is not None


def test_renamings_are_told_with_both_names(tmp_path: Path) -> None:
    old = _graph(tmp_path / "old", "F P57 A", F="The Bell", A="Ann")
    new = _graph(tmp_path / "new", "F P57 A", F="The Bells", A="Ann Lee")
    question = Question(
        "1",
        "What did Ann direct?",
        query=QueryRecord("?x P57 A"),
        answers=[Answer("The Bell", "F")],
        provenance={"entities": ["Ann"]},
    )
    (change,) = rollcall.diff([question], graph=new, old_graph=old).changed
    assert change.reworded is not None
    assert change.reworded.after == "What did Ann Lee direct?"
    (answer,) = change.answers
    assert (answer.before, answer.label) == ("The Bell", "The Bells")
    assert answer.causes[0].said == "The Bell (F) is The Bells now"


def test_counts_and_values_are_answered_again(tmp_path: Path) -> None:
    old = _graph(tmp_path / "old", "F P57 A, G P57 A", "F P2044 100")
    new = _graph(tmp_path / "new", "F P57 A, G P57 A, H P57 A", "F P2044 120")
    count = Question("1", "How many?", query=QueryRecord("count {?x P57 A}"), answers=[Answer("2")])
    value = Question("2", "How high?", query=QueryRecord("{F P2044 ?x}"), answers=[Answer("100")])
    found = rollcall.diff([count, value], graph=new, old_graph=old)
    told = {one.id: [(a.kind, a.label, a.causes[0].fact) for a in one.answers] for one in found.changed}
    assert told == {
        "1": [("went", "2", "H P57 A"), ("came", "3", "H P57 A")],
        "2": [("went", "100", "F P2044 100"), ("came", "120", "F P2044 120")],
    }


def test_one_set_needs_a_graph() -> None:
    with pytest.raises(RollcallError, match="two sets, or one set and a newer graph"):
        rollcall.diff([_question("1")])


# -- the dump ------------------------------------------------------------------------------------------


def test_the_dump_tells_ended_from_deprecated_and_removed(tmp_path: Path) -> None:
    from rollcall.audit.drift.changes import Cause, name_withdrawals

    def claim(target: str, **more: Any) -> dict[str, Any]:
        value = {"datavalue": {"type": "wikibase-entityid", "value": {"id": target}}}
        return {"mainsnak": value, "rank": "normal", **more}

    day = {"time": "+1990-05-01T00:00:00Z", "precision": 11}
    born = {"mainsnak": {"datavalue": {"type": "time", "value": day}}, "rank": "deprecated"}
    ended = {"qualifiers": {"P582": [{"snaktype": "value"}]}}
    claims = {"P57": [claim("Q2", rank="deprecated"), claim("Q3", **ended), claim("Q5")], "P569": [born]}
    lines = [
        "[",
        json.dumps({"id": "Q9", "claims": {}}) + ",",
        json.dumps({"id": "Q1", "claims": claims}),
        "]",
    ]
    dump = tmp_path / "dump.json.gz"
    dump.write_bytes(gzip.compress("\n".join(lines).encode()))
    facts = ("Q1 P57 Q2", "Q1 P57 Q3", "Q1 P57 Q4", "Q1 P57 Q5", "Q1 P569 @1990-05-01", "Q1 a Q7")
    changes = [AnswerChange("went", fact, causes=[Cause("statement gone", fact)]) for fact in facts]
    name_withdrawals(changes, dump)
    assert [change.cause for change in changes] == [
        "statement deprecated",
        "statement ended",
        "statement removed",
        "statement gone",
        "statement deprecated",
        "statement gone",
    ]


# -- rescoring -----------------------------------------------------------------------------------------


@given(st.lists(st.tuples(*[st.sets(st.sampled_from("abcdef"), max_size=4)] * 3), min_size=2, max_size=6))
def test_the_parts_of_a_change_add_up(cases: list[tuple[set[str], set[str], set[str]]]) -> None:
    def questions(which: int) -> list[Question]:
        return [
            Question(
                str(place), f"q{place}", answers=[Answer(one, one.upper()) for one in sorted(case[which])]
            )
            for place, case in enumerate(cases)
        ]

    run = [Prediction(str(place), sorted(case[2])) for place, case in enumerate(cases)]
    found = rollcall.diff(questions(0), questions(1), rescore=run, measures="P,R,F1")
    (scored,) = found.rescored
    for name, change in scored.figures.items():
        whole = rollcall.score(questions(1), run, measures=name, confidence=None)[name].value
        assert change.after == pytest.approx(whole)
        assert change.drift.value == pytest.approx(change.after - change.before)
        assert sum(part.value for part in change.by_cause.values()) == pytest.approx(change.drift.value)


# -- carrying forward ----------------------------------------------------------------------------------


def test_a_question_keeps_its_id_split_words_and_extended_answers(tmp_path: Path) -> None:
    from rollcall.build.make import carried_record

    graph = _graph(tmp_path / "graph", "F P57 A, G P57 A", A="Ann")
    old = _question(
        "mine", "?x P57 A", "F", "Which ones are Ann's?", split="test", cluster="c", wordings=["Ann's?"]
    )
    old.extended = [Answer("g", "G"), Answer("h", "H")]
    old.provenance = {"entities": ["Ann"], "judged": True}
    now = _question("q1", "?x P57 A", "F G", "What did Ann direct?", split="train")
    kept = carried_record(old, now, graph)
    assert (kept.id, kept.split, kept.cluster, kept.question) == ("mine", "test", "c", old.question)
    assert [one.id for one in kept.answers] == ["F", "G"]
    assert [one.id for one in kept.extended] == ["H"]
    assert kept.provenance["judged"] is True
    old.provenance = {"entities": ["Anne"]}
    again = carried_record(old, now, graph)
    assert again.question == "What did Ann direct?"
    assert old.question in again.wordings


def test_new_questions_take_no_id_of_another_and_join_old_clusters() -> None:
    from rollcall.build.make import fresh

    old = [_question("5", "?x P57 A", cluster="c", split="test")]
    new = [
        _question("5", "?x P57 B", cluster="c", split="train", kind="cluster"),
        _question("6", "?x P57 C", cluster="c", split="train", kind="template"),
    ]
    first, second = fresh(new, old)
    assert (first.id, first.cluster, first.split) == (Query.parse("?x P57 B").id, "c", "test")
    assert (second.id, second.split) == ("6", "train")
    assert second.cluster != "c"


# -- output --------------------------------------------------------------------------------------------


def test_the_page_and_the_terminal_show_the_same_and_escape_what_they_show() -> None:
    from rollcall._core.console import Screen
    from rollcall.report.terminal import print_display

    old = [_question("1", answers="F", text="<b>Which?</b>"), _question("2", answers="G")]
    new = [_question("1", answers="H", text="<b>Which?</b>")]
    found = rollcall.diff(old, new, rescore=[Prediction("1", ["h"])], measures="F1")
    page = found.to_html()
    assert "&lt;b&gt;Which?" in page
    assert "<b>Which?" not in page
    screen = Screen(width=120)
    with screen.capture() as shown:
        print_display(found.display(), screen)
    for text in ("− f (F)", "+ h (H)", "question 2"):
        assert text in shown.get()
        assert text in page
    assert "+100.00" in shown.get()
    assert json.loads(json.dumps(found.as_json()))["drift"]["gone"] == 1


# -- neutral answers -----------------------------------------------------------------------------------


def test_an_answer_that_was_neutral_is_no_new_answer(tmp_path: Path) -> None:
    graph = _graph(tmp_path / "old", "F P57 A, G P57 A")
    newer = _graph(tmp_path / "new", "F P57 A, G P57 A, H P57 A")
    question = _question("q", "?x P57 A", "F", "What did Ann direct?")
    question.neutral = [NeutralAnswer("g", "G", unproved="G P57 A", sources=["graph"])]
    assert rollcall.diff([question], graph=graph).changed == []
    (change,) = rollcall.diff([question], graph=newer).changed
    assert [(one.kind, one.label) for one in change.answers] == [("came", "h")]


def test_an_answer_that_loses_its_proof_is_not_held_against_systems() -> None:
    before = Question("q", "Who?", answers=[Answer("A", "A"), Answer("B", "B")])
    after = Question("q", "Who?", answers=[Answer("A", "A")], neutral=[NeutralAnswer("B", "B")])
    found = rollcall.diff([before], [after], rescore=[Prediction("q", ["A", "B"])], measures="P,R,F1")
    (scored,) = found.rescored
    assert {name: (change.before, change.after) for name, change in scored.figures.items()} == {
        "P": (1, 1),
        "R": (1, 1),
        "F1": (1, 1),
    }


def test_an_answer_that_is_neutral_on_one_side_only_is_a_change() -> None:
    both = Question("q", "Who?", answers=[Answer("A", "A")], neutral=[NeutralAnswer("B", "B")])
    alone = Question("q", "Who?", answers=[Answer("A", "A")])
    for old, new, kind, precision in (
        (both, alone, "no longer neutral", (1, 0.5)),
        (alone, both, "neutral", (0.5, 1)),
    ):
        found = rollcall.diff([old], [new], rescore=[Prediction("q", ["A", "B"])], measures="P")
        assert [(change.kind, change.label) for change in found.answer_changes] == [(kind, "B")]
        figure = found.rescored[0].figures["P"]
        assert (figure.before, figure.after) == precision
        assert rollcall.score([new], [Prediction("q", ["A", "B"])])["P"].value == precision[1]
    assert rollcall.diff([both], [both]).is_empty
