"""New versions of a set: what each task changes, and that every verdict can be traced and read back."""

import csv
import io
from pathlib import Path

import msgspec
import pytest

from rollcall import RollcallError
from rollcall.corpus import Corpus
from rollcall.questions import AddedAlias, Prediction, QuestionSet, Run
from rollcall.questions.opening import import_set
from rollcall.studio.export.judgments import judgments_csv, judgments_jsonl, projects_of
from rollcall.studio.export.version import (
    ExportOptions,
    entries,
    judgments_of_set,
    new_version,
    write_version,
)
from rollcall.studio.records import Collected, Item, Verdict
from rollcall.studio.tasks.task import TaskMaterial
from studio_records import film_set, judged_project


def validation(wrong: set[str], questions: QuestionSet | None = None, **settings: object) -> Collected:
    """Everybody finds these answers, and the injected ones, not stated."""

    def says(item: Item, person: str) -> Verdict:
        stated = item.shown["answer"] not in wrong and not item.injected
        return Verdict(
            "stated" if stated else "not-stated", comment="" if stated else "<b>no</b>, says another"
        )

    given = {"overlap": 2, "minimum": 5, **settings}
    return judged_project("validate", TaskMaterial(questions or film_set()), ["ann", "bob"], says, given)


def labels(questions: QuestionSet) -> dict[str, list[str]]:
    return {one.id: [answer.label for answer in one.answers] for one in questions}


def test_rejected_answers_go_and_questions_with_too_few_are_dropped():
    collected = validation({"Film 1-0", "Film 2-0", "Film 2-1"})
    found = new_version(film_set(), collected)
    assert labels(found.questions) == {
        "q1": [f"Film 1-{place}" for place in range(1, 6)],
        "q3": [f"Film 3-{place}" for place in range(6)],
        "q4": [f"Film 4-{place}" for place in range(6)],
    }
    assert found.questions.questions[0].characteristics["answers"] == 5
    (dropped,) = found.entry.dropped
    assert dropped.question.id == "q2"
    assert "4 validated answers, and 5 are needed" in dropped.why
    answer = found.questions.questions[0].answers[0]
    assert (answer.provenance.by, answer.provenance.who, answer.provenance.right) == (
        "person",
        "ann, bob",
        True,
    )


def test_what_the_graph_has_and_its_text_does_not_state_becomes_neutral():
    questions = film_set()
    for question in questions:
        for answer in question.answers:
            answer.sources = ["graph", "text"]
    first = new_version(questions, validation({"Film 1-0"}, questions)).questions.questions[0]
    assert {tuple(answer.sources) for answer in first.answers} == {("graph", "text", "people")}
    (neutral,) = first.neutral
    assert (neutral.label, neutral.sources, neutral.status) == ("Film 1-0", ["graph"], "neutral")
    assert neutral.nearest == questions.questions[0].answers[0].evidence[0]
    assert neutral.reason.startswith("the nearest sentence does not state it")


def test_every_verdict_can_be_traced_and_importing_again_gives_the_same(tmp_path):
    collected = validation({"Film 1-0", "Film 2-0", "Film 2-1"})
    write_version(new_version(film_set(), collected), tmp_path / "new")
    saved = QuestionSet.open(tmp_path / "new")
    import_set([tmp_path / "new"], tmp_path / "again")
    again = QuestionSet.open(tmp_path / "again")
    assert again.questions == saved.questions
    for version in (saved, again):
        assert judgments_of_set(version, "films") == sorted(
            collected.judged, key=lambda one: (one.at, one.item, one.person)
        )
    (trace,) = projects_of(saved.questions[0])
    rejected = next(item for item in trace.items if item.state == "rejected" and not item.injected)
    assert rejected.hidden["answer"] == {"id": "Q1000", "label": "Film 1-0"}
    assert [(one.person, one.choice) for one in rejected.verdicts] == [
        ("ann", "not-stated"),
        ("bob", "not-stated"),
    ]
    assert [one["label"] for one in trace.removed] == ["Film 1-0"]
    card = (tmp_path / "new" / "README.md").read_text()
    assert "2 people made" in card
    assert "answers validated: 87.5 % of 24" in card


def test_exporting_twice_gives_the_same_bytes(tmp_path):
    collected = validation({"Film 1-0"})
    for name in ("one", "two"):
        write_version(new_version(film_set(), collected), tmp_path / name)
    once, twice = ((tmp_path / name / "questions.jsonl").read_bytes() for name in ("one", "two"))
    assert once == twice
    # A second export of the same project takes the place of the first in the provenance.
    both = new_version(QuestionSet.open(tmp_path / "one"), collected)
    assert len(projects_of(both.questions.questions[0])) == 1
    assert len(entries(both.questions)) == 1


def test_a_finished_search_is_remembered_also_if_nothing_was_found(small_world: Path):
    questions = film_set(3)
    found = {"label": "Late Rain", "evidence": {"text": "Late Rain is by Director 1."}}

    def says(item: Item, person: str) -> Verdict | None:
        if item.question == "q3":
            return None  # not reached
        return Verdict("done", values={"answers": [found] if item.question == "q1" else []})

    with Corpus.open(small_world / "corpus") as corpus:
        material = TaskMaterial(questions, corpus=corpus)
        collected = judged_project("extend", material, ["ann"], says, {"overlap": 1})
    made = new_version(questions, collected).questions
    assert {one.id: (one.searched, len(one.extended)) for one in made} == {
        "q1": (True, 1), "q2": (True, 0), "q3": (False, 0)
    }  # fmt: skip


def half_done(minimum: int = 5) -> Collected:
    """The first question has a dispute, the second three judged answers, the third none, the fourth all."""

    def says(item: Item, person: str) -> Verdict | None:
        answer = str(item.shown["answer"])
        if answer == "Film 1-0":
            return Verdict("stated" if person == "ann" else "not-stated")
        if item.question == "q3" or answer in ("Film 2-0", "Film 2-1", "Film 2-2"):
            return None
        return Verdict("not-stated" if item.injected else "stated")

    settings = {"overlap": 2, "minimum": minimum}
    return judged_project("validate", TaskMaterial(film_set()), ["ann", "bob"], says, settings)


def test_undecided_answers_stay_while_a_project_goes_on():
    found = labels(new_version(film_set(), half_done()).questions)
    assert found == labels(film_set())
    assert labels(new_version(film_set(), half_done(0)).questions) == labels(film_set())


def test_undecided_answers_may_be_left_out():
    found = new_version(film_set(), half_done(), ExportOptions(undecided="leave-out"))
    assert list(labels(found.questions)) == ["q1", "q4"]
    assert "Film 1-0" not in labels(found.questions)["q1"]
    assert [one.question.id for one in found.entry.dropped] == ["q2", "q3"]
    assert judgments_of_set(found.questions, "films") == half_done().judged
    anything = new_version(film_set(), half_done(0), ExportOptions(undecided="leave-out")).questions
    assert labels(anything)["q2"] == ["Film 2-3", "Film 2-4", "Film 2-5"]
    assert "q3" not in labels(anything)


def test_disputes_are_settled_by_the_estimate_of_what_is_true():
    """Cid clicks without reading: he misses every injected item, so Ann is believed."""

    def says(item: Item, person: str) -> Verdict:
        if person == "cid":
            return Verdict("stated")
        return Verdict("not-stated" if item.injected or item.shown["answer"] == "Film 1-0" else "stated")

    collected = judged_project(
        "validate",
        TaskMaterial(film_set(12)),
        ["ann", "cid"],
        says,
        {"overlap": 2, "minimum": 5, "injected": 0.3},
    )
    assert "Film 1-0" in labels(new_version(film_set(12), collected).questions)["q1"]
    settled = new_version(film_set(12), collected, ExportOptions(adjudicate=0.6)).questions
    assert "Film 1-0" not in labels(settled)["q1"]
    (trace,) = projects_of(settled.questions[0])
    assert any(one.why.startswith("Dawid–Skene") for one in trace.items)


def test_the_pool_is_left_out_and_other_splits_stay():
    collected = validation(set(), splits=["test"], quota=1)
    found = new_version(film_set(), collected)
    asked = {item.question for item in collected.items if not item.pool}
    assert {"q2", "q4", *asked} == {one.id for one in found.questions}
    assert found.entry.reserve == [one for one in ("q1", "q3") if one not in asked]


def test_people_may_be_called_by_numbers():
    collected = validation({"Film 1-0"})
    decided = judged_project(
        "validate",
        TaskMaterial(film_set()),
        ["ann", "bob"],
        lambda item, person: Verdict("stated"),
        {"overlap": 2},
        {collected.items[0].key: Verdict("stated")},
    )
    for project in (collected, decided):
        found = new_version(film_set(), project, ExportOptions(pseudonyms=True))
        told = b"".join(map(msgspec.json.encode, found.questions)) + msgspec.json.encode(
            found.questions.manifest
        )
        assert b"person-1" in told
        for name in (b'"ann', b'"bob', b"boss"):
            assert name not in told


def written(item: Item, person: str) -> Verdict:
    """Bob's wordings are bad, as the others find."""
    if item.stage == "verify":
        return Verdict("differs" if "asdf" in str(item.shown["wording"]) else "matches")
    number = item.question.removeprefix("q")
    text = f"What did {person} see by Director {number}?" if person != "bob" else f"asdf {number} asdf?"
    return Verdict("written", {"text": text})


def test_wordings_that_all_accept_become_the_question():
    collected = judged_project(
        "write", TaskMaterial(film_set()), ["ann", "cid", "dan"], written, {"qualify": 0}
    )
    found = new_version(film_set(), collected).questions
    question = found.questions[0]
    assert question.question == "What did ann see by Director 1?"
    assert question.characteristics["wording"] == "human"
    (trace,) = projects_of(question)
    assert trace.before["question"] == "Which films did Director 1 direct?"
    assert {item.stage for item in trace.items} == {"judge", "verify"}


def test_questions_that_nobody_could_write_are_dropped_and_small_clusters_with_them():
    collected = judged_project(
        "write",
        TaskMaterial(film_set()),
        ["ann", "cid", "dan"],
        lambda item, person: written(item, "bob" if item.question == "q1" and person == "ann" else person),
        {"qualify": 0},
    )
    clustered = film_set()
    for question in clustered:
        question.cluster = "small" if question.id in ("q1", "q2") else "large"
    found = new_version(clustered, collected)
    assert [one.question.id for one in found.entry.dropped] == ["q1"]
    found = new_version(clustered, collected, ExportOptions(least_cluster=2))
    assert [one.question.id for one in found.entry.dropped] == ["q1", "q2"]


def test_paraphrases_are_wordings_and_the_old_text_is_one():
    collected = judged_project(
        "paraphrase",
        TaskMaterial(film_set()),
        ["ann", "bob", "cid", "dan"],
        written,
        {"qualify": 0, "overlap": 3},
    )
    question = new_version(film_set(), collected).questions.questions[0]
    assert [question.question, *question.wordings] == [
        "What did ann see by Director 1?",
        "What did cid see by Director 1?",
        "Which films did Director 1 direct?",
    ]


def test_ratings_become_characteristics_and_other_sets_are_kept_apart():
    other = film_set()
    for question in other:
        question.question = f"Name what {question.id} made!"
    collected = judged_project(
        "naturalness",
        TaskMaterial(film_set(), "ours", others={"theirs": other}),
        ["ann", "bob", "cid"],
        lambda item, person: Verdict(
            "rated", {"self": 4 if item.hidden["set"] == "ours" else 2, "other": 5 if person == "ann" else 3}
        ),
    )
    found = new_version(film_set(), collected)
    question = found.questions.questions[0]
    assert question.characteristics["naturalness-self"] == 4
    assert question.characteristics["naturalness-other"] == pytest.approx(11 / 3, abs=0.001)
    assert len(found.entry.elsewhere) == 4
    assert len(judgments_of_set(found.questions, "films")) == len(collected.judged) == 24


def test_found_answers_are_extended_answers_with_their_evidence():
    from rollcall.studio.export.judgments import ItemTrace, VerdictTrace
    from rollcall.studio.export.version import ExportRules, extended

    said = [
        {"label": "Film 9", "evidence": {"text": "Film 9 was by Director 1.", "passage": "p9"}},
        {"label": "film 1-0", "evidence": {"text": "again"}},
    ]
    item = ItemTrace(
        "k", "accepted", "done", verdicts=[VerdictTrace("ann", "done", values={"answers": said})]
    )
    question = extended(film_set().questions[0], [item], ExportRules("keep", 0)).question
    (answer,) = question.extended
    assert (answer.label, answer.evidence[0].passage) == ("Film 9", "p9")
    assert (answer.provenance.source, answer.provenance.by, answer.provenance.who) == (
        "text",
        "person",
        "ann",
    )


def test_right_answers_of_systems_are_extended_answers():
    run = Run([Prediction(one.id, ["Film 1-0", "Film 77", "Film 78"]) for one in film_set()], "run")
    collected = judged_project(
        "judge-pooled",
        TaskMaterial(film_set(), runs=[run]),
        ["ann"],
        lambda item, person: Verdict(
            "right" if item.shown["answer"] == "Film 77" or item.injected else "wrong"
        ),
    )
    question = new_version(film_set(), collected).questions.questions[0]
    assert [(one.label, one.provenance.source) for one in question.extended] == [("Film 77", "runs")]


def test_wrong_names_are_taken_back():
    questions = film_set(1)
    answer = questions.questions[0].answers[0]
    for name in ("Film One", "First Film"):
        answer.aliases.append(name)
        answer.added.append(AddedAlias(name, "Q1000", "graph"))
    collected = judged_project(
        "equivalence",
        TaskMaterial(questions, runs=[Run([Prediction("q1", ["Film One", "First Film"])], "run")]),
        ["ann"],
        lambda item, person: (
            Verdict("wrong", {"why": "other-entity"})
            if item.shown["prediction"] == "Film One"
            else Verdict("correct")
        ),
    )
    changed = new_version(questions, collected).questions.questions[0].answers[0]
    assert "Film One" not in changed.aliases
    assert [one.text for one in changed.added] == ["First Film"]


def test_marks_of_screening_become_a_characteristic():
    collected = judged_project(
        "screen",
        TaskMaterial(film_set()),
        ["ann"],
        lambda item, person: Verdict("clumsy" if item.question == "q1" else "fine"),
    )
    found = new_version(film_set(), collected).questions
    assert [one.characteristics["screen"] for one in found] == ["clumsy", "fine", "fine", "fine"]


def test_a_project_that_leaves_nothing_says_so():
    everything = {answer.label for question in film_set() for answer in question.answers}
    with pytest.raises(RollcallError, match="no question of the project films is left"):
        new_version(film_set(), validation(everything))


def test_a_set_without_that_project_says_which_it_knows():
    found = new_version(film_set(), validation(set())).questions
    with pytest.raises(RollcallError, match="its projects: films"):
        judgments_of_set(found, "other")


def test_judgments_as_lines_have_everything():
    collected = validation({"Film 1-0"})
    rows = [msgspec.json.decode(line) for line in judgments_jsonl(collected)]
    assert len(rows) == len(collected.judged)
    row = next(one for one in rows if one["about"]["answer"] == "Film 1-0")
    assert (row["person"], row["choice"], row["state"]) == ("ann", "not-stated", "rejected")
    assert row["comment"] == "<b>no</b>, says another"


def test_a_spreadsheet_runs_nothing_of_what_people_wrote():
    collected = judged_project(
        "screen",
        TaskMaterial(film_set()),
        ["ann"],
        lambda item, person: Verdict("fine", comment='=HYPERLINK("http://evil","x")'),
    )
    read = list(csv.DictReader(io.StringIO(b"".join(judgments_csv(collected)).decode())))
    assert len(read) == 4
    assert all(row["comment"].startswith("'=") for row in read)
    assert read[0]["seconds"] == "20.0"
