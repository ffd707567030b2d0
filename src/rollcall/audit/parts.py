"""The parts of a question's record that checks look at: its query, facts, evidence, and names.

What cannot be parsed is None: one check reports it, and the others go on.
"""

from collections.abc import Iterator
from functools import lru_cache

from rollcall.corpus.lists import MEMBERSHIP, parse_column
from rollcall.errors import RollcallError
from rollcall.query import Query
from rollcall.query.parse import parse_statement
from rollcall.query.statements import Edge
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Evidence, Question

_REMEMBERED = 1 << 17


@lru_cache(_REMEMBERED)
def parsed_query(text: str) -> Query | None:
    """A query by its text; None if there is none."""
    if not text.strip():
        return None
    try:
        return Query.parse(text)
    except RollcallError:
        return None


def query_of(question: Question) -> Query | None:
    """The query of a question; None if it has none that can be read."""
    return None if question.query is None else parsed_query(question.query.text)


@lru_cache(_REMEMBERED)
def parsed_fact(text: str) -> Edge | None:
    """A fact by its text; None if it is none."""
    try:
        found = parse_statement(text)
    except RollcallError:
        return None
    return found if isinstance(found, Edge) else None


def is_of_list(fact: Edge) -> bool:
    """Whether a fact is what a list says, which no graph has."""
    return fact.relation == MEMBERSHIP or parse_column(fact.relation) is not None


def recipe_verifier(questions: QuestionSet) -> str | None:
    """The verifier of the recipe that made a set; None if the manifest names none."""
    recipe = questions.manifest.get("recipe")
    evidence = recipe.get("evidence") if isinstance(recipe, dict) else None
    name = evidence.get("verifier") if isinstance(evidence, dict) else None
    return name if isinstance(name, str) else None


def answer_names(answer: Answer) -> tuple[str, ...]:
    """All names of an answer, its label first."""
    return (answer.label, *answer.aliases)


def evidence_of(question: Question) -> Iterator[tuple[Answer, Evidence]]:
    """Every piece of evidence of a question, with its answer."""
    return ((answer, piece) for answer in question.answers for piece in answer.evidence)


def graph_names(question: Question) -> Iterator[tuple[str, str]]:
    """The ids of entities in the graph of a question's query, with the names that it shows."""
    graph = question.query.graph if question.query is not None else None
    nodes = graph.get("nodes") if isinstance(graph, dict) else None
    for node in nodes if isinstance(nodes, list) else ():
        if isinstance(node, dict) and node.get("node_type") == "entity":
            id_, name = node.get("id"), node.get("friendly_name")
            if isinstance(id_, str) and isinstance(name, str) and name:
                yield id_, name
