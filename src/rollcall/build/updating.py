"""The stage that carries an older set forward: what still holds keeps its id, its split and its words.

Input: the questions of the stage `assemble`, an older set, the graph and the corpus. Output:
`questions.jsonl`. A question of the older set that was made again takes its new answers from there; one that
was not drawn again is answered anew, and its text is searched and verified as the recipe says. What holds no
longer is dropped, and what is new is added.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rollcall.audit.drift.answers import answer_changes
from rollcall.audit.drift.derivations import denotation
from rollcall.audit.drift.matching import match
from rollcall.audit.drift.projection import Projection
from rollcall.audit.drift.texts import Fact, accepted, write_provable
from rollcall.audit.parts import query_of
from rollcall.build.carrying import carried_record, counted_anew, fresh
from rollcall.build.inputs import Inputs
from rollcall.build.releasing import UPDATE
from rollcall.build.stage import Outcome, Stage, Work
from rollcall.english.counting import counted
from rollcall.errors import RollcallError
from rollcall.evidence.verifiers import VERIFIERS
from rollcall.graph import Graph
from rollcall.questions.question_set import QUESTIONS, QuestionSet
from rollcall.questions.record import Evidence, Question
from rollcall.questions.splits import TABLES

if TYPE_CHECKING:
    from rollcall.build.pipelines import Pipeline

_NOT_MADE = "no longer made by the recipe from its list, or without a query"
_MADE, _OTHER, _CARRIED, _ADDED = "kept", "of them with other answers", "of them not drawn again", "added"


def with_update(
    stages: Sequence[Stage], older: Path, pipeline: "type[Pipeline]", parameters: Any, inputs: Inputs
) -> list[Stage]:
    """The stages with one before the last that carries an older set forward."""
    if not (older / QUESTIONS).is_file():
        raise RollcallError(f"--update {older}: holds no {QUESTIONS}, so it is not a question set")
    *made, last = stages
    if "assemble" not in last.needs:
        raise RollcallError("--update: this pipeline's last stage does not take the questions of `assemble`")
    stage = Stage(
        UPDATE,
        partial(_update, older, pipeline, parameters, inputs),
        ("assemble",),
        {**inputs.named(), "the older set": older},
        {"parameters": msgspec.to_builtins(parameters)},
    )
    return [*made, stage, replace(last, needs=(*last.needs, UPDATE))]


def _update(older: Path, pipeline: "type[Pipeline]", parameters: Any, inputs: Inputs, work: Work) -> Outcome:
    """Write `questions.jsonl`: the questions of the older set that hold, and the new ones."""
    decoder, encoder = msgspec.json.Decoder(Question), msgspec.json.Encoder()
    made = decoder.decode_lines((work.before["assemble"] / QUESTIONS).read_bytes())
    old = QuestionSet.open(older)
    matches = match(old.questions, made)
    with Graph.open(inputs.graph) as graph:
        again = {before.id: after for before, after in matches.both}
        again |= _carried(matches.gone, pipeline, parameters, inputs, graph, work)
        kept, dropped, counts = [], Counter[str](), Counter[str]()
        drawn = {before.id for before, _ in matches.both}
        for question in old:
            now = again.get(question.id)
            why = _NOT_MADE if now is None else ""
            if now is not None and question.id not in drawn:
                in_graph = _size(graph, now)
                now = counted_anew(now, in_graph)
                why = pipeline.no_longer_holds(parameters, now.kind or "", len(now.answers), in_graph)
            if now is None or why:
                dropped[why] += 1
                continue
            counts[_MADE] += 1
            counts[_OTHER] += bool(answer_changes(question.answers, now.answers))
            counts[_CARRIED] += question.id not in drawn
            kept.append(carried_record(question, now, graph))
    new = fresh(matches.added, old.questions)
    counts[_ADDED] = len(new)
    with (work.folder / QUESTIONS).open("wb") as stream:
        for question in (*kept, *new):
            stream.write(encoder.encode(question) + b"\n")
    shown = {name: counts[name] for name in (_MADE, _OTHER, _CARRIED, _ADDED)}
    told = ", ".join(f"{count:,} {name}" for name, count in shown.items())
    note = f"{counted(len(old), 'question')} of {older.name}: {told}, {dropped.total():,} dropped"
    return Outcome(
        len(kept) + len(new),
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
    """Questions that the recipe did not draw again, answered anew; those about lists cannot be."""
    asked = [one for one in questions if one.kind not in TABLES and query_of(one) is not None]
    if not asked:
        return {}
    corpus = inputs.given_corpus if getattr(parameters.evidence, "use", True) else None

    def find(facts: Collection[Fact]) -> dict[Fact, Evidence]:
        return _stated(facts, pipeline, parameters, inputs, work)

    projection = Projection(graph, None, corpus, find, prove_all=True)
    found = projection.project(QuestionSet(_known_to(graph, asked)))
    return {question.id: question for question in found.questions}


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
    chosen = parameters.evidence
    kind = VERIFIERS.find(chosen.verifier)
    verifier = chosen_verifier(kind, chosen, parameters.wording, inputs, work, relations_of(rows))
    find_evidence(
        inputs.graph,
        inputs.corpus,
        rows,
        out,
        verifier=verifier,
        accepting=pipeline.accepting(parameters, verifier, kind.learns, inputs.graph),
        where=chosen.where,
        engine=work.engine,
    )
    return accepted(out, inputs.corpus)


def _size(graph: Graph, question: Question) -> int:
    query = query_of(question)
    return 0 if query is None else len(denotation(graph.index, query))
