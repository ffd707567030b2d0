"""Reads RDF: N-Triples and N-Quads by blocks of lines, Turtle and TriG as streams, through pyoxigraph.

In the line formats a bad line affects only itself. A block is parsed as a whole; only if it has an error is
it parsed line by line.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pyoxigraph

from rollcall.graph.ingest.blank_nodes import BlankNodes
from rollcall.graph.ingest.lines import lines_of
from rollcall.graph.ingest.rdf_values import literal_row
from rollcall.graph.ingest.rdf_vocabulary import vocabulary
from rollcall.graph.shards import RANKS_PER_SOURCE, Shard, text_row
from rollcall.graph.source import LineSource, SourceContext, WholeFileSource
from rollcall.graph.sources import GRAPH_SOURCES
from rollcall.input_files.file_source import FileHead, FileSource
from rollcall.input_files.intact import open_intact, without_mark
from rollcall.input_files.tally import Tally, explain

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

    def __init__(self, options: RdfOptions, context: SourceContext) -> None:
        self._languages = {language: place for place, language in enumerate(context.options.languages)}
        given = msgspec.structs.asdict(options)
        words = vocabulary(given.pop("preset"), given.pop("strip_prefix"), **given)
        self._prefixes = sorted(words.prefixes, key=lambda pair: -len(pair[0]))
        self._roles = {
            predicate: role
            for role in ("label", "alias", "description", "type", "subclass")
            for predicate in getattr(words, role)
        }
        self._type_facts = context.options.type_facts
        self._ids: dict[str, str] = {}

    @classmethod
    def open(cls, options: RdfOptions, context: SourceContext) -> "_Rdf":
        return cls(options, context)

    def _add(self, triple: Any, shard: Shard, tally: Tally, number: int) -> None:
        tally.entries += 1
        try:
            self._add_triple(triple, shard, tally)
        except Exception as error:  # any error in one triple affects only that triple
            tally.add_bad(number, "malformed", f"{triple}: {explain(error)}")

    def _add_triple(self, triple: Any, shard: Shard, tally: Tally) -> None:
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

    def _add_name(self, role: str, subject: str, literal: Any, shard: Shard, tally: Tally) -> None:
        preference = len(self._languages)  # a text without a language, after all those with one
        if literal.language:
            found = self._languages.get(literal.language.lower())
            if found is None:
                tally.skip("names in other languages")
                return
            preference = found
        if role == "label":
            shard.entity(subject, label=literal.value, preference=preference)
        elif role == "description":
            shard.entity(subject, description=literal.value, preference=preference)
        elif literal.value:
            shard.alias(subject, literal.value, "rdf")

    def _add_value(self, subject: str, relation: str, literal: Any, shard: Shard, tally: Tally) -> None:
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

    def read(self, block: bytes, shard: Shard, tally: Tally, first: bool) -> None:
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

    def _read_line(self, number: int, line: bytes, shard: Shard, tally: Tally) -> None:
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

    def read_file(self, path: Path, rank: int) -> Iterator[tuple[Shard, Tally]]:
        """Read Turtle or TriG; after an error, the parser continues at the next statement it can read."""
        shard, tally = Shard(rank), Tally()
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
                    shard, tally = Shard(rank), Tally()
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
