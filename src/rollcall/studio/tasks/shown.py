"""Everything that tasks draw: which questions, in which order. The same set, settings and seed give the
same.

Each draw has random numbers of its own, named by what is drawn, so that one more item changes no other
draw.
"""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.audit.material import graph_names, parsed_query, query_of
from rollcall.corpus import Corpus
from rollcall.corpus.lists import MEMBERSHIP, parse_column
from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.query.picture import to_svg
from rollcall.query.statements import QUESTION, Edge, Entity, Literal, Node, Typing, Variable
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Evidence, Question
from rollcall.studio.records import Item
from rollcall.studio.tasks.task import Task, TaskMaterial, TaskSettings
from rollcall.text.names import whole_words
from rollcall.text.nouns import counted, counted_kinds, with_article
from rollcall.text.words import fold

T = TypeVar("T")


def chance(seed: int, *what: object) -> random.Random:
    """Random numbers for one draw."""
    return random.Random("\x1f".join(map(str, (seed, *what))))


def shuffled(things: Iterable[T], seed: int, *what: object) -> list[T]:
    """The things in random order."""
    listed = list(things)
    chance(seed, *what).shuffle(listed)
    return listed


def drawn_questions(task: Task, questions: QuestionSet, settings: TaskSettings) -> list[Question]:
    """The questions that a task can use in random order, as many as are asked for."""
    reasons = {
        question.id: task.leaves_out(question, settings) for question in questions.of_splits(settings.splits)
    }
    chosen = [question for question in questions if reasons.get(question.id) == ""]
    if not chosen:
        why = counted_kinds(Counter(reasons.values())) or "it has no questions"
        raise RollcallError(f"the task {task.name} finds nothing to judge in the set: {why}")
    ordered = shuffled(sorted(chosen, key=lambda question: question.id), settings.seed, "questions")
    return ordered[: settings.questions or None]


def left_out(task: Task, questions: QuestionSet, settings: TaskSettings, asked: Collection[str]) -> list[str]:
    """What of a set is not judged, and why, in lines for people; `asked` are the questions with items."""
    otherwise = "questions that were not drawn (option questions)" if settings.questions else task.not_asked
    reasons = Counter(
        task.leaves_out(question, settings) or otherwise for question in questions if question.id not in asked
    )
    answers = {question.id: task.answers_left_out(question) for question in questions if question.id in asked}
    lines = []
    if reasons:
        number = counted(len(questions), "question")
        lines.append(f"{reasons.total():,} of {number} not judged: {counted_kinds(reasons)}")
    if total := sum(answers.values()):
        concerned = counted(sum(map(bool, answers.values())), "judged question")
        lines.append(
            f"{counted(total, 'answer')} of {concerned} not judged: without evidence that can be read"
        )
    return lines


def wording_of(question: Question) -> str:
    """The text of a question as people see it."""
    return question.question or next(iter(question.wordings), "")


def numbered(items: Sequence[Item]) -> list[Item]:
    """The items with their places in the queue, each key once."""
    once = {item.key: item for item in reversed(items)}
    ordered = [item for item in items if once.pop(item.key, None) is not None]
    return [msgspec.structs.replace(item, order=order) for order, item in enumerate(ordered)]


# Draws the query of an item for a page, from its text and names, when the page is made. Items carry no
# markup, so no stored text can run in a page. The picture has no styles: the page's style
# sheet colours it, in light and in dark.


class Markup(str):
    """Markup of our own, which templates do not escape again."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


def query_picture(shown: object) -> Markup:
    """The picture of a shown query as SVG; nothing if it cannot be read."""
    if not isinstance(shown, Mapping):
        return Markup()
    query, names = parsed_query(str(shown.get("text", ""))), shown.get("names")
    if query is None:
        return Markup()
    named = names if isinstance(names, Mapping) else {}
    drawn = to_svg(query, lambda id_: str(named.get(id_, id_)), styled=False)
    return Markup(drawn.replace(">?x</text>", ">?</text>"))  # a question node without a class


# Evidence as people read it: whole passages, in which the sentences that should prove an answer are
# marked. A passage is given in parts, each plain text with a flag for evidence and for the answer's
# name, so a page needs no markup from here. Scores, facts and ids stay behind: they would tell what the
# machine thinks.

Json = dict[str, object]
_SHORTEST_NAME = 2


class PassageTexts:
    """Looks up the passages of evidence in a corpus; pages that were read are kept."""

    def __init__(self, corpus: Corpus | None) -> None:
        self._corpus = corpus
        self._pages: dict[str, list[tuple[str, str]]] = {}
        self._titles: dict[str, list[str]] = {}

    def around(self, evidence: Evidence) -> str:
        """The passage that holds a piece of evidence; its own text if the corpus has no such passage."""
        if self._corpus is None:
            return evidence.text
        page = (evidence.passage or "").rpartition("__")[0]
        passages = [text for id_, text in self._passages(page) if id_ == evidence.passage] if page else []
        if not passages and evidence.title:
            passages = [
                text for page_id in self._pages_titled(evidence.title) for _, text in self._passages(page_id)
            ]
        return next((text for text in passages if evidence.text in text), evidence.text)

    def _passages(self, page: str) -> list[tuple[str, str]]:
        if page not in self._pages:
            assert self._corpus is not None
            self._pages[page] = [(passage.id, passage.text) for passage in self._corpus.passages(page)]
        return self._pages[page]

    def _pages_titled(self, title: str) -> list[str]:
        if title not in self._titles:
            assert self._corpus is not None
            try:
                self._titles[title] = [page.id for page in self._corpus.find(title)]
            except RollcallError:
                self._titles[title] = []
        return self._titles[title]


def shown_passages(evidence: Iterable[Evidence], names: Sequence[str], texts: PassageTexts) -> list[Json]:
    """The passages of some evidence, each once, with all its sentences marked."""
    marked: dict[tuple[str, str], list[Evidence]] = {}
    for piece in evidence:
        if piece.text.strip():
            marked.setdefault((piece.title or "", texts.around(piece)), []).append(piece)
    return [
        {
            "title": title,
            "url": _safe_url(pieces),
            "parts": parts(text, [piece.text for piece in pieces], names),
        }
        for (title, text), pieces in marked.items()
    ]


def parts(text: str, sentences: Iterable[str], names: Iterable[str]) -> list[Json]:
    """A text cut where evidence or a name of the answer begins or ends."""
    proofs = [
        (start, start + len(sentence))
        for sentence in sentences
        if sentence and (start := text.find(sentence)) >= 0
    ]
    long_names = (name for name in map(str.strip, names) if len(name) >= _SHORTEST_NAME)
    named = [place for name in long_names for place in whole_words(text, name)]
    cuts = sorted({0, len(text), *(end for span in (*proofs, *named) for end in span)})
    return [
        {"text": text[start:end], "mark": _within(start, proofs), "name": _within(start, named)}
        for start, end in pairwise(cuts)
    ]


def _within(position: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= position < end for start, end in spans)


def _safe_url(evidence: Iterable[Evidence]) -> str:
    """The address of the page, if it is one of the web and nothing that runs."""
    urls = (piece.url or "" for piece in evidence)
    return next((url for url in urls if url.startswith(("https://", "http://"))), "")


# A query as writers and verifiers see it: its picture, its conditions in random order, what names mean.
# Titles, descriptions and aliases come from the graph if there is one, else the names that the set
# gives. Forms of an entity are ranked by how often the corpus uses them, as GraphQuestions shows its
# writers.

_FORMS, _ALIASES, _SAMPLE = 8, 6, 5


def shown_query(question: Question, material: TaskMaterial, seed: int) -> Json:
    """Everything about a question's query that people may see; empty if it has none that can be read."""
    query = query_of(question)
    if query is None:
        return {}
    names = _names(question, query, material.graph)
    return {
        "query": {"text": query.text, "names": names},
        "conditions": shuffled(_conditions(query, names), seed, "conditions", question.id),
        "things": [*_entities(query, names, material), *_relations(query, names)],
        "sample": _sample(question, seed),
    }


def _names(question: Question, query: Query, graph: Graph | None) -> dict[str, str]:
    """The names of all entities, relations and classes of a query."""
    labels = dict(graph_names(question))
    record = question.query.graph if question.query is not None else None
    for edge in record.get("edges", ()) if isinstance(record, dict) else ():
        if isinstance(edge, dict) and isinstance(edge.get("friendly_name"), str):
            labels.setdefault(str(edge.get("relation")), edge["friendly_name"])
    for node in record.get("nodes", ()) if isinstance(record, dict) else ():
        if isinstance(node, dict) and node.get("class") and node.get("friendly_name"):
            labels.setdefault(str(node["class"]), str(node["friendly_name"]))
    if graph is not None:
        graph_labels = {entity: graph.label(entity) for entity in query.entities}
        graph_labels |= {relation: graph.relation_label(relation) for relation in query.relations}
        graph_labels |= {class_id: graph.class_label(class_id) for class_id in query.classes}
        labels |= {id_: name for id_, name in graph_labels.items() if name != id_}
    lists = {relation: _list_relation(relation) for relation in query.relations}
    return {
        id_: lists.get(id_) or labels.get(id_, id_)
        for id_ in (*query.entities, *query.relations, *query.classes)
    }


def _list_relation(relation: str) -> str:
    """A relation that a list states: its name for people, empty for all others."""
    column = parse_column(relation)
    if column is not None:
        return column.header
    return "is on the list" if relation == MEMBERSHIP else ""


def _conditions(query: Query, names: dict[str, str]) -> list[Json]:
    """The statements of all patterns, as subject, relation and object."""
    conditions: list[Json] = []
    names = names | _variables(query, names)
    for number, pattern in enumerate(query.patterns):
        for statement in pattern.statements:
            row: Json = {"negated": statement.negated, "either": number if len(query.patterns) > 1 else None}
            if isinstance(statement, Typing):
                if not statement.negated and _node(statement.node, names).startswith(
                    f"some {names[statement.class_id]}"
                ):
                    continue  # its name says so
                row |= {
                    "subject": _node(statement.node, names),
                    "relation": "is",
                    "object": with_article(names[statement.class_id]),
                }
            elif isinstance(statement, Edge):
                row |= {
                    "subject": _node(statement.subject, names),
                    "relation": names[statement.relation],
                    "object": _node(statement.object, names),
                }
            conditions.append(row)
    return conditions


def _variables(query: Query, names: dict[str, str]) -> dict[str, str]:
    """What the variables are called: by their class where they have one, numbered where two share it."""
    typings = [
        typing
        for pattern in query.patterns
        for typing in pattern.typings
        if not typing.negated and typing.node != QUESTION
    ]
    classes = {typing.node.text: names[typing.class_id] for typing in typings}
    shared = Counter(classes.values())
    return {
        text: f"some {name} ({text[1:]})" if shared[name] > 1 else f"some {name}"
        for text, name in classes.items()
    }


def _node(node: Node, names: dict[str, str]) -> str:
    if isinstance(node, Entity):
        return names.get(node.id, node.id)
    if isinstance(node, Literal):
        return str(node.value) if node.comparator == "=" else f"{node.comparator} {node.value}"
    assert isinstance(node, Variable)
    return "the answer" if node.name == "x" else names.get(node.text, f"something ({node.name})")


def _entities(query: Query, names: dict[str, str], material: TaskMaterial) -> list[Json]:
    return [_entity(entity, names[entity], material.graph, material.corpus) for entity in query.entities]


def _entity(id_: str, name: str, graph: Graph | None, corpus: Corpus | None) -> Json:
    description, aliases = "", []
    if graph is not None:
        try:
            record = graph.entity(id_)
            description, aliases = record.description or "", list(record.aliases[:_ALIASES])
        except RollcallError:  # a list, which is not an entity of the graph
            pass
    return {
        "kind": "entity",
        "name": name,
        "description": description,
        "aliases": aliases,
        "forms": entity_forms(id_, corpus),
    }


def entity_forms(entity: str, corpus: Corpus | None) -> list[Json]:
    """The names that a corpus uses for an entity, the most frequent first, with how often it does."""
    counts: dict[str, int] = {}
    for text, _source, count in corpus.aliases(entity) if corpus is not None else ():
        counts[text] = counts.get(text, 0) + count
    ranked = sorted(counts.items(), key=lambda form: (-form[1], form[0]))
    return [{"text": text, "count": count} for text, count in ranked if count][:_FORMS]


def _relations(query: Query, names: dict[str, str]) -> list[Json]:
    return [
        {"kind": "relation", "name": names[relation], "description": "", "aliases": [], "forms": []}
        for relation in query.relations
    ]


def _sample(question: Question, seed: int) -> list[str]:
    """A few answers, which show what kind of thing is asked for."""
    labels = list(dict.fromkeys(answer.label for answer in question.answers))
    return chance(seed, "sample", question.id).sample(labels, min(_SAMPLE, len(labels)))


def identity(answer: Answer) -> str:
    """What tells the answers of a question apart."""
    return answer.id or fold(answer.label)
