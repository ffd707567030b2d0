"""A query as writers and verifiers see it: its picture, its conditions in random order, what names mean.

Titles, descriptions and aliases come from the graph if there is one, else the names that the set gives.
Forms of an entity are ranked by how often the corpus uses them, as GraphQuestions shows its writers.
"""

from collections import Counter

from rollcall.audit.parts import graph_names, query_of
from rollcall.corpus import Corpus
from rollcall.corpus.lists import MEMBERSHIP, parse_column
from rollcall.english.nouns import with_article
from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.query.statements import QUESTION, Edge, Entity, Literal, Node, Typing, Variable
from rollcall.questions.record import Question
from rollcall.studio.tasks.drawing import chance, shuffled
from rollcall.studio.tasks.material import Material

Json = dict[str, object]
_FORMS, _ALIASES, _SAMPLE = 8, 6, 5


def shown_query(question: Question, material: Material, seed: int) -> Json:
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
    given = dict(graph_names(question))
    record = question.query.graph if question.query is not None else None
    for edge in record.get("edges", ()) if isinstance(record, dict) else ():
        if isinstance(edge, dict) and isinstance(edge.get("friendly_name"), str):
            given.setdefault(str(edge.get("relation")), edge["friendly_name"])
    for node in record.get("nodes", ()) if isinstance(record, dict) else ():
        if isinstance(node, dict) and node.get("class") and node.get("friendly_name"):
            given.setdefault(str(node["class"]), str(node["friendly_name"]))
    if graph is not None:
        found = {one: graph.label(one) for one in query.entities}
        found |= {one: graph.relation_label(one) for one in query.relations}
        found |= {one: graph.class_label(one) for one in query.classes}
        given |= {id_: name for id_, name in found.items() if name != id_}
    lists = {one: _list_relation(one) for one in query.relations}
    return {
        one: lists.get(one) or given.get(one, one)
        for one in (*query.entities, *query.relations, *query.classes)
    }


def _list_relation(relation: str) -> str:
    """A relation that a list states: its name for people, empty for all others."""
    column = parse_column(relation)
    if column is not None:
        return column.header
    return "is on the list" if relation == MEMBERSHIP else ""


def _conditions(query: Query, names: dict[str, str]) -> list[Json]:
    """The statements of all patterns, as subject, relation and object."""
    found: list[Json] = []
    names = names | _variables(query, names)
    for place, pattern in enumerate(query.patterns):
        for one in pattern.statements:
            row: Json = {"negated": one.negated, "either": place if len(query.patterns) > 1 else None}
            if isinstance(one, Typing):
                if not one.negated and _node(one.node, names).startswith(f"some {names[one.class_id]}"):
                    continue  # its name says so
                row |= {
                    "subject": _node(one.node, names),
                    "relation": "is",
                    "object": with_article(names[one.class_id]),
                }
            elif isinstance(one, Edge):
                row |= {
                    "subject": _node(one.subject, names),
                    "relation": names[one.relation],
                    "object": _node(one.object, names),
                }
            found.append(row)
    return found


def _variables(query: Query, names: dict[str, str]) -> dict[str, str]:
    """What the variables are called: by their class where they have one, numbered where two share it."""
    every = [one for pattern in query.patterns for one in pattern.typings]
    typings = [one for one in every if not one.negated and one.node != QUESTION]
    classes = {one.node.text: names[one.class_id] for one in typings}
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


def _entities(query: Query, names: dict[str, str], material: Material) -> list[Json]:
    return [_entity(one, names[one], material.graph, material.corpus) for one in query.entities]


def _entity(id_: str, name: str, graph: Graph | None, corpus: Corpus | None) -> Json:
    description, aliases = "", []
    if graph is not None:
        try:
            record = graph.entity(id_)
            description, aliases = record.description or "", list(record.aliases[:_ALIASES])
        except RollcallError:  # a list, which is no entity of the graph
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
        {"kind": "relation", "name": names[one], "description": "", "aliases": [], "forms": []}
        for one in query.relations
    ]


def _sample(question: Question, seed: int) -> list[str]:
    """A few answers, which show what kind of thing is asked for."""
    labels = list(dict.fromkeys(answer.label for answer in question.answers))
    return chance(seed, "sample", question.id).sample(labels, min(_SAMPLE, len(labels)))
