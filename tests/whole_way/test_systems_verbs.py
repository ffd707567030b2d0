"""`rollcall.run` and `rollcall.retrieve` from a script: systems by name, class or object, with options."""

import json
import sys
from pathlib import Path

import msgspec
import pytest

import rollcall
from rollcall import RollcallError
from rollcall.cli.main import main
from rollcall.questions import Passage, Question, Run, read_run
from rollcall.systems import Context, Reader, Retriever, open_retriever
from rollcall.systems.read import READERS
from rollcall.systems.read.mentions import Mentions

QUESTIONS = [Question(f"q{n}", f"Who is {n}?", split="dev" if n % 3 else "train") for n in range(6)]

PLUGINS = '''
import msgspec
from rollcall.questions import Passage
from rollcall.systems import Reader, Retriever


class Titles(Reader):
    """Answers with titles."""

    class Options(msgspec.Struct, frozen=True):
        most: int = 2
        """How many."""

    needs = ("passages",)

    def __init__(self, most: int) -> None:
        self.most = most

    def read(self, question, passages):
        return [passage.title for passage in passages[: self.most]]


class Fixed(Retriever):
    """Finds the same for all."""

    def retrieve(self, questions, k):
        return [[Passage(f"p{n}", f"Page {n}", "Text.", 1.0) for n in range(k)] for _ in questions]


class Plain:
    """A reader that knows nothing of Rollcall."""

    def read(self, question, passages):
        return [question.id]


class Wrong:
    pass
'''


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a module of systems, where a user works."""
    (tmp_path / "systems_for_verbs.py").write_text(PLUGINS)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("systems_for_verbs", None)


def answers(run: Run) -> list[list[str]]:
    return [one.answers for one in run]


def test_nothing_is_written_without_a_file(plugins: Path) -> None:
    before = sorted(plugins.rglob("*.json*"))
    run = rollcall.run(QUESTIONS, "systems_for_verbs:Plain")
    assert answers(run) == [[one.id] for one in QUESTIONS]
    assert sorted(plugins.rglob("*.json*")) == before


def test_systems_come_from_a_module_with_their_options(plugins: Path) -> None:
    named = {"retriever": "systems_for_verbs:Fixed", "k": 5}
    assert answers(rollcall.run(QUESTIONS[:1], "systems_for_verbs:Titles", **named)) == [["Page 0", "Page 1"]]
    more = rollcall.run(QUESTIONS[:1], "systems_for_verbs:Titles", **named, options={"most": "3"})
    assert answers(more) == [["Page 0", "Page 1", "Page 2"]]
    assert more.settings["reader"]["most"] == 3


@pytest.mark.parametrize(
    ("reader", "options", "message"),
    [
        ("mentoins", {}, "'mentoins' is not a reader; did you mean mentions"),
        ("systems_for_verbs:Wrong", {}, "is not a reader: it has no method read"),
        ("systems_for_verbs:Titles", {"moist": 3}, r"no option moist of .*; did you mean most\?"),
        (
            "systems_for_verbs:Titles",
            {"most": "few"},
            "the option most=few: must be a whole number, and is text",
        ),
        ("systems_for_verbs:Titles", {"systems_for_verbs:Fixed.most": 3}, "there is no option"),
        ("mentions", {}, "the reader mentions needs a graph or a corpus: give --graph or --corpus"),
        (
            "llm",
            {"mode": "closed-book"},
            "the reader llm needs a language model: give --base-url and --model",
        ),
        (
            "llm",
            {"mode": "closedbook"},
            "the option mode=closedbook: 'closedbook' is not one of passages, each, closed-book",
        ),
    ],
)
def test_mistakes_are_told_before_anything_is_loaded(
    plugins: Path, reader: str, options: dict[str, object], message: str
) -> None:
    with pytest.raises(RollcallError, match=message):
        rollcall.run(QUESTIONS, reader, retriever="systems_for_verbs:Fixed", options=options)


def test_what_a_retriever_needs_is_told_too() -> None:
    with pytest.raises(RollcallError, match="the retriever bm25 needs a corpus: give --corpus"):
        rollcall.run(QUESTIONS, "mentions", graph="nowhere")
    with pytest.raises(RollcallError, match="the reader Titled needs passages"):
        rollcall.run(QUESTIONS, Titled, retriever=None)


class Titled(Reader):
    needs = ("passages",)

    def read(self, question, passages):
        return [passage.title for passage in passages]


class Found(Retriever):
    """A retriever that numbers what it finds."""

    class Options(msgspec.Struct, frozen=True):
        first: int = 0
        step: int = 1

    def __init__(self, first: int = 0, step: int = 1) -> None:
        self.first, self.step = first, step

    def retrieve(self, questions, k):
        numbers = range(self.first, self.first + k * self.step, self.step)
        return [[Passage(f"p{n}", f"Page {n}", "Text.", 1.0) for n in numbers] for _ in questions]


def test_classes_and_objects_are_systems_too() -> None:
    ready = rollcall.run(QUESTIONS[:1], Titled(), retriever=Found(first=3), k=1)
    named = rollcall.run(QUESTIONS[:1], Titled, retriever=Found, k=1, options={"first": 3})
    assert answers(ready) == answers(named) == [["Page 3"]]
    with pytest.raises(RollcallError, match="int is not a reader"):
        rollcall.run(QUESTIONS, 3)


class Demanding:
    def __init__(self, something: int) -> None:
        self.something = something

    def read(self, question, passages):
        return []


class Answering:
    """A reader that gives what it was made with."""

    def __init__(self, given: object) -> None:
        self._given = given

    def read(self, question, passages):
        return self._given


class Stingy:
    def retrieve(self, questions, k):
        return []


def test_systems_that_break_their_promise_are_told_apart_from_bugs() -> None:
    with pytest.raises(RollcallError, match=r"Demanding cannot be made .*'something'.*open\(options"):
        rollcall.run(QUESTIONS, Demanding)
    for given in (None, "Ann", ["Ann", 3], 7):
        with pytest.raises(RollcallError, match=r"Answering answered .*; answers are a list of texts"):
            rollcall.run(QUESTIONS, Answering(given))
    assert answers(rollcall.run(QUESTIONS[:1], Answering(("Ann", "Bo")))) == [["Ann", "Bo"]]
    with pytest.raises(RollcallError, match="Stingy gave 0 lists of passages for 6 questions"):
        rollcall.run(QUESTIONS, Titled, retriever=Stingy())


def test_a_reader_that_registers_itself_is_the_one_that_runs() -> None:
    """Once, a reader that was only listed by name ran `all-candidates` instead."""
    READERS.register("titled for tests")(Titled)
    try:
        run = rollcall.run(QUESTIONS[:1], "titled for tests", retriever=Found(), k=1)
    finally:
        del READERS._entries["titled for tests"]
    assert answers(run) == [["Page 0"]]


def test_plugins_are_fused_with_others(plugins: Path) -> None:
    both = open_retriever("systems_for_verbs:Fixed+systems_for_verbs:Fixed", Context())
    assert both.name == "Fixed+Fixed"
    assert len(both.retrieve([], 3)) == 0


def test_an_option_may_name_the_part_it_is_for(asked_world) -> None:
    context = Context(corpus=asked_world.corpus)
    other = open_retriever("bm25+bm25", context, {"bm25.k1": 0.9})
    assert other.name == "bm25(k1=0.9,b=0.75)+bm25(k1=0.9,b=0.75)"


def test_a_run_continues_and_refuses_other_systems(tmp_path: Path) -> None:
    out = tmp_path / "runs" / "run.jsonl"
    first = rollcall.run(QUESTIONS, Titled, retriever=Found(), k=1, out=out)
    again = rollcall.run(QUESTIONS, Titled, retriever=Found(), k=1, out=str(out))
    assert answers(first) == answers(again)
    with pytest.raises(RollcallError, match=r"retriever.first: 0 then, 3 now"):
        rollcall.run(QUESTIONS, Titled, retriever=Found(first=3), k=1, out=out)
    with pytest.raises(RollcallError, match=r"covers.splits: \['dev', 'train'\] then, \['dev'\] now"):
        rollcall.run(QUESTIONS, Titled, retriever=Found(), k=1, out=out, split="dev")


def test_a_run_records_what_it_covers(tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    made = rollcall.run(QUESTIONS, Titled, retriever=Found(), k=1, out=out, split="dev", limit=3)
    for run in (made, Run.open(out), read_run(out)):
        assert run.covers is not None
        assert (run.covers.questions, run.covers.of, run.covers.splits) == (3, 6, ["dev"])
    whole = rollcall.run(QUESTIONS, Titled, retriever=Found(), k=1)
    assert whole.covers is not None
    assert (whole.covers.questions, whole.covers.of) == (6, 6)


def test_plain_dicts_are_questions() -> None:
    run = rollcall.run([{"id": "1", "question": "Who?"}], Titled, retriever=Found(), k=1)
    assert answers(run) == [["Page 0"]]
    with pytest.raises(RollcallError, match=r"the questions: record 2: question must be"):
        rollcall.run([{"id": "1", "question": "Who?"}, {"question": ["Who?"]}], Titled, retriever=Found())
    for wrong, message in (
        ({"limit": 0}, "limit: must be"),
        ({"k": 0}, "k: must be"),
        ({"split": "best"}, "best"),
    ):
        with pytest.raises(RollcallError, match=message):
            rollcall.run(QUESTIONS, Titled, retriever=Found(), **wrong)
    with pytest.raises(RollcallError, match="no wording"):
        rollcall.run([Question("1")], Titled, retriever=Found())


def test_passages_are_retrieved_from_a_script(asked_world) -> None:
    questions = asked_world.questions.questions[:3]
    found = rollcall.retrieve(questions, corpus=asked_world.folder / "corpus", k=4, options={"k1": 0.9})
    assert [len(one.retrieved) for one in found] == [4, 4, 4]
    assert found.settings["retriever"]["name"] == "bm25(k1=0.9,b=0.75)"
    bare = rollcall.retrieve(questions, corpus=asked_world.corpus, k=4, texts=False)
    assert all(passage.id and not passage.text for one in bare for passage in one.retrieved)


def test_a_tuned_reader_tells_what_it_was_fitted_on(asked_world) -> None:
    settings = {}
    for tune in (False, True):
        run = rollcall.run(
            asked_world.questions,
            corpus=asked_world.corpus,
            graph=asked_world.graph,
            split="dev",
            limit=2,
            k=20,
            options={"tune": tune},
        )
        settings[tune] = run.settings["reader"]
    assert settings[False]["graph_hash"] == settings[True]["graph_hash"]
    assert settings[False]["weights"] != settings[True]["weights"]
    assert (settings[False]["name"], settings[True]["name"]) == ("mentions", "mentions, tuned")
    assert Mentions(asked_world.graph).settings() == settings[False]


def test_a_reader_of_ones_own_from_the_command_line(plugins: Path, asked_world, capsys) -> None:
    out = plugins / "run.jsonl"
    arguments = ["run", str(asked_world.folder / "set"), "--corpus", str(asked_world.folder / "corpus")]
    arguments += ["--reader", "systems_for_verbs:Titles", "--limit", "2", "--out", str(out)]
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--option", "most=1", "--k1", "0.9"])
    assert ended.value.code == 0
    assert "2 questions by Titles over bm25(k1=0.9,b=0.75)" in capsys.readouterr().out
    assert [len(json.loads(line)["answers"]) for line in out.read_text().splitlines()] == [1, 1]
    for wrong, message in (
        (["--option", "moist=1"], "did you mean most?"),
        (["--option", "most"], "write name=value"),
        (["--mode", "each"], "there is no option mode of the retriever bm25 or the reader"),
        (["--retriever", "bm52"], "did you mean bm25"),
        (["--verify", "wrods"], "did you mean words"),
    ):
        with pytest.raises(SystemExit) as ended:
            main([*arguments, *wrong])
        assert ended.value.code == 2
        assert message in capsys.readouterr().err
