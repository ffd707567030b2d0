"""Which relations and classes are worth asking about, by their names and by their facts.

- `BOOKKEEPING`, `UNINFORMATIVE` and the functions below them: names that no question should use.
- `chosen_relations`: the relations that joins ask about: the given ones or all, except those excluded.
- `askable_relations`: the relations that random attempts ask about.
- `Ontology`: which relation leads from which class to which class.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import ibis
import numpy as np

from rollcall._core.errors import RollcallError
from rollcall.graph import Graph
from rollcall.graph.index import GraphIndex
from rollcall.mine.joins import graph_table, mining_bench
from rollcall.tables.build import OntologyEdges
from rollcall.tables.engine import Engine, Workbench
from rollcall.tables.files import write_records
from rollcall.tables.graph import Classes, Facts, Relations, Types, Values
from rollcall.tables.table import DeclaredTable, Int64, Rows, shaped
from rollcall.text.nouns import land_of
from rollcall.text.words import word_list
from rollcall.wording import Entry, Lexicon
from rollcall.wording.generic import Ends

if TYPE_CHECKING:
    import ibis.expr.types as ir


EVERY_RELATION = "all"


# Names that describe a source's records instead of the world: "notes", "rank", "notability". Graphs made
# from tables have such relations and classes. They are left out unless a recipe says otherwise. Names
# that cannot be put into words are left out, too: those without a word of three letters.

BOOKKEEPING = frozenset(
    {
        "#", "a", "abbr", "abbreviation", "achievement", "achievements", "appearances", "apps",
        "background", "biography", "caption", "code", "comment", "comments", "coord", "coordinates",
        "date", "dates", "description", "details", "episode", "first", "fourth", "from", "gls", "goals",
        "highlights", "history", "image", "img", "index", "information", "key", "last", "link", "links",
        "list", "listing", "map", "misc", "miscellaneous", "more", "n", "name", "names", "new", "no",
        "no.", "notability", "note", "notes", "num", "number", "old", "order", "original", "other",
        "others", "p", "photo", "pic", "picture", "pos", "pos.", "quantity", "rank", "ranking", "ref",
        "ref.", "reference", "references", "refs", "reg", "remark", "remarks", "result", "results",
        "row", "s", "score", "second", "see", "seed", "serial", "significance", "source", "sources",
        "summary", "table", "text", "third", "through", "time", "title", "titles", "to", "total",
        "v", "value", "via", "website", "year", "years",
    }
)  # fmt: skip
"""Headings and relation labels of record keeping, in lower case."""
UNINFORMATIVE = (*sorted(BOOKKEEPING), "age", "position", "season", "type")
"""Labels of relations that say too little to ask about: headings of table columns rather than relations."""

_NO_THINGS = frozenset(
    {
        "name", "names", "year", "years", "date", "dates", "reign", "reigned", "tenure", "term", "terms",
        "duration", "age", "aired", "notability", "history", "achievement", "achievements", "biography",
        "career", "background", "highlights", "significance", "reason", "reasons", "rationale",
        "comment", "comments", "description", "descriptions", "details", "info", "information", "note",
        "notes", "remark", "remarks", "summary", "trivia",
    }
)  # fmt: skip
"""Last words of headings of columns that contain names, times or prose instead of things or categories."""

_NO_MEASURES = frozenset(
    {
        "bib", "code", "codes", "coordinate", "coordinates", "coords", "easting", "fax", "grid", "id",
        "identifier", "identifiers", "ids", "index", "isbn", "issn", "key", "lane", "lat", "latitude", "lng",
        "lon", "longitude", "no", "northing", "nr", "num", "number", "numbers", "order", "phone", "pick",
        "place", "pos", "position", "postcode", "rank", "ranking", "rankings", "ranks", "round", "row",
        "seed", "serial", "telephone", "url", "zip",
    }
)  # fmt: skip
"""Last words of labels whose figures name a thing, a place in an order, or a point on a map."""

_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]{3}|[^\W\d_a-zA-Z]")
"""Three letters in a row, or one letter of a non-Latin script."""


def can_be_worded(name: str) -> bool:
    """Whether a relation's name contains a word."""
    return _WORD.search(name) is not None


_HEADINGS = frozenset(("name", "names", "title", "titles", "number", "date", "dates", "year", "years"))
"""Words of column headings: "date of issue" is the heading of a column, not a class of things."""

_CLASS_LABEL = re.compile(r"[^\W\d_]{3,}[^\W\d_ ,'’.-]*(?:[ '’.,-]+[^\W_]+)*")
"""Questions name classes, so class labels must be plain words, not "2nd 1" or "size (cm)"."""


def can_name_class(label: str) -> bool:
    """Whether a question may call things by the label of their class."""
    words = label.casefold().split()
    ends_well = words[:1] and not {words[0], words[-1]} & word_list("prepositions")
    counted = words[1:] and words[-1].isdigit()  # `city 2` is one of several columns
    if counted or land_of(label.title()):  # `serbian` is a column of words in a language
        return False
    return bool(_CLASS_LABEL.fullmatch(label) and ends_well and not _HEADINGS.intersection(words))


def promises_no_measure(name: str) -> bool:
    """Whether the values under a label only look like numbers: ranks, row numbers, codes, coordinates."""
    words = _LETTERS.findall(name.casefold())
    return bool(words) and (words[-1] in _NO_MEASURES or name.casefold() in BOOKKEEPING)


def promises_no_things(name: str) -> bool:
    """Whether the last word of a heading or label asks for a name, a time or prose."""
    words = _LETTERS.findall(name.casefold())
    return bool(words) and words[-1] in _NO_THINGS


# The relations that joins ask about.


def chosen_relations(
    bench: Workbench,
    relations: Sequence[str] | str,
    excluded: Collection[str] | None,
    *,
    to_things: bool = False,
) -> list[str]:
    """The ids of the chosen relations that the graph has; an error if there is none.

    With `to_things`, and if all relations are asked for, relations whose label asks for a name or a time are
    left out: if a table links a language under "native name", the language is not the name.
    """
    labels = {row["id"]: row["label"] or row["id"] for row in bench.records(lambda: graph_table(Relations))}
    if isinstance(relations, str):
        if relations != EVERY_RELATION:
            raise RollcallError(f"relations: {relations!r} is neither a list of ids nor {EVERY_RELATION!r}")
        relations = [
            relation
            for relation, label in labels.items()
            if can_be_worded(label) and not (to_things and promises_no_things(label))
        ]
        if not relations:
            raise RollcallError(
                f"none of the graph's {len(labels)} relations has a label that can be worded; give labels, "
                "or name the relations to ask about by their ids"
            )
        excluded = BOOKKEEPING if excluded is None else excluded
    left_out = {name.casefold() for name in excluded or ()}
    chosen_ids = [
        relation
        for relation in relations
        if relation in labels and not {relation.casefold(), labels[relation].casefold()} & left_out
    ]
    if not chosen_ids:
        raise RollcallError(
            f"none of the {len(relations)} relations asked for is in the graph, which has {len(labels)};"
            f" use its ids, or {EVERY_RELATION!r} for every relation"
        )
    return chosen_ids


# Chooses the relations that random attempts ask about, and those whose values they ask for and compare.
# A relation is asked about if it can be worded: its label contains a word, or the lexicon knows its id.
# A relation to entities whose label asks for a name, a time or prose (`common name`) is left out,
# because the entities are only linked there. Its values are compared only if they measure something: not
# if they number rows, name things by figures, or are the few values of a relation that leads to
# entities.

_SERIAL = re.compile(r"\d+ |.*[^\W\d] \d{1,2}$")
"""Labels that begin or end with a number: one of several numbered columns of a table."""


class AskableRelations(NamedTuple):
    """The relations worth asking about, with their numbers, and those whose values are worth comparing."""

    numbers: dict[str, int]
    compared: frozenset[int]


def askable_relations(
    graph: Graph, excluded: Collection[str], lexicon: Lexicon | None = None
) -> AskableRelations:
    """The relations of a graph that can be worded and are not excluded by id or label."""
    lexicon = lexicon or Lexicon.load()
    left_out = {name.casefold() for name in excluded}
    labels = zip(graph.index.relation_ids, graph.index.relation_labels, strict=True)
    numbers: dict[str, int] = {}
    compared: set[int] = set()
    for number, (id_, graph_label) in enumerate(labels):
        listed_entry = lexicon.entry(id_) if id_ in lexicon else None
        label = graph_label or (listed_entry.label if listed_entry else id_)
        if not can_be_worded(label) or _SERIAL.match(label) or (listed_entry and not listed_entry.use):
            continue
        if listed_entry is None and promises_no_things(label) and _leads_to_things(graph.index, number):
            continue
        if {id_.casefold(), label.casefold()} & left_out:
            continue
        numbers[id_] = number
        entry = listed_entry or lexicon.entry(id_, label, Ends(objects="number"))
        if _measures(graph.index, number, label, entry):
            compared.add(number)
    if not numbers:
        raise RollcallError(
            f"{graph.folder}: none of the {len(graph.index.relation_ids)} relations has a label that can be "
            "worded and is not excluded; give labels, or entries with wording.lexicon (`rollcall lexicon`)"
        )
    return AskableRelations(numbers, frozenset(compared))


def _leads_to_things(index: GraphIndex, relation: int) -> bool:
    """Whether most objects of a relation are entities."""
    _, objects = index.forward(relation)
    return bool(np.count_nonzero(objects < index.entity_count) * 2 > len(objects))


def _measures(index: GraphIndex, relation: int, label: str, entry: Entry) -> bool:
    """Whether most objects of a relation are values that can be compared and that measure something."""
    _, objects = index.forward(relation)
    literals = objects[objects >= index.entity_count] - index.entity_count
    ordered = literals[index.literal_dimension[literals] >= 0]
    if len(ordered) * 2 < len(objects) or not len(ordered):
        return False
    if not entry.generic:
        return True
    if not entry.noun or promises_no_measure(label) or "“" in entry.nouns:
        return False
    return not _numbers_rows(index.literal_low[ordered])


def _numbers_rows(amounts: "np.typing.NDArray[np.float64]") -> bool:
    """Whether values are row numbers or ranks: 1, 2, 3 … without gaps, and about as many of each.

    Counts of things have gaps and zeros, and small counts are much more frequent than larger ones.
    """
    if len(amounts) < _LEAST_ROWS or amounts.min() != 1 or (amounts != np.floor(amounts)).any():
        return False
    values, times = np.unique(amounts, return_counts=True)
    lower = values <= np.quantile(amounts, 0.8)
    gapless = bool(values[lower][-1] == lower.sum())
    return bool(gapless and lower.sum() >= _LEAST_RANKS and np.median(times[lower]) * 3 >= times.max())


_LEAST_ROWS = 12
_LEAST_RANKS = 6


# The ontology that a graph implies: which relation leads from which class to which class, and how often.
# Input: the tables of a graph. Output: `Ontology`, a list of edges with counts. Domains and ranges need
# not be declared: they are counted over all facts, with the direct types of entities. Values have
# literal classes such as `date` and `quantity:length`.

UNTYPED = ""
"""The class of entities without a type."""


class OntologyEdge(NamedTuple):
    """A relation between two classes; the object's class is a literal class if `literal` is true."""

    subject_class: str
    relation: str
    object_class: str
    literal: bool
    facts: int


class ClassSize(NamedTuple):
    """The number of entities of a class, and the number of those with the class as a direct type."""

    entities: int
    direct: int


class Ontology:
    """Edges between classes with their counts, sorted, and the sizes of the classes."""

    def __init__(self, edges: Iterable[OntologyEdge], classes: dict[str, ClassSize]) -> None:
        self.edges = sorted(edges)
        self.classes = classes

    @classmethod
    def of(cls, graph: Path, engine: Engine, scratch: Path) -> "Ontology":
        """Count the ontology of a graph folder."""
        with mining_bench(engine, scratch, graph) as bench:
            rows = [row for query in (_edges, _value_edges) for row in bench.records(query)]
            sizes = {row["class"]: ClassSize(row["entities"], row["direct"]) for row in bench.records(_sizes)}
        edges = [OntologyEdge(**row) for row in rows]
        return cls(edges, sizes)

    @cached_property
    def around(self) -> dict[str, list[OntologyEdge]]:
        """The edges that touch each class, at either end."""
        touching: dict[str, list[OntologyEdge]] = defaultdict(list)
        for edge in self.edges:
            touching[edge.subject_class].append(edge)
            if not edge.literal and edge.object_class != edge.subject_class:
                touching[edge.object_class].append(edge)
        return dict(touching)

    def is_sayable(self, class_id: str, direct_share: float = 0.1) -> bool:
        """Whether a class is commonly used as a direct type: `film`, but not `entity` or `agent`."""
        size = self.classes.get(class_id)
        return size is not None and size.direct >= direct_share * size.entities

    def write(self, path: Path) -> None:
        """Write the edges as a Parquet table."""
        write_records(OntologyEdges, path, (edge._asdict() for edge in self.edges))


class _ClassSizes(DeclaredTable):
    class_ = Classes.id
    entities = Classes.entities
    direct = Int64("how many entities have it as a direct type")


class _DirectTypes(DeclaredTable):
    entity = Types.entity
    class_ = Types.class_


def _direct() -> Rows[_DirectTypes]:
    types = graph_table(Types)
    return shaped(_DirectTypes, types.filter(types.direct))


def _edges() -> Rows[OntologyEdges]:
    facts = graph_table(Facts).mutate(literal=ibis.literal(False))
    of_objects = _direct().rename(object="entity", object_class="class")
    typed = facts.left_join(of_objects, "object").drop("object_right")
    return _counted(typed.mutate(object_class=typed.object_class.fill_null(UNTYPED)))


def _value_edges() -> Rows[OntologyEdges]:
    values = graph_table(Values)
    measured = values.kind + ":" + values.dimension.fill_null("")
    literal_class = (values.kind == "quantity").ifelse(measured, values.kind)
    return _counted(values.mutate(object_class=literal_class, literal=ibis.literal(True)))


def _counted(facts: "ir.Table") -> Rows[OntologyEdges]:
    """Facts with the classes of their objects, counted by the classes of both ends."""
    typed = facts.left_join(_direct().rename(subject="entity", subject_class="class"), "subject")
    typed = typed.mutate(subject_class=typed.subject_class.fill_null(UNTYPED))
    by = ["subject_class", "relation", "object_class", "literal"]
    return shaped(OntologyEdges, typed.group_by(by).agg(facts=typed.count()))


def _sizes() -> Rows[_ClassSizes]:
    types = graph_table(Types)
    sizes = types.group_by("class").agg(entities=types.count(), direct=types.count(where=types.direct))
    return shaped(_ClassSizes, sizes)
