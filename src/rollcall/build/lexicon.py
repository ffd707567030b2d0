"""The lexicon of a build: the packaged entries, overridden by the user's files.

The choice of relations, the search for evidence and the wording all use this lexicon, so a user's entry
counts for all of them. A stage that uses it declares the section `wording`.
"""

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from rollcall._core.errors import RollcallError
from rollcall._core.files import replacing
from rollcall._core.yaml_tree import quoted
from rollcall.build.keys import FileName
from rollcall.graph import Graph
from rollcall.llm import Client, ModelError, Reply, Request
from rollcall.llm.server import ask
from rollcall.query import QUESTION, Edge, Entity, Literal, Query, parse_value
from rollcall.query.statements import Node
from rollcall.text.nouns import with_article
from rollcall.wording import Lexicon, Realiser
from rollcall.wording.ends import EndNouns
from rollcall.wording.entry import VALUE_NOUNS, Entry
from rollcall.wording.lexicon import Fields, entry_of, read_entries
from rollcall.wording.phrases import said_value

# The key of a recipe that names lexicon files, for every pipeline.


class LexiconFiles(msgspec.Struct, frozen=True):
    """The user's own lexicon files, and the model that rephrases questions."""

    lexicon: FileName | list[FileName] = []
    """A file of entries, or several, in the YAML format of the packaged ones (`rollcall lexicon`)."""
    polish: str | None = None
    """The address of an OpenAI-compatible server and a model, `URL, MODEL`, that rephrases the questions; a
    new wording counts only if `ask` understands the same query and all names are kept."""


def build_lexicon(files: LexiconFiles) -> Lexicon:
    """Read the lexicon of a build."""
    paths = files.lexicon
    return Lexicon.load(*([paths] if isinstance(paths, str) else paths))


def knows_graph(graph: Path, parameters: Any, lexicon: Lexicon) -> bool:
    """Whether a lexicon knows relations that hold enough of the graph's facts."""
    with Graph.open(graph) as opened:
        rows: list[dict[str, Any]] = opened.tables.relations.to_pyarrow().to_pylist()
    known_facts: int = sum(row["facts"] for row in rows if row["id"] in lexicon)
    all_facts: int = sum(row["facts"] for row in rows)
    return 0 < known_facts >= float(parameters.relations.covered) * all_facts


# The text of a lexicon file for people to correct: an entry for each relation, with examples above it.
# Every entry is a block of lines: comments with examples and with the questions that its words give now,
# then the entry. So an unchanged block can be recognised by its text.

HEADER = """\
# Words for the relations of a graph. Correct what reads badly, and leave out what reads well.
# A build uses the file with --set wording.lexicon=FILE; Lexicon.load("FILE") reads it in Python.
#
# forward says it of the subject and begins with the verb, in the third person: "was directed by {object}".
# backward says it of the object: "directed {subject}"; without it, the noun does: "a director of {subject}".
# subjects and objects are what the ends are: person, film, thing, person or thing; of values date, number,
# quantity or text. use: [] leaves the relation out of questions.
"""
_PLAIN_TEXT = re.compile(r"[A-Za-z][\w .()’-]*")
_YAML_WORDS = frozenset(("true", "false", "yes", "no", "on", "off", "null", "y", "n", "~"))


class RelationProfile(NamedTuple):
    """What a graph says about a relation."""

    entry: Entry
    facts: int
    examples: Sequence[str]
    questions: Sequence[str]


def fields_of(entry: Entry) -> dict[str, str]:
    """The fields of an entry that a person may want to change."""
    fields = {
        "label": entry.label,
        "noun": entry.noun,
        "plural": entry.plural_noun,
        "forward": entry.forward,
        "backward": entry.backward,
        "subjects": entry.subjects,
        "objects": entry.objects,
    }
    return {name: text for name, text in fields.items() if text or name == "noun"}


def block(relation: str, profile: RelationProfile, fields: Mapping[str, str], remark: str = "") -> str:
    """The lines of one relation."""
    lines = [f"# {profile.facts:,} facts: {_one_line('; '.join(profile.examples))}"]
    lines += [f"# {_one_line(question)}" for question in profile.questions]
    lines += [f"# {_one_line(remark)}"] if remark else []
    lines.append(f"{_scalar(relation)}:")
    lines += [f"  {name}: {_scalar(text)}" for name, text in fields.items()]
    return "\n".join(lines) + "\n"


def blocks_of(path: Path) -> tuple[str, dict[str, str]]:
    """The beginning of a lexicon file, and its text cut into the blocks of its relations."""
    starts = {fields.line: relation for relation, fields in read_entries(path).items()}
    text = path.read_text(encoding="utf-8")
    if not starts:  # nothing but comments
        return text, {}
    lines = text.splitlines()
    blocks: dict[str, str] = {}
    first = _above(lines, min(starts))
    header = "\n".join(lines[: first - 1]).rstrip()
    start_lines = sorted(starts)
    for start_line, next_start in zip(start_lines, [*start_lines[1:], len(lines) + 1], strict=True):
        end = _above(lines, next_start) if next_start <= len(lines) else next_start
        blocks[starts[start_line]] = "\n".join(lines[_above(lines, start_line) - 1 : end - 1]).rstrip() + "\n"
    return (header + "\n" if header else ""), blocks


def _above(lines: list[str], line: int) -> int:
    """The first of the comment lines directly above a line."""
    while line > 1 and line - 2 < len(lines) and lines[line - 2].startswith("#"):
        line -= 1
    return line


def _one_line(text: str) -> str:
    return " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())


def _scalar(text: str) -> str:
    plain = _PLAIN_TEXT.fullmatch(text) and text.lower() not in _YAML_WORDS and text == text.strip()
    return text if plain else quoted(text)


# Lets a language model write the entries of a lexicon: one request a relation, each reply checked. A
# reply that is not a valid entry is not used; the entry then stays what the label alone gives.

_SYSTEM = """\
You write entries of a lexicon that turns facts of a knowledge graph into English questions. Reply with one \
JSON object with the texts noun, forward, backward, subjects, objects, and nothing else.
forward says the relation of the subject and begins with a verb in the third person singular; it holds \
{object} exactly once. backward says it of the object and holds {subject} exactly once; leave it empty if \
the noun says it best. noun is what the object is to the subject (director), in the singular, or empty if \
there is no such noun. subjects and objects are the nouns for the ends: person, film, company, place, thing, \
person or thing; for values date, number, quantity or text."""
_EXAMPLE = (
    "relation: director\nexamples: Marl Tide – Orla Venn; The Tin Door – Ada Moss",
    '{"noun": "director", "forward": "was directed by {object}", "backward": "directed {subject}", '
    '"subjects": "film", "objects": "person"}',
)
_NAMES = ("noun", "forward", "backward", "subjects", "objects")
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in _NAMES},
    "required": list(_NAMES),
    "additionalProperties": False,
}


class ModelEntries:
    """Fills in entries with a model of a server."""

    def __init__(self, client: Client, model: str):
        self._client, self._model = client, model

    def __call__(
        self, relations: Mapping[str, RelationProfile]
    ) -> Iterator[tuple[str, dict[str, str] | str]]:
        """The fields of each relation, or the reason why the reply cannot be used."""
        requests = ((relation, self._request(profile)) for relation, profile in relations.items())
        for relation, reply in self._client.complete_all(requests):
            if isinstance(reply, ModelError):
                yield relation, str(reply)
            else:
                yield relation, _fields(relation, relations[relation], reply)

    def _request(self, profile: RelationProfile) -> Request:
        prompt = f"relation: {profile.entry.label}\nexamples: {'; '.join(profile.examples)}"
        return ask(self._model, prompt, _SYSTEM, (_EXAMPLE,), max_tokens=300, schema=_SCHEMA)


def _fields(relation: str, profile: RelationProfile, reply: Reply) -> dict[str, str] | str:
    """The checked fields of a reply, or what is wrong with it."""
    text = reply.text[reply.text.find("{") : reply.text.rfind("}") + 1]
    try:
        texts = msgspec.json.decode(text, type=dict[str, str])
    except msgspec.DecodeError:
        return "the reply is not a JSON object of texts"
    fields = {"label": profile.entry.label} | {name: " ".join(texts.get(name, "").split()) for name in _NAMES}
    fields = {name: value for name, value in fields.items() if value or name == "noun"}
    if "forward" not in fields:
        return "the reply has no forward clause"
    try:
        entry = entry_of(relation, Fields(Path("the reply"), 1, fields))
    except RollcallError as error:
        return str(error)
    return fields_of(entry)


# Writes a lexicon file for the relations of a graph: the function behind `rollcall lexicon`. Blocks that
# a person or a model has changed stay as they are; blocks that are still what this module wrote may be
# written again, or filled in by a model. So the command can be repeated at any time, and after a failure
# it continues.

_EXAMPLES = 3
_ANSWERS = 50

Fill = Callable[[Mapping[str, RelationProfile]], Iterator[tuple[str, "dict[str, str] | str"]]]
"""Gives for relations the fields that a model wrote, or why its reply is not usable."""


@dataclass
class Stubs:
    """How many relations were written, kept, filled in, and refused by a model."""

    written: int = 0
    kept: int = 0
    filled: int = 0
    unusable: list[str] = field(default_factory=list)


def write_lexicon(
    graph: Graph,
    out: Path,
    *,
    every: bool = False,
    least: int = 1,
    replace: bool = False,
    fill: Fill | None = None,
) -> Stubs:
    """Write entries for the relations that a lexicon does not know by id, or for `every` one.

    Relations with fewer than `least` facts are left out. With `replace` an older file is forgotten.
    """
    relations = dict(known_relations(graph, Lexicon.load(), every=every, least=least))
    if not relations:
        raise RollcallError(
            f"{graph.folder}: the lexicon knows every relation with at least {least} facts; --all writes them"
        )
    header, older = blocks_of(out) if out.exists() and not replace else ("", {})
    fresh = {
        relation: block(relation, profile, fields_of(profile.entry))
        for relation, profile in relations.items()
    }
    changed = {relation for relation, text in older.items() if text != fresh.get(relation)}
    stubs = Stubs(kept=len(changed), written=len(fresh.keys() - changed))
    blocks = older | {relation: text for relation, text in fresh.items() if relation not in changed}
    try:
        if fill is not None:
            unchanged = {
                relation: profile for relation, profile in relations.items() if relation not in changed
            }
            for relation, fields in fill(unchanged):
                if isinstance(fields, str):
                    stubs.unusable.append(f"{relation}: {fields}")
                else:
                    blocks[relation] = block(relation, relations[relation], fields, "filled in by a model")
                    stubs.filled += 1
    finally:  # what a model has written is paid for
        with replacing(out) as partial:
            partial.write_text("\n".join([header or HEADER, *blocks.values()]), encoding="utf-8")
    return stubs


def known_relations(
    graph: Graph, lexicon: Lexicon, *, every: bool, least: int
) -> Iterator[tuple[str, RelationProfile]]:
    """The relations of a graph with their words and examples, the most frequent first."""
    ends = EndNouns(graph)
    realiser = Realiser(graph, lexicon, ends=ends)
    for number in relations_by_size(graph, least):
        relation = graph.index.relation_ids[number]
        if every or relation not in lexicon:
            yield relation, relation_profile(graph, lexicon, ends, realiser, number)


def relations_by_size(graph: Graph, least: int = 1) -> list[int]:
    """The numbers of the relations with at least so many facts, the most frequent first."""
    index = graph.index
    sizes = [len(index.forward(number)[0]) for number in range(len(index.relation_ids))]
    numbers = [number for number, size in enumerate(sizes) if size >= least]
    return sorted(numbers, key=lambda number: (-sizes[number], index.relation_ids[number]))


def relation_profile(
    graph: Graph, lexicon: Lexicon, ends: EndNouns, realiser: Realiser, number: int
) -> RelationProfile:
    """The words of a relation, examples, and a question about either of its ends."""
    index = graph.index
    relation = index.relation_ids[number]
    nouns = ends.of(relation)
    entry = lexicon.entry(relation, graph.relation_label(relation), nouns)
    if entry.generic and nouns.objects in VALUE_NOUNS:
        entry = _of_values(entry, nouns.objects)
    facts = _some_facts(graph, number)
    questions = [_question(graph, realiser, query) for query in example_queries(graph, number)]
    examples = [f"{_name(graph, subject)} – {_name(graph, object_)}" for subject, object_ in facts]
    return RelationProfile(entry, len(index.forward(number)[0]), examples, questions)


def _question(graph: Graph, realiser: Realiser, query: Query) -> str:
    wording = realiser.ask(query, example_answers(graph, query))
    return (realiser.word(query) if wording is None else wording).question


def example_answers(graph: Graph, query: Query) -> list[str]:
    """Some entities that answer a query."""
    return sorted(answer for answer in graph.answers(query) if isinstance(answer, str))[:_ANSWERS]


def example_queries(graph: Graph, number: int) -> list[Query]:
    """A query for either end of a fact of a relation."""
    subject, object_ = _some_facts(graph, number)[0]
    relation = graph.index.relation_ids[number]
    return [Query.of([Edge(QUESTION, relation, object_)]), Query.of([Edge(subject, relation, QUESTION)])]


def _of_values(entry: Entry, kind: str) -> Entry:
    """The entry of a relation to values, with the clause by which a value is said."""
    keeps_clause = "{on object}" in entry.forward or not entry.noun or kind == "text"
    forward = entry.forward if keeps_clause else f"has {with_article(entry.noun)} of {{object}}"
    return dataclasses.replace(entry, objects=kind, forward=forward)


def _some_facts(graph: Graph, relation: int) -> list[tuple[Entity, Entity | Literal]]:
    """A few facts of a relation, spread over all of them."""
    index = graph.index
    subjects, objects = index.forward(relation)
    positions = np.linspace(0, len(subjects) - 1, min(_EXAMPLES, len(subjects))).astype(np.int64)
    facts: list[tuple[Entity, Entity | Literal]] = []
    for position in positions:
        text = index.term_text(int(objects[position]))
        entity = int(objects[position]) < index.entity_count
        object_: Entity | Literal = Entity(text) if entity else Literal(parse_value(text))
        facts.append((Entity(index.entity_ids[int(subjects[position])]), object_))
    return facts


def _name(graph: Graph, node: Node) -> str:
    if isinstance(node, Literal):
        return said_value(node.value, graph.label)
    return graph.label(node.id) if isinstance(node, Entity) else str(node)
