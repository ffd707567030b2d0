"""The figures of a question set: the QAMPARI paper's Table 2 and Figure 3, for any set.

They are collected in one pass over the questions, and the card, `rollcall stats` and the manifest show the
same numbers.
"""

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from rollcall.query.query import FUNCTIONS, category
from rollcall.questions.record import Question

KINDS = ("simple", "table-simple", "intersection", "composition", "table-composition")
"""The kinds in the order of the paper's table; others follow by name."""
SPLITS = ("train", "dev", "test")
BINS = ((1, 4), (5, 7), (8, 10), (11, 15), (16, 20), (21, 50), (51, 100), (101, 200), (201, None))


class Figures(NamedTuple):
    """The figures of one group of questions."""

    questions: int
    mean_answers: float
    median_answers: float
    mean_words: float


class Statistics:
    """The questions of a set, counted."""

    def __init__(self, questions: Iterable[Question] = ()):
        self._groups: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        self.relations: Counter[str] = Counter()
        self.answers = 0
        self.literal_answers = 0
        self.with_evidence = 0
        self.evidence = 0
        self.aliases = 0
        self.same_answers = 0
        self.extended = 0
        """Extended answers, which are kept apart and are not among the answers."""
        self.with_extended = 0
        self.neutral = 0
        """Neutral answers, which are not among the answers either."""
        self.with_neutral = 0
        self.searched = 0
        """Questions for which people looked for further answers."""
        self._of_graph = [0, 0]
        for question in questions:
            self.add(question)

    def add(self, question: Question) -> None:
        """Count one question."""
        length = len(question.question.split())
        group = (question.kind or "unknown", question.split or "none")
        self._groups[group].append((len(question.answers), length))
        self.relations.update(question.relations)
        self.same_answers += bool(question.provenance.get("same_answers"))
        self.extended += len(question.extended)
        self.with_extended += bool(question.extended)
        self.neutral += len(question.neutral)
        self.with_neutral += bool(question.neutral)
        self.searched += question.searched
        in_graph = question.provenance.get("answers_in_graph")
        if isinstance(in_graph, int):
            self._of_graph[0] += len(question.answers)
            self._of_graph[1] += in_graph
        for answer in question.answers:
            self.answers += 1
            self.literal_answers += answer.id is None
            self.aliases += sum(alias != answer.label for alias in answer.aliases)
            self.evidence += len(answer.evidence)
            self.with_evidence += bool(answer.evidence)

    @property
    def share_of_graph(self) -> float | None:
        """The share of the graph's answers that the questions kept, if they say how many the graph has."""
        kept, in_graph = self._of_graph
        return kept / in_graph if in_graph else None

    @property
    def kinds(self) -> list[str]:
        """The kinds in the set, in the paper's order."""
        present = {kind for kind, _ in self._groups}
        return [kind for kind in KINDS if kind in present] + sorted(present.difference(KINDS))

    @property
    def splits(self) -> list[str]:
        present = {split for _, split in self._groups}
        return [split for split in SPLITS if split in present] + sorted(present.difference(SPLITS))

    def figures(self, kind: str | None = None, splits: Iterable[str] | None = None) -> Figures | None:
        """The figures of a kind (or all) in some splits (or all); None if there is no question."""
        wanted = None if splits is None else set(splits)
        rows = [
            row
            for (of_kind, of_split), members in self._groups.items()
            if (kind is None or of_kind == kind) and (wanted is None or of_split in wanted)
            for row in members
        ]
        if not rows:
            return None
        answers = [count for count, _ in rows]
        return Figures(
            len(rows),
            statistics.fmean(answers),
            float(statistics.median(answers)),
            statistics.fmean(length for _, length in rows),
        )

    def bins(self, splits: Iterable[str] | None = None) -> list[tuple[str, int]]:
        """How many questions have how many answers; empty bins at either end are left out."""
        wanted = None if splits is None else set(splits)
        counts: Counter[int] = Counter()
        for (_, split), members in self._groups.items():
            if wanted is None or split in wanted:
                counts.update(_bin(count) for count, _ in members)
        used = [number for number in range(len(BINS)) if counts[number]]
        if not used:
            return []
        return [(_bin_name(number), counts[number]) for number in range(used[0], used[-1] + 1)]


def _bin(count: int) -> int:
    return next(
        (n for n, (low, high) in enumerate(BINS) if count >= low and (high is None or count <= high)), 0
    )


def _bin_name(number: int) -> str:
    low, high = BINS[number]
    return f"over {low - 1}" if high is None else f"{low}–{high}"


# The figures of a set in clusters: RoMQA's Table 2 and Figures 2, 7, 8, 9 and 10.

_SHOWN_RELATIONS = 20
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def cluster_statistics(
    questions: Iterable[Question], facts: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """The table and the figures as plain values.

    `facts` gives the number of facts of a graph's relations by label: Figure 10 before the removal of
    frequent propositions. Figure 7 counts the constraints that the questions of a cluster use.
    """
    listed = list(questions)
    constraints: dict[str, set[str]] = defaultdict(set)
    sizes: Counter[str] = Counter()
    for question in listed:
        cluster = question.cluster or question.id
        sizes[cluster] += 1
        constraints[cluster].update(_constraints(question))
    return {
        "clusters": len(sizes),
        "questions": len(listed),
        "table_2": _table_2(listed, sizes),
        "figure_2": _figure_2(listed),
        "figure_7": _histogram(len(members) for members in constraints.values()),
        "questions_per_cluster": _histogram(sizes.values()),
        "figure_8": _figure_8(listed),
        "figure_9": _figure_9(listed),
        "figure_10": {
            "before": dict(Counter(facts or {}).most_common(_SHOWN_RELATIONS)),
            "after": dict(_relations(listed).most_common(_SHOWN_RELATIONS)),
        },
    }


def _edges(question: Question) -> list[dict[str, Any]]:
    graph = question.query.graph if question.query else None
    edges = graph.get("edges", []) if isinstance(graph, dict) else []
    return [edge for edge in edges if isinstance(edge, dict)]


def _constraints(question: Question) -> list[str]:
    """The constraints of a question, affirmed and negated."""
    nodes = (
        {node["nid"]: node for node in question.query.graph["nodes"]}
        if _edges(question) and question.query
        else {}
    )
    constraints = []
    for edge in _edges(question):
        start, end = nodes[edge["start"]], nodes[edge["end"]]
        direction, other = ("subj", end) if start.get("question_node") else ("obj", start)
        constraints.append(f"{edge['relation']}\t{other['id']}\t{direction}")
    return constraints


def _table_2(questions: Sequence[Question], sizes: Counter[str]) -> dict[str, Any]:
    splits = Counter(question.split or "none" for question in questions)
    return {
        **dict(sorted(splits.items())),
        "multi answer": any(len(question.answers) > 1 for question in questions),
        "gold evidence": any(
            candidate.evidence for question in questions for candidate in question.candidates
        ),
        "robustness evaluation": any(size > 1 for size in sizes.values()),
    }


def _figure_2(questions: Sequence[Question]) -> dict[str, Any]:
    """Words of a question, sentences of evidence for its answers, and its answers."""
    return {
        "words": _spread([len(question.question.split()) for question in questions]),
        "evidence": _spread([_evidence(question) for question in questions]),
        "answers": _spread([len(question.answers) for question in questions]),
    }


def _evidence(question: Question) -> int:
    return len(
        {(piece.passage, piece.start, piece.text) for answer in question.answers for piece in answer.evidence}
    )


def _figure_8(questions: Sequence[Question]) -> dict[str, dict[str, Any]]:
    """The answers by the number of constraints."""
    groups: dict[int, list[int]] = defaultdict(list)
    for question in questions:
        groups[len(_edges(question))].append(len(question.answers))
    return {str(count): _spread(counts) for count, counts in sorted(groups.items())}


def _figure_9(questions: Sequence[Question]) -> dict[str, int]:
    """How many questions have how many affirmed and negated constraints."""
    signs = [[bool(edge.get("negated")) for edge in _edges(question)] for question in questions]
    counts = Counter((len(denied) - sum(denied), sum(denied)) for denied in signs)
    return {
        f"{positive} and {negative} denied": count for (positive, negative), count in sorted(counts.items())
    }


def _relations(questions: Sequence[Question]) -> Counter[str]:
    return Counter(edge.get("friendly_name") or edge["relation"] for q in questions for edge in _edges(q))


def _histogram(numbers: Iterable[int]) -> dict[str, int]:
    return {str(number): count for number, count in sorted(Counter(numbers).items())}


def _spread(numbers: Sequence[int]) -> dict[str, Any]:
    """Mean, median, and the number of values up to each step."""
    if not numbers:
        return {"mean": 0.0, "median": 0.0, "up to": {}}
    steps = [step for step in _STEPS if step < max(numbers)] + [max(numbers)]
    counts = {str(step): sum(number <= step for number in numbers) for step in steps}
    return {"mean": statistics.fmean(numbers), "median": float(statistics.median(numbers)), "up to": counts}


# The figures of a set of graph-shaped questions: GraphQuestions' Tables 1 to 3 and the groups of its
# Figure 6. Several questions may be paraphrases of one query: they have the same cluster, or the same
# query. Figures are given for queries and for questions.

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
            name: _counts(bin_of, queries.values(), listed) for name, bin_of in CHARACTERISTICS.items()
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
    bin_of: Callable[[Question], str], queries: Iterable[Question], questions: Iterable[Question]
) -> dict[str, dict[str, int]]:
    of_queries, of_questions = Counter(map(bin_of, queries)), Counter(map(bin_of, questions))
    return {
        bin_: {"queries": of_queries[bin_], "questions": count}
        for bin_, count in sorted(of_questions.items())
        if bin_
    }


def _distinct(questions: Iterable[Question]) -> dict[str, int]:
    """The number of different classes, relations, topic entities and words."""
    distinct: dict[str, set[str]] = defaultdict(set)
    for question in questions:
        for name in ("classes", "relations"):
            values = question.characteristics.get(name)
            distinct[name].update(values if isinstance(values, list) else ())
        distinct["topic entities"].update(question.provenance.get("entities", ()))
        distinct["words"].update(_WORD.findall(question.question.casefold()))
    return {name: len(members) for name, members in distinct.items()}


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
        for name, bin_of in CHARACTERISTICS.items():
            groups[name][bin_of(question)].append(question.id)
        groups["paraphrases"][str(sizes[query_of(question)])].append(question.id)
    return {name: {bin_: ids for bin_, ids in sorted(bins.items()) if bin_} for name, bins in groups.items()}
