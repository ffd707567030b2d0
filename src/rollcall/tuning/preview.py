"""The questions that a recipe gives, from what was mined and proved before, by the stages of a build.

A build mines, proves, and then decides: it keeps queries with enough proved answers, draws, words and
assembles. The decisions take a second or two, the rest may take hours. So the stages that mine and prove run
once, with limits wide enough for what a person may choose (`widened`), and the deciding stages run again and
again with the recipe's own limits.

- `widened`, `proving_stages`, `signature`: what is mined and proved once, and whether it is wide enough.
- `Preview`: runs the deciding stages; `Shown` is what they give.
"""

import hashlib
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from rollcall.build.pipelines import PIPELINES
from rollcall.build.recipe import Recipe
from rollcall.build.stage import Inputs, Outcome, Stage, Work
from rollcall.mine.joins import DIRECTIONS
from rollcall.query import Entity, Query
from rollcall.questions.question_set import QUESTIONS
from rollcall.questions.record import Question
from rollcall.questions.splits import lot
from rollcall.tables.build import ChosenQueries, ValidatedQueries
from rollcall.tables.engine import Engine, WorkOptions
from rollcall.tables.files import records, write_records

SHOWN = 150
"""The most questions that are worded for a preview; with more, that many are drawn."""
_LEAST, _PROVED = 2, 0.4
_DECIDING = ("sample", "word", "assemble", "release", "audit")


def _decides(stage: str) -> bool:
    return stage in _DECIDING or stage.endswith("-validated")


def widened(recipe: Recipe) -> dict[str, Any]:
    """Changes to a recipe with which all is mined and proved that other limits may ask for."""
    parameters = recipe.parameters
    if not hasattr(parameters, "relations"):
        return {}
    answers = parameters.answers
    return {
        "answers.least": min(answers.least, _LEAST),
        "answers.validated": min(answers.validated, _PROVED),
        "relations.excluded": [],
        "simple.directions": list(DIRECTIONS),
    }


def proving_stages(stages: Iterable[Stage]) -> list[Stage]:
    """The stages that mine and prove."""
    return [stage for stage in stages if not _decides(stage.name)]


def signature(stages: Iterable[Stage]) -> str:
    """What the mining and proving stages depend on besides the words: another one means to prove again."""
    return _digest({stage.name: _proving_parameters(stage) for stage in proving_stages(stages)})


def _proving_parameters(stage: Stage) -> dict[str, Any]:
    parameters = {name: value for name, value in stage.parameters.items() if name != "wording"}
    if "evidence" in parameters:  # the share that must be proved is looked at afterwards
        kept = parameters["evidence"].items()
        parameters["evidence"] = {name: value for name, value in kept if name != "validated"}
    return parameters


def stages_of(recipe: Recipe, inputs: Inputs) -> list[Stage]:
    """All stages of a recipe."""
    return list(PIPELINES.find(recipe.pipeline).stages(recipe.parameters, inputs, recipe.record()))


class LeftOut(NamedTuple):
    """How many queries a stage left out, and the key of the recipe that decides it."""

    stage: str
    why: str
    queries: int
    key: str


class Shown(NamedTuple):
    """The questions of a recipe, with what was left out."""

    questions: list[Question]
    total: int
    """How many questions there are; of a preview with many, not all are worded."""
    left_out: list[LeftOut]
    kinds: Mapping[str, int]
    """How many questions of each kind were drawn."""


def left_out(outcomes: Mapping[str, Outcome]) -> list[LeftOut]:
    """What the deciding stages removed, the largest number first."""
    rows = [
        LeftOut(name, why, count, outcome.change.get(why, ""))
        for name, outcome in outcomes.items()
        if _decides(name)
        for why, count in outcome.removed.items()
        if count
    ]
    return sorted(rows, key=lambda row: (-row.queries, row))


def questions_in(folder: Path) -> list[Question]:
    """The questions that the last stage has written."""
    return msgspec.json.Decoder(Question).decode_lines((folder / QUESTIONS).read_bytes())


class Preview:
    """Runs the deciding stages on what other stages have written, and keeps what they wrote last."""

    def __init__(self, folder: Path, inputs: Inputs, options: WorkOptions):
        self._folder, self._inputs, self._options = folder, inputs, options
        self._outcomes: dict[Path, Outcome] = {}

    def show(
        self,
        recipe: Recipe,
        proved: Path,
        version: str,
        excluded: Collection[str] = (),
        directions: Collection[str] = DIRECTIONS,
    ) -> Shown:
        """The questions of a recipe, from the mined and proved tables in a folder of some version.

        `excluded` are the ids of relations that the recipe leaves out, `directions` the ends that it asks
        for. `NoQuestionsError` is raised if no question is left.
        """
        stages = stages_of(_with_dropped(recipe), self._inputs)
        keep = _Wanted(excluded, directions)
        folders: dict[str, Path] = {}
        outcomes: dict[str, Outcome] = {}
        tokens: dict[str, str] = {}
        with self._options.opened() as engine:
            for stage in stages:
                if not _decides(stage.name):
                    folders[stage.name], tokens[stage.name] = proved / stage.name, version
                elif stage.name != "release":
                    after = keep if stage.name.endswith("-validated") else _capped
                    token = tokens[stage.name] = self._token(stage, tokens, keep.token)
                    folder = folders[stage.name] = self._folder / stage.name / token
                    self._run(stage, folder, folders, outcomes, engine, after)
                    outcomes[stage.name] = self._outcomes[folder]
        drawn = outcomes.get("sample")
        questions = questions_in(folders["assemble"])
        total = len(questions) if drawn is None or drawn.rows <= SHOWN else drawn.rows
        return Shown(questions, total, left_out(outcomes), _kinds(drawn, questions))

    def _token(self, stage: Stage, tokens: Mapping[str, str], filtered_by: str) -> str:
        """What a stage depends on, in short."""
        files = {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in stage.inputs.items()
            if path.is_file()
        }
        needs = {name: tokens[name] for name in stage.needs}
        return _digest([stage.name, dict(stage.parameters), files, needs, filtered_by])[:24]

    def _run(
        self,
        stage: Stage,
        folder: Path,
        folders: Mapping[str, Path],
        outcomes: Mapping[str, Outcome],
        engine: Engine,
        after: Callable[[Stage, Path], None],
    ) -> None:
        """Run a stage unless its output is there, and remove its older output."""
        if folder in self._outcomes:
            return
        for old in folder.parent.iterdir() if folder.parent.exists() else ():
            shutil.rmtree(old)
            self._outcomes.pop(old, None)
        folder.mkdir(parents=True)
        before = {name: folders[name] for name in stage.needs}
        told = {name: outcomes.get(name, Outcome()) for name in stage.needs} if stage.uses_outcomes else {}
        outcome = stage.work(Work(folder, before, engine, told, show_progress=False))
        after(stage, folder)
        self._outcomes[folder] = outcome


class _Wanted:
    """Keeps the queries of relations and directions that a recipe asks for; more than these was mined."""

    def __init__(self, excluded: Collection[str], directions: Collection[str]):
        self._excluded = frozenset(excluded)
        self._directions = frozenset(directions)
        self.token = _digest([sorted(self._excluded), sorted(self._directions)])

    def __call__(self, stage: Stage, folder: Path) -> None:
        if self._excluded or len(self._directions) < len(DIRECTIONS):
            kept = folder / "kept.parquet"
            write_records(ValidatedQueries, kept, list(filter(self._keeps, records(ValidatedQueries, kept))))

    def _keeps(self, row: Mapping[str, Any]) -> bool:
        query = Query.parse(row["query"])
        if self._excluded.intersection(query.relations):
            return False
        if row["kind"] not in ("simple", "intersection"):
            return True
        asked = {"object" if isinstance(edge.subject, Entity) else "subject" for edge in query.edges}
        return asked <= self._directions


def _capped(stage: Stage, folder: Path) -> None:
    """Keep so many drawn queries as are worded."""
    path = folder / "chosen.parquet"
    if stage.name == "sample":
        rows = list(records(ChosenQueries, path))
        if len(rows) > SHOWN:
            shown = {row["key"] for row in sorted(rows, key=_position)[:SHOWN]}
            write_records(ChosenQueries, path, [row for row in rows if row["key"] in shown])


def _position(row: Mapping[str, Any]) -> str:
    return lot(0, "shown", row["key"])


def _with_dropped(recipe: Recipe) -> Recipe:
    """The recipe with the answers that it drops kept as neutral ones, so that a person sees them."""
    answers = recipe.parameters.answers
    if answers.unproved != "drop":
        return recipe
    answers = msgspec.structs.replace(answers, unproved="neutral")
    parameters = msgspec.structs.replace(recipe.parameters, answers=answers)
    return Recipe(recipe.name, recipe.pipeline, recipe.description, parameters, recipe.audit)


def _kinds(drawn: Outcome | None, questions: Iterable[Question]) -> Mapping[str, int]:
    if drawn is not None and drawn.counts:
        return drawn.counts
    return Counter(question.kind or "other" for question in questions)


def _digest(value: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()
