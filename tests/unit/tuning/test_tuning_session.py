"""What a person tunes is shown at once, and a build of what was saved gives the same questions."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from made_once import made_once
from rollcall import RollcallError, build
from rollcall.tables.engine import WorkOptions
from rollcall.tuning.files import ChangedOnDiskError
from rollcall.tuning.session import TuningSession
from tuned_pumps import RECIPE, write_pumps


@pytest.fixture(scope="module")
def pumps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph and a corpus, and `proved`, what a session has mined and proved of them."""

    def make(folder: Path) -> None:
        write_pumps(folder)

    return made_once(tmp_path_factory, "pumps", make)


@pytest.fixture(scope="module")
def cache(pumps: Path) -> Path:
    return pumps / "cache"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(RECIPE)
    return path


@pytest.fixture
def session(pumps: Path, cache: Path, mine: Path) -> Iterator[TuningSession]:
    opened = session_of(pumps, cache, str(mine))
    assert opened.step()
    yield opened
    opened.close()


def session_of(pumps: Path, cache: Path, recipe: str) -> TuningSession:
    return TuningSession(pumps / "graph", pumps / "corpus", recipe, cache, WorkOptions(jobs=1))


def texts(session: TuningSession) -> set[str]:
    shown = session.shown()
    assert shown is not None
    return {question.question for question in shown.questions}


def phase(session: TuningSession) -> str:
    return session.state.phase


def number_of(session: TuningSession, label: str) -> int:
    return next(row.number for row in session.relations() if row.label == label)


def test_nothing_is_shown_before_mining_and_then_a_preview(pumps: Path, cache: Path, mine: Path) -> None:
    opened = session_of(pumps, cache, str(mine))
    assert opened.shown() is None
    assert phase(opened) == "proving"
    opened.step()
    assert phase(opened) == "preview"
    assert "Which pumps run at Norrbay?" in texts(opened)
    opened.close()


def test_relations_have_counts_examples_and_questions_about_both_ends(session: TuningSession) -> None:
    row = session.row(number_of(session, "runs at"))
    assert row.profile.facts == 18
    assert row.profile.examples[0] == "Pump K0 – Norrbay"
    assert row.profile.questions[0] == "Which pumps run at Norrbay?"
    assert "Pump K0" in row.profile.questions[1]


def test_limits_change_what_is_shown(session: TuningSession) -> None:
    before = texts(session)
    assert session.set_limits({"answers.least": "6"})
    after = texts(session)
    assert after < before
    shown = session.shown()
    assert shown is not None
    assert all(len(question.answers) >= 6 for question in shown.questions)
    assert any("fewer than 6" in row.why and row.key == "answers.least" for row in shown.left_out)
    assert session.set_limits({"answers.least": "3"})
    assert texts(session) == before
    assert not session.changes


def test_unproved_answers_are_shown_with_the_reason_also_where_they_are_dropped(
    session: TuningSession,
) -> None:
    for unproved in ("neutral", "drop"):
        session.set_limits({"answers.unproved": unproved})
        shown = session.shown()
        assert shown is not None
        (question,) = [
            one for one in shown.questions if one.question == "Which pumps are made by Arden Works?"
        ]
        assert [answer.label for answer in question.neutral] == ["Pump K9"]
        assert question.neutral[0].reason == "no sentence names both"


def test_words_change_the_questions_and_the_relation(session: TuningSession) -> None:
    number = number_of(session, "runs at")
    assert session.set_words(number, {"forward": "hums at {object}", "noun": "site"})
    assert session.row(number).profile.questions[0] == "Which pumps hum at Norrbay?"
    assert "Which pumps hum at Norrbay?" in texts(session)
    assert not session.set_words(number, {"forward": "hums at {object}", "noun": "site"})


def test_words_that_are_not_valid_change_nothing(session: TuningSession) -> None:
    before = texts(session)
    with pytest.raises(RollcallError, match=r"forward must hold the other end exactly once"):
        session.set_words(number_of(session, "maker"), {"forward": "is made"})
    with pytest.raises(RollcallError, match=r"answers\.least: 'many' is not a whole number"):
        session.set_limits({"answers.least": "many"})
    with pytest.raises(RollcallError, match=r"answers\.least 9 is above answers\.most 5"):
        session.set_limits({"answers.least": "9", "answers.most": "5"})
    assert texts(session) == before
    assert not session.changes


def test_a_relation_can_be_left_out_and_asked_about_again(session: TuningSession) -> None:
    before, number = texts(session), number_of(session, "maker")
    session.set_left_out(number, left_out=True)
    assert not any("made" in text for text in texts(session))
    session.set_left_out(number, left_out=False)
    assert texts(session) == before
    assert not session.changes


def test_ends_that_are_not_asked_for_are_left_out(session: TuningSession) -> None:
    session.set_limits({"simple.directions": "object"})
    with pytest.raises(
        RollcallError, match="no question is left"
    ):  # a pump has one maker, and runs at one site
        session.shown()


@pytest.mark.slow
def test_wider_limits_than_were_mined_are_mined(session: TuningSession) -> None:
    session.set_limits({"answers.least": "1"})
    assert session.step()
    shown = session.shown()
    assert shown is not None
    assert min(len(question.answers) for question in shown.questions) == 1


def test_a_build_confirms_the_preview_and_gives_what_was_saved(
    session: TuningSession, pumps: Path, mine: Path, tmp_path: Path
) -> None:
    session.set_limits({"answers.least": "4", "split.quotas.intersection": "2"})
    session.set_words(number_of(session, "maker"), {"forward": "was cast by {object}"})
    session.set_left_out(number_of(session, "runs at"), left_out=True)
    preview = texts(session)
    assert session.step()
    assert phase(session) == "built"
    built = texts(session)
    assert built == preview
    files = session.save()
    assert files == [str(mine), str(tmp_path / "mine-words.yaml")]
    assert not session.changes
    assert phase(session) == "built"
    made = build(
        str(mine),
        graph=pumps / "graph",
        corpus=pumps / "corpus",
        out=tmp_path / "set",
        options=WorkOptions(jobs=1),
    )
    assert {question.question for question in made} == built
    assert "Which pumps were cast by Arden Works?" in built


def test_saving_keeps_comments_and_other_keys(session: TuningSession, mine: Path) -> None:
    session.set_limits({"answers.least": "4"})
    assert session.save() == [str(mine)]
    assert mine.read_text() == RECIPE.replace("least: 3", "least: 4")


def test_a_lexicon_of_the_recipe_keeps_what_else_it_says(
    pumps: Path, cache: Path, mine: Path, tmp_path: Path
) -> None:
    words = tmp_path / "words.yaml"
    words.write_text("# Ours.\nmaker:\n  label: maker   # they\n  noun: builder\nrare: {label: rare}\n")
    mine.write_text(f"{RECIPE}wording:\n  lexicon: {words}\n")
    opened = session_of(pumps, cache, str(mine))
    opened.set_words(number_of(opened, "maker"), {"forward": "was cast by {object}"})
    assert opened.save() == [str(mine), str(words)]
    assert words.read_text().splitlines()[:4] == [
        "# Ours.",
        "maker:",
        "  label: maker   # they",
        "  noun: builder",
    ]
    assert yaml.safe_load(words.read_text()) == {
        "maker": {"label": "maker", "noun": "builder", "forward": "was cast by {object}"},
        "rare": {"label": "rare"},
    }
    opened.close()


def test_a_change_of_the_file_by_somebody_else_is_noticed(session: TuningSession, mine: Path) -> None:
    session.set_limits({"answers.least": "4"})
    mine.write_text(RECIPE.replace("0.6", "0.7"))
    assert session.changed_on_disk == [str(mine)]
    with pytest.raises(ChangedOnDiskError, match="was changed since it was opened here"):
        session.save()
    session.save(anyway=True)
    assert mine.read_text() == RECIPE.replace("0.6", "0.7").replace("least: 3", "least: 4")
    mine.write_text(RECIPE)
    session.reload()
    assert not session.changed_on_disk
    assert session.recipe.parameters.answers.least == 3


def test_a_packaged_recipe_is_copied_and_a_new_one_created(pumps: Path, cache: Path, tmp_path: Path) -> None:
    packaged = session_of(pumps, cache, "qampari")
    with pytest.raises(RollcallError, match="qampari comes with Rollcall; give a file"):
        packaged.save()
    with pytest.raises(RollcallError, match=r"a recipe is a \.yaml file"):
        packaged.save(str(tmp_path / "mine.txt"))
    (tmp_path / "no folder").write_text("")
    with pytest.raises(RollcallError, match=r"no folder/mine\.yaml: cannot be .*name another file"):
        packaged.save(str(tmp_path / "no folder" / "mine.yaml"))
    packaged.set_limits({"answers.least": "4"})
    own = tmp_path / "own.yaml"
    assert packaged.save(str(own)) == [str(own)]
    assert "share of a question's answers that text must prove" in own.read_text()
    new = session_of(pumps, cache, str(tmp_path / "new.yaml"))
    assert new.save() == [str(tmp_path / "new.yaml")]
    assert yaml.safe_load((tmp_path / "new.yaml").read_text()) == {"pipeline": "qampari"}
    for opened in (packaged, new):
        opened.close()


@pytest.mark.slow
def test_limits_of_structures_are_applied_at_once(pumps: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "sets.yaml"
    recipe.write_text(
        "pipeline: structured\nkinds: [set-operation]\nsets: {per_operation: 5}\nevidence: {verifier: none}\n"
    )
    opened = session_of(pumps, tmp_path / "cache", str(recipe))
    opened.step()
    before = texts(opened)
    opened.set_limits({"answers.unproved": "neutral", "answers.least": "4", "evidence.validated": "0.9"})
    preview = texts(opened)
    assert preview < before
    opened.step()
    assert phase(opened) == "built"
    assert texts(opened) == preview
    assert not opened.can_leave_out
    opened.close()


def test_no_question_is_said_and_not_an_error_of_the_page(session: TuningSession) -> None:
    session.set_limits({"answers.least": "30"})
    with pytest.raises(RollcallError, match="no question is left"):
        session.shown()
    session.step()
    assert phase(session) == "failed"
    session.set_limits({"answers.least": "3"})
    assert phase(session) == "preview"
    assert texts(session)


def test_a_recipe_that_does_not_exist_is_refused(pumps: Path, cache: Path) -> None:
    with pytest.raises(RollcallError, match="quampari: no such recipe; did you mean qampari"):
        session_of(pumps, cache, "quampari")
    with pytest.raises(RollcallError, match="qampari proves answers by text, so tuning it needs --corpus"):
        TuningSession(pumps / "graph", None, "qampari", cache)
