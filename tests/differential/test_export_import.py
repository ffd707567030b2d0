"""A set that is exported and imported again has the figures of the original, in every format.

What a format has no place for is said on the page about questions, and nowhere else: that is taken out of
both sets, and every figure of `stats` and `score` must then be the same. The page may not say too much
either: whatever it names makes some figure differ.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from places import ROOT
from rollcall import RollcallError
from rollcall.build import build
from rollcall.cli.main import main
from rollcall.questions import Answer, Question, QuestionSet, read_questions
from rollcall.questions.exporting import export, export_files, written_formats
from rollcall.questions.splits import lot

NOT_READ = {"beir", "lm-eval", "markdown", "promptfoo", "ragas"}
OF_PASSAGES = {"trec"}
"""Formats of judgments, in which passages are the answers."""
CHANGES = (
    "evidence.use=true", "evidence.verifier=contrast", "templates.queries=30", "templates.per_template=3",
    "clusters.clusters=8", "clusters.candidates=20", "clusters.most_positive=10", "clusters.attempts=3000",
    "sets.per_operation=4", "evidence.validated=0",
)  # fmt: skip
PARTS = ("template", "cluster", "set-operation", "qampari")
PARTS_OF = {"graphquestions": PARTS[:3], "romqa": PARTS[1:2]}
"""The parts that a format can hold, if not all; GraphQuestions' gives QAMPARI's more characteristics."""
OWN_PART = {"graphquestions": "template", "romqa": "cluster"}
"""The questions that a format was made for."""


def losses() -> dict[str, list[str]]:
    """What each format has no place for, as the page says: paths of fields of a question."""
    text = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
    table = text.split("| format | has no place for |\n|---|---|\n")[1].split("\n\n")[0]
    found = {}
    for line in table.splitlines():
        formats, fields = line.strip("| ").split(" | ")
        without_asides = re.sub(r"\([^)]*\)|;.*|but `domain`", "", fields)
        for name in re.findall(r"`([^`]+)`", formats):
            found[name] = re.findall(r"`([^`]+)`", without_asides)
    return found


LOSSES = losses()


@pytest.fixture(scope="module")
def sets(
    small_world: Path, small_set: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, QuestionSet]:
    """Questions of every kind, of several splits, some of them with extended answers."""
    out = tmp_path_factory.mktemp("built") / "mixed"
    folders = {"graph": small_world / "graph", "corpus": small_world / "corpus", "out": out}
    questions = [
        *build("mixed", changes=CHANGES, jobs=1, **folders),
        *list(QuestionSet.open(small_set))[::20],
    ]
    for question in questions[::7]:
        question.extended, question.searched = [Answer("Found Later", "Q-later", ["FL"])], True
    for question in questions[1::7]:
        question.searched = True
    made: dict[str, list[Question]] = {part: [] for part in PARTS}
    for question in sorted(questions, key=lambda one: one.split or ""):
        made[question.kind if question.kind in PARTS else "qampari"].append(question)
    assert all(len({one.split for one in part}) > 1 for part in made.values())
    return {part: QuestionSet(members) for part, members in made.items()}


def test_the_page_names_every_format_that_is_written():
    assert set(written_formats()) == LOSSES.keys() | NOT_READ | OF_PASSAGES


@pytest.mark.parametrize("name", sorted(LOSSES))
def test_figures_are_the_same_but_for_what_has_no_place(
    name: str, sets: dict[str, QuestionSet], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    seen: set[str] = set()
    for part in PARTS_OF.get(name, PARTS):
        original, imported = sets[part], there_and_back(sets[part], name, tmp_path / part, capsys)
        figures = Figures(tmp_path / part, capsys)
        gone = LOSSES[name]
        assert figures.of(original, gone) == figures.of(imported, gone), part
        seen |= {loss for loss in gone if values(original, loss) != values(imported, loss)}
    assert seen == set(LOSSES[name]), "the page says that something is lost which is not"


@pytest.mark.parametrize("name", sorted(OWN_PART))
def test_sets_of_a_paper_keep_their_ids_kinds_and_clusters(
    name: str, sets: dict[str, QuestionSet], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    part = OWN_PART[name]
    imported = there_and_back(sets[part], name, tmp_path, capsys)
    figures, gone = Figures(tmp_path, capsys), set(LOSSES[name]) - {"id", "kind", "cluster", "candidates"}
    assert figures.of(sets[part], sorted(gone)) == figures.of(imported, sorted(gone))


def test_questions_that_romqa_has_no_form_for_are_refused(sets: dict[str, QuestionSet], tmp_path: Path):
    with pytest.raises(RollcallError, match="RoMQA's form"):
        export(sets["template"], "romqa", tmp_path / "out")


@pytest.mark.parametrize("name", sorted(NOT_READ - {"beir"}))
def test_files_for_tools_alone_are_not_taken_for_questions(
    name: str, sets: dict[str, QuestionSet], tmp_path: Path
):
    made = export_files(sets["cluster"], name, tmp_path / "out").files
    path = next(path for path, file in made if file.number is not None)
    with pytest.raises(RollcallError, match="not recognised as questions"):
        read_questions(path)


def there_and_back(
    questions: QuestionSet, name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> QuestionSet:
    """A set as it is after `rollcall export` and `rollcall import`, with all splits in one import."""
    questions.save(folder / "set")
    run(capsys, "export", folder / "set", "--format", name, "--out", folder / "files")
    files = [
        next((folder / "files").rglob(f"{split}*"))
        for split in sorted({one.split or "" for one in questions})
    ]
    run(capsys, "import", *files, "--out", folder / "back")
    back = QuestionSet.open(folder / "back")
    assert len(back) == len(questions)
    return back


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> str:
    """What a command prints."""
    with pytest.raises(SystemExit) as ended:
        main([*map(str, words)])
    out, err = capsys.readouterr()
    assert ended.value.code == 0, err
    return str(out)


class Figures:
    """The figures that the commands print, in which nothing but the order of the questions is free."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]):
        self.folder = folder
        self.capsys = capsys

    def of(self, questions: QuestionSet, gone: Sequence[str]) -> dict[str, Any]:
        """All figures of a set, without some fields of its questions."""
        left = [without(question, place, gone) for place, question in enumerate(questions)]
        gold, run = self.folder / "gold", self.folder / "run.jsonl"
        QuestionSet(left).save(gold)
        run.write_text(
            "".join(
                json.dumps({"id": kept.id, "answers": said(place, whole)}) + "\n"
                for place, (kept, whole) in enumerate(zip(left, questions, strict=True))
            )
        )
        found = {"stats": self.printed("stats", gold)}
        options = ["--by", "all", *(["--robustness"] if any(one.cluster for one in left) else [])]
        for setting in ("complete", *(["closed"] if any(one.candidates for one in left) else [])):
            report = self.printed("score", gold, run, *options, "--gold", setting)
            found[setting] = {key: value for key, value in report.items() if key not in ("read", "gold")}
        for places in found["stats"].get("graphquestions", {}).get("figure_6", {}).values():
            for ids in places.values():
                ids.sort()
        return dict(flat(found))

    def printed(self, *words: str | Path) -> dict[str, Any]:
        return dict(json.loads(run(self.capsys, *words, "--json")))


def flat(value: Any, path: str = "") -> Iterator[tuple[str, object]]:
    """Every figure with its path, so that a difference shows as one line."""
    if isinstance(value, dict) and value:
        for key, inside in value.items():
            yield from flat(inside, f"{path}/{key}")
    elif isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        for place, inside in enumerate(value):
            yield from flat(inside, f"{path}/{place}")
    else:
        yield path, value.casefold() if isinstance(value, str) else value  # GraphQuestions has small letters


def said(place: int, question: Question) -> list[str]:
    """A made-up prediction, the same for both sets: some answers by their labels, and wrong ones."""
    number = int(lot(0, "said", place)[:8], 16)
    labels = [answer.label for answer in question.answers]
    return labels[: number % (len(labels) + 1)] + ["wrong"] * (number % 3)


def without(question: Question, place: int, gone: Iterable[str]) -> Question:
    """A question without some fields; without its id, its place is its id."""
    record: Any = msgspec.to_builtins(question)
    for path in gone:
        for held, name in fields(record, path):
            held.pop(name, None)
    return msgspec.convert({"id": f"{place:04}", **record}, Question)


def values(questions: QuestionSet, path: str) -> list[object]:
    """What questions have in a field."""
    return [
        held.get(name) for question in questions for held, name in fields(msgspec.to_builtins(question), path)
    ]


def fields(record: dict[str, Any], path: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The objects that may have a field, and its name there; what is in answers is in candidates, too."""
    first, _, inside = path.partition(".")
    if not inside:
        yield record, first
        return
    for name in (first, "candidates") if first == "answers" else (first,):
        value = record.get(name, [])
        for member in [value] if isinstance(value, dict) else value:
            yield from fields(member, inside)
