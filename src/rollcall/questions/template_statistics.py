"""The figures of a set of graph-shaped questions: GraphQuestions' Tables 1 to 3 and the groups of its Figure
6.

Several questions may be paraphrases of one query: they have the same cluster, or the same query. Figures are
given for queries and for questions.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from rollcall.query.query import FUNCTIONS, category
from rollcall.questions.record import Question

COMMONNESS = ((-40, -30), (-30, -20), (-20, -10), (-10, 0))
_WORD = re.compile(r"\w+(?:['’.-]\w+)*")
"""A word without the punctuation around it."""


def template_statistics(questions: Iterable[Question]) -> dict[str, Any]:
    """Tables 1 to 3 as plain values."""
    listed = list(questions)
    queries = {query_of(question): question for question in reversed(listed)}
    return {
        "queries": len(queries),
        "sentences": len({(query_of(question), sentence_of(question)) for question in listed}),
        "questions": len(listed),
        "distinct": _distinct(listed),
        "table_1": {
            name: _counts(place, queries.values(), listed) for name, place in CHARACTERISTICS.items()
        },
        "table_2": [_example(question) for question in _examples(queries.values())],
        "table_3": _comparison(listed, queries),
        "figure_6": _figure_6(listed),
    }


def query_of(question: Question) -> str:
    """The query a question is a paraphrase of."""
    text = question.query.text if question.query else ""
    return question.cluster or text or question.id


def sentence_of(question: Question) -> str:
    """The sentence paraphrase of a question's variant: a published id without its last two digits."""
    return question.id[:-2] if question.id.isdecimal() else question.question


def edges(question: Question) -> str:
    """The number of edges, as a bin."""
    return str(question.characteristics.get("edges", ""))


def function(question: Question) -> str:
    """The category of the function."""
    return category(str(question.characteristics.get("function", "none")))


def commonness(question: Question) -> str:
    """The half-open bin of the commonness, or a word for values outside of all bins."""
    value = question.characteristics.get("commonness")
    if not isinstance(value, (int, float)):
        return ""
    for low, high in COMMONNESS:
        if low <= value < high:
            return f"[{low}, {high})"
    return "below -40" if value < COMMONNESS[0][0] else "0 and above"


def answers(question: Question) -> str:
    """One answer or more."""
    return "1" if len(question.answers) == 1 else ">1"


CHARACTERISTICS: dict[str, Callable[[Question], str]] = {
    "edges": edges,
    "function": function,
    "commonness": commonness,
    "answers": answers,
}


def _counts(
    place: Callable[[Question], str], queries: Iterable[Question], questions: Iterable[Question]
) -> dict[str, dict[str, int]]:
    of_queries, of_questions = Counter(map(place, queries)), Counter(map(place, questions))
    return {
        bin_: {"queries": of_queries[bin_], "questions": count}
        for bin_, count in sorted(of_questions.items())
        if bin_
    }


def _distinct(questions: Iterable[Question]) -> dict[str, int]:
    """The number of different classes, relations, topic entities and words."""
    found: dict[str, set[str]] = defaultdict(set)
    for question in questions:
        for name, key in (("classes", "classes"), ("relations", "relations")):
            values = question.characteristics.get(key)
            found[name].update(values if isinstance(values, list) else ())
        found["topic entities"].update(question.provenance.get("entities", ()))
        found["words"].update(_WORD.findall(question.question.casefold()))
    return {name: len(members) for name, members in found.items()}


def _examples(queries: Iterable[Question]) -> list[Question]:
    """The first question of each function, as in the paper's table of examples."""
    first: dict[str, Question] = {}
    for question in sorted(queries, key=lambda question: question.id):
        first.setdefault(function(question), question)
    return [first[name] for name in FUNCTIONS if name in first]


def _example(question: Question) -> dict[str, Any]:
    return {
        "question": question.question,
        "answers": [answer.label for answer in question.answers[:3]],
        "edges": edges(question),
        "function": function(question),
        "commonness": question.characteristics.get("commonness"),
        "number of answers": len(question.answers),
    }


def _comparison(questions: list[Question], queries: dict[str, Question]) -> dict[str, Any]:
    """The row of the table that compares sets."""
    functions = Counter(function(question) for question in questions)
    return {
        "questions": len(questions),
        "multi-relation": sum(edges(question) not in ("", "0", "1") for question in questions),
        "count / superlative / comparative": [functions[name] for name in FUNCTIONS if name != "none"],
        "commonness": any(commonness(question) for question in questions),
        "paraphrase": len(questions) > len(queries),
        "multi-answer": any(len(question.answers) > 1 for question in questions),
    }


def _figure_6(questions: list[Question]) -> dict[str, dict[str, list[str]]]:
    """The ids of the questions in each bin; (d) groups them by the number of paraphrases of a query."""
    groups: dict[str, dict[str, list[str]]] = {
        name: defaultdict(list) for name in (*CHARACTERISTICS, "paraphrases")
    }
    sizes = Counter(query_of(question) for question in questions)
    for question in questions:
        for name, place in CHARACTERISTICS.items():
            groups[name][place(question)].append(question.id)
        groups["paraphrases"][str(sizes[query_of(question)])].append(question.id)
    return {name: {bin_: ids for bin_, ids in sorted(bins.items()) if bin_} for name, bins in groups.items()}
