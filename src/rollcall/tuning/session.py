"""What a person tunes: a recipe and a lexicon, the questions they give, and the files they are saved to.

- `CONTROLS`: the keys of a recipe that can be set on the page. `WORDS`: the fields of a lexicon entry.
- `TuningSession`: the changes of one person. In the background it mines and proves once, with wide limits;
  from that, the questions of any change are shown at once (`shown`). When nothing has changed for a while,
  the real build runs in the background, and its questions take the place of the preview.
"""

import re
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.build import recipe as recipes
from rollcall.build.ends import realiser_for, relation_ends
from rollcall.build.lexicon import (
    RelationProfile,
    example_answers,
    example_queries,
    knows_graph,
    relation_profile,
    relations_by_size,
)
from rollcall.build.make import WORK, Build, check_inputs
from rollcall.build.pipelines import PIPELINES
from rollcall.build.recipe import Recipe
from rollcall.build.runner import Finished
from rollcall.build.stage import Inputs, Work
from rollcall.graph import Graph
from rollcall.mine.joins import DIRECTIONS
from rollcall.tables.engine import WorkOptions
from rollcall.tuning.files import EditedFile, KeyPath
from rollcall.tuning.preview import (
    Preview,
    Shown,
    left_out,
    proving_stages,
    questions_in,
    signature,
    stages_of,
    widened,
)
from rollcall.wording import Lexicon
from rollcall.wording.entry import Entry

NEW_RECIPE = "# Made with `rollcall view GRAPH --recipe`.\npipeline: qampari\n"
NEW_LEXICON = "# Words for the relations of a graph; `rollcall lexicon` explains the fields.\n"
MOST_RELATIONS = 200
"""The most relations on the page, the most frequent ones."""
QUIET_SECONDS = 3.0
"""After so long without a change, the build runs that confirms a preview."""


@dataclass(frozen=True)
class Control:
    """A key of a recipe that can be set on the page."""

    key: str
    label: str
    kind: Literal["number", "share", "choice"]
    low: float = 0
    high: float = 1
    choices: tuple[str, ...] = ()
    hint: str = ""
    empty: str = ""
    """What no value means, for keys that may have none."""

    @property
    def step(self) -> float:
        return 0.05 if self.kind == "share" else 1


_AS_ALL = "as for all kinds"
CONTROLS = (
    Control("answers.least", "Fewest answers", "number", 1, 30, hint="proved answers of a question"),
    Control("answers.most", "Most answers", "number", 5, 500, hint="proved answers of a question"),
    Control(
        "answers.validated", "Share proved", "share", hint="of a question's answers that text must prove"
    ),
    Control(
        "evidence.validated", "Share proved", "share", hint="of a question's answers that text must prove"
    ),
    Control(
        "answers.unproved",
        "Answers without proof",
        "choice",
        choices=("neutral", "count", "drop"),
        hint="neutral: neither required nor wrong",
    ),
    Control(
        "simple.directions",
        "Ends that are asked for",
        "choice",
        choices=("auto", "subject", "object", "subject, object"),
        hint="“Which groups use Y?” asks for subjects, “Which tools does X use?” for objects",
    ),
    Control("intersection.least", "Fewest answers of intersections", "number", 1, 30, empty=_AS_ALL),
    Control("intersection.validated", "Share proved of intersections", "share", empty=_AS_ALL),
    Control("composition.base", "Share proved of a composition's first hop", "share"),
    Control("sets.per_operation", "Queries of each set operation", "number", 0, 1000),
    Control("templates.queries", "Queries of templates", "number", 0, 2000),
    Control("clusters.clusters", "Clusters", "number", 0, 2000),
    Control("split.per_relation", "Training questions of a relation", "number", 1, 2000),
)
_QUOTAS = "split.quotas"
WORDS = {
    "label": "label",
    "noun": "noun",
    "plural": "plural_noun",
    "forward": "forward",
    "backward": "backward",
    "subjects": "subjects",
    "objects": "objects",
    "of": "of",
    "people": "people",
    "statement": "sentence",
    "most": "most",
    "least": "least",
}
"""The fields of a lexicon entry that can be written on the page, with the attributes that hold them."""
_NEVER_EMPTY = ("label", "forward", "subjects", "objects", "of")


@dataclass
class RelationRow:
    """A relation on the page."""

    id: str
    label: str
    number: int
    profile: RelationProfile
    left_out: bool
    saved: dict[str, str] = field(default_factory=dict)
    """The fields of its entry as they are saved."""

    def __post_init__(self) -> None:
        self.saved = self.words

    @property
    def words(self) -> dict[str, str]:
        """The fields of its entry."""
        return words_of(self.profile.entry)


def words_of(entry: Entry) -> dict[str, str]:
    """The fields of an entry, empty where it has none."""
    return {name: str(getattr(entry, attribute)) for name, attribute in WORDS.items()}


class State(NamedTuple):
    """What is shown and what is being done."""

    phase: Literal["proving", "preview", "building", "built", "failed"]
    """proving: nothing can be shown yet. preview: shown from what was proved. building: the same, and the
    build that confirms it runs. built: the questions of a build. failed: see `message`."""
    stage: str = ""
    done: int = 0
    stages: int = 0
    message: str = ""
    version: str = ""
    """Changes whenever other questions are shown."""


class _SupersededError(Exception):
    """What is being built is no longer what the person wants."""


class _Draft(NamedTuple):
    """What a person has chosen, as files that a build can read."""

    revision: int
    file: Path
    recipe: Recipe


class TuningSession:
    """The recipe and the lexicon that one person tunes, for one graph and corpus."""

    def __init__(
        self,
        graph: Path,
        corpus: Path | None,
        recipe: str,
        folder: Path,
        options: WorkOptions | None = None,
    ):
        self.inputs = Inputs(graph, corpus)
        self.given = recipe
        self._folder = folder
        self._options = msgspec.structs.replace(options or WorkOptions(), show_progress=False)
        self._graph = Graph.open(graph)
        self._changed = threading.Condition(threading.RLock())
        self._previewing = threading.Lock()
        self._preview = Preview(folder / "preview", self.inputs, self._options)
        self._over = False
        self._revision = 0
        self._signature = ""
        """That of what was mined and proved; empty before."""
        self._proved = 0
        """How often was mined and proved."""
        self._built: tuple[int, Shown] | None = None
        """The questions of the last build, and the revision that it built."""
        self._shown: tuple[str, Shown] | None = None
        self._failed: tuple[int, str] | None = None
        self._doing = State("proving")
        self._open_files()
        if corpus is None and PIPELINES.find(self.recipe.pipeline).needs_corpus(self.recipe.parameters):
            raise RollcallError(f"{recipe} proves answers by text, so tuning it needs --corpus")
        check_inputs(self.inputs)
        self._rows = self._all_rows()
        self._thread = threading.Thread(target=self._work, daemon=True, name="tuning")

    def start(self) -> None:
        """Mine and prove in the background."""
        self._thread.start()

    def close(self) -> None:
        """End the work in the background, at the latest after its present stage."""
        with self._changed:
            self._over = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    # The files: the recipe, and the lexicon that it names last.

    def _open_files(self) -> None:
        path = None if self.given in recipes.names() else Path(self.given)
        if path is None:
            self.recipe_file = EditedFile(None, recipes.source(self.given)[0])
        else:
            if path.suffix not in (".yaml", ".yml"):
                recipes.source(self.given)  # says which recipes there are
            self.recipe_file = EditedFile.open(path, NEW_RECIPE)
        loaded = self._load(self.recipe_file.text)
        lexicons = loaded.parameters.wording.lexicon
        self._lexicons = [lexicons] if isinstance(lexicons, str) else list(lexicons)
        self.lexicon_file = EditedFile(None, NEW_LEXICON)
        if self._lexicons:
            self.lexicon_file = EditedFile.open(Path(self._lexicons[-1]))

    @property
    def name(self) -> str:
        """The name of the recipe's file."""
        return str(self.recipe_file.path or self.given)

    @property
    def changes(self) -> int:
        """How many values are not saved."""
        return len(self.recipe_file.values) + len(self.lexicon_file.values)

    @property
    def changed_on_disk(self) -> list[str]:
        """The files that something else has written since they were read."""
        files = (self.recipe_file, self.lexicon_file)
        return [str(file.path) for file in files if file.changed_on_disk]

    def reload(self) -> None:
        """Read the files again, and forget what was not saved."""
        with self._changed:
            self.given = self.name
            self._open_files()
            self._note_change()
            self._rows = self._all_rows()

    def save(self, recipe: str = "", *, anyway: bool = False) -> list[str]:
        """Write the recipe, and the lexicon if it has changes; returns the files.

        `recipe` names the file where nobody has named one yet. `anyway` adds the changes to files that were
        changed by something else, or that exist already.
        """
        with self._changed:
            path = self.recipe_file.path if not recipe else Path(recipe)
            if path is None:
                raise RollcallError(f"{self.given} comes with Rollcall; give a file for your own recipe")
            if path.suffix not in (".yaml", ".yml"):
                raise RollcallError(f"{path}: a recipe is a .yaml file")
            values = dict(self.recipe_file.values)
            words = self.lexicon_file.values
            lexicon = self.lexicon_file.path or path.with_name(f"{path.stem}-words.yaml")
            self.recipe_file.check(path, anyway=anyway)
            if words:
                self.lexicon_file.check(lexicon, anyway=anyway)
                if not self._lexicons:
                    values["wording", "lexicon"] = str(lexicon)
                self.lexicon_file.save(lexicon)
                self._lexicons = self._lexicons or [str(lexicon)]
            self.recipe_file.save(path, values)
            for row in self._rows:
                row.saved = row.words
            return [str(path), *([str(lexicon)] if words else [])]

    # What a person changes.

    @property
    def recipe(self) -> Recipe:
        """The recipe with all changes."""
        return self.draft.recipe

    @property
    def draft(self) -> _Draft:
        """The files of the present recipe, for a build."""
        with self._changed:
            return self._written(self.recipe_file.values, self.lexicon_file.values)

    def _written(self, values: Mapping[KeyPath, Any], words: Mapping[KeyPath, Any]) -> _Draft:
        """A recipe and a lexicon with some changes, as files; an error where they are not valid."""
        lexicon = replace(self.lexicon_file, values=dict(words))
        folder = self._folder / "draft"
        folder.mkdir(parents=True, exist_ok=True)
        if words or self._lexicons:
            own = folder / "words.yaml"
            own.write_text(lexicon.current, encoding="utf-8")
            try:
                Lexicon.load(*self._lexicons[:-1], own)
            except RollcallError as error:
                in_file = re.escape(str(own))
                raise RollcallError(re.sub(rf"^{in_file}, line \d+: ", "", str(error))) from None
            values = {**values, ("wording", "lexicon"): [*self._lexicons[:-1], str(own)]}
        text = replace(self.recipe_file, values=dict(values)).current
        recipe = self._load(text)
        file = folder / "recipe.yaml"
        file.write_text(text, encoding="utf-8")
        return _Draft(self._revision, file, recipe)

    def _load(self, text: str) -> Recipe:
        """Check the text of a recipe; an error names the person's file."""
        file = self._folder / "checked" / f"{Path(self.name).stem}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        try:
            return recipes.load(file)
        except RollcallError as error:
            raise RollcallError(str(error).replace(str(file), self.name)) from None

    def controls(self) -> list[tuple[Control, Any]]:
        """The keys that this recipe has, with their values."""
        parameters = self.recipe.parameters
        rows = [
            (control, value)
            for control in CONTROLS
            if (value := _value(parameters, control.key)) is not _NONE
        ]
        quotas = _value(parameters, _QUOTAS)
        if isinstance(quotas, dict):
            rows += [
                (Control(f"{_QUOTAS}.{kind}", f"Quota of {kind.replace('-', ' ')}", "number", 0, 2000), quota)
                for kind, quota in quotas.items()
            ]
        return rows

    def set_limits(self, texts: Mapping[str, str]) -> bool:
        """Set keys of the recipe, as a form sends them; returns whether something changed."""
        with self._changed:
            before = dict(self.recipe_file.values)
            original = self._load(self.recipe_file.text).parameters
            values = dict(before)
            for control, _now in self.controls():
                if control.key not in texts:
                    continue
                value = _parsed(control, texts[control.key])
                path = tuple(control.key.split("."))
                values.pop(path, None)
                if value != _plain(_value(original, control.key)):
                    values[path] = value
            return self._apply(values, self.lexicon_file.values)

    @property
    def can_leave_out(self) -> bool:
        """Whether recipes of this pipeline can leave relations out."""
        return _value(self.recipe.parameters, ".".join(_EXCLUDED)) is not _NONE

    def set_left_out(self, number: int, left_out: bool) -> bool:
        """Leave a relation out of all questions, or ask about it again."""
        with self._changed:
            row = self.row(number)
            original = _left_out(self._load(self.recipe_file.text))
            now = _left_out(self.recipe)
            wanted = [name for name in now if name not in (row.id, row.label)] + (
                [row.id] if left_out else []
            )
            if row.left_out == left_out:
                return False
            values = {path: value for path, value in self.recipe_file.values.items() if path != _EXCLUDED}
            if wanted != original:
                values[_EXCLUDED] = wanted
            changed = self._apply(values, self.lexicon_file.values)
            row.left_out = left_out
            return changed

    def set_words(self, number: int, texts: Mapping[str, str]) -> bool:
        """Set fields of a relation's entry, as a form sends them; returns whether something changed."""
        with self._changed:
            row = self.row(number)
            given = {name: " ".join(text.split()) for name, text in texts.items() if name in WORDS}
            now = row.words
            changed = {
                name: text
                for name, text in given.items()
                if text != now[name] and not (name in _NEVER_EMPTY and not text)
            }
            if not changed:
                return False
            words = {path: value for path, value in self.lexicon_file.values.items() if path[0] != row.id}
            own = {path[1]: value for path, value in self.lexicon_file.values.items() if path[0] == row.id}
            own |= changed
            own = {name: text for name, text in own.items() if text != row.saved[name]}
            if own and "label" not in own:
                own = {"label": now["label"], **own}
            words |= {(row.id, name): text for name, text in own.items()}
            result = self._apply(self.recipe_file.values, words)
            (row.profile,) = self._profiles([row.number], self._lexicon())
            return result

    def _apply(self, values: dict[KeyPath, Any], words: dict[KeyPath, Any]) -> bool:
        """Take over changes if they are valid."""
        self._written(values, words)
        if (values, words) == (self.recipe_file.values, self.lexicon_file.values):
            return False
        self.recipe_file.values, self.lexicon_file.values = dict(values), dict(words)
        self._note_change()
        return True

    def _note_change(self) -> None:
        self._revision += 1
        self._failed = None
        self._changed.notify_all()

    # The relations.

    def relations(self) -> list[RelationRow]:
        """The relations of the graph, the most frequent first."""
        return self._rows

    def row(self, number: int) -> RelationRow:
        """A relation by its number in the graph."""
        for row in self._rows:
            if row.number == number:
                return row
        raise RollcallError(f"the graph has no relation with the number {number}")

    def _all_rows(self) -> list[RelationRow]:
        excluded, index = self._excluded(), self._graph.index
        numbers = relations_by_size(self._graph)[:MOST_RELATIONS]
        return [
            RelationRow(
                index.relation_ids[number],
                self._graph.relation_label(index.relation_ids[number]),
                number,
                profile,
                index.relation_ids[number] in excluded,
            )
            for number, profile in zip(numbers, self._profiles(numbers, self._lexicon()), strict=True)
        ]

    def _lexicon(self) -> Lexicon:
        lexicons = self.recipe.parameters.wording.lexicon
        return Lexicon.load(*([lexicons] if isinstance(lexicons, str) else lexicons))

    def _profiles(self, numbers: Sequence[int], lexicon: Lexicon) -> list[RelationProfile]:
        """The words and examples of some relations, as the questions of a build word them."""
        graph, folder = self._graph, self._folder / "words"
        folder.mkdir(parents=True, exist_ok=True)
        queries = [query for number in numbers for query in example_queries(graph, number)]
        answers = {answer for query in queries for answer in example_answers(graph, query)}
        with self._options.opened() as engine:
            work = Work(folder, {}, engine, show_progress=False)
            realiser = realiser_for(graph, lexicon, queries, sorted(answers), self.inputs, work)
            ends = relation_ends(
                graph, lexicon, [graph.index.relation_ids[number] for number in numbers], self.inputs, work
            )
        return [relation_profile(graph, lexicon, ends, realiser, number) for number in numbers]

    def _excluded(self) -> set[str]:
        """The ids of the relations that the recipe leaves out by id or label."""
        named = set(_left_out(self.recipe))
        index = self._graph.index
        return {id_ for id_ in index.relation_ids if id_ in named or self._graph.relation_label(id_) in named}

    def _directions(self, recipe: Recipe) -> Sequence[str]:
        directions = _value(recipe.parameters, "simple.directions")
        if directions == "auto":
            known = knows_graph(self.inputs.graph, recipe.parameters, Lexicon.load())
            return ("subject",) if known else DIRECTIONS
        return directions if directions and directions is not _NONE else DIRECTIONS

    # What is shown.

    @property
    def state(self) -> State:
        """What is shown and what is being done."""
        with self._changed:
            version = f"{self._proved}.{self._revision}"
            if self._failed is not None and self._failed[0] == self._revision:
                return State("failed", message=self._failed[1], version=version)
            if self._built is not None and self._built[0] == self._revision:
                return State("built", version=f"{version}.built")
            return self._doing._replace(version=version)

    def shown(self) -> Shown | None:
        """The questions of the present recipe: of a build if there is one, else a preview; None before.

        `NoQuestionsError` is raised if none is left. A preview that was overtaken by a change is not made.
        """
        with self._changed:
            if self._built is not None and self._built[0] == self._revision:
                return self._built[1]
            if not self._signature:
                return None
        with self._previewing:
            with self._changed:
                draft, version = self.draft, f"{self._proved}"
                key = f"{version}.{draft.revision}"
                if self._shown is not None and self._shown[0] == key:
                    return self._shown[1]
                excluded, directions = self._excluded(), self._directions(draft.recipe)
            shown = self._preview.show(draft.recipe, self._proofs, version, excluded, directions)
            self._shown = (key, shown)
            return shown

    @property
    def _proofs(self) -> Path:
        return self._folder / "proved" / WORK

    # What is done in the background.

    def _work(self) -> None:
        while not self._over:
            seen = self._revision
            if not self.step(QUIET_SECONDS):
                with self._changed:
                    if self._revision == seen and not self._over:
                        self._changed.wait()

    def step(self, quiet: float = 0.0) -> bool:
        """Do what is to be done next: mine and prove, or build; False if there is nothing to do.

        A build waits until nothing has changed for some seconds.
        """
        with self._changed:
            draft = self.draft
            wide = recipes.load(draft.file, widened(draft.recipe))
            wanted = signature(stages_of(wide, self.inputs))
            must_prove = wanted != self._signature
            must_build = self._built is None or self._built[0] != draft.revision
            failed = self._failed is not None and self._failed[0] == draft.revision
            if failed or not (must_prove or must_build):
                self._doing = State("preview")
                return False
            if quiet and not must_prove and self._changed.wait(quiet):
                return True  # something changed meanwhile
        try:
            if must_prove:
                self._prove(wide, wanted)
            else:
                self._build(draft)
        except _SupersededError:
            pass
        except Exception as error:  # it is shown on the page
            told = reason(error) if isinstance(error, RollcallError) else f"{type(error).__name__}: {error}"
            with self._changed:
                self._failed, self._doing = (draft.revision, told), State("preview")
        return True

    def _prove(self, wide: Recipe, wanted: str) -> None:
        """Mine and prove with wide limits."""
        job = self._job(wide, "proved")
        job.runner.stages = proving_stages(job.runner.stages)

        def superseded() -> bool:
            now = recipes.load(self.draft.file, widened(self.recipe))
            return signature(stages_of(now, self.inputs)) != wanted

        with self._previewing, self._changed:  # a preview that is being made still reads the tables
            self._signature = ""
        with self._telling("proving", len(job.runner.stages), superseded) as report:
            job.runner.run(report=report)
        with self._changed:
            self._signature, self._proved = wanted, self._proved + 1
            self._doing = State("preview")

    def _build(self, draft: _Draft) -> None:
        """Build the set of a recipe, exactly as `rollcall build` does."""
        proved, built = self._proofs, self._folder / "built" / WORK
        if not built.exists():  # what was mined and proved alike is not done again
            shutil.copytree(proved, built)
        job = self._job(draft.recipe, "built")
        superseded = lambda: self._revision != draft.revision  # noqa: E731
        with self._telling("building", len(job.runner.stages), superseded) as report:
            finished = job.run(report=report)
        outcomes = {stage.stage: stage.outcome for stage in finished}
        questions = questions_in(job.out)
        if draft.recipe.parameters.answers.unproved == "drop":  # shown with what was dropped
            shown = Preview(self._folder / "dropped", self.inputs, self._options).show(
                draft.recipe, built, ""
            )
            by_id = {question.id: question for question in shown.questions}
            questions = [by_id.get(question.id, question) for question in questions]
        released = outcomes[job.released]
        shown = Shown(questions, len(questions), left_out(outcomes), released.counts)
        with self._changed:
            self._built = (draft.revision, shown)
            self._doing = State("preview")

    def _job(self, recipe: Recipe, name: str) -> Build:
        # Without its audit, which does not change the questions.
        recipe = Recipe(recipe.name, recipe.pipeline, recipe.description, recipe.parameters)
        out = self._folder / name
        return Build(
            recipe, graph=self.inputs.graph, corpus=self.inputs.given_corpus, out=out, options=self._options
        )

    @contextmanager
    def _telling(
        self, phase: Literal["proving", "building"], stages: int, superseded: Callable[[], bool]
    ) -> Iterator[Callable[[str, Finished | None], None]]:
        """Give a function that stages report to; it stops work that a newer change replaces."""
        count = 0

        def report(stage: str, finished: Finished | None) -> None:
            nonlocal count
            count += finished is not None
            if self._over or superseded():
                raise _SupersededError
            with self._changed:
                self._doing = State(phase, stage, count, stages)

        report("", None)
        yield report


def reason(error: RollcallError) -> str:
    """An error as the page says it: without what to type on the command line."""
    return str(error).partition(". Change a key with --set")[0]


_EXCLUDED = ("relations", "excluded")
_NONE = object()


def _value(parameters: Any, key: str) -> Any:
    """The value of a key with dots; `_NONE` if the pipeline has no such key."""
    for name in key.split("."):
        parameters = (
            parameters.get(name, _NONE) if isinstance(parameters, dict) else getattr(parameters, name, _NONE)
        )
        if parameters is _NONE:
            return _NONE
    return parameters


def _left_out(recipe: Recipe) -> list[str]:
    """The ids and labels of relations that a recipe leaves out."""
    names = _value(recipe.parameters, "relations.excluded")
    return [] if names is _NONE else list(names)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _parsed(control: Control, text: str) -> Any:
    """The value that a person gave for a key."""
    text = text.strip()
    if control.kind == "choice":
        if text not in control.choices:
            raise RollcallError(f"{control.key}: choose one of {', '.join(control.choices)}")
        return text.split(", ") if control.key.endswith("directions") and text != "auto" else text
    if not text and control.empty:
        return None
    try:
        return int(text) if control.kind == "number" else float(text)
    except ValueError:
        wanted = "a whole number" if control.kind == "number" else "a number from 0 to 1"
        raise RollcallError(f"{control.key}: {text!r:.40} is not {wanted}") from None
