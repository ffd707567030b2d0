"""Makes a question set from a graph and a corpus with a recipe: the function behind `rollcall build`.

The output of the stages is in `OUT/.build`, where the next call finds it; the finished set is in `OUT`
itself. `OUT/.build` may be deleted at any time; the next call then runs all stages again.
"""

import filecmp
import shutil
from pathlib import Path

from rollcall.build.audit_keys import SECTION
from rollcall.build.inputs import Inputs
from rollcall.build.pipelines import PIPELINES
from rollcall.build.recipe import GivenChanges, GivenRecipe, Recipe, load
from rollcall.build.runner import Finished, Report, Runner, Step
from rollcall.build.stage import Limits
from rollcall.checksums import refuse_damaged_folder
from rollcall.corpus import Corpus
from rollcall.errors import RollcallError
from rollcall.files import PARTIAL, beside, remove
from rollcall.folders import check_apart, check_folder, put_in_place, writing_folder
from rollcall.graph import Graph
from rollcall.questions.question_set import CARD, MANIFEST, QUESTIONS, QuestionSet, own_files
from rollcall.tables.engine import Engine

WORK = ".build"
_NEEDS_CORPUS = (
    "this recipe proves answers by text, so a build needs --corpus; recipes with evidence.use, such as "
    "graphquestions, need none with --set evidence.use=false"
)


class Build:
    """One recipe, the folders it reads, and the folder it writes."""

    def __init__(
        self,
        recipe: GivenRecipe,
        *,
        graph: Graph | Path | str,
        corpus: Corpus | Path | str | None = None,
        out: Path | str,
        changes: GivenChanges = (),
        update: Path | str | None = None,
        engine: Engine | str = "duckdb",
        master: str | None = None,
        jobs: int | None = None,
        memory: str = "1GB",
        show_progress: bool | None = None,
    ):
        """See `build`."""
        self.out = Path(out)
        older = None if update is None else Path(update)
        if isinstance(recipe, Recipe) and changes:
            raise RollcallError("changes: a recipe that was loaded is not changed; give its name or file")
        self.recipe = recipe if isinstance(recipe, Recipe) else load(recipe, changes)
        pipeline = PIPELINES.find(self.recipe.pipeline)
        if corpus is None and pipeline.needs_corpus(self.recipe.parameters):
            raise RollcallError(_NEEDS_CORPUS)
        inputs = Inputs(_folder(graph), None if corpus is None else _folder(corpus))
        self._inputs = (*inputs.named().values(), *([] if older is None else [older]))
        _check_inputs(inputs)
        check_apart(self.out, self._inputs)
        check_folder(self.out, own_files, {WORK})
        limits = Limits(engine, master, jobs, memory, show_progress)
        with limits.opened():  # refuses what is wrong with the engine and its memory; nothing is started yet
            pass
        pipeline.check(self.recipe.parameters, inputs)
        stages = list(pipeline.stages(self.recipe.parameters, inputs, self.recipe.record()))
        if older is not None:
            from rollcall.build.updating import with_update

            stages = with_update(stages, older, pipeline, self.recipe.parameters, inputs)
        self.released = stages[-1].name
        """The stage that writes the files of the set."""
        audit = self.recipe.audit
        if audit.wanted:
            from rollcall.build.auditing import audit_stage

            stages = [*stages, audit_stage(audit, inputs, self.released, self.out.name)]
        self.runner = Runner(self.out / WORK, stages, limits)

    def plan(self, start: str | None = None) -> list[Step]:
        """What `run` would do, and why."""
        return self.runner.plan(start)

    def run(self, start: str | None = None, report: Report | None = None) -> list[Finished]:
        """Run the stages that must run, and publish the set; `start` reruns that stage and all later ones.

        A set that fails its audit is published, too, and then an error says so.
        """
        with writing_folder(self.out, own_files, inputs=self._inputs, kept={WORK}):
            finished = self.runner.run(start, report)
            _publish(self.runner.folder(self.released), self.out)
            if self.recipe.audit.wanted:
                from rollcall.build.auditing import failed_audit

                if (failed := failed_audit(self.runner.folder(SECTION), self.out)) is not None:
                    raise failed
        return finished


def build(
    recipe: GivenRecipe,
    *,
    graph: Graph | Path | str,
    corpus: Corpus | Path | str | None = None,
    out: Path | str,
    changes: GivenChanges = (),
    update: Path | str | None = None,
    start: str | None = None,
    engine: Engine | str = "duckdb",
    master: str | None = None,
    jobs: int | None = None,
    memory: str = "1GB",
    show_progress: bool | None = None,
) -> QuestionSet:
    """Build a question set in the folder `out`, and open it.

    The recipe is a name (`"qampari"`), a file, or a mapping of its keys. `changes` sets single keys:
    `{"answers.least": 3}` or `["answers.least=3"]`. Stages that an earlier call finished are reused. `start`
    names a stage that runs again, with all later stages. A recipe that seeks no evidence needs no corpus.
    `update` is an older set, which is carried forward: its questions keep their ids, splits and wordings as
    far as they still hold.
    `engine` says where the work runs, by name or as an
    engine that is open, `master` where a cluster is. They, `jobs` and `memory` change only the speed: a build
    that was begun on one engine can be finished on another.
    """
    made = Build(
        recipe,
        graph=graph,
        corpus=corpus,
        out=out,
        changes=changes,
        update=update,
        engine=engine,
        master=master,
        jobs=jobs,
        memory=memory,
        show_progress=show_progress,
    )
    made.run(start)
    return QuestionSet.open(made.out)


def _folder(given: Graph | Corpus | Path | str) -> Path:
    return given.folder if isinstance(given, Graph | Corpus) else Path(given)


def _check_inputs(inputs: Inputs) -> None:
    Graph.open(inputs.graph).close()
    for folder in inputs.named().values():
        refuse_damaged_folder(folder)
    if inputs.given_corpus is None:
        return
    corpus = Corpus.open(inputs.corpus)
    corpus.close()
    known = corpus.manifest.get("graph")
    from rollcall.build.fingerprint import of_file

    if known == "":
        raise RollcallError(
            f"{inputs.corpus}: was made without a graph, so its pages are tied to no entities; make it again "
            f"with `rollcall corpus … --graph {inputs.graph}`"
        )
    if known is not None and known != of_file(inputs.graph / "graph.json"):
        raise RollcallError(
            f"{inputs.corpus}: was made for another graph than {inputs.graph}, so its pages are "
            "tied to other entities; make it again with `rollcall corpus … --graph`"
        )


def _publish(release: Path, out: Path) -> None:
    """Replace an older set by the finished files, all at once, unless they are there already."""
    published = sorted({QUESTIONS, CARD, MANIFEST, *own_files(release)})
    if all(_same(release / name, out / name) for name in published):
        return
    finished = beside(out.resolve(), PARTIAL)
    finished.mkdir()
    try:
        for name in published:
            shutil.copyfile(release / name, finished / name)
    except BaseException:
        remove(finished)
        raise
    put_in_place(finished, out, own_files, kept={WORK})


def _same(new: Path, old: Path) -> bool:
    return old.is_file() and filecmp.cmp(new, old, shallow=False)
