"""Reads RDF: N-Triples and N-Quads by blocks of lines, Turtle and TriG as streams, through pyoxigraph.

In the line formats a bad line affects only itself. A block is parsed as a whole; only if it has an error is
it parsed line by line.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pyoxigraph

from rollcall._core.errors import RollcallError
from rollcall.graph.rows import RANKS_PER_SOURCE, GraphShard, ValueRow, text_row, value_row
from rollcall.graph.source import GraphSourceContext, LineSource, WholeFileSource, lines_of
from rollcall.graph.sources import GRAPH_SOURCES
from rollcall.input_files.file_source import FileHead, FileSource
from rollcall.input_files.input_file import Tally, explain, open_intact, without_mark
from rollcall.query.rdf_terms import BASE, EDTF, point_of, value_of
from rollcall.query.values import Date, Text, named_unit, number

# Names for blank nodes: unique to one source, and the same every time it is read. `_:b` in two files
# means two different nodes, so a name contains the number of its source. The parser gives a node without
# a label an arbitrary label that differs in every run; here such nodes are numbered in order of
# appearance.

_ARBITRARY = re.compile(r"[a-f][0-9a-f]{15,31}")
"""How the parser labels a node that has no label."""


class BlankNodes:
    """Names the blank nodes of one source: `_:1.label`, and `_:1-7` for the seventh without a label."""

    def __init__(self, source: int) -> None:
        self._source = source
        self._places: dict[str, int] = {}

    def name(self, label: str) -> str:
        return f"_:{self._source}.{label}"

    def name_in_order(self, label: str) -> str:
        """The name of a node, which may have no label, in a file that is read from its beginning."""
        if not _ARBITRARY.fullmatch(label):
            return self.name(label)
        number = self._places.setdefault(label, len(self._places) + 1)
        return f"_:{self._source}-{number}"


# RDF literals as stored values: XML Schema numbers and dates, texts with languages, measured datatypes.

_XSD = "http://www.w3.org/2001/XMLSchema#"
_NUMBER_TYPES = """
    integer decimal double float int long short byte nonNegativeInteger positiveInteger nonPositiveInteger
    negativeInteger unsignedInt unsignedLong unsignedShort unsignedByte
"""
_NUMBERS = frozenset(_XSD + name for name in _NUMBER_TYPES.split())
_DATES = {_XSD + name for name in ("date", "dateTime", "dateTimeStamp", "gYear", "gYearMonth")}
_DATE = re.compile(r"\+?(-?\d{4,})(?:-(\d\d))?(?:-(\d\d))?(?:T.*)?(?:Z|[+-]\d\d:\d\d)?")
_CAPITALS = re.compile(r"(?<=[a-z])(?=[A-Z])")


@lru_cache(maxsize=100_000)
def literal_row(content: str, datatype: str) -> ValueRow | str:
    """The row of a literal without a language, or the reason why it is not kept."""
    try:
        if datatype in _NUMBERS:
            return value_row(number(content.strip()))
        if datatype in _DATES:
            return _date_row(content)
        if datatype.endswith("wktLiteral"):
            return value_row(point_of(content) or Text(content))
        if datatype == EDTF or datatype.startswith(BASE):  # as `ntriples` writes them
            return value_row(value_of(content, datatype, None))
        if (unit := _measured(datatype)) is not None:
            return value_row(number(content, unit))
    except (RollcallError, ArithmeticError, ValueError):
        return "unreadable literals"
    return value_row(Text(content))


def _date_row(content: str) -> ValueRow | str:
    match = _DATE.fullmatch(content.strip())
    if match is None:
        return "unreadable literals"
    year, month, day = match.groups()
    # Some graphs write an unknown month or day as 00.
    known_month = int(month or 0) or None
    return value_row(Date(int(year), known_month, (int(day or 0) or None) if known_month else None))


def _measured(datatype: str) -> str | None:
    """The unit that a datatype such as dbpedia.org/datatype/squareKilometre stands for."""
    if datatype.startswith(_XSD) or "/datatype/" not in datatype:
        return None
    return named_unit(_CAPITALS.sub(" ", datatype.rpartition("/")[2]).lower())


# Which RDF predicates give names and classes, and how IRIs become ids: presets and changes to them.

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_SCHEMA = "http://schema.org/"
_FREEBASE = "http://rdf.freebase.com/ns/"
_DBPEDIA = "http://dbpedia.org/"
_WIKIDATA = "http://www.wikidata.org/"
WELL_KNOWN = {
    "rdf": _RDF,
    "rdfs": _RDFS,
    "skos": _SKOS,
    "schema": _SCHEMA,
    "foaf": "http://xmlns.com/foaf/0.1/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "dbo": _DBPEDIA + "ontology/",
    "dbp": _DBPEDIA + "property/",
    "wdt": _WIKIDATA + "prop/direct/",
}
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")
_NO_IRI = re.compile(r'[\s<>"{}|\\^`]')


class Vocabulary(msgspec.Struct, frozen=True):
    """Which RDF predicates give names and classes, and how IRIs are shortened to ids.

    `prefixes` maps the beginning of an IRI to its replacement in an id: an empty text or a short prefix.
    """

    label: tuple[str, ...] = (_RDFS + "label",)
    alias: tuple[str, ...] = (_SKOS + "altLabel",)
    description: tuple[str, ...] = (_RDFS + "comment",)
    type: tuple[str, ...] = (_RDF + "type",)
    subclass: tuple[str, ...] = (_RDFS + "subClassOf",)
    prefixes: tuple[tuple[str, str], ...] = ()


PRESETS = {
    "plain": Vocabulary(),
    "freebase": Vocabulary(
        label=(_FREEBASE + "type.object.name", _RDFS + "label"),
        alias=(_FREEBASE + "common.topic.alias",),
        description=(_FREEBASE + "common.topic.description",),
        type=(_FREEBASE + "type.object.type", _RDF + "type"),
        subclass=(_FREEBASE + "freebase.type_hints.included_types",),
        prefixes=((_FREEBASE, ""),),
    ),
    "dbpedia": Vocabulary(
        label=(_RDFS + "label", "http://xmlns.com/foaf/0.1/name"),
        alias=(_SKOS + "altLabel", _DBPEDIA + "ontology/alias"),
        description=(_DBPEDIA + "ontology/abstract", _RDFS + "comment"),
        prefixes=(
            (_DBPEDIA + "resource/", ""),
            (_DBPEDIA + "ontology/", "dbo:"),
            (_DBPEDIA + "property/", "dbp:"),
        ),
    ),
    "wikidata": Vocabulary(
        label=(_RDFS + "label",),
        alias=(_SKOS + "altLabel",),
        description=(_SCHEMA + "description",),
        type=(_WIKIDATA + "prop/direct/P31",),
        subclass=(_WIKIDATA + "prop/direct/P279",),
        prefixes=((_WIKIDATA + "entity/", ""), (_WIKIDATA + "prop/direct/", "")),
    ),
}


def vocabulary(
    preset: str = "plain", prefixes: Iterable[str] = (), **predicates: Sequence[str] | None
) -> Vocabulary:
    """A preset with some of its predicates replaced, and further prefixes (`IRI` or `NAME=IRI`)."""
    if preset not in PRESETS:
        raise RollcallError(f"unknown preset {preset!r}; choose one of {', '.join(PRESETS)}")
    preset_options = PRESETS[preset]
    predicate_options = {
        role: tuple(_iri(role, iri) for iri in iris) for role, iris in predicates.items() if iris
    }
    return msgspec.structs.replace(
        preset_options,
        **predicate_options,
        prefixes=(*preset_options.prefixes, *(_prefix(text) for text in prefixes)),
    )


def _iri(role: str, text: str) -> str:
    """A full IRI, given in full or with one of the common prefixes."""
    prefix, colon, name = text.removeprefix("<").removesuffix(">").partition(":")
    if not _SCHEME.fullmatch(prefix) or not colon or not name or _NO_IRI.search(name):
        raise RollcallError(
            f"--{role} {text}: is not an IRI; give a whole one, such as {_RDFS}label, or one with a prefix "
            f"of {', '.join(WELL_KNOWN)}"
        )
    return WELL_KNOWN.get(prefix, prefix + ":") + name


def _prefix(text: str) -> tuple[str, str]:
    name, equals, iri = text.partition("=")
    # An equals sign may also be part of the IRI itself.
    if equals and ":" not in name and "/" not in name:
        return iri, name + ":"
    return text, ""


_TRIPLES_PER_PART = 200_000
_NO_BASE = "urn:rollcall:"


class RdfOptions(msgspec.Struct, frozen=True):
    preset: str = "plain"
    """A known vocabulary: plain, freebase, dbpedia or wikidata."""
    label: tuple[str, ...] = ()
    """The predicates of labels, instead of the preset's."""
    alias: tuple[str, ...] = ()
    """The predicates of aliases, instead of the preset's."""
    description: tuple[str, ...] = ()
    """The predicates of descriptions, instead of the preset's."""
    type: tuple[str, ...] = ()
    """The predicates of types, instead of the preset's."""
    subclass: tuple[str, ...] = ()
    """The predicates of subclasses, instead of the preset's."""
    strip_prefix: tuple[str, ...] = ()
    """Beginnings of IRIs to remove from ids, or NAME=IRI to replace one by NAME: instead."""


class _Rdf(FileSource):
    """Adds triples to a shard as names, classes, facts or values, according to the vocabulary."""

    Options = RdfOptions
    rdf_format: ClassVar[pyoxigraph.RdfFormat]
    _name_blank_node: Callable[[str], str]

    def __init__(self, options: RdfOptions, context: GraphSourceContext) -> None:
        self._languages = {language: rank for rank, language in enumerate(context.options.languages)}
        fields = msgspec.structs.asdict(options)
        words = vocabulary(fields.pop("preset"), fields.pop("strip_prefix"), **fields)
        self._prefixes = sorted(words.prefixes, key=lambda pair: -len(pair[0]))
        self._roles = {
            predicate: role
            for role in ("label", "alias", "description", "type", "subclass")
            for predicate in getattr(words, role)
        }
        self._type_facts = context.options.type_facts
        self._ids: dict[str, str] = {}

    @classmethod
    def open(cls, options: RdfOptions, context: GraphSourceContext) -> "_Rdf":
        return cls(options, context)

    def _add(self, triple: Any, shard: GraphShard, tally: Tally, number: int) -> None:
        tally.entries += 1
        try:
            self._add_triple(triple, shard, tally)
        except Exception as error:  # any error in one triple affects only that triple
            tally.add_bad(number, "malformed", f"{triple}: {explain(error)}")

    def _add_triple(self, triple: Any, shard: GraphShard, tally: Tally) -> None:
        if isinstance(triple.object, pyoxigraph.Triple):
            tally.skip("statements about statements")
            return
        subject, object_ = self._id(triple.subject), triple.object
        predicate = triple.predicate.value
        role = self._roles.get(predicate)
        if isinstance(object_, pyoxigraph.Literal):
            if role in ("label", "alias", "description"):
                self._add_name(role, subject, object_, shard, tally)
            else:
                self._add_value(subject, self._short(predicate), object_, shard, tally)
            return
        target = self._id(object_)
        if role == "type":
            shard.type(subject, target)
        elif role == "subclass":
            shard.subclass(subject, target)
        if role not in ("type", "subclass") or self._type_facts:
            shard.fact(subject, self._short(predicate), target)

    def _add_name(self, role: str, subject: str, literal: Any, shard: GraphShard, tally: Tally) -> None:
        preference = len(self._languages)  # a text without a language, after all those with one
        if literal.language:
            rank = self._languages.get(literal.language.lower())
            if rank is None:
                tally.skip("names in other languages")
                return
            preference = rank
        if role == "label":
            shard.entity(subject, label=literal.value, preference=preference)
        elif role == "description":
            shard.entity(subject, description=literal.value, preference=preference)
        elif literal.value:
            shard.alias(subject, literal.value, "rdf")

    def _add_value(self, subject: str, relation: str, literal: Any, shard: GraphShard, tally: Tally) -> None:
        if literal.language:
            if literal.language.lower() not in self._languages:
                tally.skip("texts in other languages")
                return
            shard.value(subject, relation, text_row(literal.value, literal.language.lower()))
            return
        row = literal_row(literal.value, literal.datatype.value)
        if isinstance(row, str):
            tally.skip(row)
        else:
            shard.value(subject, relation, row)

    def _id(self, term: Any) -> str:
        if isinstance(term, pyoxigraph.NamedNode):
            return self._short(term.value)
        return self._name_blank_node(term.value)

    def _short(self, iri: str) -> str:
        short = self._ids.get(iri)
        if short is None:
            short = iri
            for prefix, replacement in self._prefixes:
                if iri.startswith(prefix) and len(iri) > len(prefix):
                    short = replacement + iri[len(prefix) :]
                    break
            if len(self._ids) > 500_000:
                self._ids.clear()
            self._ids[iri] = short
        return short


class _RdfLines(_Rdf, LineSource):
    """One triple or quad per line; a bad line affects only itself."""

    def read(self, block: bytes, shard: GraphShard, tally: Tally, first: bool) -> None:
        """Read a block of whole lines of N-Triples or N-Quads."""
        self._name_blank_node = _blank_nodes(shard.rank).name
        try:
            triples = list(pyoxigraph.parse(block, format=self.rdf_format))
        except (SyntaxError, ValueError):
            for number, line in lines_of(block, tally):
                self._read_line(number, line, shard, tally)
            return
        tally.lines += block.count(b"\n") + (not block.endswith(b"\n"))
        for triple in triples:
            self._add(triple, shard, tally, 0)

    def _read_line(self, number: int, line: bytes, shard: GraphShard, tally: Tally) -> None:
        try:
            for triple in pyoxigraph.parse(line, format=self.rdf_format):
                self._add(triple, shard, tally, number)
        except (SyntaxError, ValueError) as error:
            tally.entries += 1
            reason = getattr(error, "msg", None) or str(error)
            tally.add_bad(number, "malformed", reason.rpartition("column")[2].partition(": ")[2] or reason)


@GRAPH_SOURCES.register("ntriples")
class NTriples(_RdfLines):
    """RDF as N-Triples."""

    suffixes = (".nt",)
    expects = "N-Triples (.nt)"
    rdf_format = pyoxigraph.RdfFormat.N_TRIPLES

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return head.first_line.startswith((b"<", b"_:")) and head.first_line.rstrip().endswith(b".")


@GRAPH_SOURCES.register("nquads")
class NQuads(_RdfLines):
    """RDF as N-Quads; the names of graphs are ignored."""

    suffixes = (".nq",)
    expects = "N-Quads (.nq)"
    rdf_format = pyoxigraph.RdfFormat.N_QUADS


class _RdfFile(_Rdf, WholeFileSource):
    """Statements that may extend over several lines and use prefixes declared above."""

    def read_file(self, path: Path, rank: int) -> Iterator[tuple[GraphShard, Tally]]:
        """Read Turtle or TriG; after an error, the parser continues at the next statement it can read."""
        shard, tally = GraphShard(rank), Tally()
        self._name_blank_node = _blank_nodes(rank).name_in_order
        with open_intact(path) as stream:
            triples = pyoxigraph.parse(without_mark(stream), format=self.rdf_format, base_iri=_NO_BASE)
            while True:
                try:
                    triple = next(triples)
                except StopIteration:
                    break
                except SyntaxError as error:
                    tally.entries += 1
                    tally.add_bad(error.lineno or 0, "malformed", error.msg)
                    continue
                self._add(triple, shard, tally, 0)
                if tally.entries >= _TRIPLES_PER_PART:
                    yield shard, tally
                    shard, tally = GraphShard(rank), Tally()
            stream.report(tally)
        yield shard, tally


@GRAPH_SOURCES.register("turtle")
class Turtle(_RdfFile):
    """RDF as Turtle."""

    suffixes = (".ttl",)
    expects = "Turtle (.ttl)"
    rdf_format = pyoxigraph.RdfFormat.TURTLE

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return head.first_line.startswith((b"@prefix", b"@base", b"PREFIX", b"BASE"))


@GRAPH_SOURCES.register("trig")
class TriG(_RdfFile):
    """RDF as TriG; the names of graphs are ignored."""

    suffixes = (".trig",)
    expects = "TriG (.trig)"
    rdf_format = pyoxigraph.RdfFormat.TRIG


def _blank_nodes(rank: int) -> BlankNodes:
    return BlankNodes(rank // RANKS_PER_SOURCE + 1)
