"""`rollcall ask`: the answers of a query in a graph."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rollcall.graph import Graph
    from rollcall.query import Query


def ask(
    graph: Annotated[Path, typer.Argument(metavar="DIR", help="A graph folder made by `rollcall graph`.")],
    query: Annotated[str, typer.Argument(help="The query, for example '?x director [Orla Venn]'.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    aliases: Annotated[bool, typer.Option("--aliases", help="Print each answer's aliases too.")] = False,
    sparql: Annotated[bool, typer.Option("--sparql", help="Print the query as SPARQL instead.")] = False,
    dialect: Annotated[
        str | None,
        typer.Option(help="plain or wikidata; by default wikidata where all ids are Wikidata's."),
    ] = None,
    lambda_: Annotated[bool, typer.Option("--lambda", help="Print it as λ-calculus instead.")] = False,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw the query into an SVG file.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Also show the query's forms and how it was evaluated.")
    ] = False,
) -> None:
    """Print the answers of a query, one a line: label, tab, id.

    Entities, relations and classes may be written by id, label or alias; names with spaces stand in square
    brackets. `?x` is what is asked for.

    - `?x director [Orla Venn]; ?x producer [Orla Venn]`: both at once
    - `?x a mountain; not ?x country Norrowind`: without
    - `argmax ?h {?x a mountain; ?x elevation ?h}`: the highest
    - `count {?x a film; ?x genre drama}`: how many
    - `?x [date of birth] < @1960`: comparing; also `> 2000[metre]`, `>= 12`
    - `{?x director Q5} | {?x producer Q5}`: either
    - `distinct {?x parent ?p; Q7 parent ?p}`: all nodes different

    The whole grammar is in docs/query.md.
    """
    from rollcall.graph import Graph
    from rollcall.graph.resolve import labels_of, resolve
    from rollcall.query import Query

    with Graph.open(graph) as opened:
        asked = resolve(Query.parse(query), opened)
        if picture is not None:
            picture.write_text(asked.to_svg(labels_of(asked, opened)), encoding="utf-8")
        if sparql:
            print(sparql_of(asked, opened, dialect), end="")
        if lambda_:
            print(lambda_of(asked, opened))
        if explain:
            _explain(asked, opened)
        if not sparql and not lambda_:
            _print_answers(asked, opened, as_json=as_json, aliases=aliases)


def _print_answers(query: "Query", graph: "Graph", *, as_json: bool, aliases: bool) -> None:
    from rollcall.cli.answers import answer_line, answer_records

    records = answer_records(graph, graph.answers(query))
    if as_json:
        print(json.dumps({"query": query.text, "id": query.id, "answers": records}, ensure_ascii=False))
        return
    for record in records:
        print(answer_line(record, aliases=aliases))


def _explain(query: "Query", graph: "Graph") -> None:
    """Print the forms of the query and the evaluator's steps, as comments before the answers."""
    from rollcall.graph.evaluate import explain
    from rollcall.graph.resolve import labels_of

    name = labels_of(query, graph)
    print(f"# query   {query.text}")
    print(f"# id      {query.id}")
    print(f"# lambda  {lambda_of(query, graph)}")
    for id_ in (*query.classes, *query.relations, *query.entities):
        if name(id_) != id_:
            print(f"# {id_}: {name(id_)}")
    for step, (text, rows) in enumerate(explain(graph.index, query), start=1):
        print(f"# step {step}  {rows:>9,} rows after  {text}")


def sparql_of(query: "Query", graph: "Graph", dialect: str | None = None) -> str:
    """The query as SPARQL, for Wikidata where all its ids are Wikidata's."""
    from rollcall.graph.resolve import values_in

    ids = (*query.entities, *query.classes, *query.relations)
    fitting = "wikidata" if all(re.fullmatch(r"[QP]\d+", id_) for id_ in ids) else "plain"
    return query.to_sparql(dialect=dialect or fitting, occurring=values_in(query, graph))


def lambda_of(query: "Query", graph: "Graph") -> str:
    """The λ-form with labels as names."""
    from rollcall.graph.resolve import labels_of
    from rollcall.query.lambda_form import camel_case

    name, relations = labels_of(query, graph), set(query.relations)
    return query.to_lambda(lambda id_: camel_case(name(id_), upper=id_ not in relations))
