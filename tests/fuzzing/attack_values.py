"""Texts as values, in queries, sources, RDF and graph JSON: each is refused in one line or comes back."""

import json
import random
import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

from fuzzing.attack_sparql import draw_plain
from fuzzing.odd_values import IDS, LANGUAGES, ODD_UNITS, UNITS, family, number, text, value_text
from fuzzing.target import Target
from rollcall import RollcallError
from rollcall.graph import GraphShard, value_row
from rollcall.graph.ingest.cells import read_cell
from rollcall.graph.ingest.records import RecordReader
from rollcall.graph.sources.rdf import literal_row
from rollcall.graph.sources.wikidata import point_row, quantity_row, time_row
from rollcall.input_files import Tally
from rollcall.query import Number, Query, Text, parse_value
from rollcall.query.notations import from_graph_json
from rollcall.query.rdf_terms import id_of, iri, typed_literal, value_of
from rollcall.query.values import holds

XSD = "http://www.w3.org/2001/XMLSchema#"


def one_line(error: RollcallError) -> None:
    message = str(error)
    assert "\n" not in message, message
    assert len(message) < 400, message


def draw_value(chance: random.Random) -> Any:
    kind = chance.randrange(6)
    if kind == 0:  # half of a surrogate pair, which JSON can hold and UTF-8 cannot
        return chance.choice(['"%s"', "5[%s]", "%s", "@%s"]) % chance.choice(["\ud800", "a\udfff", "\udc80"])
    if kind == 1:
        drawn = list(value_text(chance, UNITS + ODD_UNITS)[:60])
        for _ in range(chance.randint(1, 3)):
            drawn.insert(chance.randint(0, len(drawn)), chance.choice([*'0123456789-+.eEX@"[](),\\', "\x00"]))
        return "".join(drawn)
    return value_text(chance, UNITS + ODD_UNITS)


def check_value(case: Any) -> None:
    """Parsing, writing and parsing again gives the same value, in queries, RDF and a graph's tables."""
    try:
        value = parse_value(case)
    except RollcallError as error:
        one_line(error)
        value = None
    try:
        query = Query.parse(f"?x r {case}")
    except RollcallError as error:
        one_line(error)
        query = None
    if value is None:
        return
    assert parse_value(value.text) == value
    assert parse_value(value.text).text == value.text
    assert query is not None
    assert query.edges[0].object.text == value.text
    assert Query.parse(query.text) == query
    assert value_of(*typed_literal(value)) == value
    assert value_row(value)[0] == value.text
    value.text.encode()
    assert all((query.id, query.to_lambda(), query.to_sparql(), str(value) or isinstance(value, Text)))
    assert ElementTree.fromstring(query.to_svg()) is not None
    if isinstance(value, Number) and value.unit is None:
        assert Fraction(value.amount) == Fraction(Decimal(case)), "another number"


def draw_order(chance: random.Random) -> Any:
    return [value.text for value in family(chance, UNITS + ODD_UNITS, 6)]


def check_order(case: Any) -> None:
    """The order is one: of two values at most one is less, and what is less than the lesser is less."""
    values = [parse_value(written) for written in case]
    less = {(a, b) for a in values for b in values if holds(a.bounds, "<", b.bounds)}
    for a in values:
        for b in values:
            assert not ((a, b) in less and (b, a) in less)
            assert holds(b.bounds, ">", a.bounds) == ((a, b) in less)
            assert not ((a, b) in less and not holds(a.bounds, "<=", b.bounds))
            assert (a == b) == (a.text == b.text)
            assert all((a, c) in less for c in values if (a, b) in less and (b, c) in less)


def draw_source(chance: random.Random) -> Any:
    """A value as a dump, a table or an RDF file may write it."""
    kind = chance.choice(["cell", "json", "own", "rdf", "time", "amount", "point", "language"])
    written = chance.choice([value_text, lambda c, _: number(c), lambda c, _: text(c)])(chance, UNITS)
    if kind == "rdf":
        types = [
            "integer",
            "decimal",
            "double",
            "date",
            "dateTime",
            "gYear",
            "gYearMonth",
            "string",
            "boolean",
        ]
        others = ["http://www.opengis.net/ont/geosparql#wktLiteral", "http://dbpedia.org/datatype/foot",
                  "http://id.loc.gov/datatypes/edtf/EDTF", "urn:rollcall:number", "urn:rollcall:text:en-",
                  "urn:rollcall:quantity:length:Q3710", "urn:rollcall:quantity:", "urn:x"]  # fmt: skip
        point = f"Point({number(chance)} {number(chance)})"
        lexical = chance.choice([written, written.lstrip("@"), number(chance), point])
        return [kind, lexical, chance.choice([*(XSD + name for name in types), *others])]
    if kind == "time":
        year = chance.choice(["1960", "0000", "1", "00000001960", "9" * 16, "9" * 17, "44", "1900", "१९६०"])
        month, day = (
            chance.choice(["00", "01", "02", "12", "13"]),
            chance.choice(["00", "01", "29", "31", "32"]),
        )
        return [kind, f"{chance.choice('+-')}{year}-{month}-{day}T00:00:00Z", chance.randint(-1, 15)]
    if kind == "amount":
        units = ["1", "http://www.wikidata.org/entity/Q11573", "http://www.wikidata.org/entity/Q199", "/", ""]
        return [kind, number(chance), chance.choice(units)]
    if kind == "point":
        return [kind, *(chance.choice([0.0, -0.0, 90.0, 1e300, 181, -2.5, 1e-7]) for _ in range(2))]
    if kind == "language":
        return [kind, text(chance), chance.choice(LANGUAGES)]
    if kind == "json":
        return [
            kind,
            chance.choice(
                [
                    written,
                    5,
                    10**30,
                    -0.0,
                    1e300,
                    1e22,
                    0.1,
                    True,
                    [1],
                    {"a": 1},
                    [written, {"name": written}, [1]],
                    None,
                ]
            ),
        ]
    scaled = f"{number(chance)} {chance.choice(['million', 'm', 'ft 3 in', 'h 20 min', 'mi 2 km'])}"
    return [kind, chance.choice([written, number(chance), scaled])]


def check_source(case: Any) -> None:
    """A reader gives the text of a value, or a reason why not; a number is never another number."""
    kind, *parts = case
    row: Any
    if kind == "cell":
        row = value_row(read_cell(parts[0]))
    elif kind in ("json", "own"):
        names = ("kind", "dimension", "low", "high") if kind == "own" else ()
        record = {"subject": "s", "relation": "r", "value": parts[0]} | dict.fromkeys(names, "")
        shard, tally = GraphShard(), Tally()
        RecordReader("facts").read(1, record, shard, tally)
        read = sum(map(shard.count, ("values", "cells", "facts")))
        given = len(parts[0]) if isinstance(parts[0], list) else 1
        assert tally.bad_total + len(tally.skipped) == 1 or read + _left_out(tally) == given
        row = [column[-1] for column in shard.columns["values"][2:]] if shard.count("values") else "a cell"
    elif kind == "rdf":
        row = literal_row(*parts)
    elif kind == "language":
        try:
            row = value_row(Text(*parts))
        except RollcallError as error:
            return one_line(error)
    else:
        row = {"time": time_row, "amount": quantity_row, "point": point_row}[kind](*parts)
    if isinstance(row, str):
        assert row.isprintable()
        return
    value = parse_value(row[0])
    assert value_row(value) == tuple(row), "the table says otherwise than the value"
    written = str(parts[0][0] if isinstance(parts[0], list) else parts[0]).strip()
    if kind == "rdf" and parts[1].startswith("urn:rollcall:"):
        assert value == value_of(*parts, None), "the reader of RDF does not know its own literals"
    elif isinstance(value, Number) and kind in ("json", "rdf", "amount"):
        assert _same(value, written), "another number"
    elif kind == "cell" and re.fullmatch(r"[+-]?[0-9]+([.][0-9]+)?", written):
        assert isinstance(value, Text) or _same(value, written), "another number"


def _left_out(tally: Tally) -> int:
    return sum(count for count, _ in tally.nested.values())


def _same(value: Any, written: str) -> bool:
    try:
        return isinstance(value, Number) and Fraction(value.amount) == Fraction(Decimal(written))
    except InvalidOperation:
        return False


def draw_json(chance: random.Random) -> Any:
    """Graph JSON of a query; or the same with something in it replaced by something else."""
    query = chance.choice(draw_plain(chance)["queries"])
    if chance.random() < 0.6:
        return {"query": query}
    data = Query.parse(query).to_graph_json()
    holders: list[Any] = [data]
    for holder in holders:
        inner = holder.values() if isinstance(holder, dict) else holder
        holders += [value for value in inner if isinstance(value, dict | list)]
    holder = chance.choice([holder for holder in holders if holder])
    key = chance.choice(list(holder)) if isinstance(holder, dict) else chance.randrange(len(holder))
    if isinstance(holder, dict) and chance.random() < 0.2:
        del holder[key]
    else:
        odd = [None, 0, 1, -1, 2.5, True, "", "x", [], [[]], {}, {"nid": 0}, "count", "<", "entity",
               "literal",
               value_text(chance, UNITS), chance.choice(IDS), "Point(a b)^^http://www.opengis.net/ont/geosparql"
               "#wktLiteral", "type.int"]  # fmt: skip
        holder[key] = chance.choice(odd)
    return {"data": data}


def check_json(case: Any) -> None:
    if "query" in case:
        query = Query.parse(case["query"])
        assert from_graph_json(json.loads(json.dumps(query.to_graph_json()))) == query
        return
    try:
        query = from_graph_json(case["data"])
    except RollcallError as error:
        return one_line(error)
    assert from_graph_json(query.to_graph_json()) == query


def draw_ids(chance: random.Random) -> Any:
    return [*chance.sample(IDS, 5), *(text(chance, 5) for _ in range(5))]


def check_ids(case: Any) -> None:
    """Different ids have different IRIs, whatever the base, and come back."""
    for base in ("urn:rollcall:", "http://e.org/", "http://www.wikidata.org/entity/"):
        assert [id_of(iri(id_, base), base) for id_ in case] == case
        assert len({iri(id_, base) for id_ in case}) == len(set(case))


TARGETS = [
    Target("values", draw_value, check_value, share=1500),
    Target("value-order", draw_order, check_order, share=300),
    Target("value-sources", draw_source, check_source, share=1500),
    Target("graph-json", draw_json, check_json, share=80),
    Target("iris", draw_ids, check_ids, share=200),
]
