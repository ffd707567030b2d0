"""The parts of a question's record that checks look at: its query, facts, evidence, and names.

What cannot be parsed is None: one check reports it, and the others continue.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from rollcall._core.errors import RollcallError
from rollcall.corpus.lists import is_list_relation
from rollcall.query import Query
from rollcall.query.parse import parse_statement
from rollcall.query.statements import Edge
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Evidence, Question
from rollcall.text.words import base_form, fold, without_accents

_REMEMBERED = 1 << 17


@lru_cache(_REMEMBERED)
def parsed_query(text: str) -> Query | None:
    """A query by its text; None if the text is not a query."""
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
    """A fact by its text; None if the text is not a fact."""
    try:
        statement = parse_statement(text)
    except RollcallError:
        return None
    return statement if isinstance(statement, Edge) else None


def is_of_list(fact: Edge) -> bool:
    """Whether a fact is what a list says, which no graph has."""
    return is_list_relation(fact.relation)


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


# Words and names as the checks compare them: folded wordings, words of a text, names inside a text.

WORD = re.compile(r"\w+(?:['’]\w+)*")
IMPERATIVES = frozenset(
    (
        *("name", "list", "give", "find", "show", "tell", "identify", "enumerate", "state"),
        *("count", "say", "provide", "mention"),
    )
)
"""Verbs that begin a request."""
_SHORT = 4
"""Words of a name with fewer letters must be in the text as a whole."""


def wording_key(text: str) -> str:
    """A question without case, marks and spaces: equal keys are the same words."""
    return " ".join(WORD.findall(fold(text)))


def words(text: str) -> list[str]:
    """The words of a text, folded."""
    return WORD.findall(folded(text))


@lru_cache(1 << 17)
def folded(text: str) -> str:
    """A text as names are compared: without case and accents, with one kind of apostrophe."""
    return without_accents(fold(text)).replace("’", "'")


def name_key(name: str) -> str:
    """A name without case, accents and marks, and without an article at its start."""
    name_words = words(name)
    return " ".join(
        name_words[1:] if len(name_words) > 1 and name_words[0] in ("the", "a", "an") else name_words
    )


def resembles(names: Iterable[str], text_words: Iterable[str]) -> bool:
    """Whether a text has a word that may stand for one of the names: a part of it, or a form of a part.

    Texts say `Marl` for Ann Marl and `Norrish` for Norrow, so the beginning of one word is enough.
    """
    present = list(text_words)
    bases = {base_form(word) for word in present}
    for name in names:
        for part in _parts(name):
            stem = part[: max(_SHORT, round(0.6 * len(part)))]
            if base_form(part) in bases or (
                len(part) >= _SHORT and any(word.startswith(stem) for word in present)
            ):
                return True
    return False


@lru_cache(1 << 16)
def _parts(name: str) -> tuple[str, ...]:
    """The words of a name that may stand for it: long ones if there are any."""
    name_words = words(name)
    return tuple(word for word in name_words if len(word) >= _SHORT) or tuple(name_words)
