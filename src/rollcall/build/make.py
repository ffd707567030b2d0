"""Makes a question set from a graph and a corpus with a recipe: the function behind `rollcall build`.

The output of the stages is in `OUT/.build`, where the next call finds it; the finished set is in `OUT`
itself. `OUT/.build` may be deleted at any time; the next call then runs all stages again.
"""

import filecmp
import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rollcall._core.checksums import refuse_damaged_folder
from rollcall._core.errors import RollcallError
from rollcall._core.files import PARTIAL, beside, remove
from rollcall._core.folders import BUILD_WORK, check_apart, check_folder, put_in_place, writing_folder
from rollcall._core.options import chosen_options
from rollcall.audit.drift.causes import denotation
from rollcall.audit.drift.changes import Fact, accepted, canonical_query, match, write_provable
from rollcall.audit.drift.projection import IN_GRAPH, Projection, answer_changes
from rollcall.audit.material import query_of
from rollcall.build.keys import SECTION
from rollcall.build.pipelines import PIPELINES
from rollcall.build.recipe import GivenChanges, GivenRecipe, Recipe, load
from rollcall.build.releasing import UPDATE, audit_stage, failed_audit
from rollcall.build.runner import Finished, Report, Runner, Step
from rollcall.build.stage import Inputs, NoQuestionsError, Outcome, Stage, Work
from rollcall.build.suggestions import advice
from rollcall.corpus import Corpus
from rollcall.evidence.verifiers import VERIFIERS
from rollcall.graph import Graph
from rollcall.questions.question_set import CARD, MANIFEST, QUESTIONS, QuestionSet, own_files
from rollcall.questions.record import Answer, Evidence, Question
from rollcall.questions.splits import TABLES
from rollcall.tables.engine import WorkOptions
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.build.pipelines import Pipeline


WORK = BUILD_WORK
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
        options: WorkOptions | None = None,
        **keywords: Any,
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
        self._graph = inputs.graph
        self._inputs = (*inputs.named().values(), *([] if older is None else [older]))
        check_inputs(inputs)
        check_apart(self.out, self._inputs)
        check_folder(self.out, own_files, {WORK})
        self._options = options = chosen_options(WorkOptions, options, keywords, "build")
        with options.opened():  # refuses what is wrong with the engine and its memory; nothing is started yet
            pass
        pipeline.check(self.recipe.parameters, inputs)
        stages = list(pipeline.stages(self.recipe.parameters, inputs, self.recipe.record()))
        if older is not None:
            stages = with_update(stages, older, pipeline, self.recipe.parameters, inputs)
        self.released = stages[-1].name
        """The stage that writes the files of the set."""
        audit = self.recipe.audit
        if audit.wanted:
            stages = [*stages, audit_stage(audit, inputs, self.released, self.out.name)]
        self.runner = Runner(self.out / WORK, stages, options)

    def plan(self, start: str | None = None) -> list[Step]:
        """What `run` would do, and why."""
        return self.runner.plan(start)

    def run(self, start: str | None = None, report: Report | None = None) -> list[Finished]:
        """Run the stages that must run, and publish the set; `start` reruns that stage and all later ones.

        A set that fails its audit is published, too, and then an error says so.
        """
        with writing_folder(self.out, own_files, inputs=self._inputs, kept={WORK}):
            try:
                finished = self.runner.run(start, report)
            except NoQuestionsError as error:
                advised = self.advice()
                raise NoQuestionsError(f"{error}; {advised}" if advised else str(error)) from None
            _publish(self.runner.folder(self.released), self.out)
            failed = failed_audit(self.runner.folder(SECTION), self.out) if self.recipe.audit.wanted else None
            if failed is not None:
                raise failed
        return finished

    def advice(self) -> str:
        """What would give more questions, if few were built; empty if nothing is known that would."""
        return advice(self.recipe.parameters, self._graph, self.runner.folder, self._options)


def build(
    recipe: GivenRecipe,
    *,
    graph: Graph | Path | str,
    corpus: Corpus | Path | str | None = None,
    out: Path | str,
    changes: GivenChanges = (),
    update: Path | str | None = None,
    start: str | None = None,
    options: WorkOptions | None = None,
    **keywords: Any,
) -> QuestionSet:
    """Build a question set in the folder `out`, and open it.

    The recipe is a name (`"qampari"`), a file, or a mapping of its keys. `changes` sets single keys:
    `{"answers.least": 3}` or `["answers.least=3"]`. Stages that an earlier call finished are reused. `start`
    names a stage that runs again, with all later stages. A recipe that seeks no evidence needs no corpus.
    `update` is an older set, which is carried forward: its questions keep their ids, splits and wordings as
    far as they still hold. The options are those of `WorkOptions`, given as keywords, as a record, or as
    both. They change only the speed: a build that was started on one engine can be finished on another.
    """
    this_build = Build(
        recipe,
        graph=graph,
        corpus=corpus,
        out=out,
        changes=changes,
        update=update,
        options=options,
        **keywords,
    )
    this_build.run(start)
    return QuestionSet.open(this_build.out)


def _folder(source: Graph | Corpus | Path | str) -> Path:
    return source.folder if isinstance(source, Graph | Corpus) else Path(source)


def check_inputs(inputs: Inputs) -> None:
    """Refuse folders that are damaged, not a graph and a corpus, or that do not belong together."""
    Graph.open(inputs.graph).close()
    for folder in inputs.named().values():
        refuse_damaged_folder(folder)
    if inputs.given_corpus is None:
        return
    corpus = Corpus.open(inputs.corpus)
    corpus.close()
    graph_fingerprint = corpus.manifest.get("graph")
    from rollcall.build.fingerprint import of_file

    if graph_fingerprint == "":
        raise RollcallError(
            f"{inputs.corpus}: was made without a graph, so its pages are tied to no entities; make it again "
            f"with `rollcall corpus … --graph {inputs.graph}`"
        )
    if graph_fingerprint is not None and graph_fingerprint != of_file(inputs.graph / "graph.json"):
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


# What a question keeps when it is carried forward, and how new questions differ from old ones. Ids and
# clusters of some recipes are numbers that count through a set, so a new question may have the id of
# another old one; it then gets an id of its own, made from its query. A new question of an old cluster
# is of that cluster's split.


def carried_record(old: Question, new: Question, graph: Graph) -> Question:
    """A question with its new answers and its old id, split, cluster, words and extended answers.

    Where something it asks about was renamed, it is worded again, and the old words are another wording.
    """
    renamed = _is_renamed(old, graph)
    question = new.question if renamed and new.question else old.question
    wordings = [*([old.question] if question != old.question else []), *old.wordings, *new.wordings]
    ids = {answer.id for answer in new.answers if answer.id is not None}
    labels = {answer.label for answer in new.answers}
    extended = [answer for answer in old.extended if not _is_among(answer, ids, labels)]
    return msgspec.structs.replace(
        new,
        id=old.id,
        question=question,
        wordings=[wording for wording in dict.fromkeys(wordings) if wording != question],
        cluster=old.cluster,
        split=old.split,
        extended=extended,
        searched=old.searched,
        provenance={**old.provenance, **new.provenance},
    )


def recounted(question: Question, in_graph: int) -> Question:
    """A question whose record has the current number of answers, where it has a number at all."""
    characteristics = dict(question.characteristics)
    if "answers" in characteristics:
        characteristics["answers"] = len(question.answers)
    provenance = dict(question.provenance)
    if IN_GRAPH in provenance:
        provenance[IN_GRAPH] = in_graph
    return msgspec.structs.replace(question, characteristics=characteristics, provenance=provenance)


def _is_among(answer: Answer, ids: set[str], labels: set[str]) -> bool:
    return answer.id in ids if answer.id is not None else answer.label in labels


def _is_renamed(question: Question, graph: Graph) -> bool:
    """Whether something that a question asks about has another name in the graph now."""
    query, old_names = query_of(question), question.provenance.get("entities")
    if query is None or not isinstance(old_names, list) or len(old_names) != len(query.entities):
        return False
    return any(
        graph.index.entity_number(entity) is not None and graph.label(entity) != name
        for entity, name in zip(query.entities, old_names, strict=True)
    )


def fresh(added: Sequence[Question], old: Sequence[Question]) -> list[Question]:
    """New questions, with ids and clusters that no other question of the older set has."""
    used_ids = {question.id for question in old}
    splits = {question.cluster: question.split for question in old if question.cluster is not None}
    queries = _queries_of_clusters(old)
    questions = []
    for question in added:
        cluster, split = question.cluster, question.split
        if cluster is not None and cluster in splits:
            if question.kind != "template" or canonical_query(question) in queries.get(cluster, ()):
                split = splits[cluster]
            else:
                cluster = _own_id(question, set(splits))
        id_ = question.id if question.id not in used_ids else _own_id(question, used_ids)
        used_ids.add(id_)
        questions.append(msgspec.structs.replace(question, id=id_, cluster=cluster, split=split))
    return questions


def _queries_of_clusters(questions: Iterable[Question]) -> dict[str | None, set[str | None]]:
    queries: dict[str | None, set[str | None]] = {}
    for question in questions:
        queries.setdefault(question.cluster, set()).add(canonical_query(question))
    return queries


def _own_id(question: Question, used_ids: set[str | None] | set[str]) -> str:
    """An id made from the query of a question."""
    query = query_of(question)
    base = question.id if query is None else query.id
    number, id_ = 1, base
    while id_ in used_ids:
        number += 1
        id_ = f"{base}-{number}"
    return id_


# The stage that carries an older set forward: what still holds keeps its id, its split and its words.
# Input: the questions of the stage `assemble`, an older set, the graph and the corpus. Output:
# `questions.jsonl`. A question of the older set that was made again takes its new answers from there;
# one that was not drawn again is answered again, and its text is searched and verified as the recipe
# says. What no longer holds is dropped, and what is new is added.

_NOT_MADE = "no longer made by the recipe from its list, or without a query"
_MADE, _OTHER, _CARRIED, _ADDED = "kept", "of them with other answers", "of them not drawn again", "added"


def with_update(
    stages: Sequence[Stage], older: Path, pipeline: "type[Pipeline]", parameters: Any, inputs: Inputs
) -> list[Stage]:
    """The stages with one before the last that carries an older set forward."""
    if not (older / QUESTIONS).is_file():
        raise RollcallError(f"--update {older}: holds no {QUESTIONS}, so it is not a question set")
    *earlier, last = stages
    if "assemble" not in last.needs:
        raise RollcallError("--update: this pipeline's last stage does not take the questions of `assemble`")
    stage = Stage(
        UPDATE,
        partial(_update, older, pipeline, parameters, inputs),
        ("assemble",),
        {**inputs.named(), "the older set": older},
        {"parameters": msgspec.to_builtins(parameters)},
    )
    return [*earlier, stage, replace(last, needs=(*last.needs, UPDATE))]


def _update(older: Path, pipeline: "type[Pipeline]", parameters: Any, inputs: Inputs, work: Work) -> Outcome:
    """Write `questions.jsonl`: the questions of the older set that hold, and the new ones."""
    decoder, encoder = msgspec.json.Decoder(Question), msgspec.json.Encoder()
    built = decoder.decode_lines((work.before["assemble"] / QUESTIONS).read_bytes())
    old = QuestionSet.open(older)
    matches = match(old.questions, built)
    with Graph.open(inputs.graph) as graph:
        again = {old_question.id: new_question for old_question, new_question in matches.both}
        again |= _carried(matches.gone, pipeline, parameters, inputs, graph, work)
        kept_questions, dropped, counts = [], Counter[str](), Counter[str]()
        drawn = {old_question.id for old_question, _ in matches.both}
        for question in old:
            current = again.get(question.id)
            why = _NOT_MADE if current is None else ""
            if current is not None and question.id not in drawn:
                in_graph = _size(graph, current)
                current = recounted(current, in_graph)
                why = pipeline.no_longer_holds(parameters, current.kind or "", len(current.answers), in_graph)
            if current is None or why:
                dropped[why] += 1
                continue
            counts[_MADE] += 1
            counts[_OTHER] += bool(answer_changes(question.answers, current.answers))
            counts[_CARRIED] += question.id not in drawn
            kept_questions.append(carried_record(question, current, graph))
    new = fresh(matches.added, old.questions)
    counts[_ADDED] = len(new)
    with (work.folder / QUESTIONS).open("wb") as stream:
        for question in (*kept_questions, *new):
            stream.write(encoder.encode(question) + b"\n")
    shown = {name: counts[name] for name in (_MADE, _OTHER, _CARRIED, _ADDED)}
    summary = ", ".join(f"{count:,} {name}" for name, count in shown.items())
    note = f"{counted(len(old), 'question')} of {older.name}: {summary}, {dropped.total():,} dropped"
    return Outcome(
        len(kept_questions) + len(new),
        {f"no longer hold: {why}": count for why, count in sorted(dropped.items())},
        [note],
        {**shown, "dropped": dropped.total()},
    )


def _carried(
    questions: Sequence[Question],
    pipeline: "type[Pipeline]",
    parameters: Any,
    inputs: Inputs,
    graph: Graph,
    work: Work,
) -> dict[str, Question]:
    """Questions that the recipe did not draw again, answered again; those about lists cannot be."""
    answerable = [
        question for question in questions if question.kind not in TABLES and query_of(question) is not None
    ]
    if not answerable:
        return {}
    corpus = inputs.given_corpus if getattr(parameters.evidence, "use", True) else None

    def find(facts: Collection[Fact]) -> dict[Fact, Evidence]:
        return _stated(facts, pipeline, parameters, inputs, work)

    projection = Projection(graph, None, corpus, find, prove_all=True)
    projected = projection.project(
        QuestionSet(_known_to(graph, answerable)),
        keep_neutral=corpus is not None and _keeps_neutral(parameters),
    )
    return {question.id: question for question in projected.questions}


def _keeps_neutral(parameters: Any) -> bool:
    """Whether a recipe keeps answers that no text proves as neutral ones; pipelines of users may not say."""
    return getattr(getattr(parameters, "answers", None), "unproved", None) == "neutral"


def _known_to(graph: Graph, questions: Sequence[Question]) -> Iterator[Question]:
    """The questions whose relations a graph has."""
    for question in questions:
        query = query_of(question)
        if query is not None and all(
            graph.index.relation_number(relation) is not None for relation in query.relations
        ):
            yield question


def _stated(
    facts: Collection[Fact], pipeline: "type[Pipeline]", parameters: Any, inputs: Inputs, work: Work
) -> dict[Fact, Evidence]:
    """The sentences that state facts, found and accepted as the recipe says."""
    from rollcall.build.chosen_verifier import chosen_verifier
    from rollcall.evidence.find import find_evidence, relations_of

    if not facts:
        return {}
    rows, out = work.out("facts"), work.out("evidence")
    write_provable(facts, rows)
    keys = parameters.evidence
    kind = VERIFIERS.find(keys.verifier)
    verifier = chosen_verifier(kind, keys, parameters.wording, inputs, work, relations_of(rows))
    find_evidence(
        inputs.graph,
        inputs.corpus,
        rows,
        out,
        verifier=verifier,
        accepting=pipeline.accepting(parameters, verifier, kind.learns, inputs.graph),
        where=keys.where,
        engine=work.engine,
    )
    return accepted(out, inputs.corpus)


def _size(graph: Graph, question: Question) -> int:
    query = query_of(question)
    return 0 if query is None else len(denotation(graph.index, query))
