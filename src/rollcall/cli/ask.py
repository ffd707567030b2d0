"""`rollcall ask`: the answers of a question or a query in a graph."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rollcall._core.console import one_line, say, say_json, say_lines
from rollcall._core.errors import RollcallError
from rollcall.cli.options import AsJson, writing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rollcall.graph import Graph
    from rollcall.query import Query, Value
    from rollcall.systems.ask.forms import Understood


@writing("picture", reads=["graph", "model"])
def ask(
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help="A graph folder made by `rollcall graph`.")],
    query: Annotated[
        str,
        typer.Argument(
            metavar="QUESTION",
            help="English, or a query such as '?x director [Orla Venn]'.",
        ),
    ],
    as_json: AsJson = False,
    aliases: Annotated[bool, typer.Option("--aliases", help="Print each answer's aliases too.")] = False,
    sparql: Annotated[bool, typer.Option("--sparql", help="Print the query as SPARQL instead.")] = False,
    dialect: Annotated[
        str | None,
        typer.Option(help="plain or wikidata; by default wikidata if all ids are Wikidata's."),
    ] = None,
    lambda_: Annotated[bool, typer.Option("--lambda", help="Print it as λ-calculus instead.")] = False,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw the query into an SVG file.")
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            help="A folder made by `rollcall train ask`, to rank the readings of a question by.",
            show_default="the packaged model",
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Also show the query's forms and how it was evaluated.")
    ] = False,
) -> None:
    """Print the answers of a question or a query, one on each line: label, tab, id.

    A question in English is turned into a query first. What was understood is printed before the answers: in
    words, as a tree, as a query, and how sure it is; words that were not understood are named. The exit
    status is 1 if there are any, or if the reading is not sure.

    In a query, entities may be written by id, label or alias, relations and classes by id or label; names
    with spaces are in square brackets. `?x` is what is asked for.

    - `?x director [Orla Venn]; ?x producer [Orla Venn]`: both at once
    - `?x a mountain; not ?x country Norrowind`: without
    - `argmax ?h {?x a mountain; ?x [elevation above sea level] ?h}`: the highest
    - `count {?x a film; ?x genre drama}`: how many
    - `?x [date of birth] < @1960`: comparing; also `> 2000[metre]`, `>= 12`
    - `{?x director Q5} | {?x producer Q5}`: either
    - `distinct {?x parent ?p; Q7 parent ?p}`: all nodes different

    The whole grammar is in docs/query.md, and what questions may be like in docs/asking.md.
    """
    from rollcall._core.files import replacing
    from rollcall.graph import Graph
    from rollcall.graph.graph import labels_of, resolve
    from rollcall.query import Query

    if dialect is not None and not sparql:
        raise RollcallError("--dialect chooses the kind of SPARQL; give it with --sparql")
    if model is not None and is_query(query):
        raise RollcallError("--model ranks readings of a question in English, and this is a query")
    with Graph.open(graph) as opened:
        reading = None if is_query(query) else understood(query, opened, model)
        asked = resolve(Query.parse(query), opened) if reading is None else reading.query
        if picture is not None:
            with replacing(picture) as partial:
                partial.write_text(asked.to_svg(labels_of(asked, opened)), encoding="utf-8")
        forms: dict[str, Any] = {}
        if sparql:
            forms["sparql"] = sparql_of(asked, opened, dialect)
        if lambda_:
            forms["lambda"] = lambda_of(asked, opened)
        if explain:
            forms["explain"] = _explanation(asked, opened)
        unsure = reading is not None and not reading.is_certain
        if as_json:
            _print_json(asked, opened, reading.record() if reading else {}, forms)
            raise typer.Exit(int(unsure))
        if reading is not None:
            print_understanding(reading, opened)
        for form in ("sparql", "lambda"):
            if form in forms:
                say_lines(forms[form].rstrip())
        if explain:
            _print_explanation(asked, opened, forms["explain"])
        if not sparql and not lambda_:
            _print_answers(asked, opened, aliases=aliases)
    raise typer.Exit(int(unsure))


def _print_json(query: "Query", graph: "Graph", understanding: dict[str, Any], forms: dict[str, Any]) -> None:
    answers = answer_records(graph, graph.answers(query))
    record = {"query": query.text, "id": query.id, **understanding, "answers": answers, **forms}
    say_json(record)


def _print_answers(query: "Query", graph: "Graph", *, aliases: bool) -> None:
    from rollcall.graph.graph import unmet_comparisons

    records = answer_records(graph, graph.answers(query))
    for record in records:
        say(answer_line(record, aliases=aliases))
    for complaint in [] if records else unmet_comparisons(query, graph):
        say(f"rollcall: {complaint}", error=True)


def _explanation(query: "Query", graph: "Graph") -> dict[str, Any]:
    """The meaning of the ids, and the statements in the order of evaluation."""
    from rollcall.graph.evaluate import explain
    from rollcall.graph.graph import labels_of

    name = labels_of(query, graph)
    ids = (*query.classes, *query.relations, *query.entities)
    steps = [{"statement": text, "left": left} for text, left in explain(graph.index, query)]
    return {"names": {id_: name(id_) for id_ in ids if name(id_) != id_}, "steps": steps}


def _print_explanation(query: "Query", graph: "Graph", explanation: dict[str, Any]) -> None:
    """Print the forms of the query and the evaluator's steps, as comments before the answers."""
    say(f"# query   {query.text}")
    say(f"# id      {query.id}")
    say(f"# lambda  {lambda_of(query, graph)}")
    for id_, label in explanation["names"].items():
        say(f"# {id_}: {label}")
    for number, step in enumerate(explanation["steps"], start=1):
        say(f"# step {number}  {step['left']:>9,} left after  {step['statement']}")


def sparql_of(query: "Query", graph: "Graph", dialect: str | None = None) -> str:
    """The query as SPARQL; for Wikidata if all its ids are from Wikidata."""
    from rollcall.graph.graph import values_in

    ids = (*query.entities, *query.classes, *query.relations)
    fitting = "wikidata" if all(re.fullmatch(r"[QP]\d+", id_) for id_ in ids) else "plain"
    return query.to_sparql(dialect=dialect or fitting, occurring=values_in(query, graph))


def lambda_of(query: "Query", graph: "Graph") -> str:
    """The λ-form with labels as names."""
    from rollcall.graph.graph import labels_of
    from rollcall.query.notations import camel_case

    name, relations = labels_of(query, graph), set(query.relations)
    return query.to_lambda(lambda id_: camel_case(name(id_), upper=id_ not in relations))


# How answers are printed: one on each line for people and pipes, or as JSON.


def answer_records(graph: "Graph", answers: "frozenset[str | Value]") -> list[dict[str, Any]]:
    """Each answer with its label and aliases, or its value; sorted, independent of the hash seed."""
    records: list[dict[str, Any]] = []
    for answer in answers:
        if isinstance(answer, str):
            entity = graph.entity(answer)
            records.append({"id": answer, "label": entity.label or answer, "aliases": sorted(entity.aliases)})
        else:
            bounds = answer.bounds
            order = (bounds.dimension, bounds.low) if bounds else ("", 0.0)
            records.append({"value": answer.text, "label": str(answer), "order": order})
    records.sort(key=lambda record: (record.pop("order", ("", 0.0)), record["label"], record.get("id", "")))
    return records


def answer_line(record: dict[str, Any], *, aliases: bool = False) -> str:
    """Label and id (or canonical value) separated by a tab, followed by the aliases if they are requested."""
    cells = [record["label"], str(record.get("id", record.get("value")))]
    if aliases and record.get("aliases"):
        cells.append("; ".join(record["aliases"]))
    return "\t".join(map(one_line, cells))


# How `rollcall ask` shows what it understood of a question in English, and how sure it is.

_VARIABLE = re.compile(r"\?\w")


def is_query(text: str) -> bool:
    """Whether a text is in the query language, which always has a variable, and not in English."""
    return _VARIABLE.search(text) is not None


def understood(question: str, graph: "Graph", model: "Path | None" = None) -> "Understood":
    """What a question asks for; an error that says which words are not known if nothing was understood.

    `model` is a folder of a trained `ask`.
    """
    from rollcall.systems.ask.asker import Asker
    from rollcall.systems.ask.ranking import trained_reranker

    asker = Asker(graph, rerank=trained_reranker(model) if model is not None else True)
    reading = asker.understood(question)
    if reading is None:
        understanding = asker.understand(question)
        words = ", ".join(understanding.not_understood) or "no words"
        hint = _comparable(understanding.comparable)
        if not hint and understanding.only_class:
            hint = "; the rest of the question only names a class"
        elif not hint:
            hint = (
                "; no name that the graph knows leads to an answer "
                "(a query is written '?x director [Orla Venn]')"
            )
        raise RollcallError(f"not understood: {words}{hint}")
    return reading


def print_understanding(found: "Understood", graph: "Graph") -> None:
    """Print the query in words and as a tree, as comments before the answers, and what is not certain."""
    from rollcall.graph.graph import labels_of
    from rollcall.query.parse import to_text_tree

    say(f"# {found.words}")
    for line in to_text_tree(found.query, labels_of(found.query, graph)).splitlines():
        say(f"#   {line}")
    say(f"# query  {found.query.text}")
    say(f"# sure   {found.surety:.0%}")
    for words in found.others:
        say(f"# or     {words}")
    if found.not_understood:
        listed = ", ".join(found.not_understood) + _comparable(found.comparable)
        say(f"rollcall: not understood: {listed}; the answers are to the question above", error=True)
    elif not found.is_certain:
        say("rollcall: not sure of this reading; the answers are to the question above", error=True)


def _comparable(measures: "Sequence[str]") -> str:
    """What a superlative may compare."""
    return f" (things can be compared by {', '.join(measures)})" if measures else ""
