"""Assembles questions: each worded query with its answers, their names, and the text that proves them.

Input: the tables in `Sources` (`chosen`, `worded`, `validated`, `proofs`, `evidence`), a graph and a corpus.
Output: `questions.jsonl`. The engine joins the tables and gives the rows sorted by question, so only one
question at a time and the names of the answers are in memory. If an answer has several derivations (through
different intermediate entities), those with the best evidence are shown.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from rollcall.build.namer import Namer
from rollcall.build.stage import Work
from rollcall.build.tables_as_one import tables_as_one
from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.query.statements import QUESTION, Edge, Entity, Literal
from rollcall.query.values import parse_value
from rollcall.questions.question_set import QUESTIONS
from rollcall.questions.record import Answer, Characteristic, Evidence, QueryRecord, Question

if TYPE_CHECKING:
    import ibis.expr.types as ir

_ANSWER = ["key", "answer", "literal"]
_DERIVATION = [*_ANSWER, "via"]
_FACT = ["subject", "relation", "object", "object_literal"]
_CHOSEN = {"key": "string", "kind": "string", "split": "string", "answers": "int64"}
_SHOWN = ["text", "passage", "title", "start", "end", "score"]
_WORDED = {
    "key": "string",
    "id": "string",
    "query": "string",
    "question": "string",
    "wordings": "array<string>",
    "same_answers": "array<string>",
}


class Sources(NamedTuple):
    """The tables from which questions are assembled."""

    chosen: Path
    worded: Path
    validated: list[Path]
    proofs: list[Path]
    evidence: list[Path]


class Style(NamedTuple):
    """How much evidence is shown, and the name of the recipe for the provenance."""

    recipe: str
    per_fact: int = 1
    derivations: int = 1


def assemble(sources: Sources, graph: Path, corpus: Path, style: Style, work: Work) -> int:
    """Write `questions.jsonl` into the stage's folder, sorted by the questions' ids; returns the number."""
    from rollcall.mine.mining import Mining

    encoder = msgspec.json.Encoder()
    count = 0
    with ExitStack() as stack:
        opened = stack.enter_context(Graph.open(graph))
        mining = stack.enter_context(Mining(work.folder, memory=work.limits.memory, threads=work.limits.jobs))
        _name_tables(mining, sources, corpus, work.folder, stack)
        namer = Namer(opened, _text_names(mining))
        stream = stack.enter_context((work.folder / QUESTIONS).open("wb"))
        for question in _questions(mining, namer, style):
            stream.write(encoder.encode(question) + b"\n")
            count += 1
    return count


def _name_tables(mining: Any, sources: Sources, corpus: Path, folder: Path, stack: ExitStack) -> None:
    mining.read("chosen", sources.chosen)
    mining.read("worded", sources.worded)
    for name in ("validated", "proofs"):
        tables: Sequence[Path] = getattr(sources, name)
        mining.read(f"all_{name}", stack.enter_context(tables_as_one(tables, folder, f"all_{name}")))
    for number, table in enumerate(sources.evidence):
        mining.read(f"evidence_{number}", table)
    for name in ("pages", "aliases"):
        mining.read(name, corpus / f"{name}.parquet")
    mining.keep("sound", lambda: _all_sound(len(sources.evidence)))
    mining.keep("answers", _answers)
    mining.keep("derivations", _derivations)


def _questions(mining: Any, namer: Namer, style: Style) -> Iterator[Question]:
    """The questions in the order of their ids, each with the rows of its evidence."""
    heads = list(_rows(mining, _heads))  # only one result is open at a time
    proofs = groupby(_rows(mining, lambda: _proved(style)), lambda row: row["id"])
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


def _rows(mining: Any, query: Any) -> Iterator[dict[str, Any]]:
    for batch in mining.stream(query, rows=1 << 14):
        yield from batch.to_pylist()


def _text_names(mining: Any) -> dict[str, list[str]]:
    """The names that the text uses for the answers, the most frequent first."""
    import ibis

    def names() -> "ir.Table":
        rows = ibis.table({"entity": "string", "text": "string", "count": "int64"}, name="aliases")
        answers = ibis.table(dict.fromkeys(_ANSWER, "string"), name="answers").select(entity="answer")
        found = rows.semi_join(answers, "entity").group_by("entity", "text").agg(count=ibis._["count"].max())
        return found.order_by("entity", ibis.desc("count"), "text")

    found: dict[str, list[str]] = {}
    for row in _rows(mining, names):
        found.setdefault(row["entity"], []).append(row["text"])
    return found


# -- the tables ------------------------------------------------------------------------------------------


def _heads() -> "ir.Table":
    import ibis

    worded, chosen = ibis.table(_WORDED, name="worded"), ibis.table(_CHOSEN, name="chosen")
    return worded.join(chosen, "key").order_by("id")


def _answers() -> "ir.Table":
    """The validated answers of the questions that are kept."""
    import ibis

    from rollcall.mine.mining import mined_table

    worded = ibis.table(_WORDED, name="worded").select("key", "id")
    return mined_table("validated", "all_validated").join(worded, "key").select("id", *_ANSWER)


def _kept_answers() -> "ir.Table":
    import ibis

    return ibis.table(
        {"id": "string", "key": "string", "answer": "string", "literal": "boolean"}, name="answers"
    )


def _proofs() -> "ir.Table":
    from rollcall.mine.mining import mined_table

    return mined_table("proofs", "all_proofs").semi_join(_kept_answers(), _ANSWER)


def _all_sound(tables: int) -> "ir.Table":
    """The evidence that states its fact, according to the verifier."""
    import ibis
    from ibis import _

    from rollcall.evidence.table import evidence_table

    rows = [evidence_table(f"evidence_{number}") for number in range(tables)]
    sound = [table.filter(_.validated) for table in rows]
    return ibis.union(*sound) if tables > 1 else sound[0]


def _sound() -> "ir.Table":
    from rollcall.evidence.table import evidence_table

    return evidence_table("sound").rename(object_literal="literal")


def _derivations() -> "ir.Table":
    """The derivations of answers of which all facts are proved, the best proved first."""
    import ibis
    from ibis import _

    best = _sound().filter(_["rank"] == 1).select(*_FACT, "score")
    facts = _proofs().left_join(best, _FACT)
    derivations = facts.group_by(_DERIVATION).agg(facts=_.count(), found=_.score.count(), worst=_.score.min())
    derivations = derivations.filter(_.facts == _.found)
    order = ibis.window(group_by=_ANSWER, order_by=[ibis.desc(_.worst), _.via])
    return derivations.mutate(place=ibis.row_number().over(order)).select(*_DERIVATION, "place")


def _proved(style: Style) -> "ir.Table":
    """One row for each piece of evidence, in the order of questions, answers and facts."""
    import ibis
    from ibis import _

    derivations = ibis.table(
        {"key": "string", "answer": "string", "literal": "boolean", "via": "string", "place": "int64"},
        name="derivations",
    ).filter(_.place < style.derivations)
    facts = _proofs().semi_join(derivations, _DERIVATION)
    pieces = facts.join(_sound().filter(_["rank"] <= style.per_fact), _FACT)
    titles = ibis.table({"id": "string", "title": "string"}, name="pages").select("title", page="id")
    pieces = pieces.join(titles, "page")
    # The hop to the answer comes last.
    last = (pieces.answer == pieces.subject) | (pieces.answer == pieces.object)
    pieces = pieces.mutate(last=last).join(_kept_answers(), _ANSWER)
    columns = ["id", "answer", "literal", "via", "last", *_FACT, "rank"]
    return pieces.select(*columns, *_SHOWN).order_by(*columns)
