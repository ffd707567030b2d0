"""Assembles questions: each worded query with its answers, their names, and the text that proves them.

Input: the tables in `Sources` (`worded`, `validated`, `proofs`, `evidence`), a graph and a corpus.
Output: `questions.jsonl`. The engine joins the tables and gives the rows sorted by question, so only one
question at a time and the names of the answers are in memory. If an answer has several derivations (through
different intermediate entities), those with the best evidence are shown.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.build.stage import Inputs, Outcome, Work
from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.query.statements import QUESTION, Edge, Entity, Literal
from rollcall.query.values import Date, Number, Point, parse_value
from rollcall.questions.question_set import QUESTIONS
from rollcall.questions.record import Answer, Characteristic, Evidence, QueryRecord, Question, value_names
from rollcall.tables.build import AnswerEvidence, Answers, Proofs, WordedQueries
from rollcall.tables.build import Evidence as EvidenceTable
from rollcall.tables.corpus import Pages, TextAliases
from rollcall.tables.engine import Workbench
from rollcall.tables.table import Boolean, Int64, Rows, Table, columns, shaped, unbound
from rollcall.wording.naming import entity_label

if TYPE_CHECKING:
    import ibis.expr.types as ir


# The names of the entities and values of a set: those of the graph, and those that the text uses.


class Namer:
    """Names answers; each entity is looked up once, even if it answers many questions."""

    def __init__(self, graph: Graph, text_names: dict[str, list[str]]):
        self._graph = graph
        self._text_names = text_names
        self._known: dict[tuple[str, bool], tuple[str, list[str]]] = {}
        self._classes: dict[str, tuple[str, ...]] = {}

    def answer(self, answer: str, literal: bool) -> Answer:
        """An answer with its label and all other names, without evidence yet."""
        label, aliases = self._names(answer, literal)
        return Answer(label, None if literal else answer, list(aliases))

    def label(self, id_: str) -> str:
        """The text to show for the id of an entity, a class or a relation."""
        for look in (self._graph.label, self._graph.class_label, self._graph.relation_label):
            if (label := look(id_)) != id_:
                return label
        return entity_label(self._graph, id_)

    def type_of(self, answers: Iterable[tuple[str, bool]]) -> str | None:
        """The most frequent direct class of the answers, or the most frequent kind of value."""
        counts: Counter[str] = Counter()
        for answer, literal in answers:
            if literal:
                counts[_kind(answer)] += 1
            else:
                counts.update(self._graph.class_label(class_) for class_ in self._types(answer))
        return min(counts, key=lambda name: (-counts[name], name)) if counts else None

    def _types(self, entity: str) -> tuple[str, ...]:
        if entity not in self._classes:
            try:
                self._classes[entity] = self._graph.entity(entity).types
            except RollcallError:  # a page on a list need not be an entity of the graph
                self._classes[entity] = ()
        return self._classes[entity]

    def _names(self, answer: str, literal: bool) -> tuple[str, list[str]]:
        if (answer, literal) not in self._known:
            self._known[answer, literal] = (
                self._value_names(answer) if literal else self._entity_names(answer)
            )
        return self._known[answer, literal]

    def _value_names(self, text: str) -> tuple[str, list[str]]:
        value = parse_value(text)
        unit = value.unit if isinstance(value, Number) else None
        named = self.label(unit) if unit is not None else unit
        label, *others = value_names(value, named if named is not None and named != unit else "")
        return label, others

    def _entity_names(self, entity: str) -> tuple[str, list[str]]:
        label, aliases = entity, []
        if self._graph.index.entity_number(entity) is not None:
            record = self._graph.entity(entity)
            label, aliases = entity_label(self._graph, entity), list(record.aliases)
        names = dict.fromkeys([*aliases, *self._text_names.get(entity, ())])
        return label, [name for name in names if name != label]


def _kind(text: str) -> str:
    value: Any = parse_value(text)
    if isinstance(value, Number):
        return "number" if value.unit is None else "quantity"
    return "date" if isinstance(value, Date) else "point" if isinstance(value, Point) else "text"


_ANSWER = list(columns(Answers))
_DERIVATION = [*_ANSWER, "via"]
_FACT = ["subject", "relation", "object", "object_literal"]
_VALIDATED, _SOUND = "all_validated", "sound"


class AssembledAnswers(Table):
    """A validated answer of a question."""

    id = WordedQueries.id
    key = Answers.key
    answer = Answers.answer
    literal = Answers.literal


class Derivations(Table):
    """A derivation of an answer of which all facts are proved."""

    key = Proofs.key
    answer = Proofs.answer
    literal = Proofs.literal
    via = Proofs.via
    place = Int64("its place among the derivations of the answer, the best proved first")


class ShownEvidence(AnswerEvidence):
    """A piece of evidence for a fact of a derivation."""

    id = WordedQueries.id
    via = Proofs.via
    last = Boolean("whether the fact names the answer; such a fact comes last")
    rank = EvidenceTable.rank


_SHOWN_ORDER = ["id", "answer", "literal", "via", "last", *_FACT, "rank"]


class TextNames(Table):
    """A name that the text uses for an answer."""

    entity = TextAliases.entity
    text = TextAliases.text
    count = TextAliases.count


class Sources(NamedTuple):
    """The tables from which questions are assembled."""

    worded: Path
    validated: list[Path]
    proofs: list[Path]
    evidence: list[Path]


class Style(NamedTuple):
    """How much evidence is shown, and the name of the recipe for the provenance."""

    recipe: str
    per_fact: int = 1
    derivations: int = 1


def assemble_proved(
    parameters: Any,
    inputs: Inputs,
    name: str,
    mined: Sequence[str],
    evidence: Sequence[str],
    work: Work,
) -> Outcome:
    """Write `questions.jsonl`, from the stages that mined queries and those that found evidence."""
    sources = Sources(
        worded=work.table("word", "worded"),
        validated=[work.table(f"{stage}-validated", "validated") for stage in mined],
        proofs=[work.table(stage, "proofs") for stage in mined],
        evidence=[work.table(stage, "evidence") for stage in evidence],
    )
    style = Style(name, per_fact=parameters.evidence.per_fact)
    return Outcome(assemble(sources, inputs.graph, inputs.corpus, style, work))


def assemble(sources: Sources, graph: Path, corpus: Path, style: Style, work: Work) -> int:
    """Write `questions.jsonl` into the stage's folder, sorted by the questions' ids; returns the number."""
    encoder = msgspec.json.Encoder()
    count = 0
    with ExitStack() as stack:
        opened = stack.enter_context(Graph.open(graph))
        bench = stack.enter_context(work.engine.workbench(work.folder / ".spill"))
        _name_tables(bench, sources, corpus)
        namer = Namer(opened, _text_names(bench))
        stream = stack.enter_context((work.folder / QUESTIONS).open("wb"))
        for question in _questions(bench, namer, style):
            stream.write(encoder.encode(question) + b"\n")
            count += 1
    return count


def _name_tables(bench: Workbench, sources: Sources, corpus: Path) -> None:
    bench.read(WordedQueries, sources.worded)
    bench.read(Answers, sources.validated, _VALIDATED)
    bench.read(Proofs, sources.proofs)
    bench.read(EvidenceTable, sources.evidence)
    bench.read_folder("corpus", corpus, Pages, TextAliases)
    bench.keep(EvidenceTable, lambda: unbound(EvidenceTable).filter(unbound(EvidenceTable).validated), _SOUND)
    bench.keep(AssembledAnswers, _answers)
    bench.keep(Derivations, _derivations)


def _questions(bench: Workbench, namer: Namer, style: Style) -> Iterator[Question]:
    """The questions in the order of their ids, each with the rows of its evidence."""
    heads = bench.records(_heads)  # only one result is open at a time
    proofs = groupby(_rows(bench, lambda: _proved(style)), lambda row: row["id"])
    for head, (id_, rows) in zip(heads, proofs, strict=True):
        assert head["id"] == id_, "every question has proved answers"
        yield _question(head, list(rows), namer, style)


def _question(head: dict[str, Any], rows: list[dict[str, Any]], namer: Namer, style: Style) -> Question:
    query = Query.parse(head["query"])
    answers = []
    for (answer, literal), pieces in groupby(rows, lambda row: (row["answer"], row["literal"])):
        made = namer.answer(answer, literal)
        made.evidence = [_evidence(piece) for piece in pieces]
        answers.append(made)
    answers.sort(key=lambda answer: (answer.label.casefold(), answer.label, answer.id or ""))
    provenance: dict[str, Any] = {
        "recipe": style.recipe,
        "key": head["key"],
        "entities": [namer.label(entity) for entity in query.entities],
        "answers_in_graph": head["answers"],
    }
    if head["same_answers"]:
        provenance["same_answers"] = head["same_answers"]
    return Question(
        id=head["id"],
        question=head["question"],
        wordings=head["wordings"],
        kind=head["kind"],
        query=QueryRecord(query.text, query.to_graph_json(namer.label)),
        characteristics=_characteristics(query, answers, rows, namer),
        split=head["split"],
        answers=answers,
        provenance=provenance,
    )


def _characteristics(
    query: Query, answers: list[Answer], rows: list[dict[str, Any]], namer: Namer
) -> dict[str, Characteristic]:
    kinds = dict.fromkeys((row["answer"], row["literal"]) for row in rows)
    return {
        "edges": len(query.edges),
        "constraints": sum(QUESTION in edge.nodes for edge in query.edges),
        "function": query.function or "none",
        "answers": len(answers),
        "answer_type": namer.type_of(kinds),
        "relations": list(query.relations),
    }


def _evidence(row: dict[str, Any]) -> Evidence:
    object_ = Literal(parse_value(row["object"])) if row["object_literal"] else Entity(row["object"])
    return Evidence(
        text=row["text"],
        passage=row["passage"],
        title=row["title"],
        start=row["start"],
        end=row["end"],
        score=row["score"],
        fact=Edge(Entity(row["subject"]), row["relation"], object_).text,
    )


def _rows(bench: Workbench, query: "Callable[[], ir.Table]") -> Iterator[dict[str, Any]]:
    for batch in bench.stream(query, rows=1 << 14):
        yield from batch.to_pylist()


def _text_names(bench: Workbench) -> dict[str, list[str]]:
    """The names that the text uses for the answers, the most frequent first."""
    found: dict[str, list[str]] = {}
    for row in _rows(bench, _names):
        found.setdefault(row["entity"], []).append(row["text"])
    return found


# -- the tables ------------------------------------------------------------------------------------------


def _names() -> Rows[TextNames]:
    import ibis
    from ibis import _

    answers = unbound(AssembledAnswers).select(entity="answer")
    names = unbound(TextAliases, "corpus_aliases").semi_join(answers, "entity")
    counted = names.group_by("entity", "text").agg(count=_["count"].max())
    return shaped(TextNames, counted).order_by("entity", ibis.desc("count"), "text")


def _heads() -> Rows[WordedQueries]:
    return unbound(WordedQueries).order_by("id")


def _answers() -> Rows[AssembledAnswers]:
    """The validated answers of the questions that are kept."""
    worded = unbound(WordedQueries).select("key", "id")
    return shaped(AssembledAnswers, unbound(Answers, _VALIDATED).join(worded, "key"))


def _proofs() -> Rows[Proofs]:
    return unbound(Proofs).semi_join(unbound(AssembledAnswers), _ANSWER)


def _sound() -> "ir.Table":
    """The evidence that states its fact, according to the verifier."""
    return unbound(EvidenceTable, _SOUND).rename(object_literal="literal")


def _derivations() -> Rows[Derivations]:
    import ibis
    from ibis import _

    best = _sound().filter(_["rank"] == 1).select(*_FACT, "score")
    facts = _proofs().left_join(best, _FACT)
    derivations = facts.group_by(_DERIVATION).agg(facts=_.count(), found=_.score.count(), worst=_.score.min())
    derivations = derivations.filter(_.facts == _.found)
    order = ibis.window(group_by=_ANSWER, order_by=[ibis.desc(_.worst), _.via])
    return shaped(Derivations, derivations.mutate(place=ibis.row_number().over(order)))


def _proved(style: Style) -> Rows[ShownEvidence]:
    """One row for each piece of evidence, in the order of questions, answers and facts."""
    from ibis import _

    derivations = unbound(Derivations).filter(_.place < style.derivations)
    facts = _proofs().semi_join(derivations, _DERIVATION)
    pieces = facts.join(_sound().filter(_["rank"] <= style.per_fact), _FACT)
    titles = unbound(Pages, "corpus_pages").select("title", page="id")
    pieces = pieces.join(titles, "page")
    # The hop to the answer comes last.
    last = (pieces.answer == pieces.subject) | (pieces.answer == pieces.object)
    pieces = pieces.mutate(last=last).join(unbound(AssembledAnswers), _ANSWER)
    return shaped(ShownEvidence, pieces).order_by(_SHOWN_ORDER)
